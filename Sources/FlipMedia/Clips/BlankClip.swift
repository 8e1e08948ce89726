import FlipBase

/// A gap in a timeline, during which nothing is shown or heard: frames of the background, and silence.
extension MediaInfo {
    /// The stand-in for the file of a blank clip.
    package static let blank: MediaInfo = {
        let video = VideoInfo(
            streamIndex: -1, codec: "none", profile: nil, width: 2, height: 2, sampleAspectRatio: Rational(1),
            transform: .identity, displayWidth: 2, displayHeight: 2, pixelFormat: PixelFormat(name: "gray")!,
            colour: ColorDescription(),
            hdr: nil, frameRate: Rational(25), isVariableFrameRate: false, isInterlaced: false, frameCount: 1,
            start: .zero, duration: Rational(1, 25), isStill: true, seekPoints: [])
        return MediaInfo(
            path: "gap", format: "none", byteCount: 0, video: video, audio: nil, audioTrackCount: 0, title: nil,
            chapters: [], ignoredStreams: [])
    }()
}

extension VideoInfo {
    /// Whether this stands for a gap rather than for a file's video.
    package var isBlank: Bool { streamIndex < 0 }
}

extension VideoConform {
    /// A frame of nothing but the background.
    package func blankFrame() throws(MediaError) -> VideoFrame {
        let frame = try FramePool(width: width, height: height, pixelFormat: pixelFormat, colour: colour).make()
        Background(self).fill(frame)
        return VideoFrame(frame.frame, isShared: true)
    }
}

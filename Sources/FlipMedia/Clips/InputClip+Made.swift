import FlipBase

extension InputClip {
    /// A file with video alone that was just made, as it has to be according to its encoding.
    /// - Parameters:
    ///   - stream: the index of the file's video stream.
    ///   - frames: the number of its frames.
    ///   - start: the first frame's time, in seconds of stream time.
    ///   - keyframes: where decoding can begin and is complete from the first frame on, ascending.
    package init(
        madeAt path: String, by encoding: VideoEncoding, stream: Int, frames: Int, start: Rational,
        keyframes: [SeekPoint]
    ) {
        let shown = encoding.form.shown(width: encoding.width, height: encoding.height)
        var video = VideoInfo(
            streamIndex: stream, codec: "", profile: nil, width: encoding.width, height: encoding.height,
            sampleAspectRatio: encoding.form.sampleAspectRatio, transform: encoding.form.transform,
            displayWidth: shown.width, displayHeight: shown.height, pixelFormat: encoding.pixelFormat,
            color: encoding.color, hdr: encoding.hdr, frameRate: encoding.frameRate,
            isVariableFrameRate: encoding.keptTimes != nil, isInterlaced: encoding.form.fieldOrder != nil,
            frameCount: frames, start: start, duration: encoding.times[frames], isStill: false, seekPoints: keyframes)
        video.fieldOrder = encoding.form.fieldOrder
        video.hasCleanSeekPoints = true
        let info = MediaInfo(
            path: path, format: "", byteCount: 0, video: video, audioTracks: [], audioTrackCount: 0, title: nil,
            chapters: [], ignoredStreams: [])
        self.init(.file(info), ClipUse(all: video))
        use.kept = encoding.keptTimes.map { KeptTimes(all: $0, count: frames) }
    }
}

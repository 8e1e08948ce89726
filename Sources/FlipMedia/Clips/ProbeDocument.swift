import FlipBase

/// What `probe --json` says of a file.
package struct ProbeDocument: Encodable {
    private let info: MediaInfo
    private let video: Video?

    /// - Parameter use: what is used of the file; nil for a file without video.
    package init(_ info: MediaInfo, _ use: ClipUse?) {
        self.info = info
        video = info.video.map { Video(video: $0, use: use ?? ClipUse(all: $0)) }
    }

    private enum CodingKeys: CodingKey {
        case path, format, byteCount, video, audio, audioTracks, audioTrackCount, subtitles, metadata, title, chapters,
            ignoredStreams
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(info.path, forKey: .path)
        try fields.encode(info.format, forKey: .format)
        try fields.encode(info.byteCount, forKey: .byteCount)
        try fields.encodeIfPresent(video, forKey: .video)
        try fields.encodeIfPresent(info.audio, forKey: .audio)
        try fields.encode(info.audioTracks, forKey: .audioTracks)
        try fields.encode(info.audioTrackCount, forKey: .audioTrackCount)
        try fields.encode(info.subtitles, forKey: .subtitles)
        let timecode = info.timecode.map { ["timecode": $0.text] } ?? [:]
        try fields.encode(info.metadata.merging(timecode) { own, _ in own }, forKey: .metadata)
        try fields.encodeIfPresent(info.title, forKey: .title)
        try fields.encode(info.chapters, forKey: .chapters)
        try fields.encode(info.ignoredStreams, forKey: .ignoredStreams)
    }
}

private struct Video: Encodable {
    let video: VideoInfo
    let use: ClipUse

    private enum CodingKeys: String, CodingKey {
        case streamIndex, codec, profile, width, height, sampleAspectRatio, transform, displayWidth, displayHeight
        case pixelFormat, hdr, frameRate, isVariableFrameRate, isInterlaced, frameCount, start, duration,
            isStill, used, color
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(video.streamIndex, forKey: .streamIndex)
        try fields.encode(video.codec, forKey: .codec)
        try fields.encodeIfPresent(video.profile, forKey: .profile)
        try fields.encode(video.width, forKey: .width)
        try fields.encode(video.height, forKey: .height)
        try fields.encode(video.sampleAspectRatio, forKey: .sampleAspectRatio)
        try fields.encode(video.transform, forKey: .transform)
        try fields.encode(video.displayWidth, forKey: .displayWidth)
        try fields.encode(video.displayHeight, forKey: .displayHeight)
        try fields.encode(video.pixelFormat, forKey: .pixelFormat)
        try fields.encode(video.color, forKey: .color)
        try fields.encodeIfPresent(video.hdr, forKey: .hdr)
        try fields.encode(video.frameRate, forKey: .frameRate)
        try fields.encode(video.isVariableFrameRate, forKey: .isVariableFrameRate)
        try fields.encode(video.isInterlaced, forKey: .isInterlaced)
        try fields.encode(video.frameCount, forKey: .frameCount)
        try fields.encode(video.start, forKey: .start)
        try fields.encode(video.duration, forKey: .duration)
        try fields.encode(video.isStill, forKey: .isStill)
        try fields.encode(use.span, forKey: .used)
    }
}

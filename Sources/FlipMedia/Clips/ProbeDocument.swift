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

    private enum CodingKeys: CodingKey { case video, audio, metadata }

    package func encode(to encoder: any Encoder) throws {
        try info.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(video, forKey: .video)
        try fields.encodeIfPresent(info.audio, forKey: .audio)
        if let timecode = info.timecode {
            try fields.encode(info.metadata.merging(["timecode": timecode.text]) { own, _ in own }, forKey: .metadata)
        }
    }
}

private struct Video: Encodable {
    let video: VideoInfo
    let use: ClipUse

    private enum CodingKeys: CodingKey { case used }

    func encode(to encoder: any Encoder) throws {
        try video.encode(to: encoder)
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(use.span, forKey: .used)
    }
}

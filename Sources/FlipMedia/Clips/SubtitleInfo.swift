import FlipBase

/// A subtitle stream.
package struct SubtitleInfo: Sendable, Encodable {
    package let streamIndex: Int
    /// libav's name of the format, such as "subrip" or "hdmv_pgs_subtitle".
    package let codec: String
    /// Whether it is text, which can be converted; otherwise it consists of pictures, which can only be copied.
    package let isText: Bool
    package let tags: TrackTags
    /// The format's header (extradata), such as the styles of ASS; empty for most formats.
    package let header: [UInt8]

    private enum CodingKeys: CodingKey { case streamIndex, codec, isText, tags }

    package init(streamIndex: Int, codec: String, isText: Bool, tags: TrackTags, header: [UInt8]) {
        (self.streamIndex, self.codec, self.isText, self.tags) = (streamIndex, codec, isText, tags)
        self.header = header
    }

    /// The stream in a list of streams.
    package var text: String { "\(streamIndex) (subtitle, \(codec))" }
}

extension Container {
    /// libav's names of the formats of text subtitles that a file can hold, the preferred one first.
    package var subtitleFormats: [String] {
        switch name {
        case "mp4", "mov": ["mov_text"]
        case "matroska": ["subrip", "ass", "webvtt"]
        case "webm": ["webvtt"]
        default: []
        }
    }

    /// libav's names of the formats of subtitles in pictures that a file can hold.
    package var pictureSubtitleFormats: [String] {
        name == "matroska" ? ["hdmv_pgs_subtitle", "dvb_subtitle", "dvd_subtitle"] : []
    }

    /// Whether a file can hold telemetry.
    package var holdsTelemetry: Bool { priming == .editList }
}

import FlipBase
import FlipBitstream

/// A subtitle stream, or one of data that belongs to the picture.
package struct SubtitleInfo: Sendable, Encodable {
    package let streamIndex: Int
    /// libav's name of the format, such as "subrip" or "hdmv_pgs_subtitle"; of data in mp4 and mov files the type of its sample
    /// entry, such as "gpmd".
    package let codec: String
    /// Whether it is text, which can be converted; otherwise it consists of pictures, which can only be copied.
    package let isText: Bool
    package let tags: TrackTags
    /// The format's header (extradata), such as the styles of ASS; empty for most formats. Of data in mp4 and mov files it is the
    /// sample entry, a box that says what the track holds.
    package let header: [UInt8]
    package let isData: Bool

    private enum CodingKeys: CodingKey { case streamIndex, codec, isText, tags }

    package init(streamIndex: Int, codec: String, isText: Bool, tags: TrackTags, header: [UInt8], isData: Bool = false)
    {
        (self.streamIndex, self.codec, self.isText, self.tags) = (streamIndex, codec, isText, tags)
        (self.header, self.isData) = (header, isData)
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

    /// Whether a file can hold a track of data; through a pipe, mp4 and mov hold only GoPro's telemetry.
    package func holds(_ data: SubtitleInfo, throughPipe isStream: Bool) -> Bool {
        if priming == .editList { return !data.header.isEmpty && (!isStream || data.codec == GPMF.tag) }
        return name == "mpegts" && data.header.isEmpty
    }
}

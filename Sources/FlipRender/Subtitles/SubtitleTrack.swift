import FlipBase
import FlipBitstream
import FlipMedia

/// Subtitles placed on the timeline: a stream of a clip, or a file of captions.
package struct PlacedSubtitles: Sendable {
    let path: String
    let info: SubtitleInfo
    /// Where the file's clock restarts; nil if it doesn't.
    var jumps: ClockJumps?
    /// The index of the clip that they belong to; nil if they belong to the whole output.
    let clip: Int?
    /// The stream time in seconds that is shown at the start of `span`.
    let origin: Rational
    /// The span of the output in which they are shown, in seconds. Those that reach beyond it are cut.
    let span: TimeSpan
    /// For data, the stream time in seconds at which the picture ends, beyond which a packet holds no samples even if it
    /// says so.
    var pictureEnd: Rational?
    /// For data, whether the clip that follows has none of its kind.
    var endsTrack = false
    /// The captions whose file `path` is, if it is none of the user's; else nil.
    var made: MadeCaptions?

    /// The name of the file in messages.
    var name: String { made?.name ?? MediaInfo.name(of: path) }

    /// The time in the output of what has stream time `time`, in milliseconds.
    func milliseconds(_ time: Rational) -> Int { ((time - origin + span.start) * Rational(1000)).rounded() }

    /// The part of the output in which they are shown, in milliseconds.
    var range: Range<Int> { (span.start * Rational(1000)).rounded()..<(span.end * Rational(1000)).rounded() }
}

/// A subtitle track of the output.
package struct SubtitleTrack: Sendable {
    /// libav's name of its format, or that of a track of data.
    let codec: String
    /// Whether it is a track of data, such as telemetry; these come after those of subtitles.
    var isData = false
    /// The format's header (extradata); empty for most formats.
    let header: [UInt8]
    var tags: TrackTags
    let sources: [PlacedSubtitles]

    /// Whether the packets of `source` are copied; otherwise their text is converted.
    func copies(_ source: PlacedSubtitles) -> Bool {
        source.info.codec == codec && (codec == "ass" || source.info.header == header)
    }

    /// Whether the format can show only one packet at a time.
    var isExclusive: Bool { codec == "mov_text" }
}

extension SubtitleTrack {
    /// The track's line in the plan's description. `track` counts from 0.
    func description(track: Int) -> String {
        let inputs = sources.compactMap(\.clip).map { "\($0 + 1)" }
        let files = sources.filter { $0.clip == nil }.map(\.name)
        let all = inputs.isEmpty ? [] : ["\(inputs.count == 1 ? "input" : "inputs") \(inputs.joined(separator: ", "))"]
        return (isData ? "data track" : "subtitle track \(track + 1)") + "\(tags.text): \(codec), of "
            + (all + files).joined(separator: ", ")
    }
}

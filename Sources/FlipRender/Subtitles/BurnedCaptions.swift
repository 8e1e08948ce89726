import FlipBase
import FlipClip
import FlipFiles
import FlipGeometry
import FlipMedia
import Synchronization

/// How captions look that are drawn into the picture.
package struct CaptionStyle: Sendable, Hashable {
    /// The style as the user wrote it.
    package let text: String
    /// The fields of an ASS style that are changed, as libavfilter's `force_style` takes them.
    let fields: String
    /// Whether the user named fields, which then apply to captions with styles of their own as well.
    let isForced: Bool

    /// The fields of an ASS style.
    private static let names: Set<String> = [
        "FontName", "FontSize", "PrimaryColour", "SecondaryColour", "OutlineColour", "BackColour", "Bold", "Italic",
        "Underline", "StrikeOut", "ScaleX", "ScaleY", "Spacing", "Angle", "BorderStyle", "Outline", "Shadow",
        "Alignment", "MarginL", "MarginR", "MarginV",
    ]
    /// White with a black outline, on a script 288 lines high.
    private static let outline = "FontSize=18,Outline=1.5,Shadow=0,MarginV=14"
    /// White in a black box that lets a quarter of the picture through.
    private static let box = "FontSize=18,BorderStyle=3,Outline=3,Shadow=0,OutlineColour=&H40000000,MarginV=14"

    /// Parses `outline`, `box`, or fields of an ASS style such as `FontName=DejaVu Sans,FontSize=28`.
    package init(parsing text: String) throws(OptionError) {
        self.text = text
        isForced = !["outline", "box"].contains(text)
        guard isForced else {
            fields = text == "box" ? Self.box : Self.outline
            return
        }
        for entry in text.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = entry.split(separator: "=", omittingEmptySubsequences: false)
            // Everything else could mean something to the filter graph.
            let isPlain = parts.last?.allSatisfy { $0.isLetter || $0.isNumber || "&.+- ".contains($0) } ?? false
            guard parts.count == 2, Self.names.contains(String(parts[0])), !parts[1].isEmpty, isPlain else {
                throw OptionError(
                    "invalid burn-captions '\(text)' (expected outline, box, or styles of ASS such as FontSize=28,Bold=1)"
                )
            }
        }
        fields = Self.outline + "," + text
    }
}

/// Captions that are drawn into the picture.
final class BurnedCaptions: Sendable {
    let track: SubtitleTrack
    let style: CaptionStyle
    /// The captions as read, once they have been needed.
    private let script = Mutex<Script?>(nil)

    /// A file with all captions, and what is shown when.
    struct Script: Sendable {
        let file: NamelessFile
        /// The times in milliseconds at which captions begin or end, ascending.
        let changes: [Int]
        /// The times in milliseconds between which captions are shown.
        let shown: [Range<Int>]
    }

    /// - Throws: `badInput` if there are subtitles of pictures among `sources`, `missingCodec` if this FFmpeg can't draw
    ///   text.
    init(_ sources: [PlacedSubtitles], style: CaptionStyle) throws(MediaError) {
        if let pictures = sources.first(where: { !$0.info.isText }) {
            throw MediaError(.badInput, "'\(pictures.name)' has no subtitles in text, so they can't be drawn")
        }
        try CaptionFilter.check()
        self.style = style
        let styles = sources.allSatisfy { $0.info.codec == "ass" } ? ASSStyles.merged(sources.map(\.info.header)) : nil
        track = SubtitleTrack(
            codec: styles == nil ? "subrip" : "ass", header: styles ?? [], tags: TrackTags(), sources: sources)
    }

    /// The fields that are changed in the captions' styles; nil to leave these as they are.
    var fields: String? { track.codec == "ass" && !style.isForced ? nil : style.fields }

    /// The line in the plan's description.
    var description: String {
        let names = Set(track.sources.map(\.name)).sorted()
        return "captions drawn into the picture (\(style.text)), of \(names.joined(separator: ", "))"
    }

    /// Reads all captions, the first time it is called.
    func read() throws(MediaError) -> Script {
        try script.withLock { (script) throws(MediaError) in
            if let script { return script }
            let made = try make()
            script = made
            return made
        }
    }

    private func make() throws(MediaError) -> Script {
        let merger = SubtitleMerger([track])
        let file = try NamelessFile()
        let isASS = track.codec == "ass"
        if isASS { try file.append(track.header + Array("\n".utf8)) }
        var count = 0
        var shown: [Range<Int>] = []
        while let cue = try merger.next() {
            count += 1
            guard count <= InputLimits.packets else { throw MediaError(.badInput, "there are too many captions") }
            let text = String(decoding: cue.packet.bytes, as: UTF8.self)
            let line = isASS ? Self.event(text, cue.range) : Self.block(text, cue.range, count)
            try file.append(Array(line.utf8))
            shown.append(cue.range)
        }
        return Script(
            file: file, changes: Set(shown.flatMap { [$0.lowerBound, $0.upperBound] }).sorted(), shown: shown)
    }

    /// A subtitle of an SRT file.
    private static func block(_ text: String, _ range: Range<Int>, _ number: Int) -> String {
        // An empty line would end the subtitle.
        let lines = text.split(whereSeparator: \.isNewline).joined(separator: "\n")
        return "\(number)\n\(clock(range.lowerBound, ",", 3)) --> \(clock(range.upperBound, ",", 3))\n\(lines)\n\n"
    }

    /// An event of an ASS file, whose times are hundredths of a second. The packet has a number and the layer in place
    /// of the layer and the times.
    private static func event(_ text: String, _ range: Range<Int>) -> String {
        let parts = text.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3 else { return "" }
        return
            "Dialogue: \(parts[1]),\(clock(range.lowerBound, ".", 2)),\(clock(range.upperBound, ".", 2)),\(parts[2])\n"
    }

    private static func clock(_ milliseconds: Int, _ point: String, _ digits: Int) -> String {
        SubtitleClock.text(milliseconds, point: point, digits: digits)
    }
}

/// Draws captions over frames.
final class CaptionPainter {
    private let filter: CaptionFilter
    private let script: BurnedCaptions.Script
    private let rate: Rational
    /// Whether captions may move while they are shown, as those of ASS.
    private let moves: Bool

    init(_ captions: BurnedCaptions, _ plan: RenderPlan, threads: Int) throws(MediaError) {
        script = try captions.read()
        rate = plan.video.frameRate
        moves = captions.track.codec == "ass"
        filter = CaptionFilter(path: script.file.location, style: captions.fields, threads: threads)
    }

    /// The frame with the captions of output frames `indices`; several where these change. A frame without captions is
    /// returned as it is.
    func paint(_ frame: VideoFrame, at indices: Range<Int>) throws(MediaError) -> [(VideoFrame, Range<Int>)] {
        var parts: [(VideoFrame, Range<Int>)] = []
        var start = indices.lowerBound
        while start < indices.upperBound {
            let time = milliseconds(start)
            let isShown = script.shown.contains { $0.contains(time) }
            let next = script.changes.first { $0 > time }.map(firstFrame(atOrAfter:)) ?? indices.upperBound
            let end = isShown && moves ? start + 1 : min(max(next, start + 1), indices.upperBound)
            parts.append((isShown ? try filter.draw(over: frame, at: time) : frame, start..<end))
            start = end
        }
        return parts
    }

    /// The time at which output frame `index` is shown, in whole milliseconds.
    private func milliseconds(_ index: Int) -> Int {
        let time = Rational(index) / rate * Rational(1000)
        return time.numerator / time.denominator
    }

    private func firstFrame(atOrAfter milliseconds: Int) -> Int {
        let frame = Rational(milliseconds, 1000) * rate
        return (frame.numerator + frame.denominator - 1) / frame.denominator
    }
}

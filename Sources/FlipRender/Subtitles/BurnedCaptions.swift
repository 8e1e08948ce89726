import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia

/// How captions look that are drawn into the picture.
package struct CaptionStyle: Sendable, Hashable {
    /// The style as the user wrote it.
    package let text: String
    /// The fields of an ASS style that the user named, or nil.
    private let given: String?
    /// Whether the user named fields, which then apply to captions with styles of their own as well.
    var isForced: Bool { given != nil }

    /// The font that the user named, or nil.
    var font: String? {
        given?.split(separator: ",").last { $0.hasPrefix("FontName=") }.map { String($0.dropFirst("FontName=".count)) }
    }

    /// The fields of an ASS style.
    private static let names: Set<String> = [
        "FontName", "FontSize", "PrimaryColour", "SecondaryColour", "OutlineColour", "BackColour", "Bold", "Italic",
        "Underline", "StrikeOut", "ScaleX", "ScaleY", "Spacing", "Angle", "BorderStyle", "Outline", "Shadow",
        "Alignment", "MarginL", "MarginR", "MarginV",
    ]
    /// Parses `outline`, `box`, or fields of an ASS style such as `FontName=DejaVu Sans,FontSize=28`.
    package init(parsing text: String) throws(OptionError) {
        self.text = text
        given = ["outline", "box"].contains(text) ? nil : text
        guard given != nil else { return }
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
    }

    /// The fields of an ASS style that are changed, as libavfilter's `force_style` takes them: white with a black
    /// outline, or in a black box that lets a quarter of the picture through, on a script 288 lines high.
    func fields(on frames: VideoConform) -> String {
        // Letters are as high as those of a frame of 4:3 with the same width if the frame is narrower, so that a line
        // that fits there fits here.
        let scale = min(1, 0.75 * Double(frames.width) / Double(frames.height))
        let number = { (value: Double) in String((value * scale * 100).rounded() / 100) }
        // With this encoding, libass begins each paragraph at the side where its script does.
        var fields = "FontSize=\(number(18)),MarginV=14,Encoding=-1,"
        // One box for all lines: boxes of lines (BorderStyle=3) would overlap. The shadow's depth is the box's margin.
        fields +=
            text == "box"
            ? "BorderStyle=4,Outline=0,Shadow=\(number(3)),BackColour=&H40000000" : "Outline=\(number(1.5)),Shadow=0"
        // libass knows nothing of HDR, where white is diffuse white.
        let white = frames.color.light.encoded(red: 1, green: 1, blue: 1).red
        if white < 1 {
            let digits = String(Int((white * 255).rounded()), radix: 16)
            fields += ",PrimaryColour=&H00\(digits)\(digits)\(digits)"
        }
        return given.map { fields + "," + $0 } ?? fields
    }
}

/// Captions that are drawn into the picture.
final class BurnedCaptions: Sendable {
    /// The captions: a track of its own for those with styles that contradict others', and one for those without.
    let tracks: [SubtitleTrack]
    let style: CaptionStyle
    /// The captions as read, once they have been needed.
    private let script = Mutex<Script?>(nil)

    /// Files with all captions, one for each track, and what is shown when.
    struct Script: Sendable {
        let files: [NamelessFile]
        let times: CaptionTimes
    }

    /// - Throws: `badInput` if there are subtitles of pictures among `sources`, `missingCodec` if this FFmpeg can't draw
    ///   text.
    init(_ sources: [PlacedSubtitles], style: CaptionStyle) throws(MediaError) {
        if let pictures = sources.first(where: { !$0.info.isText }) {
            throw MediaError(.badInput, "'\(pictures.name)' has no subtitles in text, so they can't be drawn")
        }
        try CaptionFilter.check()
        self.style = style
        tracks = Self.groups(sources).map { group in
            let styles =
                group[0].info.codec == "ass" ? ASSStyles.merged(group.map(\.info.header)) : nil
            return SubtitleTrack(
                codec: styles == nil ? "subrip" : "ass", header: styles ?? [], tags: TrackTags(), sources: group)
        }
    }

    /// `sources`, put together where the styles of one don't contradict those of the others.
    private static func groups(_ sources: [PlacedSubtitles]) -> [[PlacedSubtitles]] {
        var groups: [[PlacedSubtitles]] = []
        for source in sources {
            let isASS = source.info.codec == "ass"
            let fitting = groups.firstIndex { group in
                if (group[0].info.codec == "ass") != isASS { return false }
                return !isASS || ASSStyles.merged((group + [source]).map(\.info.header)) != nil
            }
            if let fitting { groups[fitting].append(source) } else { groups.append([source]) }
        }
        return groups
    }

    /// The fields that are changed in the styles of track `index`; nil to leave these as they are.
    func fields(_ index: Int, on frames: VideoConform) -> String? {
        tracks[index].codec == "ass" && !style.isForced ? nil : style.fields(on: frames)
    }

    /// The line in the plan's description.
    var description: String {
        let names = Set(tracks.flatMap(\.sources).map(\.name)).sorted()
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
        let merger = SubtitleMerger(tracks, keepsOrder: false)
        var files: [NamelessFile] = []
        for track in tracks {
            let file = try NamelessFile()
            if track.codec == "ass" { try file.append(track.header + Array("\n".utf8)) }
            files.append(file)
        }
        var count = 0
        var shown: [Range<Int>] = []
        while let cue = try merger.next() {
            count += 1
            guard count <= InputLimits.packets else { throw MediaError(.badInput, "there are too many captions") }
            let text = String(decoding: cue.packet.bytes, as: UTF8.self)
            let isASS = tracks[cue.track].codec == "ass"
            let line = isASS ? Self.event(text, cue.range) : Self.block(text, cue.range, count)
            try files[cue.track].append(Array(line.utf8))
            shown.append(cue.range)
        }
        return Script(files: files, times: CaptionTimes(shown))
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
        moves = captions.tracks.contains { $0.codec == "ass" }
        let files = script.files.enumerated().map { index, file in
            (path: file.location, style: captions.fields(index, on: plan.frames))
        }
        filter = CaptionFilter(files, threads: threads)
    }

    /// The frame with the captions of output frames `indices`; several where these change. A frame without captions is
    /// returned as it is.
    func paint(_ frame: VideoFrame, at indices: Range<Int>) throws(MediaError) -> [(VideoFrame, Range<Int>)] {
        var parts: [(VideoFrame, Range<Int>)] = []
        var start = indices.lowerBound
        while start < indices.upperBound {
            let time = milliseconds(start)
            let (isShown, change) = script.times.state(at: time)
            let next = change.map(firstFrame(atOrAfter:)) ?? indices.upperBound
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

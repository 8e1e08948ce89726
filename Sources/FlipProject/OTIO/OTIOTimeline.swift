import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import FlipRender

/// An edited timeline in an OpenTimelineIO file, turned into a composition.
package struct OTIOTimeline {
    package let composition: Composition
    /// Sentences about what is not rendered as the file has it.
    package let notes: [String]
    /// The files that the timeline names.
    package let files: ReferencedFiles

    /// Reads the file at `path`.
    /// - Parameters:
    ///   - copy: the path of a copy of the file, which is read in its place; nil for the file itself.
    ///   - root: the folder that all media have to lie in; nil for no restriction.
    ///   - settings: the output's settings; without a frame rate, they get the timeline's.
    /// - Throws: `missingInput` with all media that are missing, `badInput` with the location of what can't be
    ///   rendered.
    package init(
        path: String, copy: String? = nil, root: RootFolder? = nil, reading: InputSettings = InputSettings(),
        settings: OutputSettings
    ) throws(MediaError) {
        files = ReferencedFiles(of: path, root: root)
        var reader = OTIOReader(files: files)
        let document = try JSONText.read(path: path, copy: copy)
        let (tracks, start) = try OTIOTimeline.tracks(of: document)
        let lane = try reader.pictures(tracks)
        guard lane.duration > .zero else { throw document.error("the timeline has no video track with clips") }
        guard lane.duration <= OTIORange.longest * Rational(30) else {
            throw document.error("the timeline is longer than 30 days")
        }
        let sounds = try reader.sounds(tracks)
        try reader.refuseMissingMedia()
        var settings = settings
        let own = try OTIOTimeline.rate(of: tracks, start: start)
        let rate = settings.frameRate ?? own
        settings.frameRate = rate
        var layout = OTIOLayout(rate: rate)
        let clips = layout.clips(of: lane, isMuted: OTIOReader.hasSounds(tracks))
        guard !clips.specs.isEmpty else { throw document.error("the timeline is shorter than a frame") }
        var composition = Composition(
            inputs: clips.specs, reading: reading,
            transitions: clips.joins.isEmpty ? [TransitionSpec(look: nil)] : clips.joins, output: settings)
        let end = Rational(layout.frame(lane.duration)) / rate
        composition.sounds = sounds.flatMap { layout.sounds(of: $0, end: end) }
        composition.sources = [path]
        self.composition = composition
        notes = reader.notes + layout.notes
    }

    /// The stack of tracks, and the time at which the timeline begins; nil if the file doesn't give one.
    private static func tracks(of document: JSONText) throws(MediaError) -> (tracks: JSONText, start: JSONText?) {
        switch OTIOReader.schema(document) {
        case "Timeline":
            guard let tracks = document["tracks"] else { throw document.error("the Timeline has no tracks") }
            return (tracks, document["global_start_time"])
        case "Stack", "Track": return (document, nil)
        case "SerializableCollection":
            let timelines = document["children"]?.items.filter { OTIOReader.schema($0) == "Timeline" } ?? []
            guard timelines.count == 1 else {
                throw document.error("the collection has \(timelines.count) timelines, and one at a time is rendered")
            }
            return try tracks(of: timelines[0])
        case "": throw document.error("this is no OpenTimelineIO file (it has no OTIO_SCHEMA)")
        case let schema:
            let name = OTIOReader.withArticle(schema.prefix(40))
            throw document.error("\(name) can't be rendered (expected a Timeline)")
        }
    }

    /// The frames per second of the timeline's start time, else of the first picture that has a source range, else 24.
    private static func rate(of tracks: JSONText, start: JSONText?) throws(MediaError) -> Rational {
        let plausible = Rational(1)...Rational(1000)
        if let rate = try start?.otioRate(), plausible.contains(rate) { return rate }
        let first = try firstRate(in: tracks, plausible)
        return first ?? Rational(24)
    }

    private static func firstRate(
        in object: JSONText, _ plausible: ClosedRange<Rational>
    ) throws(MediaError) -> Rational? {
        for child in object["children"]?.items ?? [] {
            if OTIOReader.schema(child) == "Track", child["kind"]?.text ?? "Video" != "Video" { continue }
            if let duration = child["source_range"]?["duration"], try plausible.contains(duration.otioRate()) {
                return try duration.otioRate()
            }
            if let rate = try firstRate(in: child, plausible) { return rate }
        }
        return nil
    }
}

/// Converts lanes from seconds to output frames. Each boundary is rounded on its own, so that rounding errors don't
/// accumulate.
private struct OTIOLayout {
    let rate: Rational
    private(set) var notes: [String] = []

    init(rate: Rational) { self.rate = rate }

    func frame(_ time: Rational) -> Int { (time * rate).rounded() }

    /// An item in output frames.
    private struct Cell {
        var item: OTIOItem
        var start: Int
        var frames: Int
        /// The frames by which the transition at its beginning, and the one at its end, extend the item.
        var head = 0
        var tail = 0
        /// The transition at the item's beginning; nil for none.
        var transition: OTIOTransition?
    }

    /// The clips, extended by the frames of the transitions at both ends, and how each is joined to the next.
    mutating func clips(of lane: OTIOLane, isMuted: Bool) -> (specs: [ClipSpec], joins: [TransitionSpec]) {
        let cells = cells(of: lane)
        var specs: [ClipSpec] = []
        var joins: [TransitionSpec] = []
        for (index, cell) in cells.enumerated() {
            var spec = ClipSpec.blank(frames: cell.head + cell.frames + cell.tail)
            if let clip = cell.item.clip {
                spec = ClipSpec(path: clip.path)
                spec.title = clip.name.isEmpty ? nil : clip.name
                spec.isMuted = isMuted
                let item = ClipTiming(
                    start: clip.start, speed: clip.speed, frames: cell.frames, available: clip.available)
                spec.timing = item.showing(-cell.head..<cell.frames + cell.tail, at: rate)
            }
            specs.append(spec)
            guard index > 0 else { continue }
            let overlap = cell.head + cells[index - 1].tail
            var join = overlap > 0 ? cell.transition?.spec ?? TransitionSpec(look: nil) : TransitionSpec(look: nil)
            join.duration = .frames(max(overlap, 1))
            join.overlap = .play
            joins.append(join)
        }
        return (specs, joins)
    }

    /// The items that last a frame or more, or that a transition leads to or from.
    private mutating func cells(of lane: OTIOLane) -> [Cell] {
        var cells: [Cell] = []
        for (index, start) in lane.starts.enumerated() {
            let item = lane.items[index]
            let transition = lane.transitions[index]
            let first = frame(start)
            let frames = frame(start + item.duration) - first
            if frames == 0, transition == nil, lane.transitions[index + 1] == nil { continue }
            var cell = Cell(item: item, start: first, frames: frames)
            cell.transition = cells.isEmpty ? nil : transition
            cells.append(cell)
        }
        for index in cells.indices { fit(index, &cells) }
        return cells.filter { $0.head + $0.frames + $0.tail > 0 }
    }

    /// Sets the frames of the transition at the cell's beginning: those asked for, as far as the cells on both sides
    /// have them left.
    private mutating func fit(_ index: Int, _ cells: inout [Cell]) {
        guard index > 0, let transition = cells[index].transition else { return }
        let asked = (inOffset: frame(transition.inOffset), outOffset: frame(transition.outOffset))
        // The previous transition already takes this many frames of the previous cell.
        let taken = index > 1 ? cells[index - 2].tail : 0
        let before = min(asked.inOffset, max(cells[index - 1].frames - taken, 0))
        let after = min(asked.outOffset, cells[index].frames)
        if before < asked.inOffset || after < asked.outOffset {
            let name = transition.name.isEmpty ? "a transition" : "transition '\(transition.name)'"
            note(
                transition.location.sentence(
                    "\(name) is \(before + after) frames long instead of \(asked.inOffset + asked.outOffset), because it "
                        + "reaches beyond its clips or another transition"))
        }
        cells[index].head = before
        cells[index - 1].tail = after
    }

    private mutating func note(_ sentence: String) {
        if notes.count < 200, !notes.contains(sentence) { notes.append(sentence) }
    }

    // MARK: Audio

    /// The sounds of a lane at their times, which need not lie on frame boundaries.
    mutating func sounds(of lane: OTIOLane, end: Rational) -> [SoundSpec] {
        var sounds: [SoundSpec] = []
        for (index, start) in lane.starts.enumerated() where start < end {
            guard let clip = lane.items[index].clip else { continue }
            guard clip.speed == Rational(1) else {
                note(clip.location.sentence("the sound '\(clip.name)' is left out, since it runs at another speed"))
                continue
            }
            let (before, after) = (lane.transitions[index], lane.transitions[index + 1])
            var time = start - (before?.inOffset ?? .zero)
            var first = clip.start - (before?.inOffset ?? .zero)
            let last = clip.start + lane.items[index].duration + (after?.outOffset ?? .zero)
            var fadeIn = before.map { $0.inOffset + $0.outOffset } ?? clip.sound.fadeIn
            // Before the file's beginning there is silence.
            if first < .zero {
                time = time - first
                fadeIn = max(fadeIn + first, .zero)
                first = .zero
            }
            guard first < last else { continue }
            var spec = SoundSpec(path: clip.path, part: ClipPart(start: first, end: last), start: .time(time))
            spec.fadeIn = fadeIn
            spec.fadeOut = after.map { $0.inOffset + $0.outOffset } ?? clip.sound.fadeOut
            spec.gain = clip.sound.gain
            sounds.append(spec)
        }
        return sounds
    }
}

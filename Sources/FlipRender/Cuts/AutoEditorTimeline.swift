import FlipBase
import FlipFiles
import Foundation

/// A timeline of auto-editor, of version 1, 2 or 3.
struct AutoEditorTimeline {
    private let document: JSONText
    private let writer: CutWriter
    /// A part of a film in frames of the time base.
    private struct Part {
        var frames: Range<Int>
        var line: Int
    }

    static func read(_ data: Data, into writer: CutWriter) throws(MediaError) {
        let document = try JSONText.parse(data, path: writer.file.path, allowsJSON5: true)
        let timeline = AutoEditorTimeline(document: document, writer: writer)
        switch document["version"]?.text ?? document["version"]?.listCount.map({ "\($0)" }) {
        case "1": try timeline.readChunks()
        case "2": try timeline.readClips()
        case "3": try timeline.readLayer()
        case let version?:
            throw document.error("timelines of version \(version.prefix(20)) are not known (expected 1, 2 or 3)")
        case nil: throw document.error("this is not a timeline of auto-editor (it has no version)")
        }
    }

    // MARK: Versions 1 and 2

    /// The speeds at which a chunk is cut out.
    private static let cutSpeeds: [Double] = [0, 99999]

    private func readChunks() throws(MediaError) {
        var parts: [Part] = []
        for chunk in try list("chunks", of: document) {
            guard chunk.items.count == 3, let frames = range(chunk.items), let speed = chunk.items[2].number else {
                throw chunk.error(
                    "a chunk has to be [start, end, speed], in whole frames, with the end after the start")
            }
            if Self.cutSpeeds.contains(speed) { continue }
            guard speed == 1 else {
                throw chunk.items[2].error(
                    "the speed \(chunk.items[2].text ?? "\(speed)") is not supported (only 1, and 0 or 99999 for cuts)")
            }
            parts.append(Part(frames: frames, line: chunk.location.line))
        }
        try add(parts, timeBase: timeBase("timebase"))
    }

    private func readClips() throws(MediaError) {
        var effects: [[String]] = []
        for group in try list("effects", of: document) { effects.append(group.items.map { $0.text ?? "?" }) }
        var parts: [Part] = []
        for clip in try list("clips", of: document) {
            guard clip.items.count == 3, let frames = range(clip.items), let effect = clip.items[2].listCount,
                effects.indices.contains(effect)
            else { throw clip.error("a clip has to be [start, end, effect], with the number of a group of effects") }
            if try isShown(effects[effect], clip) { parts.append(Part(frames: frames, line: clip.location.line)) }
        }
        guard let timeBase = try timeBase("tb") else { throw document.error("the timeline has no 'tb'") }
        try add(parts, timeBase: timeBase)
    }

    /// Adds parts of the only film. Parts between which nothing was cut out are one.
    /// - Parameter timeBase: frames per second; nil for the film's own.
    private func add(_ parts: [Part], timeBase: Rational?) throws(MediaError) {
        let film = try writer.film(document["source"]?.text, line: document.location.line)
        var joined: [Part] = []
        for part in parts {
            if let last = joined.last, last.frames.upperBound == part.frames.lowerBound {
                joined[joined.count - 1].frames = last.frames.lowerBound..<part.frames.upperBound
            } else {
                joined.append(part)
            }
        }
        for part in joined {
            let (start, end) = (part.frames.lowerBound, part.frames.upperBound)
            if let timeBase {
                try writer.add(film, from: Rational(start) / timeBase, to: Rational(end) / timeBase, line: part.line)
            } else {
                var clip = film
                clip.listedFrames = part.frames
                try writer.add(clip, line: part.line)
            }
        }
    }

    // MARK: Version 3

    private func readLayer() throws(MediaError) {
        guard let timeBase = try timeBase("timebase") else { throw document.error("the timeline has no 'timebase'") }
        let layers = try list("v", of: document)
        guard let base = layers.first else { throw document.error("the timeline has no layer of video") }
        for layer in layers.dropFirst() where !layer.items.isEmpty {
            throw layer.error("only one layer of video is supported (this is another)")
        }
        let joins = try transitions()
        var now = 0
        for clip in base.items {
            guard let start = clip["start"]?.listCount, let length = clip["dur"]?.listCount, length > 0,
                let offset = clip["offset"]?.listCount
            else { throw clip.error("a clip needs a start, a dur above 0 and an offset, in whole frames") }
            guard try isShown(clip["effects"]?.items.map { $0.text ?? "?" } ?? [], clip) else { continue }
            guard clip["stream"]?.listCount ?? 0 == 0 else {
                throw clip.error("only the first stream of video of a film is supported ('stream' is not 0)")
            }
            guard start >= now else { throw clip.error("the clip begins before the one before it ends") }
            let line = clip.location.line
            if start > now {
                let seconds = Rational(start - now) / timeBase
                guard seconds <= CutWriter.longest else { throw clip.error("the clip begins after more than 30 days") }
                try writer.add(.blank(seconds: seconds), line: line)
            }
            let film = try writer.film(clip["src"]?.text, line: line)
            try writer.add(
                film, from: Rational(offset) / timeBase, to: Rational(offset + length) / timeBase,
                join: joins[start].map { CutJoin(duration: .seconds(Rational($0.frames) / timeBase), place: $0.place) },
                line: line)
            now = start + length
        }
    }

    /// The transitions of the base layer, by the frame of the timeline at which the cut lies.
    private func transitions() throws(MediaError) -> [Int: (frames: Int, place: HandleRoom.Place)] {
        var found: [Int: (frames: Int, place: HandleRoom.Place)] = [:]
        let places = ["start": HandleRoom.Place.beginning, "center": .middle, "end": .end]
        for transition in document["transitions"]?["v"]?.items.first?.items ?? [] {
            guard let cut = transition["at"]?.listCount, let frames = transition["dur"]?.listCount,
                (1...10_000_000).contains(frames), let place = places[transition["alignment"]?.text ?? "center"]
            else { throw transition.error("a transition needs the frame of its cut, a dur and an alignment") }
            found[cut] = (frames, place)
        }
        return found
    }

    // MARK: Values

    private func list(_ key: String, of object: JSONText) throws(MediaError) -> [JSONText] {
        guard case .list(let items)? = object[key]?.content else {
            throw object.error("the timeline has no list '\(key)'")
        }
        return items
    }

    private func range(_ items: [JSONText]) -> Range<Int>? {
        guard let start = items[0].listCount, let end = items[1].listCount, start < end else { return nil }
        return start..<end
    }

    /// Whether a clip with these effects is shown; throws if it is changed by one.
    private func isShown(_ effects: [String], _ clip: JSONText) throws(MediaError) -> Bool {
        if effects == ["cut"] { return false }
        if let effect = effects.first { throw clip.error("the effect '\(effect.prefix(40))' is not supported") }
        return true
    }

    /// The frames per second of the timeline; nil if it doesn't say.
    private func timeBase(_ key: String) throws(MediaError) -> Rational? {
        guard let value = document[key] else { return nil }
        guard let rate = value.text.flatMap({ Rational(parsing: $0) }) ?? value.listNumber,
            (Rational(1)...Rational(1000)).contains(rate)
        else { throw value.error("'\(key)' has to be the frames per second, such as \"30000/1001\"") }
        return rate
    }
}

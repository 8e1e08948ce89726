import FlipBase
import FlipMedia

/// What parts of an output are made from, as text: two parts with the same text have the same bytes. Plans for a cluster
/// name parts by it, so that only those that a change concerns are rendered again.
package struct PartContent {
    private let plan: RenderPlan
    /// A text that changes when the file at a path does.
    private let identity: (String) -> String
    /// A text that changes when the picture of a page does.
    private let page: (DocumentPage) -> String

    /// - Parameters:
    ///   - page: returns a text that changes when the picture of a page does; nil for the identity of its name.
    ///   - identity: returns a text that changes when the file at a path does.
    package init(
        _ plan: RenderPlan, page: ((DocumentPage) -> String)? = nil, identity: @escaping (String) -> String
    ) {
        (self.plan, self.identity, self.page) = (plan, identity, page ?? { identity($0.name) })
    }

    /// Why the plan's parts can't be rendered on their own, as a clause; nil if they can.
    package static func refusal(_ plan: RenderPlan) -> String? {
        if plan.copying != nil || plan.audioCopying != nil { return "--render auto and smart copy packets" }
        if plan.unfinished != nil { return "an input is a pipe" }
        if let made = plan.clips.lazy.compactMap({ $0.info?.made }).first { return "\(made.maker) renders parts of it" }
        if plan.passes != .one { return "it is encoded more than once, for its size or its palette" }
        return nil
    }

    /// The paths of the files that segment `number` is made from.
    package func files(ofSegment number: Int) -> [String] {
        let range = plan.renderSegments[number]
        let clips = plan.timeline.sources(of: range).map { plan.clips[$0.clip].input.path }
        return clips + transitions(in: range).compactMap { plan.transitions[$0].gesture?.path }
            + overlays(in: range).compactMap(\.spec.path)
    }

    /// The paths of the files that the audio is made from.
    package var audioFiles: [String] { plan.sounds.map(\.info.path) + plan.transitions.compactMap { $0.sound?.path } }

    private func overlays(in range: Range<Int>) -> [PlacedOverlay] {
        plan.overlays.filter { $0.frames.overlaps(range) }
    }

    private func transitions(in range: Range<Int>) -> [Int] {
        plan.timeline.placedSegments.compactMap { segment, place in
            guard case .transition(let join, _) = segment, place.overlaps(range) else { return nil }
            return join
        }
    }

    /// What segment `number` is made from. Its place in the output is not part of it, except where the film fades.
    package func segment(_ number: Int) -> String {
        let range = plan.renderSegments[number]
        let stored = plan.storedFrames(ofSegment: number)
        // What is shown to the end is shown for the further frames that are stored, too.
        let length = { (part: Range<Int>) in
            part.count + (part.upperBound == range.upperBound ? stored - range.count : 0)
        }
        var lines = [
            plan.video.recipe(in: plan.container), ValueText.of(plan.video), ValueText.of(plan.frames),
            "holds \(plan.hasHolds) strict \(plan.isStrict)", ValueText.of(plan.background),
            ValueText.of(plan.givenBackground), "\(stored) frames",
        ]
        let sources = plan.timeline.sources(of: range)
        let first = sources.map(\.clip).min() ?? 0
        for (segment, place) in plan.timeline.placedSegments where place.overlaps(range) {
            let part = place.clamped(to: range)
            lines.append("\(length(part)) frames from \(part.lowerBound - place.lowerBound)")
            switch segment {
            // Clips are numbered from the segment's first one, so that other clips before it don't matter.
            case .clip(let index, let frames):
                lines.append("\(plan.clips[index].isUnmoved ? "" : "frames \(frames) of ")clip \(index - first)")
            case .copy: preconditionFailure("nothing is copied into segments")
            case .transition(let join, let count):
                let spec = plan.transitions[join]
                lines.append(
                    "transition of \(count) frames after clip \(join - first), \(plan.timeline.joins[join].overlap), "
                        + ValueText.of(spec.look) + ValueText.of(spec.gesture)
                        + (spec.gesture.map { identity($0.path) } ?? ""))
            }
        }
        for source in sources {
            let clip = plan.clips[source.clip]
            // How long a picture is shown before and after the segment makes no difference.
            let part =
                clip.isUnmoved
                ? "" : "\(ValueText.of(clip.use)) of \(plan.timeline.clips[source.clip].frames) frames "
            lines.append(
                "clip \(source.clip - first) \(clip.input.page.map(page) ?? identity(clip.input.path)) "
                    + "\(part)\(ValueText.of(clip.conform))"
                    + (clip.motion.map { " moving \(ValueText.of($0))" } ?? "")
                    + clip.films.map { " playing \($0.media.name) \(ValueText.of($0))" }.joined())
        }
        if !plan.fades.isEmpty, range.clamped(to: plan.fades.steady) != range {
            lines.append("from frame \(range.lowerBound), \(ValueText.of(plan.fades))")
        }
        for overlay in overlays(in: range) {
            let shown = overlay.frames.clamped(to: range)
            var first = 0
            if case .film = overlay.content { first = shown.lowerBound - overlay.frames.lowerBound }
            lines.append(
                "\(length(shown)) frames from \(shown.lowerBound - range.lowerBound) under frame \(first) of "
                    + "\(ValueText.of(overlay.spec)) \(ValueText.of(overlay.box))"
                    + (overlay.spec.path.map { " " + identity($0) } ?? ""))
            if case .text(let art) = overlay.content { lines += sources.map { art.texts[art.textOfClip[$0.clip]] } }
        }
        if let burned = plan.burned {
            lines.append("from frame \(range.lowerBound), \(burned.style.text), " + ValueText.of(burned.tracks))
            lines += burned.tracks.flatMap(\.sources).map { identity($0.path) }
        }
        return lines.joined(separator: "\n")
    }

    /// What the audio is made from; nil if there is none.
    package var audio: String? { plan.audioTracks.first.map { audio(of: $0) } }

    private func audio(of track: AudioTrack) -> String {
        let audio = track.encoding
        let samples = plan.sample(atFrame: plan.timeline.frames, of: audio)
        var lines = [
            audio.recipe(in: plan.container), ValueText.of(audio), "\(samples) samples",
            ValueText.of(plan.audioCurve), ValueText.of(plan.fades), ValueText.of(plan.timeline),
            ValueText.of(plan.video.frameRate), "strict \(plan.isStrict)", "loudness " + ValueText.of(plan.loudness),
        ]
        for sound in track.sounds {
            lines.append(
                "\(sound.isStored ? sound.path : identity(sound.info.path)) \(ValueText.of(sound.info.audio)) \(sound.origin) \(ValueText.of(sound.span)) "
                    + "\(ValueText.of(sound.fadeIn)) \(ValueText.of(sound.fadeOut)) \(sound.gain) \(sound.role) "
                    + (sound.loudness.map { "at \($0) LUFS " } ?? "")
                    + "\(ValueText.of(sound.clip)) \(ValueText.of(sound.available)) \(ValueText.of(sound.join)) "
                    + "\(ValueText.of(sound.landing))")
        }
        for transition in plan.transitions {
            lines.append(ValueText.of(transition.sound))
            if let path = transition.sound?.path { lines.append(identity(path)) }
        }
        return lines.joined(separator: "\n")
    }

    /// What else the whole output is made from.
    package var rest: String {
        // All audio tracks but the main one are made when the parts are joined.
        plan.audioTracks.dropFirst().map { audio(of: $0) }.joined()
            + plan.audioTracks.map { ValueText.of($0.tags) }.joined()
            + ValueText.of(plan.subtitles) + ValueText.of(plan.metadata)
            + plan.subtitles.flatMap(\.sources).map { identity($0.path) }.joined()
            + ValueText.of(plan.chapters)
            + ValueText.of(plan.holds) + ValueText.of(plan.container.name)
            + ValueText.of(plan.renderSegments)
    }
}

/// Values as text, whatever their type, with all of their stored properties. Dictionaries and sets are sorted, so that
/// equal values have equal texts in all processes. Of objects only the type is written.
enum ValueText {
    static func of<Value>(_ value: Value) -> String {
        let mirror = Mirror(reflecting: value)
        let children = mirror.children.map { child in (child.label.map { $0 + ": " } ?? "") + of(child.value) }
        switch mirror.displayStyle {
        case .class: return "\(type(of: value))"
        case .dictionary, .set: return "[" + children.sorted().joined(separator: ", ") + "]"
        case .optional: return children.first ?? "nil"
        case nil: return "\(value)"
        case .enum where children.isEmpty: return "\(value)"
        default: return "\(type(of: value))(" + children.joined(separator: ", ") + ")"
        }
    }
}

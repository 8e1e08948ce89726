import FlipBase
import FlipClip
import FlipFiles
import FlipGeometry
import FlipRender

/// An entry of a project's clips: a clip, or the parts that a cut list names, and the transition after each of them; nil
/// for the project's own.
struct ProjectClip {
    var clips: [ClipSpec]
    var transition: TransitionSpec?

    /// - Parameter sound: the sound of a transition that says nothing of it.
    init(_ value: YAMLValue, _ files: ReferencedFiles, _ sound: TransitionSound?) throws(MediaError) {
        if case .scalar = value.content {
            clips = [ClipSpec(path: try Self.film(value, files))]
            return
        }
        let map = try value.map(Project.clipKeys)
        if let value = map["transition"] { transition = try Project.transition(value, files, sound) }
        if let cuts = map["cuts"] {
            clips = try Self.parts(cuts, map, files)
            return
        }
        let file = try map.required("file")
        let part = try Project.part(map)
        var held: Rational?
        if let hold = map["hold"] {
            guard part == .all else { throw map.location(of: "hold").error("hold can't be combined with start or end") }
            let seconds = try hold.seconds()
            guard seconds > .zero, seconds <= Rational(86400) else {
                throw hold.error("a still is held for more than 0 s, and a day at most")
            }
            held = seconds
        }
        var clip = ClipSpec(path: try Self.film(file, files), part: part)
        clip.stillDuration = held
        clip.title = try map["title"]?.text()
        if let zoom = map["zoom"] { clip.motion = try zoom.reading(StillMotion.init(parsing:)) }
        if let captions = map["captions"] {
            clip.captions = try files.path(of: captions.text(), at: captions.location)
        }
        clips = [try Self.setSound(of: clip, map)]
    }

    /// The path of the film or picture that `value` names.
    private static func film(_ value: YAMLValue, _ files: ReferencedFiles) throws(MediaError) -> String {
        let path = try files.path(of: value.text(), at: value.location)
        guard !CutList.isList(path) else {
            throw value.error("'\(path)' is a cut list (give it as cuts: \(try value.text()))")
        }
        return path
    }

    /// The keys of a clip that can't be combined with `cuts`, which says what is shown of the film.
    private static let excluded = ["start", "end", "hold", "title", "captions", "zoom"]

    /// The parts that the cut list `cuts` names, of `file` if that is given.
    private static func parts(
        _ cuts: YAMLValue, _ map: YAMLMap, _ files: ReferencedFiles
    ) throws(MediaError) -> [ClipSpec] {
        if let key = excluded.first(where: { map[$0] != nil }) {
            throw map.location(of: key).error("'\(key)' can't be combined with cuts")
        }
        let list = try files.path(of: cuts.text(), at: cuts.location)
        var base: ClipSpec?
        if let file = map["file"] {
            base = ClipSpec(path: try film(file, files))
        }
        let parts: [ClipSpec]
        do {
            parts = try CutList.clips(in: list, of: base)
        } catch {
            throw cuts.location.error("\(error)", kind: (error as? MediaError)?.kind ?? .badInput)
        }
        var clips: [ClipSpec] = []
        for part in parts {
            if case .file = part.kind { try files.admit(part.path, at: cuts.location) }
            clips.append(try setSound(of: part, map))
        }
        return clips
    }

    /// The clip as loud as the project has it.
    private static func setSound(of clip: ClipSpec, _ map: YAMLMap) throws(MediaError) -> ClipSpec {
        var clip = clip
        if try map["mute"]?.flag() ?? false { clip.isMuted = true }
        if let loudness = map["loudness"] {
            clip.loudness = try loudness.reading { text throws(OptionError) in try OutputValue.loudness(text) }
        }
        guard let volume = map["volume"] else { return clip }
        let plain = clip
        return try volume.reading { text throws(OptionError) in
            var louder = plain
            try louder.setVolume(text)
            return louder
        }
    }
}

import FlipBase
import FlipMedia
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipRender

/// An entry of a project's clips: a clip, the parts that a cut list names, or slides of a document.
struct ProjectClip {
    var input: DeckInput
    /// Whether only a deck can show it as asked, because it has slides, a time that doesn't depend on transitions, or
    /// narration.
    let isSlide: Bool

    /// - Parameter sound: the sound of a transition that says nothing of it.
    init(_ value: YAMLValue, _ files: ReferencedFiles, _ sound: TransitionSound?) throws(MediaError) {
        if case .scalar = value.content {
            (input, isSlide) = try Self.entry(value, YAMLMap(location: value.location, entries: []), files)
            return
        }
        let map = try value.map(Project.clipKeys)
        if let cuts = map["cuts"] {
            (input, isSlide) = (DeckInput(.clips(try Self.parts(cuts, map, files))), false)
        } else {
            (input, isSlide) = try Self.entry(map.required("file"), map, files)
        }
        if let value = map["transition"] { input.transition = try Project.transition(value, files, sound) }
    }

    /// The clips of an entry without slides.
    var clips: [ClipSpec] {
        guard case .clips(let clips) = input.source else { return [] }
        return clips
    }

    /// The entry that shows the file or folder that `value` names, with the other keys of its map.
    private static func entry(
        _ value: YAMLValue, _ map: YAMLMap, _ files: ReferencedFiles
    ) throws(MediaError) -> (DeckInput, isSlide: Bool) {
        let path = try film(value, files)
        let isDocument = Deck.isDeck(path)
        for key in isDocument ? filmKeys : ["pages"] where map[key] != nil {
            throw map.location(of: key).error(
                isDocument
                    ? "'\(key)' is for films and pictures, and '\(path)' has slides"
                    : "'\(key)' is for documents, and '\(path)' is none")
        }
        var input: DeckInput
        if isDocument {
            let isFolder = Deck.isFolder(path)
            if isFolder, let key = ["pages", "captions", "zoom"].first(where: { map[$0] != nil }) {
                throw map.location(of: key).error("'\(key)' can't be combined with a folder")
            }
            let pages = try map["pages"].map { value throws(MediaError) in try Self.pages(value) }
            input = DeckInput(isFolder ? .word(path) : .document(path: path, pages: pages))
            input.root = files.root
            input.location = map["pages"]?.location ?? value.location
            input.title = try map["title"]?.text()
            if let zoom = map["zoom"] { input.motion = try zoom.reading(StillMotion.init(parsing:)) }
            if let captions = map["captions"] {
                input.captions = try files.path(of: captions.text(), at: captions.location)
            }
        } else {
            input = DeckInput(.clips([try clip(path, map, files)]))
        }
        if let hold = map["hold"] {
            for key in ["start", "end"] where map[key] != nil {
                throw map.location(of: "hold").error("hold can't be combined with start or end")
            }
            input.hold = try hold.reading(TransitionDuration.init(parsingHold:))
        }
        if let narration = map["narration"] {
            input.narration = try files.path(of: narration.text(), at: narration.location)
        }
        return (input, isDocument || input.hold != nil || input.narration != nil)
    }

    /// The keys that apply to a film or a picture only.
    private static let filmKeys = ["start", "end", "mute", "volume", "loudness"]

    /// The slides of a document, as `3`, `2-5` or `4-`.
    private static func pages(_ value: YAMLValue) throws(MediaError) -> String {
        let text = try value.text()
        let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        let numbers = ends.enumerated().filter { $0.offset == 0 || !$0.element.isEmpty }.map { Int($0.element) ?? 0 }
        guard numbers.allSatisfy({ (1...1_000_000).contains($0) }), numbers == numbers.sorted() else {
            throw value.error("invalid pages '\(text.prefix(40))' (expected 3, 2-5 or 4-)")
        }
        return text
    }

    private static func clip(_ path: String, _ map: YAMLMap, _ files: ReferencedFiles) throws(MediaError) -> ClipSpec {
        var clip = ClipSpec(path: path, part: try Project.part(map))
        clip.title = try map["title"]?.text()
        if let zoom = map["zoom"] { clip.motion = try zoom.reading(StillMotion.init(parsing:)) }
        if let captions = map["captions"] { clip.captions = try files.path(of: captions.text(), at: captions.location) }
        return try setSound(of: clip, map)
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
    private static let excluded = ["start", "end", "hold", "title", "captions", "zoom", "pages", "narration"]

    /// The parts that the cut list `cuts` names, of `file` if that is given.
    private static func parts(
        _ cuts: YAMLValue, _ map: YAMLMap, _ files: ReferencedFiles
    ) throws(MediaError) -> [ClipSpec] {
        if let key = excluded.first(where: { map[$0] != nil }) {
            throw map.location(of: key).error("'\(key)' can't be combined with cuts")
        }
        let list = try files.path(of: cuts.text(), at: cuts.location)
        var base: ClipSpec?
        if let file = map["file"] { base = ClipSpec(path: try film(file, files)) }
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

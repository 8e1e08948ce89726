import FlipBase
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipProject
import FlipRender

/// What the inputs of a command line are, and the options for them.
struct Source {
    enum Kind {
        /// Clips and pictures, or lists of them.
        case clips
        /// At least one document or folder, or clips that are to be shown as slides.
        case slides
        /// A project, which says everything itself.
        case project
        /// An edited timeline, which says everything but the output's settings.
        case timeline
    }

    let kind: Kind
    /// The inputs as they are typed; a project or timeline is alone.
    let words: [String]
    private let reading: InputOptions
    private let look: LookOptions
    private let timing: TimingOptions
    private let deck: DeckOptions?
    private let binding: BookOptions?
    private let output: (OutputSettings?) throws -> OutputSettings
    private let copy: String?
    private let isStrict: Bool

    /// - Parameters:
    ///   - kind: what clips are to be taken for; nil for what they are. Documents and projects stay what they are.
    ///   - deck: the options for slides; nil if the command has none.
    ///   - binding: the option for books of a command without those; nil if it has none.
    ///   - output: makes the settings from the options, over those of a project; called with nil if there are none.
    ///   - copy: the path of a copy of the project or timeline, which is read in its place; nil for the file itself.
    /// - Throws: `usage` if the inputs can't be shown together, or an option means nothing for them.
    init(
        _ words: [String], as kind: Kind? = nil, reading: InputOptions, look: LookOptions, timing: TimingOptions,
        deck: DeckOptions? = nil, binding: BookOptions? = nil,
        output: @escaping (OutputSettings?) throws -> OutputSettings, copy: String? = nil,
        isStrict: Bool = false
    ) throws {
        self.kind = try Self.kind(of: words) ?? kind ?? .clips
        self.words = words
        (self.reading, self.look, self.timing) = (reading, look, timing)
        (self.deck, self.binding) = (deck, binding)
        (self.output, self.copy, self.isStrict) = (output, copy, isStrict)
        if describesItself, let option = timing.firstGiven ?? look.firstGiven {
            throw OptionError("\(option) can't be combined with a project or timeline, which sets it itself")
        }
    }

    /// The kind of what isn't clips alone; nil for clips.
    private static func kind(of words: [String]) throws(MediaError) -> Kind? {
        if let index = words.firstIndex(where: isDescription) {
            guard words.count == 1 else {
                throw MediaError(
                    .usage,
                    "'\(words[index])' describes a whole video, so it can't be joined with '\(words[index == 0 ? 1 : 0])' (make a "
                        + "video of each, and join these)")
            }
            return isProject(words[0]) ? .project : .timeline
        }
        return words.contains(where: Deck.isDeck) ? .slides : nil
    }

    /// Whether a single file says which clips are shown and how they are joined.
    var describesItself: Bool { kind == .project || kind == .timeline }

    /// Whether `path` has the extension of a project or a timeline.
    private static func isDescription(_ path: String) -> Bool {
        isProject(path) || path.lowercased().hasSuffix(".otio") || MLTProject.isProject(path)
    }

    private static func isProject(_ path: String) -> Bool {
        [".yaml", ".yml"].contains { path.lowercased().hasSuffix($0) }
    }

    // MARK: What they become

    func made() throws -> Made {
        var made = try unchecked()
        let given = deck?.firstGiven ?? binding?.firstGiven
        if made.slides == nil, let option = given {
            throw OptionError("\(option) is for slides, and \(words.joined(separator: ", ")) has none")
        }
        made.composition.isStrict = isStrict
        return made
    }

    private func unchecked() throws -> Made {
        switch kind {
        case .clips: return Made(composition: try clips())
        case .slides: return try slides()
        case .project:
            let project = try Project(path: words[0], copy: copy, root: try root())
            switch project.content {
            case .clips(let composition): return Made(composition: try finished(composition, project.files))
            case .slides(let slides): return try self.slides(of: slides, project.files)
            }
        case .timeline:
            if MLTProject.isProject(words[0]) { return Made(composition: try edited()) }
            let timeline = try OTIOTimeline(
                path: words[0], copy: copy, root: try root(), reading: try reading.settings(), settings: try output(nil)
            )
            var composition = timeline.composition
            try timeline.files.check(output: composition.output.path)
            composition.notes = timeline.notes
            return Made(composition: composition)
        }
    }

    /// The composition of a project of an editor that builds on MLT.
    private func edited() throws -> Composition {
        let project = try MLTProject(
            path: words[0], copy: copy, root: try root(), reading: try reading.settings(), settings: try output(nil))
        try project.files.check(output: project.composition.output.path)
        return project.composition
    }

    private func root() throws -> RootFolder? { try reading.opening.root.map { path in try RootFolder(path) } }

    private func clips() throws -> Composition {
        var composition = Composition(
            inputs: try InputList.expand(words, root: reading.opening.root), reading: try reading.settings(),
            transitions: try timing.transitions(look), output: try output(nil))
        composition.cutBelow = try timing.leastTime()
        composition.sources = InputList.files(behind: words)
        if composition.inputs.count == 1, let option = timing.firstGiven ?? look.firstGiven {
            composition.notes.append("\(option) has no effect, since one clip alone has no transition")
        }
        return composition
    }

    private func finished(_ project: Composition, _ files: ReferencedFiles) throws -> Composition {
        var composition = project
        composition.reading = try reading.settings(over: composition.reading)
        composition.output = try output(composition.output)
        try files.check(output: composition.output.path)
        return composition
    }

    private func slides() throws -> Made {
        if reading.stillDuration != nil { throw OptionError("--still-duration is for clips (give --hold for slides)") }
        var spec = DeckSpec(inputs: words, transitions: try timing.transitions(look), output: try output(nil))
        spec.root = reading.opening.root
        spec.reading = try reading.settings()
        spec.cutBelow = try timing.leastTime()
        spec.isStrict = isStrict
        spec.output.marksClips = spec.output.marksClips || (Container.forPath(spec.output.path)?.holdsChapters ?? true)
        spec.sources = InputList.files(behind: words) + (deck?.notes.files(beside: words) ?? [])
        return try made(&spec)
    }

    private func slides(of slides: ProjectDeck, _ files: ReferencedFiles) throws -> Made {
        var spec = slides.spec
        spec.root = try root()?.path
        spec.reading = try reading.settings(over: spec.reading)
        spec.output = try output(spec.output)
        spec.isStrict = isStrict
        try files.check(output: spec.output.path)
        if let deck, deck.notes.speak == nil { try slides.checkSpeech(spec) }
        return try made(&spec)
    }

    private func made(_ spec: inout DeckSpec) throws -> Made {
        try binding?.apply(to: &spec)
        let deck = try deck?.deck(&spec) ?? Deck(spec)
        return Made(composition: deck.composition, slides: (deck, spec))
    }

    /// Throws if the value of an option is invalid. Documents are neither converted nor read.
    func check() throws {
        switch kind {
        case .clips, .timeline: _ = try made()
        case .slides:
            var spec = DeckSpec(inputs: words, transitions: try timing.transitions(look), output: try output(nil))
            _ = try reading.settings()
            try deck?.apply(to: &spec)
        case .project:
            guard let slides = try projectSlides() else { return _ = try made() }
            var spec = slides.spec
            _ = try reading.settings(over: spec.reading)
            spec.output = try output(spec.output)
            try deck?.apply(to: &spec)
            try slides.checkSpeech(spec)
        }
    }

    /// The files that a project or timeline names.
    func files() throws -> [String] { try projectSlides()?.spec.sources ?? made().composition.files }

    /// The slides of a project, which have not been read yet; nil for anything else.
    private func projectSlides() throws -> ProjectDeck? {
        guard kind == .project,
            case .slides(let slides) = try Project(path: words[0], copy: copy, root: try root()).content
        else { return nil }
        return slides
    }
}

/// What inputs become.
struct Made {
    var composition: Composition
    /// The deck that the composition was made from, and what was asked of it; nil for clips.
    var slides: (deck: Deck, spec: DeckSpec)?
}

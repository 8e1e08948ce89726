import FlipBase
import FlipMedia
import FlipFiles
import FlipGeometry
import FlipRender

/// A project file: clips and slides, how they are joined, sounds and the output, as described in docs/PROJECTS.md.
package struct Project {
    package enum Content: Sendable {
        case clips(Composition)
        /// There are slides, times that don't depend on transitions, or narration.
        case slides(ProjectDeck)
    }

    package let content: Content
    /// The files that the project names.
    package let files: ReferencedFiles

    package static let keys =
        [
            "output", "transition", "sound", "sound-gain", "still-duration", "audio-track", "audio-tracks",
            "subtitle-tracks", "deinterlace", "captions", "cut-below", "clips", "sounds", "overlays",
        ] + ProjectDeck.keys
    package static let clipKeys = [
        "file", "cuts", "start", "end", "pages", "hold", "title", "narration", "mute", "volume", "loudness", "captions",
        "zoom", "transition",
    ]
    package static let soundKeys = ["file", "start", "end", "at", "clip", "gain", "fade-in", "fade-out"]

    /// The maximum number of clips, and of sounds, in a project.
    static let limit = InputList.maximumCount

    /// Reads the file at `path`. The output's path is left empty.
    /// - Parameters:
    ///   - copy: the path of a copy of the file, which is read in its place; nil for the file itself.
    ///   - root: the folder that all files have to lie in; nil for no restriction.
    /// - Throws: `missingInput` for a missing file, `badInput` with file, line and column if the project is invalid.
    package init(path: String, copy: String? = nil, root: RootFolder? = nil) throws(MediaError) {
        files = ReferencedFiles(of: path, root: root)
        let map = try YAMLDocument.read(path: path, copy: copy).map(Project.keys)
        let reading = try Project.reading(map)
        let clips = try Project.items(map.required("clips"), "clips")
        guard !clips.isEmpty else { throw map.location(of: "clips").error("there are no clips") }
        let sound = try Project.transitionSound(map, files)
        var common = try Project.standard()
        common.sound = sound
        if let value = map["transition"] { common = try Project.transition(value, files, sound) }
        let entries = try Project.entries(clips, files, sound)
        var output = try ProjectOutput.settings(map["output"])
        if case .file(let path)? = output.like, let value = map["output"] {
            output.like = .file(try files.path(of: path, at: value.location))
        }
        if let value = map["captions"] { output.captions = try Project.captions(value, files) }
        if let value = map["overlays"] { output.overlays = try Project.overlays(value, files) }
        let sounds = try map["sounds"].map { value throws(MediaError) in try Project.items(value, "sounds") } ?? []
        let slides = try ProjectDeck.settings(map, files)
        let cutBelow = try map["cut-below"]?.reading { text throws(OptionError) in
            try TransitionDuration.orNone(parsing: text, of: "cut-below")
        }
        // Where each entry starts: slides are counted by entries, clips by themselves.
        let isDeck = slides != nil || entries.contains(where: \.isSlide)
        var starts = Array(entries.indices)
        if !isDeck {
            var count = 0
            for (index, entry) in entries.enumerated() { (starts[index], count) = (count, count + entry.clips.count) }
        }
        let (named, offsets) = (files, starts)
        let placed = try sounds.map { value throws(MediaError) in try Project.sound(value, named, starts: offsets) }
        guard isDeck else {
            var transitions = entries.flatMap { entry in entry.clips.map { _ in entry.input.transition ?? common } }
            if transitions.count > 1 { transitions.removeLast() }
            var composition = Composition(
                inputs: entries.flatMap(\.clips), reading: reading, transitions: transitions, output: output)
            composition.sounds = placed
            composition.cutBelow = cutBelow ?? nil
            composition.sources = [path]
            content = .clips(composition)
            return
        }
        var deck = slides ?? ProjectDeck()
        deck.spec.inputs = entries.map(\.input)
        deck.spec.reading = reading
        deck.spec.transitions = [common]
        deck.spec.output = output
        deck.spec.sounds = placed
        deck.spec.cutBelow = cutBelow ?? nil
        deck.spec.sources = files.locations.keys.sorted() + [path]
        content = .slides(deck)
    }

    /// How inputs are read.
    private static func reading(_ map: YAMLMap) throws(MediaError) -> InputSettings {
        var reading = InputSettings()
        if let value = map["still-duration"] {
            reading.stillDuration = try value.reading { text throws(OptionError) in
                try TransitionDuration(parsing: text, of: "still-duration")
            }
        }
        if let value = map["audio-track"] { reading.audioTracks = .numbers([try value.whole(in: 1...999)]) }
        if let value = map["audio-tracks"] {
            if map["audio-track"] != nil { throw value.error("'audio-track' and 'audio-tracks' exclude each other") }
            reading.audioTracks = try value.reading { text throws(OptionError) in
                try OutputValue.tracks("audio-tracks", text)
            }
        }
        if let value = map["subtitle-tracks"] {
            reading.subtitleTracks = try value.reading { text throws(OptionError) in
                try OutputValue.tracks("subtitle-tracks", text, allowsNone: true)
            }
        }
        if let value = map["deinterlace"] { reading.deinterlaces = try value.reading(OutputValue.deinterlaces) }
        return reading
    }

    /// The files with captions for the whole output: a path, or a list of them.
    private static func captions(_ value: YAMLValue, _ files: ReferencedFiles) throws(MediaError) -> [String] {
        var values = [value]
        if case .list(let items) = value.content { values = items }
        return try values.map { value throws(MediaError) in try files.path(of: value.text(), at: value.location) }
    }

    private static func entries(
        _ values: [YAMLValue], _ files: ReferencedFiles, _ sound: TransitionSound?
    ) throws(MediaError) -> [ProjectClip] {
        var entries: [ProjectClip] = []
        var count = 0
        for (index, value) in values.enumerated() {
            let entry = try ProjectClip(value, files, sound)
            count += entry.clips.count
            guard count <= limit else { throw value.error("there are more than \(limit) clips") }
            if entry.input.transition != nil, index == values.count - 1, entry.clips.count == 1 {
                throw value.error("the last clip has no clip to make a transition to")
            }
            entries.append(entry)
        }
        return entries
    }

    private static func items(_ value: YAMLValue, _ name: String) throws(MediaError) -> [YAMLValue] {
        let items = try value.list()
        guard items.count <= limit else { throw value.error("there are more than \(limit) \(name)") }
        return items
    }

    private static func standard() throws(MediaError) -> TransitionSpec {
        do {
            return try .standard()
        } catch {
            throw MediaError(.internalFault, error.description)
        }
    }

    /// - Parameter sound: the sound of a transition that says nothing of it.
    static func transition(
        _ value: YAMLValue, _ files: ReferencedFiles, _ sound: TransitionSound?
    ) throws(MediaError) -> TransitionSpec {
        var spec = try value.reading { text throws(OptionError) in
            try TransitionSpec(parsing: text, sound: sound, folder: files.folder, readsGesture: false)
        }
        for path in spec.files where path != sound?.path { try files.admit(path, at: value.location) }
        do throws(OptionError) {
            try spec.readGesture()
        } catch {
            throw value.error(error.description)
        }
        return spec
    }

    /// The sound of all transitions that say nothing of it; nil for none.
    private static func transitionSound(
        _ map: YAMLMap, _ files: ReferencedFiles
    ) throws(MediaError) -> TransitionSound? {
        var sound: TransitionSound?
        if let value = map["sound"] {
            sound = try value.reading { text throws(OptionError) in
                try TransitionSound.parsing(text, in: files.folder)
            }
            if let path = sound?.path { try files.admit(path, at: value.location) }
        }
        if let value = map["sound-gain"] {
            let gain = try value.number(in: TransitionSound.gains)
            guard sound != nil else { throw value.error("sound-gain has no effect without a sound") }
            sound?.gain = gain
        }
        return sound
    }

    private static func sound(
        _ value: YAMLValue, _ files: ReferencedFiles, starts: [Int]
    ) throws(MediaError) -> SoundSpec {
        let map = try value.map(soundKeys)
        let file = try map.required("file")
        let part = try part(map)
        let offset = try map["at"]?.seconds() ?? .zero
        var start = SoundSpec.Start.time(offset)
        if let clip = map["clip"] {
            start = .clip(index: starts[try clip.whole(in: 1...starts.count) - 1], offset: offset)
        }
        var sound = SoundSpec(path: try files.path(of: file.text(), at: file.location), part: part, start: start)
        sound.fadeIn = try map["fade-in"]?.seconds() ?? .zero
        sound.fadeOut = try map["fade-out"]?.seconds() ?? .zero
        sound.gain = try map["gain"]?.number(in: -120...40) ?? 0
        return sound
    }

    static func part(_ map: YAMLMap) throws(MediaError) -> ClipPart {
        let part = ClipPart(start: try map["start"]?.seconds(), end: try map["end"]?.seconds())
        if let end = part.end, end <= part.start ?? .zero {
            throw map.location(of: "end").error("the end has to be after the start")
        }
        return part
    }
}

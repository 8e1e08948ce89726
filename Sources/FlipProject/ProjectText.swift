import FlipBase
import FlipMedia
import FlipDeck
import FlipFiles
import FlipRender
import Foundation

/// Slides or clips as the text of a project that renders the same video: an entry for each, which says all that has been
/// decided about it, so that each can be changed by itself.
package struct ProjectText {
    /// Options of the command line as a project's keys and values.
    package struct Options {
        /// Keys of `output`.
        package var output: [(key: String, value: String)] = []
        /// Tags of the output.
        package var tags: [String] = []
        /// Keys of the project itself.
        package var whole: [(key: String, value: String)] = []

        package init() {}
    }

    private let entries: [DeckEntry]
    private let settings: OutputSettings
    /// What was asked for all slides; nil for clips.
    private let spec: DeckSpec?
    private let options: Options
    private let passwordFile: String?
    /// The time and the transition that most slides have, which the project says once.
    private let commonHold: String?
    private let commonTransition: String?

    package init(_ deck: Deck, _ spec: DeckSpec, _ options: Options, passwordFile: String?) {
        self.init(deck.entries, deck.composition.output, spec, options, passwordFile: passwordFile)
    }

    /// - Throws: `usage` if the clips come from a cut list, of which a project names the whole.
    package init(_ clips: Composition, _ options: Options) throws(MediaError) {
        guard clips.inputs.allSatisfy({ $0.cut == nil && $0.listedFrames == nil }) else {
            throw MediaError(
                .usage, "the parts of a cut list are not written one by one (name it in a project as cuts:)")
        }
        let entries = clips.inputs.enumerated().map { index, clip in
            var entry = DeckEntry(source: .clip(clip))
            entry.title = clip.title
            let last = clips.transitions.count - 1
            entry.transition = index + 1 < clips.inputs.count ? clips.transitions[min(index, last)] : nil
            return entry
        }
        self.init(entries, clips.output, nil, options, passwordFile: nil)
    }

    private init(
        _ entries: [DeckEntry], _ settings: OutputSettings, _ spec: DeckSpec?, _ options: Options, passwordFile: String?
    ) {
        (self.entries, self.settings, self.spec) = (entries, settings, spec)
        (self.options, self.passwordFile) = (options, passwordFile)
        commonHold = Self.mostFrequent(entries.compactMap { $0.hold?.optionText })
        commonTransition = Self.mostFrequent(entries.compactMap { $0.transition?.text })
    }

    private static func mostFrequent(_ texts: [String]) -> String? {
        let counts = texts.reduce(into: [:]) { $0[$1, default: 0] += 1 }
        let most = counts.values.max()
        return texts.first { counts[$0] == most }
    }

    /// The project as a file at `path`, to whose folder its paths are relative where they lie in it.
    package func text(at path: String) -> String {
        let place = Place(folder: URL(fileURLWithPath: absolutePath(path)).deletingLastPathComponent().path)
        var lines = [
            "# \(spec == nil ? "Clips" : "A deck") as a project: fliptransition \(URL(fileURLWithPath: path).lastPathComponent) "
                + "video.mp4"
        ]
        let output = output()
        if !output.isEmpty { lines.append("output:") }
        lines += output.map { "  \($0): \($1)" }
        for (key, value) in options.whole { lines.append("\(key): \(Self.scalar(value))") }
        lines += common(place).map { "\($0): \($1)" }
        if !settings.overlays.isEmpty { lines.append("overlays:") }
        for overlay in settings.overlays { lines.append("  - {\(Self.overlay(overlay, place))}") }
        lines.append("clips:")
        for entry in entries {
            lines.append("  - {\(self.entry(entry, place))}" + (entry.isHidden ? "  # hidden in the document" : ""))
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The keys of `output`, with the size and the rate that were chosen by the slides.
    private func output() -> [(key: String, value: String)] {
        var values = options.output.filter { !["size", "fps", "chapters"].contains($0.key) }
            .map { ($0.key, ["true", "false"].contains($0.value) ? $0.value : Self.scalar($0.value)) }
        if let (width, height) = settings.size { values.insert(("size", "\(width)x\(height)"), at: 0) }
        if let rate = settings.frameRate { values.append(("fps", Self.scalar(rate.description))) }
        if settings.marksClips { values.append(("chapters", "true")) }
        if !options.tags.isEmpty {
            values.append(("metadata", "[" + options.tags.map(Self.scalar).joined(separator: ", ") + "]"))
        }
        return values
    }

    /// The keys for all entries.
    private func common(_ place: Place) -> [(key: String, value: String)] {
        var values: [(key: String, value: String)] = []
        if let commonTransition { values.append(("transition", Self.scalar(commonTransition))) }
        if let spec { values += slides(spec, place) }
        let captions = settings.captions.map { Self.scalar(place.path($0)) }
        if !captions.isEmpty { values.append(("captions", "[" + captions.joined(separator: ", ") + "]")) }
        return values
    }

    /// The keys for all slides.
    private func slides(_ spec: DeckSpec, _ place: Place) -> [(key: String, value: String)] {
        var values: [(key: String, value: String)] = []
        let add = { (key: String, value: String?) in
            if let value { values.append((key, Self.scalar(value))) }
        }
        add("hold", commonHold)
        add("book", spec.book?.text)
        add("timings", spec.timings.map(place.path))
        // Recordings of single slides are named there.
        if let path = spec.narration, !Deck.isFolder(path) { add("narration", place.path(path)) }
        add("pause", spec.pause?.optionText)
        if spec.trimsSilence { values.append(("trim-silence", "true")) }
        if spec.slideMedia != .all { add("slide-media", spec.slideMedia.rawValue) }
        if spec.builds != .steps { add("builds", spec.builds.text) }
        if spec.showsHidden { add("hidden", "show") }
        if spec.usesOwnTransitions { add("slide-transitions", "from-deck") }
        if let music = spec.music {
            add("music", place.path(music))
            values.append(("music-gain", "\(spec.musicGain)"))
        }
        if spec.captionsFromNotes { add("captions-from", "notes") }
        if !spec.translations.isEmpty {
            let folders = spec.translations.map { "\($0.tag): \(Self.scalar(place.path($0.folder)))" }
            values.append(("translations", "{" + folders.joined(separator: ", ") + "}"))
        }
        if spec.speech != nil { add("speak", "notes") }
        add("password-file", passwordFile.map(place.path))
        return values
    }

    private func entry(_ entry: DeckEntry, _ place: Place) -> String {
        var values: [(key: String, value: String)] = []
        let add = { (key: String, value: String?) in
            if let value { values.append((key, Self.scalar(value))) }
        }
        switch entry.source {
        case .page(let path, let number):
            add("file", place.path(path))
            add("pages", "\(number)")
        case .clip(let clip):
            add("file", place.path(clip.path))
            // The part of a slide's picture is its time.
            if spec == nil || !entry.isStill {
                add("start", clip.part.start?.nanosecondText)
                add("end", clip.part.end?.nanosecondText)
            }
            if clip.isMuted { values.append(("mute", "true")) }
            if clip.gain != 0 { add("volume", "\(clip.gain)dB") }
            add("loudness", clip.loudness.map { "\($0)" })
            add("captions", clip.captions.map(place.path))
            add("zoom", clip.motion?.text)
        }
        if entry.isHidden { return Self.map(values) }
        add("title", entry.title)
        if entry.hold?.optionText != commonHold { add("hold", entry.hold?.optionText) }
        add("narration", entry.narration.map(place.path))
        if entry.transition?.text != commonTransition { add("transition", entry.transition?.text) }
        return Self.map(values)
    }

    private static func overlay(_ overlay: OverlaySpec, _ place: Place) -> String {
        var values: [(key: String, value: String)] = []
        switch overlay.content {
        case .file(let path): values.append(("file", scalar(place.path(path))))
        case .text(let text): values.append(("text", scalar(text)))
        }
        values.append(("place", overlay.place.name))
        for (key, value) in overlay.settings { values.append((key, value == "on" ? "true" : scalar(value))) }
        return map(values)
    }

    private static func map(_ values: [(key: String, value: String)]) -> String {
        values.map { "\($0): \($1)" }.joined(separator: ", ")
    }

    /// `text` as a YAML scalar that no reader takes for anything but text, a number, or a time.
    static func scalar(_ text: String) -> String {
        let isPlain =
            text.first.map { $0.isASCII && ($0.isLetter || $0.isNumber || "/.".contains($0)) } ?? false
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-=".contains($0)) }
            && !["true", "false", "null", "yes", "no", "on", "off", "y", "n"].contains(text.lowercased())
        if isPlain { return text }
        // A string of JSON is one of YAML as well (YAML 1.2, 7.3.1).
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        return (try? encoder.encode(text)).map { String(decoding: $0, as: UTF8.self) } ?? "\"\""
    }

    /// The folder of the project.
    private struct Place {
        let folder: String

        /// `path` as the project names it.
        func path(_ path: String) -> String {
            let whole = absolutePath(path)
            let start = folder.hasSuffix("/") ? folder : folder + "/"
            return whole.hasPrefix(start) ? String(whole.dropFirst(start.count)) : whole
        }
    }
}

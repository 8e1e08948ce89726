import FlipBase
import FlipFiles
import FlipMedia
import FlipRender
import Foundation

/// A project of an editor that builds on MLT, such as Kdenlive, Shotcut or Flowblade, turned into a composition: plain ranges
/// of films are clips, and melt renders whatever else there is.
package struct MLTProject {
    package let composition: Composition
    /// The files that the project names.
    package let files: ReferencedFiles

    /// Whether `path` has the extension of such a project.
    package static func isProject(_ path: String) -> Bool {
        [".mlt", ".kdenlive", ".flb", ".westley"].contains { path.lowercased().hasSuffix($0) }
    }

    /// Reads the project at `path`.
    /// - Parameters:
    ///   - copy: the path of a copy of the file, which is read in its place; nil for the file itself.
    ///   - root: the folder that all files have to lie in; nil for the project's own.
    ///   - settings: the output's settings; size and frame rate are the project's.
    /// - Throws: `missingInput` with all files that are missing, `badInput` with the location of what is refused.
    package init(
        path: String, copy: String? = nil, root: RootFolder? = nil, reading: InputSettings = InputSettings(),
        settings: OutputSettings
    ) throws(MediaError) {
        files = ReferencedFiles(of: path)
        let document = try MLTNode.read(path: path, copy: copy)
        guard document.name == "mlt" || document.name == "westley" else {
            throw document.error("this is no project of MLT (it begins with <\(document.name.prefix(40))>)")
        }
        guard let profileNode = document.children("profile").last else {
            throw document.error(
                "the project has no profile, so its size and rate are unknown (save it again in its editor)")
        }
        let profile = try MLTProfile(profileNode)
        let folder: RootFolder
        if let root { folder = root } else { folder = try RootFolder(files.folder.isEmpty ? "." : files.folder) }
        var checker = MLTFiles(files: files, root: folder, isGiven: root != nil)
        let checked = try checker.checked(document)
        try checker.refuseMissing()
        guard
            let main = checked.children.last(where: { ["producer", "chain", "playlist", "tractor"].contains($0.name) })
        else {
            throw document.error("the project has no timeline")
        }
        let media = MLTMedia(profile)
        let pictures = MLTFlattening(.picture, checked, rate: profile.rate, media: media)
        let frames = try pictures.shownExtent(of: main)
        guard !frames.isEmpty, frames.count <= MLTTime.limit else { throw main.error("the timeline has no frames") }
        let melt = MeltRun(
            project: path, text: checked.xml, nested: checker.nested, readable: checker.readable, profile: profile,
            channels: Self.channels(document))
        var layout = MLTLayout(melt: melt, rate: profile.rate, first: frames.lowerBound)
        if settings.render == .full {
            layout.append(.other("--render full has it render all frames"), 0..<frames.count)
        } else {
            for span in try pictures.lane(of: main, frames).spans { layout.append(span.content, span.frames) }
        }
        let sounds = MLTFlattening(.sound, checked, rate: profile.rate, media: media)
        let heard = settings.hasAudio ? try sounds.lane(of: main, frames) : MLTLane()
        var settings = settings
        if let asked = settings.frameRate, asked != profile.rate {
            throw MediaError(
                .usage, "--fps \(asked) can't be had from '\(path)', whose frames are \(profile.rate) a second")
        }
        settings.frameRate = profile.rate
        if settings.size == nil, settings.width == nil, profile.hasSquarePixels {
            settings.size = (profile.width, profile.height)
        }
        composition = layout.composition(heard, reading, settings, source: path, files: files)
    }

    /// The number of channels that the project's editor renders.
    private static func channels(_ document: MLTNode) -> Int {
        let names = ["shotcut:projectAudioChannels", "kdenlive:docproperties.audioChannels"]
        let stated = document.children.compactMap { node in names.lazy.compactMap { node[$0] }.first }.first
        // Kdenlive counts its choices: stereo, four and six channels.
        return stated.flatMap { Int($0) }.map { $0 == 0 ? 2 : $0 } ?? 2
    }
}

/// Puts stretches of a timeline together as clips.
private struct MLTLayout {
    let melt: MeltRun
    let rate: Rational
    /// The project's frame that is the output's first.
    let first: Int

    /// A clip that is seen for `frames`, and in transitions before and behind.
    private struct Cell {
        var content: Content
        /// The output frames that belong to no transition.
        var frames: Range<Int>
        var head = 0
        var tail = 0
        /// The transition at its beginning; nil for a cut.
        var transition: TransitionSpec?
    }

    private enum Content {
        case gap
        case shot(MLTShot)
        case melt([String])
    }

    private var cells: [Cell] = []

    init(melt: MeltRun, rate: Rational, first: Int) { (self.melt, self.rate, self.first) = (melt, rate, first) }

    mutating func append(_ content: MLTContent, _ frames: Range<Int>) {
        switch content {
        case .black, .clear: cells.append(Cell(content: .gap, frames: frames))
        // Without a picture, melt shows white.
        case .nothing: appendMelt("nothing is shown, for which it has a color of its own", frames)
        case .other(let reason): appendMelt(reason, frames)
        case .shot(let shot): append(shot, frames)
        case .mix(let mix): append(mix, frames)
        }
    }

    private mutating func append(_ shot: MLTShot, _ frames: Range<Int>) {
        if let last = cells.last, last.tail == 0, case .shot(let own) = last.content,
            own.moved(by: last.frames.count) == shot
        {
            cells[cells.count - 1].frames = last.frames.lowerBound..<frames.upperBound
        } else {
            cells.append(Cell(content: .shot(shot), frames: frames))
        }
    }

    private mutating func append(_ mix: MLTMix, _ frames: Range<Int>) {
        let drawn = mix.ends.plain..<max(mix.count - mix.ends.done, mix.ends.plain)
        let shown = mix.first..<mix.first + frames.count
        let isWhole = shown.lowerBound <= drawn.lowerBound && shown.upperBound >= drawn.upperBound && !drawn.isEmpty
        let start = frames.lowerBound + drawn.lowerBound - shown.lowerBound
        if isWhole, start > frames.lowerBound {
            append(mix.from.moved(by: shown.lowerBound), frames.lowerBound..<start)
        }
        guard isWhole, let last = cells.last, last.tail == 0, case .shot(let own) = last.content,
            own.moved(by: last.frames.count) == mix.from.moved(by: drawn.lowerBound)
        else { return appendMelt("a part of transition \(mix.name)", frames) }
        cells[cells.count - 1].tail = drawn.count
        cells.append(
            Cell(
                content: .shot(mix.to.moved(by: drawn.upperBound)), frames: start + drawn.count..<frames.upperBound,
                head: drawn.count, transition: mix.spec))
    }

    private mutating func appendMelt(_ reason: String, _ frames: Range<Int>) {
        if let last = cells.last, case .melt(var reasons) = last.content {
            if !reasons.contains(reason) { reasons.append(reason) }
            cells[cells.count - 1].content = .melt(reasons)
            cells[cells.count - 1].frames = last.frames.lowerBound..<frames.upperBound
        } else {
            cells.append(Cell(content: .melt([reason]), frames: frames))
        }
    }

    // MARK: The composition

    func composition(
        _ heard: MLTLane, _ reading: InputSettings, _ settings: OutputSettings, source: String, files: ReferencedFiles
    ) -> Composition {
        let mixed = heard.spans.compactMap { span in if case .other(let reason) = span.content { reason } else { nil } }
        let isMixed = !mixed.isEmpty || settings.render == .full && heard.spans.contains { !$0.content.isNothing }
        var clips: [ClipSpec] = []
        var joins: [TransitionSpec] = []
        var rest = heard
        for (index, cell) in cells.enumerated() {
            var clip = spec(of: cell)
            clip.isMuted = isMixed || !Self.takeOwnSound(of: cell, from: &rest)
            clips.append(clip)
            guard index > 0 else { continue }
            // The clip before it is extended by as much.
            let overlap = cell.head
            var join = (overlap > 0 ? cell.transition : nil) ?? TransitionSpec(look: nil)
            (join.duration, join.overlap) = (.frames(max(overlap, 1)), .play)
            joins.append(join)
        }
        var composition = Composition(
            inputs: clips, reading: reading, transitions: joins.isEmpty ? [TransitionSpec(look: nil)] : joins,
            output: settings)
        if isMixed {
            let reasons = mixed.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
            let reason = reasons.isEmpty ? "--render full has it render all" : Self.text(reasons)
            let sound = melt.sound(first..<first + (cells.last?.frames.upperBound ?? 0), reason: reason)
            composition.sounds = [SoundSpec(made: sound, start: .time(.zero))]
        } else {
            composition.sounds = sounds(rest)
        }
        composition.sources = [source] + files.locations.keys.sorted()
        return composition
    }

    private func spec(of cell: Cell) -> ClipSpec {
        let count = cell.head + cell.frames.count + cell.tail
        switch cell.content {
        case .gap: return .blank(frames: count)
        case .shot(let shot):
            var clip = ClipSpec(path: shot.path)
            clip.timing = ClipTiming(start: Rational(shot.start - cell.head) / rate, frames: count)
            return clip
        case .melt(let reasons):
            let (media, lead) = melt.picture(
                first + cell.frames.lowerBound..<first + cell.frames.upperBound, reason: Self.text(reasons))
            var clip = ClipSpec(made: media)
            clip.timing = ClipTiming(start: Rational(lead) / rate, frames: count)
            return clip
        }
    }

    /// Takes the sound of a clip out of what is heard, if that is exactly its own.
    private static func takeOwnSound(of cell: Cell, from heard: inout MLTLane) -> Bool {
        guard case .shot(let shot) = cell.content, cell.head == 0, cell.tail == 0 else { return false }
        let own = heard.slice(cell.frames)
        guard own.spans.count == 1, case .shot(shot) = own.spans[0].content else { return false }
        heard = heard.changing(in: cell.frames) { _ in .nothing }
        return true
    }

    /// What is heard besides the clips' own audio.
    private func sounds(_ heard: MLTLane) -> [SoundSpec] {
        heard.spans.compactMap { span in
            guard case .shot(let shot) = span.content else { return nil }
            let start = Rational(shot.start) / rate
            let part = ClipPart(start: start, end: start + Rational(span.frames.count) / rate)
            return SoundSpec(path: shot.path, part: part, start: .time(Rational(span.frames.lowerBound) / rate))
        }
    }

    private static func text(_ reasons: [String]) -> String {
        reasons.prefix(4).joined(separator: ", ") + (reasons.count > 4 ? " and \(reasons.count - 4) more reasons" : "")
    }
}

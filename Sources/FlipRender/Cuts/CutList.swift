import FlipBase
import FlipFiles
import FlipGeometry
import Foundation

/// Cut lists: files of editors and of programs that cut out silence, which say what parts of films to show, one after
/// another (docs/OTIO.md). The ending of a list's name says which kinds it may be of, and its content which it is.
package enum CutList {
    enum Format {
        case table
        case losslessCut
        case autoEditor
        /// An edit decision list, which OpenTimelineIO reads better than we could.
        case edl
    }

    private static let endings: [String: Format] = [
        "csv": .table, "tsv": .table, "llc": .losslessCut, "json": .autoEditor, "v1": .autoEditor, "v2": .autoEditor,
        "v3": .autoEditor, "edl": .edl,
    ]

    private static func format(of path: String) -> Format? {
        endings[URL(fileURLWithPath: path).pathExtension.lowercased()]
    }

    /// Whether `path` is a file with the name of a cut list. Pipes never are.
    package static func isList(_ path: String) -> Bool {
        var status = stat()
        return format(of: path) != nil && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    /// The film, the list and what else is said of the film in `film.mp4#cuts=list.csv&volume=0.5`; nil for other words,
    /// and for existing files with such a name.
    static func words(of word: String) -> (path: String, list: String, others: [Substring])? {
        let (path, words) = ClipSpec.split(word)
        guard let cuts = words.first(where: { $0.hasPrefix("cuts=") }) else { return nil }
        return (path, String(cuts.dropFirst(5)), words.filter { $0 != cuts })
    }

    /// The film whose parts a word names, nil where the list names it, and the list; nil if `word` is not a cut list.
    static func split(_ word: String) throws(OptionError) -> (base: ClipSpec?, list: String)? {
        guard let (path, list, others) = words(of: word) else { return isList(word) ? (nil, word) : nil }
        let isSound = { (word: Substring) in word.hasPrefix("volume=") || word.hasPrefix("loudness=") }
        if let other = others.first(where: { !isSound($0) }) {
            throw OptionError("'#\(other)' can't be combined with #cuts= (only #volume= and #loudness= can)")
        }
        guard !path.isEmpty, !list.isEmpty else {
            throw OptionError("invalid '\(word)' (expected film.mp4#cuts=list.csv)")
        }
        let rest = others.isEmpty ? "" : "#" + others.joined(separator: "&")
        return (try ClipSpec(parsing: path + rest), list)
    }

    /// The clips of the list at `path`.
    /// - Parameters:
    ///   - base: the film whose parts they are; nil for the films that the list names.
    ///   - root: the folder to which the films named in the list are confined; nil for no such limit.
    package static func clips(in path: String, of base: ClipSpec? = nil, root: RootFolder? = nil) throws -> [ClipSpec] {
        try clips(in: ListFile(path: path).read(), path: path, of: base, root: root)
    }

    /// The clips of the list at `path`, whose content is `data`.
    package static func clips(
        in data: Data, path: String, of base: ClipSpec? = nil, root: RootFolder? = nil
    ) throws -> [ClipSpec] {
        guard let format = format(of: path) else {
            throw MediaError(
                .badInput, "'\(path)' is not a cut list (expected .csv, .tsv, .llc, .json, .v1, .v2 or .v3)")
        }
        guard data.count <= ListFile.maximumSize, !data.contains(0), let text = String(data: data, encoding: .utf8)
        else {
            throw MediaError(
                .badInput,
                "'\(path)' is not a cut list: it has to be UTF-8 text of at most \(ListFile.maximumSize >> 20) MiB")
        }
        let writer = CutWriter(path: path, base: base)
        switch format {
        case .table: try CutTable.read(text, into: writer)
        case .losslessCut: try LosslessCutProject.read(data, into: writer)
        case .autoEditor: try AutoEditorTimeline.read(data, into: writer)
        case .edl:
            throw MediaError(
                .badInput,
                "'\(path)' is an EDL: convert it with 'otioconvert -i cut.edl -o cut.otio -a rate=25', then render cut.otio"
            )
        }
        return try clips(of: writer, root)
    }

    /// The clips that a reader has written, all but the first of which are joined to the one before as the list has it.
    private static func clips(of writer: CutWriter, _ root: RootFolder?) throws(MediaError) -> [ClipSpec] {
        guard !writer.entries.isEmpty else {
            throw MediaError(.badInput, "'\(writer.file.path)' shows no part of a film")
        }
        var clips: [ClipSpec] = []
        let isUntitled = { (clip: ClipSpec) in clip.title == nil && clip.kind == .file }
        let counts = Dictionary(grouping: writer.entries.map(\.clip).filter(isUntitled), by: \.path).mapValues(\.count)
        var numbers: [String: Int] = [:]
        for (index, entry) in writer.entries.enumerated() {
            var clip = entry.clip
            if isUntitled(clip), counts[clip.path] ?? 0 > 1 {
                numbers[clip.path, default: 0] += 1
                clip.partNumber = numbers[clip.path]
            }
            clip.cut = index == 0 ? nil : clip.cut ?? CutJoin()
            if index == 0 { clip.notes = writer.notes.map { "'\(writer.file.path)': \($0)" } }
            if writer.base == nil, case .file = clip.kind {
                if InputList.isList(clip.path) {
                    throw writer.file.error(
                        entry.line, "'\(clip.path)' is a list itself, and lists in lists are not followed")
                }
                if let root { try InputList.check(clip, entry.line, writer.file, within: root) }
            }
            clips.append(clip)
        }
        return clips
    }
}

/// How a cut list joins a clip to the one before it.
package struct CutJoin: Sendable, Hashable {
    /// How long the transition lasts; nil for what the user asked for.
    package var duration: TransitionDuration?
    /// Where the cut lies in the transition, if it shows what lies outside the parts.
    package var place = HandleRoom.Place.middle
}

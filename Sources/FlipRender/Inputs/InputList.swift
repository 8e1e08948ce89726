import FlipBase
import FlipFiles
import FlipGeometry
import Foundation

/// Files that list clips: `@list.txt` with one clip per line, ffconcat scripts, and the cut lists of `CutList`. They are
/// never passed to libav.
package enum InputList {
    /// The clips that the command-line arguments `words` name, with each list replaced by the clips in it.
    /// - Parameter root: the folder to which the files named in lists are confined; nil for no such limit.
    /// - Throws: `MediaError`, or `OptionError` for an invalid trim.
    package static func expand(_ words: [String], root: String? = nil) throws -> [ClipSpec] {
        let root = try root.map { path in try RootFolder(path) }
        var clips: [ClipSpec] = []
        for word in words {
            if let (base, list) = try CutList.split(word) {
                clips += try CutList.clips(in: list, of: base, root: root)
            } else if let path = listPath(word) {
                clips += try read(path, root: root)
            } else {
                clips.append(try ClipSpec(parsing: word))
            }
        }
        return clips
    }

    /// The paths of the files that `words` refer to: for a list the list itself, for a part of a file the whole file, for
    /// parts by a cut list both. The files need not exist.
    package static func files(behind words: [String]) -> [String] {
        words.flatMap { word in
            if FileManager.default.fileExists(atPath: word) { return [word] }
            let path = ClipSpec.split(word).path
            if PictureFiles.isPattern(path) { return PictureFiles.paths(of: path) }
            if word.hasPrefix("@") { return [String(word.dropFirst())] }
            if let cuts = CutList.words(of: word) { return [cuts.path, cuts.list] }
            return [word.lastIndex(of: "#").map { String(word[..<$0]) } ?? word]
        }
    }

    /// Whether `word` stands for the clips of a list.
    package static func isList(_ word: String) -> Bool {
        listPath(word) != nil || CutList.isList(word) || CutList.words(of: word) != nil
    }

    /// The maximum number of clips that a list may name.
    package static let maximumCount = 10_000

    /// The path of the list that `word` names; nil if it names a clip. An existing file called "@..." is a clip.
    private static func listPath(_ word: String) -> String? {
        if word.hasPrefix("@"), !FileManager.default.fileExists(atPath: word) { return String(word.dropFirst()) }
        return isScript(word) ? word : nil
    }

    /// Whether a file is an ffconcat script by its first bytes and by its name as well: a file with the name of a clip
    /// may come from anybody, so its content must not decide which other files are read.
    private static func isScript(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        guard !name.contains(".") || [".ffconcat", ".ffcat", ".txt"].contains(where: name.hasSuffix) else {
            return false
        }
        return Files.start(of: path, Script.signature.utf8.count) == Array(Script.signature.utf8)
    }

    private static func read(_ path: String, root: RootFolder?) throws -> [ClipSpec] {
        try clips(in: ListFile(path: path).read(), path: path, root: root)
    }

    /// The clips that the list at `path`, whose content is `data`, names.
    package static func clips(in data: Data, path: String, root: RootFolder? = nil) throws -> [ClipSpec] {
        let list = try Lines(path, data)
        let entries = list.isScript ? try Script(list).entries : try plain(list)
        guard !entries.isEmpty else { throw MediaError(.badInput, "'\(path)' names no clip") }
        return try entries.map { entry in
            let clip = entry.clip
            if isList(clip.path) {
                throw list.error(entry.line, "'\(clip.path)' is a list itself, and lists in lists are not followed")
            }
            if let root { try check(clip, entry.line, list.file, within: root) }
            return clip
        }
    }

    /// The entries of a plain list: one path per line, optionally with a trim.
    private static func plain(_ list: Lines) throws(MediaError) -> [Entry] {
        var entries: [Entry] = []
        for (number, line) in list.lines {
            let path = list.resolve(line)
            if line.hasPrefix("@") || CutList.words(of: path) != nil, !FileManager.default.fileExists(atPath: path) {
                throw list.error(number, "'\(line)' is a list itself, and lists in lists are not followed")
            }
            do {
                var clip = try ClipSpec(parsing: path)
                clip.captions = clip.captions.map(list.resolve)
                entries.append(Entry(line: number, clip: clip))
            } catch {
                throw list.error(number, error.description)
            }
        }
        return entries
    }

    /// Throws if a file that `clip` names in line `line` of a list is missing or lies outside the root.
    static func check(_ clip: ClipSpec, _ line: Int, _ list: ListFile, within root: RootFolder) throws(MediaError) {
        for path in [clip.path, clip.captions].compactMap({ $0 }) {
            guard FileManager.default.fileExists(atPath: path) else {
                throw MediaError(.missingInput, "'\(list.path)' line \(line): there is no file '\(path)'")
            }
            if let refusal = root.refusal(of: path) { throw list.error(line, refusal) }
        }
    }

    struct Entry {
        var line: Int
        var clip: ClipSpec
    }
}

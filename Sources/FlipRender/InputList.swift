import FlipGeometry
import FlipMedia
import Foundation

/// Files that name clips: `@list.txt` with one a line, and ffconcat scripts. They are read here and never given to libav.
package enum InputList {
    /// The clips that `words` of a command line name, the lists among them replaced by what they name.
    /// - Parameter root: a folder that no list may name a file outside of.
    /// - Throws: `MediaError`, or `OptionError` for a trim that is none.
    package static func expand(_ words: [String], root: String? = nil) throws -> [ClipSpec] {
        let root = try root.map { path in try RootFolder(path) }
        var clips: [ClipSpec] = []
        for word in words {
            if let path = listPath(word) {
                clips += try read(path, root: root)
            } else {
                clips.append(try ClipSpec(parsing: word))
            }
        }
        return clips
    }

    /// The file behind each of `words`: of a list the list itself, of a part of a file the file. It need not be there.
    package static func files(behind words: [String]) -> [String] {
        words.map { word in
            if FileManager.default.fileExists(atPath: word) { return word }
            if word.hasPrefix("@") { return String(word.dropFirst()) }
            return word.lastIndex(of: "#").map { String(word[..<$0]) } ?? word
        }
    }

    /// The file behind `word` where it is a list. A clip that is really called "@..." is a clip.
    private static func listPath(_ word: String) -> String? {
        if word.hasPrefix("@"), !FileManager.default.fileExists(atPath: word) { return String(word.dropFirst()) }
        return isScript(word) ? word : nil
    }

    /// Whether a file says that it is an ffconcat script, by its name as well: what is called a clip might come from anybody,
    /// and has no say in which other files are read.
    private static func isScript(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        guard !name.contains(".") || [".ffconcat", ".ffcat", ".txt"].contains(where: name.hasSuffix) else {
            return false
        }
        var status = stat()
        // A pipe would be robbed of its first bytes.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = FileHandle(forReadingAtPath: path),
            let start = try? file.read(upToCount: Script.signature.utf8.count)
        else { return false }
        return start == Data(Script.signature.utf8)
    }

    private static func read(_ path: String, root: RootFolder?) throws -> [ClipSpec] {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw MediaError(.missingInput, "cannot read the list '\(path)' (is it there, and readable?)")
        }
        guard let data = try? file.read(upToCount: Lines.maximumSize + 1) ?? Data() else {
            throw MediaError(.missingInput, "cannot read the list '\(path)'")
        }
        return try clips(in: data, path: path, root: root)
    }

    /// The clips that the list `data`, which lies at `path`, names.
    package static func clips(in data: Data, path: String, root: RootFolder? = nil) throws -> [ClipSpec] {
        let list = try Lines(path, data)
        let entries = list.isScript ? try Script(list).entries : try plain(list)
        guard !entries.isEmpty else { throw MediaError(.badInput, "'\(path)' names no clip") }
        return try entries.map { entry in
            let clip = entry.clip
            if listPath(clip.path) != nil {
                throw list.error(entry.line, "'\(clip.path)' is a list itself, and lists in lists are not followed")
            }
            if let root { try check(clip, entry.line, list, within: root) }
            return clip
        }
    }

    /// One path a line, each perhaps with a trim.
    private static func plain(_ list: Lines) throws(MediaError) -> [Entry] {
        var entries: [Entry] = []
        for (number, line) in list.lines {
            let path = list.resolve(line)
            if line.hasPrefix("@"), !FileManager.default.fileExists(atPath: path) {
                throw list.error(number, "'\(line)' is a list itself, and lists in lists are not followed")
            }
            do {
                entries.append(Entry(line: number, clip: try ClipSpec(parsing: path)))
            } catch {
                throw list.error(number, error.description)
            }
        }
        return entries
    }

    private static func check(
        _ clip: ClipSpec, _ line: Int, _ list: Lines, within root: RootFolder
    ) throws(MediaError) {
        guard FileManager.default.fileExists(atPath: clip.path) else {
            throw MediaError(.missingInput, "'\(list.path)' line \(line): there is no file '\(clip.path)'")
        }
        guard root.contains(clip.path) else {
            throw list.error(line, "'\(clip.path)' is outside \(root.path), where --root keeps it")
        }
    }

    struct Entry {
        var line: Int
        var clip: ClipSpec
    }
}

/// The lines of a list that say something: neither blank nor comments.
struct Lines {
    let path: String
    /// Numbered from 1, without white space at their ends.
    private(set) var lines: [(number: Int, text: String)] = []

    /// Longer lists are no lists.
    static let maximumSize = 16 << 20

    init(_ path: String, _ data: Data) throws(MediaError) {
        self.path = path
        guard data.count <= Self.maximumSize, !data.contains(0), let text = String(data: data, encoding: .utf8) else {
            throw MediaError(.badInput, "'\(path)' is no list: it has to be UTF-8 text with one path a line")
        }
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if !trimmed.isEmpty, !trimmed.hasPrefix("#") { lines.append((index + 1, trimmed)) }
        }
    }

    var isScript: Bool { lines.first?.text.hasPrefix(Script.signature) ?? false }

    /// A path in the list, as seen from where the program runs.
    func resolve(_ entry: String) -> String {
        if entry.hasPrefix("/") { return entry }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return path.contains("/") ? "\(folder)/\(entry)" : "./\(entry)"
    }

    func error(_ line: Int, _ text: String) -> MediaError {
        MediaError(.badInput, "'\(path)' line \(line): \(text)")
    }
}

/// An ffconcat script (ffmpeg-formats, "concat"), as far as it says which parts of which files follow each other.
struct Script {
    static let signature = "ffconcat version"
    private(set) var entries: [InputList.Entry] = []

    init(_ list: Lines) throws(MediaError) {
        guard let head = list.lines.first,
            head.text.split(whereSeparator: \.isWhitespace) == ["ffconcat", "version", "1.0"]
        else { throw list.error(list.lines.first?.number ?? 1, "only 'ffconcat version 1.0' is known") }
        var durations: [Int: Rational] = [:]
        for (number, line) in list.lines.dropFirst() {
            let keyword = String(line.prefix { !$0.isWhitespace })
            guard let value = Self.value(line.dropFirst(keyword.count)) else {
                throw list.error(number, "expected one value after '\(keyword)'")
            }
            if keyword == "file" {
                entries.append(InputList.Entry(line: number, clip: ClipSpec(path: list.resolve(value))))
                continue
            }
            guard ["inpoint", "outpoint", "duration"].contains(keyword) else {
                throw list.error(
                    number, "'\(keyword)' is not known here (expected file, inpoint, outpoint or duration)")
            }
            let last = entries.count - 1
            guard last >= 0 else { throw list.error(number, "'\(keyword)' stands before any file") }
            guard let time = Rational(scriptTime: value) else {
                throw list.error(number, "invalid time '\(value)' (expected seconds or h:mm:ss)")
            }
            switch keyword {
            case "inpoint": entries[last].clip.part.start = time
            case "outpoint": entries[last].clip.part.end = time
            default: durations[last] = time
            }
        }
        for index in entries.indices {
            try finish(&entries[index], durations[index], list)
        }
    }

    /// A duration counts from the in point, and where there is no out point.
    private func finish(_ entry: inout InputList.Entry, _ duration: Rational?, _ list: Lines) throws(MediaError) {
        let start = entry.clip.part.start ?? .zero
        if entry.clip.part.end == nil, let duration { entry.clip.part.end = start + duration }
        if let end = entry.clip.part.end, end <= start {
            throw list.error(entry.line, "nothing of '\(entry.clip.path)' is between its in point and its out point")
        }
    }

    /// One word with the shell's single quotes and backslashes; nil where there is none, more, or an open quote.
    private static func value(_ text: Substring) -> String? {
        var value = ""
        var isQuoted = false
        var isEscaped = false
        for character in text.drop(while: \.isWhitespace) {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if character == "'" {
                isQuoted.toggle()
            } else if character == "\\", !isQuoted {
                isEscaped = true
            } else if character.isWhitespace, !isQuoted {
                return nil
            } else {
                value.append(character)
            }
        }
        return isQuoted || isEscaped || value.isEmpty ? nil : value
    }
}

extension Rational {
    /// A time as ffmpeg writes it: like a play time, or with `ms` or `us`.
    fileprivate init?(scriptTime text: String) {
        for (suffix, scale) in [("ms", 1000), ("us", 1_000_000)] where text.hasSuffix(suffix) {
            guard let value = TransitionDuration.decimal(String(text.dropLast(2))) else { return nil }
            self = value / Rational(scale)
            return
        }
        self.init(playTime: text)
    }
}

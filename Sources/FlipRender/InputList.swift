import FlipBase
import FlipFiles
import FlipGeometry
import Foundation

/// Files that list clips: `@list.txt` with one clip per line, and ffconcat scripts. They are never passed to libav.
package enum InputList {
    /// The clips that the command-line arguments `words` name, with each list replaced by the clips in it.
    /// - Parameter root: the folder to which the files named in lists are confined; nil for no such limit.
    /// - Throws: `MediaError`, or `OptionError` for an invalid trim.
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

    /// The path of the file that each of `words` refers to: for a list the list itself, for a part of a file the whole
    /// file. The file need not exist.
    package static func files(behind words: [String]) -> [String] {
        words.map { word in
            if FileManager.default.fileExists(atPath: word) { return word }
            if word.hasPrefix("@") { return String(word.dropFirst()) }
            return word.lastIndex(of: "#").map { String(word[..<$0]) } ?? word
        }
    }

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
        var status = stat()
        // Only regular files are examined, since a pipe would lose its first bytes.
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

    /// The clips that the list at `path`, whose content is `data`, names.
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

    /// The entries of a plain list: one path per line, optionally with a trim.
    private static func plain(_ list: Lines) throws(MediaError) -> [Entry] {
        var entries: [Entry] = []
        for (number, line) in list.lines {
            let path = list.resolve(line)
            if line.hasPrefix("@"), !FileManager.default.fileExists(atPath: path) {
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

    private static func check(
        _ clip: ClipSpec, _ line: Int, _ list: Lines, within root: RootFolder
    ) throws(MediaError) {
        for path in [clip.path, clip.captions].compactMap({ $0 }) {
            guard FileManager.default.fileExists(atPath: path) else {
                throw MediaError(.missingInput, "'\(list.path)' line \(line): there is no file '\(path)'")
            }
            guard root.contains(path) else {
                throw list.error(line, "'\(path)' is outside \(root.path) (--root)")
            }
        }
    }

    struct Entry {
        var line: Int
        var clip: ClipSpec
    }
}

/// The lines of a list that are neither blank nor comments.
struct Lines {
    let path: String
    /// The lines, numbered from 1 and stripped of white space at both ends.
    private(set) var lines: [(number: Int, text: String)] = []

    /// The maximum size of a list in bytes.
    static let maximumSize = 16 << 20

    init(_ path: String, _ data: Data) throws(MediaError) {
        self.path = path
        guard data.count <= Self.maximumSize, !data.contains(0), let text = String(data: data, encoding: .utf8) else {
            throw MediaError(.badInput, "'\(path)' is not a list: it has to be UTF-8 text with one path a line")
        }
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if !trimmed.isEmpty, !trimmed.hasPrefix("#") { lines.append((index + 1, trimmed)) }
        }
    }

    var isScript: Bool { lines.first?.text.hasPrefix(Script.signature) ?? false }

    /// A path in the list, which is relative to the list's folder, as a path relative to the working directory.
    func resolve(_ entry: String) -> String {
        if entry.hasPrefix("/") { return entry }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        return path.contains("/") ? "\(folder)/\(entry)" : "./\(entry)"
    }

    func error(_ line: Int, _ text: String) -> MediaError {
        MediaError(.badInput, "'\(path)' line \(line): \(text)")
    }
}

/// An ffconcat script (ffmpeg-formats, "concat"). Only its files and the parts of them to use are supported.
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
                    number, "'\(keyword)' is not supported (expected file, inpoint, outpoint or duration)")
            }
            let last = entries.count - 1
            guard last >= 0 else { throw list.error(number, "'\(keyword)' comes before the first file") }
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

    /// Completes an entry with its duration, which counts from the in point and is ignored if there is an out point.
    private func finish(_ entry: inout InputList.Entry, _ duration: Rational?, _ list: Lines) throws(MediaError) {
        let start = entry.clip.part.start ?? .zero
        if entry.clip.part.end == nil, let duration { entry.clip.part.end = start + duration }
        if let end = entry.clip.part.end, end <= start {
            throw list.error(entry.line, "nothing of '\(entry.clip.path)' is between its in point and its out point")
        }
    }

    /// Parses a single word with single quotes and backslashes as in the shell; nil if there is no word, more than one,
    /// or an unclosed quote.
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
    /// Parses a time in ffmpeg's syntax: a play time, or a number with the suffix `ms` or `us`.
    fileprivate init?(scriptTime text: String) {
        for (suffix, scale) in [("ms", 1000), ("us", 1_000_000)] where text.hasSuffix(suffix) {
            guard let value = TransitionDuration.decimal(String(text.dropLast(2))) else { return nil }
            self = value / Rational(scale)
            return
        }
        self.init(playTime: text)
    }
}

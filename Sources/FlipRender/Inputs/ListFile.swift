import FlipBase
import FlipFiles
import Foundation

/// A file that lists clips.
struct ListFile {
    let path: String

    /// The maximum size of a list in bytes.
    static let maximumSize = 16 << 20

    /// What the file contains, up to a byte more than is allowed.
    func read() throws(MediaError) -> Data {
        try InputDocument.read(path, atMost: Self.maximumSize, as: "the list '\(path)'")
    }

    /// A path in the list, which is relative to the list's folder, as a path relative to the working directory.
    func resolve(_ entry: String) -> String {
        if entry.hasPrefix("/") { return entry }
        let folder = Files.split(path).folder
        return (folder.isEmpty ? "./" : folder) + entry
    }

    func error(_ line: Int, _ text: String) -> MediaError { MediaError(.badInput, "\(place(line)): \(text)") }

    /// The line's name in messages.
    func place(_ line: Int) -> String { "'\(path)' line \(line)" }
}

/// The lines of a list that are neither blank nor comments.
struct Lines {
    let file: ListFile
    /// The lines, numbered from 1 and stripped of white space at both ends.
    private(set) var lines: [(number: Int, text: String)] = []

    init(_ path: String, _ data: Data) throws(MediaError) {
        file = ListFile(path: path)
        guard data.count <= ListFile.maximumSize, !data.contains(0), let text = String(data: data, encoding: .utf8)
        else {
            throw MediaError(.badInput, "'\(path)' is not a list: it has to be UTF-8 text with one path a line")
        }
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if !trimmed.isEmpty, !trimmed.hasPrefix("#") { lines.append((index + 1, trimmed)) }
        }
    }

    var isScript: Bool { lines.first?.text.hasPrefix(Script.signature) ?? false }

    func resolve(_ entry: String) -> String { file.resolve(entry) }

    func error(_ line: Int, _ text: String) -> MediaError { file.error(line, text) }
}

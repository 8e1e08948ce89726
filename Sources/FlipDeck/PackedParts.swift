import FlipBase
import FlipFiles
import Foundation

/// Reads the parts of a document that is a zip archive (PowerPoint or OpenDocument) with libarchive's bsdtar. It writes
/// them to its standard output as a tar archive, so that names in the document never become names of files.
package enum PackedParts {
    /// The largest part, in bytes.
    package static let maximumPart = 16 << 20
    /// The maximum number of bytes of all parts together.
    package static let maximumTotal = 256 << 20

    /// The parts of the document at `path` whose names match one of `patterns` ("ppt/slides/*.xml").
    /// - Parameters:
    ///   - largest: the limit of each part, in bytes.
    ///   - total: the limit of all parts together, in bytes.
    /// - Throws: `badInput` if it is not an archive or is too large, `missingCodec` if bsdtar isn't installed.
    static func read(
        _ path: String, _ patterns: [String], largest: Int = maximumPart, total: Int = maximumTotal
    ) throws(MediaError) -> [String: Data] {
        guard let start = Files.start(of: path, 4) else { throw .unreadable("'\(path)'") }
        // PowerPoint puts encrypted files into the container of its older format (MS-OFFCRYPTO 2.3.4).
        if start == [0xd0, 0xcf, 0x11, 0xe0] {
            throw MediaError(
                .badInput,
                "cannot read '\(path)': it is protected by a password, or an older file under a newer one's name (save it without a "
                    + "password, or export a PDF)")
        }
        guard start == Array("PK\u{3}\u{4}".utf8) else {
            throw MediaError(.badInput, "cannot read '\(path)': it is not a zip archive, or is cut off")
        }
        let output = try NamelessFile()
        let source = path.hasPrefix("/") ? path : "./" + path
        try HelperProgram.bsdtar.run(
            ["-c", "--format", "ustar", "-f", "-"] + patterns.flatMap { ["--include", $0] } + ["@" + source], for: path,
            into: output, limits: HelperProgram.Limits(fileBytes: total))
        guard let archive = try? Data(contentsOf: URL(fileURLWithPath: output.location), options: .mappedIfSafe) else {
            throw MediaError(.io, "cannot read a temporary file")
        }
        return try parts(ofTar: archive, path, largest: largest)
    }

    /// The largest film or sound that is taken out of a document, in bytes.
    package static let maximumMedium = 2 << 30
    /// The maximum number of films and sounds of a slide.
    static let maximumMedia = 1000

    /// Whether `name` can be given to bsdtar, which takes names for patterns.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasSuffix("/") && !name.split(separator: "/").contains("..")
            && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._- /()+,=@".contains($0)) }
    }

    /// A file with the contents of the part called `name`, which is plain.
    /// - Parameters:
    ///   - archive: the path at which the document can be opened.
    ///   - limit: the maximum number of bytes.
    /// - Throws: `badInput` if there is no such part, or if it is larger.
    static func file(_ name: String, in archive: String, for path: String, limit: Int) throws(MediaError)
        -> NamelessFile
    {
        let output = try NamelessFile()
        let source = archive.hasPrefix("/") ? archive : "./" + archive
        try HelperProgram.bsdtar.run(
            ["-x", "-q", "-O", "-f", source, "--", name], for: path, into: output,
            limits: HelperProgram.Limits(fileBytes: limit))
        return output
    }

    /// Writes a copy of the archive at `source`, an absolute path, to `copy`, with `parts` in place of those of the same
    /// names, if there are any. But for brackets, the names are plain.
    /// - Parameter folder: a folder for temporary files.
    static func replace(
        _ parts: [String: Data], of source: String, as copy: String, in folder: String, for path: String
    ) throws(MediaError) {
        var (options, files): ([String], [String]) = ([], [])
        for (index, part) in parts.sorted(by: { $0.key < $1.key }).enumerated() {
            let file = "part-\(index)"
            guard (try? part.value.write(to: URL(fileURLWithPath: folder + "/" + file))) != nil else {
                throw MediaError(.io, "cannot write in \(folder)")
            }
            // Brackets are for sets of characters.
            options += ["--exclude", "^" + part.key.replacing("[", with: "[[]"), "-s", ",^\(file)$,\(part.key),"]
            files.append(file)
        }
        // Not without compression: bsdtar writes the sizes after the contents, and LibreOffice 25 refuses that of stored parts.
        try HelperProgram.bsdtar.run(
            ["-c", "--format", "zip", "--options", "zip:compression-level=1", "-f", copy] + options
                + ["@" + source, "-C", folder] + files,
            for: path, into: try NamelessFile(), limits: HelperProgram.Limits(fileBytes: 8 << 30))
    }

    /// The files of a tar archive (POSIX.1-1988, ustar), by name.
    package static func parts(
        ofTar archive: Data, _ path: String, largest: Int = maximumPart
    ) throws(MediaError) -> [String: Data] {
        var parts: [String: Data] = [:]
        var position = archive.startIndex
        while archive.endIndex - position >= 512 {
            let head = archive[position..<position + 512]
            let name =
                text(head, 345, 155).isEmpty ? text(head, 0, 100) : text(head, 345, 155) + "/" + text(head, 0, 100)
            // Two blocks of zeros mark the end of the archive.
            if name.isEmpty { break }
            guard let size = Int(text(head, 124, 12).filter { $0 != " " }, radix: 8), size >= 0,
                size <= archive.endIndex - position - 512
            else { throw MediaError(.badInput, "cannot read '\(path)': \(name) in it is cut off") }
            guard size <= largest else {
                throw MediaError(
                    .badInput, "'\(path)': \(name) in it is larger than \(largest >> 20) MiB, the limit")
            }
            // Only regular files, whose type is "0", or NUL in old archives.
            if [0, UInt8(ascii: "0")].contains(head[position + 156]), parts[name] == nil {
                parts[name] = archive[position + 512..<position + 512 + size]
            }
            position += 512 + (size + 511) / 512 * 512
        }
        return parts
    }

    /// The header's field at `offset`, up to the first NUL.
    private static func text(_ head: Data, _ offset: Int, _ count: Int) -> String {
        String(decoding: head.dropFirst(offset).prefix(count).prefix { $0 != 0 }, as: UTF8.self)
    }
}

import FlipBase
import FlipFiles
import Foundation

/// The password of locked documents. It never becomes part of a command line, a plan or a message.
package struct Password: Sendable {
    private let text: String

    /// The longest password, in bytes: what PDF 2.0 uses of one is 127 (ISO 32000-2 7.6.4.3).
    private static let longest = 1024

    /// - Throws: `usage` if the password is empty, too long or of several lines.
    package init(_ text: String) throws(MediaError) {
        guard !text.isEmpty, text.utf8.count <= Self.longest, !text.contains(where: { $0.isNewline || $0 == "\0" })
        else {
            throw MediaError(.usage, "a password is one line of 1...\(Self.longest) bytes")
        }
        self.text = text
    }

    /// Reads the password from the first line of the file at `path`.
    package init(file path: String) throws(MediaError) {
        // The line may end with a carriage return and a line feed.
        let data = try InputDocument.read(path, atMost: Self.longest + 1, as: "the password file '\(path)'")
        let line = String(decoding: data, as: UTF8.self).prefix { !$0.isNewline }
        guard !line.isEmpty, line.utf8.count <= Self.longest else {
            throw MediaError(
                .badInput,
                "the first line of the password file '\(path)' is not a password of 1...\(Self.longest) bytes")
        }
        try self.init(String(line))
    }

    /// A copy of the PDF at `location` that needs no password. qpdf reads the password, of the user or of the owner, from
    /// a file without a name, since all users of the machine can read the arguments of programs.
    /// - Throws: `badInput` if the password is wrong, `missingCodec` if qpdf isn't installed.
    func unlocked(_ location: String, for path: String) throws(MediaError) -> NamelessFile {
        let (secret, copy) = (try NamelessFile(), try NamelessFile())
        try secret.append(Array((text + "\n").utf8))
        do throws(MediaError) {
            try HelperProgram.qpdf.run(
                [
                    "--password-file=" + secret.location, "--decrypt", "--no-warn", "--warning-exit-0",
                    "--deterministic-id", location, "-",
                ], for: path, into: copy)
        } catch {
            guard error.message.contains("invalid password") else { throw error }
            throw MediaError(
                .badInput, "the password given isn't the one of '\(path)' (either the user's or the owner's is needed)")
        }
        return copy
    }
}

import FlipMedia
import Foundation

/// Standard output, where a write that fails is an error.
enum StandardOutput {
    static func write(_ bytes: Data) throws(MediaError) {
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            // `head` has had enough, and knows.
            throw MediaError(errno == EPIPE ? .closedReader : .io, "cannot write to standard output")
        }
    }
}

/// Prints like Swift's own `print`, which says nothing of a full disk: this one ends the program with 74. It takes the other's
/// place in the whole program.
func print(_ text: some CustomStringConvertible, terminator: String = "\n") {
    do {
        try StandardOutput.write(Data((text.description + terminator).utf8))
    } catch {
        Failure.exit(error)
    }
}

import FlipBase
import Foundation

/// Standard output, with failed writes reported as errors.
enum StandardOutput {
    static func write(_ bytes: Data) throws(MediaError) {
        do {
            try FileHandle.standardOutput.write(contentsOf: bytes)
        } catch {
            // A reader such as `head` that closes the pipe isn't an error to report.
            throw MediaError(errno == EPIPE ? .closedReader : .io, "cannot write to standard output")
        }
    }
}

/// Replaces Swift's `print` in the whole program. That one ignores errors such as a full disk; this one ends the
/// program with exit code 74.
func print(_ text: some CustomStringConvertible, terminator: String = "\n") {
    do {
        try StandardOutput.write(Data((text.description + terminator).utf8))
    } catch {
        Failure.exit(error)
    }
}

import FlipBase
import Foundation

/// Files that a user has named, and that are read whole.
package enum InputDocument {
    /// The bytes of the file at `path`, up to one more than `limit`, which tells that there are too many.
    /// - Parameters:
    ///   - copy: the path of a copy of the file, which is read in its place; nil for the file itself.
    ///   - name: what the error calls the file; nil for its path.
    ///   - takesStandardInput: whether "-" is standard input.
    /// - Throws: `missingInput` if it can't be read, `badInput` if this process may not read it.
    package static func read(
        _ path: String, copy: String? = nil, atMost limit: Int, as name: String? = nil, takesStandardInput: Bool = false
    ) throws(MediaError) -> Data {
        let isInput = takesStandardInput && path == "-"
        if !isInput { try Confinement.check(path) }
        let file = isInput ? FileHandle.standardInput : FileHandle(forReadingAtPath: copy ?? path)
        guard let file, let data = try? file.read(upToCount: limit + 1) ?? Data() else {
            throw .unreadable(name ?? "'\(path)'")
        }
        return data
    }
}

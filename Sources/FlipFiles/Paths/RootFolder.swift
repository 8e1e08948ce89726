import FlipBase
import Foundation

/// A folder to which the files that lists, projects and timelines name are confined.
package struct RootFolder: Sendable {
    /// The absolute path, with symbolic links resolved.
    package let path: String

    /// Throws `missingInput` if there is no such folder.
    package init(_ path: String) throws(MediaError) {
        guard let real = Files.realPath(path) else { throw MediaError(.missingInput, "there is no folder '\(path)'") }
        self.path = real
    }

    /// Why the file at `path` can't be used, as a sentence; nil if the folder contains it.
    package func refusal(of path: String) -> String? {
        contains(path) ? nil : "'\(path)' is outside \(self.path) (--root)"
    }

    /// Whether `path` is the folder, or the file at `path` lies within it, with symbolic links resolved. Of a file that
    /// doesn't exist, the deepest folder that does is resolved.
    package func contains(_ path: String) -> Bool { RealPath(path).isInside(self.path) }
}

import FlipBase
import Foundation

/// A folder to which the files that lists, projects and timelines name are confined.
package struct RootFolder: Sendable {
    /// The absolute path, with symbolic links resolved.
    package let path: String

    /// Throws `missingInput` if there is no such folder.
    package init(_ path: String) throws(MediaError) {
        guard let real = Files.realPath(path) else {
            throw MediaError(.missingInput, "there is no folder '\(path)'")
        }
        self.path = real
    }

    /// Whether the file at `path`, with symbolic links resolved, lies within the folder. If there is no such file, its
    /// path alone decides.
    package func contains(_ path: String) -> Bool {
        let real = Files.realPath(path) ?? URL(fileURLWithPath: path).standardizedFileURL.path
        return real.hasPrefix(self.path == "/" ? "/" : self.path + "/")
    }
}

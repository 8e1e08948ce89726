import FlipBase
import Foundation

/// A folder to which the files that lists, projects and timelines name are confined.
package struct RootFolder: Sendable {
    /// The absolute path, with symbolic links resolved.
    package let path: String

    /// Throws `missingInput` if there is no such folder.
    package init(_ path: String) throws(MediaError) {
        guard let real = RootFolder.realPath(path) else {
            throw MediaError(.missingInput, "there is no folder '\(path)'")
        }
        self.path = real
    }

    /// Whether the file at `path`, with symbolic links resolved, lies within the folder. If there is no such file, its
    /// path alone decides.
    package func contains(_ path: String) -> Bool {
        let real = RootFolder.realPath(path) ?? URL(fileURLWithPath: path).standardizedFileURL.path
        return real.hasPrefix(self.path == "/" ? "/" : self.path + "/")
    }

    private static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

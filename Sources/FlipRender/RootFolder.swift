import FlipMedia
import Foundation

/// A folder that lists, projects and timelines may not name files outside of.
package struct RootFolder: Sendable {
    /// Absolute, without links.
    package let path: String

    /// Throws `missingInput` where there is no such folder.
    package init(_ path: String) throws(MediaError) {
        guard let real = RootFolder.realPath(path) else {
            throw MediaError(.missingInput, "there is no folder '\(path)'")
        }
        self.path = real
    }

    /// Whether the file at `path` lies within, links followed; one that isn't there, by its name.
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

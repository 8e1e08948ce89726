import FlipBase
import Foundation

/// What tells a file from all others that this machine sees, whatever its path.
package struct FileNumber: Hashable {
    private let device: UInt64
    private let file: UInt64

    package init(_ status: stat) {
        device = UInt64(truncatingIfNeeded: status.st_dev)
        file = UInt64(truncatingIfNeeded: status.st_ino)
    }
}

/// A file's path and size, with its modification time or its SHA-256, by which changes are detected.
package struct FileIdentity: Codable, Sendable, Hashable {
    package var path: String
    /// The file's size in bytes; 0 for a folder, -1 for a missing file.
    package var bytes: Int
    /// The modification time, in nanoseconds since 1970; 0 if the contents are identified by `sha256`.
    package var modified: Int
    /// The SHA-256 of the contents; nil if the modification time identifies them.
    package var sha256: String?

    /// Returns nil and sets `errno` if there is no such file.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.path = path
        bytes = status.st_mode & S_IFMT == S_IFDIR ? 0 : Int(status.st_size)
        modified = Self.nanoseconds(status)
    }

    private init(path: String, bytes: Int, modified: Int) {
        (self.path, self.bytes, self.modified) = (path, bytes, modified)
    }

    /// The identity of a file that does not exist.
    package static func missing(_ path: String) -> FileIdentity { FileIdentity(path: path, bytes: -1, modified: 0) }

    /// The modification time, in nanoseconds since 1970.
    package static func nanoseconds(_ status: stat) -> Int {
        #if canImport(Darwin)
            status.st_mtimespec.tv_sec * 1_000_000_000 + status.st_mtimespec.tv_nsec
        #else
            status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        #endif
    }

    /// The file at `path`, or the entries of the folder at `path` in order of their names; nil if there is nothing.
    package static func all(at path: String) -> [FileIdentity]? {
        guard let own = FileIdentity(path: path) else { return nil }
        guard Files.isFolder(path) == true else { return [own] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().compactMap { FileIdentity(path: "\(path)/\($0)") }
    }
}

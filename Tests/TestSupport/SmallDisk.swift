import Foundation

/// A file system of a given size in memory. It can be made only on Linux and by root.
package final class SmallDisk {
    package let path: String
    private let folder: TemporaryFolder

    package static let canBeMade = getuid() == 0 && FileManager.default.fileExists(atPath: "/proc/mounts")
    package static let cannotBeMade = "mounts a small tmpfs, which takes root"

    package init(kilobytes: Int) throws {
        folder = try TemporaryFolder()
        path = folder.path
        try Tool.succeed("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
    }

    deinit { _ = try? Tool.run("umount", ["--lazy", path]) }

    package func makeReadOnly() throws { try Tool.succeed("mount", ["-o", "remount,ro", path]) }

    /// The names of its entries, sorted.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

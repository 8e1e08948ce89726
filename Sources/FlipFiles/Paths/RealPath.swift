import FlipBase
import Foundation

/// An absolute path without symbolic links. Components that don't exist yet are appended to the resolved path of the
/// deepest folder that does. A link to what doesn't exist yet is followed as well.
package struct RealPath: Hashable {
    package let path: String

    /// How many links to what doesn't exist are followed, as many as Linux follows in a path.
    private static let mostLinks = 40

    package init(_ path: String) {
        var rest: [String] = []
        var links = 0
        var head = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        // Components that don't exist aren't links, so ".." among them can be resolved by name.
        while true {
            if let real = Files.realPath(head) {
                let folder = real.split(separator: "/").map(String.init)
                self.path = "/" + Self.apply(rest, to: folder).joined(separator: "/")
                return
            }
            let parts = head.split(separator: "/").map(String.init)
            guard let last = parts.last else {
                self.path = "/"
                return
            }
            let folder = "/" + parts.dropLast().joined(separator: "/")
            if links < Self.mostLinks, let target = try? FileManager.default.destinationOfSymbolicLink(atPath: head) {
                links += 1
                head = target.hasPrefix("/") ? target : "\(folder)/\(target)"
            } else {
                rest.insert(last, at: 0)
                head = folder
            }
        }
    }

    private static func apply(_ names: [String], to folder: [String]) -> [String] {
        names.reduce(into: folder) { folder, name in
            switch name {
            case ".": break
            case "..": _ = folder.popLast()
            default: folder.append(name)
            }
        }
    }

    /// Whether this is `folder` or lies in it.
    package func isInside(_ folder: String) -> Bool { folder == "/" || path == folder || path.hasPrefix(folder + "/") }
}

/// The files and folders that all jobs read, for checking that no output replaces any of them.
package struct InputFiles {
    private var names: [String: String] = [:]
    private var numbers: [FileNumber: String] = [:]
    private var folders: [String: String] = [:]

    package init() {}

    package mutating func add(_ real: RealPath, _ name: String) {
        names[real.path] = name
        var status = stat()
        guard stat(real.path, &status) == 0 else { return }
        if status.st_mode & S_IFMT == S_IFDIR { folders[real.path] = name } else { numbers[FileNumber(status)] = name }
    }

    /// The name of the input that a file written at `real` would replace, because it has that path or is a hard link to
    /// it; nil if there is none.
    package func name(whereReplacedBy real: RealPath) -> String? {
        if let name = names[real.path] { return name }
        var status = stat()
        return stat(real.path, &status) == 0 ? numbers[FileNumber(status)] : nil
    }

    /// The name of the input folder that `real` would lie in, at any depth; nil if there is none.
    package func folder(around real: RealPath) -> String? {
        var parts = real.path.split(separator: "/")
        while parts.popLast() != nil {
            if let name = folders["/" + parts.joined(separator: "/")] { return name }
        }
        return nil
    }
}

import FlipFiles
import Foundation

/// What lies in a folder and in those below it, to tell which of it has changed, and which is still being written.
package struct FolderState: Equatable, Sendable {
    private struct Entry: Equatable, Sendable {
        let size: Int
        let modified: Int
    }

    /// By the paths of the files.
    private var entries: [String: Entry] = [:]

    /// An empty folder.
    package init() {}

    /// - Parameter excluded: a folder whose files don't count, such as that of the outputs.
    package init(_ folder: String, without excluded: String) {
        guard let paths = FileManager.default.enumerator(atPath: folder) else { return }
        let other = excluded + "/"
        for case let name as String in paths {
            let path = folder + "/" + name
            var status = stat()
            guard !name.hasPrefix("."), !name.contains("/."), path != excluded, !path.hasPrefix(other),
                stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG
            else { continue }
            entries[path] = Entry(size: Int(status.st_size), modified: FileIdentity.nanoseconds(status))
        }
    }

    /// The files that have not changed since `earlier`.
    package func settled(since earlier: FolderState) -> FolderState {
        var state = self
        state.entries = entries.filter { earlier.entries[$0.key] == $0.value }
        return state
    }

    /// Whether the file at `path`, or every file in the folder at `path`, is the same in `other`.
    package func agrees(with other: FolderState, at path: String) -> Bool {
        let isHere = { (name: String) in name == path || name.hasPrefix(path + "/") }
        return entries.filter { isHere($0.key) } == other.entries.filter { isHere($0.key) }
    }
}

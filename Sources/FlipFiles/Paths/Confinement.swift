import FlipBase
import Synchronization

/// The folder in which all files have to lie that users, lists, projects and documents name, for processes that do what
/// somebody else asks for. What a process makes for itself, such as temporary files, may lie anywhere.
package enum Confinement {
    /// The environment variable that names the folder. `serve` sets it for the processes that carry out its calls.
    package static let variable = "FLIPTRANSITION_CONFINED_TO"

    private static let root: Result<RootFolder, MediaError>? = getenv(variable).map { path in
        Result { () throws(MediaError) in try RootFolder(String(cString: path)) }
    }

    /// Whether there is such a folder.
    package static var isActive: Bool { root != nil }

    /// Throws if the file at `path`, with symbolic links resolved, lies outside of the folder.
    package static func check(_ path: String) throws(MediaError) {
        guard let root = try root?.get(), !isOwn(path), !root.contains(path) else { return }
        throw refusal(of: path, by: root)
    }

    /// The error that refuses the file at `path`.
    package static func refusal(of path: String, by root: RootFolder) -> MediaError {
        MediaError(.badInput, "'\(path)' is outside \(root.path), and nothing else may be read or written")
    }

    private static let own = Mutex<[String]>([])

    /// Lets the files right in `folder` be read and written, which this program has chosen and not a user.
    package static func allow(_ folder: String) { own.withLock { $0.append(folder) } }

    /// Whether this process has made or chosen the file itself.
    private static func isOwn(_ path: String) -> Bool {
        let nameless = "/proc/\(getpid())/fd/"
        if path.hasPrefix(nameless), path.dropFirst(nameless.count).allSatisfy(\.isNumber) { return true }
        let isChosen = own.withLock { folders in
            folders.contains { path.hasPrefix($0 + "/") && !path.dropFirst($0.count + 1).contains("/") }
        }
        return isChosen || TemporaryPlace.isOwn(path)
    }
}

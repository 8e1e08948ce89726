import FlipBase

/// The folder that must contain every file that a user, a list, a project or a document names, in processes that carry
/// out somebody else's requests: the calls of agents, and the jobs of a batch with `--root`. Files that the process makes
/// for itself, such as temporary ones, may be anywhere.
package enum Confinement {
    /// The environment variable that names the folder. `serve` sets it for the processes that carry out its calls.
    package static let variable = "FLIPTRANSITION_CONFINED_TO"

    private static let inherited: Result<RootFolder, MediaError>? = getenv(variable).map { path in
        Result { () throws(MediaError) in try RootFolder(String(cString: path)) }
    }
    private static let chosen = Mutex<RootFolder?>(nil)

    /// Whether this process carries out the call of an agent.
    package static var isAgents: Bool { inherited != nil }

    /// Confines this process to `root` from now on, in addition to the folder that it may have inherited; nil lifts that.
    package static func confine(to root: RootFolder?) { chosen.withLock { $0 = root } }

    /// Throws if the file at `path`, with symbolic links resolved, is outside the folder.
    package static func check(_ path: String) throws(MediaError) {
        for root in [try inherited?.get(), chosen.withLock { $0 }].compactMap(\.self)
        where !isOwn(path) && !root.contains(path) {
            throw refusal(of: path, by: root)
        }
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

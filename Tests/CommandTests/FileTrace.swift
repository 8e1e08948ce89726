import TestSupport

/// The files that a run of the program and of what it starts has opened, made, renamed or executed, as strace saw it.
struct FileTrace {
    private let log: String

    init(in folder: TemporaryFolder, _ name: String = "trace") { log = folder / name }

    private static let calls =
        "open,openat,openat2,creat,execve,rename,renameat,renameat2,link,linkat,symlink,symlinkat,truncate,"
        + "unlink,unlinkat,mkdir,mkdirat"

    /// The words in front of a command line that is to be traced.
    var words: [String] { ["strace", "-f", "-qq", "-y", "-s", "4096", "-o", log, "-e", "trace=" + Self.calls] }

    /// Whether strace is installed and may trace processes here, as in some containers it may not.
    static let works = (try? Tool.run("strace", ["-f", "-qq", "-y", "-o", "/dev/null", "true"]).status) == 0
    static let isMissing = "strace is not installed, or may not trace processes here (scripts/setup --tests)"

    /// The paths that the calls named, and those behind the descriptors that they returned, without symbolic links.
    /// - Parameter folder: the working folder, at which relative paths start if a call doesn't say where.
    func paths(from folder: String) throws -> Set<String> {
        var paths: Set<String> = []
        let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
        let named = /(?:(?:AT_FDCWD|\d+)<([^>]*)>, )?"((?:[^"\\]|\\.)*)"/
        for line in text.split(separator: "\n") {
            let isStart = line.contains("execve(")
            for match in isStart ? Array(line.matches(of: named).prefix(1)) : line.matches(of: named) {
                let path = String(match.2)
                let whole = path.hasPrefix("/") ? path : "\(match.1 ?? folder[...])/\(path)"
                paths.insert(URL(fileURLWithPath: whole).standardized.path)
            }
            if let found = line.firstMatch(of: /= \d+<(\/[^>]*)>$/) { paths.insert(String(found.1)) }
        }
        return paths
    }

    /// The folders that any run may read: the system's libraries, programs, settings and fonts, and its devices.
    private static let system = [
        "/usr", "/lib", "/lib32", "/lib64", "/bin", "/sbin", "/opt", "/etc", "/proc", "/sys", "/dev",
        "/var/cache/fontconfig", "/var/lib",
    ]

    /// Those of `paths` that lie neither in `folders` nor in the system's.
    static func strays(_ paths: Set<String>, beside folders: [String]) throws -> [String] {
        let program = URL(fileURLWithPath: try Places.program()).resolvingSymlinksInPath().deletingLastPathComponent()
        let allowed =
            system + folders + [
                program.path, URL(fileURLWithPath: try Places.program()).deletingLastPathComponent().path,
            ]
        return paths.filter { path in !allowed.contains { path == $0 || path.hasPrefix($0 + "/") } }.sorted()
    }
}

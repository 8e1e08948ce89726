#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What the path of an output stands for, which decides how the output is written, and the rules that all outputs keep: films,
/// pictures, reports and timelines.
package enum OutputPlace: Sendable, Equatable {
    /// A regular file, or a name that nothing has yet. The output appears there whole or not at all.
    case file
    /// Standard output or another descriptor that the caller has opened: `-`, `/dev/stdout`, `/dev/fd/3`.
    case descriptor(Int32)
    /// A named pipe or a device, which is written into and never replaced.
    case special

    package init(_ path: String) {
        if let number = Self.descriptor(path) {
            self = .descriptor(number)
            return
        }
        var status = stat()
        guard stat(path, &status) == 0 else {
            self = .file
            return
        }
        switch status.st_mode & S_IFMT {
        case S_IFREG, S_IFDIR: self = .file
        default: self = .special
        }
    }

    /// Whether bytes are gone once they are written, from front to back.
    package var isStream: Bool { self != .file }

    /// The number of the open descriptor that `path` stands for.
    private static func descriptor(_ path: String) -> Int32? {
        switch path {
        case "-", "/dev/stdout": return STDOUT_FILENO
        case "/dev/stderr": return STDERR_FILENO
        default:
            for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
                return Int32(path.dropFirst(folder.count)).flatMap { $0 >= 0 ? $0 : nil }
            }
            return nil
        }
    }

    // MARK: Rules

    /// Throws where an output at `path` would replace what it must not, or can't be created.
    /// - Parameters:
    ///   - overwrites: whether an existing file may be replaced.
    ///   - inputs: every file that is read.
    /// - Throws: `usage` for an input, else `cannotCreate`.
    package static func check(_ path: String, overwrites: Bool, inputs: [String]) throws(MediaError) {
        if case .descriptor(let number) = OutputPlace(path) { return try check(descriptor: number, path) }
        var status = stat()
        if stat(path, &status) == 0 {
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR {
                throw MediaError(.cannotCreate, "\(path) is a directory (name an output file in it)")
            }
            let own = identity(path)
            if inputs.contains(where: { identity($0) == own }) {
                throw MediaError(.usage, "\(path) is an input as well (give another name to what is written)")
            }
            // What a disk holds is as easily lost as a file.
            if kind == S_IFREG || kind == S_IFBLK, !overwrites {
                throw MediaError(.cannotCreate, "\(path) exists already (give -y to replace it)")
            }
            if kind != S_IFREG {
                guard access(path, W_OK) == 0 else { throw MediaError(.cannotCreate, "\(path) is not writable") }
                return
            }
        }
        try checkFolder(of: path)
    }

    private static func check(descriptor: Int32, _ path: String) throws(MediaError) {
        let mode = fcntl(descriptor, F_GETFL)
        // A closed standard output is an error of writing, like one that is closed later.
        if descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO { return }
        guard mode >= 0, mode & O_ACCMODE != O_RDONLY else {
            throw MediaError(.cannotCreate, "\(path) is not open for writing (open it as in 3>file or 3>&1)")
        }
    }

    private static func checkFolder(of path: String) throws(MediaError) {
        let folder = parent(of: path)
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw MediaError(.cannotCreate, "\(path): there is no folder \(folder)")
        }
        guard access(folder, W_OK) == 0 else {
            throw MediaError(.cannotCreate, "\(path): the folder \(folder) is not writable")
        }
    }

    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// The same text for all paths of one file, symbolic links followed, whether it is there or not.
    package static func identity(_ path: String) -> String {
        if let number = descriptor(path) { return "descriptor \(number)" }
        if let real = resolved(path) { return real }
        let name = path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
        let folder = resolved(parent(of: path)) ?? parent(of: path)
        return folder == "/" ? "/" + name : folder + "/" + name
    }

    /// Without symbolic links; nil where nothing is there.
    static func resolved(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

/// A file that a run writes beside its output, such as a report. It keeps the rules of every output: it is no input and not
/// the output itself, replaces a file only where that is allowed, and appears whole or not at all.
package struct SideOutput: Sendable {
    private let path: String
    private let overwrites: Bool

    /// Checks all that can be checked before there is anything to write.
    /// - Parameters:
    ///   - name: what it is, as errors call it.
    ///   - outputs: what the run writes besides.
    package init(
        _ path: String, name: String, overwrites: Bool, inputs: [String], outputs: [String]
    ) throws(MediaError) {
        self.path = path
        self.overwrites = overwrites
        for output in outputs where Self.collides(path, output) {
            throw MediaError(
                .usage, "\(path) is both the output and the \(name) (give the \(name) another name)")
        }
        try OutputPlace.check(path, overwrites: overwrites, inputs: inputs)
    }

    private static func collides(_ path: String, _ output: String) -> Bool {
        let (own, other) = (OutputPlace.identity(path), OutputPlace.identity(output))
        // What is thrown away doesn't get mixed up.
        if own == other { return own != "/dev/null" }
        guard let names = FrameNames(output) else { return false }
        let (place, sequence) = (split(own), split(other))
        return place.folder == sequence.folder && names.index(ofName: place.name) != nil
    }

    private static func split(_ path: String) -> (folder: Substring, name: String) {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return (path[..<start], String(path[start...]))
    }

    /// Writes `bytes` as the whole of it.
    package func write(_ bytes: some Collection<UInt8>) throws(MediaError) {
        let file = try OutputFile(path: path, overwrite: overwrites)
        defer { file.discard() }
        try file.write(Array(bytes))
        _ = try file.commit()
    }
}

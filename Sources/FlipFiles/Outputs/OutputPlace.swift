import FlipBase

/// What an output path stands for, which decides how the output is written, and the checks that all outputs share:
/// videos, pictures, reports and timelines.
package enum OutputPlace: Sendable, Equatable {
    /// A regular file, or a path at which nothing exists yet. The output appears there complete or not at all.
    case file
    /// Standard output or another descriptor that the caller has opened: `-`, `/dev/stdout`, `/dev/fd/3`.
    case descriptor(Int32)
    /// A named pipe or a device, which is written to directly and never replaced.
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

    /// Whether the output can only be written from front to back.
    package var isStream: Bool { self != .file }

    /// The number of the open descriptor that `path` stands for; nil if it stands for something else.
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

    // MARK: Checks

    /// Throws if an output at `path` would replace something it mustn't, or can't be created.
    /// - Parameters:
    ///   - overwrites: whether an existing file may be replaced.
    ///   - inputs: the paths of all files that are read.
    /// - Throws: `usage` if `path` is an input, else `cannotCreate`.
    package static func check(_ path: String, overwrites: Bool, inputs: [String]) throws(MediaError) {
        if path != "-" { try Confinement.check(path) }
        if case .descriptor(let number) = OutputPlace(path) { return try check(descriptor: number, path) }
        var status = stat()
        if stat(path, &status) == 0 {
            let kind = status.st_mode & S_IFMT
            if kind == S_IFDIR { throw MediaError(.cannotCreate, "\(path) is a directory (name an output file in it)") }
            let own = identity(path)
            if inputs.contains(where: { identity($0) == own }) {
                throw MediaError(.usage, "\(path) is also an input (write to another file)")
            }
            // Block devices count as existing files: what is on a disk is lost as easily.
            if kind == S_IFREG || kind == S_IFBLK, !overwrites { throw MediaError.exists(path) }
            if kind != S_IFREG {
                guard access(path, W_OK) == 0 else { throw MediaError(.cannotCreate, "\(path) is not writable") }
                return
            }
        }
        try checkFolder(of: path)
    }

    private static func check(descriptor: Int32, _ path: String) throws(MediaError) {
        let mode = fcntl(descriptor, F_GETFL)
        // If standard output or standard error is closed, writing reports it, as it does when they are closed later.
        if descriptor == STDOUT_FILENO || descriptor == STDERR_FILENO { return }
        guard mode >= 0, mode & O_ACCMODE != O_RDONLY else {
            throw MediaError(.cannotCreate, "\(path) is not open for writing (open it as in 3>file or 3>&1)")
        }
    }

    private static func checkFolder(of path: String) throws(MediaError) {
        let folder = Files.folder(of: path)
        var status = stat()
        guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw MediaError(.cannotCreate, "\(path): there is no folder \(folder)")
        }
        guard access(folder, W_OK) == 0 else {
            throw MediaError(.cannotCreate, "\(path): the folder \(folder) is not writable")
        }
    }

    /// A text that is the same for all paths of one file, with symbolic links resolved, whether or not the file exists.
    package static func identity(_ path: String) -> String {
        if let number = descriptor(path) { return "descriptor \(number)" }
        return RealPath(path).path
    }
}

/// A file that a run writes in addition to its output, such as a report. It must be neither an input nor the output
/// itself, replaces an existing file only if that is allowed, and appears complete or not at all.
package struct SideOutput: Sendable {
    private let path: String
    private let overwrites: Bool

    /// Checks everything that can be checked before there is anything to write.
    /// - Parameters:
    ///   - name: what the file is called in error messages.
    ///   - outputs: the paths of the run's other outputs.
    package init(
        _ path: String, name: String, overwrites: Bool, inputs: [String], outputs: [String]
    ) throws(MediaError) {
        (self.path, self.overwrites) = (path, overwrites)
        for output in outputs where Self.collides(path, output) {
            throw MediaError(.usage, "\(path) is both the output and the \(name) (give the \(name) another name)")
        }
        try OutputPlace.check(path, overwrites: overwrites, inputs: inputs)
    }

    private static func collides(_ path: String, _ output: String) -> Bool {
        let (own, other) = (OutputPlace.identity(path), OutputPlace.identity(output))
        // Both may be /dev/null, which keeps nothing.
        if own == other { return own != "/dev/null" }
        guard let names = FrameNames(output) else { return false }
        let (place, sequence) = (Files.split(own), Files.split(other))
        return place.folder == sequence.folder && names.index(ofName: place.name) != nil
    }

    /// Writes `bytes` as the whole content of the file.
    package func write(_ bytes: some Collection<UInt8>) throws(MediaError) {
        let file = try OutputFile(path: path, overwrite: overwrites)
        defer { file.discard() }
        try file.write(Array(bytes))
        _ = try file.commit()
    }
}

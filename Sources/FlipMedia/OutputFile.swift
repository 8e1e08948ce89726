import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// What a `MediaWriter` makes: it appears whole or not at all.
protocol Output: AnyObject, Sendable {
    /// Removes what was written. Safe to call from any thread, and after `commit` without effect.
    func discard()
    /// Gives it its name, once its bytes are on the disk.
    /// - Returns: its size in bytes; 0 for standard output.
    func commit() throws(MediaError) -> Int
}

/// A file that appears whole or not at all: written under a temporary name beside its own, synced, renamed. The path `-` is
/// standard output, where bytes are gone once they are written.
final class OutputFile: Output {
    /// The final name, with symbolic links followed.
    let path: String
    /// Where to write meanwhile; nil for standard output.
    private let temporary: TemporaryPlace?
    /// The name it has until it gets its own.
    var workingPath: String { temporary?.path ?? path }
    /// Where libav is to write.
    var url: String { temporary.map { "file:" + $0.path } ?? "pipe:1" }
    var isStandardOutput: Bool { temporary == nil }
    private let overwrites: Bool

    private enum State {
        case open
        case finished
        case discarded
    }
    private let state = Mutex(State.open)

    init(path: String, overwrite: Bool) throws(MediaError) {
        if path == "-" {
            (self.path, temporary, overwrites) = (path, nil, false)
            return
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR {
            throw MediaError(.cannotCreate, "cannot write '\(path)': it is a directory")
        }
        if exists, !overwrite {
            throw MediaError(.cannotCreate, "'\(path)' exists already; give -y to replace it")
        }
        let target = exists ? Self.resolved(path) : path
        self.path = target
        overwrites = overwrite
        guard let temporary = TemporaryPlace(beside: target, kind: .file) else {
            throw Self.failure(.cannotCreate, "create", path)
        }
        self.temporary = temporary
        if exists { temporary.setMode(status.st_mode & 0o777) }
    }

    deinit { discard() }

    func discard() {
        state.withLock { state in
            guard case .open = state else { return }
            temporary?.remove()
            state = .discarded
        }
    }

    var isDiscarded: Bool {
        state.withLock { state in
            if case .discarded = state { true } else { false }
        }
    }

    func commit() throws(MediaError) -> Int {
        let result: Result<Int, MediaError> = state.withLock { state in
            guard case .open = state else { return .failure(MediaError(.io, "writing '\(path)' was cancelled")) }
            do throws(MediaError) {
                let size = try temporary.map { temporary throws(MediaError) in try publish(temporary) } ?? 0
                state = .finished
                return .success(size)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func publish(_ temporary: TemporaryPlace) throws(MediaError) -> Int {
        guard temporary.sync() else { throw Self.failure(.io, "finish", path) }
        let size = temporary.byteCount
        guard overwrites ? Self.rename(temporary.path, path) : Self.renameWithoutReplacing(temporary.path, path) else {
            throw errno == EEXIST
                ? MediaError(.cannotCreate, "'\(path)' exists already; give -y to replace it")
                : Self.failure(.cannotCreate, "create", path)
        }
        Self.syncFolder(of: path)
        return size
    }

    /// Gets the new name of the file at `path` on the disk. Not every file system can; the name is there all the same.
    static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let descriptor = open(folder, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// Gives a file another name, which no other file may have; false, with `errno`, when that fails.
    static func renameWithoutReplacing(_ from: String, _ to: String) -> Bool {
        if link(from, to) == 0 {
            unlink(from)
            return true
        }
        if errno == EEXIST { return false }
        // No hard links on this file system: claim the name, then replace the claim.
        let claim = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard claim >= 0 else { return false }
        close(claim)
        if rename(from, to) { return true }
        let reason = errno
        unlink(to)
        errno = reason
        return false
    }

    /// Gives a file another name, replacing what has it; false, with `errno`, when that fails.
    static func rename(_ from: String, _ to: String) -> Bool {
        #if canImport(Darwin)
            Darwin.rename(from, to) == 0
        #elseif canImport(Glibc)
            Glibc.rename(from, to) == 0
        #else
            Musl.rename(from, to) == 0
        #endif
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    static func failure(_ kind: MediaError.Kind, _ verb: String, _ path: String) -> MediaError {
        let isDisk = errno == ENOSPC || errno == EIO || errno == EDQUOT
        return MediaError(
            isDisk ? .io : kind, "cannot \(verb) '\(path)': \(String(cString: strerror(errno)).lowercasedFirst)")
    }
}

import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A file that appears whole or not at all: written under a temporary name beside its own, synced, renamed. The path `-` is
/// standard output, where bytes are gone once they are written.
final class OutputFile: Sendable {
    /// The final name, with symbolic links followed.
    let path: String
    /// Where to write meanwhile; empty for standard output.
    private let temporaryPath: String
    /// Where libav is to write.
    var url: String { isStandardOutput ? "pipe:1" : "file:" + temporaryPath }
    var isStandardOutput: Bool { temporaryPath.isEmpty }
    private let overwrites: Bool

    private enum State {
        case open
        case finished
        case discarded
    }
    private let state = Mutex(State.open)

    init(path: String, overwrite: Bool) throws(MediaError) {
        if path == "-" {
            (self.path, temporaryPath, overwrites) = (path, "", false)
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
        let slash = target.lastIndex(of: "/").map { target.index(after: $0) } ?? target.startIndex
        let directory = String(target[..<slash])
        // Names are at most 255 bytes.
        let name = target[slash...].prefix(60)
        let suffix = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        temporaryPath = "\(directory).\(name).part-\(getpid())-\(suffix)"
        let descriptor = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(.cannotCreate, "create", path) }
        close(descriptor)
        if exists { chmod(temporaryPath, status.st_mode & 0o777) }
    }

    deinit { discard() }

    /// Removes what was written. Safe to call from any thread, and after `commit` without effect.
    func discard() {
        state.withLock { state in
            guard case .open = state else { return }
            if !isStandardOutput { unlink(temporaryPath) }
            state = .discarded
        }
    }

    var isDiscarded: Bool {
        state.withLock { state in
            if case .discarded = state { true } else { false }
        }
    }

    /// Gives the file its name, once its bytes are on the disk.
    /// - Returns: its size in bytes; 0 for standard output.
    func commit() throws(MediaError) -> Int {
        let result: Result<Int, MediaError> = state.withLock { state in
            guard case .open = state else { return .failure(MediaError(.io, "writing '\(path)' was cancelled")) }
            do throws(MediaError) {
                let size = isStandardOutput ? 0 : try synced()
                if !isStandardOutput { try rename() }
                state = .finished
                return .success(size)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func synced() throws(MediaError) -> Int {
        let descriptor = open(temporaryPath, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(.io, "finish", path) }
        defer { close(descriptor) }
        var status = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &status) == 0 else { throw Self.failure(.io, "finish", path) }
        return Int(status.st_size)
    }

    private func rename() throws(MediaError) {
        if overwrites {
            guard replace() else { throw Self.failure(.cannotCreate, "create", path) }
        } else if link(temporaryPath, path) == 0 {
            unlink(temporaryPath)
        } else if errno == EEXIST {
            throw MediaError(.cannotCreate, "'\(path)' exists already; give -y to replace it")
        } else {
            // No hard links on this file system: claim the name, then replace the claim.
            let claim = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard claim >= 0 else { throw Self.failure(.cannotCreate, "create", path) }
            close(claim)
            guard replace() else {
                unlink(path)
                throw Self.failure(.cannotCreate, "create", path)
            }
        }
    }

    private func replace() -> Bool {
        #if canImport(Darwin)
            Darwin.rename(temporaryPath, path) == 0
        #elseif canImport(Glibc)
            Glibc.rename(temporaryPath, path) == 0
        #else
            Musl.rename(temporaryPath, path) == 0
        #endif
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }

    private static func failure(_ kind: MediaError.Kind, _ verb: String, _ path: String) -> MediaError {
        let isDisk = errno == ENOSPC || errno == EIO || errno == EDQUOT
        return MediaError(
            isDisk ? .io : kind, "cannot \(verb) '\(path)': \(String(cString: strerror(errno)).lowercasedFirst)")
    }
}

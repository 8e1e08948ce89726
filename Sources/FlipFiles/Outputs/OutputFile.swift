import FlipBase

/// The output of a `MediaWriter`, which appears complete or not at all.
package protocol Output: AnyObject, Sendable {
    /// Removes what was written. Safe to call from any thread; has no effect after `commit`.
    func discard()
    /// Gives the output its final name, once its bytes are on the disk.
    /// - Returns: its size in bytes; 0 for a stream such as standard output.
    func commit() throws(MediaError) -> Int
}

/// A file that appears complete or not at all: it is written under a temporary name next to the final one, synced and
/// then renamed. Standard output, named pipes and devices are written to directly, where bytes can't be taken back.
package final class OutputFile: Output {
    /// The final path, with symbolic links resolved.
    package let path: String
    private let medium: Medium
    private let overwrites: Bool

    private enum Medium {
        case temporary(TemporaryPlace)
        /// An open descriptor; `isOwn` says whether this object has to close it.
        case stream(Int32, isOwn: Bool)
    }

    /// The path of the file while it is being written.
    package var workingPath: String {
        switch medium {
        case .temporary(let place): place.path
        case .stream: path
        }
    }
    /// The number of bytes written so far; nil for a stream.
    package var byteCount: Int? {
        guard case .temporary(let place) = medium else { return nil }
        return place.byteCount
    }
    /// The URL that libav writes to.
    package var url: String {
        switch medium {
        case .temporary(let place): "file:" + place.path
        case .stream(let descriptor, _): "pipe:\(descriptor)"
        }
    }
    /// Whether the output can only be written from front to back.
    package var isStream: Bool {
        switch medium {
        case .temporary: false
        case .stream: true
        }
    }

    private enum State {
        case open
        case finished
        case discarded
    }
    private let state = Mutex(State.open)

    package init(path: String, overwrite: Bool) throws(MediaError) {
        if path != "-" { try Confinement.check(path) }
        switch OutputPlace(path) {
        case .descriptor(let number):
            (self.path, medium, overwrites) = (path, .stream(number, isOwn: false), false)
            return
        case .special:
            (self.path, medium, overwrites) = (path, .stream(try Self.openSpecial(path), isOwn: true), false)
            return
        case .file: break
        }
        var status = stat()
        let exists = stat(path, &status) == 0
        if exists, status.st_mode & S_IFMT == S_IFDIR {
            throw MediaError(.cannotCreate, "cannot write '\(path)': it is a directory")
        }
        if exists, !overwrite { throw MediaError.exists(path) }
        let target = try Self.target(of: path)
        self.path = target
        overwrites = overwrite
        guard let temporary = TemporaryPlace(beside: target, kind: .file) else {
            throw MediaError.system(.cannotCreate, "create", path)
        }
        medium = .temporary(temporary)
        if exists { temporary.setMode(status.st_mode & 0o777) }
    }

    /// The file that `path` stands for: where symbolic links lead, whether or not there is a file yet.
    private static func target(of path: String) throws(MediaError) -> String {
        if let real = Files.realPath(path) { return real }
        if errno == ELOOP { throw MediaError.system(.cannotCreate, "create", path) }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return path }
        let target = RealPath(path).path
        try Confinement.check(target)
        return target
    }

    /// Opens a named pipe or a device. Waits until the pipe has a reader; throws if the program is asked to end
    /// meanwhile.
    private static func openSpecial(_ path: String) throws(MediaError) -> Int32 {
        while true {
            let descriptor = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
            if descriptor >= 0 {
                _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK)
                return descriptor
            }
            var status = stat()
            let waits = errno == ENXIO && stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
            guard waits || errno == EINTR, !HelperProgram.isStopping else {
                throw MediaError.system(.cannotCreate, "write into", path)
            }
            usleep(20_000)
        }
    }

    deinit {
        discard()
        if case .stream(let descriptor, isOwn: true) = medium { close(descriptor) }
    }

    package func discard() {
        state.withLock { state in
            guard case .open = state else { return }
            if case .temporary(let place) = medium { place.remove() }
            state = .discarded
        }
    }

    /// Appends `bytes`; for files that libav doesn't write.
    package func write(_ bytes: [UInt8]) throws(MediaError) {
        let descriptor =
            switch medium {
            case .temporary(let place): place.descriptor
            case .stream(let descriptor, _): descriptor
            }
        guard bytes.withUnsafeBytes({ Files.write($0, to: descriptor) }) else {
            if errno == EPIPE { throw MediaError(.closedReader, "'\(path)' is no longer being read") }
            throw MediaError.system(.io, "write", path)
        }
    }

    package var isDiscarded: Bool {
        state.withLock { state in
            if case .discarded = state { true } else { false }
        }
    }

    package func commit() throws(MediaError) -> Int {
        let result: Result<Int, MediaError> = state.withLock { state in
            guard case .open = state else { return .failure(MediaError(.io, "writing '\(path)' was cancelled")) }
            do throws(MediaError) {
                let size =
                    switch medium {
                    case .temporary(let place): try publish(place)
                    case .stream: 0
                    }
                state = .finished
                return .success(size)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private func publish(_ temporary: TemporaryPlace) throws(MediaError) -> Int {
        guard temporary.sync() else { throw MediaError.system(.io, "finish", path) }
        let size = temporary.byteCount
        guard overwrites ? Self.rename(temporary.path, path) : Self.renameWithoutReplacing(temporary.path, path) else {
            throw errno == EEXIST
                ? MediaError.exists(path)
                : MediaError.system(.cannotCreate, "create", path)
        }
        Self.syncFolder(of: path)
        return size
    }

    /// Syncs the folder of the file at `path`, so that the file's new name is on the disk. Errors are ignored: some
    /// file systems can't sync folders, and the name is valid anyway.
    package static func syncFolder(of path: String) {
        Files.sync(Files.folder(of: path))
    }

    /// Renames a file unless the new name is taken; returns false, with `errno` set, on failure.
    package static func renameWithoutReplacing(_ from: String, _ to: String) -> Bool {
        if link(from, to) == 0 {
            unlink(from)
            return true
        }
        if errno == EEXIST { return false }
        // This file system has no hard links: claim the name with an empty file, then replace that.
        let claim = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard claim >= 0 else { return false }
        close(claim)
        if rename(from, to) { return true }
        let reason = errno
        unlink(to)
        errno = reason
        return false
    }

    /// Renames a file, replacing any file of the new name; returns false, with `errno` set, on failure.
    package static func rename(_ from: String, _ to: String) -> Bool { systemRename(from, to) == 0 }
}

private func systemRename(_ from: String, _ to: String) -> Int32 { rename(from, to) }

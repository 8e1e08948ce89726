import FlipBase

/// A hidden file or folder, `.name.part-<process>-<random>`, next to an output that is being written.
///
/// It is locked as long as the process that owns it lives, however that ends. A place that isn't locked was abandoned,
/// and is removed by the next process that writes the same output.
package final class TemporaryPlace: Sendable {
    package enum Kind: Sendable {
        case file
        case folder
        /// A folder that other users can't look into.
        case privateFolder

        var isFolder: Bool { self != .file }
    }

    package let path: String
    private let kind: Kind
    /// An open descriptor of the place, which holds the lock.
    let descriptor: Int32

    /// The places that this process has made and not released.
    private struct Registry {
        var places: [String: Kind] = [:]
        /// Whether the process is about to end, after which nobody would remove a place made now.
        var isClosed = false
    }
    private static let registry = Mutex(Registry())

    /// Makes an empty file or folder for the output at `target`; returns nil, with `errno` set, if that fails.
    package init?(beside target: String, kind: Kind) {
        self.kind = kind
        let (folder, prefix) = Self.names(beside: target)
        Self.removeAbandoned(in: folder, prefix: prefix)
        while true {
            let path = "\(folder)\(prefix)\(getpid())-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
            let made: Int32? = Self.registry.withLock { registry in
                if registry.isClosed {
                    errno = EINTR
                    return nil
                }
                guard let descriptor = Self.make(path, kind) else { return nil }
                registry.places[path] = kind
                return descriptor
            }
            guard let descriptor = made else { return nil }
            // Before it was locked, another process or thread may have taken the place for abandoned: it holds the lock, or
            // has removed the place already. Without locks none does.
            if FileLock.take(descriptor) == .held || access(path, F_OK) != 0 {
                _ = Self.registry.withLock { $0.places.removeValue(forKey: path) }
                close(descriptor)
                continue
            }
            (self.path, self.descriptor) = (path, descriptor)
            return
        }
    }

    /// Makes a folder in the one for temporary files, and removes those of the same name that killed runs left behind.
    package static func privateFolder(named name: String) throws(MediaError) -> TemporaryPlace {
        let folder = NamelessFile.folder
        guard let place = TemporaryPlace(beside: folder + "/fliptransition-" + name, kind: .privateFolder) else {
            throw MediaError(.io, "cannot make a temporary folder in \(folder): \(MediaError.systemReason)")
        }
        return place
    }

    deinit {
        _ = Self.registry.withLock { [path] in $0.places.removeValue(forKey: path) }
        close(descriptor)
    }

    /// Whether `path` is such a place of this process, or lies in one.
    static func isOwn(_ path: String) -> Bool {
        registry.withLock { registry in
            registry.places.keys.contains { path == $0 || path.hasPrefix($0 + "/") }
        } && !path.contains("/../") && !path.hasSuffix("/..")
    }

    /// Removes all places of this process, even those in use, and lets no more be made. It is called right before the
    /// process ends, when their owners won't get to remove them.
    package static func removeAll() {
        let places = registry.withLock { registry in
            registry.isClosed = true
            return registry.places
        }
        for (path, kind) in places { removeWholly(path, kind) }
    }

    /// Removes the file, or the folder with its content. A program that was killed a moment ago may still be writing
    /// into a folder, so removing one is retried for up to two seconds.
    package func remove() { Self.removeWholly(path, kind) }

    private static func removeWholly(_ path: String, _ kind: Kind) {
        remove(path, kind)
        for _ in 0..<200 where kind.isFolder && access(path, F_OK) == 0 {
            usleep(10_000)
            remove(path, kind)
        }
    }

    /// Syncs the file's bytes, or the folder's entries, to the disk; returns false, with `errno` set, on failure.
    func sync() -> Bool { fsync(descriptor) == 0 }

    /// The file's size in bytes.
    var byteCount: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Gives the file the permissions of the one it will replace.
    func setMode(_ mode: mode_t) { fchmod(descriptor, mode) }

    private static func make(_ path: String, _ kind: Kind) -> Int32? {
        var descriptor: Int32
        switch kind {
        case .file: descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        case .folder, .privateFolder:
            // Before the folder is opened, another process or thread may take it for abandoned and remove it.
            repeat {
                guard mkdir(path, kind == .privateFolder ? 0o700 : 0o777) == 0 else { return nil }
                descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            } while descriptor < 0 && errno == ENOENT
            if descriptor < 0 {
                let reason = errno
                rmdir(path)
                errno = reason
            }
        }
        return descriptor >= 0 ? descriptor : nil
    }

    /// The folder of `target` with a trailing slash ("" for the current folder), and the prefix of its places' names.
    private static func names(beside target: String) -> (folder: String, prefix: String) {
        var (folder, name) = Files.split(target)
        // A file name has at most 255 bytes, of which `.part-<process>-<random>` takes up to 30.
        while name.utf8.count > 200 { name.removeLast() }
        return (folder, ".\(name).part-")
    }

    private static func removeAbandoned(in folder: String, prefix: String) {
        for name in names(in: folder.isEmpty ? "." : folder) where name.hasPrefix(prefix) {
            let parts = name.dropFirst(prefix.count).split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 2, Int32(parts[0]) != nil, UInt64(parts[1], radix: 36) != nil else { continue }
            let path = folder + name
            var status = stat()
            guard lstat(path, &status) == 0, status.st_uid == geteuid() else { continue }
            let kind: Kind
            switch status.st_mode & S_IFMT {
            case S_IFREG: kind = .file
            case S_IFDIR: kind = .folder
            default: continue
            }
            let descriptor = open(path, (kind.isFolder ? O_RDONLY : O_RDWR) | O_NOFOLLOW | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            if FileLock.take(descriptor) == .taken { remove(path, kind) }
            close(descriptor)
        }
    }

    private static func remove(_ path: String, _ kind: Kind) {
        switch kind {
        case .file: unlink(path)
        case .folder, .privateFolder:
            for name in names(in: path) {
                let inner = "\(path)/\(name)"
                var status = stat()
                let isFolder = lstat(inner, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
                remove(inner, isFolder ? .folder : .file)
            }
            rmdir(path)
        }
    }

    /// The names in a folder, except `.` and `..`; none if it can't be read.
    static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

import FlipBase
import FlipFiles
import Foundation

/// What runs have made, kept for further runs in the user's cache folder under the hash of all that it was made from.
///
/// An entry is a file with the bytes and, behind them, a hash of them and of the entry's name, so that one that was cut off or
/// damaged is none. Entries appear whole. When a run ends, those that weren't used for longest are removed until all of them
/// have room within the limit. Each run holds a shared lock meanwhile, and nothing is removed while another run holds one.
package final class WorkCache: Sendable {
    /// What an entry holds; the name of the folder that it is in.
    package enum Kind: String, Sendable, CaseIterable {
        /// What LibreOffice made of a document.
        case documents
        /// The hash of a page's samples.
        case pages
        /// A render segment, as a packet file.
        case segments
        /// A whole output.
        case outputs
        /// The speech of a slide. Those are files as they are, whose content is their own check.
        case speech
    }

    /// The folder of all kinds of entries.
    package let folder: String
    /// The number of bytes that all entries may have together after a run.
    private let limit: Int
    /// An open descriptor of the file that is locked.
    private let lock: Int32
    /// The number of bytes that this run has added.
    private let added = Mutex(0)

    /// The limit where none is given: 4 GB.
    package static let standardLimit = 4_000_000_000

    /// The folder in the user's cache folder (XDG Base Directory Specification 0.8); nil if there is no home.
    package static var userFolder: String? {
        let variable = { (name: String) in
            getenv(name).map { String(cString: $0) }.flatMap { $0.first == "/" ? $0 : nil }
        }
        return (variable("XDG_CACHE_HOME") ?? variable("HOME").map { $0 + "/.cache" }).map { $0 + "/fliptransition" }
    }

    /// - Parameters:
    ///   - folder: made if it isn't there.
    ///   - limit: in bytes.
    /// - Throws: `cannotCreate` if it can't be made, or if other users may write into it.
    package init(_ folder: String, limit: Int) throws(MediaError) {
        (self.folder, self.limit) = (folder, limit)
        try? FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var status = stat()
        guard stat(folder, &status) == 0 else {
            throw MediaError(.cannotCreate, "cannot make the folder '\(folder)' in which to keep what was made")
        }
        guard status.st_uid == geteuid(), status.st_mode & 0o022 == 0 else {
            throw MediaError(
                .cannotCreate, "other users may write into '\(folder)', so nothing in it can be trusted (chmod go-w it)"
            )
        }
        lock = open(folder + "/lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw MediaError.system(.cannotCreate, "create", folder + "/lock") }
        flock(lock, LOCK_SH)
    }

    deinit {
        if added.withLock({ $0 > 0 }) { trim() }
        close(lock)
    }

    /// What the process uses to its end.
    private static let held = Mutex<[WorkCache]>([])

    /// Keeps others from removing entries until this process ends.
    package func hold() { Self.held.withLock { $0.append(self) } }

    private func path(_ kind: Kind, _ key: String) -> String { "\(folder)/\(kind.rawValue)/\(key)" }

    /// The key of what is made from what `parts` say.
    package static func key(_ parts: [String]) -> String {
        // The lengths tell where one ends, whatever is in it.
        SHA256.hash(parts.map { "\($0.utf8.count) \($0)" }.joined().utf8)
    }

    // MARK: Reading and writing

    /// The number of bytes of the hash behind each entry.
    private static let tail = 64
    private static let block = 1 << 20

    /// Writes an entry into the empty file `target`, which stays empty if there is none.
    /// - Returns: whether there is one.
    package func take(_ kind: Kind, _ key: String, into target: Int32) -> Bool {
        let source = open(path(kind, key), O_RDWR | O_CLOEXEC)
        guard source >= 0 else { return false }
        defer { close(source) }
        guard let count = Self.size(source).map({ $0 - Self.tail }), count >= 0,
            let sum = Self.copy(source, count, to: target, of: key),
            let end = Files.bytes(of: source, in: count..<count + Self.tail), end == Array(sum.utf8)
        else {
            ftruncate(target, 0)
            lseek(target, 0, SEEK_SET)
            return false
        }
        // Entries that are used stay.
        futimens(source, nil)
        return true
    }

    /// The bytes of a small entry; nil if there is none.
    package func take(_ kind: Kind, _ key: String) -> [UInt8]? {
        guard let file = try? NamelessFile(), take(kind, key, into: file.descriptor) else { return nil }
        return try? file.bytes(atMost: Self.block)
    }

    /// Keeps the bytes of the file `source`, or not if they are too many, or there is no room for them on the disk.
    package func put(_ kind: Kind, _ key: String, from source: Int32) {
        mkdir("\(folder)/\(kind.rawValue)", 0o700)
        guard let count = Self.size(source), count < limit / 2,
            added.withLock({ added in
                added += count
                return added <= limit
            }),
            let place = TemporaryPlace(beside: path(kind, key), kind: .file)
        else { return }
        let target = open(place.path, O_WRONLY | O_CLOEXEC)
        defer { close(target) }
        guard target >= 0, let sum = Self.copy(source, count, to: target, of: key),
            Array(sum.utf8).withUnsafeBytes({ Files.write($0, to: target) }),
            OutputFile.rename(place.path, path(kind, key))
        else { return place.remove() }
    }

    package func put(_ kind: Kind, _ key: String, _ bytes: [UInt8]) {
        guard let file = try? NamelessFile(), (try? file.append(bytes)) != nil else { return }
        put(kind, key, from: file.descriptor)
    }

    /// Writes an entry into a new file, which isn't there if there is no entry.
    package func take(_ kind: Kind, _ key: String, intoFile path: String) -> Bool {
        let target = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard target >= 0 else { return false }
        defer { close(target) }
        if take(kind, key, into: target) { return true }
        unlink(path)
        return false
    }

    package func put(_ kind: Kind, _ key: String, fromFile path: String) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { return }
        defer { close(source) }
        put(kind, key, from: source)
    }

    private static func size(_ descriptor: Int32) -> Int? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : nil
    }

    /// Copies the first `count` bytes of a file.
    /// - Returns: the hash of these and of `key`; nil on failure.
    private static func copy(_ source: Int32, _ count: Int, to target: Int32, of key: String) -> String? {
        let sum = SHA256.Sum()
        var done = 0
        while done < count {
            guard let bytes = Files.bytes(of: source, in: done..<min(done + block, count)),
                bytes.withUnsafeBytes({ Files.write($0, to: target) })
            else { return nil }
            sum.add(bytes)
            done += bytes.count
        }
        sum.add(Array(key.utf8))
        return sum.digits()
    }

    // MARK: Removing

    /// Removes what there is no room for, unless another run uses the folder, which then does it. To be called when all that
    /// this run has taken was used.
    /// - Parameter kinds: the entries that are counted, and removed.
    package func trim(_ kinds: [Kind] = Kind.allCases) {
        let isAlone = flock(lock, LOCK_EX | LOCK_NB) == 0
        // A lock that can't be changed may be lost.
        defer { flock(lock, LOCK_SH) }
        guard isAlone else { return }
        var entries: [(path: String, time: Int, size: Int)] = []
        for kind in kinds {
            let place = "\(folder)/\(kind.rawValue)"
            for name in (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? [] {
                let path = place + "/" + name
                if name.hasPrefix(".") {
                    Self.removeAbandoned(path)
                    continue
                }
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                entries.append((path, FileIdentity.nanoseconds(status), Int(status.st_size)))
            }
        }
        var total = entries.reduce(0) { $0 + $1.size }
        for entry in entries.sorted(by: { ($0.time, $0.path) < ($1.time, $1.path) }) where total > limit {
            unlink(entry.path)
            total -= entry.size
        }
    }

    /// Removes a temporary place that no run holds: one that was killed has left it.
    private static func removeAbandoned(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        if FileLock.take(descriptor) == .taken { try? FileManager.default.removeItem(atPath: path) }
    }
}

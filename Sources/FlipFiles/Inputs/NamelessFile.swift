import FlipBase

/// A private temporary file that vanishes with its owner. On Linux, where a file can be opened by its descriptor, it is
/// unlinked from the start, so that nothing is left however the owner ends.
package final class NamelessFile: Sendable, Hashable {
    package let descriptor: Int32
    /// The path by which this process and those it starts can open the file any number of times.
    package let location: String
    /// Whether the file still has a name, which has to be removed.
    private let hasName: Bool

    package init() throws(MediaError) {
        let folder = Self.folder
        var path = Array("\(folder)/fliptransition-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw MediaError(.io, "cannot make a temporary file in \(folder): \(MediaError.systemReason)")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if os(Linux)
            unlink(path)
            hasName = false
            location = "/proc/\(getpid())/fd/\(descriptor)"
        #else
            hasName = true
            location = String(buffer: path)
        #endif
    }

    /// Takes over the file at `path`, which has to be in a folder of this process's own.
    package init(adopting path: String) throws(MediaError) {
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw MediaError(.io, "cannot open '\(path)': \(MediaError.systemReason)") }
        #if os(Linux)
            unlink(path)
            hasName = false
            location = "/proc/\(getpid())/fd/\(descriptor)"
        #else
            var own = Array("\(Self.folder)/fliptransition-XXXXXX".utf8CString)
            let other = mkstemp(&own)
            if other >= 0 { close(other) }
            hasName = true
            location = String(buffer: own)
            guard other >= 0, rename(path, location) == 0 else {
                throw MediaError(.io, "cannot move '\(path)': \(MediaError.systemReason)")
            }
        #endif
    }

    deinit {
        if hasName { unlink(location) }
        close(descriptor)
    }

    package static func == (left: NamelessFile, right: NamelessFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The folder for temporary files.
    package static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// The file's size in bytes.
    package var byteCount: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether the file's disk has space left. Programs that write to a full disk often lose bytes without reporting an
    /// error.
    package var hasRoom: Bool {
        let block = [UInt8](repeating: 0, count: 1 << 16)
        let end = off_t(byteCount)
        defer { ftruncate(descriptor, end) }
        return pwrite(descriptor, block, block.count, end) == block.count
    }

    /// The file's first bytes, at most `limit`.
    package func bytes(atMost limit: Int) throws(MediaError) -> [UInt8] { try bytes(in: 0..<min(byteCount, limit)) }

    /// The bytes at `range`, which has to lie within the file.
    package func bytes(in range: Range<Int>) throws(MediaError) -> [UInt8] {
        guard let bytes = Files.bytes(of: descriptor, in: range) else {
            throw MediaError(.io, "cannot read a temporary file")
        }
        return bytes
    }

    /// Writes `bytes` at the file's end.
    package func append(_ bytes: [UInt8]) throws(MediaError) {
        guard bytes.withUnsafeBytes({ Files.write($0, to: descriptor) }) else {
            throw MediaError(.io, "cannot write a temporary file in \(Self.folder): \(MediaError.systemReason)")
        }
    }

    /// Copies the contents of the file at `path` into this one.
    package func fill(from path: String) throws(MediaError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw MediaError(.missingInput, "cannot read '\(path)'") }
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0, buffer[..<count].withUnsafeBytes({ Files.write($0, to: descriptor) }) else {
                throw MediaError(.io, "cannot copy '\(path)' to \(Self.folder)")
            }
        }
    }
}

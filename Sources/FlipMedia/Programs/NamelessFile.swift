#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A private file in the folder for temporary files that goes with its owner, whatever ends that: where the system can
/// open a file by its descriptor, it has no name from the start.
package final class NamelessFile: Sendable, Hashable {
    let descriptor: Int32
    /// Where it can be opened as often as one likes, by this process and those it starts.
    package let location: String
    private let hasName: Bool

    package init() throws(MediaError) {
        let folder = Self.folder
        var path = Array("\(folder)/fliptransition-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw MediaError(
                .io, "cannot make a temporary file in \(folder): \(String(cString: strerror(errno)).lowercasedFirst)")
        }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if os(Linux)
            unlink(path)
            hasName = false
            location = "/proc/\(getpid())/fd/\(descriptor)"
        #else
            hasName = true
            location = string(path)
        #endif
    }

    deinit {
        if hasName { unlink(location) }
        close(descriptor)
    }

    package static func == (left: NamelessFile, right: NamelessFile) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// Where temporary files go.
    package static var folder: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    package var byteCount: Int {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? Int(status.st_size) : 0
    }

    /// Whether its disk takes any more: what a program writes to a full disk, it often loses without saying so.
    var hasRoom: Bool {
        let block = [UInt8](repeating: 0, count: 1 << 16)
        let end = off_t(byteCount)
        defer { ftruncate(descriptor, end) }
        return pwrite(descriptor, block, block.count, end) == block.count
    }

    /// Its first `limit` bytes.
    package func bytes(atMost limit: Int) throws(MediaError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(byteCount, limit))
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, $0.count - done, off_t(done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw MediaError(.io, "cannot read a temporary file") }
            done += count
        }
        return bytes
    }

    /// Takes over what the file at `path` holds.
    package func fill(from path: String) throws(MediaError) {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw MediaError(.missingInput, "cannot read '\(path)'") }
        defer { close(source) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = read(source, &buffer, buffer.count)
            if count == 0 { return }
            if count < 0, errno == EINTR { continue }
            guard count > 0, write(descriptor, buffer, count) == count else {
                throw MediaError(.io, "cannot copy '\(path)' to \(Self.folder)")
            }
        }
    }
}

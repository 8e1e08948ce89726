import FlipBase
import Foundation

/// What the program asks of files, beyond single calls of the operating system.
package enum Files {
    /// Writes all of `bytes` to a descriptor that blocks. Returns false, with `errno` set, where not all could be
    /// written.
    package static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            let count = systemWrite(descriptor, part.baseAddress, part.count)
            if count < 0, errno == EINTR { continue }
            // No system writes nothing without an error, but who waited for it would never end.
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Writes `data` to the file at `path`, which is there as a whole or as it was before.
    /// - Throws: `io`.
    package static func replace(_ path: String, with data: Data) throws(MediaError) {
        do {
            try data.write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw MediaError(.io, "cannot write '\(path)' (is the disk full?)")
        }
    }

    /// The bytes at `range` of an open file; nil where it has fewer, or can't be read.
    package static func bytes(of descriptor: Int32, in range: Range<Int>) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: range.count)
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeMutableBytes {
                pread(descriptor, $0.baseAddress! + done, $0.count - done, off_t(range.lowerBound + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            done += count
        }
        return bytes
    }

    /// The first bytes of a regular file, at most `limit`; nil where it can't be read or has more than `size`. Pipes and
    /// devices aren't read, which would lose their first bytes.
    package static func start(of path: String, _ limit: Int, ofAtMost size: Int = .max) -> [UInt8]? {
        var status = stat()
        // A pipe isn't even opened, since its writer would take that for a reader.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= size else { return nil }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        return bytes(of: descriptor, in: 0..<min(limit, Int(status.st_size)))
    }

    /// The folder in `path` with the slash at its end, "" where there is none, and the name behind it.
    package static func split(_ path: String) -> (folder: String, name: String) {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        return (String(path[..<name]), String(path[name...]))
    }

    /// The folder of the file at `path`, without a slash at its end: "." where the path names none, "/" for the root.
    package static func folder(of path: String) -> String {
        let folder = split(path).folder
        return folder.isEmpty ? "." : folder == "/" ? "/" : String(folder.dropLast())
    }

    /// Flushes a file's bytes, or a folder's entries, to the disk. Returns false, with `errno` set, if that fails.
    @discardableResult
    package static func sync(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return fsync(descriptor) == 0
    }

    /// Whether `path` is a folder, or a link to one; nil where nothing is there.
    package static func isFolder(_ path: String) -> Bool? {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) ? isFolder.boolValue : nil
    }

    /// The absolute path of `path` without symbolic links; nil, with `errno` set, where nothing is there.
    package static func realPath(_ path: String) -> String? {
        guard let real = realpath(path, nil) else { return nil }
        defer { free(real) }
        return String(cString: real)
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

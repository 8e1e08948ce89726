import FlipBase
import Foundation

/// Gives finished files their names, atomically and never twice.
package enum Publishing {
    /// Gives the file at `part` the name `path` in the same folder, after flushing its bytes to the disk.
    /// - Returns: false if another attempt had already used that name; `part` is removed in both cases.
    package static func publish(_ part: String, as path: String) throws(MediaError) -> Bool {
        guard Files.sync(part) else { throw MediaError.system(.cannotCreate, "finish", path) }
        defer { unlink(part) }
        if link(part, path) != 0 {
            guard errno == EEXIST else { throw MediaError.system(.cannotCreate, "publish", path) }
            return false
        }
        OutputFile.syncFolder(of: path)
        return true
    }

    /// Makes the file at `source` appear at `path` as well: as a hard link if both are on one file system, otherwise as
    /// a copy with the same modification time.
    /// - Parameter replacing: whether another file at `path` is replaced; otherwise it is an error.
    package static func place(_ source: String, at path: String, replacing: Bool) throws(MediaError) {
        if isSame(source, path) { return }
        try createFolder(Files.folder(of: path))
        let name = path.split(separator: "/").last ?? ""
        let number = String(UInt64.random(in: 0...UInt64.max), radix: 36)
        let part = "\(Files.folder(of: path))/.\(name.prefix(100)).part-\(getpid())-\(number)"
        defer { unlink(part) }
        if link(source, part) != 0 { try copy(source, to: part) }
        if replacing {
            guard rename(part, path) == 0 else { throw MediaError.system(.cannotCreate, "create", path) }
        } else if !OutputFile.renameWithoutReplacing(part, path) {
            guard errno == EEXIST else { throw MediaError.system(.cannotCreate, "create", path) }
            // Another attempt may have placed the same meanwhile.
            guard isSame(source, path) else { throw MediaError.exists(path) }
        }
        OutputFile.syncFolder(of: path)
    }

    /// Creates a folder and those above it.
    package static func createFolder(_ path: String) throws(MediaError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            if (error as? CocoaError)?.code == .fileWriteOutOfSpace {
                throw MediaError(.io, "cannot create the folder '\(path)': no space left on device")
            }
            throw MediaError(.cannotCreate, "cannot create the folder '\(path)' (is it a file, or not yours?)")
        }
    }

    /// Whether both paths have the same contents: one file, or copies with the same size and modification time.
    package static func isSame(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
        if FileNumber(first) == FileNumber(second) { return true }
        return first.st_size == second.st_size
            && FileIdentity.nanoseconds(first) == FileIdentity.nanoseconds(second)
    }

    private static func copy(_ source: String, to part: String) throws(MediaError) {
        do {
            try FileManager.default.copyItem(atPath: source, toPath: part)
        } catch {
            throw MediaError(.io, "cannot copy '\(source)' to '\(part)' (is the disk full?)")
        }
        var status = stat()
        guard stat(source, &status) == 0 else { throw MediaError.system(.cannotCreate, "read", source) }
        #if canImport(Darwin)
            let times = [status.st_atimespec, status.st_mtimespec]
        #else
            let times = [status.st_atim, status.st_mtim]
        #endif
        guard utimensat(AT_FDCWD, part, times, 0) == 0, Files.sync(part) else {
            throw MediaError.system(.cannotCreate, "finish", part)
        }
    }
}

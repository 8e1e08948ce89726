import FlipBase

/// Picture files that appear together: they are written into a hidden folder next to their final place, and renamed
/// when all of them are on the disk. The first one is renamed last, so that if it exists, all do.
package final class PictureSequence: Output {
    let path: String
    private let names: FrameNames
    private let overwrites: Bool
    private let folder: TemporaryPlace

    private struct State {
        var isDiscarded = false
        var isFinished = false
        var count = 0
        var bytes = 0
    }
    private let state = Mutex(State())

    package init(path: String, names: FrameNames, overwrite: Bool) throws(MediaError) {
        try Confinement.check(path)
        (self.path, self.names) = (path, names)
        overwrites = overwrite
        guard overwrite || names.existing.isEmpty else { throw Self.existing(path) }
        guard let folder = TemporaryPlace(beside: path, kind: .folder) else {
            throw MediaError.system(.cannotCreate, "create", path)
        }
        self.folder = folder
    }

    deinit { discard() }

    package func discard() {
        state.withLock { state in
            if state.isFinished || state.isDiscarded { return }
            folder.remove()
            state.isDiscarded = true
        }
    }

    /// The number of bytes written so far.
    package var bytesWritten: Int { state.withLock { $0.bytes } }

    /// Writes the next picture, the whole content of a file.
    package func append(_ picture: UnsafeRawBufferPointer) throws(MediaError) {
        let result: Result<Void, MediaError> = state.withLock { state in
            if state.isDiscarded { return .failure(MediaError(.io, "writing '\(path)' was cancelled")) }
            guard write(picture, to: folder.path + "/" + names.name(state.count)) else {
                return .failure(MediaError.system(.io, "write", path))
            }
            state.count += 1
            state.bytes += picture.count
            return .success(())
        }
        try result.get()
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return Files.write(bytes, to: descriptor)
    }

    /// Waits until all pictures are on the disk, outside the lock, so that `discard` needn't wait for it. They were
    /// written one by one without waiting, since the disk writes many of them at once. A picture that `discard` has
    /// removed meanwhile is no failure.
    /// - Returns: whether that worked; `errno` says why not.
    private func syncPictures() -> Bool {
        let count = state.withLock { $0.count }
        for index in 0..<count {
            if !Files.sync(folder.path + "/" + names.name(index)) { return errno == ENOENT }
        }
        return true
    }

    package func commit() throws(MediaError) -> Int {
        guard syncPictures() else { throw MediaError.system(.io, "finish", path) }
        let result: Result<Int, MediaError> = state.withLock { state in
            if state.isDiscarded { return .failure(MediaError(.io, "writing '\(path)' was cancelled")) }
            guard folder.sync() else { return .failure(MediaError.system(.io, "finish", path)) }
            do throws(MediaError) {
                try publish(state.count)
            } catch {
                return .failure(error)
            }
            folder.remove()
            state.isFinished = true
            return .success(state.bytes)
        }
        return try result.get()
    }

    private func publish(_ count: Int) throws(MediaError) {
        for index in (0..<count).reversed() {
            let (from, to) = (folder.path + "/" + names.name(index), names.folder + names.name(index))
            if overwrites ? OutputFile.rename(from, to) : OutputFile.renameWithoutReplacing(from, to) { continue }
            let error = errno == EEXIST ? Self.existing(path) : MediaError.system(.cannotCreate, "create", path)
            // Nothing was replaced, so the pictures renamed so far are removed again.
            if !overwrites { for index in index + 1..<count { unlink(names.folder + names.name(index)) } }
            throw error
        }
        OutputFile.syncFolder(of: path)
    }

    private static func existing(_ path: String) -> MediaError {
        MediaError(.cannotCreate, "frames of '\(path)' exist already; give -y to replace them")
    }
}

import FlipBase

/// A pipe, which can be read only once, from front to back. Until `forgetStart` is called, what is read is also kept in
/// a file, so that the whole input is still available. One thread reads at a time; any thread may stop it.
package final class InputPipe: @unchecked Sendable {
    /// The pipe's name in error messages.
    private let name: String
    private let descriptor: Int32
    private let cancellation = Cancellation()
    /// The file that keeps what was read so far; nil before the first read, and once it's not wanted any more.
    private var start: NamelessFile?
    private var isForgotten = false
    /// Why what was read could not be kept; nil where nothing failed.
    private var keepingError: MediaError?
    /// The error number after which nothing more can be read. The system reports an error once, and the end of the file
    /// from then on.
    private var readingError: Int32?
    /// The result of the first `keepAll`.
    private var kept: Result<String, MediaError>?
    /// How often a waiting read checks whether the pipe was stopped, in milliseconds.
    private static let pollInterval: Int32 = 100

    init(_ name: String, descriptor: Int32) { (self.name, self.descriptor) = (name, descriptor) }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// Ends the input, as if nothing more came.
    package func stop() { cancellation.cancel() }

    /// Drops what was kept. What is read from now on is not kept.
    package func forgetStart() {
        isForgotten = true
        start = nil
    }

    /// Waits for bytes and reads up to `count` of them. Returns how many were read, 0 at the end, or `-errno` on
    /// failure.
    package func read(into bytes: UnsafeMutableRawPointer, atMost count: Int) -> Int {
        while !cancellation.isCancelled {
            if let readingError { return -Int(readingError) }
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&state, 1, Self.pollInterval)
            if ready == 0 || (ready < 0 && errno == EINTR) { continue }
            let done = systemRead(descriptor, bytes, count)
            if done < 0 && (errno == EINTR || errno == EAGAIN) { continue }
            if done < 0 {
                readingError = errno
                return -Int(errno)
            }
            if done > 0, !isForgotten { keep(UnsafeRawBufferPointer(start: bytes, count: done)) }
            return done
        }
        return 0
    }

    private func keep(_ bytes: UnsafeRawBufferPointer) {
        guard keepingError == nil else { return }
        do throws(MediaError) {
            let file = if let start { start } else { try NamelessFile() }
            start = file
            guard Files.write(bytes, to: file.descriptor) else {
                throw failure("cannot store the piped input in \(NamelessFile.folder)")
            }
        } catch {
            keepingError = error
            start = nil
        }
    }

    /// Reads the pipe to its end. Returns the path of a file that holds everything that came through it.
    func keepAll() throws(MediaError) -> String {
        let result = kept ?? Result { () throws(MediaError) in try readAll() }
        kept = result
        return try result.get()
    }

    private func readAll() throws(MediaError) -> String {
        guard !isForgotten else { throw MediaError(.internalFault, "the beginning of \(name) is no longer available") }
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 16)
        defer { buffer.deallocate() }
        while keepingError == nil {
            let count = read(into: buffer, atMost: 1 << 20)
            if count < 0 {
                errno = Int32(-count)
                throw failure("cannot read the piped input")
            }
            if count == 0 { break }
        }
        if let keepingError { throw keepingError }
        guard let start else { throw MediaError(.badInput, "\(name) is empty") }
        return start.location
    }

    private func failure(_ text: String) -> MediaError { MediaError(.io, "\(text): \(MediaError.systemReason)") }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer, _ count: Int) -> Int {
    read(descriptor, bytes, count)
}

import FlipBase
import Foundation

/// A child process, which is in its parent's process group.
package final class ChildProcess {
    private let child: Child
    /// The descriptor from which the child's standard error is read, without blocking.
    private let messages: Int32
    /// The other end of the child's standard input. It is closed when its owner goes away, so that a child that reads
    /// it knows that nobody waits for it anymore.
    private let ownersEnd: Int32
    private var pending: [UInt8] = []
    /// Whether nothing more can come from the child's standard error.
    private var isSilent = false

    /// The largest number of bytes in a line; longer lines are split.
    private static let longestLine = 1 << 16

    /// Starts the program at `path`. Its standard error can be read.
    /// - Parameter output: the descriptor that becomes its standard output; nil discards it.
    package init(_ path: String, _ arguments: [String], output: Int32? = nil) throws(MediaError) {
        var (messages, ownersEnd): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&messages) == 0, pipe(&ownersEnd) == 0 else {
            throw Self.failure(path, String(cString: strerror(errno)))
        }
        for descriptor in messages + ownersEnd { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        _ = fcntl(messages[0], F_SETFL, O_NONBLOCK)
        defer {
            close(messages[1])
            close(ownersEnd[0])
        }
        var launch = Launch(path, words: [path] + arguments)
        launch.input = ownersEnd[0]
        launch.messages = messages[1]
        launch.output = output
        do throws(Launch.Failure) {
            child = try launch.start()
        } catch {
            close(messages[0])
            close(ownersEnd[1])
            throw Self.failure(path, error.reason)
        }
        self.messages = messages[0]
        self.ownersEnd = ownersEnd[1]
    }

    deinit {
        close(messages)
        close(ownersEnd)
    }

    private static func failure(_ path: String, _ reason: String) -> MediaError {
        MediaError(.io, "cannot start '\(path)': \(reason)")
    }

    package func send(_ signal: Int32) { child.send(signal) }

    /// The descriptors of which one is ready for reading when the child has ended or written to standard error. Where
    /// the system can't tell of the end, the first is -1.
    package var awaited: [Int32] { [child.descriptor] + (isSilent ? [] : [messages]) }

    /// The lines written to standard error since the last call; with `isLast`, also an unfinished last line.
    package func readLines(isLast: Bool = false) -> [String] {
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(messages, $0.baseAddress, $0.count) }
            if count > 0 {
                pending += buffer[..<count]
            } else if count == 0 || errno != EINTR {
                isSilent = count == 0
                break
            }
        }
        var lines: [String] = []
        while true {
            let newline = pending.firstIndex(of: 10)
            guard newline != nil || pending.count > Self.longestLine else { break }
            let end = newline ?? pending.count
            lines.append(String(decoding: pending[..<end], as: UTF8.self))
            pending.removeFirst(newline == nil ? end : end + 1)
        }
        if isLast, !pending.isEmpty {
            lines.append(String(decoding: pending, as: UTF8.self))
            pending = []
        }
        return lines
    }

    /// Whether the child has ended; if so, `status` is not nil.
    package func hasEnded() -> Bool { child.hasEnded() }

    /// The exit status, or 128 plus the number of the signal that ended the child, or 255 if the system has discarded
    /// it; nil while the child is running.
    package var status: Int32? { child.ending?.status }

    /// The resident memory of the child and its descendants, in bytes; 0 if the system doesn't tell.
    package var memory: Int { ProcessTree.memory(of: child.id) }
}

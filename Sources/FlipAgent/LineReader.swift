import FlipBase
import FlipFiles

/// The lines that come through a descriptor. No more than one line of the greatest length is kept in memory.
package final class LineReader {
    package enum Line {
        case text([UInt8])
        /// A line that is longer than the limit, of which only the beginning was kept.
        case tooLong([UInt8])
    }

    /// Ends the reading from any thread.
    package struct Stop: Sendable {
        fileprivate let descriptor: Int32

        package func callAsFunction() {
            var byte: UInt8 = 0
            _ = write(descriptor, &byte, 1)
        }
    }

    private let descriptor: Int32
    private let limit: Int
    private let stopped: Int32
    package let stop: Stop

    private var buffer: [UInt8] = []
    /// Where the next line begins in `buffer`, and up to where there is no line break in it.
    private var start = 0
    private var searched = 0
    /// The beginning of a line that is too long; nil if the line is not, as far as it was read.
    private var beginning: [UInt8]?
    /// How many bytes are kept of such a line.
    private static let kept = 4096
    private var hasEnded = false
    /// Whether the reading was stopped.
    var isStopped: Bool {
        var state = pollfd(fd: stopped, events: Int16(POLLIN), revents: 0)
        return poll(&state, 1, 0) > 0
    }

    /// - Parameter limit: the greatest length of a line, in bytes.
    package init(_ descriptor: Int32, limit: Int) throws(MediaError) {
        (self.descriptor, self.limit) = (descriptor, limit)
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw MediaError(.io, "cannot make a pipe: \(MediaError.systemReason)") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        stopped = ends[0]
        stop = Stop(descriptor: ends[1])
    }

    /// The next line without its end; nil after the last one, or when the reading was stopped. A last line without an
    /// end counts as a line.
    package func next() -> Line? {
        while true {
            if let end = buffer[searched...].firstIndex(of: 10) {
                let line = Array(buffer[start..<end])
                (start, searched) = (end + 1, end + 1)
                defer { beginning = nil }
                if let beginning { return .tooLong(beginning) }
                return line.count > limit ? .tooLong(Array(line.prefix(Self.kept))) : .text(line)
            }
            searched = buffer.count
            if hasEnded {
                let line = Array(buffer[start...])
                (buffer, start, searched) = ([], 0, 0)
                defer { beginning = nil }
                if let beginning { return .tooLong(beginning) }
                return line.isEmpty ? nil : .text(line)
            }
            buffer.removeFirst(start)
            (start, searched) = (0, buffer.count)
            if buffer.count > limit {
                if beginning == nil { beginning = Array(buffer.prefix(Self.kept)) }
                (buffer, searched) = ([], 0)
            }
            guard fill() else { return nil }
        }
    }

    /// Waits for bytes and appends them.
    /// - Returns: false if the reading was stopped.
    private func fill() -> Bool {
        var descriptors = [descriptor, stopped].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        if poll(&descriptors, 2, -1) < 0 { return true }
        if descriptors[1].revents != 0 { return false }
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = read(descriptor, &chunk, chunk.count)
        if count > 0 {
            buffer += chunk[..<count]
        } else if count == 0 || errno != EINTR && errno != EAGAIN {
            hasEnded = true
        }
        return true
    }
}

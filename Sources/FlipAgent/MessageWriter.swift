import FlipBase
import FlipFiles
import Foundation

/// Writes messages to a descriptor on a thread of its own, each as one line, so that a client that doesn't read keeps
/// nobody else waiting.
final class MessageWriter: Sendable {
    private struct State {
        var waiting: [[UInt8]] = []
        var bytes = 0
        var isClosed = false
        var isBroken = false
    }

    private let state = Mutex(State())
    private let changes = DispatchSemaphore(value: 0)
    private let end = DispatchSemaphore(value: 0)

    /// How many bytes may wait for the client to read them before no more of its messages are taken.
    private static let room = 64 << 20

    /// - Parameter onBreak: called when nobody reads the messages anymore.
    init(_ descriptor: Int32, onBreak: @escaping @Sendable () -> Void) {
        _ = Work("messages") { [self] in
            while let line = next() {
                guard line.withUnsafeBytes({ Files.write($0, to: descriptor) }) else {
                    state.withLock { $0.isBroken = true }
                    onBreak()
                    break
                }
                state.withLock { $0.bytes -= line.count }
            }
            end.signal()
        }
    }

    private func next() -> [UInt8]? {
        while true {
            let (line, isClosed) = state.withLock { state in
                (state.waiting.isEmpty ? nil : state.waiting.removeFirst(), state.isClosed)
            }
            if let line { return line }
            if isClosed { return nil }
            changes.wait()
        }
    }

    func send(_ message: JSON) {
        let line = message.bytes + [10]
        state.withLock { state in
            if state.isBroken || state.isClosed { return }
            state.waiting.append(line)
            state.bytes += line.count
        }
        changes.signal()
    }

    /// Whether the client has read enough for more messages to be made.
    var hasRoom: Bool { state.withLock { $0.bytes <= Self.room || $0.isBroken } }

    /// Writes what is waiting, for as long as the client reads it, but no longer than `seconds`.
    func close(within seconds: Double) {
        state.withLock { $0.isClosed = true }
        changes.signal()
        _ = end.wait(timeout: .now() + seconds)
    }
}

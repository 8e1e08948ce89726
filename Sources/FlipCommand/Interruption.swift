import FlipBase
import FlipFiles
import Foundation

import struct Synchronization.Atomic

/// The program's handler for the signals that ask it to end: SIGINT, SIGTERM and SIGHUP.
///
/// Helper programs are killed first, with all the processes they have started. Then the handler of the most recent
/// `Interruption` that still exists is called. If there is none, and at the second signal in any case, the program ends
/// with `exitCode`: a handler may be blocked, for example by a pipe that delivers nothing.
final class Interruption: Sendable {
    /// The exit code of an interrupted run: 128 + SIGINT, as shells have it, whichever signal it was.
    static let exitCode: Int32 = 128 + SIGINT

    private let handler: @Sendable () -> Void
    private let wasCalled = Once()

    /// The interruptions that exist, the most recent last.
    private static let existing = Mutex<[Weak]>([])
    private static let happened = Once()

    private struct Weak: Sendable { weak var interruption: Interruption? }

    /// Whether the program was asked to end.
    static var hasHappened: Bool { happened.hasHappened }

    /// Installs the signal handlers, whatever dispositions were inherited. Called once, when the program starts.
    static func prepare() {
        // Signals that the caller ignores stay ignored, as nohup and the background jobs of shells expect.
        let ignored = Launch.ignoredSignals
        // A write to a pipe without a reader then fails like any other write.
        signal(SIGPIPE, SIG_IGN)
        // While SIGCHLD is ignored, a child's exit status can't be waited for.
        signal(SIGCHLD, SIG_DFL)
        sources = [SIGINT, SIGTERM, SIGHUP].filter { !ignored.contains($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handle() }
            source.resume()
            return source
        }
    }

    /// The signal sources, which live as long as the program. Set once, before there is a second thread.
    nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

    init(_ handler: @escaping @Sendable () -> Void) {
        self.handler = handler
        Self.existing.withLock { $0.append(Weak(interruption: self)) }
    }

    private static func handle() {
        let isFirst = !happened.exchange()
        let hadHelpers = HelperProgram.stopAll()
        let latest = existing.withLock { existing in
            existing.removeAll { $0.interruption == nil }
            return existing.last?.interruption
        }
        if let latest, !latest.wasCalled.exchange() { return latest.handler() }
        // The thread that waits for a killed helper removes its files and ends the program; it has 5 s for that.
        guard isFirst, hadHelpers, latest == nil else { end(exitCode) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) { end(exitCode) }
    }

    /// The environment variable that has a process follow its standard input, for those that `serve` starts.
    static let following = "FLIPTRANSITION_FOLLOWS_INPUT"

    /// Ends the program as SIGTERM does when standard input ends, and so together with the program at its other end.
    static func followStandardInput() {
        _ = Work("input") {
            var byte: UInt8 = 0
            while read(STDIN_FILENO, &byte, 1) > 0 {}
            kill(getpid(), SIGTERM)
        }
    }

    /// Removes unfinished files and ends the program, whatever its threads are doing.
    static func end(_ status: Int32) -> Never {
        TemporaryPlace.removeAll()
        _exit(status)
    }
}

/// A thread-safe flag that is set once.
private final class Once: Sendable {
    private let value = Atomic(false)

    var hasHappened: Bool { value.load(ordering: .relaxed) }

    /// Sets the flag.
    /// - Returns: whether it was set already.
    func exchange() -> Bool { value.exchange(true, ordering: .relaxed) }
}

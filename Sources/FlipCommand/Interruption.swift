import FlipMedia
import Foundation
import Synchronization

/// The program's one handler of the signals that ask it to end: SIGINT, SIGTERM and SIGHUP.
///
/// Helper programs are killed first, with all they have started. Then the handler of the youngest `Interruption` that lives is
/// called; where none lives, and the second time in any case, the program ends at once with 130: the handler's way may be
/// blocked, as by a pipe that gives nothing.
final class Interruption: Sendable {
    private let handler: @Sendable () -> Void
    private let wasCalled = Once()

    /// Those that live, the youngest last.
    private static let living = Mutex<[Weak]>([])
    private static let happened = Once()

    private struct Weak: Sendable { weak var interruption: Interruption? }

    /// Whether the program was asked to end.
    static var hasHappened: Bool { happened.hasHappened }

    /// Sets the signals up, whatever the caller made of them: once, when the program starts.
    static func prepare() {
        // What the caller had ignored stays ignored, as nohup and shells' background jobs want it.
        let ignored = Launch.ignoredSignals
        // A reader that goes away is a write error like any other.
        signal(SIGPIPE, SIG_IGN)
        // Where it is ignored, nobody can wait for a child.
        signal(SIGCHLD, SIG_DFL)
        sources = [SIGINT, SIGTERM, SIGHUP].filter { !ignored.contains($0) }.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handle() }
            source.resume()
            return source
        }
    }

    /// Kept for as long as the program runs; set once, before there is a second thread.
    nonisolated(unsafe) private static var sources: [any DispatchSourceSignal] = []

    init(_ handler: @escaping @Sendable () -> Void) {
        self.handler = handler
        Self.living.withLock { $0.append(Weak(interruption: self)) }
    }

    private static func handle() {
        let isFirst = !happened.exchange()
        let hadHelpers = HelperProgram.stopAll()
        let youngest = living.withLock { living in
            living.removeAll { $0.interruption == nil }
            return living.last?.interruption
        }
        if let youngest, !youngest.wasCalled.exchange() { return youngest.handler() }
        // Who waited for a helper removes what that wrote, and ends the program.
        guard isFirst, hadHelpers, youngest == nil else { end(130) }
        DispatchQueue.global().asyncAfter(deadline: .now() + 5) { end(130) }
    }

    /// Ends the program with what it has begun to write removed, whatever its threads are doing.
    static func end(_ status: Int32) -> Never {
        TemporaryPlace.removeLiving()
        _exit(status)
    }
}

/// Something that happens once.
private final class Once: Sendable {
    private let value = Atomic(false)

    var hasHappened: Bool { value.load(ordering: .relaxed) }

    /// Whether it has happened already; from now on it has.
    func exchange() -> Bool { value.exchange(true, ordering: .relaxed) }
}

import Foundation
import Synchronization

/// Where work is done that blocks: decoding, drawing, encoding. Tasks' own threads are few, and have to come back soon.
enum WorkerThread {
    /// Does `work` in a thread of its own, and suspends the task meanwhile. Where the task is cancelled, `cancel` is called at
    /// once, from any thread, and tells the work.
    ///
    /// Throws what `work` throws as `FlipError`, and `CancellationError` where the task was cancelled before it began.
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result, cancel: @escaping @Sendable () -> Void = {}
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let thread = Thread {
                    continuation.resume(with: Swift.Result { try FlipError.mapping(work) })
                }
                thread.name = "fliptransition"
                thread.stackSize = 8 << 20
                thread.start()
            }
        } onCancel: {
            cancel()
        }
    }
}

/// Tells work in a thread of its own that nobody wants it any more.
final class CancelFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }

    /// Does `work`; once the flag is set, whatever it throws is a `CancellationError`, and it is not begun.
    func rethrow<Result>(_ work: () throws -> Result) throws -> Result {
        if isSet { throw CancellationError() }
        do {
            return try work()
        } catch {
            throw isSet ? CancellationError() : error
        }
    }
}

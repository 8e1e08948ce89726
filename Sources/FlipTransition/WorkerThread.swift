import Foundation

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

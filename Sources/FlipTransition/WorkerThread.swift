import FlipBase
import FlipFiles

/// Runs blocking work (decoding, drawing, encoding) outside the cooperative thread pool, whose few threads must not
/// block.
enum WorkerThread {
    /// Runs `work` in a thread of its own while the task is suspended. If the task is canceled, `cancel` is called at
    /// once, from any thread, to tell the work.
    ///
    /// Throws what `work` throws as `FlipError`, and `CancellationError` if the task was canceled before the work
    /// began.
    static func run<Result: Sendable>(
        _ work: @escaping @Sendable () throws -> Result, cancel: @escaping @Sendable () -> Void = {}
    ) async throws -> Result {
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                _ = Work("fliptransition") { continuation.resume(with: Swift.Result { try FlipError.mapping(work) }) }
            }
        } onCancel: {
            cancel()
        }
    }
}

extension Cancellation {
    /// Runs `work` unless it has been canceled. Once it is, any error becomes a `CancellationError`.
    func rethrow<Result>(_ work: () throws -> Result) throws -> Result {
        if isCancelled { throw CancellationError() }
        do {
            return try work()
        } catch {
            throw isCancelled ? CancellationError() : error
        }
    }
}

// Only where the thread sanitizer watches (scripts/sanitize --thread).
#if FLIPTRANSITION_THREAD_SANITIZER
    import Foundation

    /// Stands in for Synchronization's mutex, of which the sanitizer sees nothing once threads have to wait for it: that part lies in
    /// the runtime, and is not built with it (Swift 6.3). What it can follow are the system's own locks.
    final class Mutex<Value>: @unchecked Sendable {
        private let lock = NSLock()
        private var value: Value

        init(_ value: sending Value) { self.value = value }

        func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        }
    }
#endif

// Compiled only for the thread sanitizer (scripts/sanitize --program). Each module of the program that uses a `Mutex` has a link
// to this file, because only a type of the module itself takes the place of an imported one.
#if FLIPTRANSITION_THREAD_SANITIZER
    import Foundation

    /// Replaces Synchronization's `Mutex`. Threads that contend for that one wait inside the Swift runtime (6.3), which
    /// is not instrumented, so the sanitizer would report accesses that it orders as data races. The sanitizer
    /// understands the system's own locks.
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

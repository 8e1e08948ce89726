#if FLIPTRANSITION_THREAD_SANITIZER
    import Foundation

    /// Replaces Synchronization's `Mutex` under the thread sanitizer (scripts/sanitize --program). Threads that contend for
    /// that one wait inside the Swift runtime (6.3), which is not instrumented, so the sanitizer would report accesses that
    /// it orders as data races. The sanitizer understands the system's own locks.
    package final class Mutex<Value>: @unchecked Sendable {
        private let lock = NSLock()
        private var value: Value

        package init(_ value: sending Value) { self.value = value }

        package func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        }
    }
#else
    import Synchronization

    /// A lock with the value that it protects. Modules of the program take it from here and not from Synchronization, so that
    /// the thread sanitizer gets one that it understands.
    package typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif

#if FLIPTRANSITION_THREAD_SANITIZER
    #if canImport(Glibc)
        import Glibc
    #else
        import Darwin
    #endif

    /// Replaces Synchronization's `Mutex` under the thread sanitizer (scripts/sanitize --program). Threads that contend for
    /// that one wait inside the Swift runtime (6.3), which is not instrumented, so the sanitizer would report accesses that
    /// it orders as data races. The sanitizer understands the system's own locks.
    package final class Mutex<Value>: @unchecked Sendable {
        private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private var value: Value

        package init(_ value: sending Value) {
            self.value = value
            pthread_mutex_init(lock, nil)
        }

        deinit {
            pthread_mutex_destroy(lock)
            lock.deallocate()
        }

        package func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            pthread_mutex_lock(lock)
            defer { pthread_mutex_unlock(lock) }
            return try body(&value)
        }
    }
#else
    import Synchronization

    /// A lock with the value that it protects. Modules of the program take it from here and not from Synchronization, so that
    /// the thread sanitizer gets one that it understands.
    package typealias Mutex<Value: ~Copyable> = Synchronization.Mutex<Value>
#endif

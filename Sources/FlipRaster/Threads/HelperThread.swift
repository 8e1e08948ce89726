#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

#if !os(WASI)
    /// Starts threads of the operating system. Dispatch isn't used because its threads come from a pool of 255, where a
    /// sleeping thread keeps its place: with enough crews alive, a block would wait forever for a thread to run it.
    enum HelperThread {
        /// The closure that a thread runs, passed to it through a pointer.
        fileprivate final class Body {
            let run: () -> Void
            init(_ run: @escaping () -> Void) { self.run = run }
        }

        /// The stack of a thread. Drawing needs some kilobytes, and sanitizers multiply that; but a crew of many threads
        /// shouldn't reserve 8 MB for each.
        private static let stackBytes = 1 << 20

        /// Runs `body` in a new, detached thread. Returns false if the system grants none.
        static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
            let attributes = UnsafeMutablePointer<pthread_attr_t>.allocate(capacity: 1)
            defer { attributes.deallocate() }
            guard pthread_attr_init(attributes) == 0 else { return false }
            defer { pthread_attr_destroy(attributes) }
            pthread_attr_setdetachstate(attributes, Int32(PTHREAD_CREATE_DETACHED))
            pthread_attr_setstacksize(attributes, stackBytes)
            let argument = Unmanaged.passRetained(Body(body))
            let status = withSignalsHeldBack { create(attributes, argument.toOpaque()) }
            if status != 0 { argument.release() }
            return status == 0
        }

        private static func create(
            _ attributes: UnsafeMutablePointer<pthread_attr_t>, _ argument: UnsafeMutableRawPointer
        ) -> Int32 {
            #if canImport(Darwin)
                var thread: pthread_t?
                return pthread_create(&thread, attributes, runHelper, argument)
            #elseif canImport(Musl)
                var thread: pthread_t?
                return pthread_create(&thread, attributes, runHelper, argument)
            #else
                var thread = pthread_t()
                return pthread_create(&thread, attributes, runHelper, argument)
            #endif
        }

        /// Runs `body` with signals blocked, since a thread inherits its creator's signal mask. Signals sent to the process
        /// are for the threads of the host, not for those of a library. Signals that a thread's own fault raises stay
        /// unblocked.
        private static func withSignalsHeldBack(_ body: () -> Int32) -> Int32 {
            var held = sigset_t()
            var before = sigset_t()
            sigfillset(&held)
            for fault in [SIGILL, SIGTRAP, SIGABRT, SIGFPE, SIGBUS, SIGSEGV, SIGSYS] { sigdelset(&held, fault) }
            pthread_sigmask(SIG_SETMASK, &held, &before)
            defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
            return body()
        }
    }

    #if canImport(Darwin)
        private func runHelper(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? { takeOver(argument) }
    #else
        private func runHelper(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            argument.flatMap(takeOver)
        }
    #endif

    /// Runs the closure that a thread was started with.
    private func takeOver(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        Unmanaged<HelperThread.Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
    }

    /// A mutex that a `Condition` can wait with, unlike that of the Synchronization module.
    final class Lock: @unchecked Sendable {
        /// Allocated separately, because a mutex must not move in memory.
        fileprivate let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

        init() {
            mutex.initialize(to: pthread_mutex_t())
            pthread_mutex_init(mutex, nil)
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }

        func lock() { pthread_mutex_lock(mutex) }
        func unlock() { pthread_mutex_unlock(mutex) }
    }

    /// A condition variable.
    final class Condition: @unchecked Sendable {
        private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

        init() {
            condition.initialize(to: pthread_cond_t())
            pthread_cond_init(condition, nil)
        }

        deinit {
            pthread_cond_destroy(condition)
            condition.deallocate()
        }

        /// Releases `lock`, which the caller must hold, sleeps until signaled, and acquires it again. May wake spuriously.
        func wait(_ lock: Lock) { pthread_cond_wait(condition, lock.mutex) }
        func signalAll() { pthread_cond_broadcast(condition) }
    }
#else
    /// Starts no threads, since there are none: the caller does all of a crew's work.
    enum HelperThread {
        /// Returns false: the system grants no thread.
        static func start(_ body: @escaping @Sendable () -> Void) -> Bool { false }
    }

    /// A mutex for a single thread.
    final class Lock: Sendable {
        func lock() {}
        func unlock() {}
    }

    /// A condition that nothing ever waits for.
    final class Condition: Sendable {
        func wait(_ lock: Lock) {}
        func signalAll() {}
    }
#endif

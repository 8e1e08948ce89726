#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Threads of the operating system. Those of Dispatch come from a pool of 255, and a thread that sleeps holds on to its place
/// there: with enough crews alive, a block would wait for ever for a thread to run it.
enum HelperThread {
    /// What a thread does, handed to it through a pointer.
    fileprivate final class Body {
        let run: () -> Void
        init(_ run: @escaping () -> Void) { self.run = run }
    }

    /// Drawing needs some kilobytes; sanitizers multiply that. A crew of many threads should not reserve 8 MB for each.
    private static let stackBytes = 1 << 20

    /// Runs `body` in a thread of its own, which nobody joins; false where the system grants no thread.
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

    /// A thread inherits what signals its creator holds back. Signals sent to the process belong to the host's threads, not
    /// to a library's; those that a thread's own fault raises stay open.
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

/// Runs the body that a thread was handed.
private func takeOver(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<HelperThread.Body>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}

/// A lock that a `Condition` can wait with, which those of Synchronization can't be.
final class Lock: @unchecked Sendable {
    /// In memory of its own, since it must not move.
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

/// What threads wait for.
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

    /// Sleeps with the `lock` that the caller holds given up, and takes it again. May return without a signal.
    func wait(_ lock: Lock) { pthread_cond_wait(condition, lock.mutex) }
    func signalAll() { pthread_cond_broadcast(condition) }
}

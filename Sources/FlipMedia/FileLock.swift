#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The lock by which others know that the owner of a file lives: it goes with the owner, whatever ends that.
package enum FileLock {
    package enum Answer: Sendable {
        case taken
        /// Another has it, or has removed the file.
        case held
        /// This file system has no locks.
        case unsupported
    }

    /// Locks an open file or folder, without waiting. The lock lasts until the descriptor is closed.
    ///
    /// Whoever makes a file and then locks it may find it `.held`: somebody has taken it for abandoned in between, and is
    /// removing it.
    package static func take(_ descriptor: Int32) -> Answer {
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno == EWOULDBLOCK ? .held : .unsupported }
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0 ? .taken : .held
    }
}

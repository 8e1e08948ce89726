import FlipBase

/// A lock that shows others that a file's owner is alive: it is released when the owner ends, however that happens.
package enum FileLock {
    /// The outcome of trying to take a lock.
    package enum Outcome: Sendable {
        case taken
        /// Someone else holds the lock or has removed the file.
        case held
        /// This file system has no locks.
        case unsupported
    }

    /// Locks an open file or folder, without waiting. The lock lasts until the descriptor is closed.
    ///
    /// A process that creates a file and then locks it may get `.held`: another one has meanwhile taken the file for
    /// abandoned and is removing it.
    package static func take(_ descriptor: Int32) -> Outcome {
        if flock(descriptor, LOCK_EX | LOCK_NB) != 0 { return errno == EWOULDBLOCK ? .held : .unsupported }
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_nlink > 0 ? .taken : .held
    }
}

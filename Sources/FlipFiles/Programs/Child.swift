/// A program that was started, and that has to be waited for.
package final class Child {
    /// How a program ended.
    package enum Ending: Equatable {
        /// With this exit status.
        case exited(Int32)
        /// By the signal of this number.
        case killed(Int32)
        /// In a way that can't be known, because the system discards exit statuses while SIGCHLD is ignored.
        case unknown

        /// The exit status, or 128 plus the number of the signal; 255 if it can't be known.
        package var status: Int32 {
            switch self {
            case .exited(let status): status
            case .killed(let signal): 128 + signal
            case .unknown: 255
            }
        }
    }

    /// The process ID.
    package let id: pid_t
    /// A descriptor that is ready for reading when the program has ended; -1 where the system has none (a pidfd, of
    /// Linux 5.3 and glibc 2.36).
    package let descriptor: Int32
    /// Nil as long as the program is running, as far as is known.
    package private(set) var ending: Ending?

    /// - Parameter id: a child of this process that nobody else waits for.
    init(_ id: pid_t) {
        self.id = id
        descriptor = Self.open?(id, 0) ?? -1
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// `pidfd_open`, which older C libraries don't have.
    private static let open: (@convention(c) (pid_t, UInt32) -> Int32)? = dlsym(nil, "pidfd_open").map {
        unsafeBitCast($0, to: (@convention(c) (pid_t, UInt32) -> Int32).self)
    }

    /// Whether the program has ended; if so, `ending` is set.
    package func hasEnded() -> Bool {
        if ending != nil { return true }
        var word: Int32 = 0
        let answer = waitpid(id, &word, WNOHANG)
        if answer == id {
            let signal = word & 0x7F
            ending = signal == 0 ? .exited(word >> 8 & 0xFF) : .killed(signal)
        } else if answer < 0, errno != EINTR {
            ending = .unknown
        }
        return ending != nil
    }

    /// Waits until the program ends.
    /// - Parameter deadline: when to give up, by a clock that stands still while the machine sleeps; nil for never.
    /// - Returns: how it ended; nil if it is still running at the deadline.
    package func wait(until deadline: SuspendingClock.Instant? = nil) -> Ending? {
        while !hasEnded() {
            let left = deadline.map { SuspendingClock.now.duration(to: $0) } ?? .seconds(3600)
            if left <= .zero { return nil }
            // Without the descriptor, the program is looked at every 5 ms.
            let milliseconds =
                min(left.components.seconds, 3600) * 1000 + left.components.attoseconds / 1_000_000_000_000_000 + 1
            var ended = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            poll(&ended, 1, Int32(descriptor < 0 ? min(milliseconds, 5) : milliseconds))
        }
        return ending
    }

    /// Sends a signal to the program, unless it is known to have ended.
    package func send(_ signal: Int32) { if ending == nil { kill(id, signal) } }

    /// Kills the program and all others of its process group, of which it is the leader, and waits for it.
    package func killGroup() {
        kill(-id, SIGKILL)
        _ = wait()
    }
}

import FlipBase

/// Another program that is to be started, with its arguments and descriptors.
package struct Launch {
    /// The program's path.
    private let path: String
    /// The program's argument vector, its own name first.
    private let words: [String]
    /// Open descriptors that become the program's standard input, output and error; nil stands for /dev/null.
    package var input: Int32?
    package var output: Int32?
    package var messages: Int32?
    /// Whether the program gets a process group of its own, which can be killed as a whole.
    package var hasOwnGroup = false

    package init(_ path: String, words: [String]) { (self.path, self.words) = (path, words) }

    /// Starts the program with no signal blocked. Of the signals that this program ignores, the new one ignores only
    /// those that this one was started with, as by nohup.
    /// - Throws: the system's error code.
    package func start() throws(Failure) -> Child {
        #if canImport(Darwin)
            var actions: posix_spawn_file_actions_t?
            var attributes: posix_spawnattr_t?
        #else
            var actions = posix_spawn_file_actions_t()
            var attributes = posix_spawnattr_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        posix_spawnattr_init(&attributes)
        defer {
            posix_spawn_file_actions_destroy(&actions)
            posix_spawnattr_destroy(&attributes)
        }
        for (source, target) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (messages, STDERR_FILENO)] {
            if let source {
                posix_spawn_file_actions_adddup2(&actions, source, target)
            } else {
                let mode = target == STDIN_FILENO ? O_RDONLY : O_WRONLY
                posix_spawn_file_actions_addopen(&actions, target, "/dev/null", mode, 0)
            }
        }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGCHLD] where !Self.ignoredSignals.contains(signal) {
            sigaddset(&signals, signal)
        }
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        let group = hasOwnGroup ? POSIX_SPAWN_SETPGROUP : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | Int32(group)))
        let pointers = words.map { strdup($0) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        var id = pid_t()
        let code = posix_spawn(&id, path, &actions, &attributes, pointers, environ)
        if code != 0 { throw Failure(code: code) }
        return Child(id)
    }

    /// Those of SIGINT, SIGTERM and SIGHUP that this program was started to ignore. A program that handles signals has
    /// to read this before it sets its handlers.
    package static let ignoredSignals: Set<Int32> = Set(
        [SIGINT, SIGTERM, SIGHUP].filter { number in
            var action = sigaction()
            guard sigaction(number, nil, &action) == 0 else { return false }
            #if canImport(Darwin)
                let handler = action.__sigaction_u.__sa_handler
            #else
                let handler = action.__sigaction_handler.sa_handler
            #endif
            return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
        })

    /// Why a program could not be started.
    package struct Failure: Error {
        let code: Int32

        package var reason: String { String(cString: strerror(code)) }
    }
}

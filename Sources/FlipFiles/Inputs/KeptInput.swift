import FlipBase

/// Keeps what comes through pipes in files. A clip's length usually has to be known before rendering, and its video and
/// audio are read separately; a pipe allows neither. The files have no names and disappear when the process ends.
package enum KeptInput {
    private enum Source: Sendable {
        case file(String)
        case pipe(InputPipe)
    }

    /// An input that may be a pipe. Each has its own mutex, so that waiting for one pipe doesn't block reading another.
    private final class Entry: Sendable {
        private let source = Mutex<Result<Source, MediaError>?>(nil)

        /// Calls `body` with the source, which is determined only the first time: a pipe can be opened only once.
        func with<Value: Sendable>(
            _ name: String, _ body: (Source) throws(MediaError) -> Value
        ) throws(MediaError) -> Value {
            try source.withLock { known in
                let result = known ?? Result { () throws(MediaError) in try KeptInput.open(name) }
                known = result
                return Result { () throws(MediaError) in try body(result.get()) }
            }.get()
        }
    }

    /// The inputs by name, each with the number of `KeptInputs` that keep it; one that none has kept stays until the
    /// process ends.
    private static let known = Mutex<[String: (entry: Entry, users: Int)]>([:])

    private static func entry(_ name: String) -> Entry {
        known.withLock { known in
            let entry = known[name] ?? (Entry(), 0)
            known[name] = entry
            return entry.entry
        }
    }

    /// Keeps the inputs `names` until `release`.
    fileprivate static func keep(_ names: Set<String>) {
        known.withLock { known in for name in names { known[name, default: (Entry(), 0)].users += 1 } }
    }

    fileprivate static func release(_ names: Set<String>) {
        known.withLock { known in
            for name in names {
                known[name]?.users -= 1
                if known[name]?.users == 0 { known[name] = nil }
            }
        }
    }

    /// A path at which input `name` ("-" for standard input) can be opened repeatedly. A pipe is read to its end the
    /// first time.
    package static func location(of name: String) throws(MediaError) -> String {
        try Confinement.check(name)
        guard mayBePipe(name) else { return name }
        return try entry(name).with(name) { source throws(MediaError) in
            switch source {
            case .file(let location): location
            case .pipe(let pipe): try pipe.keepAll()
            }
        }
    }

    /// The pipe through which input `name` comes; nil if the input can be opened repeatedly.
    package static func pipe(_ name: String) throws(MediaError) -> InputPipe? {
        try Confinement.check(name)
        guard mayBePipe(name) else { return nil }
        return try entry(name).with(name) { source throws(MediaError) in
            switch source {
            case .file: nil
            case .pipe(let pipe): pipe
            }
        }
    }

    /// Whether input `name` comes through a pipe or a socket. Doesn't open it or wait.
    package static func isPipe(_ name: String) -> Bool {
        var status = stat()
        let isKnown = name == "-" ? fstat(STDIN_FILENO, &status) == 0 : stat(name, &status) == 0
        return isKnown && (status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFSOCK)
    }

    fileprivate static func mayBePipe(_ name: String) -> Bool {
        var status = stat()
        return name == "-" || (stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    private static func open(_ name: String) throws(MediaError) -> Source {
        let input = name == "-" ? STDIN_FILENO : openForReading(name)
        guard input >= 0 else { throw MediaError(.missingInput, "cannot read '\(name)': \(MediaError.systemReason)") }
        if isatty(input) == 1 {
            throw MediaError(.usage, "standard input is a terminal (redirect a file to it, or pipe a clip into it)")
        }
        #if os(Linux)
            // A file that standard input was redirected from can be opened again.
            var status = stat()
            if fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return .file("/proc/self/fd/\(input)") }
        #endif
        return .pipe(InputPipe(name == "-" ? "standard input" : "'\(name)'", descriptor: input))
    }
}

/// Keeps the pipes among some inputs for as long as this object lives: what came through them can be read repeatedly.
/// Afterwards a name is opened again, for programs that render again from a pipe of the same name.
package final class KeptInputs: Sendable {
    private let names: Set<String>

    package init(_ paths: [String]) {
        names = Set(paths.filter { KeptInput.mayBePipe($0) })
        KeptInput.keep(names)
    }

    deinit { KeptInput.release(names) }
}

private func openForReading(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

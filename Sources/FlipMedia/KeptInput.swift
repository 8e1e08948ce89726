import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Pipes as files: mostly a clip's length has to be known before anything is made of it, and its picture and sound are read
/// apart, neither of which a pipe allows. What comes in is kept in a file without a name, which goes with the program.
enum KeptInput {
    private enum Source: Sendable {
        case file(String)
        case pipe(InputPipe)
    }

    private static let known = Mutex<[String: Result<Source, MediaError>]>([:])

    /// A path by which input `name`, standard input being "-", can be opened as often as one likes. A pipe is read to its
    /// end the first time.
    static func location(of name: String) throws(MediaError) -> String {
        guard mayBePipe(name) else { return name }
        return try known.withLock { known in
            Result { () throws(MediaError) in
                switch try source(name, &known) {
                case .file(let location): location
                case .pipe(let pipe): try pipe.keepAll()
                }
            }
        }.get()
    }

    /// Input `name` where it is a pipe; nil where it can be opened as often as one likes.
    static func pipe(_ name: String) throws(MediaError) -> InputPipe? {
        guard mayBePipe(name) else { return nil }
        let found = try known.withLock { known in
            Result { () throws(MediaError) in try source(name, &known) }
        }.get()
        switch found {
        case .file: return nil
        case .pipe(let pipe): return pipe
        }
    }

    /// Whether input `name` comes through a pipe; asks without opening or waiting.
    static func isPipe(_ name: String) -> Bool {
        var status = stat()
        let isKnown = name == "-" ? fstat(STDIN_FILENO, &status) == 0 : stat(name, &status) == 0
        return isKnown && (status.st_mode & S_IFMT == S_IFIFO || status.st_mode & S_IFMT == S_IFSOCK)
    }

    private static func mayBePipe(_ name: String) -> Bool {
        var status = stat()
        return name == "-" || (stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
    }

    /// What `name` is, found out the first time only: a pipe can be opened but once.
    private static func source(
        _ name: String, _ known: inout [String: Result<Source, MediaError>]
    ) throws(MediaError) -> Source {
        let result = known[name] ?? Result { () throws(MediaError) in try open(name) }
        known[name] = result
        return try result.get()
    }

    private static func open(_ name: String) throws(MediaError) -> Source {
        let input = name == "-" ? STDIN_FILENO : openForReading(name)
        guard input >= 0 else {
            throw MediaError(
                .missingInput, "cannot read '\(name)': \(String(cString: strerror(errno)).lowercasedFirst)")
        }
        if isatty(input) == 1 {
            throw MediaError(.usage, "standard input is a terminal (redirect a file to it, or pipe a clip into it)")
        }
        #if os(Linux)
            // A file can be opened anew.
            var status = stat()
            if fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFREG {
                return .file("/proc/self/fd/\(input)")
            }
        #endif
        return .pipe(InputPipe(name == "-" ? "standard input" : "'\(name)'", descriptor: input))
    }
}

private func openForReading(_ path: String) -> Int32 { open(path, O_RDONLY | O_CLOEXEC) }

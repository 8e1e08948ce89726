import CLibav
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Pipes as files: a clip's length has to be known before anything is made of it, and its picture and sound are read apart,
/// neither of which a pipe allows. What comes in is kept in a file without a name, which goes with the program.
enum KeptInput {
    private static let kept = Mutex<[String: Result<String, MediaError>]>([:])

    /// A path by which input `name`, standard input being "-", can be opened as often as one likes. A pipe is read to its
    /// end the first time.
    static func location(of name: String) throws(MediaError) -> String {
        var status = stat()
        guard name == "-" || (stat(name, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO) else { return name }
        return try kept.withLock { kept in
            let result = kept[name] ?? Result { () throws(MediaError) in try keep(name) }
            kept[name] = result
            return result
        }.get()
    }

    private static func keep(_ name: String) throws(MediaError) -> String {
        let input = name == "-" ? STDIN_FILENO : open(name, O_RDONLY)
        guard input >= 0 else { throw failure("cannot read '\(name)'", .missingInput) }
        if isatty(input) == 1 {
            throw MediaError(.usage, "standard input is a terminal (redirect a file to it, or pipe a clip into it)")
        }
        #if os(Linux)
            // A file can be opened anew.
            var status = stat()
            if fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFREG { return "/proc/self/fd/\(input)" }
        #endif
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var path = Array("\(folder)/fliptransition-XXXXXX".utf8CString)
        let file = mkstemp(&path)
        guard file >= 0 else { throw failure("cannot keep what is piped in in \(folder)") }
        #if os(Linux)
            unlink(path)
            let location = "/proc/self/fd/\(file)"
        #else
            let location = string(path)
        #endif
        let count = try copy(from: input, to: file, in: folder)
        if count == 0 { throw MediaError(.badInput, "\(name == "-" ? "standard input" : "'\(name)'") is empty") }
        return location
    }

    /// Copies what comes in; returns the number of bytes.
    private static func copy(from input: Int32, to file: Int32, in folder: String) throws(MediaError) -> Int {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        var total = 0
        while true {
            let count = read(input, &buffer, buffer.count)
            if count == 0 { return total }
            if count < 0 {
                if errno == EINTR { continue }
                throw failure("cannot read what is piped in")
            }
            var done = 0
            while done < count {
                let written = buffer.withUnsafeBytes { write(file, $0.baseAddress! + done, count - done) }
                if written < 0 {
                    if errno == EINTR { continue }
                    throw failure("cannot keep what is piped in in \(folder)")
                }
                done += written
            }
            total += count
        }
    }

    private static func failure(_ text: String, _ kind: MediaError.Kind = .io) -> MediaError {
        MediaError(kind, "\(text): \(String(cString: strerror(errno)).lowercasedFirst)")
    }
}

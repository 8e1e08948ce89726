import CLibav
import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// A program that reads documents for us, in a process of its own: what a hostile document does to it, it does within the
/// limits set here.
package struct HelperProgram: Sendable {
    /// What it is called, and the Debian package that has it.
    package let name: String
    package let package: String

    /// What a run may take.
    package struct Limits: Sendable {
        /// Seconds by the clock, and on the processor.
        package var seconds = 60
        /// Bytes of memory that it may address; nil for no limit.
        package var memory: Int? = 4 << 30
        /// Bytes that a file it writes may have.
        package var fileBytes = 1 << 30
        /// The words that start it where it sees less of the system; see `Sandbox`.
        package var sandbox: [String] = []

        package init() {}
    }

    package init(_ name: String, package: String) {
        self.name = name
        self.package = package
    }

    package static let pdftoppm = HelperProgram("pdftoppm", package: "poppler-utils")
    package static let pdfinfo = HelperProgram("pdfinfo", package: "poppler-utils")
    package static let pdftotext = HelperProgram("pdftotext", package: "poppler-utils")
    package static let qpdf = HelperProgram("qpdf", package: "qpdf")
    package static let bsdtar = HelperProgram("bsdtar", package: "libarchive-tools")
    package static let soffice = HelperProgram("soffice", package: "libreoffice-impress")

    /// Runs it to its end with its standard output in `output`.
    /// - Parameter subject: what it is run for, as errors name it.
    /// - Throws: `missingCodec` where it isn't installed, `badInput` where it fails or goes beyond `limits`, `io` where the
    ///   machine is at fault: the disk is full, or something else killed it.
    package func run(
        _ arguments: [String], for subject: String, into output: NamelessFile, limits: Limits = Limits()
    ) throws(MediaError) {
        guard Self.isInstalled(name) else {
            throw MediaError(
                .missingCodec,
                "'\(subject)' needs the program \(name), which isn't installed (Debian's package \(package) has it)")
        }
        let said = try NamelessFile()
        let child = try spawn(arguments, output, said, limits)
        let status = Self.wait(for: child, seconds: limits.seconds)
        if status == 0 { return }
        if Self.isStopping { throw Self.stopped }
        if !said.hasRoom {
            throw MediaError(.io, "\(name) cannot read '\(subject)': no space left in \(NamelessFile.folder)")
        }
        if status.map({ $0 & 0x7f }) == SIGKILL {
            throw MediaError(
                .io, "\(name) was killed while it read '\(subject)' (the machine may have run out of memory)")
        }
        throw MediaError(.badInput, "\(name) cannot read '\(subject)'\(reason(status, said, limits))")
    }

    /// What it writes to standard output, at most `limit` bytes.
    package func text(
        _ arguments: [String], for subject: String, limit: Int = 64 << 20, limits: Limits = Limits()
    ) throws(MediaError) -> String {
        let output = try NamelessFile()
        var limits = limits
        limits.fileBytes = min(limits.fileBytes, limit)
        try run(arguments, for: subject, into: output, limits: limits)
        return String(decoding: try output.bytes(atMost: limit), as: UTF8.self)
    }

    // MARK: Running

    /// Whether it can be run.
    package var isInstalled: Bool { Self.isInstalled(name) }

    static func isInstalled(_ name: String) -> Bool {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").contains { access("\($0)/\(name)", X_OK) == 0 }
    }

    /// Programs that run, and whether no more may be started.
    private struct Registry {
        var running: Set<pid_t> = []
        var isStopping = false
    }
    private static let registry = Mutex(Registry())

    /// Whether the program is ending, so that nobody waits for what a helper would do.
    package static var isStopping: Bool { registry.withLock { $0.isStopping } }

    private static let stopped = MediaError(.io, "interrupted")

    /// Kills every helper with all that it has started, and lets none start any more: for a program that is asked to end.
    /// Returns when they are gone, or after a second.
    /// - Returns: whether there were any.
    @discardableResult
    package static func stopAll() -> Bool {
        let groups = registry.withLock { registry in
            registry.isStopping = true
            return registry.running
        }
        for group in groups { kill(-group, SIGKILL) }
        for group in groups {
            for _ in 0..<100 where kill(-group, 0) == 0 { usleep(10_000) }
        }
        return !groups.isEmpty
    }

    /// Starts it in a process group of its own, through a shell that sets the limits.
    private func spawn(
        _ arguments: [String], _ output: NamelessFile, _ said: NamelessFile, _ limits: Limits
    ) throws(MediaError) -> pid_t {
        // With one limit the system would send SIGKILL at once, and nobody could tell whose it was.
        var script =
            "ulimit -S -t \(limits.seconds) && ulimit -H -t \(limits.seconds + 5) && ulimit -f \((limits.fileBytes + 511) / 512)"
        if let memory = limits.memory { script += " && ulimit -v \(memory / 1024)" }
        var launch = Launch(
            "/bin/sh", words: ["sh", "-c", script + " && exec \"$@\"", "sh"] + limits.sandbox + [name] + arguments)
        launch.output = output.descriptor
        launch.messages = said.descriptor
        launch.hasOwnGroup = true
        let started: Result<pid_t, MediaError> = Self.registry.withLock { [launch] registry in
            if registry.isStopping { return .failure(Self.stopped) }
            do throws(Launch.Failure) {
                let child = try launch.start()
                registry.running.insert(child)
                return .success(child)
            } catch {
                return .failure(MediaError(.io, "cannot run \(name): \(error.reason)"))
            }
        }
        return try started.get()
    }

    /// The status that it ends with; nil where it had to be stopped.
    private static func wait(for child: pid_t, seconds: Int) -> Int32? {
        defer { registry.withLock { _ = $0.running.remove(child) } }
        var status: Int32 = 0
        var pause: UInt32 = 500
        var waited: UInt64 = 0
        while true {
            let ended = waitpid(child, &status, WNOHANG)
            if ended == child { return status }
            if ended < 0, errno != EINTR { return -1 }
            if waited > UInt64(seconds) * 1_000_000 {
                kill(-child, SIGKILL)
                while waitpid(child, &status, 0) < 0, errno == EINTR {}
                return nil
            }
            usleep(pause)
            waited += UInt64(pause)
            pause = min(pause * 2, 20_000)
        }
    }

    /// The end of the sentence that says why it failed.
    private func reason(_ status: Int32?, _ said: NamelessFile, _ limits: Limits) -> String {
        let isStopped = status.map { $0 & 0x7f == SIGXCPU } ?? true
        if isStopped { return " within \(limits.seconds) s" }
        if let status, status & 0x7f == SIGXFSZ {
            return ": it has more than \(limits.fileBytes >> 20) MiB to say of it"
        }
        let bytes = (try? said.bytes(atMost: 65536)) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        // The first complaint that says it is an error, rather than what the program made of a damaged file.
        guard let line = lines.first(where: { $0.contains("rror") }) ?? lines.first else { return "" }
        return ": " + line.prefix(200)
    }
}

import FlipBase

/// An external program that reads documents in a process of its own, so that a hostile document can do no harm beyond
/// the limits set here.
package struct HelperProgram: Sendable {
    /// The program's name, and the Debian package that contains it.
    package let name: String
    package let package: String

    /// The resources that one run may use.
    package struct Limits: Sendable {
        /// The limit of wall-clock time, and of processor time, in seconds.
        package var seconds: Int
        /// How many seconds it may go without using the processor, as a program does that waits for something that never comes; nil
        /// for any. Systems that don't tell know no such limit.
        package var idleSeconds: Int?
        /// The limit of address space, in bytes; nil for no limit.
        package var memory: Int?
        /// The limit of the size of each file that it writes, in bytes.
        package var fileBytes: Int
        /// The command that starts the program, such as `Sandbox.words()`; empty to start it directly.
        package var launcher: [String] = []

        package init(seconds: Int = 60, memory: Int? = 4 << 30, fileBytes: Int = 1 << 30) {
            (self.seconds, self.memory, self.fileBytes) = (seconds, memory, fileBytes)
        }
    }

    package init(_ name: String, package: String) { (self.name, self.package) = (name, package) }

    package static let pdftoppm = HelperProgram("pdftoppm", package: "poppler-utils")
    package static let pdfinfo = HelperProgram("pdfinfo", package: "poppler-utils")
    package static let pdftotext = HelperProgram("pdftotext", package: "poppler-utils")
    package static let pdffonts = HelperProgram("pdffonts", package: "poppler-utils")
    package static let qpdf = HelperProgram("qpdf", package: "qpdf")
    package static let bsdtar = HelperProgram("bsdtar", package: "libarchive-tools")
    package static let heifInfo = HelperProgram("heif-info", package: "libheif-examples")
    /// From libheif 1.19 on it is called heif-dec.
    package static var heifConvert: HelperProgram {
        let name = isInstalled("heif-dec") && !isInstalled("heif-convert") ? "heif-dec" : "heif-convert"
        return HelperProgram(name, package: "libheif-examples")
    }
    package static let soffice = HelperProgram("soffice", package: "libreoffice-impress")
    /// Chrome takes the place of Chromium.
    package static var chromium: HelperProgram {
        let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
        return HelperProgram(names.first(where: isInstalled) ?? names[0], package: "chromium")
    }
    package static let melt = HelperProgram("melt", package: "melt")
    package static let bubblewrap = HelperProgram("bwrap", package: "bubblewrap")
    package static let sbatch = HelperProgram("sbatch", package: "slurm-client")

    /// Runs the program to its end, with its standard output in `output`.
    /// - Parameter subject: what it is run for, as errors name it.
    /// - Throws: `missingCodec` where the program isn't installed, `badInput` where it fails or exceeds `limits`, `io`
    ///   where the machine is at fault: the disk is full, or something else killed the program.
    package func run(
        _ arguments: [String], for subject: String, into output: NamelessFile, limits: Limits = Limits()
    ) throws(MediaError) {
        try require(for: subject)
        let errorOutput = try NamelessFile()
        let ending = try Self.run([name] + arguments, nil, output, errorOutput, limits)
        if ending == .exited(0) { return }
        if !errorOutput.hasRoom {
            throw MediaError(.io, "\(name) cannot read '\(subject)': no space left in \(NamelessFile.folder)")
        }
        if ending == .killed(SIGKILL) {
            throw MediaError(
                .io, "\(name) was killed while it read '\(subject)' (the machine may have run out of memory)")
        }
        throw MediaError(.badInput, "\(name) cannot read '\(subject)'\(reason(ending, errorOutput, limits))")
    }

    /// - Throws: `missingCodec` where the program, which `subject` needs, isn't installed.
    package func require(for subject: String) throws(MediaError) {
        if isInstalled { return }
        throw MediaError(
            .missingCodec,
            "'\(subject)' needs the program \(name), which isn't installed (Debian's package \(package) has it)")
    }

    /// Runs the program and returns what it writes to standard output, at most `limit` bytes.
    package func text(
        _ arguments: [String], for subject: String, limit: Int = 64 << 20, limits: Limits = Limits()
    ) throws(MediaError) -> String {
        let output = try NamelessFile()
        var limits = limits
        limits.fileBytes = min(limits.fileBytes, limit)
        try run(arguments, for: subject, into: output, limits: limits)
        return String(decoding: try output.bytes(atMost: limit), as: UTF8.self)
    }

    /// Runs a command of the user's to its end, with the file `input` as its standard input.
    /// - Parameter words: the program's name or path, and its arguments.
    /// - Returns: why it failed, as the end of a sentence that begins with its name; nil if it succeeded.
    /// - Throws: `missingCodec` where the program isn't installed, `io` if this program is asked to end, or can't start it.
    package static func run(
        command words: [String], input: NamelessFile, limits: Limits
    ) throws(MediaError) -> String? {
        guard let name = words.first, isInstalled(name) else {
            throw MediaError(
                .missingCodec,
                "the program \(words.first ?? "") isn't installed, or is not in PATH (install it, or give its path)")
        }
        let output = try NamelessFile()
        let ending = try run(words, input, output, output, limits)
        switch ending {
        case .exited(0): return nil
        case nil, .killed(SIGXCPU): return "took longer than \(limits.seconds) s"
        case .killed(SIGXFSZ): return "wrote more than \(limits.fileBytes >> 20) MiB"
        case .exited, .killed, .unknown:
            let bytes = (try? output.bytes(atMost: 1 << 20)) ?? []
            let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
            let last = lines.last { $0.contains { !$0.isWhitespace } }.map { ": " + $0.prefix(200) } ?? ""
            if case .killed(let signal) = ending { return "was killed by signal \(signal)" + last }
            guard case .exited(let status) = ending else { return "failed" + last }
            return "ended with \(status)" + last
        }
    }

    // MARK: Running

    /// Whether the program is in PATH and can be executed.
    package var isInstalled: Bool { Self.isInstalled(name) }

    static func isInstalled(_ name: String) -> Bool { find(name) != nil }

    /// The path of the program `name`, which is a name to look for in PATH or a path itself; nil if it can't be executed.
    package static func find(_ name: String) -> String? {
        if name.contains("/") { return access(name, X_OK) == 0 ? name : nil }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        return path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// The running helpers, each the leader of its process group, and whether no more may be started.
    private struct Registry {
        var running: Set<pid_t> = []
        var isStopping = false
    }
    private static let registry = Mutex(Registry())

    /// Whether this program is ending, so that nobody waits for a helper's result any more.
    package static var isStopping: Bool { registry.withLock { $0.isStopping } }

    private static let stopped = MediaError(.io, "interrupted")

    /// Kills every helper with its process group and lets no more be started, for a program that is asked to end. Waits
    /// up to a second for each group to be gone.
    /// - Returns: whether there were any helpers.
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

    /// Runs the program `words` to its end.
    /// - Returns: how it ended; nil if it was killed at the end of its time.
    /// - Throws: if this program is asked to end meanwhile.
    private static func run(
        _ words: [String], _ input: NamelessFile?, _ output: NamelessFile, _ errorOutput: NamelessFile, _ limits: Limits
    ) throws(MediaError) -> Child.Ending? {
        let child = try spawn(words, input, output, errorOutput, limits)
        let ending = wait(for: child, limits)
        if ending == nil { child.killGroup() }
        registry.withLock { [id = child.id] in _ = $0.running.remove(id) }
        if ending != .exited(0), isStopping { throw stopped }
        return ending
    }

    /// Waits until the program ends.
    /// - Returns: how it ended; nil if its time is over, or it has been idle for too long.
    private static func wait(for child: Child, _ limits: Limits) -> Child.Ending? {
        let deadline = SuspendingClock.now + .seconds(limits.seconds)
        guard let idle = limits.idleSeconds else { return child.wait(until: deadline) }
        var ticks = ProcessTree.ticks(of: child.id)
        while SuspendingClock.now < deadline {
            if let ending = child.wait(until: min(deadline, .now + .seconds(idle))) { return ending }
            let now = ProcessTree.ticks(of: child.id)
            // Looking around some times a second takes a tick or two.
            if let now, let ticks, now - ticks < idle { return nil }
            ticks = now
        }
        return nil
    }

    /// Starts the program `words` in a process group of its own, through a shell that sets the limits.
    private static func spawn(
        _ words: [String], _ input: NamelessFile?, _ output: NamelessFile, _ errorOutput: NamelessFile, _ limits: Limits
    ) throws(MediaError) -> Child {
        // At the soft limit of processor time the system sends SIGXCPU. With one limit for both it would send SIGKILL
        // at once, which can't be told from a kill by something else.
        var script =
            "ulimit -S -t \(limits.seconds) && ulimit -H -t \(limits.seconds + 5) && ulimit -f \((limits.fileBytes + 511) / 512)"
        if let memory = limits.memory { script += " && ulimit -v \(memory / 1024)" }
        var launch = Launch("/bin/sh", words: ["sh", "-c", script + " && exec \"$@\"", "sh"] + limits.launcher + words)
        launch.input = input?.descriptor
        launch.output = output.descriptor
        launch.messages = errorOutput.descriptor
        launch.hasOwnGroup = true
        let started: Result<Child, MediaError> = registry.withLock { [launch] registry in
            if registry.isStopping { return .failure(stopped) }
            do throws(Launch.Failure) {
                let child = try launch.start()
                registry.running.insert(child.id)
                return .success(child)
            } catch {
                return .failure(MediaError(.io, "cannot run \(words[0]): \(error.reason)"))
            }
        }
        return try started.get()
    }

    /// Why the program failed, if it ended at all, as the end of a sentence.
    private func reason(_ ending: Child.Ending?, _ errorOutput: NamelessFile, _ limits: Limits) -> String {
        if ending == nil || ending == .killed(SIGXCPU) { return " within \(limits.seconds) s" }
        if ending == .killed(SIGXFSZ) { return ": its output exceeds \(limits.fileBytes >> 20) MiB" }
        let bytes = (try? errorOutput.bytes(atMost: 65536)) ?? []
        let lines = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
        // The first line that names an error is preferred to warnings about how a damaged file was read.
        guard let line = lines.first(where: { $0.contains("rror") }) ?? lines.first else { return "" }
        return ": " + line.prefix(200)
    }
}

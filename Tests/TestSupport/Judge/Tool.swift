import Foundation

/// The result of a finished program.
package struct ToolRun: Sendable {
    package var arguments: [String]
    /// The exit code, or 128 plus the signal's number if a signal ended the program.
    package var status: Int32
    package var output: Data
    /// The program's standard error, without `summary`.
    package var messages: String
    /// The line on standard error that says what was made; nil if there is none.
    package var summary: String?
    /// The peak resident set size, in bytes.
    package var peakMemory: Int
    /// The run time in seconds.
    package var seconds: Double

    /// The lines of standard error that are not blank.
    package var messageLines: [String] {
        messages.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    /// Standard error without the line that says what was made, and that line.
    fileprivate static func split(_ errors: String) -> (rest: String, summary: String?) {
        let form =
            /(?m)^(?!\{|fliptransition: ).+: [0-9.:]+( s)?, \d+x\d+, [0-9.]+ \S+; .* frames (encoded|copied)(, the rest copied)?; [0-9.]+ s\n/
        guard let match = errors.firstMatch(of: form) else { return (errors, nil) }
        return (errors.replacingCharacters(in: match.range, with: ""), String(match.0.dropLast()))
    }

    /// Standard output as text.
    package var text: String { String(decoding: output, as: UTF8.self) }

    /// The command line and how it ended, for the messages of failed expectations.
    package var story: String {
        "`\(arguments.joined(separator: " "))` ended with \(status) after \(seconds) s: \(messages.suffix(2000))"
    }
}

/// An error in a tool, which leaves a test without a verdict.
package struct ToolError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A running program.
package struct RunningTool {
    /// The process identifier.
    package let process: Int32
    fileprivate let messagesPath: String

    /// What the program has written to standard error so far.
    package var messages: String {
        String(decoding: FileManager.default.contents(atPath: messagesPath) ?? Data(), as: UTF8.self)
    }
}

/// A function called repeatedly while a program runs, until it returns true.
package typealias ToolWatch = (RunningTool) -> Bool

/// Runs programs as a user's shell would, but with a time limit.
package enum Tool {
    /// Returns a watch that sends the signal `number` once `condition` is true.
    package static func signal(_ number: Int32, when condition: @escaping ToolWatch) -> ToolWatch {
        { tool in
            guard condition(tool) else { return false }
            kill(tool.process, number)
            return true
        }
    }

    /// Returns a watch that sends the signal `number` once the first frame has been written, as `--progress json`
    /// reports it.
    package static func signalAtFirstFrame(_ number: Int32) -> ToolWatch {
        signal(number) { $0.messages.contains(#""event":"progress""#) }
    }

    /// Runs `program` (a path, or a name on PATH) until it exits.
    ///
    /// After `timeout` seconds the program is killed and an error is thrown. `interruption` sends it a signal after so
    /// many seconds, and `watch` is called while it runs. `environment` is added to this process's environment.
    package static func run(
        _ program: String, _ arguments: [String], timeout: Double = 120,
        interruption: (after: Double, signal: Int32)? = nil, watch: ToolWatch? = nil,
        environment: [String: String] = [:]
    ) throws -> ToolRun {
        let folder = try TemporaryFolder()
        let (output, messages) = (folder / "stdout", folder / "stderr")
        for path in [output, messages] { try Data().write(to: path) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "/usr/bin/env")
        if !environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        }
        process.arguments = (program.contains("/") ? [] : [program]) + arguments
        // Files that a program leaves in its working directory are removed with the folder.
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        let handles = [output, messages].map { FileHandle(forWritingAtPath: $0) }
        // Foundation keeps them open otherwise, two for each program that the tests run.
        defer { for handle in handles { try? handle?.close() } }
        (process.standardOutput, process.standardError) = (handles[0], handles[1])
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        let start = ContinuousClock.now
        try withSignalsOpen { try process.run() }
        var peak = 0
        var pending = interruption
        var watch = watch
        var wasKilled = false
        while ended.wait(timeout: .now() + 0.01) == .timedOut {
            peak = max(peak, residentPeak(of: process.processIdentifier))
            let seconds = elapsed(since: start)
            if let due = pending, seconds >= due.after {
                kill(process.processIdentifier, due.signal)
                pending = nil
            }
            if watch?(RunningTool(process: process.processIdentifier, messagesPath: messages)) == true { watch = nil }
            if seconds > timeout && !wasKilled {
                kill(process.processIdentifier, SIGKILL)
                wasKilled = true
            }
        }
        let errors = String(decoding: FileManager.default.contents(atPath: messages) ?? Data(), as: UTF8.self)
        let (rest, summary) = ToolRun.split(errors)
        let run = ToolRun(
            arguments: [program] + arguments,
            status: process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0),
            output: FileManager.default.contents(atPath: output) ?? Data(), messages: rest, summary: summary,
            peakMemory: peak, seconds: elapsed(since: start))
        if wasKilled { throw ToolError("killed after its time limit: " + run.story) }
        return run
    }

    /// Runs `program` and throws if it fails.
    @discardableResult
    package static func succeed(
        _ program: String, _ arguments: [String], timeout: Double = 120, environment: [String: String] = [:]
    ) throws -> ToolRun {
        let run = try run(program, arguments, timeout: timeout, environment: environment)
        guard run.status == 0 else { throw ToolError(run.story) }
        return run
    }

    /// Runs `program` with words.
    package static func run(
        _ program: String, _ words: Words..., timeout: Double = 120, watch: ToolWatch? = nil,
        environment: [String: String] = [:]
    ) throws -> ToolRun {
        try run(program, words.list, timeout: timeout, watch: watch, environment: environment)
    }

    /// Runs `program` with words and throws if it fails.
    @discardableResult
    package static func succeed(
        _ program: String, _ words: Words..., timeout: Double = 120, environment: [String: String] = [:]
    ) throws -> ToolRun {
        try succeed(program, words.list, timeout: timeout, environment: environment)
    }

    /// Runs ffmpeg, which says only what is wrong, and throws if it fails.
    @discardableResult
    package static func ffmpeg(_ words: Words..., timeout: Double = 120) throws -> ToolRun {
        try succeed("ffmpeg", ["-nostdin", "-v", "error"] + words.list, timeout: timeout)
    }

    /// Runs `body` with no signals blocked: a child inherits the signal mask of the thread that starts it, and worker
    /// threads block all signals.
    private static func withSignalsOpen(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    private static func elapsed(since start: ContinuousClock.Instant) -> Double {
        let parts = (ContinuousClock.now - start).components
        return Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }

    /// The peak resident set size of a process so far, in bytes. It never decreases, so the last value read before the
    /// process exits is the peak.
    private static func residentPeak(of process: Int32) -> Int {
        guard let status = try? String(contentsOf: "/proc/\(process)/status"),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
        else { return 0 }
        return kilobytes * 1024
    }
}

/// A new temporary folder that is removed together with this object.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = URL(fileURLWithPath: NSTemporaryDirectory()).path + "/fliptransition-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    /// A new folder for a suite's stored property: each test has an instance of its suite, and so a folder of its own.
    package static func make() -> TemporaryFolder {
        do { return try TemporaryFolder() } catch { fatalError("\(error)") }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    package static func / (folder: TemporaryFolder, name: String) -> String { folder.path + "/" + name }

    /// Copies a file or folder into the folder.
    package func add(_ path: String, as name: String) throws {
        try FileManager.default.copyItem(atPath: path, toPath: self / name)
    }

    /// Makes a link in the folder.
    package func link(_ name: String, to path: String) throws {
        try FileManager.default.createSymbolicLink(atPath: self / name, withDestinationPath: path)
    }

    /// Makes a folder in the folder.
    package func makeFolder(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: self / name, withIntermediateDirectories: true)
    }

    package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: self / name) }

    /// The names of the folder's entries, sorted.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

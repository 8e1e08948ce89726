import Foundation

/// What a finished program left behind.
package struct ToolRun: Sendable {
    package var arguments: [String]
    /// The exit code; 128 + the signal's number for a program that a signal ended.
    package var status: Int32
    package var output: Data
    /// What it wrote to standard error.
    package var messages: String
    /// The largest resident set seen, in bytes.
    package var peakMemory: Int
    package var seconds: Double

    /// Lines of standard error, without empty ones.
    package var messageLines: [String] {
        messages.split(whereSeparator: \.isNewline).map(String.init).filter { !$0.allSatisfy(\.isWhitespace) }
    }

    package var text: String { String(decoding: output, as: UTF8.self) }

    /// The command and how it ended, for failed expectations.
    package var story: String {
        "`\(arguments.joined(separator: " "))` ended with \(status) after \(seconds) s: \(messages.suffix(2000))"
    }
}

/// A program could not be judged at all.
package struct ToolError: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}

/// A program that runs.
package struct RunningTool {
    package let process: Int32
    fileprivate let messagesPath: String

    /// What it has written to standard error so far.
    package var messages: String {
        String(decoding: FileManager.default.contents(atPath: messagesPath) ?? Data(), as: UTF8.self)
    }
}

/// Something done to a program while it runs: called again and again, until it returns true.
package typealias ToolWatch = (RunningTool) -> Bool

/// Runs programs as a user's shell would, with a time limit.
package enum Tool {
    /// Sends a signal once `condition` is true.
    package static func signal(_ number: Int32, when condition: @escaping ToolWatch) -> ToolWatch {
        { tool in
            guard condition(tool) else { return false }
            kill(tool.process, number)
            return true
        }
    }

    /// Sends a signal once the first frame has been written, which `--progress json` says.
    package static func signalAtFirstFrame(_ number: Int32) -> ToolWatch {
        signal(number) { $0.messages.contains(#""event":"progress""#) }
    }

    /// Runs `program` (a path, or a name on PATH) to its end.
    ///
    /// It is killed after `timeout` seconds, which throws; `interruption` sends it a signal before that, and `watch` does what it
    /// likes. `environment` is added to this process's own.
    package static func run(
        _ program: String, _ arguments: [String], timeout: Double = 120,
        interruption: (after: Double, signal: Int32)? = nil, watch: ToolWatch? = nil,
        environment: [String: String] = [:]
    ) throws -> ToolRun {
        let folder = try TemporaryFolder()
        let (output, messages) = (folder / "stdout", folder / "stderr")
        for path in [output, messages] { try Data().write(to: URL(fileURLWithPath: path)) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program.contains("/") ? program : "/usr/bin/env")
        if !environment.isEmpty {
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { _, own in own }
        }
        process.arguments = (program.contains("/") ? [] : [program]) + arguments
        // What a program leaves where it runs goes with the folder.
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle(forWritingAtPath: output)
        process.standardError = FileHandle(forWritingAtPath: messages)
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
        let run = ToolRun(
            arguments: [program] + arguments,
            status: process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0),
            output: FileManager.default.contents(atPath: output) ?? Data(),
            messages: String(decoding: FileManager.default.contents(atPath: messages) ?? Data(), as: UTF8.self),
            peakMemory: peak, seconds: elapsed(since: start))
        if wasKilled { throw ToolError("killed after its time limit: " + run.story) }
        return run
    }

    /// Runs `program` and throws where it fails.
    @discardableResult
    package static func succeed(
        _ program: String, _ arguments: [String], timeout: Double = 120, environment: [String: String] = [:]
    ) throws -> ToolRun {
        let run = try run(program, arguments, timeout: timeout, environment: environment)
        guard run.status == 0 else { throw ToolError(run.story) }
        return run
    }

    /// A child inherits the signals that its parent's thread holds back, and worker threads hold back all of them.
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

    /// The high-water mark of a process's memory: it never falls, so the last look before the end is the peak.
    private static func residentPeak(of process: Int32) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") }),
            let kilobytes = line.split(separator: " ").compactMap({ Int($0) }).first
        else { return 0 }
        return kilobytes * 1024
    }
}

/// A folder of its own that goes with its owner.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        path = NSTemporaryDirectory() + "/fliptransition-tests-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The path of a file in the folder.
    package static func / (folder: TemporaryFolder, name: String) -> String { folder.path + "/" + name }

    /// The names in the folder, sorted.
    package var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
    }
}

import FlipBase
import FlipFiles
import Foundation

/// How an attempt at a job ended: the exit status that tells schedulers whether to try again.
package enum JobExit: Int32, Sendable {
    case done = 0
    /// Another attempt would fail too: the inputs, the request or the output's location are at fault.
    case refused = 65
    /// The job has failed as often as is allowed, or needs too much memory.
    case exhausted = 70
    /// The output was made, but can't be put in its place before somebody clears it.
    case unplaced = 73
    /// Another attempt may succeed: this one was interrupted or crashed, the disk was full, or the machine is at fault.
    case again = 75

    /// Classifies an exit status of the program, which is 128 plus the signal's number if a signal ended it.
    package init(status: Int32) {
        self =
            switch status {
            case 0: .done
            case EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_UNAVAILABLE: .refused
            case EX_CANTCREAT: .unplaced
            default: .again
            }
    }
}

/// What one attempt did: the single line of its log.
package struct AttemptLine: Codable, Sendable {
    package enum State: String, Codable, Sendable {
        case running, done, failed
    }

    package var job: Int
    package var hash: String
    package var host: String
    package var process: Int32
    /// The prefix of the attempt's file names in `outputs`.
    package var part: String
    package var state: State
    /// When the attempt began, in ISO 8601, UTC.
    package var started: String
    /// How long the attempt took, in seconds; nil while it is running.
    package var seconds: Double?
    /// The exit status; nil while the attempt is running.
    package var exit: Int32?
    /// Why the attempt failed; nil if it didn't.
    package var message: String?
    /// Whether another attempt had already published the output.
    package var wasSecond: Bool?
    /// Whether the attempt was asked to end, which does not count as a failure.
    package var wasInterrupted: Bool?
}

/// One attempt at a job, with file names that no other attempt uses and a log of one line.
package final class Attempt: Sendable {
    package let job: Job
    private let directory: JobDirectory
    private let begun = ContinuousClock.now
    private let line: AttemptLine
    private let logPath: String
    /// The prefix of all its file names in `outputs`.
    package let partName: String
    /// The descriptor of a file that is locked for as long as the attempt lives, so that other processes know that it
    /// does.
    private let lock: Int32
    /// Touches the lock file regularly, for machines that don't see the lock. The timer is only stored to be canceled
    /// at the end.
    nonisolated(unsafe) private let heartbeat: any DispatchSourceTimer

    /// The interval between two heartbeats, in seconds.
    private static let heartbeatInterval = 10.0

    /// This machine's name, which must be unique among the machines that share a job directory. It contains no hyphen,
    /// which separates the parts of file names.
    package static let host: String = {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(name.prefix(60).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "_" })
    }()

    /// Begins an attempt and logs that it is running.
    /// - Returns: nil if another living attempt has claimed the job.
    package init?(_ job: Job, in directory: JobDirectory) throws(MediaError) {
        (self.job, self.directory) = (job, directory)
        try directory.create()
        let (mark, lock) = try Self.begin(job, directory)
        partName = ".part-\(job.index)-\(mark)"
        self.lock = lock
        logPath = "\(directory.attempts)/\(job.name)-\(mark).json"
        line = AttemptLine(
            job: job.index, hash: job.hash, host: Self.host, process: getpid(), part: partName, state: .running,
            started: Date().ISO8601Format())
        heartbeat = DispatchSource.makeTimerSource()
        heartbeat.schedule(deadline: .now() + Self.heartbeatInterval, repeating: Self.heartbeatInterval)
        heartbeat.setEventHandler { futimens(lock, nil) }
        heartbeat.resume()
        guard mkdir(scratch, 0o777) == 0 else {
            let error = MediaError.system(.cannotCreate, "create", scratch)
            unlink("\(directory.outputs)/\(partName).lock")
            throw error
        }
        guard directory.claim(job, for: partName) else {
            clean()
            return nil
        }
        do throws(MediaError) {
            try write(line)
        } catch {
            clean()
            throw error
        }
    }

    /// Creates and locks the attempt's lock file.
    /// - Returns: the unique mark in the file's name, and the file's descriptor.
    private static func begin(_ job: Job, _ directory: JobDirectory) throws(MediaError) -> (mark: String, lock: Int32) {
        while true {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let mark = "\(host)-\(getpid())-\(now.tv_sec * 1_000_000_000 + now.tv_nsec)"
            let path = "\(directory.outputs)/.part-\(job.index)-\(mark).lock"
            let lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard lock >= 0 else { throw MediaError.system(.cannotCreate, "create", path) }
            // If it is held, another process has taken the new file for abandoned and is removing it.
            if FileLock.take(lock) != .held { return (mark, lock) }
            unlink(path)
            close(lock)
        }
    }

    deinit {
        heartbeat.cancel()
        close(lock)
    }

    /// The path at which the output is written before it is published.
    package var part: String { "\(scratch)/output.\(job.ending)" }
    /// The path of the renderer's report.
    package var report: String { scratch + "/report.json" }
    /// The folder of all files of the attempt but its lock and its log.
    package var scratch: String { "\(directory.outputs)/\(partName).d" }

    /// Removes all files of the attempt except its log. Safe to call from any thread.
    package func clean() {
        try? FileManager.default.removeItem(atPath: scratch)
        directory.release(job, from: partName)
        // The lock file goes last, because it says that the others are in use.
        unlink("\(directory.outputs)/\(partName).lock")
    }

    /// Ends the attempt and records in its log how it ended.
    package func end(_ exit: JobExit, message: String? = nil, wasSecond: Bool? = nil, wasInterrupted: Bool? = nil) {
        var line = line
        line.state = exit == .done ? .done : .failed
        line.seconds = (begun.duration(to: .now) / .milliseconds(1)).rounded() / 1000
        line.exit = exit.rawValue
        line.message = message
        line.wasSecond = wasSecond
        line.wasInterrupted = wasInterrupted
        // Whether the output exists does not depend on the log.
        try? write(line)
    }

    private func write(_ line: AttemptLine) throws(MediaError) {
        guard let data = try? JSONEncoder.stable.encode(line) else { return }
        try Files.replace(logPath, with: data + Data("\n".utf8))
    }
}

extension AttemptLine {
    /// When the attempt began, in nanoseconds since 1970.
    package var time: Int { PartName(part)?.time ?? 0 }
}

extension JobDirectory {
    /// The names of the logs of all attempts at jobs of any plan: the job's name, a hyphen, and what is unique.
    package func attemptNames() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: attempts)) ?? []).filter { $0.hasSuffix(".json") }
    }

    /// The logs called `names`, oldest first.
    package func attemptLines(in names: [String]) -> [AttemptLine] {
        names
            .compactMap { FileManager.default.contents(atPath: "\(attempts)/\($0)") }
            .compactMap { try? JSONDecoder().decode(AttemptLine.self, from: $0) }
            .sorted { $0.time < $1.time }
    }

    /// The logs of all attempts at `job`, oldest first.
    package func attemptLines(of job: Job) -> [AttemptLine] {
        attemptLines(in: attemptNames().filter { $0.hasPrefix(job.name + "-") })
    }

    /// An error message if `job` has failed at least `limit` times since `time` (in nanoseconds since 1970), not
    /// counting interruptions; otherwise nil.
    package func exhaustion(of job: Job, after limit: Int, since time: Int = 0) -> String? {
        if isWhole(job) { return nil }
        let failures = attemptLines(of: job).filter { line in
            guard line.wasInterrupted != true, line.time >= time else { return false }
            return line.state == .failed || (line.state == .running && !isAlive(line.part))
        }
        guard failures.count >= limit else { return nil }
        let last = failures.last?.message ?? "the last attempt was killed"
        return "job \(job.index) has failed \(failures.count) times (\(last))"
    }
}

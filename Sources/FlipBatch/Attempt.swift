import FlipMedia
import Foundation

/// How an attempt at a job ended, as programs that start jobs understand it.
package enum JobExit: Int32, Sendable {
    case done = 0
    /// Would fail again: the inputs, the request or the place of the output are at fault.
    case refused = 65
    /// Was tried as often as it may be.
    case exhausted = 70
    /// May succeed another time: interrupted, crashed, the disk full, the machine at fault.
    case again = 75

    /// What an exit status of the program stands for, a signal's being 128 and its number.
    package init(status: Int32) {
        self =
            switch status {
            case 0: .done
            // An output that can't be created is somebody's to see to.
            case EX_USAGE, EX_DATAERR, EX_NOINPUT, EX_UNAVAILABLE, EX_CANTCREAT: .refused
            default: .again
            }
    }
}

/// What one attempt did: the line of its file.
package struct AttemptLine: Codable, Sendable {
    package enum State: String, Codable, Sendable {
        case running, done, failed
    }

    package var job: Int
    package var hash: String
    package var host: String
    package var process: Int32
    /// What its files in `outputs` begin with.
    package var part: String
    package var state: State
    /// As ISO 8601, UTC.
    package var started: String
    package var seconds: Double?
    /// The status the attempt ended with.
    package var exit: Int32?
    /// Where it failed, why.
    package var message: String?
    /// Whether another attempt had published the output first.
    package var wasSecond: Bool?
    /// Whether it was asked to end, which is no failure of its own.
    package var wasInterrupted: Bool?
}

/// One try at a job: its place to write, which no other attempt has, and its log of one line.
package final class Attempt: Sendable {
    package let job: Job
    private let directory: JobDirectory
    private let begun = ContinuousClock.now
    private let line: AttemptLine
    private let logPath: String
    /// What all its files in `outputs` begin with.
    private let partName: String
    /// An open file that is locked for as long as this process lives, by which others know that it does.
    private let lock: Int32
    /// Touches that file, for machines that don't see its lock. Only kept, and cancelled at the end.
    nonisolated(unsafe) private let heartbeat: any DispatchSourceTimer

    /// Seconds between two heartbeats.
    private static let beat = 10.0

    /// Of machines that share a job directory, no two have the same.
    package static let host: String = {
        var buffer = [CChar](repeating: 0, count: 256)
        gethostname(&buffer, buffer.count - 1)
        let name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(name.prefix(60).map { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") ? $0 : "_" })
    }()

    /// Begins an attempt: its log says that it runs.
    package init(_ job: Job, in directory: JobDirectory) throws(MediaError) {
        self.job = job
        self.directory = directory
        try directory.create()
        let (mark, lock) = try Self.begin(job, directory)
        partName = ".part-\(job.index)-\(mark)"
        self.lock = lock
        logPath = "\(directory.attempts)/\(job.name)-\(mark).json"
        line = AttemptLine(
            job: job.index, hash: job.hash, host: Self.host, process: getpid(), part: partName, state: .running,
            started: Date().ISO8601Format())
        heartbeat = DispatchSource.makeTimerSource()
        heartbeat.schedule(deadline: .now() + Self.beat, repeating: Self.beat)
        heartbeat.setEventHandler { futimens(lock, nil) }
        heartbeat.resume()
        guard mkdir(scratch, 0o777) == 0 else {
            let error = Publishing.failure("create", scratch)
            unlink("\(directory.outputs)/\(partName).lock")
            throw error
        }
        try write(line)
    }

    /// A name that no other attempt has, and its file, locked.
    private static func begin(
        _ job: Job, _ directory: JobDirectory
    ) throws(MediaError) -> (mark: String, lock: Int32) {
        while true {
            var now = timespec()
            clock_gettime(CLOCK_REALTIME, &now)
            let mark = "\(host)-\(getpid())-\(now.tv_sec * 1_000_000_000 + now.tv_nsec)"
            let path = "\(directory.outputs)/.part-\(job.index)-\(mark).lock"
            let lock = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            guard lock >= 0 else { throw Publishing.failure("create", path) }
            // Whoever looked in between has taken it for left behind.
            if FileLock.take(lock) != .held { return (mark, lock) }
            unlink(path)
            close(lock)
        }
    }

    deinit {
        heartbeat.cancel()
        close(lock)
    }

    /// Where the output is written before it has its name.
    package var part: String { "\(directory.outputs)/\(partName).\(job.ending)" }
    /// Where the renderer's report is written.
    package var report: String { scratch + "/report.json" }
    /// A folder for whatever else is written meanwhile.
    package var scratch: String { "\(directory.outputs)/\(partName).d" }

    /// Removes all it wrote but its log. Safe to call from any thread.
    package func clean() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory.outputs)) ?? []
        // The writer hides its own temporary files by one dot more.
        for name in names where name.hasPrefix(partName + ".") || name.hasPrefix("." + partName + ".") {
            if name != partName + ".lock" {
                try? FileManager.default.removeItem(atPath: "\(directory.outputs)/\(name)")
            }
        }
        // Last, as it stands for all of them.
        unlink("\(directory.outputs)/\(partName).lock")
    }

    /// Ends the attempt: says how in its log.
    package func end(
        _ exit: JobExit, message: String? = nil, wasSecond: Bool? = nil, wasInterrupted: Bool? = nil
    ) {
        var line = line
        line.state = exit == .done ? .done : .failed
        line.seconds = (begun.duration(to: .now) / .milliseconds(1)).rounded() / 1000
        line.exit = exit.rawValue
        line.message = message
        line.wasSecond = wasSecond
        line.wasInterrupted = wasInterrupted
        // The output is there or isn't, whatever becomes of the log.
        try? write(line)
    }

    private func write(_ line: AttemptLine) throws(MediaError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            try (encoder.encode(line) + Data("\n".utf8)).write(to: URL(fileURLWithPath: logPath), options: .atomic)
        } catch {
            throw MediaError(.io, "cannot write '\(logPath)' (is the disk full?)")
        }
    }
}

extension JobDirectory {
    /// All attempts at jobs of any plan, oldest first.
    package func attemptLines() -> [AttemptLine] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: attempts)) ?? []
        return names.filter { $0.hasSuffix(".json") }
            .compactMap { FileManager.default.contents(atPath: "\(attempts)/\($0)") }
            .compactMap { try? JSONDecoder().decode(AttemptLine.self, from: $0) }
            .sorted { $0.started < $1.started }
    }
}

extension JobDirectory {
    /// The sentence that says that `job` has failed `limit` times, interruptions aside; nil where it hasn't.
    package func exhaustion(of job: Job, after limit: Int) -> String? {
        if isWhole(job) { return nil }
        let failures = attemptLines().filter { line in
            guard line.hash == job.hash, line.wasInterrupted != true else { return false }
            return line.state == .failed || (line.state == .running && !isAlive(line.part))
        }
        guard failures.count >= limit else { return nil }
        let last = failures.last?.message ?? "the last attempt was killed"
        return "job \(job.index) has failed \(failures.count) times (\(last))"
    }
}

import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// A folder with the plan of a batch and everything that was made for it: `plan.json`, `plans/`,
/// `outputs/`, `reports/`, `attempts/`, `claims/`, `sources/` and `submissions/`.
///
/// Its files are its only state: an output that exists under its job's name is complete, because it gets that name
/// last.
package struct JobDirectory: Sendable {
    package let path: String
    /// The path of the plan that `readPlan` reads: the latest one, or one in `plans`.
    package let planPath: String

    package init(_ path: String) {
        self.path = path
        planPath = path + "/plan.json"
    }

    /// The job directory at `path`, or the one that contains the plan at `path`.
    package init(at path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let isKept = folder.lastPathComponent == "plans"
        self.init(
            path: path.hasSuffix(".json") ? (isKept ? folder.deletingLastPathComponent().path : folder.path) : path,
            planPath: path.hasSuffix(".json") ? path : path + "/plan.json")
    }

    private init(path: String, planPath: String) { (self.path, self.planPath) = (path, planPath) }

    /// The folder of plans, each named by the hash of its contents. They are immutable, and only `collect` removes them, so
    /// later planning does not affect a process that uses one.
    package var plans: String { path + "/plans" }
    package var outputs: String { path + "/outputs" }
    package var reports: String { path + "/reports" }
    package var attempts: String { path + "/attempts" }
    /// The folder of the copies of timelines, each named by the hash of its contents.
    package var sources: String { path + "/sources" }
    /// The folder of what engines were given: lists of work, scripts, and the logs of what they ran.
    package var submissions: String { path + "/submissions" }

    package func outputPath(_ job: Job) -> String { "\(outputs)/\(job.name).\(job.ending)" }
    package func reportPath(_ job: Job) -> String { "\(reports)/\(job.name).json" }

    /// Creates the folders that are missing.
    package func create() throws(MediaError) {
        for folder in [path, plans, outputs, reports, attempts, claims, sources, submissions] {
            try Publishing.createFolder(folder)
        }
    }

    /// The plan, with absolute outputs.
    /// - Parameter roots: folders that replace the plan's own ones, by their names.
    package func readPlan(roots: [String: String] = [:]) throws(MediaError) -> JobPlan {
        let stored = try StoredPlan(self)
        var plan = stored.head
        plan.jobs = try stored.jobs(stored.indices)
        return try plan.resolved(roots)
    }

    /// The plan with only those jobs that `selection` names, as `JobSelection` describes, in the order of the text. Takes
    /// much less time than reading all of them.
    package func readPlan(_ selection: String, roots: [String: String] = [:]) throws(MediaError) -> JobPlan {
        let stored = try StoredPlan(self)
        var plan = stored.head
        plan.jobs = try stored.jobs(JobSelection.parse(selection, in: stored))
        return try plan.resolved(roots)
    }

    /// Stores the plan in `plans`, and makes it the latest.
    /// - Returns: the path of the plan in `plans`.
    package func write(_ plan: JobPlan) throws -> String {
        let data = try StoredPlan.encode(plan.portable)
        let kept = keptPath(of: data)
        for path in [kept, planPath] where FileManager.default.contents(atPath: path) != data {
            try Files.replace(path, with: data)
        }
        return kept
    }

    /// Stores the plan in a file that only this process knows, for the processes that it starts to examine the jobs. The
    /// caller removes the file.
    /// - Returns: the file's path.
    package func writeDraft(_ plan: JobPlan) throws -> String {
        let draft = "\(path)/\(Self.draftPrefix)\(Attempt.host)-\(getpid()).json"
        try Files.replace(draft, with: try StoredPlan.encode(plan.portable))
        return draft
    }

    static let draftPrefix = ".draft-"

    /// The path in `plans` of a plan that is stored as `data`.
    func keptPath(of data: Data) -> String { "\(plans)/\(SHA256.hash(data).prefix(20)).json" }

    /// Keeps other planners out of this directory for as long as the lock lives.
    /// - Parameter seconds: how long to wait for another planner.
    /// - Returns: nil if another one still has the lock then.
    package func lock(within seconds: Double) -> DirectoryLock? {
        let deadline = ContinuousClock.now + .milliseconds(Int(seconds * 1000))
        while true {
            if let lock = DirectoryLock(path + "/.lock") { return lock }
            if deadline < .now { return nil }
            usleep(100_000)
        }
    }

    // MARK: State of the outputs

    /// Whether the job's output exists and is what was published.
    package func isWhole(_ job: Job) -> Bool {
        let output = outputPath(job)
        guard let found = FileIdentity(path: output), found.bytes > 0 else { return false }
        guard let record = JobRecord(path: reportPath(job)) else { return true }
        return record.describes(found)
    }

    /// Whether the output is whole and is also at the path requested for it, if there is one.
    package func isDone(_ job: Job) -> Bool {
        isWhole(job) && (!job.kind.isPlaced || Publishing.isSame(outputPath(job), job.output))
    }

    /// Whether the file at `path` is an unchanged output of this directory, for this plan or an older one.
    package func isOwn(_ path: String) -> Bool {
        FileIdentity(path: path) != nil && ownFiles().origin(of: path) == .own
    }

    /// The outputs of this directory, for checking many files.
    package func ownFiles() -> OwnFiles {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: outputs)) ?? []
        return OwnFiles(names.map { ("\(outputs)/\($0)", "\(reports)/\($0.prefix { $0 != "." }).json") })
    }
}

/// The outputs of a job directory, for telling whether a file elsewhere is one of them.
package struct OwnFiles {
    /// Where a file comes from.
    package enum Origin {
        /// The file is an output as the directory's report describes it.
        case own
        /// The file is a hard link to an output or a copy of one, but it was changed after it had been made, or the report
        /// is missing.
        case changed
        case foreign
    }

    private struct Copy: Hashable {
        var bytes: Int
        var modified: Int
    }
    /// The paths of the reports on the outputs: by device and inode, and by size and modification time, which copies
    /// share with the original.
    private var numbers: [FileNumber: String] = [:]
    private var copies: [Copy: String] = [:]

    init(_ outputs: [(path: String, report: String)]) {
        for output in outputs {
            guard let (number, copy) = Self.look(output.path) else { continue }
            numbers[number] = output.report
            copies[copy] = output.report
        }
    }

    /// Where the file at `path` comes from. A program that writes in place keeps the inode, so a link to an output proves
    /// nothing: the report decides.
    package func origin(of path: String) -> Origin {
        guard let (number, copy) = Self.look(path), let report = numbers[number] ?? copies[copy],
            let file = FileIdentity(path: path)
        else { return .foreign }
        return JobRecord(path: report)?.describes(file) == true ? .own : .changed
    }

    private static func look(_ path: String) -> (FileNumber, Copy)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let copy = Copy(bytes: Int(status.st_size), modified: FileIdentity.nanoseconds(status))
        return (FileNumber(status), copy)
    }
}

/// What is known about a published output; the entry `output` of its report.
package struct JobRecord: Codable, Sendable {
    package var bytes: Int
    /// The modification time, in nanoseconds since 1970.
    package var modified: Int
    package var sha256: String
    package var frames: Int

    /// Describes the file at `path`, which has `frames` frames.
    package init(of path: String, frames: Int) throws(MediaError) {
        guard let file = FileIdentity(path: path), let hash = SHA256.hash(file: path) else {
            throw MediaError(.io, "cannot read '\(path)'")
        }
        self.init(bytes: file.bytes, modified: file.modified, sha256: hash, frames: frames)
    }

    package init(bytes: Int, modified: Int, sha256: String, frames: Int) {
        (self.bytes, self.modified, self.sha256, self.frames) = (bytes, modified, sha256, frames)
    }

    /// Reads the report at `path`; nil if there is none or it can't be read.
    package init?(path: String) {
        struct Report: Decodable { let output: JobRecord }
        guard let data = FileManager.default.contents(atPath: path),
            let report = try? JSONDecoder().decode(Report.self, from: data)
        else { return nil }
        self = report.output
    }

    /// Whether `file` has the recorded contents. If its time differs, it was copied, published by another attempt, or
    /// changed: then the contents are read and compared, unless the size differs as well.
    func describes(_ file: FileIdentity) -> Bool {
        file.bytes == bytes && (file.modified == modified || sha256 == SHA256.hash(file: file.path))
    }
}

/// A lock on a job directory, which is released when its owner goes away.
package final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// Returns nil if another process has the lock. If the file system has no locks, it counts as taken: the lock saves
    /// work, but correctness does not depend on it.
    fileprivate init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        if descriptor >= 0, FileLock.take(descriptor) == .held {
            close(descriptor)
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

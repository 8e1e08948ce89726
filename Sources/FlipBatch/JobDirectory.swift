import FlipMedia
import Foundation

/// A folder that says what has to be made and holds what was made: `plan.json`, `plans/`, `outputs/`,
/// `reports/` and `attempts/`.
///
/// Its files are the truth: an output that is there under its job's name is whole, since it gets that name last.
package struct JobDirectory: Sendable {
    package let path: String
    /// What `readPlan` reads: the latest plan, or one that is kept in `plans`.
    package let planPath: String

    package init(_ path: String) {
        self.path = path
        planPath = path + "/plan.json"
    }

    /// The directory at `path`, or that of the plan at `path`.
    package init(at path: String) {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        let isKept = folder.lastPathComponent == "plans"
        self.init(
            path: path.hasSuffix(".json") ? (isKept ? folder.deletingLastPathComponent().path : folder.path) : path,
            planPath: path.hasSuffix(".json") ? path : path + "/plan.json")
    }

    private init(path: String, planPath: String) {
        self.path = path
        self.planPath = planPath
    }

    /// Plans that never change, by the hash of what they say: who has begun with one goes on with it, whatever is planned
    /// meanwhile.
    package var plans: String { path + "/plans" }
    package var outputs: String { path + "/outputs" }
    package var reports: String { path + "/reports" }
    package var attempts: String { path + "/attempts" }

    package func outputPath(_ job: Job) -> String { "\(outputs)/\(job.name).\(job.ending)" }
    package func reportPath(_ job: Job) -> String { "\(reports)/\(job.name).json" }

    /// Makes its folders where they are missing.
    package func create() throws(MediaError) {
        for folder in [path, plans, outputs, reports, attempts] { try Self.createFolder(folder) }
    }

    /// Makes a folder with those it lies in.
    package static func createFolder(_ path: String) throws(MediaError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            if (error as? CocoaError)?.code == .fileWriteOutOfSpace {
                throw MediaError(.io, "cannot create the folder '\(path)': no space left on device")
            }
            throw MediaError(.cannotCreate, "cannot create the folder '\(path)' (is it a file, or not yours?)")
        }
    }

    package func readPlan() throws(MediaError) -> JobPlan {
        guard let data = FileManager.default.contents(atPath: planPath) else {
            // No use to try again, even for an engine that would.
            throw MediaError(.badInput, "cannot read '\(planPath)': '\(path)' is no job directory")
        }
        // The number first: what else another one has is its own business.
        struct Head: Decodable { let schema: Int }
        guard let head = try? JSONDecoder().decode(Head.self, from: data) else {
            throw MediaError(.badInput, "'\(planPath)' is no plan of jobs")
        }
        guard head.schema == JobPlan.currentSchema else {
            throw MediaError(
                .badInput, "'\(planPath)' has schema \(head.schema), and this program reads \(JobPlan.currentSchema)")
        }
        do {
            return try JSONDecoder().decode(JobPlan.self, from: data)
        } catch {
            throw MediaError(.badInput, "'\(planPath)' is damaged; run the batch again")
        }
    }

    /// Keeps the plan in `plans`, and makes it the latest.
    /// - Returns: the path under which it stays.
    package func write(_ plan: JobPlan) throws(MediaError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let data = try encoder.encode(plan) + Data("\n".utf8)
            let kept = "\(plans)/\(SHA256.hash(data).prefix(20)).json"
            for path in [kept, planPath] where FileManager.default.contents(atPath: path) != data {
                try data.write(to: URL(fileURLWithPath: path), options: .atomic)
            }
            return kept
        } catch {
            throw MediaError(.io, "cannot write '\(planPath)' (is the disk full?)")
        }
    }

    /// Keeps other batches from this directory for as long as the lock lives.
    /// - Returns: nil where another is at work in it.
    package func lock() -> DirectoryLock? { DirectoryLock(path + "/.lock") }

    // MARK: What is there

    /// Whether the job's output is there and is what was published.
    package func isWhole(_ job: Job) -> Bool {
        let output = outputPath(job)
        guard let found = FileIdentity(path: output), found.bytes > 0 else { return false }
        guard let record = JobRecord(path: reportPath(job)) else { return true }
        if record.bytes == found.bytes, record.modified == found.modified { return true }
        // Copied, or published by another attempt; or not what it was.
        return record.bytes == found.bytes && record.sha256 == SHA256.hash(file: output)
    }

    /// Whether the output is whole and stands where it was asked for.
    package func isDone(_ job: Job) -> Bool { isWhole(job) && Self.isSame(outputPath(job), job.output) }

    /// Whether both names stand for the same bytes: one file, or a copy that has kept its time.
    static func isSame(_ a: String, _ b: String) -> Bool {
        var (first, second) = (stat(), stat())
        guard stat(a, &first) == 0, stat(b, &second) == 0 else { return false }
        if first.st_dev == second.st_dev, first.st_ino == second.st_ino { return true }
        return first.st_size == second.st_size
            && FileIdentity.nanoseconds(first) == FileIdentity.nanoseconds(second)
    }

    /// Whether the file at `path` came out of this directory, for this plan or an older one.
    package func isOwn(_ path: String) -> Bool { FileIdentity(path: path) != nil && ownFiles().contains(path) }

    /// What came out of this directory, to be asked of many files.
    package func ownFiles() -> OwnFiles {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: outputs)) ?? []
        return OwnFiles(names.map { "\(outputs)/\($0)" })
    }
}

/// Files that are known by their numbers, or as copies that have kept their time.
package struct OwnFiles {
    private struct Number: Hashable {
        var device: UInt64
        var file: UInt64
    }
    private struct Copy: Hashable {
        var bytes: Int
        var modified: Int
    }
    private var numbers: Set<Number> = []
    private var copies: Set<Copy> = []

    init(_ paths: [String]) {
        for path in paths {
            guard let (number, copy) = Self.look(path) else { continue }
            numbers.insert(number)
            copies.insert(copy)
        }
    }

    package func contains(_ path: String) -> Bool {
        guard let (number, copy) = Self.look(path) else { return false }
        return numbers.contains(number) || copies.contains(copy)
    }

    private static func look(_ path: String) -> (Number, Copy)? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return (
            Number(device: UInt64(truncatingIfNeeded: status.st_dev), file: UInt64(truncatingIfNeeded: status.st_ino)),
            Copy(bytes: Int(status.st_size), modified: FileIdentity.nanoseconds(status))
        )
    }
}

/// What is known of a published output; the beginning of its report.
package struct JobRecord: Codable, Sendable {
    package var bytes: Int
    /// Nanoseconds since 1970.
    package var modified: Int
    package var sha256: String
    package var frames: Int

    package init(bytes: Int, modified: Int, sha256: String, frames: Int) {
        self.bytes = bytes
        self.modified = modified
        self.sha256 = sha256
        self.frames = frames
    }

    /// Nil where there is none that can be read.
    package init?(path: String) {
        struct Report: Decodable { let output: JobRecord }
        guard let data = FileManager.default.contents(atPath: path),
            let report = try? JSONDecoder().decode(Report.self, from: data)
        else { return nil }
        self = report.output
    }
}

/// A lock on a job directory, which goes with its owner.
package final class DirectoryLock: Sendable {
    private let descriptor: Int32

    /// Nil where another has it. Where there are no locks, it is as good as taken: it saves work, and nothing depends on it.
    fileprivate init?(_ path: String) {
        descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        if descriptor >= 0, FileLock.take(descriptor) == .held {
            close(descriptor)
            return nil
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }
}

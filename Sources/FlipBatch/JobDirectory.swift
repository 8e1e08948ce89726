import FlipMedia
import Foundation

/// A folder that says what has to be made and holds what was made: `plan.json`, `outputs/`, `reports/`, `attempts/`.
///
/// Its files are the truth: an output that is there under its job's name is whole, since it gets that name last.
package struct JobDirectory: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    package var planPath: String { path + "/plan.json" }
    package var outputs: String { path + "/outputs" }
    package var reports: String { path + "/reports" }
    package var attempts: String { path + "/attempts" }

    package func outputPath(_ job: Job) -> String { "\(outputs)/\(job.name).\(job.ending)" }
    package func reportPath(_ job: Job) -> String { "\(reports)/\(job.name).json" }

    /// Makes its folders where they are missing.
    package func create() throws(MediaError) {
        for folder in [path, outputs, reports, attempts] { try Self.createFolder(folder) }
    }

    /// Makes a folder with those it lies in.
    package static func createFolder(_ path: String) throws(MediaError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw MediaError(.cannotCreate, "cannot create the folder '\(path)' (is it a file, or not yours?)")
        }
    }

    package func readPlan() throws(MediaError) -> JobPlan {
        guard let data = FileManager.default.contents(atPath: planPath) else {
            throw MediaError(.missingInput, "cannot read '\(planPath)': '\(path)' is no job directory")
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

    /// Replaces the plan, if it is another.
    package func write(_ plan: JobPlan) throws(MediaError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            let data = try encoder.encode(plan) + Data("\n".utf8)
            if FileManager.default.contents(atPath: planPath) == data { return }
            try data.write(to: URL(fileURLWithPath: planPath), options: .atomic)
        } catch {
            throw MediaError(.cannotCreate, "cannot write '\(planPath)' (is the disk full?)")
        }
    }

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
    package func isOwn(_ path: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: outputs)) ?? []
        return names.contains { Self.isSame("\(outputs)/\($0)", path) }
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

import FlipFiles
import Foundation

/// A file that tells other attempts that one is making a job's output. Claims only save work: an attempt that loses its
/// claim, or never sees another one, makes the same bytes, and publishing decides.
package struct JobClaim: Sendable {
    /// The prefix of the claiming attempt's file names in `outputs`.
    package let mark: String
    /// The engine's own name for what runs the attempt; empty if there is none. An engine that starts the same thing
    /// again knows that the first one is gone.
    package let engine: String

    /// What the engine that runs this process calls it.
    package static let engine = ProcessInfo.processInfo.environment["SLURM_JOB_ID"].map { "slurm-\($0)" } ?? ""

    fileprivate init?(path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let lines = String(decoding: data.prefix(4096), as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false)
        guard lines.count >= 2, PartName(String(lines[0])) != nil else { return nil }
        mark = String(lines[0])
        engine = String(lines[1])
    }
}

extension JobDirectory {
    package var claims: String { path + "/claims" }

    private func claimPath(_ job: Job) -> String { "\(claims)/\(job.name)" }

    /// Whether a living attempt, not begun by what the engine has started again in this process, has claimed the job.
    package func isClaimed(_ job: Job) -> Bool {
        guard let claim = JobClaim(path: claimPath(job)) else { return false }
        return isAlive(claim.mark) && (claim.engine.isEmpty || claim.engine != JobClaim.engine)
    }

    /// Claims the job for the attempt whose file names begin with `mark`.
    /// - Returns: false if another living attempt has claimed it. If the claim can't be written, the job counts as
    ///   claimed: the attempt then fails for that reason, or nothing is lost.
    package func claim(_ job: Job, for mark: String) -> Bool {
        let path = claimPath(job)
        let own = "\(claims)/.\(mark)"
        guard FileManager.default.createFile(atPath: own, contents: Data("\(mark)\n\(JobClaim.engine)\n".utf8)) else {
            return true
        }
        defer { unlink(own) }
        if link(own, path) == 0 || errno != EEXIST { return true }
        if isClaimed(job) { return false }
        // The claim of a dead attempt. If two take it over at once, one of them renders for nothing.
        _ = rename(own, path)
        return true
    }

    /// Gives up the claim of the attempt whose file names begin with `mark`, if it still has it.
    package func release(_ job: Job, from mark: String) {
        let path = claimPath(job)
        if JobClaim(path: path)?.mark == mark { unlink(path) }
    }

    /// Whether the claim at `path` belongs to a living attempt.
    func isLivingClaim(_ path: String) -> Bool { JobClaim(path: path).map { isAlive($0.mark) } ?? false }
}

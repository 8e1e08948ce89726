import FlipBase
import FlipBatch
import FlipFiles
import Foundation

/// Gives the missing jobs of a plan to Slurm, and follows them.
struct SlurmRun {
    private let settings: EngineSettings
    private let directory: JobDirectory
    private let plan: JobPlan
    private let planPath: String
    private let slurm: Slurm

    init(_ settings: EngineSettings, _ plan: JobPlan, at path: String, in directory: JobDirectory) {
        (self.settings, self.directory, self.plan) = (settings, directory, plan)
        planPath = path
        slurm = Slurm(directory)
    }

    /// What was submitted: Slurm's jobs, and the numbers of elements and of jobs.
    struct Submitted {
        var names: [String] = []
        var elements = 0
        var jobs = 0
        /// The number of jobs that were in the queue already.
        var queued = 0
    }

    // MARK: Submitting

    /// Submits those of `jobs` that are not in the queue already: arrays, and assembling when these have ended.
    func submit(_ jobs: [Job]) throws -> Submitted {
        let queue = directory.hashes(in: try slurm.queue())
        let queued = Set(queue.flatMap(\.hashes))
        var submitted = Submitted()
        let parts = jobs.filter { $0.kind != .assemble }
        let missing = parts.filter { !queued.contains($0.hash) }
        submitted.queued = parts.count - missing.count
        let stamp = "\(URL(fileURLWithPath: planPath).deletingPathExtension().lastPathComponent)-\(Self.now)"
        if !missing.isEmpty { try submitArrays(missing, stamp, &submitted) }
        guard let last = jobs.first(where: { $0.kind == .assemble }) else { return submitted }
        if missing.isEmpty, queued.contains(last.hash) {
            submitted.queued += 1
            return submitted
        }
        try submitLast(last, after: Set(queue.map(\.element.job)).union(submitted.names), stamp, &submitted)
        return submitted
    }

    private static var now: Int { Int(Date().timeIntervalSince1970 * 1e9) }

    private func submitArrays(_ jobs: [Job], _ stamp: String, _ submitted: inout Submitted) throws {
        let elements = JobDirectory.elements(of: jobs)
        let list = try directory.writeSubmission(
            stamp + ".list", elements.map { $0.joined(separator: ",") + "\n" }.joined())
        let limit = try slurm.maximumArray()
        for offset in stride(from: 0, to: elements.count, by: limit) {
            let script = try directory.writeSubmission(
                "\(stamp)-\(offset).sh",
                Slurm.script(list: list, offset: offset, command: command, restarts: settings.retries))
            let name = try slurm.submit(
                script, count: min(limit, elements.count - offset), settings.slurm,
                resources(jobs) + ["--output=\(directory.submissions)/slurm-%A_%a.log"])
            try directory.record(Submission(job: name, list: stamp + ".list", offset: offset))
            submitted.names.append(name)
        }
        submitted.elements += elements.count
        submitted.jobs += jobs.count
    }

    /// Submits the job that joins the parts, to run when everything before has ended, however it has: `afterok` would
    /// stay failed after a part has failed once, even if it has succeeded then.
    private func submitLast(_ job: Job, after names: Set<String>, _ stamp: String, _ submitted: inout Submitted) throws
    {
        let list = try directory.writeSubmission(stamp + "-last.list", job.hash + "\n")
        // There is nothing to wait for if parts are missing, so it isn't started again.
        let script = try directory.writeSubmission(
            stamp + "-last.sh", Slurm.script(list: list, offset: 0, command: command, restarts: 0))
        let dependency = names.isEmpty ? [] : ["--dependency=afterany:\(names.sorted().joined(separator: ":"))"]
        let name = try slurm.submit(
            script, count: nil, settings.slurm,
            resources([job]) + dependency + ["--output=\(directory.submissions)/slurm-%j.log"])
        try directory.record(Submission(job: name, list: stamp + "-last.list", offset: 0))
        submitted.names.append(name)
        submitted.elements += 1
        submitted.jobs += 1
    }

    /// `jobs run` up to the jobs.
    private var command: [String] {
        [
            JobPlan.Program.path, "jobs", "run", "--attempts", "\(settings.retries + 1)", "--since", "\(Self.now)",
            "--patience", "\(Self.patience)",
        ] + settings.rootArguments + [planPath]
    }

    /// How long a node waits for files that its network file system shows late, in seconds: NFS keeps what it knows of a
    /// folder for up to 60 s (acdirmax in nfs(5)).
    private static let patience = 90

    /// What the largest of `jobs` needs, as options of sbatch.
    private func resources(_ jobs: [Job]) -> [String] {
        let memory = jobs.compactMap { $0.estimate?.memory }.max() ?? BatchRun.defaultMemory
        return ["--mem=\(memory >> 20)M", "--cpus-per-task=\(jobs.map(\.threads).max() ?? 1)"]
    }

    func cancel() throws { try slurm.cancel() }

    // MARK: Following

    /// How often files and queue are looked at, in seconds.
    private static let interval: UInt32 = 2
    /// How long the controller may be out of reach, in seconds.
    private static let outage = 600.0

    /// Watches `jobs` until none of them is in the queue, or `isCancelled` says so.
    /// - Parameter update: called with the states that have changed.
    func follow(_ jobs: [Job], isCancelled: () -> Bool, update: ([Int: JobState]) -> Void) throws -> [Int: JobState] {
        var open = Set(jobs.map(\.index))
        var states: [Int: JobState] = [:]
        var lastContact = ContinuousClock.now
        while !isCancelled() {
            var isOver = false
            do {
                let queue = directory.hashes(in: try slurm.queue())
                let hashes = Set(queue.flatMap(\.hashes))
                isOver = !jobs.contains { hashes.contains($0.hash) }
                for (element, _) in queue where element.isHeldByAccident { try slurm.release(element) }
                lastContact = .now
            } catch {
                // A controller that is restarted doesn't answer for a while.
                if lastContact.duration(to: .now) > .seconds(Self.outage) { throw error }
            }
            let found = directory.states(of: plan, open)
            states.merge(found) { $1 }
            update(found)
            open.subtract(found.filter { $0.value.name == .done }.keys)
            if isOver || open.isEmpty { break }
            sleep(Self.interval)
        }
        return states
    }
}

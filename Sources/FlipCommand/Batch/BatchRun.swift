import ArgumentParser
import FlipBase
import FlipBatch
import FlipMedia
import Foundation

/// Has the jobs of a plan run, unless they are already done: on this machine, each in a process of its own, or by an
/// engine.
final class BatchRun {
    private let settings: BatchSettings
    private let display: BatchDisplay
    private let directory: JobDirectory
    private var plan: JobPlan?
    /// The path of this plan's own copy, which later plans don't overwrite.
    private var planPath = ""
    private var states: [Int: BatchReport.Job] = [:]
    /// The failed attempts at each job in this run, by its index.
    private var tries: [Int: Int] = [:]
    private var lastMessage: [Int: String] = [:]

    init(_ settings: BatchSettings, _ display: BatchDisplay) {
        (self.settings, self.display) = (settings, display)
        directory = JobDirectory(settings.directory)
    }

    /// How long to wait for another command that plans in the same directory, in seconds.
    private static let planningPatience = 10.0

    /// Makes the missing outputs of `plan` and reports on all of them.
    func run(_ plan: JobPlan) throws -> BatchReport {
        let start = ContinuousClock.now
        var plan = plan
        try plan.nameJobs()
        try directory.create()
        var lock = directory.lock(within: Self.planningPatience)
        if lock == nil {
            Message.error(
                "another batch is being planned in '\(directory.path)'; run this one again",
                code: JobExit.again.rawValue)
            throw ExitCode(JobExit.again.rawValue)
        }
        directory.removeDeadParts(of: Attempt.host)
        takeEstimates(&plan)
        self.plan = plan
        for job in plan.jobs { states[job.index] = BatchReport.Job(job, directory.isDone(job) ? .present : .waiting) }
        let pool = JobPool(
            program: JobPlan.Program.path, slots: settings.engine.slots, budget: settings.engine.budget,
            limit: settings.engine.limit)
        let ending = settings.watches ? pool.draining : pool.cancellation
        let interruption = Interruption { ending.cancel() }
        try withExtendedLifetime(interruption) {
            plan = try estimate(plan, pool)
            planPath = try directory.write(plan)
            self.plan = plan
            if settings.plansOnly { return }
            switch settings.engine.kind {
            case .local:
                // Others may plan from now on; claims keep two batches from rendering the same.
                lock = nil
                try make(pool)
            case .slurm:
                let run = SlurmRun(settings.engine, plan, at: planPath, in: directory)
                let submitted = try run.submit(todo)
                lock = nil
                if settings.engine.follows { try follow(run, pool.cancellation) } else { tell(submitted) }
            }
        }
        lock = nil
        display.form.clear()
        let report = BatchReport(
            directory: directory.path, jobs: states.values.sorted { $0.index < $1.index }, start: start,
            wasInterrupted: pool.cancellation.isCancelled, plansOnly: settings.plansOnly || settings.onlySubmits)
        tell(report)
        return report
    }

    private var todo: [Job] { plan?.jobs.filter { states[$0.index]?.state == .waiting } ?? [] }

    /// Takes over the estimates that an earlier plan has for the same jobs.
    private func takeEstimates(_ plan: inout JobPlan) {
        guard let old = try? directory.readPlan() else { return }
        let known = Dictionary(old.jobs.map { ($0.hash, $0) }, uniquingKeysWith: { first, _ in first })
        for index in plan.jobs.indices {
            guard let same = known[plan.jobs[index].hash] else { continue }
            plan.jobs[index].frames = same.frames
            plan.jobs[index].estimate = same.estimate
        }
    }

    // MARK: Estimating

    /// The jobs to be examined: those without an estimate, or a sample of them if they are many.
    private var sample: [Job] {
        let jobs = todo.filter { $0.frames == nil && $0.kind == .output }
        if jobs.count <= Self.mostExamined { return jobs }
        // A sample that an earlier run has taken is enough.
        if let plan, plan.jobs.contains(where: { $0.frames != nil }) { return [] }
        return (0..<Self.sampleSize).map { jobs[$0 * jobs.count / Self.sampleSize] }
    }

    /// The number of jobs above which only a sample of them is examined before they run, which takes some 100 ms of a
    /// process for each.
    private static let mostExamined = 64
    private static let sampleSize = 16

    /// Examines the inputs of the jobs to be made, each in a process of its own, to estimate what they take. Jobs whose
    /// inputs can't be read fail later.
    /// - Returns: `plan` with the estimates.
    private func estimate(_ plan: JobPlan, _ pool: JobPool) throws -> JobPlan {
        let sample = sample
        if sample.isEmpty { return plan }
        var plan = plan
        // The plans in `plans` are never removed here: running jobs may use any of them.
        let draft = try directory.writeDraft(plan)
        defer { unlink(draft) }
        let tasks = sample.map { job in
            JobPool.Task(
                id: job.index, arguments: ["jobs", "run", draft, "\(job.index)", "--estimate", "--tied"],
                memory: Self.defaultMemory / 4)
        }
        display.begin("planning", jobs: tasks.count)
        try pool.run(tasks) { id, event in
            switch event {
            case .line(let line):
                if let found = try? JSONDecoder().decode(EstimateLine.self, from: Data(line.utf8)) {
                    plan.jobs[id].frames = found.frames
                    plan.jobs[id].estimate = found.estimate(threads: plan.jobs[id].threads)
                }
            case .ended: display.planned()
            case .started, .postponed, .tooLarge, .tooLong: break
            }
            return .next
        }
        return plan
    }

    /// The memory assumed for a job without an estimate, in bytes.
    static let defaultMemory = 400 << 20

    // MARK: Making

    private func make(_ pool: JobPool) throws {
        // Parts come before what they are joined into.
        try make(todo.filter { $0.kind != .assemble }, pool)
        if !todo.contains(where: { $0.kind != .assemble }), !states.values.contains(where: { $0.state == .failed }) {
            try make(todo, pool)
        }
    }

    private func make(_ jobs: [Job], _ pool: JobPool) throws {
        if jobs.isEmpty { return }
        display.begin(
            "rendering", jobs: plan?.jobs.count ?? 0, done: (plan?.jobs.count ?? 0) - jobs.count,
            frames: Dictionary(uniqueKeysWithValues: jobs.map { ($0.index, $0.frames ?? 0) }))
        if pool.cancellation.isCancelled { return }
        // Of the jobs with the same hash only the first renders; the others then find its output.
        var hashes: Set<String> = []
        let firsts = jobs.filter { hashes.insert($0.hash).inserted }
        try run(firsts, pool)
        let made = Set(firsts.filter { states[$0.index]?.state == .done }.map(\.hash))
        let others = duplicates(in: jobs)
        try run(others.filter { made.contains($0.hash) }, pool)
        for job in others where !made.contains(job.hash) {
            guard let first = firsts.first(where: { $0.hash == job.hash }).flatMap({ states[$0.index] }),
                let exit = first.exit.flatMap(JobExit.init(rawValue:))
            else { continue }
            _ = fail(job.index, exit, first.message ?? "failed")
        }
    }

    /// Those of `jobs` that make the same as one before them.
    private func duplicates(in jobs: [Job]) -> [Job] {
        var hashes: Set<String> = []
        return jobs.filter { !hashes.insert($0.hash).inserted }
    }

    private func run(_ jobs: [Job], _ pool: JobPool) throws {
        if jobs.isEmpty || pool.cancellation.isCancelled { return }
        let tasks = jobs.map { job in
            JobPool.Task(
                id: job.index,
                arguments: ["jobs", "run", planPath, "\(job.index)", "--progress", "json", "--tied"]
                    + settings.engine.rootArguments,
                memory: job.estimate?.memory ?? Self.defaultMemory)
        }
        try pool.run(tasks) { id, event in handle(id, event) }
    }

    private func handle(_ id: Int, _ event: JobPool.Event) -> JobPool.Decision {
        switch event {
        case .started:
            states[id]?.attempts += 1
            lastMessage[id] = nil
            display.started(id)
        case .line(let line): take(line, of: id)
        case .postponed:
            states[id]?.attempts -= 1
            display.reset(id)
        case .tooLarge(let bytes):
            let limit = settings.engine.budget >> 20
            return fail(id, .exhausted, "it needs \(bytes >> 20) MiB, more than --memory leaves it (\(limit) MiB)")
        case .tooLong:
            lastMessage[id] = "it took longer than --time allows"
            return end(id, JobExit.again.rawValue)
        case .ended(let status): return end(id, status)
        }
        return .next
    }

    /// Handles a line of a job's standard error: progress for the display, or a message to keep or pass on.
    private func take(_ line: String, of id: Int) {
        let message = try? JSONDecoder().decode(Message.Event.self, from: Data(line.utf8))
        switch message?.event {
        case "error"?: lastMessage[id] = message?.message
        case "warning"?: states[id]?.warnings.append(message?.message ?? "")
        case nil where line.hasPrefix("{"): display.progress(id, line)
        // A note, or a line that isn't this program's.
        default: if settings.isVerbose { Message.note("job \(id) (\(name(of: id))): \(message?.message ?? line)") }
        }
    }

    private func end(_ id: Int, _ status: Int32) -> JobPool.Decision {
        var exit = JobExit(status: status)
        // The files decide, whatever exit status a process returned.
        if exit == .done, let job = plan?.jobs[id], !directory.isDone(job) {
            exit = .again
            lastMessage[id] = "it reported success, but '\(job.output)' is missing or incomplete"
        }
        switch exit {
        case .done:
            states[id]?.state = .done
            display.ended(id, "done", nil, states[id])
            return .next
        case .refused, .unplaced: return fail(id, exit, lastMessage[id] ?? "ended with \(status)")
        case .again, .exhausted:
            let reason = lastMessage[id] ?? (status > 128 ? "killed by signal \(status - 128)" : "ended with \(status)")
            let count = tries[id, default: 0] + 1
            tries[id] = count
            if count > settings.engine.retries { return fail(id, .exhausted, "\(reason) (tried \(count) times)") }
            display.reset(id)
            display.ended(id, "again", reason, states[id])
            return .again(Double(count))
        }
    }

    private func fail(_ id: Int, _ exit: JobExit, _ reason: String) -> JobPool.Decision {
        states[id]?.state = .failed
        states[id]?.exit = exit.rawValue
        states[id]?.message = reason
        display.ended(id, "failed", reason, states[id])
        return settings.failsFast ? .stop : .next
    }

    // MARK: Elsewhere

    /// Watches the jobs that an engine runs.
    private func follow(_ run: SlurmRun, _ cancellation: Cancellation) throws {
        let jobs = todo
        if jobs.isEmpty { return }
        let count = plan?.jobs.count ?? 0
        display.begin("rendering", jobs: count, done: count - jobs.count)
        let found = try run.follow(jobs, isCancelled: { cancellation.isCancelled }) { found in
            for (index, state) in found.sorted(by: { $0.key < $1.key }) { take(state, of: index) }
        }
        if cancellation.isCancelled { return }
        for (index, state) in found.sorted(by: { $0.key < $1.key }) where state.name != .done {
            states[index]?.attempts = state.attempts
            if state.name == .waiting || state.name == .running { continue }
            let exit = state.last?.exit.flatMap(JobExit.init(rawValue:)) ?? .again
            // The engine has given up what may be tried again.
            let reason = state.last?.message ?? "the last attempt was killed"
            _ = fail(index, exit == .again ? .exhausted : exit, "\(reason) (tried \(state.attempts) times)")
        }
    }

    /// Shows what has become of a job that an engine runs.
    private func take(_ state: JobState, of index: Int) {
        guard states[index]?.state == .waiting else { return }
        switch state.name {
        case .done:
            states[index]?.state = .done
            states[index]?.attempts = state.attempts
            display.ended(index, "done", nil, states[index])
        case .running: display.started(index)
        case .failed, .interrupted, .lost, .waiting: display.reset(index)
        }
    }

    private func tell(_ submitted: SlurmRun.Submitted) {
        if submitted.names.isEmpty {
            let rest = submitted.queued > 0 ? "; \(submitted.queued) jobs are in Slurm's queue" : ""
            return Message.note("nothing to submit" + rest)
        }
        Message.note(
            "submitted \(submitted.jobs) jobs in \(submitted.elements) elements to Slurm as "
                + submitted.names.joined(separator: ", ") + " (the same command with --follow shows their progress)")
    }

    /// Takes what this job directory has in the engine's queue out of it.
    func cancel() throws {
        guard let plan = try? directory.readPlan() else {
            throw MediaError(.usage, "there is nothing to cancel: '\(directory.path)' is not a job directory")
        }
        let run = SlurmRun(settings.engine, plan, at: directory.planPath, in: directory)
        try run.cancel()
    }

    /// What the job makes, as users call it: jobs are numbered from 0, so their numbers say little.
    private func name(of id: Int) -> String {
        guard let job = plan?.jobs[id] else { return "" }
        return job.kind.isPlaced ? URL(fileURLWithPath: job.output).lastPathComponent : job.title
    }

    private func tell(_ report: BatchReport) {
        for job in report.jobs {
            for warning in job.warnings {
                Message.warning("job \(job.index) (\(name(of: job.index))): \(warning)", job: job.index)
            }
        }
        if settings.engine.kind == .slurm, settings.engine.follows, !report.wasInterrupted, report.waiting > 0 {
            Message.error(
                "\(report.waiting) jobs are neither done nor in Slurm's queue; run the same command again",
                code: JobExit.again.rawValue)
        }
        for job in report.jobs where job.state == .failed {
            Message.error(
                "job \(job.index) (\(name(of: job.index)), \(job.source)): \(job.message ?? "failed")",
                code: job.exit ?? EX_SOFTWARE, job: job.index)
        }
    }

    /// Reports how the batch ended, as the last step.
    func finish(_ report: BatchReport) {
        if settings.plansOnly {
            display.finish(report, "\(report.jobs.count) jobs are planned in \(planPath)")
        } else {
            if settings.onlySubmits { return display.finish(report, nil) }
            let isWorthSaying = report.exit != 0 || settings.isVerbose || display.form == .terminal
            display.finish(report, isWorthSaying ? report.sentence : nil)
        }
    }
}

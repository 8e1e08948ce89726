import FlipBase
import FlipBatch
import FlipFiles
import FlipMedia
import FlipRender
import Foundation

/// One attempt at one job, in this process: renders, checks and publishes the output.
struct JobRun {
    private let job: Job
    private let plan: JobPlan
    private let directory: JobDirectory

    init(_ job: Job, of plan: JobPlan, in directory: JobDirectory) {
        (self.job, self.plan, self.directory) = (job, plan, directory)
    }

    // MARK: Making

    /// Makes the output unless it is there already. Errors are reported on standard error.
    /// - Parameter patience: how long inputs may be missing before that is an error, in seconds.
    func run(progress: String?, patience: Double) -> JobExit {
        let attempt: Attempt
        do {
            guard let begun = try begin(patience) else {
                try place()
                return .done
            }
            attempt = begun
        } catch {
            return fail(error)
        }
        let interruption = Interruption {
            // Temporary places go first, because LibreOffice's folder lies within the attempt's.
            TemporaryPlace.removeAll()
            attempt.clean()
            attempt.end(.again, message: "interrupted", wasInterrupted: true)
            _exit(JobExit.again.rawValue)
        }
        return withExtendedLifetime(interruption) {
            do {
                try checkPlan(patience)
                let frames = try make(attempt, progress, patience)
                let isFirst = try finish(attempt, frames)
                attempt.clean()
                attempt.end(.done, wasSecond: isFirst ? nil : true)
                return .done
            } catch {
                attempt.clean()
                return fail(error, attempt)
            }
        }
    }

    /// Waits while another living attempt makes the output.
    /// - Returns: a new attempt; nil if the output is there.
    private func begin(_ patience: Double) throws -> Attempt? {
        try enterInputFolder(patience)
        while !directory.isWhole(job) {
            if !directory.isClaimed(job) {
                do throws(MediaError) {
                    if let attempt = try Attempt(job, in: directory) { return attempt }
                } catch {
                    throw JobFault(error)
                }
            }
            usleep(500_000)
        }
        return nil
    }

    private func fail(_ error: any Error, _ attempt: Attempt? = nil) -> JobExit {
        if Interruption.hasHappened {
            attempt?.end(.again, message: "interrupted", wasInterrupted: true)
            return .again
        }
        let (code, message) = Failure.describe((error as? JobFault)?.error ?? error)
        let exit = error is JobFault ? .again : JobExit(status: code)
        Message.error(message, code: code)
        attempt?.end(exit, message: message)
        return exit
    }

    private func enterInputFolder(_ patience: Double) throws {
        let isThere = Self.wait(patience) { FileManager.default.changeCurrentDirectoryPath(plan.inputFolder) }
        guard isThere else {
            throw JobFault(
                MediaError(
                    .missingInput,
                    "there is no folder '\(plan.inputFolder)', where the jobs' inputs are (--root-map inputs=DIR names another)"
                ))
        }
    }

    /// Waits until `condition` is true, but at most for so many seconds.
    static func wait(_ seconds: Double, for condition: () throws -> Bool) rethrows -> Bool {
        let deadline = ContinuousClock.now + .milliseconds(Int(seconds * 1000))
        while try !condition() {
            if deadline < .now { return false }
            usleep(500_000)
        }
        return true
    }

    /// Throws if the program differs from the one that made the plan, or if the inputs have changed since: the output
    /// would not match the job's hash.
    private func checkPlan(_ patience: Double) throws {
        if let difference = plan.difference(from: .current, LibraryVersions.all) {
            throw MediaError(
                .usage, "the jobs were planned \(difference); use the same build on all machines, or plan again")
        }
        // Network file systems may show a new file late.
        _ = Self.wait(patience) { job.inputs.allSatisfy { $0.bytes < 0 || FileIdentity(path: $0.path) != nil } }
        try checkInputs()
    }

    private func checkInputs() throws {
        if let changed = job.inputs.first(where: { !$0.isCurrent }) {
            let isThere = FileIdentity(path: changed.path) != nil
            let what =
                isThere
                ? "'\(changed.path)' has changed since the jobs were planned"
                : "'\(changed.path)', which was there when the jobs were planned, is missing"
            throw MediaError(.badInput, what + "; run the batch again")
        }
    }

    /// Writes the output, and checks it.
    /// - Returns: its number of frames.
    private func make(_ attempt: Attempt, _ progress: String?, _ patience: Double) throws -> Int {
        // Temporary files are removed with the attempt, too.
        setenv("TMPDIR", attempt.scratch, 1)
        try confine(around: attempt)
        if job.kind != .output { return try PartRun(job, of: plan, in: directory, attempt).make(patience: patience) }
        try render(attempt, progress)
        return try check(attempt)
    }

    /// With `batch --root`, lets this process open no other file of anybody's than those in that folder.
    private func confine(around attempt: Attempt?) throws(MediaError) {
        guard let root = plan.roots["confined"], job.arguments.contains(JobPlan.confinement) else { return }
        if let attempt { Confinement.allow(attempt.scratch) }
        Confinement.confine(to: try RootFolder(root))
    }

    private func render(_ attempt: Attempt, _ progress: String?) throws {
        var arguments = plan.arguments(of: job)
        arguments.insert(
            contentsOf: ["--report=\(attempt.report)"] + (progress.map { ["--progress=\($0)"] } ?? []), at: 1)
        var command = try JobCommands.parse(arguments + [attempt.part])
        do {
            try command.run()
        } catch let error as MediaError where error.kind == .cannotCreate {
            throw JobFault(error)
        }
    }

    /// Publishes what was written.
    /// - Returns: false if another attempt published the output first.
    private func finish(_ attempt: Attempt, _ frames: Int) throws -> Bool {
        try checkInputs()
        let record = try JobRecord(of: attempt.part, frames: frames)
        try writeReport(attempt, record)
        // An output of this name that isn't whole was damaged after it was published.
        if FileIdentity(path: directory.outputPath(job)) != nil, !directory.isWhole(job) {
            unlink(directory.outputPath(job))
        }
        let isFirst: Bool
        do throws(MediaError) {
            isFirst = try Publishing.publish(attempt.part, as: directory.outputPath(job))
        } catch {
            throw JobFault(error)
        }
        // The report is on what was published.
        if !isFirst { try writeReport(attempt, JobRecord(of: directory.outputPath(job), frames: frames)) }
        try place()
        return isFirst
    }

    private func place() throws {
        if !job.kind.isPlaced { return }
        try Publishing.place(
            directory.outputPath(job), at: job.output, replacing: job.overwrites || directory.isOwn(job.output))
    }

    // MARK: Checking

    /// The part of the renderer's report that describes the output.
    private struct Claim: Decodable {
        struct Plan: Decodable { let output: Output }
        struct Output: Decodable {
            struct Track: Decodable {}
            let container: String
            let frames: Int
            let width: Int
            let height: Int
            let seconds: Double
            let heldFrames: HoldTiming
            let audioTracks: [Track]
        }
        let plan: Plan
    }

    /// Reads the output and compares it with the plan and the renderer's report.
    /// - Returns: the number of frames.
    private func check(_ attempt: Attempt) throws -> Int {
        guard let data = FileManager.default.contents(atPath: attempt.report),
            let claim = try? JSONDecoder().decode(Claim.self, from: data).plan.output
        else { throw MediaError(.io, "the report of the output is missing") }
        if let frames = job.frames, frames != claim.frames {
            throw MediaError(.io, "\(claim.frames) frames were rendered where \(frames) were planned")
        }
        guard let container = Container.named(claim.container), OutputCheck.canRead(container) else {
            return claim.frames
        }
        var found = try OutputCheck(of: attempt.part, decoding: .keyframes, threads: job.threads)
        var fits = try agrees(found, claim, attempt)
        if !fits {
            // A packet need not be a frame: it may be a field, or a frame that is never shown.
            found = try OutputCheck(of: attempt.part, decoding: .everyFrame, threads: job.threads)
            fits = try agrees(found, claim, attempt)
        }
        if fits { return claim.frames }
        throw MediaError(
            .io,
            "the output of \(claim.frames) frames \(claim.width)x\(claim.height), \(claim.seconds) s, decodes to "
                + "\(found.videoFrames) frames \(found.width)x\(found.height) with \(found.errors) errors")
    }

    private func agrees(_ found: OutputCheck, _ claim: Claim.Output, _ attempt: Attempt) throws -> Bool {
        guard found.width == claim.width, found.height == claim.height, found.errors == 0,
            found.audioTracks == claim.audioTracks.count
        else { return false }
        // Where a held picture is one long frame, the duration is checked instead of the number of frames.
        guard claim.heldFrames == .vfr, found.videoFrames <= claim.frames else {
            return found.videoFrames == claim.frames
        }
        let seconds = try MediaProbe.probe(path: attempt.part).video?.duration.doubleValue ?? claim.seconds
        return abs(seconds - claim.seconds) <= 0.5 * claim.seconds / Double(max(claim.frames, 1))
    }

    private func writeReport(_ attempt: Attempt, _ record: JobRecord) throws {
        var report: [String: Any] = [
            "job": ["index": job.index, "hash": job.hash, "output": job.output, "source": job.source],
            "output": [
                "bytes": record.bytes, "modified": record.modified, "sha256": record.sha256, "frames": record.frames,
            ],
        ]
        // Parts have no report of their own.
        if job.kind == .output {
            report["render"] = try JSONSerialization.jsonObject(
                with: Data(contentsOf: URL(fileURLWithPath: attempt.report)))
        }
        let data = try JSONSerialization.data(
            withJSONObject: report, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        try Files.replace(directory.reportPath(job), with: data + Data("\n".utf8))
    }

    // MARK: Estimating

    /// Plans the job and writes what is then known of the output to standard error, as one line of JSON.
    func writeEstimate() throws {
        try enterInputFolder(0)
        let output = "\(directory.outputs)/.estimate.\(job.ending)"
        Confinement.allow(directory.outputs)
        try confine(around: nil)
        let plan = try Planner.plan(JobCommands.parse(plan.arguments(of: job) + [output]).composition())
        let line = EstimateLine(frames: plan.timeline.frames, width: plan.video.width, height: plan.video.height)
        Message.write(line)
    }
}

/// An error in the job directory, whatever its kind: another attempt may succeed when there is room, or the folder can be
/// written to again.
struct JobFault: Error {
    let error: MediaError

    init(_ error: MediaError) { self.error = error }
}

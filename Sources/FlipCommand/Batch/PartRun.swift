import FlipBase
import FlipBatch
import FlipFiles
import FlipMedia
import FlipRender
import FlipSplice
import Foundation

/// Makes a part of a long output, or joins the parts.
struct PartRun {
    private let job: Job
    private let jobs: JobPlan
    private let directory: JobDirectory
    private let attempt: Attempt

    init(_ job: Job, of jobs: JobPlan, in directory: JobDirectory, _ attempt: Attempt) {
        (self.job, self.jobs, self.directory, self.attempt) = (job, jobs, directory, attempt)
    }

    /// Writes the part to the attempt's file, and checks it.
    /// - Returns: the number of frames in it.
    func make(patience: Double) throws -> Int {
        if job.kind == .assemble { try awaitParts(patience) }
        let plan = try renderPlan()
        let files = FileTable(job.inputs.contains { $0.sha256 != nil } ? .sha256 : .time)
        let content = PartContent(plan, identity: files.text)
        let interruption = Interruption.hasHappened
        if interruption { throw CancellationError() }
        switch job.kind {
        case .segment:
            let number = job.segment?.number ?? 0
            guard plan.renderSegments.indices.contains(number) else { throw changed }
            try check(content.segment(number))
            try SegmentRenderer(plan).render(number, to: attempt.part)
            return try checkSegment(plan, number)
        case .audio:
            guard let audio = content.audio else { throw changed }
            try check(audio)
            try SegmentRenderer(plan).renderAudio(to: attempt.part)
            return plan.timeline.frames
        case .assemble:
            try assemble(plan)
            return plan.timeline.frames
        case .output: preconditionFailure("whole outputs are made by their own command")
        }
    }

    /// The plan of the whole output, from the copy of its description that was kept.
    private func renderPlan() throws -> RenderPlan {
        var arguments = jobs.arguments(of: job)
        for name in jobs.sources?.values.sorted() ?? [] {
            arguments.insert("--source-copy=\(directory.sources)/\(name)", at: 1)
        }
        let ending = URL(fileURLWithPath: job.output).pathExtension
        let path = job.kind == .assemble ? attempt.part : attempt.scratch + "/whole." + ending
        return try Planner.plan(JobCommands.parse(arguments + [path]).composition())
    }

    private var changed: MediaError {
        MediaError(.badInput, "what \(job.title) is made from has changed since it was planned; run the command again")
    }

    /// Throws unless the part is still made from what was planned.
    private func check(_ content: String) throws(MediaError) {
        guard SHA256.hash(content.utf8) == job.content else { throw changed }
    }

    /// Decodes the segment that was written.
    private func checkSegment(_ plan: RenderPlan, _ number: Int) throws -> Int {
        let frames = plan.renderSegments[number].count
        guard OutputCheck.canRead(plan.container) else { return frames }
        let video = attempt.scratch + "/check." + URL(fileURLWithPath: job.output).pathExtension
        try SegmentRenderer(plan).unpack(number, from: attempt.part, to: video)
        let found = try OutputCheck(of: video, decoding: .everyFrame, threads: job.threads)
        guard found.videoFrames == frames, found.width == plan.video.width, found.height == plan.video.height,
            found.errors == 0
        else {
            throw MediaError(
                .io, "\(job.title) of \(frames) frames decodes to \(found.videoFrames) with \(found.errors) errors")
        }
        try FileManager.default.removeItem(atPath: video)
        return frames
    }

    // MARK: Joining

    /// The jobs that make what is joined.
    private func parts() throws -> [Job] {
        try directory.readPlan().jobs.filter { $0.kind == .segment || $0.kind == .audio }
    }

    /// Waits for parts that a network file system may show late.
    private func awaitParts(_ patience: Double) throws {
        var missing = try parts()
        let isWhole = JobRun.wait(patience) {
            missing.removeAll { directory.isWhole($0) }
            return missing.isEmpty
        }
        if isWhole { return }
        throw JobFault(
            MediaError(
                .missingInput,
                "\(missing.count) parts of \(job.output) are missing (jobs \(JobSelection.text(missing.map(\.index))))")
        )
    }

    private func assemble(_ plan: RenderPlan) throws {
        let parts = try parts()
        let segments = parts.filter { $0.kind == .segment }
        guard segments.count == plan.renderSegments.count else { throw changed }
        let files = try segments.map { try PacketFile(reading: directory.outputPath($0)) }
        let sound = try parts.first { $0.kind == .audio }.map { try PacketFile(reading: directory.outputPath($0)) }
        _ = try plan.join(segments: files, sound: sound)
        // The segments were decoded when they were made, and the joints when they were joined.
        guard OutputCheck.canRead(plan.container) else { return }
        let seconds = try MediaProbe.probe(path: attempt.part).video?.duration.doubleValue ?? 0
        let planned = plan.seconds.doubleValue
        guard abs(seconds - planned) < 0.5 / plan.video.frameRate.doubleValue else {
            throw MediaError(.io, "the output of \(planned) s came out \(seconds) s long")
        }
    }
}

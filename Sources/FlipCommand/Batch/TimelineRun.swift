import ArgumentParser
import FlipBase
import FlipBatch
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// Renders one long output as jobs: its segments, its audio, and joining them.
struct TimelineRun {
    private let options: VideoOptions
    private let type: any VideoCommand.Type

    init(_ options: VideoOptions, _ type: any VideoCommand.Type) { (self.options, self.type) = (options, type) }

    func run() throws {
        if options.chapters.chaptersOut != nil { throw OptionError("--chapters-out can't be combined with --engine") }
        // Among these is a password, which would be stored in the job directory.
        if let option = options.make.deck.firstGiven { throw OptionError("\(option) can't be combined with --engine") }
        try options.running.apply()
        let settings = try settings()
        let display = try BatchDisplay(options.running.progressForm)
        let run = BatchRun(settings, display)
        if settings.engine.cancels { return try run.cancel() }
        let source = try options.make.source(as: type.kind)
        let sides = try SideFiles(of: try options.make.composition(as: type.kind), report: options.running.report)
        let report = try run.run(plan(source, settings))
        try sides.writeReport(report)
        run.finish(report)
        if report.exit != 0 { throw ExitCode(report.exit) }
    }

    private func settings() throws -> BatchSettings {
        let absolute = { (path: String) in OutputPlace(path).isStream ? path : absolutePath(path) }
        let path = options.make.path
        guard !OutputPlace(path).isStream else {
            throw MediaError(.usage, "an engine can't write to a pipe (give it a file as its output)")
        }
        let output = URL(fileURLWithPath: absolute(path))
        return BatchSettings(
            directory: options.engine.jobDir.map(absolute) ?? output.deletingPathExtension().path + ".jobs",
            folder: FileManager.default.currentDirectoryPath, manifest: nil, outputs: nil, root: nil, failsFast: false,
            plansOnly: options.engine.planOnly, report: options.running.report.map(absolute),
            isVerbose: options.running.messages.verbose, engine: try options.engine.settings())
    }

    private func plan(_ source: Source, _ settings: BatchSettings) throws -> JobPlan {
        try TimelinePlanner(
            source.describesItself ? source.words[0] : nil, output: options.make.path,
            JobCommands.arguments(of: TypedWords.all, as: type), JobDirectory(settings.directory), settings.engine
        ).plan(folder: settings.folder)
    }
}

/// Makes the jobs of one long output.
struct TimelinePlanner {
    /// The project or timeline that is rendered; nil if the command line names the inputs itself.
    private let source: String?
    private let output: String
    /// The command line up to the output.
    private let arguments: [String]
    private let directory: JobDirectory
    private let engine: EngineSettings

    init(
        _ source: String?, output: String, _ arguments: [String], _ directory: JobDirectory, _ engine: EngineSettings
    ) {
        (self.source, self.output) = (source, output)
        (self.arguments, self.directory, self.engine) = (arguments, directory, engine)
    }

    /// The work in a segment that isn't given a length, in seconds of one core: long enough that starting a job, which
    /// opens all inputs, costs little, and short enough that a lost one costs little.
    private static let segmentSeconds = 60.0

    /// - Parameter folder: the folder at which relative paths start.
    func plan(folder: String) throws -> JobPlan {
        var arguments = arguments
        if !arguments.contains(where: { $0.hasPrefix("--threads=") }) { arguments.insert("--threads=1", at: 1) }
        var plan = try renderPlan(arguments)
        if !arguments.contains(where: { $0.hasPrefix("--segments=") }) {
            arguments.insert("--segments=\(length(plan))f", at: 1)
            plan = try renderPlan(arguments)
        }
        if let refusal = PartContent.refusal(plan) {
            throw MediaError(.usage, "this can't be rendered as jobs: \(refusal) (leave out --engine)")
        }
        let parts = try parts(plan, arguments)
        // A folder in which nothing is looked up may be gone when the jobs run.
        let isRelative =
            parts.flatMap(\.inputs).contains { !$0.path.hasPrefix("/") } || source?.hasPrefix("/") != true
        var jobs = JobPlan(
            program: try engine.program(), libraries: LibraryVersions.all,
            inputFolder: isRelative
                ? folder : URL(fileURLWithPath: source ?? "").deletingLastPathComponent().path,
            jobs: parts)
        if let source { jobs.sources = [source: try keep(source)] }
        return jobs
    }

    private func renderPlan(_ arguments: [String]) throws -> RenderPlan {
        var composition = try JobCommands.parse(arguments + [output]).composition()
        // Whether the output may be replaced is checked when it is put in its place. A job that runs may do that at any
        // moment, so what is there is looked at before it is said not to be the directory's own.
        if !composition.output.overwrites, FileIdentity(path: output) != nil,
            !directory.isOwn(RealPath(output).path)
        {
            throw MediaError.exists(output)
        }
        composition.output.overwrites = true
        return try Planner.plan(composition)
    }

    /// The number of frames of a segment: whole keyframe intervals, so that segments cost no additional keyframes.
    private func length(_ plan: RenderPlan) -> Int {
        let interval = plan.video.keyframeInterval
        let frames = EstimateLine.frames(in: Self.segmentSeconds, width: plan.video.width, height: plan.video.height)
        return max(1, frames / interval) * interval
    }

    /// Copies the file that describes the timeline into the job directory.
    /// - Returns: the copy's name.
    private func keep(_ source: String) throws -> String {
        try directory.create()
        guard let data = FileManager.default.contents(atPath: source) else {
            throw MediaError.unreadable("'\(source)'")
        }
        let ending = URL(fileURLWithPath: source).pathExtension
        let name = "\(SHA256.hash(data).prefix(20)).\(ending)"
        let path = "\(directory.sources)/\(name)"
        if FileManager.default.contents(atPath: path) == data { return name }
        try Files.replace(path, with: data)
        return name
    }

    private func parts(_ plan: RenderPlan, _ arguments: [String]) throws -> [Job] {
        let files = FileTable(engine.identity)
        let content = PartContent(plan, identity: files.text)
        let overwrites = try JobCommands.parse(arguments + [output]).composition().output.overwrites
        var jobs: [Job] = []
        func add(_ kind: Job.Kind, _ text: String, _ paths: [String], ending: String) {
            var job = Job(
                index: jobs.count, kind: kind, arguments: arguments, ending: ending, inputs: files.identities(paths),
                output: RealPath(output).path, overwrites: overwrites, threads: 1, source: "\(source ?? output):1:1")
            job.content = SHA256.hash(text.utf8)
            jobs.append(job)
        }
        for (number, range) in plan.renderSegments.enumerated() {
            add(.segment, content.segment(number), content.files(ofSegment: number), ending: "segment")
            let extent = EstimateLine(frames: range.count, width: plan.video.width, height: plan.video.height)
            jobs[number].segment = Job.Segment(number: number, firstFrame: range.lowerBound)
            jobs[number].frames = range.count
            jobs[number].estimate = extent.estimate(threads: 1)
        }
        if let audio = content.audio { add(.audio, audio, content.audioFiles, ending: "audio") }
        let all = jobs.compactMap(\.content).joined(separator: "\n") + content.rest + arguments.joined(separator: "\n")
        add(.assemble, all, [], ending: URL(fileURLWithPath: output).pathExtension)
        return jobs
    }
}

/// The identities of files, each found once.
final class FileTable {
    private let identity: InputIdentity
    private var known: [String: [FileIdentity]] = [:]

    init(_ identity: InputIdentity) { self.identity = identity }

    func identities(_ paths: [String]) -> [FileIdentity] {
        let all = Set(InputList.files(behind: paths)).sorted()
        return all.flatMap { path in
            if let known = known[path] { return known }
            let found = (FileIdentity.all(at: path) ?? []).map { $0.identified(by: identity) }
            known[path] = found
            return found
        }
    }

    /// A text that changes when the file at `path` does.
    func text(_ path: String) -> String {
        identities([path]).map { "\($0.path) \($0.bytes) \($0.modified) \($0.sha256 ?? "")" }.joined(separator: " ")
    }
}

import ArgumentParser
import FlipBase
import FlipBatch
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// Makes many outputs.
struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "Make many outputs, some at a time.",
        discussion: """
            A manifest lists `jobs`. Each has an `output`, `join`, `deck` or `render` with its inputs, and options of that \
            subcommand by their names; `defaults` apply to all jobs. Outputs that are already complete are skipped, so after \
            any accident the same command finishes the work.
            """)

    @Argument(
        help: .option("manifest.yaml, jobs.jsonl, - for lines of JSON, or a folder of decks.", "manifest"),
        completion: .file())
    var manifest: String
    @Option(
        help: .option(
            "Threads for each job that doesn't set its own number.", values: "\(Limits.threads)", default: "1", "n"))
    var threads: Int?
    @Flag(help: .option("Stop at the first failure.")) var failFast = false
    @Option(help: .option("Set an option for all jobs, whatever the manifest says; may be repeated.", "name=value"))
    var set: [String] = []
    @Option(help: .option("Refuse inputs and outputs outside this folder.", "dir"), completion: .directory)
    var root: String?
    @Option(help: .option("Where the videos of a folder of decks go.", "dir"), completion: .directory)
    var outputDir: String?
    @Option(
        help: .option("File name extension of a folder's videos.", default: "mp4", "ending"),
        completion: .list(Container.all.flatMap(\.extensions)))
    var ending: String?
    @Flag(help: .detail("Look for decks in the folders below as well; their outputs go to folders of the same names."))
    var recursive = false
    @Flag(help: .option("Go on, and make what is new or has changed."))
    var watch = false
    @Flag(name: [.customShort("y"), .long], help: .option("Replace files that aren't this batch's own."))
    var overwrite = false
    @Flag(name: [.customShort("n"), .long], help: .detail("Fail if such files exist, which is the default."))
    var noOverwrite = false
    @OptionGroup(title: "Engine") var engine: EngineOptions
    @OptionGroup(title: "Running") var running: RunOptions

    func run() throws {
        try running.apply()
        if overwrite, noOverwrite {
            throw OptionError("--overwrite (-y) and --no-overwrite (-n) exclude each other (give one of them)")
        }
        let settings = try settings()
        if settings.engine.cancels { return try BatchRun(settings, BatchDisplay(running.progressForm)).cancel() }
        if watch { return try watchFolder(settings) }
        let report = try make(settings) { _ in true }
        if report.exit != 0 { throw ExitCode(report.exit) }
    }

    /// How long a file must not have changed before it is taken for complete, in seconds.
    private static let settlingTime = 2.0

    /// Makes what is new or has changed in the folder, again and again, until the program is asked to end.
    private func watchFolder(_ settings: BatchSettings) throws {
        guard let outputs = settings.outputs, settings.engine.kind == .local, !settings.plansOnly else {
            throw OptionError("--watch is for a folder of decks, whose videos this machine makes")
        }
        let interruption = Interruption {}
        var (earlier, made) = (FolderState(settings.folder, without: outputs), FolderState())
        try withExtendedLifetime(interruption) {
            while true {
                let due = ContinuousClock.now + .seconds(Self.settlingTime)
                while .now < due, !Interruption.hasHappened { usleep(100_000) }
                if Interruption.hasHappened { return }
                let now = FolderState(settings.folder, without: outputs)
                let settled = now.settled(since: earlier)
                earlier = now
                if settled == made { continue }
                made = settled
                do {
                    _ = try make(settings) { now.agrees(with: settled, at: settings.folder + "/" + $0) }
                } catch  where !(error is ExitCode) {
                    // What is wrong now may be right after the next change.
                    let (code, message) = Failure.describe((error as? ManifestErrors)?.errors.first ?? error)
                    Message.error(message, code: code)
                }
            }
        }
    }

    /// Makes the outputs that are missing.
    /// - Parameter isReady: whether the deck of this name, in a folder of decks, can be made now.
    private func make(_ settings: BatchSettings, isReady: (String) -> Bool) throws -> BatchReport {
        let run = BatchRun(settings, try BatchDisplay(running.progressForm))
        let jobs = try plan(settings, isReady)
        let reportFile = try settings.report.map { path in try checkedReport(path, settings, jobs) }
        let report = try run.run(
            JobPlan(
                program: settings.engine.program(), libraries: LibraryVersions.all, inputFolder: settings.folder,
                outputFolder: settings.outputs, confinedTo: settings.root.flatMap { Files.realPath($0) }, jobs: jobs))
        try reportFile?.write(try JSONOutput.encode(Headed(report)))
        run.finish(report)
        return report
    }

    /// The jobs that the manifest asks for.
    /// - Throws: `ManifestErrors` with everything that is wrong with the manifest.
    private func plan(_ settings: BatchSettings, _ isReady: (String) -> Bool) throws -> [Job] {
        let (found, errors) = try readRequests(settings, isReady)
        // Lists, projects and timelines are read here to find what the jobs read.
        Confinement.confine(to: try settings.root.map { path in try RootFolder(path) })
        defer { Confinement.confine(to: nil) }
        var problems = errors
        var checked: Set<String> = []
        var parsed: [String: any VideoCommand] = [:]
        let requests = found.compactMap { check($0, &checked, &problems) }
        let planner = try BatchPlanner(
            directory: JobDirectory(settings.directory), root: settings.root, overwrites: overwrite,
            threads: threads ?? 1, identity: settings.engine.identity,
            references: { request in
                let known = request.kind.flatMap { parsed[$0] }
                let command = try known ?? JobCommands.parse(request.arguments + [request.output])
                if let kind = request.kind { parsed[kind] = command }
                return try command.references(of: request.inputs.map(\.word))
            })
        let (jobs, refusals) = planner.jobs(for: requests, manifest: settings.manifest)
        problems += refusals.map { error in
            error as? MediaError ?? MediaError(.badInput, Failure.describe(error).message)
        }
        if let errors = ManifestErrors(problems) { throw errors }
        return jobs
    }

    /// Lets the job's own command validate its options, so that errors are reported before anything runs.
    /// - Returns: the request without its invalid settings; nil if an error can't be attributed to a setting.
    private func check(
        _ request: JobRequest, _ checked: inout Set<String>, _ problems: inout [MediaError]
    ) -> JobRequest? {
        if let kind = request.kind, checked.contains(kind) { return request }
        var request = request
        while true {
            do {
                try JobCommands.parse(request.arguments + [request.output]).check()
                if let kind = request.kind { checked.insert(kind) }
                return request
            } catch {
                let message = Failure.describe(error).message
                guard let index = request.setting(of: message) else {
                    problems.append(request.location.error(message))
                    return nil
                }
                problems.append(request.settings.remove(at: index).location.error(message))
            }
        }
    }

    /// The file for the report. A report of the same job directory may be replaced, like the batch's outputs.
    private func checkedReport(_ path: String, _ settings: BatchSettings, _ jobs: [Job]) throws -> SideOutput {
        struct Report: Decodable { let jobDirectory: String }
        let isRegular = OutputPlace(path) == .file
        let older = (isRegular ? FileManager.default.contents(atPath: path) : nil)
            .flatMap { try? JSONDecoder().decode(Report.self, from: $0) }
        return try SideOutput(
            path, name: "report", overwrites: overwrite || older?.jobDirectory == settings.directory,
            inputs: jobs.flatMap { $0.inputs.map(\.path) } + [settings.manifest].compactMap(\.self),
            outputs: jobs.map(\.output) + [settings.directory + "/plan.json"])
    }

    private func readRequests(
        _ settings: BatchSettings, _ isReady: (String) -> Bool
    ) throws -> (requests: [JobRequest], errors: [MediaError]) {
        var manifest = try BatchManifest(commands: JobCommands.schemas(), overrides: set)
        if let outputs = settings.outputs {
            let requests = try manifest.requests(
                folder: ".", documents: Deck.documentEndings, outputs: outputs, ending: ending ?? "mp4",
                isRecursive: recursive
            ).filter { isReady(String($0.inputs[0].word.dropFirst(2))) }
            if recursive {
                for folder in Set(requests.map { URL(fileURLWithPath: $0.output).deletingLastPathComponent().path }) {
                    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                }
            }
            return (requests, [])
        }
        let isLines = ["jsonl", "ndjson"].contains(URL(fileURLWithPath: self.manifest).pathExtension)
        let path = settings.manifest
        let data = try InputDocument.read(
            path ?? "-", atMost: Self.maximumSize, as: "'\(self.manifest)'", takesStandardInput: true)
        guard data.count <= Self.maximumSize else {
            throw MediaError(.badInput, "'\(self.manifest)' is longer than \(Self.maximumSize >> 20) MiB")
        }
        let requests =
            path == nil || isLines
            ? try manifest.requests(jsonLines: data, path: path == nil ? "standard input" : self.manifest)
            : try manifest.requests(yaml: data, path: self.manifest)
        return (requests, manifest.errors)
    }

    /// The largest manifest, in bytes.
    private static let maximumSize = 64 << 20

    /// Reads the options. Changes the working directory to the folder that the manifest's paths are relative to.
    private func settings() throws -> BatchSettings {
        let absolute = { (path: String) in OutputPlace(path).isStream ? path : absolutePath(path) }
        _ = try OutputValue.threads("\(threads ?? 1)")
        let isFolder = Files.isFolder(manifest) == true
        let folder: String
        let standard: String?
        switch (manifest, isFolder) {
        case ("-", _):
            folder = FileManager.default.currentDirectoryPath
            standard = nil
        case (_, true):
            guard let outputDir else { throw MediaError(.usage, "a folder of decks needs --output-dir") }
            folder = absolute(manifest)
            standard = absolute(outputDir) + "/.jobs"
        case (_, false):
            folder = URL(fileURLWithPath: absolute(manifest)).deletingLastPathComponent().path
            // Another kind of manifest keeps its ending, so that lessons.jsonl doesn't share the directory of lessons.yaml.
            let file = URL(fileURLWithPath: absolute(manifest))
            standard = (file.pathExtension == "yaml" ? file.deletingPathExtension() : file).path + ".jobs"
        }
        if recursive, !isFolder { throw MediaError(.usage, "--recursive is for a folder of decks") }
        if outputDir != nil, !isFolder { throw MediaError(.usage, "--output-dir is for a folder of decks") }
        guard let directory = engine.jobDir.map(absolute) ?? standard else {
            throw MediaError(.usage, "jobs from standard input need --job-dir")
        }
        let settings = BatchSettings(
            directory: directory, folder: folder,
            manifest: manifest == "-" || isFolder ? nil : absolute(manifest),
            outputs: outputDir.map(absolute), root: root.map(absolute),
            watches: watch, failsFast: failFast, plansOnly: engine.planOnly, report: running.report.map(absolute),
            isVerbose: running.messages.verbose, engine: try engine.settings())
        guard FileManager.default.changeCurrentDirectoryPath(folder) else {
            throw MediaError(.missingInput, "there is no folder '\(folder)'")
        }
        return settings
    }
}

/// The settings of a batch, apart from its jobs. Paths are absolute.
struct BatchSettings {
    /// The job directory.
    var directory: String
    /// The folder that the manifest's paths are relative to.
    var folder: String
    /// The manifest's path; nil for standard input and for a folder of decks.
    var manifest: String?
    /// The folder for the videos of a folder of decks; nil for other manifests.
    var outputs: String?
    /// The folder that inputs and outputs have to lie in; nil for no restriction.
    var root: String?
    /// Whether the batch goes on until it is ended, and is ended between jobs.
    var watches = false
    var failsFast: Bool
    var plansOnly: Bool
    var report: String?
    var isVerbose: Bool
    var engine: EngineSettings

    /// Whether jobs are handed to an engine, and nobody waits for them.
    var onlySubmits: Bool { engine.kind == .slurm && !engine.follows && !plansOnly }
}

/// Amounts of memory.
enum MemorySize {
    /// The number of bytes in `4G`, `512M`, `1.5G` or plain bytes; at least 64 MiB. Units are powers of 1024.
    static func parse(_ text: String) throws(OptionError) -> Int {
        let units: [Character: Double] = ["K": 1024, "M": 1_048_576, "G": 1_073_741_824, "T": 1_099_511_627_776]
        guard let size = OutputValue.amount(text.uppercased(), units), size >= 67_108_864, size < 1e18 else {
            throw OptionError("invalid memory '\(text)' (expected bytes, or 512M, 4G; at least 64M)")
        }
        return Int(size)
    }
}

import ArgumentParser
import FlipBatch
import FlipGeometry
import FlipMedia
import Foundation

/// Makes many outputs.
struct BatchCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch", abstract: "Make many outputs, some at a time.",
        discussion: """
            A manifest has `jobs`, each with `output` and `join` or `deck` with its inputs, and options of that subcommand by \
            name; `defaults` are for all. What is done and whole is skipped: run it again after any accident.
            """)

    @Argument(
        help: ArgumentHelp(
            "manifest.yaml, jobs.jsonl, - for lines of JSON, or a folder of decks.", valueName: "manifest"))
    var manifest: String
    @Option(name: [.customShort("j"), .long], help: ArgumentHelp("Jobs at a time; one a processor.", valueName: "n"))
    var jobs: Int?
    @Option(help: ArgumentHelp("For all jobs together (4G); three quarters of what there is.", valueName: "bytes"))
    var memory: String?
    @Option(help: ArgumentHelp("Threads of a job that doesn't say.", valueName: "n")) var threads = 1
    @Option(help: ArgumentHelp("Times a job that failed by accident is tried again.", valueName: "n")) var retries = 2
    @Flag(help: "Stop at the first failure.") var failFast = false
    @Option(help: ArgumentHelp("An option of all jobs, stronger than defaults.", valueName: "name=value"))
    var set: [String] = []
    @Option(help: ArgumentHelp("Folder that no input and no output may be outside of.", valueName: "dir"))
    var root: String?
    @Option(help: ArgumentHelp("Where jobs are kept; beside the manifest, named after it.", valueName: "dir"))
    var jobDir: String?
    @Option(help: ArgumentHelp("Where a folder of decks goes to.", valueName: "dir")) var outputDir: String?
    @Option(help: ArgumentHelp("Ending of a folder's outputs.", valueName: "ending")) var ending = "mp4"
    @Flag(help: "Write plan.json and stop.") var planOnly = false
    @Flag(name: [.customShort("y"), .customLong("overwrite")], help: "Replace files that aren't this batch's own.")
    var overwrite = false
    @OptionGroup(title: "Running") var running: RunOptions

    func run() throws {
        let settings = try settings()
        let display = try BatchDisplay(running.progress)
        let requests = try readRequests(settings)
        let planner = try BatchPlanner(
            directory: JobDirectory(settings.directory), root: settings.root, overwrites: overwrite, threads: threads,
            references: { try JobCommands.parse($0.arguments + [$0.output]).references() })
        for request in requests { try check(request) }
        let jobs = try planner.jobs(for: requests, manifest: settings.manifest)
        let run = BatchRun(settings, display)
        let report = try run.run(jobs)
        if let path = settings.report { try JSONOutput.write(report, to: path) }
        if report.exit != 0 { throw ExitCode(report.exit) }
    }

    /// Lets the job's own command read its options, so that what is wrong is said before anything runs.
    private func check(_ request: JobRequest) throws {
        do {
            try JobCommands.parse(request.arguments + [request.output]).check()
        } catch {
            let message = Failure.describe(error).message
            throw request.place(of: message).error(message)
        }
    }

    private func readRequests(_ settings: BatchSettings) throws -> [JobRequest] {
        let manifest = try BatchManifest(commands: JobCommands.schemas(), overrides: set)
        if let outputs = settings.outputs {
            return try manifest.requests(folder: ".", outputs: outputs, ending: ending)
        }
        let isLines = ["jsonl", "ndjson"].contains(URL(fileURLWithPath: self.manifest).pathExtension)
        let path = settings.manifest
        let data: Data
        if let path {
            guard let file = FileHandle(forReadingAtPath: path), let found = try? file.read(upToCount: 64 << 20) else {
                throw MediaError(.missingInput, "cannot read '\(self.manifest)' (is it there, and readable?)")
            }
            data = found
        } else {
            data = (try? FileHandle.standardInput.readToEnd()) ?? Data()
        }
        return path == nil || isLines
            ? try manifest.requests(jsonLines: data, path: path == nil ? "standard input" : self.manifest)
            : try manifest.requests(yaml: data, path: self.manifest)
    }

    /// Reads the options; from then on the program runs in the folder that the manifest's paths are seen from.
    private func settings() throws -> BatchSettings {
        let absolute = { (path: String) in URL(fileURLWithPath: path).standardized.path }
        guard jobs.map({ (1...1024).contains($0) }) ?? true else {
            throw OptionError("invalid jobs '\(jobs ?? 0)' (expected 1...1024)")
        }
        guard (1...256).contains(threads) else { throw OptionError("invalid threads '\(threads)' (expected 1...256)") }
        guard (0...100).contains(retries) else { throw OptionError("invalid retries '\(retries)' (expected 0...100)") }
        let budget = try memory.map(MemorySize.parse) ?? MemorySize.physical / 4 * 3
        var isFolder: ObjCBool = false
        let isThere = FileManager.default.fileExists(atPath: manifest, isDirectory: &isFolder)
        let folder: String
        let standard: String?
        switch (manifest, isThere && isFolder.boolValue) {
        case ("-", _):
            folder = FileManager.default.currentDirectoryPath
            standard = nil
        case (_, true):
            guard let outputDir else { throw MediaError(.usage, "a folder of decks needs --output-dir") }
            folder = absolute(manifest)
            standard = absolute(outputDir) + "/.jobs"
        case (_, false):
            folder = URL(fileURLWithPath: absolute(manifest)).deletingLastPathComponent().path
            standard = URL(fileURLWithPath: absolute(manifest)).deletingPathExtension().path + ".jobs"
        }
        if outputDir != nil, !isFolder.boolValue { throw MediaError(.usage, "--output-dir is for a folder of decks") }
        guard let directory = jobDir.map(absolute) ?? standard else {
            throw MediaError(.usage, "jobs from standard input need --job-dir")
        }
        let settings = BatchSettings(
            directory: directory, folder: folder,
            manifest: manifest == "-" || isFolder.boolValue ? nil : absolute(manifest),
            outputs: outputDir.map(absolute), root: root.map(absolute),
            slots: jobs ?? ProcessInfo.processInfo.activeProcessorCount, budget: budget, retries: retries,
            failsFast: failFast, plansOnly: planOnly, report: running.report.map(absolute), isVerbose: running.verbose)
        guard FileManager.default.changeCurrentDirectoryPath(folder) else {
            throw MediaError(.missingInput, "there is no folder '\(folder)'")
        }
        return settings
    }
}

/// What a batch was asked to do, beside its jobs. Paths are absolute.
struct BatchSettings {
    var directory: String
    /// What the manifest's paths are seen from.
    var folder: String
    /// Nil for standard input and for a folder.
    var manifest: String?
    /// Of a folder of decks.
    var outputs: String?
    var root: String?
    /// Jobs at a time.
    var slots: Int
    /// Bytes for all jobs together.
    var budget: Int
    var retries: Int
    var failsFast: Bool
    var plansOnly: Bool
    var report: String?
    var isVerbose: Bool
}

/// Bytes as people write them.
enum MemorySize {
    /// `4G`, `512M`, `1.5G`, or bytes; at least 64 MiB.
    static func parse(_ text: String) throws(OptionError) -> Int {
        let scales: [Character: Double] = ["K": 1024, "M": 1_048_576, "G": 1_073_741_824, "T": 1_099_511_627_776]
        let scale = text.last.flatMap { scales[Character($0.uppercased())] }
        guard let number = Double(scale == nil ? text : String(text.dropLast())), number.isFinite, number > 0,
            number * (scale ?? 1) >= 67_108_864, number * (scale ?? 1) < 1e18
        else { throw OptionError("invalid memory '\(text)' (expected bytes, or 512M, 4G; at least 64M)") }
        return Int(number * (scale ?? 1))
    }

    /// Of the machine.
    static var physical: Int { Int(ProcessInfo.processInfo.physicalMemory) }
}

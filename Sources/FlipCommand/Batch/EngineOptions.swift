import ArgumentParser
import FlipBase
import FlipBatch
import FlipFiles
import FlipGeometry
import Foundation

/// Which engine runs jobs, and how.
struct EngineOptions: ParsableArguments {
    enum Kind: String, CaseIterable {
        case local, slurm
    }

    @Option(
        name: [.customShort("j"), .long],
        help: .option("Jobs that run at the same time.", values: "1...1024", default: "one per processor", "n"))
    var jobs: Int?
    @Option(
        help: .option(
            "Memory for all jobs together.", values: "4G, 512M ...", default: "three quarters of the machine's", "bytes"
        ))
    var memory: String?
    @Option(
        help: .option(
            "How often a job is tried again after a crash or a full disk.", values: "0...100", default: "2", "n"))
    var retries: Int?
    @Option(
        help: .option("The job directory.", default: "named after the manifest or the output, beside it", "dir"),
        completion: .directory)
    var jobDir: String?
    @Option(
        help: .option("What runs the jobs: this machine, or a Slurm cluster.", values: "local|slurm", default: "local"),
        completion: .words("local|slurm"))
    var engine: String?
    @Flag(help: .option("Wait for the jobs of a cluster and show their progress.")) var follow = false
    @Flag(help: .detail("Take the jobs of this job directory out of Slurm's queue, and stop.")) var cancel = false
    @Option(help: .detail("The partition of the cluster.", "name")) var partition: String?
    @Option(help: .detail("The features that nodes need.", "list")) var constraint: String?
    @Option(help: .detail("The account that is charged.", "name")) var account: String?
    @Option(
        help: .detail(
            "The longest time of a job, as sbatch takes it.", values: "minutes, h:m:s, d-h:m:s", default: "no limit",
            "time"))
    var time: String?
    @Option(help: .detail("A further option for sbatch, as --slurm-options=--qos=low; may be repeated.", "list"))
    var slurmOptions: [String] = []
    @Flag(help: .option("Write plan.json and stop.")) var planOnly = false
    @OptionGroup var roots: RootOptions
    @Option(
        help: .detail("How a plan identifies the jobs' inputs.", values: "time|sha256", default: "time"),
        completion: .words("time|sha256"))
    var inputsBy: String?
    @Flag(help: .detail("Accept the last bits of a result from processors with any instruction set."))
    var anyProcessor = false

    /// Whether one output is to be made as the jobs of an engine.
    var isGiven: Bool { engine != nil || planOnly }

    /// The first option that was given and is only for engines.
    var firstGiven: String? {
        let own = given.first { !["engine", "plan-only"].contains($0.name) }
        return own.map { "--" + $0.name } ?? roots.firstGiven
    }

    func settings() throws -> EngineSettings {
        guard let kind = Kind(rawValue: engine ?? "local") else {
            throw OptionError("invalid engine '\(engine ?? "")' (expected local or slurm)")
        }
        guard let identity = InputIdentity(rawValue: inputsBy ?? "time") else {
            throw OptionError("invalid inputs-by '\(inputsBy ?? "")' (expected time or sha256)")
        }
        guard jobs.map({ (1...1024).contains($0) }) ?? true else {
            throw OptionError("invalid jobs '\(jobs ?? 0)' (expected 1...1024)")
        }
        let retries = retries ?? 2
        guard (0...100).contains(retries) else { throw OptionError("invalid retries '\(retries)' (expected 0...100)") }
        let budget = try memory.map(MemorySize.parse) ?? MachineMemory.limit / 4 * 3
        let seconds = try time.map { text in
            guard let seconds = Slurm.seconds(text) else {
                throw OptionError("invalid time '\(text)' (expected minutes, or h:m:s as in 1:30:00)")
            }
            return seconds
        }
        if kind == .local {
            let cluster: [(String, Bool)] = [
                ("--follow", follow), ("--cancel", cancel), ("--partition", partition != nil),
                ("--constraint", constraint != nil), ("--account", account != nil),
                ("--slurm-options", !slurmOptions.isEmpty),
            ]
            if let (name, _) = cluster.first(where: \.1) { throw OptionError("\(name) needs --engine slurm") }
        }
        var slurm = Slurm.Settings()
        (slurm.partition, slurm.constraint, slurm.account) = (partition, constraint, account)
        (slurm.time, slurm.options) = (time, slurmOptions)
        _ = try roots.map()
        return EngineSettings(
            kind: kind, slots: jobs ?? ProcessInfo.processInfo.activeProcessorCount, budget: budget, retries: retries,
            follows: follow, cancels: cancel, slurm: slurm, limit: seconds.map { .seconds($0) },
            rootArguments: roots.arguments, identity: identity, acceptsAnyProcessor: anyProcessor)
    }
}

/// Which engine runs jobs, and how.
struct EngineSettings {
    var kind: EngineOptions.Kind
    /// The number of jobs that run at the same time on this machine.
    var slots: Int
    /// The memory for all jobs of this machine together, in bytes.
    var budget: Int
    /// How often a job is tried again.
    var retries: Int
    var follows: Bool
    var cancels: Bool
    var slurm: Slurm.Settings
    /// The longest time of a job; nil for no limit.
    var limit: Duration?
    /// The options of `jobs run` that move a plan's roots.
    var rootArguments: [String]
    var identity: InputIdentity
    var acceptsAnyProcessor: Bool

    /// The running program, as far as it determines the bytes that jobs make.
    func program() throws(MediaError) -> JobPlan.Program {
        var program = try JobPlan.Program.currentBuild()
        if acceptsAnyProcessor { program.processor = nil }
        return program
    }
}

import ArgumentParser
import FlipBase
import FlipBatch
import FlipGeometry
import Foundation

/// `plan --out` and `plan --emit`: jobs that are planned, or printed for an engine, and not run.
struct JobPlanning {
    private let command: PlanCommand

    init(_ command: PlanCommand) { self.command = command }

    func run() throws {
        let engine = try command.emit.map { name in
            guard let engine = JobEmission.Engine(rawValue: name) else {
                let names = JobEmission.Engine.allCases.map(\.rawValue).joined(separator: ", ")
                throw OptionError("invalid emit '\(name)' (expected one of \(names))")
            }
            return engine
        }
        if let out = command.out { try plan(in: out) }
        guard let engine else { return }
        guard let place = command.out ?? command.options.files.first,
            command.out != nil || command.options.files.count == 1
        else { throw MediaError(.usage, "--emit takes one job directory, or --out names it") }
        let directory = JobDirectory(at: URL(fileURLWithPath: place).standardized.path)
        print(try JobEmission(directory).text(for: engine), terminator: "")
    }

    /// Plans the jobs of a manifest, or of a project or timeline and its output.
    private func plan(in out: String) throws {
        let words = Self.words
        let files = command.options.files
        if files.count == 1 {
            var batch = try FlipTransitionCommand.parseAsRoot(["batch"] + words + ["--job-dir=\(out)", "--plan-only"])
            return try batch.run()
        }
        guard files.count == 2 || files.first == "render" && files.count == 3 else {
            throw MediaError(.usage, "--out takes a manifest, or a project or timeline and its output")
        }
        let own = words.first == "render" ? Array(words.dropFirst()) : words
        let parsed = try FlipTransitionCommand.parseAsRoot(["render"] + own + ["--engine=local", "--job-dir=\(out)"])
        guard let render = parsed as? RenderCommand else { throw MediaError(.usage, "--out takes no such command") }
        try TimelineRun(render, words: ["render"] + own, plansOnly: true).run()
    }

    /// The command line without the subcommand and the options of planning jobs.
    private static var words: [String] {
        var words: [String] = []
        var rest = CommandLine.arguments.dropFirst()
        while let word = rest.popFirst() {
            if words.isEmpty, word == "plan" { continue }
            if ["--out", "--emit"].contains(word) {
                _ = rest.popFirst()
            } else if !word.hasPrefix("--out=") && !word.hasPrefix("--emit=") {
                words.append(word)
            }
        }
        return words
    }
}

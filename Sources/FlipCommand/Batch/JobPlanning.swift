import ArgumentParser
import FlipBase
import FlipBatch
import FlipGeometry
import Foundation

/// `plan --out`: jobs that are planned and not run.
struct JobPlanning {
    private let command: PlanCommand

    init(_ command: PlanCommand) { self.command = command }

    /// Plans the jobs of a manifest, or of a project or timeline and its output.
    func run(in out: String) throws {
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
            if word == "--out" {
                _ = rest.popFirst()
            } else if !word.hasPrefix("--out=") {
                words.append(word)
            }
        }
        return words
    }
}

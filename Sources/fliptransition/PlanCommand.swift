import ArgumentParser
import FlipMedia
import FlipRender

/// Says what would be done, and writes nothing.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Say what would be done, and write nothing.",
        usage: "fliptransition plan <input>... <output> [options]")

    @OptionGroup var options: CompositionOptions
    @Flag(help: "As JSON.")
    var json = false
    @Flag(help: "Show what the decoders say.")
    var verbose = false

    func run() throws {
        MediaLog.isVerbose = verbose
        var composition = try options.composition()
        // Nothing is written, so nothing is replaced.
        composition.output.overwrites = true
        let plan = try Planner.plan(composition)
        if json { return try JSONOutput.print(PlanDocument(plan)) }
        print(plan)
    }
}

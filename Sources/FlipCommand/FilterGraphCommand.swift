import ArgumentParser
import FlipRender

/// Prints what the stock ffmpeg command needs to make the same output.
struct FilterGraphCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "filtergraph", abstract: "Print the ffmpeg command that joins clips with the frei0r plugin.",
        usage: "fliptransition filtergraph <input>... <output> [options]",
        discussion: "ffmpeg needs the plugin fliptransition_stack: scripts/install-plugins installs it.")

    @OptionGroup var options: CompositionOptions
    @Flag(help: .option("Print only the filter graph, with its outputs [v] and [a], for -filter_complex."))
    var graph = false
    @OptionGroup var messages: MessageOptions

    func run() throws {
        try messages.apply()
        var composition = try options.composition()
        // No output is written, so an existing one isn't replaced; and the ffmpeg command encodes everything in one
        // pass.
        composition.output.overwrites = true
        composition.output.render = .full
        composition.output.segments = .off
        var plan = try Planner.plan(composition)
        plan.overwrites = try options.output.frames.overwriting.overwrites
        let command = try FFmpegCommand(plan)
        (plan.warnings + command.warnings).forEach(Message.warning)
        print(graph ? command.graph.text : command.text)
    }
}

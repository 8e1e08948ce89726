import ArgumentParser
import FlipRender
import Foundation

/// Prints what would be done, and writes nothing.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show what would be done, and write nothing.",
        usage: "fliptransition plan <input>... [<output>] [options]")

    @OptionGroup var options: PlannedOptions
    @Flag(help: .option("Print JSON."))
    var json = false
    @OptionGroup var messages: MessageOptions

    func run() throws {
        try messages.apply()
        var planned = options
        // What is planned for no output in particular is planned for an mp4.
        if planned.make.files.count == 1, planned.make.outputPath == nil { planned.make.outputPath = "out.mp4" }
        var composition = try planned.made(planned.source()).composition
        // No output is written, so an existing one isn't replaced.
        composition.output.overwrites = true
        let plan = try Planner.plan(composition)
        if json { return try JSONOutput.print(Headed(PlanDocument(plan))) }
        print(plan)
    }
}

/// The options of what is planned and not made. The name of another command may stand in front of the inputs, so that `plan`
/// can be put before any command line.
struct PlannedOptions: ParsableArguments {
    @OptionGroup var make: MakeOptions

    func source() throws -> Source {
        guard make.inputs.count > 1, let name = make.files.first, !FileManager.default.fileExists(atPath: name),
            let command = JobCommands.all.first(where: { $0.names.contains(name) })
        else { return try make.source() }
        var make = make
        make.files.removeFirst()
        return try make.source(as: command.kind)
    }

    /// What the inputs become. Also sets the limits that apply when inputs are opened.
    func made(_ source: Source) throws -> Made {
        try make.limits.apply()
        try make.deck.notes.checkWritesNothing()
        let made = try source.made()
        made.composition.otherNames.forEach(Message.note)
        return made
    }
}

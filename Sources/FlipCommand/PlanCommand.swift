import ArgumentParser
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipProject
import FlipRender
import Foundation

/// Prints what would be done, without writing the output.
struct PlanCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan", abstract: "Show what would be done, and write nothing.",
        usage: "fliptransition plan <input>...|<project.yaml>|<timeline.otio> <output> [options]",
        discussion: "Documents and folders are planned as decks, with the options of deck as well.")

    @OptionGroup var options: CompositionOptions
    @OptionGroup(title: "Slides", visibility: .detail) var deck: DeckOptions
    @Flag(help: .option("Print JSON."))
    var json = false
    @Option(
        help: .option("Also write the plan as an OpenTimelineIO file.", "out.otio"),
        completion: .file(extensions: ["otio"]))
    var otio: String?
    @Option(help: .detail("Write the jobs of a manifest, project or timeline here.", "dir"), completion: .directory)
    var out: String?
    @OptionGroup var messages: MessageOptions

    /// The composition of clips, of slides, or of the one project or timeline given in their place.
    private func composition() throws -> Composition {
        var options = options
        // A subcommand's name may come first, so that `plan` can be put before any such command: `plan deck slides.pdf
        // out.mp4`.
        let names = options.files.first.flatMap { ["deck", "join", "render"].contains($0) ? $0 : nil }
        if names != nil, options.files.count > 2, !FileManager.default.fileExists(atPath: options.files[0]) {
            options.files.removeFirst()
        }
        guard options.files.count == 2, Description.isDescription(options.files[0]) else {
            let isDeck = names == "deck" || options.files.dropLast().contains(where: Deck.isDeck)
            return deck.firstGiven != nil || isDeck ? try deck.composition(options) : try options.composition()
        }
        if let option = options.timing.firstGiven ?? options.look.firstGiven {
            throw OptionError("\(option) can't be combined with a project or timeline, which sets it itself")
        }
        try options.limits.apply()
        try deck.notes.checkWritesNothing()
        return try Description(
            options.files[0], reading: options.reading, deck: deck,
            output: { base in try options.output.settings(path: options.files[1], over: base) },
            isStrict: options.strict
        ).composition
    }

    func run() throws {
        try messages.apply()
        if let out { return try JobPlanning(self).run(in: out) }
        var composition = try composition()
        composition.output.overwrites = try options.output.frames.overwriting.overwrites
        let sides = try SideFiles(of: composition)
        let timeline = try otio.map { path in
            try SideOutput(
                path, name: "timeline", overwrites: composition.output.overwrites, inputs: composition.files,
                outputs: [composition.output.path])
        }
        // No output is written, so an existing one isn't replaced.
        composition.output.overwrites = true
        let plan = try Planner.plan(composition)
        try sides.writeTexts()
        if let timeline {
            let export = OTIOExport(plan)
            if let loss = export.loss { Message.warning(loss) }
            try timeline.write(export.encoded())
        }
        if json { return try JSONOutput.print(Headed(PlanDocument(plan))) }
        print(plan)
    }
}

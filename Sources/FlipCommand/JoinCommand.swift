import ArgumentParser
import FlipBase
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipRender

/// The clips and how they are joined: the options that `join` and `plan` have in common.
struct CompositionOptions: ParsableArguments {
    @Argument(
        help: .option(
            "Clips to join, then the output. clip.mp4#t=2.5,9 is a part, @list.txt and cuts.csv lists, - standard input.",
            "file"), completion: .file())
    var files: [String] = []
    @OptionGroup(title: "Inputs") var reading: InputOptions
    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Timing") var timing: TimingOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: .detail("Make warnings errors."))
    var strict = false

    /// The composition that the options ask for. Also sets the limits that apply when inputs are opened.
    func composition() throws -> Composition {
        try limits.apply()
        let inputs = try InputList.expand(Array(files.dropLast()), root: reading.opening.root)
        // A list may happen to have only one part.
        guard let path = files.last, inputs.count >= 2 || files.dropLast().contains(where: InputList.isList) else {
            throw MediaError(.usage, missingInputs)
        }
        var composition = Composition(
            inputs: inputs, reading: try reading.settings(),
            transitions: try timing.transitions(look), output: try output.settings(path: path))
        composition.cutBelow = try timing.leastTime()
        composition.isStrict = strict
        composition.sources = InputList.files(behind: files.dropLast())
        return composition
    }

    /// The error for fewer than two inputs.
    private var missingInputs: String {
        let needed = "two inputs or more and an output are needed"
        guard files.count == 2 else { return "\(needed) (fliptransition in1.mp4 in2.mp4 out.mp4)" }
        if Deck.isDeck(files[0]) {
            return
                "\(needed); slides and folders are made into a video by 'fliptransition deck \(files[0]) \(files[1])'"
        }
        return "\(needed) (fliptransition in1.mp4 in2.mp4 out.mp4); 'fliptransition deck' takes one clip as well"
    }

    /// The files with the sounds and gestures of transitions, and what is drawn over the frames.
    func furtherFiles() throws(OptionError) -> [String] {
        try timing.transitions(look).flatMap(\.files) + output.overlays.files()
    }
}

/// Joins clips into one video.
struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join clips with transitions.",
        usage: "fliptransition <input>... <output> [options]")

    @OptionGroup var options: CompositionOptions
    @OptionGroup(title: "Output") var chapters: ChapterOptions
    @OptionGroup(title: "Running") var running: RunOptions

    func run() throws {
        try RenderRun(running, chapters).run {
            var composition = try options.composition()
            composition.reading.passesOn = true
            return composition
        }
    }
}

import ArgumentParser
import FlipGeometry
import FlipMedia
import FlipRender

/// Writes one frame of a transition.
struct StillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "still", abstract: "Write one frame of a transition as a picture.",
        usage: "fliptransition still <a> <b> <out.png> --progress p [options]")

    @Argument(help: ArgumentHelp("The clip or picture that leaves: its last frame.", valueName: "a"))
    var first: String
    @Argument(help: ArgumentHelp("The clip or picture that arrives: its first frame.", valueName: "b"))
    var second: String
    @Argument(help: ArgumentHelp("The picture (.png, .jpg, .ppm, .yuv ...).", valueName: "out"))
    var out: String
    @Option(
        parsing: .unconditional, help: ArgumentHelp("How far the transition is, 0...1, after easing.", valueName: "p"))
    var progress = "0.5"
    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: "Show what the decoders say.")
    var verbose = false

    func run() throws {
        MediaLog.isVerbose = verbose
        try limits.apply()
        guard let progress = Double(progress), (0...1).contains(progress) else {
            throw OptionError("invalid progress '\(progress)' (expected 0...1)")
        }
        let transition = TransitionSpec(look: try look.styledLook(), overlap: .freeze)
        var settings = try output.settings(path: out)
        settings.isStill = true
        let composition = Composition(
            inputs: try [first, second].map(ClipSpec.init(parsing:)), transitions: [transition], output: settings)
        try StillRenderer.write(try Planner.plan(composition), progress: progress)
    }
}

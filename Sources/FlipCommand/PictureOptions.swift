import ArgumentParser
import FlipGeometry
import FlipMedia
import FlipRender

/// What the commands share that write one picture of what lies between two clips.
struct PictureOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The clip or picture that leaves: its last frame.", valueName: "a"))
    var first: String
    @Argument(help: ArgumentHelp("The clip or picture that arrives: its first frame.", valueName: "b"))
    var second: String
    @Argument(help: ArgumentHelp("The picture (.png, .jpg, .ppm, .yuv ...).", valueName: "out"))
    var out: String
    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: "Show what the decoders say.")
    var verbose = false

    /// The plan for the two ends; `width` is the picture's where no size is asked for, nil for the first clip's. Sets the
    /// limits as well, which opening the inputs keeps to.
    func plan(width: Int? = nil) throws -> RenderPlan {
        MediaLog.isVerbose = verbose
        try limits.apply()
        var settings = try output.settings(path: out)
        settings.width = width
        settings.isStill = true
        return try Planner.plan(
            Composition(
                inputs: try [first, second].map(ClipSpec.init(parsing:)),
                transitions: [TransitionSpec(look: try look.styledLook(), overlap: .freeze)], output: settings))
    }
}

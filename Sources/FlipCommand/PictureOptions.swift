import ArgumentParser
import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRender

/// The options shared by the commands that write a single picture of a transition between two clips.
struct PictureOptions: ParsableArguments {
    @Argument(help: ArgumentHelp("The clip or picture that leaves: its last frame.", valueName: "a"))
    var first: String
    @Argument(help: ArgumentHelp("The clip or picture that arrives: its first frame.", valueName: "b"))
    var second: String
    @Argument(help: ArgumentHelp("The picture (.png, .jpg, .ppm, .yuv ...).", valueName: "out"))
    var out: String
    @OptionGroup(title: "Inputs") var reading: InputOptions
    @OptionGroup(title: "Look") var look: LookOptions
    @Option(
        help: ArgumentHelp("The transition as join takes it: fold=mode=cubic.", valueName: "spec"))
    var transition: [String] = []
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: "Make warnings errors.")
    var strict = false
    @Flag(help: "Show what the decoders say.")
    var verbose = false

    /// The look of the transition; nil for a cut.
    func styledLook() throws -> StyledLook? {
        guard let text = transition.first else { return try look.styledLook() }
        if transition.count > 1 { throw OptionError("one --transition is enough for one picture") }
        if let option = look.firstGiven {
            throw OptionError("\(option) can't be combined with --transition (write it into the transition's spec)")
        }
        return try TransitionSpec(parsing: text).look
    }

    /// Whether a transition was asked for.
    var asksForLook: Bool { look.firstGiven != nil || !transition.isEmpty }

    /// The first given option that has no meaning for a picture, as the user typed it; nil if there is none.
    private var meaningless: String? {
        let given: [(String, Bool)] = [
            ("--still-duration", reading.stillDuration != nil), ("--audio-track", reading.audioTrack != nil),
            ("--audio-codec", output.audioCodec != nil), ("--audio-bitrate", output.audioBitrate != nil),
            ("--audio-curve", output.audioCurve != nil), ("--no-audio", output.noAudio),
            ("--chapters", output.chapters), ("--render", output.render != nil),
            ("--segments", output.segments != nil), ("--holds", output.holds != nil),
        ]
        return given.first(where: \.1)?.0
    }

    /// The plan for the transition from the first clip to the second. Also sets the limits that apply when inputs are
    /// opened.
    /// - Parameter width: the picture's width in pixels if no size is asked for; nil for the first clip's.
    func plan(width: Int? = nil) throws -> RenderPlan {
        MediaLog.isVerbose = verbose
        try limits.apply()
        if let meaningless { throw OptionError("\(meaningless) doesn't apply to a picture (leave it out)") }
        var settings = try output.settings(path: out)
        settings.width = width
        settings.isStill = true
        let inputs = try InputList.expand([first, second], root: reading.root)
        guard inputs.count == 2 else {
            throw MediaError(
                .usage,
                "a picture lies between two clips, and the lists '\(first)' and '\(second)' name \(inputs.count)")
        }
        var composition = Composition(
            inputs: inputs, reading: try reading.settings(),
            transitions: [TransitionSpec(look: try styledLook(), overlap: .freeze)], output: settings)
        composition.isStrict = strict
        let plan = try Planner.plan(composition)
        plan.warnings.filter { !$0.contains(": left out stream ") }.forEach(Message.warning)
        return plan
    }
}

import ArgumentParser
import FlipBase
import FlipFiles
import FlipGeometry
import FlipRender

/// The options shared by the commands that write a single picture of a transition between two clips.
struct PictureOptions: ParsableArguments {
    @Argument(help: .option("The clip or picture that leaves: its last frame.", "a"), completion: .file())
    var first: String
    @Argument(help: .option("The clip or picture that arrives: its first frame.", "b"), completion: .file())
    var second: String
    @Argument(help: .option("The picture (.png, .jpg, .ppm, .yuv ...).", "out"), completion: .file())
    var out: String
    @OptionGroup(title: "Inputs") var reading: OpeningOptions
    @OptionGroup(title: "Look") var look: LookOptions
    @Option(help: .option("The transition as join takes it: fold=mode=cubic.", "spec"), completion: .specs)
    var transition: [String] = []
    @Option(help: .gesture, completion: .file(extensions: ["json"]))
    var gesture: String?
    @OptionGroup(title: "Output") var output: FrameOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: .detail("Make warnings errors."))
    var strict = false
    @OptionGroup var messages: MessageOptions

    /// The transition.
    func spec() throws(OptionError) -> TransitionSpec {
        guard let text = transition.first else { return try look.spec(gesture: gesture, overlap: .freeze) }
        if transition.count > 1 { throw OptionError("one --transition is enough for one picture") }
        if let option = look.firstGiven {
            throw OptionError("\(option) can't be combined with --transition (write it into the transition's spec)")
        }
        var spec = try TransitionSpec(parsing: text, gesture: gesture)
        spec.overlap = .freeze
        return spec
    }

    /// Whether a transition was asked for.
    var asksForLook: Bool { look.firstGiven != nil || !transition.isEmpty || gesture != nil }

    /// The plan for the transition from the first clip to the second. Also sets the limits that apply when inputs are
    /// opened.
    /// - Parameter width: the picture's width in pixels if no size is asked for; nil for the first clip's.
    func plan(width: Int? = nil) throws -> RenderPlan {
        try messages.apply()
        try limits.apply()
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
            inputs: inputs, reading: try reading.settings(), transitions: [try spec()], output: settings)
        composition.isStrict = strict
        composition.otherNames.forEach(Message.note)
        let plan = try Planner.plan(composition)
        plan.warnings.forEach(Message.warning)
        return plan
    }
}

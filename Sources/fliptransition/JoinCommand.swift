import ArgumentParser
import FlipMedia
import FlipRender

/// The clips and how they are joined: what `join` and `plan` have in common.
struct CompositionOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Clips to join (clip.mp4#t=2.5,9 is a part of one, @list.txt a list of them, - standard input), then the output.",
            valueName: "file"))
    var files: [String] = []
    @OptionGroup(title: "Inputs") var reading: InputOptions
    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Timing") var timing: TimingOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: "Make warnings errors.")
    var strict = false

    /// Sets the limits as well, which opening the inputs keeps to.
    func composition() throws -> Composition {
        try limits.apply()
        let inputs = try InputList.expand(Array(files.dropLast()), root: reading.root)
        guard let path = files.last, inputs.count >= 2 else {
            throw MediaError(
                .usage, "two inputs or more and an output are needed (fliptransition in1.mp4 in2.mp4 out.mp4)")
        }
        var composition = Composition(
            inputs: inputs, reading: try reading.settings(),
            transitions: try timing.transitions(look), output: try output.settings(path: path))
        composition.isStrict = strict
        return composition
    }
}

/// Joins clips into one video.
struct JoinCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Join clips (the default).",
        usage: "fliptransition <input>... <output> [options]")

    @OptionGroup var options: CompositionOptions
    @OptionGroup(title: "Running") var running: RunOptions

    func run() throws {
        MediaLog.isVerbose = running.verbose
        let display = try ProgressDisplay(running.progress)
        let composition = try options.composition()
        var plan = try Planner.plan(composition)
        let report: RenderReport
        do {
            report = try render(plan, display)
        } catch let failure as SpliceFailure where composition.output.render == .auto {
            var whole = composition
            whole.output.render = .full
            plan = try Planner.plan(
                whole, warnings: ["everything is encoded, since copying failed: \(failure.reason)"])
            report = try render(plan, display)
        }
        display.finish(report)
        report.warnings.dropFirst(plan.warnings.count).forEach(Message.warning)
        switch composition.output.render {
        case .full: if display.isTerminal { suggestCopying(composition) }
        case .auto: Message.note(report.copySentence(refusals: plan.copyRefusals))
        case .smart: break
        }
        if let path = running.report { try JSONOutput.write(report, to: path) }
    }

    private func render(_ plan: RenderPlan, _ display: ProgressDisplay) throws -> RenderReport {
        if running.verbose { Message.write(plan.description) }
        plan.warnings.forEach(Message.warning)
        let pipeline = Pipeline(plan)
        let interruption = Interruption { pipeline.cancel() }
        return try withExtendedLifetime(interruption) {
            try pipeline.run { display.show($0) }
        }
    }

    /// Says what could have been copied, where something could.
    private func suggestCopying(_ composition: Composition) {
        var other = composition
        other.output.render = .auto
        other.output.overwrites = true
        // What can't be read any more can't be copied either.
        guard let plan = try? Planner.plan(other), plan.timeline.copiedFrames > 0 else { return }
        Message.note(
            "--render auto would have copied \(plan.timeline.copiedFrames) of \(plan.timeline.frames) frames as they are"
        )
    }
}

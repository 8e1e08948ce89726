import FlipRender

/// Plans and renders a composition and reports on it, for all subcommands that write a video.
struct RenderRun {
    private let options: RunOptions
    /// Where the chapters are listed; nil for nowhere.
    private let chaptersPath: String?

    init(_ options: RunOptions, _ chapters: ChapterOptions) {
        self.options = options
        chaptersPath = chapters.chaptersOut
    }

    /// Makes the composition and renders it.
    func run(_ makeComposition: () throws -> Composition) throws {
        try options.apply()
        let display = try ProgressDisplay(options.progressForm)
        let composition = try makeComposition()
        composition.otherNames.forEach(Message.note)
        let sides = try SideFiles(of: composition, chapters: chaptersPath, report: options.report)
        let plan = try Planner.plan(composition)
        // What a deck can't show is said where it is planned.
        plan.remarks.filter { !composition.remarks.contains($0) }.forEach(Message.note)
        _ = try sides.warnings(plan)
        var latest = plan
        var reported: Set<String> = []
        let report = try render(plan, display) { plan in
            if options.messages.verbose { Message.text(plan.description) }
            latest = plan
            (plan.warnings + ((try? sides.warnings(plan)) ?? [])).filter { reported.insert($0).inserted }.forEach(
                Message.warning)
        }
        display.form.clear()
        report.remarks.filter { !plan.remarks.contains($0) }.forEach(Message.note)
        report.warnings.filter { reported.insert($0).inserted }.forEach(Message.warning)
        switch composition.output.render {
        case .full: if display.form == .terminal { suggestCopying(plan) }
        case .auto: Message.note(report.copySentence)
        case .smart: break
        }
        try sides.write(latest, report)
        if !Message.isQuiet, !Message.isJSON { Message.write(Message.printable(report.summary)) }
        display.finish(report)
    }

    /// - Parameter announce: called with every plan before it is carried out.
    private func render(
        _ plan: RenderPlan, _ display: ProgressDisplay, announce: (RenderPlan) -> Void
    ) throws -> RenderReport {
        announce(plan)
        let pipeline = Pipeline(plan)
        let interruption = Interruption { pipeline.cancel() }
        if Interruption.hasHappened { throw CancellationError() }
        return try withExtendedLifetime(interruption) { try pipeline.run(replanned: announce) { display.show($0) } }
    }

    /// Suggests `--render auto` if the plan has frames that might be copied. No file is read again for this.
    private func suggestCopying(_ plan: RenderPlan) {
        let count = plan.framesWorthCopying
        if count == 0 { return }
        Message.note("--render auto might copy up to \(count) of \(plan.timeline.frames) frames as they are")
    }
}

import ArgumentParser
import FlipBase
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipPreview
import FlipRender
import Foundation

/// Serves a page in which transitions are tried, turned by hand and recorded.
struct PreviewCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "preview", abstract: "Try transitions in the browser, turn them by hand, and record the hand.",
        usage: "fliptransition preview <clip>...|<project.yaml>|<timeline.otio>|<slides> [options]",
        discussion: """
            The address that is printed opens the page, on this computer only. Ctrl-C ends the preview. \
            \(Documents.path("PREVIEW.md")) describes the page.
            """)

    @Argument(
        help: .option("Clips as join takes them, or a project, a timeline, or slides.", "file"), completion: .file())
    var files: [String] = []
    @OptionGroup var serving: ServingOptions
    @Option(
        help: .option("Write a page that needs no server: every join at even steps, to scrub and drag.", "page.html"),
        completion: .file(extensions: ["html"]))
    var export: String?
    @Flag(name: [.customShort("y"), .customLong("overwrite")], help: .option("Replace an existing page or gesture."))
    var overwrite = false
    @OptionGroup(title: "Slides") var binding: BookOptions
    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Timing") var timing: TimingOptions
    @OptionGroup(title: "Inputs") var reading: InputOptions
    @OptionGroup(title: "Frames", visibility: .detail) var shape: ShapeOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @OptionGroup var messages: MessageOptions

    func run() throws {
        try messages.apply()
        try limits.apply()
        let settings = try serving.settings()
        if let export, !export.lowercased().hasSuffix(".html") {
            throw OptionError("invalid export '\(export)' (expected a name that ends in .html)")
        }
        let source = try source()
        let composition = try source.made().composition
        composition.otherNames.forEach(Message.note)
        let plans = try SeamPlans(composition)
        plans.full.warnings.forEach(Message.warning)
        guard !plans.full.transitions.isEmpty else {
            throw MediaError(.usage, "there is nothing to turn: a preview needs two clips or more")
        }
        if let export { return try write(plans, to: export) }
        try check(serving.saveGesture, plans)
        let service = PreviewService(
            plans, catalogue: try StylesCommand.catalogue(), texts: texts(plans, source),
            gesturePath: serving.saveGesture, overwrites: overwrite)
        let server = PreviewServer(service, settings)
        let interruption = Interruption { server.stop() }
        var page: RedirectPage?
        defer { page?.remove() }
        try withExtendedLifetime(interruption) {
            try server.run { address in
                print(address)
                fflush(nil)
                if isatty(STDERR_FILENO) == 1 {
                    Message.note("open this address in a browser; Ctrl-C ends the preview")
                }
                if serving.host != nil {
                    Message.warning(
                        "others in the network can reach the preview, and whoever sees the address can use it")
                }
                if serving.open { page = RedirectPage.open(address) }
            }
        }
    }

    // MARK: What is shown

    private func source() throws -> Source {
        guard !files.isEmpty else {
            throw MediaError(.usage, "clips are needed (fliptransition preview in1.mp4 in2.mp4)")
        }
        return try Source(files, reading: reading, look: look, timing: timing, binding: binding) { base in
            var settings = base ?? OutputSettings(path: "-")
            try shape.apply(to: &settings)
            settings.threads = OutputValue.defaultThreads
            return settings
        }
    }

    private func texts(_ plans: SeamPlans, _ source: Source) -> PreviewTexts {
        let specs = plans.full.transitions.enumerated().map { index, transition in
            PreviewTexts.spec(of: transition, defaultOverlap: plans.composition.defaultOverlap(afterClip: index))
        }
        return PreviewTexts(
            clips: source.kind == .clips ? clips : [], inputs: files, takesTransitions: !source.describesItself,
            specs: specs)
    }

    /// The clips as they are typed; none if a list stands for several.
    private var clips: [String] { files.contains(where: InputList.isList) ? [] : files }

    // MARK: What is written

    /// Throws if the gesture's file would replace something that it must not.
    private func check(_ path: String?, _ plans: SeamPlans) throws {
        guard let path else { return }
        try OutputPlace.check(path, overwrites: overwrite, inputs: plans.composition.files)
    }

    private func write(_ plans: SeamPlans, to path: String) throws {
        let page = try ExportedPage(plans).data()
        let file = try SideOutput(
            path, name: "page", overwrites: overwrite, inputs: plans.composition.files, outputs: [])
        try file.write(page)
        let count = plans.full.transitions.count
        Message.note("\(path): \(count == 1 ? "1 join" : "\(count) joins"), \(page.count / 1024) KiB")
    }
}

/// How the preview's page is served.
struct ServingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: .option("The port.", values: "1...65535", default: "any that is free", "n"))
    var port: String?
    @Option(
        help: .option(
            "An address of this computer at which others can reach the page as well.", default: "this computer only",
            "address"))
    var host: String?
    @Flag(help: .option("Open the page in the browser."))
    var open = false
    @Option(
        parsing: .unconditional,
        help: .option("End after this time without use.", values: "10s, 90m, or off", default: "30m", "time"))
    var idle: String?
    @Option(
        help: .option("The file into which the page saves a gesture; otherwise the browser downloads it.", "file"),
        completion: .file(extensions: ["json"]))
    var saveGesture: String?

    func settings() throws(OptionError) -> PreviewServer.Settings {
        var settings = PreviewServer.Settings()
        if let port {
            guard let number = Int(port), (1...65535).contains(number) else {
                throw OptionError("invalid port '\(port)' (expected 1...65535)")
            }
            settings.port = number
        }
        settings.host = host
        if let idle {
            if idle == "off" {
                settings.idle = .infinity
            } else {
                let unit = idle.hasSuffix("m") ? 60.0 : 1
                let digits = idle.hasSuffix("m") || idle.hasSuffix("s") ? String(idle.dropLast()) : idle
                guard let time = Double(digits), time.isFinite, time > 0, time * unit <= 1e6 else {
                    throw OptionError("invalid idle '\(idle)' (expected 10s, 90m, or off)")
                }
                settings.idle = time * unit
            }
        }
        return settings
    }
}

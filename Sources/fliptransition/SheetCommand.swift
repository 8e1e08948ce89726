import ArgumentParser
import FlipGeometry
import FlipMedia
import FlipRender

/// Writes a contact sheet of transitions.
struct SheetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet", abstract: "Write a contact sheet: transitions over time, a row each.",
        usage: "fliptransition sheet <a> <b> <out.png> [--columns n] [options]",
        discussion: """
            Time runs from left to right. The rows are, from the top, \(Styles.all.map(\.name).joined(separator: ", ")), \
            each as it is by default; with --style, --look or an option of a look there is that one row. --size is a \
            cell's: \(SheetRenderer.cellWidth) pixels wide in the first clip's shape.
            """)

    @Argument(help: ArgumentHelp("The clip or picture that leaves: its last frame.", valueName: "a"))
    var first: String
    @Argument(help: ArgumentHelp("The clip or picture that arrives: its first frame.", valueName: "b"))
    var second: String
    @Argument(help: ArgumentHelp("The picture (.png, .jpg, .ppm, .yuv ...).", valueName: "out"))
    var out: String
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Frames over time, \(SheetRenderer.columns.lowerBound)...\(SheetRenderer.columns.upperBound).",
            valueName: "n"))
    var columns = "5"
    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: "Show what the decoders say.")
    var verbose = false

    func run() throws {
        MediaLog.isVerbose = verbose
        try limits.apply()
        let range = SheetRenderer.columns
        guard let columns = Int(columns), range.contains(columns) else {
            throw OptionError(
                "invalid columns '\(columns)' (expected \(range.lowerBound)...\(range.upperBound))")
        }
        let asked = try look.styledLook()
        let looks = look.firstGiven == nil ? try Styles.all.map { try StyledLook(style: $0) } : [asked]
        var settings = try output.settings(path: out)
        settings.width = SheetRenderer.cellWidth
        settings.isStill = true
        let composition = Composition(
            inputs: try [first, second].map(ClipSpec.init(parsing:)),
            transitions: [TransitionSpec(look: asked, overlap: .freeze)], output: settings)
        try SheetRenderer.write(try Planner.plan(composition), looks: looks, columns: columns)
    }
}

import ArgumentParser
import FlipBase
import FlipGeometry
import FlipRender

/// Writes a contact sheet of transitions.
struct SheetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sheet", abstract: "Write a contact sheet: transitions over time, a row each.",
        usage: "fliptransition sheet <a> <b> <out.png> [--columns n] [options]",
        discussion: """
            Time runs from left to right. The rows are, from the top, \(Styles.all.map(\.name).joined(separator: ", ")), \
            each as it is by default; with --looks, \(Looks.all.map(\.name).joined(separator: ", ")). With --style, \
            --look or an option of a look there is that one row. --size is a \
            cell's: \(SheetRenderer.cellWidth) pixels wide in the first clip's shape.
            """)

    @Option(
        parsing: .unconditional,
        help: .option(
            "Frames over time.", values: "\(SheetRenderer.columns.lowerBound)...\(SheetRenderer.columns.upperBound)",
            default: "\(defaultColumns)", "n"))
    var columns: String?
    @Flag(help: .option("A row for each named look instead of each style."))
    var looks = false
    @OptionGroup var picture: PictureOptions

    static let defaultColumns = 5

    func run() throws {
        let range = SheetRenderer.columns
        guard let columns = columns.map({ Int($0) }) ?? Self.defaultColumns, range.contains(columns) else {
            throw OptionError("invalid columns '\(columns ?? "")' (expected \(range.lowerBound)...\(range.upperBound))")
        }
        let asked = try picture.spec()
        if looks, picture.asksForLook {
            throw OptionError("--looks shows each look as it is (leave it out, or the options of a look)")
        }
        let specs =
            if looks {
                try Looks.all.map { TransitionSpec(look: try StyledLook(style: nil, look: $0.name, options: [])) }
            } else if picture.asksForLook {
                [asked]
            } else {
                try Styles.all.map { TransitionSpec(look: try StyledLook(style: $0)) }
            }
        try SheetRenderer.write(try picture.plan(width: SheetRenderer.cellWidth), specs: specs, columns: columns)
    }
}

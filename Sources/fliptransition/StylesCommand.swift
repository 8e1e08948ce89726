import ArgumentParser
import FlipGeometry

/// Lists the catalogue.
struct StylesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "styles", abstract: "List the styles and their options.")

    @Flag(help: "As JSON.")
    var json = false

    private struct Row: Encodable {
        struct Option: Encodable {
            let name: String
            let `default`: String
            let values: String
        }

        let name: String
        let summary: String
        let options: [Option]

        init(_ style: any TransitionStyle) {
            name = style.name
            summary = style.summary
            options = style.options.map { option in
                Option(
                    name: option.rawValue, default: option.value(in: style.defaults),
                    values: option == .shadow ? style.shadows.map(\.rawValue).joined(separator: "|") : option.law)
            }
        }
    }

    func run() throws {
        let rows = Styles.all.map(Row.init)
        if json { return try JSONOutput.print(rows) }
        for row in rows {
            print("\(row.name): \(row.summary)")
            for option in row.options { print("  --\(option.name) (\(option.default)): \(option.values)") }
        }
    }
}

import ArgumentParser
import FlipGeometry
import FlipHost
import Foundation

/// Lists the styles, their options and the named looks.
struct StylesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "styles", abstract: "List the styles and their options.")

    @Flag(help: .option("Print JSON."))
    var json = false
    @Flag(help: .option("Print Kdenlive's description of the frei0r plugin."))
    var kdenlive = false

    private struct Row: Encodable {
        struct Option: Encodable {
            let name: String
            let summary: String
            let `default`: String
            let values: String
            /// One of word, flag, number, integer, point, color and easing.
            let type: String
            /// The range of a number or of a point's coordinates; nil for other types.
            let minimum: Double?
            let maximum: Double?
            /// The words, or the names of the named easings; nil for other types.
            let choices: [String]?
            let unit: String?

            init(_ option: LookOption, of style: any TransitionStyle) {
                name = option.rawValue
                summary = option.summary
                `default` = option.value(in: style.defaults)
                unit = option.unit
                values = option.acceptedValues(for: style)
                var range: ClosedRange<Double>?
                switch option.kind(for: style) {
                case .word(let words): (type, choices) = ("word", option.words(for: style) ?? words)
                case .flag: (type, choices) = ("flag", nil)
                case .number(let numbers): (type, choices, range) = ("number", nil, numbers)
                case .wholeNumber(let numbers): (type, choices, range) = ("integer", nil, numbers)
                case .point(let numbers): (type, choices, range) = ("point", nil, numbers)
                case .color: (type, choices) = ("color", nil)
                case .easing: (type, choices) = ("easing", Easing.named.map(\.name))
                }
                (minimum, maximum) = (range?.lowerBound, range?.upperBound)
            }
        }

        struct NamedLook: Encodable {
            struct Setting: Encodable {
                let name: String
                let value: String
            }

            let name: String
            let summary: String
            let options: [Setting]
        }

        let name: String
        let summary: String
        let origin: String
        let options: [Option]
        let looks: [NamedLook]

        init(_ style: any TransitionStyle) {
            name = style.name
            summary = style.summary
            origin = style.origin
            options = style.options.map { Option($0, of: style) }
            looks = Looks.all.filter { $0.style.name == style.name }.map { look in
                NamedLook(
                    name: look.name, summary: look.summary,
                    options: look.options.map { NamedLook.Setting(name: $0.option.rawValue, value: $0.value) })
            }
        }
    }

    /// The styles with their options and looks, as `--json` prints them.
    static func catalogue() throws -> Data { try JSONOutput.encode(Styles.all.map { Headed(Row($0)) }) }

    func run() throws {
        if kdenlive { return print(KdenliveDescription.text, terminator: "") }
        let rows = Styles.all.map(Row.init)
        if json { return try StandardOutput.write(try Self.catalogue()) }
        for row in rows {
            print("\(row.name): \(row.summary)")
            for option in row.options { print("  --\(option.name) (\(option.default)): \(option.values)") }
            for look in row.looks {
                let settings = look.options.map { " --\($0.name) \($0.value)" }.joined()
                print("  --look \(look.name): \(look.summary)" + (settings.isEmpty ? "" : " (\(settings.dropFirst()))"))
            }
        }
    }
}

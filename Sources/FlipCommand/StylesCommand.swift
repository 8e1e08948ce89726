import ArgumentParser
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

    /// The styles with their options and looks, as `--json` prints them.
    static func catalogue() throws -> Data { try JSONOutput.encode(StyleEntry.all.map { Headed($0.json) }) }

    func run() throws {
        if kdenlive { return print(KdenliveDescription.text, terminator: "") }
        if json { return try StandardOutput.write(try Self.catalogue()) }
        for row in StyleEntry.all {
            print("\(row.name): \(row.summary)")
            for option in row.options { print("  --\(option.name) (\(option.defaultValue)): \(option.values)") }
            for look in row.looks {
                let settings = look.options.map { " --\($0.name) \($0.value)" }.joined()
                print("  --look \(look.name): \(look.summary)" + (settings.isEmpty ? "" : " (\(settings.dropFirst()))"))
            }
        }
    }
}

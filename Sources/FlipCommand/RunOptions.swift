import ArgumentParser
import FlipFiles
import FlipMedia
import FlipRender
import Foundation

/// How a run reports its progress and its result.
struct RunOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Report progress on standard error, as plain or JSON lines.", valueName: "plain|json"),
        completion: .list(["plain", "json"]))
    var progress: String?
    @Option(
        help: ArgumentHelp("Write a report of what was done; -y replaces an older one.", valueName: "file.json"),
        completion: .file(extensions: ["json"]))
    var report: String?
    @Flag(help: "Show the plan and what the decoders report.")
    var verbose = false

    /// The report's file, checked before anything is rendered; nil if no report was asked for.
    func reportFile(of composition: Composition) throws -> SideOutput? {
        try report.map { path in
            try SideOutput(
                path, name: "report", overwrites: composition.output.overwrites, inputs: composition.files,
                outputs: [composition.output.path])
        }
    }
}

/// JSON for programs: sorted keys, on standard output or in a file.
enum JSONOutput {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
    }

    static func print(_ value: some Encodable) throws {
        try StandardOutput.write(try encode(value))
    }
}

import ArgumentParser
import FlipMedia
import Foundation

/// How a run tells of itself.
struct RunOptions: ParsableArguments {
    @Option(help: ArgumentHelp("plain or json lines on standard error.", valueName: "plain|json"))
    var progress: String?
    @Option(help: ArgumentHelp("Write what was done.", valueName: "file.json"))
    var report: String?
    @Flag(help: "Show the plan and what the decoders say.")
    var verbose = false
}

/// JSON for programs: sorted keys, on standard output or in a file.
enum JSONOutput {
    static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value) + Data("\n".utf8)
    }

    static func print(_ value: some Encodable) throws {
        FileHandle.standardOutput.write(try encode(value))
    }

    static func write(_ value: some Encodable, to path: String) throws {
        do {
            try encode(value).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw MediaError(.cannotCreate, "\(path): the report can't be written (check the folder)")
        }
    }
}

/// Calls a handler when the program is interrupted or asked to end, for as long as it lives.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    init(_ handler: @escaping @Sendable () -> Void) {
        // A reader that goes away is a write error like any other.
        signal(SIGPIPE, SIG_IGN)
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: handler)
            source.resume()
            return source
        }
    }
}

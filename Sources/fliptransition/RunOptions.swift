import ArgumentParser
import FlipMedia
import Foundation
import Synchronization

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
        let text = try encode(value)
        do {
            try FileHandle.standardOutput.write(contentsOf: text)
        } catch {
            throw MediaError(.io, "cannot write to standard output")
        }
    }

    static func write(_ value: some Encodable, to path: String) throws {
        do {
            try encode(value).write(to: URL(fileURLWithPath: path), options: .atomic)
        } catch {
            throw MediaError(.cannotCreate, "\(path): the report can't be written (check the folder)")
        }
    }
}

/// Calls a handler when the program is interrupted or asked to end, for as long as it lives. The second time it ends the
/// program at once: the handler's way may be blocked, as by a pipe that gives nothing.
final class Interruption {
    private let sources: [any DispatchSourceSignal]

    init(_ handler: @escaping @Sendable () -> Void) {
        // A reader that goes away is a write error like any other.
        signal(SIGPIPE, SIG_IGN)
        let wasCalled = Once()
        sources = [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            // What the caller had ignored stays ignored, as nohup and shells' background jobs want it.
            if unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                return nil
            }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if wasCalled.exchange() { _exit(130) }
                handler()
            }
            source.resume()
            return source
        }
    }
}

/// Something that happens once.
private final class Once: Sendable {
    private let value = Atomic(false)

    /// Whether it has happened already; from now on it has.
    func exchange() -> Bool { value.exchange(true, ordering: .relaxed) }
}

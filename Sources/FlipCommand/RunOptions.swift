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

/// Calls a handler when the program is interrupted or asked to end, for as long as it lives; of several, the youngest one's.
/// The second time it ends the program at once: the handler's way may be blocked, as by a pipe that gives nothing.
final class Interruption: Sendable {
    private let handler: @Sendable () -> Void
    private let wasCalled = Once()

    /// Those that live, the youngest last.
    private static let living = Mutex<[Weak]>([])

    private struct Weak: Sendable { weak var interruption: Interruption? }

    /// Made once: another source for the same signal would hear nothing. Only kept, never touched again.
    nonisolated(unsafe) private static let sources: [any DispatchSourceSignal] = {
        // A reader that goes away is a write error like any other.
        signal(SIGPIPE, SIG_IGN)
        return [SIGINT, SIGTERM, SIGHUP].compactMap { number in
            // What the caller had ignored stays ignored, as nohup and shells' background jobs want it.
            if unsafeBitCast(signal(number, SIG_IGN), to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) {
                return nil
            }
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { handle() }
            source.resume()
            return source
        }
    }()

    init(_ handler: @escaping @Sendable () -> Void) {
        self.handler = handler
        _ = Self.sources
        Self.living.withLock { $0.append(Weak(interruption: self)) }
    }

    private static func handle() {
        let youngest = living.withLock { living in
            living.removeAll { $0.interruption == nil }
            return living.last?.interruption
        }
        // Nobody minds any more.
        guard let youngest, !youngest.wasCalled.exchange() else { _exit(130) }
        youngest.handler()
    }
}

/// Something that happens once.
private final class Once: Sendable {
    private let value = Atomic(false)

    /// Whether it has happened already; from now on it has.
    func exchange() -> Bool { value.exchange(true, ordering: .relaxed) }
}

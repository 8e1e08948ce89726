import FlipGeometry
import Foundation
import TestSupport
import Testing

/// The built program as its users run it, judged by ffprobe, ffmpeg and the reference renderer.
///
/// One at a time: a test's time limit counts from when it could have begun, so those that wait for a processor would exceed it.
@Suite(.serialized) enum CommandTests {
    /// Runs the program.
    static func run(
        _ arguments: [String], timeout: Double = 120, interruption: (after: Double, signal: Int32)? = nil,
        watch: ToolWatch? = nil, environment: [String: String] = [:]
    ) throws -> ToolRun {
        try Tool.run(
            Places.program(), arguments, timeout: timeout, interruption: interruption, watch: watch,
            environment: environment)
    }

    /// Runs the program, which has to succeed.
    @discardableResult
    static func succeed(
        _ arguments: [String], timeout: Double = 120, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ToolRun {
        let run = try run(arguments, timeout: timeout)
        try #require(run.status == 0, "\(run.story)", sourceLocation: sourceLocation)
        return run
    }

    /// Clips that ffmpeg made for tests.
    static func clips() throws -> Clips { try Clips.shared.get() }

    /// A clip of the media folder.
    static func medium(_ name: String) throws -> String { try #require(Places.media) + "/" + name }

    /// What a run said on standard error besides its progress; with `--progress json` that is lines of JSON, too.
    static func sentences(_ run: ToolRun) -> [String] {
        run.messageLines.filter { line in
            !line.hasPrefix("{") || ["error", "warning", "note"].contains { line.contains("\"event\":\"\($0)\"") }
        }
    }

    /// The warnings among what a run wrote to standard error.
    static func warnings(_ run: ToolRun) -> [String] {
        run.messageLines.filter { $0.hasPrefix("fliptransition: warning: ") }
    }

    /// Progress in frame `index` of an overlap of `count` (EFFECTS 1).
    static func progress(_ look: Look, _ index: Int, of count: Int) -> Double {
        look.easing(Double(index + 1) / Double(count + 1))
    }
}

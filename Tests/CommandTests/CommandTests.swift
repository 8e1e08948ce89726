import FlipGeometry
import TestSupport
import Testing

/// The built program, run as its users run it and judged by ffprobe, ffmpeg and the reference renderer.
///
/// The tests run one at a time: a test's time limit counts from when it could have started, so tests that wait for a
/// processor would exceed it. The limit is each test's; most take seconds, and programs that they run have limits of their own.
@Suite(.serialized, .timeLimit(.minutes(15))) enum CommandTests {
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

    static func run(
        _ words: Words..., timeout: Double = 120, interruption: (after: Double, signal: Int32)? = nil,
        watch: ToolWatch? = nil, environment: [String: String] = [:]
    ) throws -> ToolRun {
        try run(words.list, timeout: timeout, interruption: interruption, watch: watch, environment: environment)
    }

    @discardableResult
    static func succeed(
        _ words: Words..., timeout: Double = 120, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ToolRun {
        try succeed(words.list, timeout: timeout, sourceLocation: sourceLocation)
    }

    /// Runs the program, which has to exit with `status` and to write all `phrases` to standard error, in so many `lines` if that
    /// is given.
    @discardableResult
    static func expectExit(
        _ arguments: [String], _ status: Int32, saying phrases: String..., lines: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ToolRun {
        try expectExit(arguments, status, phrases, lines, sourceLocation)
    }

    @discardableResult
    static func expectExit(
        _ words: Words, _ status: Int32, saying phrases: String..., lines: Int? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> ToolRun {
        try expectExit(words.list, status, phrases, lines, sourceLocation)
    }

    private static func expectExit(
        _ arguments: [String], _ status: Int32, _ phrases: [String], _ lines: Int?, _ place: SourceLocation
    ) throws -> ToolRun {
        let run = try run(arguments)
        #expect(run.status == status, "\(run.story)", sourceLocation: place)
        if let lines { #expect(run.messageLines.count == lines, "\(run.story)", sourceLocation: place) }
        for phrase in phrases { #expect(run.messages.contains(phrase), "\(run.story)", sourceLocation: place) }
        return run
    }

    /// The plan of a run with `arguments`.
    static func planJSON(_ arguments: [String]) throws -> [String: Any] {
        let object = try JSONSerialization.jsonObject(with: succeed(["plan", "--json"] + arguments).output)
        return try #require(object as? [String: Any])
    }

    /// The objects that the plan has under `key`.
    static func planRows(_ key: String, _ arguments: [String]) throws -> [[String: Any]] {
        try #require(planJSON(arguments)[key] as? [[String: Any]])
    }

    /// The clips that ffmpeg makes for the tests.
    static func clips() throws -> Clips { try Clips.shared.get() }

    /// The path of a clip in the media folder.
    static func medium(_ name: String) throws -> String { try #require(Places.media) + "/" + name }

    /// Expects that `sound` has clicks at these times in seconds, and no others.
    static func expectClicks(
        _ sound: Sound, _ expected: [Double], within limit: Double = 0.002,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let found = sound.clicks()
        try #require(found.count == expected.count, "clicks at \(found)", sourceLocation: sourceLocation)
        for (found, expected) in zip(found, expected) {
            #expect(abs(found - expected) < limit, "\(found) s, not \(expected)", sourceLocation: sourceLocation)
        }
    }

    /// What a run wrote to standard error besides its progress. With `--progress json`, these lines are JSON as well.
    static func sentences(_ run: ToolRun) -> [String] {
        run.messageLines.filter { line in
            !line.hasPrefix("{") || ["error", "warning", "note"].contains { line.contains("\"event\":\"\($0)\"") }
        }
    }

    /// The warnings that a run wrote to standard error.
    static func warnings(_ run: ToolRun) -> [String] {
        run.messageLines.filter { $0.hasPrefix("fliptransition: warning: ") }
    }

    /// The transition's progress in frame `index` of an overlap of `count` frames (EFFECTS 1).
    static func progress(_ look: Look, _ index: Int, of count: Int) -> Double {
        look.easing(Double(index + 1) / Double(count + 1))
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs the clips of the media folder.
    static var needsMedia: Self { .enabled(if: Places.media != nil, Comment(rawValue: Places.mediaIsMissing)) }

    /// The test is about what the system's libraries have, so it is skipped for a portable program.
    static var usesSystemLibraries: Self {
        .enabled(if: Places.usesSystemLibraries, "the program has libraries of its own (scripts/portable)")
    }

    /// Needs Python's bindings of GStreamer and the plugin.
    static var needsGStreamer: Self {
        .enabled(if: Python.withGStreamer != nil, Comment(rawValue: Python.gstreamerIsMissing))
    }

    /// Slow, so that it runs in turn `first` and every `step`-th after it.
    static func turn(_ first: Int, of step: Int) -> Self {
        .enabled(if: Places.isTurn(first, of: step), Comment(rawValue: Places.anotherTurn))
    }
}

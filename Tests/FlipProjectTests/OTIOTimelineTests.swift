import FlipBase
import FlipProject
import FlipRender
import TestSupport
import Testing

/// How timelines are interpreted, before any media is opened.
@Suite struct OTIOTimelineTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["a.mkv", "b.mkv"] { try Data().write(to: folder / name) }
    }

    private func time(_ value: Int) -> String { #"{"OTIO_SCHEMA": "RationalTime.1", "rate": 25, "value": \#(value)}"# }

    private func range(_ start: Int, _ frames: Int) -> String {
        #"{"OTIO_SCHEMA": "TimeRange.1", "start_time": \#(time(start)), "duration": \#(time(frames))}"#
    }

    private func clip(_ url: String, reference: String = "ExternalReference.1", effects: String = "") -> String {
        #"{"OTIO_SCHEMA": "Clip.1", "name": "\#(url)", "source_range": \#(range(0, 20)), "effects": [\#(effects)],"#
            + #" "media_reference": {"OTIO_SCHEMA": "\#(reference)", "target_url": "\#(url)"}}"#
    }

    private func transition(_ name: String, type: String) -> String {
        #"{"OTIO_SCHEMA": "Transition.1", "name": "\#(name)", "transition_type": "\#(type)","#
            + #" "in_offset": \#(time(3)), "out_offset": \#(time(4))}"#
    }

    /// Reads a timeline whose items are on one line each, from line 3 on.
    private func timeline(_ items: [String], schema: String = "Track.1", more: String = "") throws -> OTIOTimeline {
        let text =
            #"{"OTIO_SCHEMA": "Timeline.1", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": ["#
            + "\n" + #"{"OTIO_SCHEMA": "\#(schema)", "name": "t", "kind": "Video", "children": ["#
            + "\n" + items.joined(separator: ",\n") + "\n]}\(more)]}}"
        let path = folder / "t.otio"
        try text.write(to: path)
        return try OTIOTimeline(path: path, settings: OutputSettings(path: "out.mkv"))
    }

    private func style(_ name: String, type: String) throws -> String? {
        let timeline = try timeline([clip("a.mkv"), transition(name, type: type), clip("b.mkv")])
        #expect(timeline.composition.transitions.count == 1)
        return timeline.composition.transitions.first?.look?.description
    }

    /// A transition's name takes precedence over its type, because Final Cut Pro's XML and some editors know only one
    /// type.
    @Test func namesWinOverTheDissolveType() throws {
        for (name, look) in [
            ("fold=mode=cubic", "fold=mode=cubic"), ("Page Peel", "curl"),
            ("Cube Spin", "cube"), ("Swing In", "swing"), ("Doorway", "doors"), ("Venetian Blinds", "blinds"),
            ("box", "box"), ("blinds=strips=12", "blinds=strips=12"), ("Push", "push"), ("Edge Wipe", "wipe"),
            ("Slide", "slide"), ("Move In", "slide"),
            ("keynote-cube", "cube=perspective=1.5:shadow-strength=0.7:pull-back=0.8"),
            ("card", "card"), ("Cross Dissolve", "dissolve"), ("", "dissolve"), ("Transition 12", "dissolve"),
        ] {
            #expect(try style(name, type: "SMPTE_Dissolve") == look, "\(name)")
        }
        #expect(try style("Page Turn", type: "Custom_Transition") == "curl=mode=book")
        #expect(try style("", type: "Page Turn") == "curl=mode=book")
        let unknown = try timeline([clip("a.mkv"), transition("Swirl", type: "Custom_Transition"), clip("b.mkv")])
        #expect(unknown.notes.count == 1 && unknown.notes[0].contains("'Swirl'"))
        for (name, look) in [
            ("Whip Pan", "push"), ("Barn Door", "doors"), ("Clock Wipe", "wipe"), ("Reveal", "slide=mode=uncover"),
            ("Revolving Door", "swing"), ("Magic Move", "dissolve"),
        ] {
            let nearest = try timeline([clip("a.mkv"), transition(name, type: "SMPTE_Dissolve"), clip("b.mkv")])
            #expect(nearest.composition.transitions.first?.look?.description == look)
            let isSaid = nearest.notes.count == 1 && nearest.notes[0].contains("'\(name)' has no counterpart")
            #expect(isSaid, "\(nearest.notes)")
        }
        // A dissolve with an unknown name remains a dissolve.
        let dissolve = try timeline([clip("a.mkv"), transition("Swirl", type: "SMPTE_Dissolve"), clip("b.mkv")])
        #expect(dissolve.notes == [])
    }

    /// Invalid numbers do no harm: OpenTimelineIO reads them, and writes some of them itself.
    @Test(arguments: ["NaN", "Infinity", "-Infinity", "Inf", "-Inf", "1e400", "18446744073709551616"])
    func numbersThatAreNoneDoNoHarm(number: String) throws {
        let first = clip("a.mkv").replacingOccurrences(
            of: #""name""#, with: #""metadata": {"x": [\#(number)]}, "name""#)
        #expect(try timeline([first, clip("b.mkv")]).composition.inputs.count == 2)
    }

    @Test func oldNamesOfSchemasAreKnown() throws {
        let filler = #"{"OTIO_SCHEMA": "Filler.1", "source_range": \#(range(0, 10))}"#
        let old = try timeline([clip("a.mkv"), filler, clip("b.mkv")], schema: "Sequence.1")
        #expect(old.composition.inputs.map { $0.kind == .gap } == [false, true, false])
    }

    /// Every message states its place in the file.
    @Test func everyComplaintBeginsWithItsPlace() throws {
        let blur = #"{"OTIO_SCHEMA": "Effect.1", "effect_name": "Blur"}"#
        let back = #"{"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": -1}"#
        let found = try timeline(
            [
                clip("a.mkv", effects: blur + ", " + back), transition("Swirl", type: "Custom_Transition"),
                clip("b.mkv"),
                clip("c", reference: "ImageSequenceReference.1"), clip("d", reference: "GeneratorReference.1"),
                transition("flip", type: "flip").replacingOccurrences(of: "\"value\": 4", with: "\"value\": 90"),
                clip("a.mkv"),
            ], more: ",\n" + #"{"OTIO_SCHEMA": "Track.1", "kind": "Data", "children": []}"#)
        let lines = try found.notes.map { note in
            let match = try #require(note.wholeMatch(of: /(.*t\.otio):(\d+):(\d+): (.*)/), "\(note)")
            #expect(match.1 == Substring(folder / "t.otio") && Int(match.3)! >= 1)
            return try #require(Int(match.2))
        }
        #expect(Set(lines) == [3, 4, 6, 7, 8, 11])
        #expect(found.notes.contains { $0.contains("an ImageSequenceReference is not supported") })
        #expect(found.notes.contains { $0.contains("a GeneratorReference is not supported") })
    }

    /// All missing media are named at once, so that users can relink them in one go.
    @Test func allMissingMediaAreNamedAtOnce() throws {
        let error = #expect(throws: MediaError.self) {
            _ = try timeline([
                clip("gone.mkv"), clip("a.mkv"), clip("b.mkv", reference: "MissingReference.1"), clip("lost.mkv"),
                clip("gone.mkv"),
            ])
        }
        let message = try #require(error?.message)
        #expect(error?.kind == .missingInput)
        for place in ["t.otio:3:", "t.otio:5:", "t.otio:6:", "t.otio:7:", "gone.mkv'", "'b.mkv'", "lost.mkv'"] {
            #expect(message.contains(place), "\(place): \(message)")
        }
        #expect(!message.contains("\n"))
    }

    @Test func schemasHaveTheirArticles() throws {
        let path = folder / "x.otio"
        for (schema, words) in [("Effect.1", "an Effect can't"), ("Marker.2", "a Marker can't")] {
            try #"{"OTIO_SCHEMA": "\#(schema)"}"#.write(to: path)
            let error = #expect(throws: MediaError.self) {
                _ = try OTIOTimeline(path: path, settings: OutputSettings(path: "out.mkv"))
            }
            #expect(error?.message.contains(words) == true, "\(String(describing: error))")
        }
    }
}

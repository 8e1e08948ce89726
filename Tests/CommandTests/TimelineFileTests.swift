import TestSupport
import Testing

extension CommandTests {
    /// Hand-written timelines: what is refused, and what is warned of.
    @Suite(.serialized) struct TimelineFileTests {
        private func stage() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try folder.add(clips().pattern("otio-a", frames: 30), as: "a.mkv")
            return folder
        }

        private func time(_ value: String, _ rate: String = "25.0") -> String {
            #"{"OTIO_SCHEMA": "RationalTime.1", "rate": \#(rate), "value": \#(value)}"#
        }

        private func range(_ start: String, _ frames: String) -> String {
            #"{"OTIO_SCHEMA": "TimeRange.1", "start_time": \#(time(start)), "duration": \#(time(frames))}"#
        }

        private func clip(_ url: String, _ start: String, _ frames: String, effects: String = "[]") -> String {
            #"{"OTIO_SCHEMA": "Clip.1", "name": "Shot", "source_range": \#(range(start, frames)), "effects": \#(effects),"#
                + #" "media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\#(url)"}}"#
        }

        private func transition(_ before: String, _ after: String) -> String {
            #"{"OTIO_SCHEMA": "Transition.1", "transition_type": "SMPTE_Dissolve", "in_offset": \#(time(before)),"#
                + #" "out_offset": \#(time(after))}"#
        }

        /// A timeline with one item per line, from line 3 on.
        private func timeline(_ items: [String]) -> String {
            #"{"OTIO_SCHEMA": "Timeline.1", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": ["#
                + "\n" + #"{"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": ["#
                + "\n" + items.joined(separator: ",\n") + "\n]}]}}"
        }

        private func render(_ text: String, _ folder: TemporaryFolder, _ options: [String] = []) throws -> ToolRun {
            try text.write(to: folder / "t.otio")
            return try run("render \(folder / "t.otio") \(folder / "out.mkv") --video-codec ffv1 -y \(options)")
        }

        @Test func whatCannotBeRenderedIsSaidWithItsPlace() throws {
            let folder = try stage()
            let good = clip("a.mkv", "0", "10")
            let cases: [(items: [String], status: Int32, line: Int, word: String)] = [
                ([good, clip("http://example.org/a.mkv", "0", "10")], 65, 4, "http:"),
                ([good, clip("file://host/a.mkv", "0", "10")], 65, 4, "host"),
                ([clip("missing.mkv", "0", "10")], 66, 3, "missing.mkv"),
                ([good.replacingOccurrences(of: "ExternalReference", with: "MissingReference")], 65, 3, "no media"),
                ([clip("a.mkv", "0", "-3")], 65, 3, "negative"),
                ([clip("a.mkv", "0", "NaN")], 65, 3, "number"), ([clip("a.mkv", "Infinity", "3")], 65, 3, "number"),
                ([clip("a.mkv", "0", "1e9")], 65, 3, "more than a day"),
                ([good.replacingOccurrences(of: "25.0", with: "0")], 65, 3, "rate"),
                ([good, transition("2", "2"), transition("2", "2"), good], 65, 5, "follows another"),
                ([good, #"{"OTIO_SCHEMA": "Marker.2"}"#], 65, 4, "Marker"), ([good, "{"], 65, 5, "is expected"),
                (
                    [clip("a.mkv", "0", "5", effects: #"[{"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": NaN}]"#)],
                    65, 3,
                    "time_scalar"
                ),
                ([String(repeating: "[", count: 100_000)], 65, 3, "256 deep"),
            ]
            for (items, status, line, word) in cases {
                let run = try render(timeline(items), folder)
                #expect(run.status == status && run.messageLines.count == 1, "\(run.story)")
                #expect(run.messages.contains("t.otio:\(line):") && run.messages.contains(word), "\(run.story)")
                #expect(!FileManager.default.fileExists(atPath: folder / "out.mkv"))
            }
        }

        @Test func onlyFilesWithinTheRootAreRead() throws {
            let folder = try stage()
            try folder.makeFolder("in")
            try folder.link("in/link.mkv", to: folder / "a.mkv")
            for url in ["a.mkv", "in/../a.mkv", "in/link.mkv", folder / "a.mkv", "in/../../nothing.mkv"] {
                let run = try render(timeline([clip(url, "0", "10")]), folder, ["--root", folder / "in"])
                #expect(run.status == 65 && run.messages.contains("t.otio:3:"), "\(run.story)")
                #expect(run.messages.contains("outside"), "\(run.story)")
            }
            #expect(try render(timeline([clip("a.mkv", "0", "10")]), folder, ["--root", folder.path]).status == 0)
        }

        @Test func anInputIsNeverReplaced() throws {
            let folder = try stage()
            let before = try Data(contentsOf: folder / "a.mkv").count
            try Data(timeline([clip("a.mkv", "0", "10")]).utf8).write(to: folder / "t.otio")
            try expectExit(["render", folder / "t.otio", folder / "a.mkv", "-y"], 64, saying: "t.otio:3:")
            #expect(try Data(contentsOf: folder / "a.mkv").count == before)
            let plan = try CommandTests.run("export \(folder / "t.otio") \(folder / "a.mkv") --as otio -y")
            #expect(plan.status == 64 && plan.messages.contains("is also an input"), "\(plan.story)")
        }

        /// Each part of a timeline that is not supported is named in a warning, and is an error with --strict.
        @Test func whatIsNotSupportedIsNamedFirst() throws {
            let folder = try stage()
            let effects = [
                #"{"OTIO_SCHEMA": "Effect.1", "effect_name": "Blur"}"#,
                #"{"OTIO_SCHEMA": "LinearTimeWarp.1", "time_scalar": -1}"#,
            ]
            let text = timeline([
                clip("a.mkv", "0", "10", effects: "[" + effects.joined(separator: ",") + "]"),
                transition("3", "3").replacingOccurrences(of: "SMPTE_Dissolve", with: "Iris"),
                clip("a.mkv", "10", "10"),
                clip("a.mkv", "10", "5").replacingOccurrences(of: "ExternalReference", with: "ImageSequenceReference"),
            ])
            let run = try render(text, folder)
            #expect(run.status == 0, "\(run.story)")
            for word in ["'Blur'", "backward", "'Iris'", "ImageSequenceReference"] {
                #expect(warnings(run).filter { $0.contains(word) }.count == 1, "\(word): \(run.story)")
            }
            #expect(try Judge.video(folder / "out.mkv").frameCount == 25)
            let strict = try render(text, folder, ["--strict"])
            #expect(strict.status == 65 && strict.messages.contains("Blur"), "\(strict.story)")
        }

        /// A transition that is longer than its clips is shortened, and the track keeps its length.
        @Test func offsetsThatDoNotFitAreShortened() throws {
            let folder = try stage()
            let run = try render(
                timeline([clip("a.mkv", "5", "4"), transition("9", "2"), clip("a.mkv", "10", "10")]), folder)
            #expect(run.status == 0, "\(run.story)")
            #expect(warnings(run).contains { $0.contains("t.otio:4:1: a transition is 6 frames long instead of 11") })
            #expect(try Judge.video(folder / "out.mkv").frameCount == 14)
        }
    }
}

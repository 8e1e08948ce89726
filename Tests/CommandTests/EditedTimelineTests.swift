import TestSupport
import Testing

extension CommandTests {
    /// The recipe of docs/cookbook/edited-timeline.md, run on real clips.
    @Suite(.serialized) struct EditedTimelineTests {
        private func time(_ value: Int) -> String {
            #"{"OTIO_SCHEMA": "RationalTime.1", "rate": 30.0, "value": \#(value)}"#
        }

        private func clip(_ name: String, _ start: Int, _ frames: Int) -> String {
            #"{"OTIO_SCHEMA": "Clip.2", "name": "\#(name)", "active_media_reference_key": "DEFAULT_MEDIA","#
                + #" "source_range": {"OTIO_SCHEMA": "TimeRange.1", "start_time": \#(time(start)), "duration": \#(time(frames))},"#
                + #" "media_references": {"DEFAULT_MEDIA": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\#(name)"}}}"#
        }

        @Test func theRecipeMakesTheVideo() throws {
            let folder = try TemporaryFolder()
            for name in ["bunny", "flower"] {
                try folder.add(Places.package + "/Media/\(name).mp4", as: "\(name).mp4")
            }
            let transition =
                #"{"OTIO_SCHEMA": "Transition.1", "name": "Page Turn", "transition_type": "Custom_Transition","#
                + #" "in_offset": \#(time(8)), "out_offset": \#(time(10))}"#
            let items = [clip("bunny.mp4", 0, 30), transition, clip("flower.mp4", 15, 30)]
            let text =
                #"{"OTIO_SCHEMA": "Timeline.1", "global_start_time": \#(time(0)), "tracks": {"OTIO_SCHEMA": "Stack.1","#
                + #" "children": [{"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": ["#
                + items.joined(separator: ", ") + "]}]}}"
            try text.write(to: folder / "edit.otio")
            let page = try String(contentsOf: Places.package + "/docs/cookbook/edited-timeline.md")
            let parts = page.components(separatedBy: "```")
            try #require(parts.count == 3 && parts[1].hasPrefix("sh\n"))
            let commands = parts[1].dropFirst(3).replacingOccurrences(
                of: "1280x720", with: "320x180 --preset ultrafast")
            let script = "fliptransition() { '\(try Places.program())' \"$@\"; }\ncd '\(folder.path)'\n\(commands)"
            let run = try Tool.succeed("sh", ["-e", "-c", script], timeout: 300)
            #expect(run.text.contains("curl=mode=book from input 1 to input 2"))
            let video = try Judge.video(folder / "cut.mp4")
            #expect(video.frameCount == 60 && video.isEven(atRate: 30) && video.width == 320)
            // The timeline still lasts 2 s at 25 fps.
            let plan = try JSONValue(succeed(["plan", folder / "edit-25.otio", folder / "x.mp4", "--json"]).output)
            #expect(plan.numbers(under: "frames").contains(50) && plan.numbers(under: "seconds").contains(2))
        }
    }
}

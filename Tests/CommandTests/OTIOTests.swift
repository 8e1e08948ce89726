import TestSupport
import Testing

extension CommandTests {
    /// Timelines written by OpenTimelineIO's Python package render to what the package says of them.
    @Suite(.serialized, .enabled(if: Python.runsTimelines, Comment(rawValue: Python.isMissing))) struct OTIOTests {
        /// What is expected of a case of Tests/Tools/otio_cases.py.
        struct Expected: Decodable {
            struct Sounds: Decodable {
                /// The parts of constant gain: start and end, the file's time at the start, and what is added to the
                /// file's time to get its level; all in seconds.
                let steady: [[Double]]
                let fades: [[Double]]
            }

            /// A clip's frame, and its weight 0...1 in the output frame.
            struct Part: Decodable {
                let clip: String
                let frame: Int
                let weight: Double

                init(from decoder: any Decoder) throws {
                    var values = try decoder.unkeyedContainer()
                    clip = try values.decode(String.self)
                    frame = try values.decode(Int.self)
                    weight = try values.decode(Double.self)
                }
            }

            let rate: Double
            let pictures: [[Part]]
            let sounds: Sounds
            let looks: [String]
            let held: Int
        }

        /// The timelines and their clips, written once.
        private static let stage = Result { try TimelineStage() }

        @Test func thePackageWritesAllCases() throws {
            #expect(try Self.stage.get().names.count >= 23)
        }

        @Test(arguments: Places.some(TimelineStage.caseNames, every: 6))
        func showsWhatThePackageSays(name: String) throws {
            let stage = try Self.stage.get()
            let expected = try stage.expected(name)
            let output = stage.folder / "\(name).mkv"
            let run = try succeed(
                "render \(stage.folder / "\(name).otio") \(output) --video-codec ffv1 --audio-codec pcm_s16le")
            let video = try Judge.video(output)
            #expect(video.frameCount == expected.pictures.count && video.isEven(atRate: expected.rate))
            let pictures = try Judge.pictures(output, pixelFormat: "yuv420p", width: 128, height: 32)
            for (index, (picture, parts)) in zip(pictures, expected.pictures).enumerated() {
                // Only a dissolve is a weighted sum of frames.
                if !expected.looks.isEmpty, parts.count > 1 { continue }
                let worst = TimelineStage.difference(picture, parts.map { ($0.clip, $0.frame, $0.weight) })
                #expect(worst <= 1.01, "\(name) frame \(index) is not \(parts)")
            }
            let held = warnings(run).filter { $0.contains("is held for") }
            let count = held.compactMap { $0.split(separator: " ").compactMap { Int($0) }.first }.reduce(0, +)
            if expected.held > 0 { #expect(count == expected.held, "\(held)") }
            let plan = try JSONValue(succeed(["plan", stage.folder / "\(name).otio", output, "--json"]).output)
            for look in expected.looks { #expect(plan.strings.contains(look), "\(look)") }
            if !expected.sounds.steady.isEmpty { try checkSounds(output, expected) }
        }

        /// Checks the level of the audio: in the files it is the time plus 0 s or 4 s, divided by 20 s.
        private func checkSounds(_ path: String, _ expected: Expected) throws {
            let samples = try Judge.samples(path)
            #expect(samples.count == expected.pictures.count * 48000 / Int(expected.rate))
            var compared = 0
            for index in stride(from: 0, to: samples.count, by: 97) {
                let time = Double(index) / 48000
                let near = { (edge: Double) in abs(edge - time) < 0.002 }
                if expected.sounds.fades.contains(where: { $0[0] - 0.002 < time && time < $0[1] + 0.002 }) { continue }
                if expected.sounds.steady.contains(where: { near($0[0]) || near($0[1]) }) { continue }
                let level = expected.sounds.steady.filter { $0[0] <= time && time < $0[1] }
                    .map { ($0[2] + time - $0[0] + $0[3]) / 20 }.reduce(0, +)
                #expect(abs(Double(samples[index]) - level) < 0.001, "at \(time) s")
                compared += 1
            }
            #expect(compared > 1000)
        }

        // MARK: Export

        private func hashes(_ arguments: [String], _ output: String) throws -> [String] {
            try succeed(arguments + [output, "--video-codec", "ffv1", "--audio-codec", "pcm_s16le", "-y"])
            return try Judge.frameHashes(output)
        }

        private func facts(_ otio: String) throws -> [String: Any] {
            try JSONSerialization.jsonObject(with: Python.timelines(["check", otio])) as? [String: Any] ?? [:]
        }

        /// What a timeline can't hold is named when a plan is written as one.
        @Test func whatATimelineLeavesOutIsNamed() throws {
            let stage = try Self.stage.get()
            let inputs = try ["a", "b"].map { try clips().pattern("out-\($0)", frames: 40, sound: $0 == "a") }
            let otio = stage.folder / "loss.otio"
            let run = try succeed(["export", inputs[0] + "#volume=0.5", inputs[1], "--fade-in", "5f", otio, "-y"])
            #expect(run.messageLines.count == 1 && run.messages.contains("can't hold: volumes, fades at the ends"))
            let plain = try succeed(["export"] + inputs + [otio, "-y"])
            #expect(plain.messageLines.isEmpty, "\(plain.story)")
        }

        /// A plan written as a timeline is read by the package without loss, and renders to the same frames and audio.
        @Test(arguments: ["play", "freeze"]) func aPlanGoesOutAndComesBack(overlap: String) throws {
            let stage = try Self.stage.get()
            let otio = stage.folder / "plan-\(overlap).otio"
            let inputs = try ["a", "b", "c"].map { try clips().pattern("out-\($0)", frames: 40, sound: $0 != "b") }
            let join =
                [inputs[0] + "#t=0.2,1.4", inputs[1], inputs[2] + "#t=0.4", "--overlap", overlap, "--transition"]
                + ["fold=mode=cubic:duration=7f", "--transition", "dissolve=duration=6f"]
            try succeed(["export"] + join + [otio])
            let facts = try facts(otio)
            let direct = try hashes(join, stage.folder / "direct.mkv")
            #expect(facts["isSame"] as? Bool == true && facts["rate"] as? Double == 25)
            #expect(facts["frames"] as? Double == Double(direct.count))
            let tracks = try #require(facts["tracks"] as? [[String: Any]])
            let items = try #require(tracks[0]["items"] as? [[String: Any]])
            // Of an odd number of frames, the larger part comes after the cut.
            let transition = try #require(items.first { $0["kind"] as? String == "Custom_Transition" })
            #expect(transition["in"] as? Double == 3 && transition["out"] as? Double == 4)
            #expect(transition["name"] as? String == "fold=mode=cubic")
            #expect(items.contains { $0["kind"] as? String == "SMPTE_Dissolve" })
            #expect(try hashes(["render", otio], stage.folder / "back.mkv") == direct)
            let (before, after) = try (
                Judge.samples(stage.folder / "direct.mkv"), Judge.samples(stage.folder / "back.mkv")
            )
            #expect(before.count == after.count)
            // Matroska rounds the end of the last packet to 1 ms.
            #expect(zip(before, after).filter { abs($0 - $1) > 1e-4 }.count <= 48)
        }

        /// The plan as text lists the audio tracks, too.
        @Test func thePlanListsSounds() throws {
            let stage = try Self.stage.get()
            let text = try succeed(["plan", stage.folder / "two-audio-tracks.otio", stage.folder / "planned.mkv"]).text
            let lines = text.split(separator: "\n").filter { $0.hasPrefix("sound ") }
            // The first 12 frames of the second track, at 24 frames per second.
            #expect(
                lines.count == 4 && lines.contains { $0.hasSuffix("ramp2.wav: from 0.000 s to 0.500 s") }, "\(text)")
        }

        /// A timeline that is written out again renders to the same frames.
        @Test(
            arguments: Places.some(
                ["uneven-offsets", "time-warps", "freeze", "gaps", "ntsc-film", "two-audio-tracks"], every: 3))
        func aTimelineGoesOutAgain(name: String) throws {
            let stage = try Self.stage.get()
            let (source, again) = (stage.folder / "\(name).otio", stage.folder / "\(name)-again.otio")
            try succeed(["export", source, again])
            let facts = try facts(again)
            #expect(try facts["frames"] as? Double == Double(stage.expected(name).pictures.count))
            #expect(facts["isSame"] as? Bool == true)
            let first = try hashes(["render", source], stage.folder / "first.mkv")
            #expect(try hashes(["render", again], stage.folder / "second.mkv") == first)
        }
    }
}

/// Clips whose pixels encode the clip's and the frame's number, and the timelines made of them.
final class TimelineStage: Sendable {
    let folder: TemporaryFolder
    let names: [String]

    static let caseNames = [
        "cuts", "one-clip", "uneven-offsets", "transitions-fill-a-clip", "short-handles", "short-available-range",
        "gaps", "fades-with-black", "time-warps", "warped-transitions", "freeze", "nested-stack", "nested-track",
        "two-video-tracks", "over-a-dissolve", "ntsc-film", "media-timecode", "relative-paths", "disabled-clip",
        "not-numbers", "other-rate", "named-looks", "two-audio-tracks",
    ]
    private static let numbers = ["a": 1, "b": 2, "c": 3, "a25": 4]

    init() throws {
        let folder = try TemporaryFolder()
        self.folder = folder
        var media: [String: [String: Any]] = [:]
        let clips: [(String, String, Int, Int, String, Double)] = [
            ("a", "a.mkv", 1, 60, "24", 24), ("b", "b clip.mkv", 2, 60, "24", 24), ("c", "c.mkv", 3, 60, "24", 24),
            ("a25", "a25.mkv", 4, 75, "25", 25), ("n", "n.mkv", 1, 60, "24000/1001", 24000 / 1001),
            ("m", "m.mkv", 2, 60, "24000/1001", 24000 / 1001),
        ]
        for (name, file, number, frames, rate, value) in clips {
            // The upper half shows the 16 bits of the frame's number, the lower half those of the clip's number.
            let bit = { (text: String) in "mod(floor(\(text)/pow(2\\,floor(X/8)))\\,2)" }
            let luma = "16+219*if(lt(Y\\,16)\\,\(bit("N"))\\,\(bit("\(number)")))"
            try Tool.ffmpeg(
                "-f lavfi -i color=black:s=128x32:r=\(rate) -frames:v \(frames)",
                "-vf format=yuv420p,geq=lum='\(luma)':cb=128:cr=128 -c:v ffv1 -color_range tv \(folder / file)")
            media[name] = ["path": folder / file, "frames": frames, "rate": value]
        }
        for (name, start) in [("ramp", 0), ("ramp2", 4)] {
            try Tool.ffmpeg(
                "-f lavfi -i aevalsrc='(t+\(start))/20':s=48000:d=6 -c:a pcm_s16le \(folder / "\(name).wav")")
            media[name] = ["path": folder / "\(name).wav", "frames": 144, "rate": 24, "first": start]
        }
        try JSONSerialization.data(withJSONObject: media).write(to: folder / "media.json")
        _ = try Python.timelines(["write", folder.path, folder / "media.json"])
        names = try folder.names.filter { $0.hasSuffix(".otio") }.map { String($0.dropLast(5)) }
    }

    func expected(_ name: String) throws -> CommandTests.OTIOTests.Expected {
        let data = try Data(contentsOf: folder / "\(name).json")
        return try JSONDecoder().decode(CommandTests.OTIOTests.Expected.self, from: data)
    }

    /// The largest difference between the luma at the center of any bit in `picture` and the weighted sum of `parts`,
    /// with black for the rest.
    static func difference(_ picture: TestPicture, _ parts: [(clip: String, frame: Int, weight: Double)]) -> Double {
        var worst = 0.0
        for bit in 0..<16 {
            for (y, number) in [(8, { $0.frame }), (24, { numbers[$0.clip] ?? 0 })]
                as [(Int, ((clip: String, frame: Int, weight: Double)) -> Int)]
            {
                let level = parts.reduce(16.0) { $0 + 219 * $1.weight * Double(number($1) >> bit & 1) }
                worst = max(worst, abs(Double(picture[plane: 0, x: bit * 8 + 4, y: y]) - level))
            }
        }
        return worst
    }
}

import TestSupport
import Testing

extension CommandTests {
    /// How overlays are heard, planned, described and refused.
    @Suite(.serialized) struct OverlayUseTests {
        let folder = TemporaryFolder.make()

        private func clip(_ name: String = "overlay-use", sound: Bool = false) throws -> String {
            try clips().pattern(name, frames: 50, sound: sound)
        }

        private func logo() throws -> String {
            try clips().make("overlay-green.png", "-f lavfi -i color=green:s=40x20 -frames:v 1")
        }

        /// A film of 1 s with a tone of 1000 Hz.
        private func camera() throws -> String {
            try clips().make(
                "overlay-camera.mkv", "-f lavfi -i testsrc2=s=64x48:r=25:d=1 -f lavfi -i",
                "aevalsrc='0.5*sin(2*PI*1000*t)':s=48000:d=1 -pix_fmt yuv420p -c:v ffv1 -c:a flac")
        }

        /// A film is silent unless asked for. It is heard from its time on, until it ends or `to`, and lowers the music.
        @Test(.turn(1, of: 2)) func aFilmIsHeardOnDemand() throws {
            let slide = try clips().make("overlay-slide.png", "-f lavfi -i color=navy:s=320x180 -frames:v 1")
            let music = try clips().make("overlay-music.wav", ["-f", "lavfi", "-i", "sine=f=200:r=48000:d=8"])
            let camera = try camera()
            for (name, keys, end) in [("silent", "", 0.0), ("heard", ":audio=on", 4), ("cut", ":audio=on:to=3.5", 3.5)]
            {
                let out = folder / "\(name).mkv"
                try succeed(
                    "deck \(slide) \(slide) \(out) --hold 4 --transition cut --music \(music) --music-gain 0",
                    "--audio-codec pcm_s16le --preset ultrafast --overlay \(camera)@bottom-right:from=3\(keys)")
                let sound = try Sound(out)
                let tone = { (start: Double) in sound.amplitude(of: 1000, from: start, length: 0.1) }
                let bed = { (start: Double) in sound.amplitude(of: 200, from: start, length: 0.1) }
                #expect(tone(2.85) < 0.01 && tone(4.05) < 0.01, "\(name)")
                #expect((tone(3.2) > 0.45) == (end > 3.3), "\(name): \(tone(3.2))")
                #expect((tone(3.7) > 0.45) == (end > 3.8), "\(name): \(tone(3.7))")
                if name == "heard" {
                    #expect(bed(3.8) < 0.5 * bed(2.5), "\(bed(3.8)) under the voice, \(bed(2.5)) before")
                }
                if name == "silent" { #expect(abs(bed(3.8) / bed(2.5) - 1) < 0.05) }
            }
        }

        @Test func plansListOverlays() throws {
            let camera = try camera()
            let arguments = try [
                clip(), clip(), "o.mp4", "--size", "320x180", "--duration", "10f", "--overlay",
                "\(logo())@top-right:margin=10px:layer=page:opacity=0.5", "--overlay",
                "\(camera)@bottom-left:margin=0px:from=1:to=1.4:audio=on", "--overlay-text", "A\\nB {slide}@top",
            ]
            let overlays = try planRows("overlays", arguments)
            try #require(overlays.count == 3)
            func row(_ index: Int, _ keys: [String]) -> [Int] { keys.map { overlays[index][$0] as? Int ?? -1 } }
            let box = ["x", "y", "width", "height", "start", "frames"]
            #expect(row(0, box) == [270, 10, 40, 20, 0, 90])
            // 80 pixels are a quarter of the frame, and the film has the shape 4:3.
            #expect(row(1, box) == [0, 120, 80, 60, 25, 10])
            #expect(row(2, box) == [-1, -1, -1, -1, 0, 90] && overlays[2]["text"] as? String == "A\nB {slide}")
            #expect(overlays.map { $0["kind"] as? String } == ["picture", "film", "text"])
            #expect(overlays.map { $0["layer"] as? String } == ["page", "above", "above"])
            #expect(overlays.map { $0["isHeard"] as? Bool } == [false, true, false])
            let lines = try succeed(["plan"] + arguments).text.split(separator: "\n").filter {
                $0.hasPrefix("overlay ")
            }
            #expect(lines.count == 3 && lines[2].contains("'A / B {slide}': text, top, frames 0...89"), "\(lines)")
        }

        @Test func whatCannotBeDrawnIsRefused() throws {
            let (clip, logo) = try (clip(), logo())
            let sound = try clips().make("overlay-tone.wav", ["-f", "lavfi", "-i", "sine=d=1"])
            for (arguments, status, words) in [
                (["--overlay", folder / "none.png" + "@top"], 66, "none.png"),
                (["--overlay", "\(sound)@top"], 65, "has no video stream"),
                (
                    ["--overlay", "\(logo)@top:width=400px", "--size", "320x180"], 64,
                    "larger than the frame of 320x180"
                ),
                (["--overlay", "\(logo)@top:audio=on"], 65, "has no audio"),
                (["--overlay", "\(logo)@top", "--render", "smart"], 64, "overlays change the picture"),
                (["--overlay", "\(logo)@top:from=100", "--strict"], 65, "is never seen"),
                (["--overlay", "\(logo)"], 64, "there is no @"),
                (["--overlay", "freeze"], 64, "invalid overlay 'freeze'"),
                (["--overlap", "\(logo)@top"], 64, "invalid overlap"),
                (["--overlay-text", "-5 %"], 64, "invalid overlay-text '-5 %'"),
                (["--overlay-text", "a\u{1b}b@top"], 64, "control characters"),
                (["--overlay", "\(folder / "out.mp4")@top"], 64, "out.mp4"),
                (Array(repeating: ["--overlay-text", "x@top"], count: 65).flatMap { $0 }, 64, "more than 64 overlays"),
            ] as [([String], Int32, String)] {
                if words == "out.mp4" { try folder.add(clip, as: "out.mp4") }
                try expectExit(
                    [clip, clip, folder / "out.mp4", "-y", "--preset", "ultrafast"] + arguments, status, saying: words,
                    lines: 1)
            }
            let graph = try CommandTests.run(
                ["export", "--as", "ffmpeg", clip, clip, folder / "o.mp4", "--overlay", "\(logo)@top"])
            #expect(graph.status == 64 && graph.messages.contains("overlays can't be printed as a graph"))
            let warned = try succeed(["plan", clip, clip, folder / "o.mp4", "--overlay", "\(logo)@top:from=100"])
            #expect(
                (warned.text + warned.messages).contains("is never seen, since the output ends at"), "\(warned.story)")
            let timeline = try succeed("export \(clip) \(clip) --overlay \(logo)@top \(folder / "o.otio")")
            #expect(timeline.messages.contains("leaves out what it can't hold: overlays"), "\(timeline.story)")
            let automatic = try succeed(
                ["plan", clip, clip, folder / "o.mp4", "--overlay", "\(logo)@top", "--render", "auto", "--json"])
            #expect(automatic.text.contains("overlays change the picture"))
        }

        /// Files of overlays of a batch's jobs have to lie in the root.
        @Test func overlaysOfJobsStayInTheRoot() throws {
            let folder = try TemporaryFolder()
            try folder.add(clip(), as: "a.mkv")
            try "jobs: [{output: o.mp4, join: [a.mkv, a.mkv], overlay: ['\(logo())@top']}]\n".write(
                to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml", "--root", folder.path], 65, saying: "is outside")
        }

        /// Errors in a project's overlays name their line, and options replace the overlays of a project.
        @Test func projectsHoldOverlays() throws {
            for (name, path) in [("a.mkv", try clip()), ("logo.png", try logo())] {
                try folder.add(path, as: name)
            }
            func plan(_ overlay: String, _ options: [String] = []) throws -> ToolRun {
                let text = "clips: [a.mkv, a.mkv]\noverlays:\n  - \(overlay)\n"
                try text.write(to: folder / "p.yaml")
                return try CommandTests.run(["plan", folder / "p.yaml", folder / "o.mp4"] + options)
            }
            let good = try plan("{file: logo.png, place: top-left, margin: 10%, from: 0:01, to: 1.6, opacity: 0.5}")
            #expect(good.status == 0 && good.text.contains("logo.png: picture"), "\(good.story)")
            #expect(good.text.contains("frames 25...39"), "\(good.story)")
            let other = try plan("{file: logo.png, place: top-left}", ["--overlay-text", "Hello@top"])
            #expect(other.text.contains("'Hello': text") && !other.text.contains("logo.png"), "\(other.story)")
            for (overlay, status, words) in [
                ("{file: logo.png}", 65, "place"), ("{place: top}", 65, "either 'file' or 'text'"),
                ("{file: logo.png, text: x, place: top}", 65, "either 'file' or 'text'"),
                ("{file: none.png, place: top}", 66, "there is no file"),
                ("{file: logo.png, place: middle}", 65, "invalid place 'middle'"),
                ("{file: logo.png, place: top, size: 4%}", 65, "unknown key 'size'"),
                ("{text: '{slyde}', place: top}", 65, "unknown word '{slyde}'"),
                ("{text: x, place: top, from: 2, to: 1}", 65, "can't end"),
            ] as [(String, Int32, String)] {
                let run = try plan(overlay)
                #expect(run.status == status && run.messages.contains(words), "\(run.story)")
                #expect(run.messages.contains("p.yaml:3:"), "\(run.story)")
            }
        }

        /// A logo in a folder of slides is drawn over them and is no slide itself.
        @Test func aLogoInTheFolderIsNoSlide() throws {
            for name in ["1.png", "2.png"] {
                try folder.add(logo(), as: name)
            }
            try folder.add(logo(), as: "logo.png")
            let run = try succeed(
                ["plan", "deck", folder.path, "o.mp4", "--overlay", folder / "logo.png" + "@top-right:width=50%"])
            #expect(run.text.contains("input 2 ") && !run.text.contains("input 3 "), "\(run.story)")
            #expect(!run.text.contains("left out"), "\(run.story)")
        }
    }
}

import TestSupport
import Testing

extension CommandTests {
    /// What projects with slides mean.
    @Suite(.serialized) struct SlideProjectUseTests {
        /// A slide's time doesn't depend on transitions, in projects as in decks: 2 + 3 + 1.5 s are 6.5 s.
        @Test func holdMeansOneThing() throws {
            let folder = try SlideProjectTests.stage()
            try DeckTests.write(
                """
                output: {size: 160x120, preset: ultrafast, crf: 0}
                transition: push=duration=0.4:easing=linear
                clips:
                  - {file: album/001.png, hold: 2}
                  - {file: album/002.png, hold: "0:03"}
                  - {file: album/003.png, hold: 1500ms}

                """, folder / "p.yaml")
            try succeed(["render", folder / "p.yaml", folder / "out.mkv"])
            let hashes = try Judge.frameHashes(folder / "out.mkv")
            #expect(hashes.count == 163)
            // The second slide starts with its transition at 2 s, the third at 5 s; ten frames move.
            for (first, end) in [(0, 50), (60, 125), (135, 163)] {
                #expect(Set(hashes[first..<end]).count == 1, "frames \(first) to \(end)")
            }
            #expect(Set(hashes[49..<61]).count == 12 && Set(hashes[124..<136]).count == 12)
            // What says nothing is a clip of 3 s, as in joins, and one that is held doesn't change that.
            try DeckTests.write(
                "clips: [album/001.png, {file: album/002.png, hold: 2}, album/003.png]\n", folder / "q.yaml")
            let plan = try JSONValue(succeed(["plan", folder / "q.yaml", folder / "o.mp4", "--json"]).output)
            // 75 frames, of which the transition takes 15; 50; and 75.
            #expect(plan.numbers(under: "seconds").contains(7.4), "\(plan.numbers(under: "seconds"))")
        }

        /// A project is what its deck command is: a document and a film with narration, music that makes way, and a sound.
        @Test func aProjectHoldsSlides() throws {
            let folder = try SlideProjectTests.stage()
            try DeckTests.write(
                """
                output: {size: 160x90, fps: 25, preset: ultrafast, crf: 0, audio-codec: pcm_s16le, video-codec: libx264, chapters: true}
                transition: fold=duration=0.4
                hold: 1
                music: music.mkv
                clips:
                  - notes.pdf
                  - {file: plain.pdf, pages: 2-, transition: cut}
                  - film.mkv

                """, folder / "p.yaml")
            try succeed(["render", folder / "p.yaml", folder / "project.mkv"])
            let cuts = ["cut", "cut", "cut"].flatMap { ["--transition", $0] }
            let folds = ["fold=duration=0.4", "fold=duration=0.4", "fold=duration=0.4"].flatMap {
                ["--transition", $0]
            }
            try succeed(
                "deck \(folder / "notes.pdf") \(folder / "plain.pdf#page=2-") \(folder / "film.mkv")",
                "\(folder / "deck.mkv") --size 160x90 --fps 25 --hold 1 --music \(folder / "music.mkv") \(folds)",
                "\(cuts) \(SlideProjectTests.lossless)")
            #expect(try Data(contentsOf: folder / "project.mkv") == Data(contentsOf: folder / "deck.mkv"))
            // Options override the project's keys; a sound that starts with a clip starts with its first slide.
            try DeckTests.write(
                """
                output: {size: 160x90, preset: ultrafast, audio-codec: pcm_s16le}
                transition: cut
                clips: [notes.pdf, {file: film.mkv, mute: true}]
                sounds: [{file: speech/01.mka, clip: 2, at: 0.2, end: 0.5}]

                """, folder / "s.yaml")
            try succeed(["render", folder / "s.yaml", folder / "s.mkv", "--hold", "0.8"])
            #expect(try Judge.video(folder / "s.mkv").frameCount == 3 * 20 + 60)
            let first = try Judge.samples(folder / "s.mkv").firstIndex { abs($0) > 0.03 } ?? 0
            // 2.4 s are the three slides. A tone of 300 Hz is loud within 1 ms.
            #expect((Int(2.6 * 48000)..<Int(2.602 * 48000)).contains(first), "\(first)")
        }

        @Test func documentsAreRenderedAsDecks() throws {
            let folder = try SlideProjectTests.stage()
            let options = ["--hold", "0.6", "--size", "160x90"] + SlideProjectTests.lossless
            try succeed(["deck", folder / "notes.pdf", folder / "deck.mkv"] + options)
            try succeed(
                ["render", folder / "notes.pdf", folder / "render.mkv", "--notes-out", folder / "texts"] + options)
            #expect(try Data(contentsOf: folder / "deck.mkv") == Data(contentsOf: folder / "render.mkv"))
            #expect(try String(contentsOf: folder / "texts/01.txt") == "What the first slide says.\n")
            // An older project is replaced only if that is allowed.
            let export = ["export", folder / "notes.pdf", folder / "n.yaml"]
            let container = { try String(contentsOf: folder / "n.yaml").contains("format: matroska") }
            try succeed(export + ["-f", "matroska"])
            #expect(try container())
            // Letters of options may stand together.
            try succeed(export + ["-y"])
            #expect(try !container())
            try succeed(export + ["-yf", "matroska"])
            #expect(try container())
            #expect(try run(export).status == 73)
        }

        /// A batch renders them as well, and says where a project wants a program.
        @Test func batchesRenderSlides() throws {
            let folder = try SlideProjectTests.stage()
            try DeckTests.write(
                "output: {size: 160x90, preset: ultrafast}\nhold: 0.6\nclips: [notes.pdf, film.mkv]\n",
                folder / "p.yaml")
            try DeckTests.write("jobs: [{render: p.yaml, output: batch.mkv}]\n", folder / "m.yaml")
            try succeed(["render", folder / "p.yaml", folder / "own.mkv", "--threads", "1"])
            try succeed(["batch", folder / "m.yaml", "--set", "threads=1"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "batch.mkv", andPath: folder / "own.mkv"))
            try DeckTests.write("speak: notes\nclips: [notes.pdf]\n", folder / "p.yaml")
            try DeckTests.write("jobs: [{render: p.yaml, output: silent.mkv}]\n", folder / "m.yaml")
            let silent = try run(["batch", folder / "m.yaml", "--job-dir", folder / "jobs"])
            #expect(silent.status == 65 && silent.messages.contains("--speak"), "\(silent.story)")
            #expect(!FileManager.default.fileExists(atPath: folder / "silent.mkv"))
        }

        @Test(.turn(0, of: 2)) func whatSlidesCantDoIsRefused() throws {
            let folder = try SlideProjectTests.stage()
            let cases: [(text: String, status: Int32, words: [String])] = [
                ("clips: [{file: film.mkv, hold: 2}]", 65, ["film.mkv", "film", "start"]),
                ("clips: [{file: film.mkv, pages: 2}]", 65, [":1:26:", "pages", "documents"]),
                ("clips: [{file: notes.pdf, start: 2}]", 65, [":1:27:", "start", "slides"]),
                ("clips: [{file: notes.pdf, pages: 9}]", 65, [":1:34:", "1...3"]),
                ("clips: [{file: notes.pdf, pages: 3-2}]", 65, [":1:34:", "2-5"]),
                ("clips: [{file: notes.pdf, title: a}]", 65, [":1:16:", "3 slides", "title", "pages"]),
                ("clips: [{file: album, pages: 1}]", 65, ["folder"]),
                ("clips: [{file: album/001.png, hold: 1, start: 1}]", 65, ["hold", "start"]),
                ("clips: [{file: notes.pdf, transition: fold=overlap=handles}, film.mkv]", 64, ["handles", "freeze"]),
                ("hold: 0\nclips: [notes.pdf]", 65, [":1:7:", "hold"]),
                ("hidden: maybe\nclips: [notes.pdf]", 65, [":1:9:", "skip|show"]),
                ("speak: espeak\nclips: [notes.pdf]", 65, [":1:8:", "program"]),
                ("music-gain: 3\nclips: [notes.pdf]", 65, [":1:13:", "music"]),
                ("narration: speech/none.wav\nclips: [notes.pdf]", 66, [":1:12:", "no file"]),
                ("clips: [{file: album/001.png, narration: music.mkv}]\nnarration: music.mkv", 64, ["folder"]),
            ]
            for (text, status, words) in cases {
                try DeckTests.write(text + "\n", folder / "p.yaml")
                let run = try run(["render", folder / "p.yaml", folder / "out.mkv"])
                #expect(run.status == status && run.messageLines.count == 1, "\(text)\n\(run.story)")
                for word in words { #expect(run.messages.contains(word), "\(text)\n\(run.story)") }
                #expect(!FileManager.default.fileExists(atPath: folder / "out.mkv"))
            }
            try DeckTests.write("clips: [film.mkv, film.mkv]\n", folder / "p.yaml")
            let none = try run(["render", folder / "p.yaml", folder / "out.mkv", "--hold", "2"])
            #expect(none.status == 64 && none.messages.contains("--hold is for slides"), "\(none.story)")
            // A folder of a project doesn't lead out of the root.
            try folder.link("album/out.png", to: clips().pattern("slide-project-out", frames: 1))
            try DeckTests.write("clips: [{file: album, hold: 1}]\n", folder / "p.yaml")
            let outside = try run(["render", folder / "p.yaml", folder / "out.mkv", "--root", folder.path])
            #expect(outside.status == 65 && outside.messages.contains("outside"), "\(outside.story)")
        }
    }
}

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Projects that hold slides, and decks that are written as projects.
    @Suite(.serialized) struct SlideProjectTests {
        private static let lossless = [
            "--preset", "ultrafast", "--crf", "0", "--audio-codec", "pcm_s16le", "--video-codec", "libx264",
        ]

        /// A folder with everything that decks are made of: documents of 4 and of 3 pages, with notes in the second,
        /// pictures, a film, recordings for slides 1 and 3, music, captions, a cut list, and times.
        private func stage() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            let pages = ["/Dur 1.2 /Trans << /S /Push >>", "/Trans << /S /Cover /D 0.3 >>", "", "/Dur 0.9"]
            // A title of its own for each page keeps titles from being taken for a running head.
            try DeckFiles.pdf(pages: pages).write(to: URL(fileURLWithPath: folder / "plain.pdf"))
            try NoteSlides.pdf(["What the first slide says.", nil, "And the third: this."])
                .write(to: URL(fileURLWithPath: folder / "notes.pdf"))
            for name in ["album", "speech"] {
                try FileManager.default.createDirectory(atPath: folder / name, withIntermediateDirectories: true)
            }
            let pictures = try TemporaryFolder()
            try DeckTests.pictures(3, pictures, size: "160x120")
            for name in try pictures.names {
                try FileManager.default.moveItem(atPath: pictures / name, toPath: folder / "album/\(name)")
            }
            let copies = [
                (try clips().pattern("slide-project", frames: 60, sound: true), "film.mkv"),
                (try clips().tone("slide-project-speech", frequency: 300, seconds: 2), "speech/01.mkv"),
                (try clips().tone("slide-project-speech", frequency: 300, seconds: 2), "speech/slide 3.mkv"),
                (try clips().tone("slide-project-music", frequency: 900, seconds: 3), "music.mkv"),
            ]
            for (path, name) in copies { try FileManager.default.copyItem(atPath: path, toPath: folder / name) }
            try Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error", "-i", folder / "speech/01.mkv", "-c", "copy", folder / "speech/01.mka"])
            try FileManager.default.removeItem(atPath: folder / "speech/01.mkv")
            try Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", folder / "speech/slide 3.mkv", "-c", "copy",
                    folder / "speech/slide 3.mka",
                ])
            try FileManager.default.removeItem(atPath: folder / "speech/slide 3.mkv")
            try DeckTests.write("1\n00:00:00,500 --> 00:00:01,500\nGood morning\n", folder / "lines.srt")
            try DeckTests.write("0.4,1\n1.2,2\n", folder / "cuts.csv")
            try DeckTests.write("1.5\n-\n@3.21\n", folder / "times.txt")
            return folder
        }

        /// The same bytes, from a deck and from the project that it is written as.
        private func expectSame(
            _ inputs: [String], _ options: [String], _ folder: TemporaryFolder, again: [String] = []
        ) throws -> String {
            for name in ["deck.mkv", "project.mkv", "talk.yaml"] {
                try? FileManager.default.removeItem(atPath: folder / name)
            }
            try succeed(
                ["deck"] + inputs + [folder / "deck.mkv", "--write-project", folder / "talk.yaml"] + options
                    + Self.lossless)
            try succeed(["render", folder / "talk.yaml", folder / "project.mkv"] + again)
            let bytes = try [folder / "deck.mkv", folder / "project.mkv"].map { path in
                try Data(contentsOf: URL(fileURLWithPath: path))
            }
            let text = try String(contentsOfFile: folder / "talk.yaml", encoding: .utf8)
            #expect(bytes[0] == bytes[1], "\(inputs) \(options)\n\(text)")
            return text
        }

        @Test(.timeLimit(.minutes(8))) func aDeckIsTheSameAsItsProject() throws {
            let folder = try stage()
            let (plain, notes, album, film) = (
                folder / "plain.pdf", folder / "notes.pdf", folder / "album", folder / "film.mkv"
            )
            let cases: [(inputs: [String], options: [String], says: [String])] = [
                ([plain], ["--size", "160x90"], ["hold: 4", "pages: 4", "hold: 1.2", "hold: 0.9"]),
                (
                    [plain + "#page=2-3"], ["--hold", "0.77", "--fps", "30000/1001", "--metadata", "title=a: b, {c}"],
                    ["fps: 30000/1001", "[\"title=a: b, {c}\"]", "hold: 0.77"]
                ),
                (
                    [album, film + "#t=0.4,1.8&volume=-6dB", album + "/002.png#t=2&zoom=1.2,to=top-left"],
                    ["--transition", "fold=duration=0.4:mode=cubic", "--transition", "cut", "--hold", "1"],
                    ["start: 0.4, end: 1.8", "volume: \"-6.0dB\"", "transition: cut", "zoom: "]
                ),
                (
                    [notes], ["--narration", folder / "speech", "--pause", "0.3", "--trim-silence", "--hold", "1"],
                    [
                        "narration: speech/01.mka", "narration: \"speech/slide 3.mka\"", "pause: 0.3",
                        "trim-silence: true",
                    ]
                ),
                (
                    [notes], ["--timings", folder / "times.txt", "--no-chapters", "--held-frames", "vfr"],
                    ["timings: times.txt", "held-frames: vfr"]
                ),
                (
                    [plain], ["--slide-transitions", "from-deck", "--hold", "1", "--overlap", "freeze"],
                    ["transition: \"slide=", ":duration=0.3:overlap=freeze\"", "slide-transitions: from-deck"]
                ),
                (
                    [notes],
                    [
                        "--captions-from", "notes", "--captions", folder / "lines.srt", "--hold", "1.5", "--sound",
                        "page",
                    ],
                    ["captions-from: notes", "captions: [lines.srt]", "sound=page"]
                ),
                (
                    [notes, film],
                    ["--music", folder / "music.mkv", "--music-gain", "-20", "--hold", "1", "--no-audio"],
                    ["music: music.mkv", "music-gain: -20.0", "audio: false"]
                ),
                (
                    [film + "#cuts=" + folder / "cuts.csv", album + "/001.png"],
                    ["--cut-below", "0.7", "--hold", "1.2", "--audio-tracks", "1", "--fade-in", "0.2"],
                    ["start: 0.4, end: 1", "cut-below: 0.7", "audio-tracks: 1", "fade-in: 0.2"]
                ),
                (
                    [notes, film],
                    [
                        "--overlay", album + "/001.png@top-left:width=20%:opacity=0.5:from=0.4:to=3", "--hold", "1",
                        "--overlay-text", "Ann\\: {title}\\nLecturer@bottom-left:box=on:color=#ff8000",
                        "--slide-numbers",
                        "bottom-right:margin=10px",
                    ],
                    ["place: top-left, opacity: 0.5", "box: true", "text: \"{slide}\"", "margin: 10px"]
                ),
                (
                    [notes, plain + "#page=2"], ["--narration", folder / "music.mkv", "--hold", "1"],
                    ["narration: music.mkv", "plain.pdf, pages: 2"]
                ),
            ]
            for (inputs, options, says) in cases {
                let text = try expectSame(inputs, options, folder)
                for word in says { #expect(text.contains(word), "\(word) in\n\(text)") }
            }
        }

        /// Hidden slides, recorded narration, films and sounds of a PowerPoint file, and its transitions.
        @Test(
            .timeLimit(.minutes(5)),
            .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
        func aPowerPointFileIsTheSameAsItsProject() throws {
            let folder = try stage()
            let slide = { (color: String) in DeckFiles.slide(color: color, shapes: "") }
            let transition = #"<p:transition advTm="800" p14:dur="400"><p:push dir="u"/></p:transition>"#
            let members = DeckFiles.powerPoint([
                slide("ff0000"), "HIDDEN" + slide("00ff00"), slide("0000ff") + transition, slide("ffff00"),
            ])
            let deck = folder / "talk.pptx"
            try DeckFiles.zip(members).write(to: URL(fileURLWithPath: deck))
            let options = ["--slide-transitions", "from-deck", "--size", "160x90"]
            let text = try expectSame([deck], options, folder)
            // The hidden slide keeps its place, so that numbers stay as they are.
            #expect(text.components(separatedBy: "file: talk.pptx").count == 5 && text.contains("push"), "\(text)")
            let shown = try expectSame([deck], options + ["--hidden", "show"], folder)
            #expect(shown.contains("hidden: show") && shown.contains("title: \"Slide 2\""), "\(shown)")
        }

        /// A project doesn't name the program that speaks, and isn't silent without it.
        @Test(.timeLimit(.minutes(3))) func spokenNotesNeedTheProgramAgain() throws {
            let folder = try stage()
            let tone = folder / "music.mkv"
            try DeckTests.write("#!/bin/sh\nexec ffmpeg -v error -y -i '\(tone)' -t 1.3 \"$1\"\n", folder / "say")
            #expect(chmod(folder / "say", 0o755) == 0)
            let speech = ["--speak", "'\(folder / "say")' {out}", "--speech-cache", folder / "cache"]
            let text = try expectSame(
                [folder / "notes.pdf"], speech + ["--size", "160x90"], folder, again: speech)
            #expect(text.contains("speak: notes") && !text.contains("say"), "\(text)")
            let silent = try run(["render", folder / "talk.yaml", folder / "silent.mkv"])
            #expect(
                silent.status == 65 && silent.messages.contains("talk.yaml:") && silent.messages.contains("--speak"))
            #expect(!FileManager.default.fileExists(atPath: folder / "silent.mkv"))
        }

        // MARK: What projects mean

        /// A slide's time doesn't depend on transitions, in projects as in decks: 2 + 3 + 1.5 s are 6.5 s.
        @Test(.timeLimit(.minutes(2))) func holdMeansOneThing() throws {
            let folder = try stage()
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
        @Test(.timeLimit(.minutes(3))) func aProjectHoldsSlides() throws {
            let folder = try stage()
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
                [
                    "deck", folder / "notes.pdf", folder / "plain.pdf#page=2-", folder / "film.mkv",
                    folder / "deck.mkv",
                    "--size", "160x90", "--fps", "25", "--hold", "1", "--music", folder / "music.mkv",
                ] + folds + cuts + Self.lossless)
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: folder / "project.mkv"))
                    == Data(contentsOf: URL(fileURLWithPath: folder / "deck.mkv")))
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

        @Test(.timeLimit(.minutes(2))) func documentsAreRenderedAsDecks() throws {
            let folder = try stage()
            let options = ["--hold", "0.6", "--size", "160x90"] + Self.lossless
            try succeed(["deck", folder / "notes.pdf", folder / "deck.mkv"] + options)
            try succeed(
                ["render", folder / "notes.pdf", folder / "render.mkv", "--notes-out", folder / "texts"] + options)
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: folder / "deck.mkv"))
                    == Data(contentsOf: URL(fileURLWithPath: folder / "render.mkv")))
            #expect(
                try String(contentsOfFile: folder / "texts/01.txt", encoding: .utf8) == "What the first slide says.\n")
            // A plan writes the project, too, and an older one only if that is allowed.
            let plan = ["plan", folder / "notes.pdf", folder / "x.mkv", "--write-project", folder / "n.yaml"]
            try succeed(plan + ["-f", "matroska"])
            #expect(try String(contentsOfFile: folder / "n.yaml", encoding: .utf8).contains("format: matroska"))
            #expect(try run(plan).status == 73)
        }

        /// A batch renders them as well, and says where a project wants a program.
        @Test(.timeLimit(.minutes(2))) func batchesRenderSlides() throws {
            let folder = try stage()
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

        @Test func whatSlidesCantDoIsRefused() throws {
            let folder = try stage()
            let cases: [(text: String, status: Int32, words: [String])] = [
                ("clips: [{file: film.mkv, hold: 2}]", 65, ["film.mkv", "film", "start"]),
                ("clips: [{file: film.mkv, pages: 2}]", 65, [":1:26:", "pages", "documents"]),
                ("clips: [{file: notes.pdf, start: 2}]", 65, [":1:27:", "start", "slides"]),
                ("clips: [{file: notes.pdf, pages: 9}]", 64, ["1...3"]),
                ("clips: [{file: notes.pdf, pages: 3-2}]", 65, [":1:34:", "2-5"]),
                ("clips: [{file: notes.pdf, title: a}]", 65, ["3 slides", "title", "pages"]),
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
            let project = try run(["render", folder / "p.yaml", folder / "o.mkv", "--write-project", folder / "q.yaml"])
            #expect(project.status == 64 && !FileManager.default.fileExists(atPath: folder / "q.yaml"))
            // A folder of a project doesn't lead out of the root.
            try FileManager.default.createSymbolicLink(
                atPath: folder / "album/out.png", withDestinationPath: clips().pattern("slide-project-out", frames: 1))
            try DeckTests.write("clips: [{file: album, hold: 1}]\n", folder / "p.yaml")
            let outside = try run(["render", folder / "p.yaml", folder / "out.mkv", "--root", folder.path])
            #expect(outside.status == 65 && outside.messages.contains("outside"), "\(outside.story)")
        }
    }
}

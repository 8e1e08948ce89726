import TestSupport
import Testing

extension CommandTests {
    /// Projects that hold slides, and decks that are written as projects.
    @Suite(.serialized) struct SlideProjectTests {
        static let lossless = [
            "--preset", "ultrafast", "--crf", "0", "--audio-codec", "pcm_s16le", "--video-codec", "libx264",
        ]

        /// A folder with everything that decks are made of: documents of 4 and of 3 pages, with notes in the second,
        /// pictures, a film, recordings for slides 1 and 3, music, captions, a cut list, and times.
        static func stage() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            let pages = ["/Dur 1.2 /Trans << /S /Push >>", "/Trans << /S /Cover /D 0.3 >>", "", "/Dur 0.9"]
            // A title of its own for each page keeps titles from being taken for a running head.
            try DeckFiles.pdf(pages: pages).write(to: folder / "plain.pdf")
            try NoteSlides.pdf(["What the first slide says.", nil, "And the third: this."])
                .write(to: folder / "notes.pdf")
            for name in ["album", "speech"] {
                try folder.makeFolder(name)
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
            for (path, name) in copies { try folder.add(path, as: name) }
            try Tool.ffmpeg("-i \(folder / "speech/01.mkv") -c copy \(folder / "speech/01.mka")")
            try folder.remove("speech/01.mkv")
            try Tool.ffmpeg("-i \(folder / "speech/slide 3.mkv") -c copy \(folder / "speech/slide 3.mka")")
            try folder.remove("speech/slide 3.mkv")
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
                try? folder.remove(name)
            }
            try succeed(["deck"] + inputs + [folder / "deck.mkv"] + options + Self.lossless)
            try succeed(
                "export deck \(inputs) \(folder / "talk.yaml") -o \(folder / "deck.mkv") \(options) \(Self.lossless)")
            try succeed(["render", folder / "talk.yaml", folder / "project.mkv"] + again)
            let bytes = try [folder / "deck.mkv", folder / "project.mkv"].map { path in try Data(contentsOf: path) }
            let text = try String(contentsOf: folder / "talk.yaml")
            #expect(bytes[0] == bytes[1], "\(inputs) \(options)\n\(text)")
            return text
        }

        @Test(.turn(0, of: 3)) func aDeckIsTheSameAsItsProject() throws {
            let folder = try Self.stage()
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
                        "--slide-numbers", "bottom-right:margin=10px",
                    ],
                    ["place: top-left, opacity: 0.5", "box: true", "text: \"{slide}\"", "margin: 10px"]
                ),
                (
                    [notes, plain + "#page=2"], ["--narration", folder / "music.mkv", "--hold", "1"],
                    ["narration: music.mkv", "plain.pdf, pages: 2"]
                ),
            ]
            for (inputs, options, says) in Places.some(cases, every: 3) {
                let text = try expectSame(inputs, options, folder)
                for word in says { #expect(text.contains(word), "\(word) in\n\(text)") }
            }
        }

        /// Hidden slides, recorded narration, films and sounds of a PowerPoint file, and its transitions.
        @Test(
            .turn(1, of: 3),
            .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
        func aPowerPointFileIsTheSameAsItsProject() throws {
            let folder = try Self.stage()
            let slide = { (color: String) in DeckFiles.slide(color: color, shapes: "") }
            let transition = #"<p:transition advTm="800" p14:dur="400"><p:push dir="u"/></p:transition>"#
            let members = DeckFiles.powerPoint([
                slide("ff0000"), "HIDDEN" + slide("00ff00"), slide("0000ff") + transition, slide("ffff00"),
            ])
            let deck = folder / "talk.pptx"
            try DeckFiles.zip(members).write(to: deck)
            let options = ["--slide-transitions", "from-deck", "--size", "160x90"]
            let text = try expectSame([deck], options, folder)
            // The hidden slide keeps its place, so that numbers stay as they are.
            #expect(text.components(separatedBy: "file: talk.pptx").count == 5 && text.contains("push"), "\(text)")
            let remarked = text.split(separator: "\n").filter { $0.hasSuffix("# hidden in the document") }
            #expect(remarked.count == 1 && remarked[0].contains("pages: 2"), "\(text)")
            let shown = try expectSame([deck], options + ["--hidden", "show"], folder)
            #expect(shown.contains("hidden: show") && shown.contains("title: \"Slide 2\""), "\(shown)")
            #expect(!shown.contains("hidden in the document"), "\(shown)")
        }

        /// A project doesn't name the program that speaks, and isn't silent without it.
        @Test func spokenNotesNeedTheProgramAgain() throws {
            let folder = try Self.stage()
            let tone = folder / "music.mkv"
            try DeckTests.write("#!/bin/sh\nexec ffmpeg -v error -y -i '\(tone)' -t 1.3 \"$1\"\n", folder / "say")
            #expect(chmod(folder / "say", 0o755) == 0)
            let speech = ["--speak", "'\(folder / "say")' {out}", "--speech-cache", folder / "cache"]
            let text = try expectSame([folder / "notes.pdf"], speech + ["--size", "160x90"], folder, again: speech)
            #expect(text.contains("speak: notes") && !text.contains("say"), "\(text)")
            try expectExit(
                ["render", folder / "talk.yaml", folder / "silent.mkv"], 65, saying: "talk.yaml:", "--speak")
            #expect(!FileManager.default.fileExists(atPath: folder / "silent.mkv"))
        }
    }
}

import TestSupport
import Testing

extension CommandTests {
    /// Videos made from slides, judged by what ffmpeg decodes.
    @Suite(.serialized) struct DeckTests {
        let folder = TemporaryFolder.make()

        /// Writes pictures of one color each, no two neighbors alike, to `001.png` and so on.
        static func pictures(_ count: Int, _ folder: TemporaryFolder, size: String = "64x36") throws {
            try Tool.ffmpeg(
                "-f lavfi -i color=white:s=\(size):r=1:d=\(count),format=rgb24",
                "-vf geq=r='mod(N*97,256)':g='mod(N*61+40,256)':b='mod(N*151+80,256)' \(folder / "%03d.png")")
        }

        /// The indices of the frames that differ from the frame before.
        static func changes(_ path: String) throws -> [Int] {
            let hashes = try Judge.frameHashes(path)
            return hashes.indices.dropFirst().filter { hashes[$0] != hashes[$0 - 1] }
        }

        static func write(_ text: String, _ path: String) throws { try text.write(to: path) }

        @Test(.turn(1, of: 2)) func slidesChangeAtTheExactFrame() throws {
            try DeckTests.pictures(12, folder)
            // Durations that aren't whole frames, a duration in frames, the default (-), and start times (@).
            try DeckTests.write("0.33\n0.33\n0.33\n10f\n1.01\n-\n0.5\n@5\n@6.015\n1\n", folder / "times.txt")
            try succeed(
                "deck \(folder.path) \(folder / "out.mkv") --timings \(folder / "times.txt") --hold 0.77",
                "--fps 30000/1001 --transition cut --crf 0 --preset ultrafast")
            // The slides change at 0.33, 0.66, 0.99, 1.3237, 2.3337 and 3.1037 s, at 5 and 6.015 s as given, and at
            // 6.785, 7.785 and 8.555 s, which times 29.97 fps are these frames.
            #expect(try DeckTests.changes(folder / "out.mkv") == [10, 20, 30, 40, 70, 93, 150, 180, 203, 233, 256])
            #expect(try Judge.video(folder / "out.mkv").frameCount == 279)
        }

        @Test func transitionsBeginWithTheirSlide() throws {
            try DeckTests.pictures(3, folder)
            try succeed(
                "deck \(folder.path) \(folder / "out.nut") --hold 1 --duration 0.4 --easing linear --size 64x36",
                "--video-codec rawvideo --pix-fmt gbrp")
            let hashes = try Judge.frameHashes(folder / "out.nut")
            #expect(hashes.count == 75)
            for (start, end) in [(0, 25), (35, 50), (60, 75)] {
                #expect(Set(hashes[start..<end]).count == 1, "the slide stays from \(start) to \(end)")
            }
            #expect(Set(hashes[24..<36]).count == 12 && Set(hashes[49..<61]).count == 12, "ten frames of each turn")
            // The frames are exactly the pictures.
            for (frame, name) in [(0, "001"), (40, "002"), (70, "003")] {
                #expect(try Judge.frameHashes(folder / "\(name).png", pixelFormat: "gbrp") == [hashes[frame]])
            }
        }

        @Test(arguments: Places.some(["out.mp4", "out.mkv", "out.webm", "out.mov"], every: 4))
        func longFramesLastAsLongAsTheirSlides(name: String) throws {
            try DeckTests.pictures(4, folder)
            let speech = try clips().tone("deck-tone", frequency: 400, seconds: 21)
            try succeed(
                [
                    "deck", folder.path, folder / name, "--hold", "5", "--duration", "0.4", "--held-frames", "vfr",
                    "--narration", speech,
                    "--preset", name.hasSuffix("webm") ? "" : "ultrafast",
                ].filter { !$0.isEmpty && ($0 != "--preset" || !name.hasSuffix("webm")) })
            let video = try Judge.video(folder / name)
            // Ten frames for each of three transitions, one for each of four slides, and the last frame.
            #expect(video.frameCount == 3 * 10 + 4 + 1)
            for (index, slide) in [0.4, 0.4, 0.4].enumerated() {
                let start = Double(index + 1) * 5
                #expect(video.times.contains { abs($0 - start) < 0.002 }, "the turn begins at \(start)")
                #expect(video.times.contains { abs($0 - start - slide) < 0.002 }, "the slide is there")
            }
            #expect(abs(try #require(video.times.last) - 19.96) < 0.002)
            let object = try Judge.probe(folder / name, ["-show_format"])
            let length = ((object["format"] as? [String: Any])?["duration"] as? String).flatMap(Double.init) ?? 0
            #expect(abs(length - 20) < 0.05, "\(length)")
            #expect(abs(try Sound(folder / name).seconds - 20) < 0.05)
            #expect(try Judge.complaints(folder / name) == "")
        }

        @Test func longFramesNeedAContainerThatHasThem() throws {
            try DeckTests.pictures(2, folder)
            let run = try run(["deck", folder.path, folder / "out.avi", "--held-frames", "vfr"])
            #expect(run.status == 64 && run.messages.contains("--held-frames cfr"), "\(run.story)")
            #expect(try !folder.names.contains("out.avi"))
        }

        /// The narration of each of 200 slides, which starts with a click, starts within a frame of its slide.
        @Test(.turn(0, of: 2)) func narrationBeginsWithItsSlide() throws {
            let speech = try TemporaryFolder()
            try DeckTests.pictures(200, folder)
            // The narration's length isn't a whole number of frames.
            try Tool.ffmpeg(
                "-f lavfi -i aevalsrc='0.9*lt(t,0.002)':s=44100:d=0.43 -c:a pcm_s16le \(speech / "one.wav")")
            for slide in 1...200 {
                try FileManager.default.linkItem(atPath: speech / "one.wav", toPath: speech / "\(slide).m.wav")
            }
            try speech.remove("one.wav")
            try succeed(
                "deck \(folder.path) \(folder / "out.mp4") --narration \(speech.path) --transition cut",
                "--preset ultrafast --crf 0 --size 256x144")
            // 0.43 s are exactly 18963 samples, so the files hide no rounding, and 10.75 frames. Halves are rounded up.
            let starts = (0..<200).map { (43 * $0 + 2) / 4 }
            #expect(try DeckTests.changes(folder / "out.mp4") == Array(starts.dropFirst()))
            try expectClicks(Sound(folder / "out.mp4"), starts.map { Double($0) / 25 }, within: 0.005)
        }

        @Test(.turn(1, of: 2)) func silenceIsTrimmedAndMusicIsDucked() throws {
            let speech = try TemporaryFolder()
            try DeckTests.pictures(2, folder)
            for (name, source) in [
                ("1.wav", "aevalsrc='0.5*sin(2*PI*1000*t)*between(t,1,3)':s=48000:d=4"),
                ("2.wav", "aevalsrc='0.5*sin(2*PI*1000*t)*between(t,1,2)':s=48000:d=6"),
                ("m.wav", "sine=f=200:r=48000:d=3"),
            ] {
                let place = name == "m.wav" ? folder / name : speech / name
                try Tool.ffmpeg("-f lavfi -i \(source) \(place)")
            }
            try succeed(
                "deck \(folder / "001.png") \(folder / "002.png") \(folder / "out.mkv") --narration \(speech.path)",
                "--trim-silence --pause 2 --music \(folder / "m.wav") --music-gain 0 --transition cut --crf 0",
                "--preset ultrafast --audio-codec pcm_s16le")
            // 2 s of speech, 0.1 s kept at each end, and the pause of 2 s: 4.2 s or 105 frames.
            #expect(try DeckTests.changes(folder / "out.mkv") == [105])
            let sound = try Sound(folder / "out.mkv")
            #expect(abs(sound.seconds - 7.4) < 0.02)
            let tone = { (start: Double) in sound.amplitude(of: 1000, from: start, length: 0.1) }
            #expect(tone(0.2) > 0.45 && tone(1.9) > 0.45 && tone(2.3) < 0.01 && tone(4.4) > 0.45 && tone(5.5) < 0.01)
            let music = { (start: Double) in sound.amplitude(of: 200, from: start, length: 0.1) }
            #expect(music(1.8) < 0.5 * music(4.0), "\(music(1.8)) under speech, \(music(4.0)) in the pause")
            #expect(music(4.0) > 0.1, "the music goes on after its end")
        }

        @Test func aTurningPageIsHeard() throws {
            try DeckTests.pictures(4, folder)
            let click = try TemporaryFolder()
            try Tool.ffmpeg("-f lavfi -i aevalsrc='0.9*lt(t,0.002)':s=48000:d=0.3 \(click / "page.wav")")
            try succeed(
                "deck \(folder.path) \(folder / "out.mkv") --hold 1.5 --sound \(click / "page.wav") --sound-gain -3",
                "--preset ultrafast --audio-codec pcm_s16le")
            try expectClicks(Sound(folder / "out.mkv"), [1.52, 3, 4.52].map { $0 + 0.6 })
            let peak = try Judge.samples(folder / "out.mkv").map(abs).max() ?? 0
            #expect(abs(Double(peak) - 0.9 * pow(10, -3.0 / 20)) < 0.02, "\(peak)")
        }

        private func plan(_ arguments: [String], _ folder: TemporaryFolder) throws -> (seconds: Double?, run: ToolRun) {
            let run = try succeed(["plan"] + arguments + [folder / "plan.mp4", "--json"])
            let output = (try JSONValue(run.output).value as? [String: Any])?["output"] as? [String: Any]
            return ((output?["seconds"] as? NSNumber)?.doubleValue, run)
        }

        /// A slide's own duration overrides --hold.
        @Test func aPicturesOwnTimeCountsMoreThanHold() throws {
            try DeckTests.pictures(3, folder)
            let inputs = ["deck", folder / "001.png", folder / "002.png#t=6", folder / "003.png"]
            #expect(try plan(inputs + ["--hold", "1"], folder).seconds == 8)
            #expect(try plan(inputs, folder).seconds == 14)
        }

        /// A pause in frames counts in the deck's rate: without --fps, 15 frames at the video's 30 fps are 0.5 s.
        @Test func pausesInFramesAreOfTheDecksOwnRate() throws {
            let speech = try TemporaryFolder()
            try DeckTests.pictures(1, folder)
            let film = try clips().flashAndClick("deck-film.mp4", seconds: 3, events: [1])
            try Tool.ffmpeg("-f lavfi -i sine=r=8000:d=1 \(speech / "2.wav")")
            let inputs = [film, folder / "001.png", "--narration", speech.path, "--transition", "cut"]
            #expect(try plan(["deck"] + inputs + ["--pause", "15f"], folder).seconds == 4.5)
            for zero in ["0", "0.0", "0s", "0ms", "0f"] {
                #expect(try plan(["deck"] + inputs + ["--pause", zero], folder).seconds == 4)
            }
            try expectExit(["deck"] + inputs + [folder / "o.mp4", "--pause", "0x"], 64, saying: "invalid pause '0x'")
        }

        /// Everything that was given but isn't used is named in a warning, which --strict turns into an error.
        @Test func whatIsLeftOutIsSaid() throws {
            try DeckTests.pictures(4, folder)
            let others = try TemporaryFolder()
            try DeckTests.write("1\n2\n", others / "times.txt")
            try DeckTests.write("not for decks", folder / "notes.txt")
            try DeckTests.write("nor this", folder / "7 phone.dng")
            try DeckTests.write("nobody's", folder / ".hidden")
            try folder.makeFolder("sub")
            let speech = try TemporaryFolder()
            try Tool.ffmpeg("-f lavfi -i sine=r=8000:d=1 \(speech / "1.wav")")
            try DeckTests.write("no speech", speech / "2.wma")
            let pictures = (1...4).map { folder / "00\($0).png" }
            let cuts = ["--transition", "cut"]
            for (inputs, options, words) in [
                ([folder.path], cuts, ["left out '7 phone.dng', 'notes.txt', 'sub'"]),
                (pictures, cuts + cuts + cuts + cuts, ["4 transitions were given for 3 changes", "the last 1"]),
                (pictures, cuts + ["--timings", others / "times.txt"], ["times.txt' has 2 lines for 4 slides"]),
                (pictures, cuts + ["--narration", speech.path], ["left out '2.wma'"]),
                (pictures, ["--hold", "0.2"], ["slides 2, 3 and 4 are 5 frames long"]),
            ] {
                let run = try succeed(["plan"] + inputs + [folder / "o.mp4", "--hold", "1"] + options)
                let said = run.text.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
                for word in words { #expect(said.first?.contains(word) == true, "\(run.text)") }
                #expect(said.count == 1 && run.messages.isEmpty, "\(run.text) \(run.story)")
                try expectExit("deck \(inputs) \(folder / "o.mp4") --hold 1 --strict \(options)", 65, saying: words[0])
            }
            let plain = try succeed(["plan"] + pictures + [folder / "o.mp4", "--hold", "1"] + cuts + cuts + cuts)
            #expect(plain.messages.isEmpty && !plain.text.contains("warning"), "\(plain.text)")
            // A run gives the same warning on standard error and in its report.
            let report = folder / "report.json"
            let output = [folder / "report.mp4", "--hold", "1", "--preset", "ultrafast", "--report", report]
            let run = try succeed(["deck"] + pictures + output + cuts + cuts + cuts + cuts)
            #expect(CommandTests.warnings(run).count == 1, "\(run.story)")
            let written = try JSONValue(Data(contentsOf: report)).value as? [String: Any]
            let warnings = written?["warnings"] as? [String]
            #expect(warnings?.count == 1 && warnings?[0].contains("4 transitions were given") == true)
            #expect(try !folder.names.contains("o.mp4"))
        }

        /// A video that is rounded to whole frames isn't reported as trimmed: 0.82 s are 20.5 frames at 25 fps.
        @Test func filmsOfNoWholeFramesAreNotCalledTrimmed() throws {
            try DeckTests.pictures(1, folder)
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=64x36:r=50:d=0.82 \(folder / "moving.gif")")
            let inputs = ["deck", folder / "001.png", folder / "moving.gif", "--transition", "cut", "--fps", "25"]
            // The plan's JSON contains its warnings.
            let isCalledTrimmed = { (words: [String]) in
                let run = try plan(words, folder).run
                return try JSONValue(run.output).strings.contains { $0.contains("before its trim does") }
            }
            #expect(try !isCalledTrimmed(inputs + ["--hold", "1"]))
            #expect(
                try isCalledTrimmed(["deck", folder / "001.png", folder / "moving.gif#t=0,3", "--transition", "cut"]))
        }

        @Test func namesThatBeginWithADashAreNotTakenForOptions() throws {
            try DeckTests.pictures(1, folder)
            try FileManager.default.moveItem(atPath: folder / "001.png", toPath: folder / "-dash.png")
            let program = try Places.program()
            let script = "cd \"$1\" && exec \"$0\" deck -dash.png out.mp4"
            let run = try Tool.run("sh", ["-c", script, program, folder.path])
            #expect(run.status == 64 && run.messages.contains("write ./-dash.png"), "\(run.story)")
        }

        @Test func chaptersHaveNamesThatCanBeShown() throws {
            try DeckTests.pictures(1, folder)
            let name = folder / "The\nVeri\u{fb01}cation\u{7}.png"
            try FileManager.default.moveItem(atPath: folder / "001.png", toPath: name)
            try succeed(["deck", name, folder / "out.mp4", "--hold", "1", "--preset", "ultrafast"])
            #expect(try Judge.chapters(folder / "out.mp4").map(\.title) == ["The Verification"])
        }

        /// Animated PNG and SVG files of a folder are shown: one moves and the other stands still.
        @Test(.usesSystemLibraries) func foldersShowAnimatedAndVectorPictures() throws {
            let album = folder / "album"
            try FileManager.default.createDirectory(atPath: album, withIntermediateDirectories: true)
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=64x36:r=5:d=1 -plays 1 \(album + "/1.apng")")
            let green = ##"<rect width="64" height="36" fill="#00ff00"/>"##
            try DeckTests.write(
                #"<svg xmlns="http://www.w3.org/2000/svg" width="64" height="36">\#(green)</svg>"#, album + "/2.svg")
            let run = try succeed(
                "deck \(album) \(folder / "out.nut") --hold 1 --transition cut --size 64x36 --fps 5",
                "--video-codec rawvideo --pix-fmt gbrp")
            #expect(run.messages.isEmpty, "\(run.story)")
            // Five frames that all differ, and one that stays for as long.
            #expect(try DeckTests.changes(folder / "out.nut") == [1, 2, 3, 4, 5])
            let frames = try Judge.pictures(folder / "out.nut", pixelFormat: "gbrp", width: 64, height: 36)
            #expect(frames.count == 10)
            let last = try #require(frames.last)
            for (plane, value) in [255, 0, 0].enumerated() {
                #expect(last.planes[plane].allSatisfy { $0 == value }, "plane \(plane)")
            }
        }

        /// All files of a folder that can't be shown are named at once, and can be left out.
        @Test func allFilesThatCantBeShownAreNamed() throws {
            let album = folder / "album"
            try FileManager.default.createDirectory(atPath: album, withIntermediateDirectories: true)
            try Tool.ffmpeg("-f lavfi -i color=red:s=64x36 -frames:v 1 \(album + "/1.png")")
            for name in ["2.jpg", "3.webp"] { try "not a picture".write(to: album + "/" + name) }
            try expectExit(["plan", album, folder / "o.mp4"], 65, saying: "2.jpg", "3.webp", "--unreadable skip")
            let skipped = try succeed(["plan", album, folder / "o.mp4", "--unreadable", "skip"])
            #expect(skipped.text.contains("left out 2 files") && skipped.text.contains("3.webp"), "\(skipped.text)")
        }

        /// Documents of other kinds are called what they are.
        @Test(arguments: ["talk.potx", "figure.eps", "text.docx"])
        func documentsOfOtherKindsAreRefused(name: String) throws {
            try "x".write(to: folder / name)
            try expectExit(
                ["deck", folder / name, folder / "o.mp4"], 65, saying: "is not a kind of document that decks read")
        }

        /// PowerPoint puts an encrypted file into the container of its older format ([MS-CFB] 2.2), which is no zip archive.
        @Test func slidesWithAPasswordAreToldFromDamagedOnes() throws {
            for (bytes, words) in [
                ([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "save it without a password"),
                ([0x00, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1], "it is not a zip archive"),
            ] as [([UInt8], String)] {
                try Data(bytes + [UInt8](repeating: 0, count: 504)).write(to: folder / "talk.pptx")
                try expectExit(["deck", folder / "talk.pptx", folder / "o.mp4"], 65, saying: words)
            }
        }

        /// A file of Keynote that LibreOffice cannot read can be exported by Keynote itself.
        @Test(.enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
        func whatKeynoteCanDoIsSaid() throws {
            try DeckTests.write("x", folder / "talk.key")
            try expectExit(["deck", folder / "talk.key", folder / "o.mp4"], 65, saying: "export it from Keynote")
        }

        /// The number of a slide may follow that of a course.
        @Test func narrationMayBeNamedAfterACourse() throws {
            try DeckFiles.pdf(pages: ["", ""]).write(to: folder / "deck.pdf")
            let speech = try TemporaryFolder()
            func add(_ name: String, _ seconds: Int) throws {
                try Tool.ffmpeg("-f lavfi -i sine=f=440:r=8000:d=\(seconds) \(speech / name)")
            }
            try add("ME101_slide01.wav", 2)
            try add("ME101_slide02.wav", 3)
            let words = ["export", folder / "deck.pdf", "--narration", speech.path]
            try succeed(words + [folder / "times.txt"])
            let lines = try String(contentsOf: folder / "times.txt").split(separator: "\n")
            #expect(lines.filter { !$0.hasPrefix("#") }.map { $0.prefix { $0 != " " } } == ["2", "3"])
            try add("ME101_title.wav", 1)
            try expectExit(words + [folder / "more.txt"], 65, saying: "by the first number in its name")
        }
    }
}

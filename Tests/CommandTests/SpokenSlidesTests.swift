import TestSupport
import Testing

extension CommandTests {
    /// Notes that a program speaks.
    @Suite(.serialized) struct SpokenSlidesTests {
        /// A folder with the program `say`, which adds a line to `log` and writes as {out} what `script` makes of the
        /// text in {in}; and a deck of `notes`.
        private func stage(_ notes: [String?], script: String) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try NoteSlides.pdf(notes).write(to: folder / "deck.pdf")
            let program = "#!/bin/sh\nin=$1; out=$2; echo \"$3\" >>'\(folder / "log")'\n\(script)\n"
            try program.write(to: folder / "say")
            #expect(chmod(folder / "say", 0o755) == 0)
            return folder
        }

        private func command(_ folder: TemporaryFolder, _ name: String = "out.mkv") -> [String] {
            [
                "deck", folder / "deck.pdf", folder / name, "--speak",
                "'\(folder / "say")' {in} {out} \"slide {slide}\"",
                "--speech-cache", folder / "cache", "--transition", "cut", "--size", "64x36", "--preset", "ultrafast",
                "--crf", "0", "--audio-codec", "pcm_s16le", "--hold", "1",
            ]
        }

        private func calls(_ folder: TemporaryFolder) -> [String] {
            let text = (try? String(contentsOf: folder / "log")) ?? ""
            return text.split(separator: "\n").map(String.init).sorted()
        }

        /// The shell command that writes a tone that is heard at the given times as `$out`, `seconds` long.
        private static func tone(_ times: [(Double, Double)], seconds: Double) -> String {
            let heard = times.map { "between(t,\($0.0),\($0.1))" }.joined(separator: "+")
            return
                "ffmpeg -nostdin -v error -f lavfi -i \"aevalsrc='0.5*sin(2*PI*500*t)*(\(heard))':s=16000:d=\(seconds)\" \"$out\""
        }

        /// Slides last as long as their speech, captions change where sentences end, and the next run speaks nothing.
        @Test func slidesLastAsLongAsTheirSpeech() throws {
            // Sentences of 50 and 60 letters: without the pauses, as long as the two parts of the tone. The pause of
            // 0.2 s stands for the comma.
            let first = "This sentence is spoken first, and is long enough."
            let second = "This is the second one, which comes after a pause that it has."
            let folder = try stage(
                [first + " " + second, nil, "Other."],
                script: """
                    if grep -q Other "$in"; then \(Self.tone([(0, 0.8)], seconds: 1)); else
                    grep -q 'This sentence.*that it has' "$in" || exit 1
                    \(Self.tone([(0, 2.4), (2.6, 4.2), (4.7, 9.4)], seconds: 10)); fi
                    """)
            let run = try succeed(command(folder) + ["--captions-from", "notes", "--pause", "0.5"])
            #expect(CommandTests.warnings(run).isEmpty, "\(run.story)")
            #expect(calls(folder) == ["slide 1", "slide 3"])
            // Slide 1 lasts 10.5 s, slide 2 one second, and slide 3 1.5 s, of 40 ms for each frame; halves are rounded up.
            #expect(try DeckTests.changes(folder / "out.mkv") == [263, 288])
            #expect(try Judge.video(folder / "out.mkv").frameCount == 325)
            let captions = try NoteSlides.captions(folder / "out.mkv")
            try #require(captions.count == 3)
            #expect(captions.map { $0.text.replacing("\n", with: " ") } == [first, second, "Other."])
            #expect(captions[0].start == 0 && abs(captions[0].end - 4.7) < 0.02)
            #expect(captions[1].start == captions[0].end && abs(captions[1].end - 10.52) < 0.002)
            #expect(abs(captions[2].start - 11.52) < 0.002 && abs(captions[2].end - 13) < 0.002)
            let sounds = try Sound(folder / "out.mkv")
            for (time, isHeard) in [
                (0.1, true), (2.45, false), (4.1, true), (4.5, false), (9.2, true), (9.6, false), (11, false),
                (11.6, true), (12.2, true), (12.5, false),
            ] {
                #expect((sounds.amplitude(of: 500, from: time, length: 0.04) > 0.3) == isHeard, "\(time) s")
            }

            // The same again, without a call; another text calls the program for its slide only.
            try succeed(command(folder, "again.mkv") + ["--captions-from", "notes", "--pause", "0.5"])
            #expect(calls(folder).count == 2)
            #expect(FileManager.default.contentsEqual(atPath: folder / "out.mkv", andPath: folder / "again.mkv"))
            try NoteSlides.pdf([first + " " + second, nil, "Other text."]).write(to: folder / "deck.pdf")
            try succeed(command(folder, "new.mkv"))
            #expect(calls(folder) == ["slide 1", "slide 3", "slide 3"])
            // What was kept and damaged is spoken anew.
            for name in try FileManager.default.contentsOfDirectory(atPath: folder / "cache") {
                try "x".write(to: folder / "cache/\(name)")
            }
            try succeed(command(folder, "repaired.mkv"))
            #expect(calls(folder).count == 5)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "cache").count == 3)
        }

        /// The steps of one slide, which all have its notes, share one speech and its captions.
        @Test func stepsOfASlideShareTheirSpeech() throws {
            let folder = try stage([], script: Self.tone([(0, 2.9)], seconds: 3))
            let note = "/Annots [<< /Type /Annot /Subtype /Text /F 2 /Rect [0 0 0 0] /Contents (Four steps.) >>]"
            let labels = "/PageLabels << /Nums [0 << /P (1) >> 3 << /P (2) >>] >>"
            try DeckFiles.pdf(pages: [note, note, note, note], content: "1 0 0 rg 0 0 9 9 re f", catalog: labels).write(
                to: folder / "deck.pdf")
            try succeed(command(folder) + ["--captions-from", "notes", "--pause", "0.5"])
            // Three steps of a second, then the pause of the slide; and the other slide, which has the same notes.
            #expect(try Judge.video(folder / "out.mkv").frameCount == 175)
            let captions = try NoteSlides.captions(folder / "out.mkv")
            #expect(captions.map(\.start) == [0, 3.52] && captions.map(\.text) == ["Four steps.", "Four steps."])
            let sounds = try Sound(folder / "out.mkv")
            for (time, isHeard) in [(0.1, true), (2.8, true), (3.2, false), (3.6, true), (6.3, true), (6.6, false)] {
                #expect((sounds.amplitude(of: 500, from: time, length: 0.04) > 0.3) == isHeard, "\(time) s")
            }
            #expect(calls(folder).count == 2)
        }

        /// Speech is kept in the user's cache folder, and the text also comes by standard input.
        @Test func speechIsKeptInTheCacheFolder() throws {
            let folder = try stage(
                ["Hello.", "Hello."], script: "test \"$(cat)\" = Hello. || exit 9; \(Self.tone([(0, 1)], seconds: 1))")
            let options = command(folder).filter { $0 != "--speech-cache" && $0 != folder / "cache" }
            let numberless = options.map { $0.replacing("slide {slide}", with: "x") }
            let run = try CommandTests.run(numberless, environment: ["XDG_CACHE_HOME": folder / "own"])
            #expect(run.status == 0, "\(run.story)")
            // Slides with the same notes have the same speech.
            #expect(calls(folder) == ["x"])
            let kept = try FileManager.default.contentsOfDirectory(atPath: folder / "own/fliptransition/speech")
            #expect(kept.count == 1 && kept[0].hasSuffix(".wav"))
            #expect(try Judge.video(folder / "out.mkv").frameCount == 50)
        }

        /// A slide that can't be spoken is named with the reason, and nothing is silent without a word.
        @Test func failuresAreNamed() throws {
            let folder = try stage(
                ["Fine.", "FAIL", "EMPTY", "NONE", "SILENT", "TEXT"],
                script: """
                    case "$(cat "$in")" in
                    FAIL) echo starting; echo 'no such voice: xx' >&2; echo >&2; exit 3;;
                    EMPTY) : >"$out";;
                    NONE) ;;
                    SILENT) ffmpeg -nostdin -v error -f lavfi -i anullsrc=d=1 "$out";;
                    TEXT) echo hello >"$out";;
                    *) \(Self.tone([(0, 1)], seconds: 2));;
                    esac
                    """)
            try expectExit(command(folder) + ["--strict"], 65, saying: "slide 2 is silent", "no such voice: xx")
            #expect(try !folder.names.contains("out.mkv"))
            let run = try succeed(command(folder))
            let warnings = CommandTests.warnings(run)
            try #require(warnings.count == 5, "\(run.story)")
            for (index, words) in [
                "say ended with 3: no such voice: xx", "say wrote an empty file", "say wrote no file",
                "say wrote nothing but silence", "say wrote a file that can't be read as audio",
            ].enumerated() {
                #expect(
                    warnings[index].contains("slide \(index + 2) is silent") && warnings[index].contains(words),
                    "\(warnings[index])")
            }
            // 2 s of speech, and five slides of a second.
            #expect(try Judge.video(folder / "out.mkv").frameCount == 175)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "cache").count == 1)
        }

        @Test func commandsAreChecked() throws {
            let folder = try stage(["Hello."], script: "exit 1")
            let deck = ["deck", folder / "deck.pdf", folder / "out.mkv", "--speech-cache", folder / "cache"]
            try expectExit(deck + ["--speak", "no-such-program-here {out}"], 69, saying: "no-such-program-here")
            for (command, words) in [("say {in}", "{out}"), ("say '{out}", "no closing '"), ("", "needs a command")] {
                try expectExit(deck + ["--speak", command], 64, saying: words)
            }
            try expectExit(deck, 64, saying: "--speech-cache has no effect")
            let speech = try clips().tone("spoken-tone", frequency: 400, seconds: 1)
            try expectExit(deck + ["--speak", "sh {out}", "--narration", speech], 64, saying: "nothing to speak")
            // A manifest, which may come from anybody, can't run programs.
            let manifest = "jobs:\n  - output: out.mkv\n    deck: deck.pdf\n    speak: touch {out}\n"
            try manifest.write(to: folder / "m.yaml")
            try expectExit(["batch", folder / "m.yaml"], 65, saying: "m.yaml:4:12: 'speak' runs a program")
            #expect(calls(folder).isEmpty)
            #expect(try folder.names == ["cache", "deck.pdf", "m.yaml", "say"])
        }

        /// The batch's own command line may name a program.
        @Test func batchesSpeakWhereTheUserSays() throws {
            let folder = try stage(["Hello.", "You."], script: Self.tone([(0, 1)], seconds: 2))
            let manifest =
                "jobs:\n  - output: out.mkv\n    deck: deck.pdf\n    preset: ultrafast\n    transition: cut\n"
            try manifest.write(to: folder / "m.yaml")
            try succeed([
                "batch", folder / "m.yaml", "--set", "speak='\(folder / "say")' {in} {out} x", "--set",
                "speech-cache=\(folder / "cache")",
            ])
            #expect(calls(folder).count == 2)
            #expect(try Judge.video(folder / "out.mkv").frameCount == 100)
        }

        /// A recording counts more than speech, for its own slide.
        @Test func recordingsAreNotSpoken() throws {
            let folder = try stage(["One.", "Two.", "Three."], script: Self.tone([(0, 1)], seconds: 2))
            let speech = try TemporaryFolder()
            try Tool.ffmpeg("-f lavfi -i sine=f=1000:r=16000:d=3,volume=4 \(speech / "02.wav")")
            try succeed(command(folder) + ["--narration", speech.path])
            #expect(calls(folder) == ["slide 1", "slide 3"])
            #expect(try DeckTests.changes(folder / "out.mkv") == [50, 125])
            let sound = try Sound(folder / "out.mkv")
            #expect(sound.amplitude(of: 1000, from: 3, length: 0.1) > 0.3)
            #expect(sound.amplitude(of: 500, from: 5.2, length: 0.1) > 0.3)
        }

        /// Slides are spoken side by side, and programs end with this one.
        @Test func programsEndWithTheRun() throws {
            let folder = try stage(["One.", "Two.", "Three."], script: "echo $$ >>'PLACE/ids'; exec sleep 300")
            let script = try String(contentsOf: folder / "say").replacing("PLACE", with: folder.path)
            try script.write(to: folder / "say")
            #expect(chmod(folder / "say", 0o755) == 0)
            let identifiers = {
                ((try? String(contentsOf: folder / "ids")) ?? "").split(separator: "\n")
                    .compactMap { Int32($0) }
            }
            let run = try CommandTests.run(
                "\(command(folder)) --threads 2", watch: Tool.signal(SIGINT) { _ in identifiers().count == 2 })
            #expect(run.status == 130, "\(run.story)")
            #expect(identifiers().count == 2, "two at a time")
            for process in identifiers() { #expect(kill(process, 0) != 0 && errno == ESRCH) }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "cache").isEmpty)
            #expect(try folder.names == ["cache", "deck.pdf", "ids", "log", "say"])
        }

        /// The notes of slides for a real voice: two to four sentences, with commas, of different lengths.
        static func lecture(_ slides: Int) -> [String] {
            let sentences = [
                "Welcome to slide number five, which says a few words about the matter at hand.",
                "Every tree has roots, a trunk and leaves.",
                "When the autumn comes, most of these leaves turn red, and then they fall to the ground.",
                "This is what we shall look at today.",
                "Some trees, however, keep their needles through the whole winter and shed them later.",
                "Nobody knows exactly why this is so.",
                "There are many theories about it, and all of them have something to say for themselves.",
            ]
            return (0..<slides).map { slide in
                (0..<2 + slide % 3).map { sentences[(slide * 3 + $0 * 2) % sentences.count] }.joined(separator: " ")
            }
        }

        /// With espeak-ng, slides, speech and captions agree within 50 ms. The pauses are found by ffmpeg.
        @Test(.enabled(if: Places.has("espeak-ng"), "needs espeak-ng: scripts/setup --tests installs it"))
        func aVoiceAndItsCaptionsAgree() throws {
            let notes = Self.lecture(Places.runsSlowTests ? 40 : 12)
            let folder = try TemporaryFolder()
            try NoteSlides.pdf(notes).write(to: folder / "deck.pdf")
            let out = folder / "out.mkv"
            let run = try succeed([
                "deck", folder / "deck.pdf", out, "--speak", "espeak-ng -w {out} -f {in}", "--speech-cache",
                folder / "cache", "--captions-from", "notes", "--pause", "1", "--transition", "cut", "--size", "64x36",
                "--preset", "ultrafast", "--crf", "0", "--audio-codec", "pcm_s16le",
            ])
            #expect(CommandTests.warnings(run).isEmpty, "\(run.story)")
            let starts = [0] + (try DeckTests.changes(out)).map { Double($0) / 25 }
            try #require(starts.count == notes.count)
            let captions = try NoteSlides.captions(out)
            let length = try Double(Judge.video(out).frameCount) / 25
            // The last silence lasts to the end.
            let silences = try NoteSlides.silences(out, seconds: 0.12).filter { $0.end < length - 0.05 }
            // Speech begins with each slide, after at least a second of silence.
            let speech = [0] + silences.filter { $0.end - $0.start >= 1 }.map(\.end)
            try #require(speech.count == notes.count)
            for (slide, start) in starts.enumerated() {
                let end = slide + 1 < starts.count ? starts[slide + 1] : .infinity
                let own = captions.filter { $0.start >= start - 0.05 && $0.start < end - 0.05 }
                #expect(abs(speech[slide] - start) < 0.05, "slide \(slide + 1) begins at \(start) s")
                #expect(abs((own.first?.start ?? .nan) - start) < 0.05, "slide \(slide + 1)")
                if end.isFinite { #expect(abs((own.last?.end ?? .nan) - end) < 0.05, "slide \(slide + 1)") }
                #expect(own.map { $0.text.replacing("\n", with: " ") }.joined(separator: " ") == notes[slide])
                // The captions that begin a sentence begin where silence ends: espeak-ng is silent for 0.3 s after a
                // sentence.
                for (before, caption) in zip(own, own.dropFirst()) where before.text.hasSuffix(".") {
                    let pause = silences.min { abs($0.end - caption.start) < abs($1.end - caption.start) }
                    let found = try #require(pause)
                    #expect(abs(found.end - caption.start) < 0.05, "slide \(slide + 1): \(caption), \(found)")
                    #expect(found.end - found.start > 0.25, "slide \(slide + 1): \(caption), \(found)")
                }
            }
        }
    }
}

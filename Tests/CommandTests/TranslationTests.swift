import TestSupport
import Testing

extension CommandTests {
    /// Notes and narration of a deck in several languages.
    @Suite(.serialized) struct TranslationTests {
        let folder = TemporaryFolder.make()

        /// A deck of three slides with notes, and a folder with German for it: notes on the first two slides, and a
        /// recording of 3 s at 700 Hz on the second.
        private func stage() throws {
            try NoteSlides.pdf(["One.", "Two.", "Three."]).write(to: folder / "deck.pdf")
            try folder.makeFolder("de")
            for (name, text) in [("01.txt", "Eins."), ("02.txt", "Zwei [click] hier.\n")] {
                try text.write(to: folder / "de/\(name)")
            }
            try Tool.ffmpeg("-f lavfi -i aevalsrc=0.4*sin(2*PI*700*t):d=3 \(folder / "de/02.wav")")
            try Tool.ffmpeg("-f lavfi -i aevalsrc=0.4*sin(2*PI*300*t):d=5 \(folder / "music.wav")")
            // English is a second at 500 Hz, German one at 600 Hz.
            let script = """
                #!/bin/sh
                case $1 in en) hertz=500 ;; de-AT) hertz=600 ;; *) exit 1 ;; esac
                exec ffmpeg -nostdin -v error -f lavfi -i "aevalsrc=0.4*sin(2*PI*$hertz*t):d=1" "$2"

                """
            try script.write(to: folder / "say")
            #expect(chmod(folder / "say", 0o755) == 0)
        }

        private var command: [String] {
            ["deck", folder / "deck.pdf"] + common + [
                "--translation", "de-AT=\(folder / "de")", "--captions-from", "notes", "--transition", "cut",
                "--music", folder / "music.wav",
            ]
        }

        private var common: [String] {
            [
                "--speak", "'\(folder / "say")' {language} {out}", "--speech-cache", folder / "cache", "--language",
                "en", "--size", "64x36", "--preset", "ultrafast", "--audio-codec", "pcm_s16le",
            ]
        }

        /// The slides last for 1, 3 and 1 s: the second as long as its German recording.
        @Test func eachLanguageHasItsTracks() throws {
            try stage()
            let out = folder / "out.mkv"
            let run = try succeed(command + ["--captions-out", folder / "lines.vtt", out])
            let warnings = CommandTests.warnings(run)
            #expect(warnings.count == 1 && warnings[0].contains("de-AT: nothing is said on slide 3"), "\(run.story)")
            #expect(try Judge.video(out).frameCount == 125)
            for kind in ["a", "s"] {
                let languages = try Judge.fields(out, stream: kind, entries: "stream_tags=language")
                #expect(languages == ["eng", "deu"] || languages == ["eng", "ger"], "\(kind): \(languages)")
            }
            let tones: [(frequency: Double, tracks: [[ClosedRange<Double>]])] = [
                (500, [[0...1, 1...2, 4...5], []]), (600, [[], [0...1]]), (700, [[], [1...4]]),
            ]
            for (frequency, tracks) in tones {
                for (track, spans) in tracks.enumerated() {
                    let sound = try Sound(out, track: track)
                    for time in stride(from: 0.3, to: 5, by: 0.5) {
                        let isHeard = spans.contains { $0.contains(time) }
                        let amplitude = sound.amplitude(of: frequency, from: time, length: 0.1)
                        #expect(
                            isHeard ? amplitude > 0.3 : amplitude < 0.02, "\(frequency) Hz, track \(track), \(time) s")
                    }
                    // The music is heard in both, lowered while somebody speaks.
                    let music = sound.amplitude(of: 300, from: 3, length: 0.1)
                    #expect(music > 10 * sound.amplitude(of: 350, from: 3, length: 0.1) && music > 0.002)
                }
            }
            let captions = try (0...1).map { try NoteSlides.captions(out, track: $0) }
            #expect(captions[0].map(\.text) == ["One.", "Two.", "Three."] && captions[0].map(\.start) == [0, 1, 4])
            #expect(captions[1].map(\.text) == ["Eins.", "Zwei hier."] && captions[1].map(\.start) == [0, 1])
            let names = ["lines.vtt", "lines.de-AT.vtt"]
            let texts = try names.map { try String(contentsOf: folder / $0) }
            #expect(texts[0].contains("Three.") && texts[1].contains("Zwei hier.") && !texts[1].contains("One."))
        }

        /// A project has the folders, too; and what is drawn into the picture is in the deck's own language.
        @Test func projectsHaveTranslations() throws {
            try stage()
            try succeed(command + [folder / "out.mkv"])
            try succeed(["export"] + command.dropFirst() + [folder / "talk.yaml"])
            let text = try String(contentsOf: folder / "talk.yaml")
            #expect(text.contains("translations: {de-AT: de}"), "\(text)")
            try succeed([folder / "talk.yaml", folder / "again.mkv"] + common)
            #expect(try Data(contentsOf: folder / "out.mkv") == Data(contentsOf: folder / "again.mkv"))
            try succeed(command + ["--burn-captions", "outline", folder / "burned.mkv"])
            let languages = try Judge.fields(folder / "burned.mkv", stream: "s", entries: "stream_tags=language")
            #expect(languages.count == 1 && languages[0].hasPrefix("d") || languages[0] == "ger", "\(languages)")
        }

        /// One recording of the whole talk, or of each slide, leaves the other language to speak.
        @Test(arguments: ["whole.wav", "recorded"]) func recordedTalksAreTranslated(narration: String) throws {
            try stage()
            try Tool.ffmpeg("-f lavfi -i aevalsrc=0.4*sin(2*PI*500*t):d=12 \(folder / "whole.wav")")
            try folder.makeFolder("recorded")
            for slide in 1...3 {
                try Tool.ffmpeg("-i \(folder / "whole.wav") -t 4 \(folder / "recorded/0\(slide).wav")")
            }
            let out = folder / "out.mkv"
            // Nothing says which language the deck's own notes have, since nobody asks.
            let options = common.filter { !["--language", "en"].contains($0) }
            try succeed(
                "deck \(folder / "deck.pdf") \(out) \(options) --narration \(folder / narration) --translation",
                "de-AT=\(folder / "de") --transition cut")
            for (track, frequency) in [500.0, 600].enumerated() {
                let sound = try Sound(out, track: track)
                #expect(sound.amplitude(of: frequency, from: 0.5, length: 0.1) > 0.3, "track \(track)")
            }
        }

        @Test func mistakesAreSaid() throws {
            try stage()
            // What is translated isn't replaced by the notes that it was translated from.
            try expectExit(
                [
                    "deck", folder / "deck.pdf", folder / "x.mkv", "--translation", "de=\(folder / "de")",
                    "--captions-from", "notes", "--notes-out", folder / "de", "-y",
                ], 64, saying: "01.txt is also an input")
            #expect(try String(contentsOf: folder / "de/01.txt") == "Eins.")
            try folder.makeFolder("empty")
            let out = folder / "out.mkv"
            let mistakes: [(value: String, status: Int32, words: String)] = [
                ("de", 64, "expected LANGUAGE=FOLDER"), ("german=\(folder / "de")", 64, "invalid language 'german'"),
                ("de-a/b=\(folder / "de")", 64, "invalid language 'de-a/b'"),
                ("de=\(folder / "no")", 66, "no such folder"),
                ("de=\(folder / "empty")", 65, "has no translation"),
            ]
            for (value, status, words) in mistakes {
                try expectExit(["deck", folder / "deck.pdf", out, "--translation", value], status, saying: words)
            }
            let unused = try succeed(
                "deck \(folder / "deck.pdf") \(folder / "unused.mkv") --translation de=\(folder / "de") --pause 2",
                "--size 64x36 --preset ultrafast --transition cut")
            #expect(CommandTests.warnings(unused).contains { $0.contains("neither shown nor spoken") })
            // The second slide stays for its recording and the pause, and the others as long as slides stay by default.
            #expect(try Judge.video(folder / "unused.mkv").frameCount == (4 + 5 + 4) * 25)
            try "secret".write(to: folder / "secret.txt")
            try folder.link("de/03.txt", to: folder / "secret.txt")
            try folder.add(folder / "deck.pdf", as: "de/deck.pdf")
            try "clips: [{file: deck.pdf}]\ntranslations: {de: .}".write(to: folder / "de/talk.yaml")
            try expectExit(
                [folder / "de/talk.yaml", folder / "de/o.mkv", "--root", folder / "de", "--captions-from", "notes"], 65,
                saying: "03.txt' is outside")
            try folder.remove("de/03.txt")
            try Data([0xFF, 0xFE, 0x41]).write(to: folder / "de/03.txt")
            try expectExit(
                ["deck", folder / "deck.pdf", out, "--translation", "de=\(folder / "de")"], 65, saying: "UTF-8 text")
            try expectExit(
                ["deck", folder / "deck.pdf", out, "--speak", "'\(folder / "say")' {language} {out}"], 64,
                saying: "give --language")
            #expect(!FileManager.default.fileExists(atPath: out))
        }
    }
}

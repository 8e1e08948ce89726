import TestSupport
import Testing

extension CommandTests {
    /// What people type first, from habit or from the name of the program, in a folder with some files. Each works, or the first
    /// line says what to type.
    @Suite(.serialized) struct FirstGuessTests {
        private static let works = [
            "a.mp4 b.mp4 out.mp4", "a.mp4 b.mp4 -o out.mp4", "-o out.mp4 a.mp4 b.mp4", "a.mp4 b.mp4 --output=out.mp4",
            "join a.mp4 b.mp4 out.mp4", "a.mp4 out.mp4", "a.mp4 out.mp4 --fade-in 0.2", "slides.pdf out.mp4 --hold 0.2",
            "deck slides.pdf out.mp4 --hold 0.2", "render talk.yaml out.mp4", "talk.yaml out.mp4", "edit.otio out.mp4",
            "photos/ out.mp4 --hold 0.2", "photos/*.png out.mp4", "a.mp4 slides.pdf b.mp4 out.mp4 --hold 0.2",
            "a.mp4 photo.png b.mp4 out.mp4", "@list.txt out.mp4", "'a.mp4#cuts=cuts.csv' out.mp4",
            "a.mp4#t=0.2,0.6 b.mp4 out.mp4", "a.mp4 b.mp4 out.mp4 --style fade",
            "a.mp4 b.mp4 out.mp4 --style crossfade", "a.mp4 b.mp4 out.mp4 --style pagecurl",
            "a.mp4 b.mp4 out.mp4 --style page-curl", "a.mp4 b.mp4 out.mp4 --style wipeleft",
            "a.mp4 b.mp4 out.mp4 --transition slideup", "a.mp4 b.mp4 out.mp4 --transition fadeblack=duration=0.2",
            "a.mp4 b.mp4 out.mp4 --style 'Page Flip'", "-i a.mp4 -i b.mp4 out.mp4",
            "-y -i a.mp4 -i b.mp4 -c:v libx264 -crf 30 -preset ultrafast -an out.mp4",
            "-ss 0.2 -to 0.8 -i a.mp4 -i b.mp4 out.mp4", "-ss 0.2 -t 0.5 a.mp4 b.mp4 out.mp4",
            "-o out.mp4 -ss 0.2 a.mp4", "-q deck slides.pdf out.mp4 --hold 0.2",
            "--duration 0.2 join a.mp4 b.mp4 out.mp4", "a.mp4 b.mp4 out.mp4 -c copy",
            "a.mp4 b.mp4 -r 30 -s 128x72 out.mp4", "a.mp4 b.mp4 out.gif", "a.mp4 b.mp4 out.webm",
            "a.mp4 b.mp4 out.mkv --duration 200ms", "a.mp4 b.mp4 out.mp4 --preset-for web --chapters",
            "a.mp4 b.mp4 out.mp4 --hold 0.4", "'photos/%d.png' out.mp4", "'photos/*.png#fps=2' a.mp4 out.mp4",
            "deck a.mp4 photo.png out.mp4 --hold 0.2 --music song.wav", "export a.mp4 b.mp4 out.otio",
            "export slides.pdf out.yaml", "still a.mp4 b.mp4 out.png", "sheet a.mp4 b.mp4 out.png",
        ]

        /// Guesses that end with an error, and what its first line says.
        private static let says: [(words: String, hint: String)] = [
            ("a.mp4", "an output is needed"), ("a.mp4 b.mp4", "the last file is the output"),
            ("a.mp4 b.mp4 out", "name the output .mp4"), ("a.mp4 b.mp4 out.mp5", "name the output .mp4"),
            ("nix.mp4 b.mp4 out.mp4", "nix.mp4"), ("song.wav out.mp4", "no video"),
            ("a.mp4 https://example.org/b.mp4 out.mp4", "https://example.org/b.mp4"),
            ("merge a.mp4 b.mp4 out.mp4", "fliptransition in1.mp4 in2.mp4 out.mp4"),
            ("concat a.mp4 b.mp4 out.mp4", "fliptransition in1.mp4 in2.mp4 out.mp4"),
            ("a.mp4 talk.yaml out.mp4", "describes a whole video"), ("a.mp4 b.mp4 out.mp4 --time 1", "--duration"),
            ("a.mp4 b.mp4 out.mp4 --quality 20", "--crf"), ("a.mp4 b.mp4 out.mp4 --codec h265", "--video-codec"),
            ("a.mp4 b.mp4 out.mp4 --resolution 1080p", "--size"), ("a.mp4 b.mp4 out.mp4 --framerate 30", "--fps"),
            ("a.mp4 b.mp4 out.mp4 --mute", "--no-audio"), ("a.mp4 b.mp4 out.mp4 --effect fade", "--style"),
            ("a.mp4 b.mp4 out.mp4 --fade 1", "--fade-in"), ("a.mp4 b.mp4 out.mp4 --gpu", "h264_nvenc"),
            ("--transition-name fade --out out.mp4 a.mp4 b.mp4", "--style"), ("--out out.mp4 a.mp4 b.mp4", "-o FILE"),
            ("-i a.mp4 -i b.mp4 -filter_complex xfade=transition=fade out.mp4", "--style"),
            ("a.mp4 -mix 15 -mixer luma b.mp4 -consumer avformat:out.mp4", "--duration"),
            ("a.mp4 --edit audio:4%", "auto-editor"), ("a.mp4 b.mp4 out.mp4 --max-size 10M", "--target-size"),
            ("a.mp4 b.mp4 out.mp4 --style flpi", "did you mean 'flip'?"),
            ("a.mp4 b.mp4 out.mp4 --duraton 1", "Did you mean '--duration'?"),
            ("-ss 1 a.mp4", "write clip.mp4#t="), ("plna a.mp4 b.mp4", "did you mean 'plan'?"),
            ("edit.otio out.mp4 --transition cut", "sets it itself"),
        ]

        /// Two short clips, slides, photos, and what names them.
        private func stage() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for name in ["a", "b"] {
                let clip = try clips().make(
                    "guess-\(name).mp4", "-f lavfi -i testsrc2=s=96x54:r=25:d=1 -f lavfi -i sine=d=1 -c:v libx264",
                    "-preset ultrafast -pix_fmt yuv420p -c:a aac")
                try folder.add(clip, as: "\(name).mp4")
            }
            try folder.makeFolder("photos")
            try Tool.ffmpeg("-f lavfi -i testsrc=s=96x54 -frames:v 2 \(folder / "photos/%d.png")")
            try folder.add(folder / "photos/1.png", as: "photo.png")
            try Tool.ffmpeg("-f lavfi -i sine=d=1 \(folder / "song.wav")")
            try DeckFiles.pdf(pages: ["", ""]).write(to: folder / "slides.pdf")
            try DeckTests.write("clips: [a.mp4, b.mp4]\n", folder / "talk.yaml")
            try DeckTests.write("a.mp4\nb.mp4\n", folder / "list.txt")
            try DeckTests.write("0.1,0.4\n0.6,0.9\n", folder / "cuts.csv")
            try type("export a.mp4 b.mp4 edit.otio", folder).succeeded()
            return folder
        }

        private func type(_ words: String, _ folder: TemporaryFolder) throws -> ToolRun {
            try Tool.run("sh", ["-c", "cd \"$1\" && \"$0\" \(words)", try Places.program(), folder.path])
        }

        @Test(.turn(1, of: 3)) func firstGuessesWorkOrAreAnswered() throws {
            #expect(Self.works.count + Self.says.count >= 60)
            let folder = try stage()
            for words in Places.some(Self.works, every: 4) {
                let run = try type(words, folder)
                #expect(run.status == 0, "\(words): \(run.story)")
                let made = try folder.names.filter { $0.hasPrefix("out.") }
                #expect(made.count == 1, "\(words): \(made)")
                // A video says so in a line, unless it has to be quiet.
                let isVideo =
                    !words.contains("-q") && made.contains { !["out.otio", "out.yaml", "out.png"].contains($0) }
                #expect((run.summary?.hasPrefix("out.") ?? false) == isVideo, "\(words): \(run.story)")
                for name in made { try folder.remove(name) }
            }
            let before = try Set(folder.names)
            for (words, hint) in Places.some(Self.says, every: 4) {
                let run = try type(words, folder)
                #expect(run.status != 0 && run.summary == nil, "\(words): \(run.story)")
                #expect(run.messageLines.first?.contains(hint) ?? false, "\(words): \(run.story)")
                #expect(try Set(folder.names) == before, "\(words)")
            }
        }

        /// An option that can't do anything is said to, and is an error where nothing may be overlooked.
        @Test func aClipAloneHasNoTransition() throws {
            let folder = try stage()
            for (option, name) in [("--style fade", "--style"), ("--duration 1", "--duration"), ("--fade-in 0.2", nil)]
            {
                let run = try type("plan a.mp4 out.mp4 \(option)", folder)
                #expect(run.text.contains("has no effect") == (name != nil), "\(run.story)")
                if let name { #expect(run.text.contains("\(name) has no effect, since one clip"), "\(run.story)") }
                #expect(try type("plan a.mp4 out.mp4 --strict \(option)", folder).status == (name == nil ? 0 : 65))
            }
        }

        /// Without a word, the program shows what it can do.
        @Test func nothingShowsExamples() throws {
            let run = try succeed([])
            #expect(run.text.matches(of: #/(?m)^ *fliptransition .*\.mp4.* {2}\w/#).count == 5, "\(run.text)")
            let commands = run.text.components(separatedBy: "SUBCOMMANDS:").last?.matches(of: #/(?m)^  [a-z]+ /#) ?? []
            #expect((5...10).contains(commands.count), "\(run.text)")
        }
    }
}

extension ToolRun {
    fileprivate func succeeded() throws { try #require(status == 0, "\(story)") }
}

import TestSupport
import Testing

extension CommandTests {
    /// The program without a subcommand makes a video of whatever its inputs are.
    @Suite(.serialized) struct VerbTests {
        let folder = TemporaryFolder.make()
        private static let options = ["--size", "160x90"] + SlideProjectTests.lossless

        /// The same bytes, as `words` and as `long` make them, each with an output in the folder after it.
        private func expectSame(
            _ words: [String], _ long: [String], _ folder: TemporaryFolder, options: [String] = Self.options
        ) throws {
            try succeed(long + [folder / "long.mkv", "-y"] + options)
            try succeed(words + [folder / "short.mkv", "-y"] + options)
            let isSame = FileManager.default.contentsEqual(atPath: folder / "short.mkv", andPath: folder / "long.mkv")
            #expect(isSame, "\(words)")
        }

        @Test func theInputsSayWhatIsMade() throws {
            let folder = try SlideProjectTests.stage()
            let (notes, album, film) = (folder / "notes.pdf", folder / "album", folder / "film.mkv")
            let hold = ["--hold", "0.6"]
            try expectSame([notes] + hold, ["deck", notes] + hold, folder)
            try expectSame([album + "/"] + hold, ["deck", album] + hold, folder)
            try expectSame([film, notes] + hold, ["deck", film, notes] + hold, folder)
            // One film is a deck of one slide.
            let fade = ["--fade-in", "1"]
            try expectSame([film] + fade, ["deck", film, "--no-chapters"] + fade, folder)
            // Pictures with an option for slides are slides.
            let pictures = [album + "/001.png", album + "/002.png"]
            try expectSame(pictures + hold, ["deck"] + pictures + hold, folder)

            let clips = [film + "#t=0.4", film, "--transition", "fold=duration=0.4"]
            try DeckTests.write(
                "transition: fold=duration=0.4\nclips: [{file: film.mkv, start: 0.4}, film.mkv]\n", folder / "talk.yaml"
            )
            try expectSame([folder / "talk.yaml"], clips, folder)
            try succeed(["export"] + clips + [folder / "edit.otio"])
            try expectSame([folder / "edit.otio"], ["render", folder / "edit.otio"], folder)
            try succeed(clips + [folder / "clips.mkv"] + Self.options)
            #expect(try Judge.frameHashes(folder / "short.mkv") == Judge.frameHashes(folder / "clips.mkv"))
            // The output may stand anywhere.
            try succeed(["-o", folder / "named.mkv"] + clips + Self.options)
            #expect(FileManager.default.contentsEqual(atPath: folder / "named.mkv", andPath: folder / "clips.mkv"))
        }

        /// What users of ffmpeg type from habit.
        @Test func wordsOfFFmpegAreUnderstood() throws {
            let film = try clips().pattern("verb-film", frames: 60, sound: true)
            let encoder = ["--video-codec", "libx264", "--crf", "0", "--preset", "ultrafast", "--audio-codec", "flac"]
            for (words, long) in [
                (["-ss", "0.4", "-to", "1.2", "-i", film, "-i", film], [film + "#t=0.4,1.2", film]),
                (["-ss", "0:00.4", "-t", "0.8", film, film], [film + "#t=0.4,1.2", film]),
                (["-i", film, "-t", "0.8", "-i", film], [film, film + "#t=0,0.8"]),
                // Between a time and its input, options keep their values.
                (
                    ["-ss", "0.4", "--duration", "0.4", "-y", "-r", "50", film, film],
                    [film + "#t=0.4", film, "--duration", "0.4", "--fps", "50"]
                ),
                (
                    ["-i", film, "-i", film, "-r", "50", "-s", "80x46", "-an", "-pix_fmt", "yuv444p"],
                    [film, film, "--fps", "50", "--size", "80x46", "--no-audio", "--pix-fmt", "yuv444p"]
                ),
                (["-i", film, "-i", film, "-c", "copy"], [film, film, "--render", "auto"]),
            ] {
                let ours = ["-c:v", "libx264", "-crf", "0", "-preset", "ultrafast", "-c:a", "flac"]
                try expectSame(words + ours, long + encoder, folder, options: ["--style", "fold"])
            }
        }

        /// Clips as a project with an entry for each.
        @Test func clipsAreTheSameAsTheirProject() throws {
            let folder = try SlideProjectTests.stage()
            try DeckTests.write("0.1,0.9\n1.2,2\n", folder / "cuts.csv")
            let film = folder / "film.mkv"
            let cases: [(inputs: [String], options: [String], says: [String])] = [
                (
                    [film + "#t=0.4,1.8&volume=-6dB", film + "#captions=\(folder / "lines.srt")", film],
                    [
                        "--transition", "fold=duration=0.4:mode=cubic", "--transition", "cut", "--chapters",
                        "--fade-in", "5f",
                    ],
                    ["start: 0.4, end: 1.8", "volume: \"-6.0dB\"", "transition: cut", "captions: lines.srt"]
                ),
                (
                    [folder / "album/001.png#t=0.8", film, folder / "album/002.png#zoom=1.2,to=top-left"],
                    [
                        "--still-duration", "1", "--look", "paper", "--overlap", "freeze", "--metadata", "title=a: b",
                        "--overlay", folder / "album/003.png@top-left:width=20%", "--cut-below", "0.1", "--no-audio",
                    ], ["still-duration: 1", "zoom: ", "cut-below: 0.1", "audio: false", "file: album/003.png"]
                ),
                (
                    ["@" + folder / "list.txt"],
                    ["--sound", folder / "speech/01.mka@0.1", "--duration", "8f", "--loudness", "-20"],
                    ["sound=", "loudness: \"-20\"", "file: film.mkv"]
                ),
            ]
            try DeckTests.write("film.mkv\nfilm.mkv\n", folder / "list.txt")
            for (inputs, options, says) in cases {
                // The project lies beside the clips, and the command starts elsewhere.
                let path = folder / "clips.yaml"
                try succeed(["export"] + inputs + [path, "-y", "-o", "x.mkv"] + options + Self.options)
                let text = try String(contentsOf: path)
                for words in says { #expect(text.contains(words), "\(words) in\n\(text)") }
                try succeed([path, folder / "project.mkv", "-y"])
                try succeed(inputs + [folder / "join.mkv", "-y"] + options + Self.options)
                #expect(
                    FileManager.default.contentsEqual(atPath: folder / "project.mkv", andPath: folder / "join.mkv"),
                    "\(text)")
            }
            let cuts = try run(["export", film + "#cuts=\(folder / "cuts.csv")", film, folder / "no.yaml"])
            #expect(cuts.status == 64 && cuts.messages.contains("cuts:"), "\(cuts.story)")
            #expect(!FileManager.default.fileExists(atPath: folder / "no.yaml"))
        }

        // MARK: Names of transitions

        @Test(
            .turn(1, of: 2),
            arguments: [
                // ffmpeg, Keynote, PowerPoint, Final Cut Pro, Kdenlive.
                ("fade", "dissolve"), ("wipeleft", "wipe=softness=0"),
                ("revealup", "slide=mode=uncover:orientation=vertical"),
                ("Dip to White", "dip=through=white"), ("Page Curl", "curl"), ("pageCurlDouble", "curl=mode=book"),
                ("Venetian Blinds", "blinds"), ("fallOver", "swing"), ("Luma", "dissolve"),
            ])
        func otherProgramsNamesAreStyles(name: String, spec: String) throws {
            let film = try clips().pattern("verb-film", frames: 60, sound: true)
            let join = { (spec: String, out: String) in
                try succeed(
                    "\(film) \(film + "#t=1") \(folder / out) --video-codec ffv1 --duration 10f --transition \(spec)")
            }
            let run = try join(name, "named.mkv")
            let style = String(spec.prefix { $0 != "=" })
            let notes = run.messageLines.filter { $0.contains("'\(name)' is drawn as \(style)") }
            #expect(notes.count == 1, "\(run.story)")
            #expect(try !join(spec, "styled.mkv").messages.contains("drawn as"))
            #expect(try Judge.frameHashes(folder / "named.mkv") == Judge.frameHashes(folder / "styled.mkv"))
            if !name.contains(" ") {
                let plan = try succeed(["plan", film, film, folder / "o.mkv", "--style", name])
                #expect(plan.messages.contains("'\(name)' is drawn as \(style)"), "\(plan.story)")
            }
        }

        /// ffmpeg's own xfade shows the same halfway.
        @Test(
            arguments: Places.some(
                [
                    "wipeleft", "wiperight", "wipeup", "wipedown", "slideleft", "slideright", "slideup", "slidedown",
                ], every: 4))
        func directionsAreThoseOfFFmpeg(name: String) throws {
            let made = try clips()
            let clips = try [0, 120].map { hue in
                try made.make(
                    "xfade-\(hue).mkv", "-f lavfi -i testsrc2=s=160x90:r=25:d=0.04,hue=h=\(hue) -c:v ffv1 -pix_fmt gbrp"
                )
            }
            try succeed(["still"] + clips + [folder / "ours.png", "--transition", name, "--size", "160x90"])
            let loops = clips.flatMap { ["-stream_loop", "50", "-i", $0] }
            try Tool.ffmpeg(
                "\(loops) -filter_complex xfade=\(name):duration=1.6:offset=0,select=eq(n\\,20)",
                "-frames:v 1 \(folder / "theirs.png")")
            let pictures = try ["ours", "theirs"].map { name in
                try #require(Judge.pictures(folder / "\(name).png", pixelFormat: "gbrp", width: 160, height: 90).first)
            }
            // A row or a column at the boundary aside.
            let difference = PictureDifference(pictures[0], pictures[1])
            #expect(difference.psnr > 22, "\(difference)")
        }
    }
}

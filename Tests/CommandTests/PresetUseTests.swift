import TestSupport
import Testing

extension CommandTests {
    /// `--preset-for` beside other options, in all commands, and as the options that it stands for.
    @Suite(.serialized) struct PresetUseTests {
        let folder = TemporaryFolder.make()

        private func inputs() throws -> [String] {
            try [
                clips().pattern("preset-use-a", frames: 30, sound: true),
                clips().pattern("preset-use-b", frames: 30, hue: 90, sound: true), "--duration", "10f",
            ]
        }

        private func contents(_ path: String) throws -> Data { try Data(contentsOf: path) }

        /// The options that a plan prints in place of the preset, from its JSON.
        private func options(_ arguments: [String]) throws -> [String] {
            let output = try #require(planJSON(arguments)["output"] as? [String: Any])
            return try #require((output["preset"] as? [String: Any])?["options"] as? [String])
        }

        /// The printed options give the same bytes as the preset, also beside options that override it.
        @Test(
            arguments: Places.some(
                [
                    ("web", "mp4", []), ("archive", "mkv", []), ("edit", "mov", []), ("youtube", "mp4", []),
                    ("web", "mp4", ["--crf", "30", "--audio-bitrate", "96500"]), ("web", "mp4", ["--no-audio"]),
                    ("web", "mp4", ["--video-codec", "libx265", "--preset", "ultrafast"]),
                    ("youtube", "mp4", ["--video-options", "g=5:x264-params=me=hex\\:subme=2"]),
                    ("youtube", "mp4", ["--audio-layout", "mono", "--audio-codec", "libmp3lame"]),
                    ("edit", "mov", ["--pix-fmt", "yuv444p10le"]), ("archive", "mkv", ["--audio-rate", "96000"]),
                ] as [(String, String, [String])], every: 4))
        func thePrintedOptionsAreThePreset(preset: String, ending: String, beside: [String]) throws {
            let inputs = try inputs()
            let asked = ["--preset-for", preset] + beside
            try succeed(inputs + asked + [folder / "preset.\(ending)"])
            let printed = try options(inputs + asked + ["x.\(ending)"])
            // Those beside it that aren't printed remain.
            var rest = beside
            for name in printed.filter({ $0.hasPrefix("--") }) {
                if let index = rest.firstIndex(of: name) { rest.removeSubrange(index...index + 1) }
            }
            try succeed(inputs + printed + rest + [folder / "options.\(ending)"])
            let isSame = try contents(folder / "preset.\(ending)") == contents(folder / "options.\(ending)")
            #expect(isSame, "\(printed)")
            // The text is the same for a shell.
            let text = try succeed(["plan"] + inputs + asked + ["x.\(ending)"]).text
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("preset for \(preset): ") })
            let words = try Tool.succeed(
                "sh", ["-c", "printf '%s\\n' \(line.dropFirst("preset for \(preset): ".count))"])
            #expect(words.text.split(separator: "\n").map(String.init) == printed)
        }

        /// The sources of the preset's variants: HDR and transparency.
        @Test func thePrintedOptionsFollowTheClips() throws {
            let alpha = try clips().pattern("preset-alpha", frames: 12, pixelFormat: "yuva444p10le")
            #expect(
                try options([alpha, alpha, "--preset-for", "edit", "x.mov"]) == [
                    "--video-codec", "prores_ks", "--pix-fmt", "yuva444p10le", "--video-options", "profile=4444",
                    "--audio-codec", "pcm_s24le",
                ])
            let hdr = try clips().make(
                "preset-use-hdr.mkv",
                "-f lavfi -i testsrc2=s=160x90:r=50 -frames:v 12 -vf format=yuv420p10le -c:v ffv1",
                "-colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084")
            let join = [hdr, hdr, "--duration", "4f", "--preset", "ultrafast"]
            let printed = try options(join + ["--preset-for", "youtube", "x.mp4"])
            #expect(printed.contains("g=25:bf=2:x265-params=open-gop=0"), "\(printed)")
            try succeed(join + ["--preset-for", "youtube", folder / "preset.mp4"])
            try succeed(join + printed + [folder / "options.mp4"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "preset.mp4", andPath: folder / "options.mp4"))
        }

        // MARK: Options beside it

        @Test func optionsBesideItWin() throws {
            let inputs = try inputs()
            let out = folder / "out.mp4"
            let text = { (options: [String]) throws -> String in
                try succeed(inputs + ["-y", "--preset-for", "web"] + options + [out])
                return String(decoding: try self.contents(out), as: UTF8.self)
            }
            #expect(try text([]).contains(" crf=21.0 ") && text(["--crf", "30"]).contains(" crf=30.0 "))
            let rated = try text(["--bitrate", "400k"])
            #expect(rated.contains(" rc=abr ") && rated.contains(" bitrate=400 "))
            // With another encoder, the quality is that encoder's own: x265's here is 20.
            #expect(try text(["--video-codec", "libx265", "--preset", "ultrafast"]).contains(" crf=20.0 "))
            #expect(try Judge.video(out).codec == "hevc")
            _ = try text(["--audio-codec", "libopus", "--audio-layout", "mono"])
            #expect(try Judge.audio(out)?.codec == "opus" && Judge.audio(out)?.channels == 1)
            _ = try text(["--audio-rate", "44100"])
            #expect(try Judge.audio(out)?.sampleRate == 44_100)
            // An encoder option replaces the preset's of the same name, and the others stay.
            try succeed(inputs + ["-y", "--preset-for", "youtube", "--video-options", "g=5", out])
            let x264 = String(decoding: try contents(out), as: UTF8.self)
            #expect(x264.contains(" keyint=5 ") && x264.contains(" bframes=2 ") && x264.contains(" crf=18.0 "))
        }

        @Test func rateAndLayoutWorkByThemselves() throws {
            try succeed("\(inputs()) --audio-rate 32000 --audio-layout 5.1 --audio-codec flac \(folder / "out.mkv")")
            let audio = try #require(try Judge.audio(folder / "out.mkv"))
            #expect(audio.sampleRate == 32_000 && audio.channels == 6)
            for (options, word) in [
                (["--audio-rate", "7999"], "8000...192000"), (["--audio-rate", "fast"], "'fast'"),
                (["--audio-layout", "octagonal"], "mono|stereo|5.1|7.1"), (["--audio-rate", "11111"], "11111 Hz"),
            ] {
                try expectExit(inputs() + options + [folder / "x.mp4"], 64, saying: word, lines: 1)
            }
            #expect(try folder.names == ["out.mkv"])
        }

        // MARK: Refusals

        @Test func whatCannotBeIsRefused() throws {
            let inputs = try inputs()
            for (preset, name, words) in [
                ("edit", "out.webm", ["out.webm", "edit", ".mov or .qt"]),
                ("edit", "out.mp4", [".mov or .qt"]), ("archive", "out.mp4", ["archive", ".mkv"]),
                ("web", "out.mkv", [".mp4 or .m4v"]), ("youtube", "out.gif", [".mp4 or .m4v"]),
                ("broadcast", "out.mp4", ["'broadcast'", "web|archive|edit|youtube"]), ("", "out.mp4", ["''"]),
            ] {
                let run = try expectExit(inputs + ["--preset-for", preset, folder / name], 64, lines: 1)
                for word in words { #expect(run.messages.contains(word), "\(word): \(run.messages)") }
            }
            let piped = try CommandTests.run(inputs + ["--preset-for", "web", "-f", "nut", "-"])
            #expect(
                piped.status == 64 && piped.output.isEmpty && piped.messages.contains("--format mp4"), "\(piped.story)")
            for command in ["still", "sheet"] {
                let run = try CommandTests.run("\(command) \(inputs.prefix(2)) --preset-for web \(folder / "x.png")")
                #expect(run.status == 64 && run.messageLines.count == 1, "\(run.story)")
                #expect(run.messages.contains("--preset-for"), "\(run.messages)")
            }
            #expect(try folder.names == [])
        }

        @Test func standardOutputTakesAPreset() throws {
            let run = try succeed(inputs() + ["--preset-for", "archive", "-f", "matroska", "-"])
            try run.output.write(to: folder / "out.mkv")
            #expect(try Judge.video(folder / "out.mkv").frameCount == 50)
        }

        /// A first clip that is passed on as it comes gives the same bytes as a file.
        @Test func pipesHaveIt() throws {
            let inputs = try inputs()
            let command = "cat \"$1\" | \"$0\" - \"$2\" --duration 10f --preset-for web \"$3\""
            try Tool.succeed("sh", ["-c", command, Places.program(), inputs[0], inputs[1], folder / "piped.mp4"])
            try succeed(inputs + ["--preset-for", "web", folder / "file.mp4"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "piped.mp4", andPath: folder / "file.mp4"))
        }

        /// Every preset without a limit can be rendered in segments, with the same bytes for any number of threads and as jobs.
        @Test(arguments: Places.some(PresetKind.all.filter { !PresetKind.limited.contains($0.name) }, every: 4))
        func segmentsHaveIt(kind: PresetKind) throws {
            let inputs = try inputs()
            try "transition: flip=duration=10f\nclips: [\(inputs[0]), \(inputs[1])]\n".write(to: folder / "p.yaml")
            let render = { (name: String, options: [String]) in
                let asked = ["--preset-for", kind.name, "--segments", "20f", folder / "\(name).\(kind.ending)"]
                try succeed(["render", folder / "p.yaml"] + options + asked)
                return try self.contents(folder / "\(name).\(kind.ending)")
            }
            let one = try render("one", ["--threads", "1"])
            let areSame = try render("two", ["--threads", "2"]) == one && render("jobs", ["--engine", "local"]) == one
            #expect(areSame)
            #expect(try Judge.complaints(folder / "one.\(kind.ending)") == "")
            #expect(try Judge.video(folder / "one.\(kind.ending)").frameCount == 50)
        }

        // MARK: Commands

        @Test func projectsHaveIt() throws {
            let inputs = try inputs()
            let write = { (output: String) in
                try "output: \(output)\ntransition: flip=duration=10f\nclips: [\(inputs[0]), \(inputs[1])]\n".write(
                    to: folder / "p.yaml")
            }
            try succeed(inputs + ["--preset-for", "web", folder / "web.mp4"])
            try succeed("\(inputs) --preset-for web --crf 35 --audio-layout mono \(folder / "other.mp4")")
            try write("{preset-for: web}")
            try succeed(["render", folder / "p.yaml", folder / "project.mp4"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "web.mp4", andPath: folder / "project.mp4"))
            let plan = try succeed(["plan", folder / "p.yaml", "x.mp4"]).text
            #expect(plan.contains("\npreset for web: --video-codec libx264 --crf 21 "), "\(plan)")
            // Settings beside it win, and so do options on the command line, where another preset may be given, too.
            try write("{preset-for: web, crf: 35, audio-layout: mono, audio-rate: 48000}")
            try succeed(["render", folder / "p.yaml", "-y", folder / "project.mp4"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "other.mp4", andPath: folder / "project.mp4"))
            try write("{preset-for: archive}")
            try succeed(["render", folder / "p.yaml", "--preset-for", "web", "-y", folder / "project.mp4"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "web.mp4", andPath: folder / "project.mp4"))
            try write("{preset-for: film}")
            try expectExit(["render", folder / "p.yaml", folder / "x.mp4"], 65, saying: "p.yaml:1:22:")
        }

        @Test func batchesHaveIt() throws {
            let inputs = try inputs()
            let text = """
                defaults: {preset-for: web, duration: 10f}
                jobs:
                  - {output: a.mp4, join: [\(inputs[0]), \(inputs[1])]}
                  - {output: b.mkv, join: [\(inputs[0]), \(inputs[1])], preset-for: archive}
                """
            try text.write(to: folder / "m.yaml")
            try succeed(["batch", folder / "m.yaml"])
            // Jobs use one thread.
            try succeed(inputs + ["--preset-for", "web", "--threads", "1", folder / "one.mp4"])
            #expect(FileManager.default.contentsEqual(atPath: folder / "one.mp4", andPath: folder / "a.mp4"))
            #expect(try Judge.video(folder / "b.mkv").codec == "ffv1" && Judge.audio(folder / "b.mkv")?.codec == "flac")
        }

        @Test(.turn(1, of: 2)) func decksHaveIt() throws {
            let slides = try [0, 90].map { hue in
                try clips().make(
                    "preset-slide-\(hue).png", "-f lavfi -i testsrc2=s=320x180 -vf hue=h=\(hue) -frames:v 1")
            }
            let deck = ["deck"] + slides + ["--hold", "1", "--fps", "30", "--duration", "0.4", "--size", "320x180"]
            for kind in PresetKind.all {
                let out = folder / "out.\(kind.ending)"
                try succeed(deck + ["-y", "--preset-for", kind.name, out])
                let video = try Judge.video(out)
                #expect(video.codec == kind.codec && video.frameCount == 60, "\(kind.name): \(video.frameCount)")
                if kind.name != "archive" { #expect(video.pixelFormat == kind.pixelFormat) }
                #expect(try Judge.complaints(out) == "")
            }
        }

        /// Packets are copied where the clips are like the preset's output.
        @Test func copyingGoesWithIt() throws {
            let clip = try clips().make(
                "preset-copied.mp4", "-f lavfi -i testsrc2=s=160x90:r=25:d=6 -vf format=yuv420p -c:v libx264 -g 25")
            try succeed([clip, clip, "--preset-for", "web", "--render", "smart", folder / "out.mp4"])
            #expect(try Judge.complaints(folder / "out.mp4") == "")
            let frames = try Judge.frameHashes(folder / "out.mp4")
            #expect(try frames.prefix(100) == Judge.frameHashes(clip).prefix(100))
            let refused = try CommandTests.run(
                "\(clip) \(clip) --preset-for youtube --render smart \(folder / "x.mp4")")
            #expect(refused.status == 64 && refused.messages.contains("--preset-for youtube"), "\(refused.story)")
            // Without copying, the archive's own encoder is used, and not the container's default.
            try succeed([clip, clip, "--preset-for", "archive", "--render", "auto", folder / "out.mkv"])
            #expect(try Judge.video(folder / "out.mkv").codec == "ffv1")
            // Archives have the header that the preset's encoder writes.
            let archive = try Judge.frameHashes(folder / "out.mkv")
            let again = [folder / "out.mkv", folder / "out.mkv", "--preset-for", "archive", "--render", "smart"]
            try succeed(again + ["--transition", "cut", folder / "again.mkv"])
            #expect(try Judge.frameHashes(folder / "again.mkv") == archive + archive)
        }

        @Test func commandsForFFmpegHaveIt() throws {
            let command = try succeed(["export", "--as", "ffmpeg"] + inputs() + ["--preset-for", "edit", "out.mov"])
                .text
            for words in ["-c:v prores_ks", "-profile hq", "-pix_fmt yuv422p10le", "-c:a pcm_s24le"] {
                #expect(command.contains(words), "\(words): \(command)")
            }
        }
    }
}

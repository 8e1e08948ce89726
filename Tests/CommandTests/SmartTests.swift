import TestSupport
import Testing

extension CommandTests {
    @Suite(.serialized) struct SmartTests {
        /// The number of frames of each clip, from one keyframe to the next, and of two clips with a transition of 15 frames.
        private static let (length, group, total) = (100, 30, 185)

        /// A clip with a closed GOP of 30 frames.
        private func clip(_ name: String, hue: Int = 0, _ settings: [String] = []) throws -> String {
            try clips().make(
                name, "-f lavfi -i testsrc2=s=320x180:r=30:d=1000 -f lavfi -i sine=f=440:r=48000:d=1000",
                "-frames:v \(Self.length) -vf hue=h=\(hue),format=yuv420p -c:v libx264 -g \(Self.group)",
                "-sc_threshold 0 -colorspace bt709 -color_primaries bt709 -color_trc bt709 -c:a aac",
                "-shortest \(settings)")
        }

        /// Checks the frames and time stamps of a join, and that it decodes without errors. It must begin with the
        /// frames `ownFirst` and end with `ownLast`; all frames must look like those of the lossless join.
        private func expectSound(
            _ output: String, _ report: String, lossless: String, ownFirst: ArraySlice<String>,
            ownLast: ArraySlice<String>
        ) throws {
            let video = try Judge.video(output)
            let hashes = try Judge.frameHashes(output)
            #expect(video.isEven(atRate: 30) && video.times.first == 0 && video.codec == "h264")
            #expect(try Judge.complaints(output) == "")
            #expect(hashes.prefix(ownFirst.count) == ownFirst && hashes.suffix(ownLast.count) == ownLast)
            let (pictures, meant) = try (pictures(output), pictures(lossless))
            try #require(pictures.count == meant.count && hashes.count == meant.count)
            for index in meant.indices {
                let difference = PictureDifference(pictures[index], meant[index])
                #expect(difference.psnr > 30, "frame \(index): \(difference)")
            }
            let json = try JSONValue(Data(contentsOf: report))
            let copied = try #require(json.numbers(under: "framesCopied").first)
            #expect(copied >= Double(ownFirst.count + ownLast.count))
            #expect(json.numbers(under: "framesEncoded") == [Double(meant.count) - copied])
        }

        @Test func everySeekFindsItsFrame() throws {
            let folder = try TemporaryFolder()
            let a = try clip("smart-seek-a.mp4")
            let b = try clip("smart-seek-b.mp4", hue: 90, ["-profile:v", "main", "-bf", "1"])
            try succeed([a, b, "--duration", "15f", "--render", "smart", folder / "out.mp4"])
            try expectSeeks(folder / "out.mp4", frames: Self.total)
        }

        /// Clips are copied in part with trims, hard cuts, held frames, and a clip that is used twice.
        @Test(arguments: Places.some(["trims", "cuts", "freeze"], every: 3))
        func timelinesOfAllKindsAreCopied(kind: String) throws {
            let folder = try TemporaryFolder()
            let a = try clip("smart-kinds-a.mp4")
            let b = try clip("smart-kinds-b.mp4", hue: 90, ["-bf", "0"])
            let arguments =
                switch kind {
                // Frames 10...94 and 6...95.
                case "trims": [a + "#t=0.3333,3.1667", b + "#t=0.2,3.2", "--duration", "15f"]
                case "cuts": [a, b, a, "--transition", "cut"]
                default: [a, b, "--overlap", "freeze", "--duration", "9f"]
                }
            try succeed(arguments + ["--video-codec", "ffv1", folder / "lossless.mkv"])
            try succeed("\(arguments) --render smart -y --report \(folder / "report.json") \(folder / "out.mp4")")
            let (own, other) = try (Judge.frameHashes(a), Judge.frameHashes(b))
            let (first, last) =
                switch kind {
                case "trims": (own[0..<0], other[0..<0])
                case "cuts": (own[...] + other[...] + own[..<84], own[84...])
                default: (own[..<84], other[...])
                }
            try expectSound(
                folder / "out.mp4", folder / "report.json", lossless: folder / "lossless.mkv", ownFirst: first,
                ownLast: last)
            guard kind == "trims" else { return }
            // The first keyframe in use is 30, which comes 20 frames after the start of the trim.
            let hashes = try Judge.frameHashes(folder / "out.mp4")
            #expect(hashes[20..<50] == own[30..<60])
        }

        /// A stretch can begin in a clip's middle, whether or not an index says where the clip's packets lie.
        @Test(
            arguments: Places.some(
                [
                    ("late.mp4", []), ("late.mov", []), ("late-parts.mp4", ["-movflags", "frag_keyframe+empty_moov"]),
                    ("late.mkv", []), ("late.ts", []),
                ], every: 3))
        func stretchesBeginInTheMiddle(name: String, settings: [String]) throws {
            let folder = try TemporaryFolder()
            let clip = try clip("smart-" + name, ["-bf", "3"] + settings)
            let own = try Judge.frameHashes(clip)
            // The first part is 55..., copied from the keyframe 60 on; the second is 20..., copied from the keyframe 30
            // on.
            try succeed([
                clip + "#t=1.8333", clip + "#t=0.6667", "--duration", "5f", "--render", "smart", folder / "out.mp4",
            ])
            let hashes = try Judge.frameHashes(folder / "out.mp4")
            try #require(hashes.count == 45 + 80 - 5)
            #expect(hashes[5..<35] == own[60..<90])
            #expect(hashes[50...] == own[30...])
            #expect(try Judge.complaints(folder / "out.mp4") == "")
        }

        @Test func whatCannotBeCopiedIsSaid() throws {
            let folder = try TemporaryFolder()
            let a = try clip("smart-refuse-a.mp4")
            let small = try clip("smart-refuse-small.mp4", ["-s", "160x90"])
            let slow = try clip("smart-refuse-slow.mp4", ["-r", "25"])
            let interlaced = try clip(
                "smart-refuse-interlaced.mp4", ["-flags", "+ilme+ildct", "-x264-params", "tff=1"])
            let hevc = try clip("smart-refuse-hevc.mp4", ["-c:v", "libx265", "-x265-params", "log-level=error"])
            let tagged = try clip("smart-refuse-tagged.mp4", ["-color_trc", "smpte170m"])
            for (second, status, word) in [
                (small, 65, "scaled"), (slow, 65, "25"), (interlaced, 65, "interlac"), (hevc, 65, "hevc"),
                (tagged, 65, "color tags"),
            ] {
                let run = try run([a, second, "--render", "smart", folder / "no.mp4"])
                #expect(run.status == Int32(status) && run.messages.contains(word), "\(run.story)")
                #expect(run.messageLines.count == 1)
            }
            var others = [
                [folder / "no.avi"], ["--strict", folder / "no.mp4"], ["--format", "matroska", "-"],
                ["--video-options", "tune=film", folder / "no.mp4"], ["--pix-fmt", "gray", folder / "no.mp4"],
            ]
            // A portable program doesn't have this encoder.
            if Places.usesSystemLibraries { others.append(["--video-codec", "libtheora", folder / "no.mkv"]) }
            for arguments in others {
                let run = try run([a, a, "--render", "smart"] + arguments)
                #expect(run.status == 64 && run.messageLines.count == 1, "\(run.story)")
            }
            #expect(try run([a, a, "--render", "some", folder / "no.mp4"]).status == 64)
            #expect(try folder.names == [])
        }

        @Test func autoCopiesWhatItCan() throws {
            let folder = try TemporaryFolder()
            let a = try clip("smart-auto-a.mp4")
            let small = try clip("smart-auto-small.mp4", ["-s", "160x90"])
            let part = try succeed([a, small, "--duration", "15f", "--render", "auto", folder / "part.mp4"])
            #expect(part.messageLines.count == 1 && part.messages.contains("scaled"), "\(part.messages)")
            let own = try Judge.frameHashes(a)
            #expect(try Judge.frameHashes(folder / "part.mp4").prefix(69) == own.prefix(69))
            #expect(try Judge.complaints(folder / "part.mp4") == "")

            let arguments = [a, a, "--duration", "15f", "--video-options", "tune=film"]
            let none = try succeed(arguments + ["--render", "auto", folder / "none.mp4"])
            #expect(none.messageLines.count == 1 && none.messages.contains("copied 0 of 185"), "\(none.messages)")
            try succeed(arguments + [folder / "full.mp4"])
            let files = try ["none.mp4", "full.mp4"].map { try Data(contentsOf: folder / $0) }
            #expect(files[0] == files[1])
        }

        /// If damage next to a seam keeps copied packets from decoding without errors, everything is encoded.
        @Test func aSeamThatFailsIsEncoded() throws {
            let folder = try TemporaryFolder()
            let a = try clip("smart-damage-a.mp4", ["-bf", "0", "-crf", "10"])
            try Clips.damage(packet: 82, of: a, from: 60, as: folder / "damaged.mp4")
            let arguments = [folder / "damaged.mp4", a, "--duration", "15f"]
            let strict = try run(arguments + ["--render", "smart", folder / "no.mp4"])
            #expect(strict.status == 65 && strict.messageLines.count == 1, "\(strict.story)")
            #expect(try folder.names == ["damaged.mp4"])
            let run = try succeed(arguments + ["--render", "auto", folder / "out.mp4"])
            #expect(run.messages.contains("everything is encoded"), "\(run.messages)")
            #expect(try Judge.video(folder / "out.mp4").frameCount == Self.total)
            #expect(try Judge.complaints(folder / "out.mp4") == "")
        }

        #if os(Linux)
            /// The output of the run as the terminal gets it.
            private func shown(_ words: [String], columns: Int) throws -> String {
                let command = try ([Places.program()] + words).map { "'\($0)'" }.joined(separator: " ")
                return try Tool.run("script", ["-qec", "stty cols \(columns); \(command)", "/dev/null"]).text
            }

            @Test func aLineThatIsRewrittenFitsOnTheTerminal() throws {
                let folder = try TemporaryFolder()
                let a = try clip("smart-hint-a.mp4")
                let lines = try shown([a, a, folder / "out.mp4"], columns: 24)
                    .split(separator: "\u{1B}[K").filter {
                        $0.contains(" frames ") && !$0.hasPrefix("fliptransition: ")
                    }
                #expect(!lines.isEmpty)
                for line in lines { #expect(line.trimmingCharacters(in: .newlines).count < 24, "\(line)") }
            }

            /// Damage is found while frames are written, and is an error here.
            @Test func anErrorTakesThePlaceOfTheProgress() throws {
                let folder = try TemporaryFolder()
                let a = try clip("smart-damage-a.mp4", ["-bf", "0", "-crf", "10"])
                try Clips.damage(packet: 82, of: a, from: 60, as: folder / "damaged.mp4")
                let text = try shown([folder / "damaged.mp4", a, "--strict", folder / "out.mp4"], columns: 200)
                #expect(text.contains(" frames "), "\(text)")
                #expect(text.contains("\r\u{1B}[Kfliptransition: error: "), "\(text)")
            }

            @Test func aTerminalIsToldWhatCouldHaveBeenCopied() throws {
                let folder = try TemporaryFolder()
                let a = try clip("smart-hint-a.mp4")
                let program = try Places.program()
                let run = try Tool.succeed(
                    "script", ["-qec", "'\(program)' '\(a)' '\(a)' '\(folder / "out.mp4")'", "/dev/null"])
                #expect(run.text.contains("--render auto might copy up to"), "\(run.text)")
                #expect(try succeed([a, a, folder / "quiet.mp4"]).messages == "")
            }
        #endif
    }
}

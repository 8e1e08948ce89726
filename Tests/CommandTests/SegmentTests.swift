import TestSupport
import Testing

extension CommandTests {
    /// `--segments`: rendering segments in parallel gives the same as rendering them one after another.
    @Suite(.serialized) struct SegmentTests {
        let folder = TemporaryFolder.make()

        /// The number of frames of each clip, of the transition and of the output.
        private static let (length, overlap) = (120, 40)
        private static let total = 200

        /// Two clips with a keyframe every 12 frames and with audio.
        private func inputs() throws -> [String] {
            try [("segment-a.mp4", 0), ("segment-b.mp4", 90)].map { name, hue in
                try clips().make(
                    name, "-f lavfi -i testsrc2=s=256x144:r=30:d=1000 -f lavfi -i sine=f=440:r=48000:d=1000",
                    "-frames:v \(Self.length) -vf hue=h=\(hue),format=yuv420p -c:v libx264 -g 12 -colorspace bt709",
                    "-color_primaries bt709 -color_trc bt709 -c:a aac -shortest")
            }
        }

        private func join(_ options: [String], to output: String) throws {
            try succeed(inputs() + ["--duration", "\(Self.overlap)f"] + options + [output])
        }

        private func bytes(_ path: String) throws -> Data { try Data(contentsOf: path) }

        /// The frame ranges of the segments in the plan.
        private func segments(_ arguments: [String]) throws -> [Range<Int>] {
            let rows = try planRows("renderSegments", arguments)
            for (index, row) in rows.enumerated() { #expect(row["index"] as? Int == index) }
            return try rows.map { row in
                let (first, count) = try (#require(row["firstFrame"] as? Int), #require(row["frames"] as? Int))
                return first..<first + count
            }
        }

        /// The encoders and containers that are tested.
        private static let kinds =
            [("libx264", "mp4"), ("libx265", "mp4"), ("libvpx-vp9", "webm")]
            + (Places.runsSlowTests
                ? [("libx264", "mkv"), ("libx264rgb", "mkv"), ("mjpeg", "mov"), ("ffv1", "mkv")] : [])

        /// The number of workers does not change the output. The transition is 80..<120: boundaries lie before, in and
        /// after it.
        @Test(arguments: Places.some(kinds, every: 3))
        func workersDoNotChangeABit(codec: String, container: String) throws {
            let speed = codec == "libvpx-vp9" ? ["--video-options", "cpu-used=8:deadline=realtime"] : []
            var outputs: [Data] = []
            for workers in [1, 2, 3] {
                let out = folder / "out\(workers).\(container)"
                try join(
                    [
                        "--segments", "33f", "--video-codec", codec, "--threads", "\(workers)", "-y", "--report",
                        folder / "r",
                    ] + speed,
                    to: out)
                let report = try JSONValue(bytes(folder / "r"))
                #expect(report.numbers(under: "workers") == [Double(workers)])
                outputs.append(try bytes(out))
            }
            let areTheSame = outputs.allSatisfy { $0 == outputs[0] }
            #expect(areTheSame)
            let out = folder / "out1.\(container)"
            let video = try Judge.video(out)
            #expect(video.frameCount == Self.total && video.isEven(atRate: 30) && video.times.first == 0)
            #expect(try Judge.complaints(out) == "")
            let rows = try Judge.rows(out, "packets", "-select_streams v -show_entries packet=pts_time,dts_time,flags")
            let keyTimes = rows.filter { ($0["flags"] as? String)?.hasPrefix("K") == true }
                .compactMap { ($0["pts_time"] as? String).flatMap(Double.init) }.map { Int(($0 * 30).rounded()) }
            #expect(Set([0, 33, 66, 99, 132, 165]).isSubset(of: keyTimes))
            let decoding = rows.compactMap { ($0["dts_time"] as? String).flatMap(Double.init) }
            // DTS advance evenly across all seams.
            for (before, after) in zip(decoding, decoding.dropFirst()) {
                #expect(abs(after - before - 1.0 / 30) <= video.tick * 1.01)
            }
        }

        /// Between copied packets, what is encoded is cut, too: the number of workers changes nothing, copied frames
        /// are those of a run in one pass, and each encoded frame shows what it should.
        @Test(arguments: Places.some(["mp4", "mkv", "ts"], every: 3))
        func segmentsStandBetweenCopies(container: String) throws {
            let smart = ["--render", "smart", "--crf", "14"]
            let pass = folder / "pass.\(container)"
            try join(smart + ["--segments", "off"], to: pass)
            try join(["--video-codec", "ffv1"], to: folder / "reference.mkv")
            let arguments = try inputs() + ["--duration", "\(Self.overlap)f"] + smart + ["--segments", "17f"]
            var outputs: [Data] = []
            for workers in [1, 3] {
                let out = folder / "out\(workers).\(container)"
                try succeed(arguments + ["--threads", "\(workers)", "--report", folder / "r", "-y", out])
                #expect(try JSONValue(bytes(folder / "r")).numbers(under: "workers") == [Double(workers)])
                outputs.append(try bytes(out))
            }
            let areTheSame = outputs[0] == outputs[1]
            #expect(areTheSame)

            let rows = try planRows("segments", arguments + ["out.\(container)"])
            let copied = try Set(
                rows.filter { $0["isCopied"] as? Bool == true }.flatMap { row in
                    let start = try #require(row["start"] as? Int)
                    return try start..<start + #require(row["frames"] as? Int)
                })
            let cut = try segments(arguments + ["out.\(container)"])
            #expect(cut.count > 2 && copied.count > 100)
            #expect(Array(cut.joined()) == (0..<Self.total).filter { !copied.contains($0) })

            let out = folder / "out3.\(container)"
            let (own, others) = try (Judge.frameHashes(out), Judge.frameHashes(pass))
            #expect(own.count == Self.total && others.count == Self.total)
            #expect(copied.allSatisfy { own[$0] == others[$0] })
            let psnr = try Judge.psnr(out, folder / "reference.mkv")
            #expect(psnr.count == Self.total && psnr.allSatisfy { $0 > 33 }, "least \(psnr.min() ?? 0) dB")
            #expect(try Judge.complaints(out) == "" && Judge.video(out).isEven(atRate: 30))
            let isTheSameSound = try Judge.samples(out) == Judge.samples(pass)
            #expect(isTheSameSound)
        }

        /// Each segment has the frames that ffmpeg gets by encoding its range of a lossless join on its own.
        @Test func eachSegmentIsAnEncodeOfItsOwn() throws {
            try join(["--video-codec", "ffv1", "--no-audio"], to: folder / "lossless.mkv")
            try join(["--segments", "33f", "--crf", "20", "--no-audio"], to: folder / "out.mp4")
            let hashes = try Judge.frameHashes(folder / "out.mp4")
            try #require(hashes.count == Self.total)
            let ranges = [0..<33, 33..<66, 66..<99, 99..<132, 132..<165, 165..<200]
            for range in ranges {
                let part = folder / "part.mp4"
                try Tool.ffmpeg(
                    "-y -i \(folder / "lossless.mkv") -vf",
                    "trim=start_frame=\(range.lowerBound):end_frame=\(range.upperBound),setpts=N/30/TB,fps=30",
                    "-fps_mode passthrough -c:v libx264 -crf 20 -preset medium -threads 1 \(part)")
                let isTheSame = try Judge.frameHashes(part) == Array(hashes[range])
                #expect(isTheSame, "\(range)")
            }
        }

        /// With a lossless codec, segments give what one pass gives, with transitions of all kinds, other rates, trims
        /// and pictures.
        @Test(arguments: Places.some(["play", "freeze", "cut", "rate", "trim", "still"], every: 6))
        func losslessSegmentsAreThePass(kind: String) throws {
            let (a, b) = try (inputs()[0], inputs()[1])
            let arguments =
                switch kind {
                case "freeze": [a, b, "--duration", "25f", "--overlap", "freeze"]
                case "cut": [a, b, a, "--transition", "cut"]
                case "rate": [a, b, "--duration", "25f", "--fps", "24000/1001"]
                case "trim": [a + "#t=0.5,3.5", b + "#t=1.1,3.9", "--duration", "25f"]
                case "still":
                    [a, try clips().make("segment-b.png", ["-i", b, "-frames:v", "1"]), b, "--duration", "20f"]
                default: [a, b, "--duration", "100f"]
                }
            let losslessX264 = kind == "play" || Places.runsSlowTests ? [("x264.mp4", ["--crf", "0"])] : []
            for (name, options) in [("ffv1.mkv", ["--video-codec", "ffv1"])] + losslessX264 {
                try succeed(arguments + options + [folder / "whole-\(name)"])
                try succeed(arguments + options + ["--segments", "17f", folder / "parts-\(name)"])
                let (whole, parts) = try (
                    Judge.frameHashes(folder / "whole-\(name)"), Judge.frameHashes(folder / "parts-\(name)")
                )
                let areTheSame = whole == parts
                #expect(areTheSame && whole.count > 100, "\(name)")
                let (sound, own) = try (
                    Judge.samples(folder / "whole-\(name)"), Judge.samples(folder / "parts-\(name)")
                )
                let isUntouched = sound == own
                #expect(isUntouched && !sound.isEmpty, "\(name)")
            }
        }

        /// Segments are the frames of one pass even if a clip has a variable rate, is interlaced or rotated, or can't
        /// be sought in.
        @Test(
            .needsMedia,
            arguments: Places.some(
                ["h264-aac-rotate180-720p-phone-vfr.mp4", "h264-starts-at-10s-sar.mp4"]
                    + (Places.runsSlowTests
                        ? [
                            "h264-ac3-interlaced-tff-1080i50-avchd.mts", "h264-aac-640x480-30fps-bw-film.mp4",
                            "hevc-854x480-1s.ts",
                        ] : []),
                every: 2))
        func realClipsAreReadFromTheMiddle(name: String) throws {
            let clip = try medium(name)
            let arguments = [clip, clip, "--duration", "5f", "--size", "160x90", "--no-audio", "--video-codec", "ffv1"]
            try succeed(arguments + [folder / "whole.mkv"])
            try succeed(arguments + ["--segments", "9f", folder / "parts.mkv"])
            let areTheSame = try Judge.frameHashes(folder / "whole.mkv") == Judge.frameHashes(folder / "parts.mkv")
            #expect(areTheSame)
        }

        @Test func thePlanListsSegmentsThatTileTheOutput() throws {
            let joined = try inputs() + ["--duration", "\(Self.overlap)f"]
            for length in [1, 7, 33, 50, 90, 150, 250] {
                let segments = try segments(joined + ["--segments", "\(length)f", "out.mp4"])
                #expect(segments.first?.lowerBound == 0 && segments.last?.upperBound == Self.total)
                for (before, after) in zip(segments, segments.dropFirst()) {
                    #expect(before.upperBound == after.lowerBound)
                }
                #expect(segments.allSatisfy { !$0.isEmpty && 2 * $0.count >= length || $0.count == Self.total })
            }
            // Frame 90 is in the transition, which begins at 80, so the boundary moves there.
            #expect(try segments(joined + ["--segments", "90f", "out.mp4"]) == [0..<80, 80..<200])
            #expect(try segments(joined + ["--segments", "2", "out.mp4"]) == [0..<60, 60..<120, 120..<200])
            for options in [
                ["--segments", "off"], [], ["--threads", "8"], ["--segments", "auto", "--threads", "64"],
            ] {
                #expect(try segments(joined + options + ["out.mp4"]) == [0..<Self.total])
            }
        }

        /// With 8 to 10 threads, 2400 frames are rendered in 9 segments of 250 frames and one of 150.
        @Test func manyProcessorsAndALongOutputGetSegments() throws {
            let picture = try clips().make("segment-a.png", ["-i", inputs()[0], "-frames:v", "1"])
            let arguments = [picture + "#t=40", picture + "#t=40", "--fps", "30", "--transition", "cut", "out.mp4"]
            let cuts = (0..<10).map { 250 * $0..<min(250 * $0 + 250, 2400) }
            #expect(try segments(arguments + ["--threads", "8"]) == cuts)
            #expect(try segments(arguments + ["--threads", "10"]) == cuts)
            #expect(try segments(arguments + ["--threads", "8", "--video-options", "g=300"]).count == 8)
            for options in [
                ["--threads", "7"], ["--threads", "11"], ["--threads", "8", "--bitrate", "2M"],
                ["--threads", "8", "--segments", "off"], ["--threads", "8", "--video-codec", "mpeg4"],
            ] {
                #expect(try segments(arguments + options) == [0..<2400], "\(options)")
            }
        }

        @Test func thePlanSaysWhatASegmentIsMadeOf() throws {
            let words = try Words("\(inputs()) --duration \(Self.overlap)f --segments 99f out.mp4")
            let rows = try planRows("renderSegments", words.list)
            let sources = rows.map { row in
                (row["inputs"] as? [[String: Int]] ?? []).map { [$0["input"], $0["firstFrame"], $0["frames"]] }
            }
            // The whole transition, 80..<120, is in the second segment.
            #expect(sources == [[[0, 0, 80]], [[0, 80, 40], [1, 0, 120]]])
        }

        @Test func whatCannotBeCutIsSaid() throws {
            for (options, word) in [
                (["--bitrate", "2M"], "--bitrate"), (["--video-codec", "mpeg4"], "mpeg4"),
                (["--video-options", "x264-params=vbv-maxrate=900"], "vbv-maxrate"),
                (["--video-options", "maxrate=900k"], "maxrate"),
            ] {
                try expectExit("\(inputs()) --segments 33f \(options) \(folder / "no.mp4")", 64, saying: word, lines: 1)
            }
            for text in ["0", "-1", "some", "0f", ""] {
                #expect(try run(inputs() + ["--segments=\(text)", folder / "no.mp4"]).status == 64, "\(text)")
            }
            #expect(try folder.names == [])
        }

        // MARK: Failures

        @Test(arguments: Places.some([SIGINT, SIGKILL], every: 2))
        func beingStoppedLeavesNothing(signal: Int32) throws {
            let long = try clips().long()
            let run = try run(
                "\(long) \(long) --segments 100f --threads 3 --preset slower \(folder / "out.mp4")",
                interruption: (2, signal))
            #expect(run.status == (signal == SIGKILL ? 128 + SIGKILL : 130), "\(run.story)")
            // Only the output's own temporary file may survive SIGKILL; the next run removes it.
            #expect(try folder.names.count <= (signal == SIGKILL ? 1 : 0))
            try join(["--segments", "33f"], to: folder / "out.mp4")
            #expect(try folder.names == ["out.mp4"])
        }

        /// Damage in the second clip that only the last segments read ends a strict run.
        @Test func aSegmentThatFailsEndsTheRun() throws {
            try Clips.damage(packet: 100, of: inputs()[1], from: 8, as: folder / "damaged.mp4")
            let arguments = try [inputs()[0], folder / "damaged.mp4", "--duration", "40f", "--segments", "33f"]
            try expectExit(arguments + ["--strict", "--threads", "2", folder / "out.mp4"], 65, lines: 1)
            #expect(try folder.names == ["damaged.mp4"])
            let run = try succeed(arguments + [folder / "out.mp4"])
            #expect(run.messages.contains("1 decoding error was concealed"), "\(run.messages)")
            #expect(try Judge.video(folder / "out.mp4").frameCount == Self.total)
        }

        @Test(.enabled(if: SmallDisk.canBeMade, Comment(rawValue: SmallDisk.cannotBeMade)))
        func aFullDiskLeavesTheOldFile() throws {
            try join(["--segments", "33f"], to: folder / "whole.mp4")
            let whole = try bytes(folder / "whole.mp4").count
            let precious = Data("precious".utf8)
            // The disk has room for very little, for half of the output, or for most of it. (Packets that were joined
            // no longer take room.)
            for share in [0.05, 0.5, 0.9] {
                let disk = try SmallDisk(kilobytes: 16 + Int(share * Double(whole)) / 1024)
                let out = disk.path + "/out.mp4"
                try precious.write(to: out)
                let run = try run(inputs() + ["--duration", "\(Self.overlap)f", "--segments", "33f", "-y", out])
                #expect(run.status == 74 && run.messages.contains("no space left"), "\(run.story)")
                #expect(FileManager.default.contents(atPath: out) == precious)
                #expect(try disk.names == ["out.mp4"])
            }
        }

        @Test func standardOutputTakesSegments() throws {
            let run = try succeed("\(inputs()) --duration \(Self.overlap)f --segments 33f --format nut -")
            try run.output.write(to: folder / "out.nut")
            #expect(try Judge.video(folder / "out.nut").frameCount == Self.total)
            #expect(try Judge.complaints(folder / "out.nut") == "")
        }
    }
}

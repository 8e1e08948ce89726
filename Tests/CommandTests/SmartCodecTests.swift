import TestSupport
import Testing

/// Two clips of one codec, made with different settings.
struct CodecPair: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var first: [String]
    var second: [String]
    var pixelFormat: String
    /// The file extensions of the clips.
    var endings: [String]
    /// The file extensions of the outputs; only the first is tried unless slow tests run.
    var outputs: [String]
    /// The least number of the first clip's frames that must be copied, and the last of the second clip's frames at
    /// which its copied stretch may begin.
    static let copied = (first: 50, second: 34)

    var codec: String { testDescription.hasPrefix("HEVC") ? "hevc" : "h264" }

    private init(
        _ description: String, _ first: [String], _ second: [String], _ outputs: Words, pixelFormat: String = "yuv420p",
        endings: Words = "mp4 mkv"
    ) {
        (testDescription, self.first, self.second) = (description, first, second)
        (self.outputs, self.pixelFormat, self.endings) = (outputs.list, pixelFormat, endings.list)
    }

    /// Settings of x265. The stream has a hash of each picture, which decoders verify.
    private static func hevc(_ settings: String) -> [String] {
        ["-c:v", "libx265", "-preset", "superfast", "-x265-params", "log-level=error:hash=1:keyint=30:" + settings]
    }

    private static func h264(_ settings: Words) -> [String] { ["-c:v", "libx264"] + settings.list }

    /// Pairs of what most players show.
    static let usual: [CodecPair] = [
        CodecPair("H.264, same settings", h264(""), h264(""), "mp4 mov mkv ts"),
        CodecPair(
            "H.264, B-pyramid after plain B-frames", h264("-bf 2 -x264-params b-pyramid=none"),
            h264("-bf 8 -b_strategy 2 -x264-params b-pyramid=normal:ref=5:weightp=2"), "mov mkv mp4"),
        CodecPair("H.264, no reordering after B-pyramid", h264("-bf 3"), h264("-tune zerolatency"), "mkv mp4 mov"),
        CodecPair("H.264, Baseline after High", h264("-preset slow"), h264("-profile:v baseline"), "mp4 mov mkv"),
        CodecPair(
            "H.264, several slices and buffering periods after Main", h264("-profile:v main"),
            h264("-slices 3 -b:v 300k -maxrate 300k -bufsize 300k -x264-params nal-hrd=vbr:aud=1:repeat-headers=1"),
            "mov mp4 mkv"),
        CodecPair("H.264, no B-frames at all", h264("-bf 0"), h264("-bf 0 -crf 30"), "mkv mp4 mov"),
    ]

    static let all: [CodecPair] =
        usual + [
            CodecPair("HEVC, closed after open", hevc("open-gop=1"), hevc("open-gop=0:ref=5"), "mp4 mov mkv ts"),
            CodecPair(
                "HEVC, many leading pictures that are dropped", hevc("b-adapt=0:bframes=4:scenecut=0"),
                hevc("b-adapt=0:bframes=4:scenecut=0:ref=4:b-pyramid=0"), "mkv mp4 mov ts"),
            CodecPair(
                "HEVC, leading pictures that are kept",
                hevc("b-adapt=0:bframes=4:scenecut=0:min-keyint=30:open-gop=0:radl=2:b-pyramid=0"),
                hevc("b-adapt=0:bframes=4:scenecut=0:min-keyint=30:open-gop=0:radl=3:b-pyramid=0:ctu=16"),
                "mov mp4 mkv ts"),
            CodecPair(
                "HEVC, sub-layers and slices after sets in the packets",
                hevc("repeat-headers=1:aud=1:hrd=1:vbv-maxrate=500:vbv-bufsize=500:bitrate=400") + ["-tag:v", "hev1"],
                hevc("temporal-layers=1:slices=2:bframes=0"), "ts mp4 mov mkv"),
            CodecPair(
                "HEVC of 10 bits", hevc("bframes=2"), hevc("open-gop=0:bframes=8:ref=4"), "mp4 mov mkv ts",
                pixelFormat: "yuv420p10le"),
            CodecPair(
                "HEVC of 4:2:2", hevc("bframes=2"), hevc("open-gop=0:bframes=8:ref=4"), "mkv mp4 mov ts",
                pixelFormat: "yuv422p10le"),
            CodecPair(
                "HEVC of 4:4:4", hevc("open-gop=1"), hevc("open-gop=0:ref=5"), "mp4 mkv mov ts", pixelFormat: "yuv444p"),
            CodecPair(
                "HEVC of 10 bits in transport streams", hevc("b-adapt=0:bframes=4"), hevc("open-gop=0:bframes=0"),
                "mkv ts mp4 mov", pixelFormat: "yuv420p10le", endings: "ts ts"),
            CodecPair(
                "H.264 of 10 bits", h264("-bf 8"), h264("-bf 1 -slices 2"), "mov mp4 mkv ts", pixelFormat: "yuv420p10le"
            ),
            CodecPair(
                "H.264 in transport streams", h264(""), h264("-profile:v main -bf 0"), "ts mp4 mkv mov",
                endings: "ts ts"),
        ]
}

extension CommandTests {
    @Suite(.serialized) struct SmartCodecTests {
        /// The number of frames of each clip and of the transition.
        private static let (length, overlap) = (70, 15)
        private static let total = 125

        private func clip(
            _ name: String, hue: Int = 0, pixelFormat: String = "yuv420p", size: String = "192x108",
            frames: Int = SmartCodecTests.length, _ settings: [String]
        ) throws -> String {
            try clips().make(
                name, "-f lavfi -i testsrc2=s=\(size):r=30:d=1000 -frames:v \(frames)",
                "-vf hue=h=\(hue),format=\(pixelFormat) -g 30 -sc_threshold 0 -colorspace bt709",
                "-color_primaries bt709 -color_trc bt709 \(settings)")
        }

        /// Checks that no frame is missing, repeated, out of order or damaged, and that the copied frames are the
        /// clips' own.
        private func expectSound(
            _ output: String, _ arguments: [String], sources: [[String]], total: Int, codec: String
        ) throws {
            let video = try Judge.video(output)
            let hashes = try Judge.frameHashes(output)
            #expect(video.codec == codec && video.frameCount == total && hashes.count == total)
            #expect(video.isEven(atRate: 30) && (video.times.first == 0 || output.hasSuffix("ts")), "\(video.times)")
            #expect(try Judge.complaints(output) == "")
            for copy in try copies(planJSON(arguments)) {
                let source = sources[copy.clip][copy.first..<copy.first + copy.place.count]
                #expect(hashes[copy.place] == source, "\(copy)")
            }
        }

        @Test(arguments: Places.some(CodecPair.all, every: 16)) func copiedFramesAreTheSources(pair: CodecPair) throws {
            let folder = try TemporaryFolder()
            let name = pair.testDescription.filter { $0.isLetter || $0.isNumber }
            let a = try clip("codec-a-\(name).\(pair.endings[0])", pixelFormat: pair.pixelFormat, pair.first)
            let b = try clip("codec-b-\(name).\(pair.endings[1])", hue: 90, pixelFormat: pair.pixelFormat, pair.second)
            let sources = try [Judge.frameHashes(a), Judge.frameHashes(b)]
            try #require(sources.allSatisfy { $0.count == Self.length && Set($0).count == Self.length })
            try succeed([a, b, "--duration", "15f", "--video-codec", "ffv1", folder / "lossless.mkv"])
            let meant = try pictures(folder / "lossless.mkv")
            for container in Places.runsSlowTests ? pair.outputs : Array(pair.outputs.prefix(1)) {
                let out = folder / "out.\(container)"
                let arguments = [a, b, "--duration", "15f", "--render", "smart", out]
                let planned = try copies(planJSON(arguments))
                try #require(planned.map(\.clip) == [0, 1], "\(planned)")
                #expect(
                    planned[0].place.lowerBound == 0 && planned[0].place.count >= CodecPair.copied.first, "\(planned)")
                #expect(planned[1].first <= CodecPair.copied.second && planned[1].place.upperBound == Self.total)
                #expect(try succeed(arguments).messages == "")
                try expectSound(out, arguments + ["-y"], sources: sources, total: Self.total, codec: pair.codec)
                for (index, picture) in try pictures(out).enumerated() {
                    let difference = PictureDifference(picture, meant[index])
                    #expect(difference.psnr > 30, "frame \(index): \(difference)")
                }
            }
        }

        @Test(
            .needsMedia,
            arguments: Places.some(
                [
                    ("hevc-854x480-1s.ts", "mp4"), ("hevc-854x480-1s.ts", "ts"),
                    ("hevc-noaudio-bframes-854x480.mp4", "mkv"),
                    ("hevc-noaudio-bframes-854x480.mp4", "ts"), ("h264-extreme-aspect-16x4000.ts", "mov"),
                    ("h264-extreme-aspect-16x4000.ts", "ts"),
                ], every: 4))
        func realClipsAreCopied(name: String, container: String) throws {
            let folder = try TemporaryFolder()
            let clip = try medium(name)
            let out = folder / "out.\(container)"
            let arguments = [clip, clip, "--duration", "4f", "--no-audio", "--render", "smart", out]
            try succeed(arguments)
            let source = try Judge.frameHashes(clip)
            try expectSound(
                out, arguments + ["-y"], sources: [source, source], total: 2 * source.count - 4,
                codec: String(name.prefix(4)))
            // As much is copied as ffprobe's packets allow: of the first clip up to the last frame where it can end, of
            // the second from the first frame where it can begin, if that is long enough to be worth a seam.
            let (starts, ends) = try cuts(clip)
            let (length, overlap, least) = (source.count, 4, 12)
            let first = ends.last { $0 <= length - overlap } ?? 0
            let second = length - (starts.first { $0 >= overlap } ?? length)
            let planned = try copies(planJSON(arguments + ["-y"]))
            #expect(planned.filter { $0.clip == 0 }.map(\.place.count) == (first >= least ? [first] : []))
            #expect(planned.filter { $0.clip == 1 }.map(\.place.count) == (second >= least ? [second] : []))
            try #require(first >= least, "such a clip says nothing")
        }

        /// A clip can end before frame n if its first n packets hold exactly the first n frames. It can begin there if,
        /// in addition, the next packet is a keyframe that is shown next.
        private func cuts(_ path: String) throws -> (starts: [Int], ends: [Int]) {
            let packets = try Judge.rows(path, "packets", "-select_streams v:0 -show_entries packet=pts,flags")
            let times = packets.compactMap { $0["pts"] as? Int }
            try #require(times.count == packets.count)
            let ranks = times.map { time in times.filter { $0 < time }.count }
            let ends = (0...ranks.count).filter { end in ranks.prefix(end).allSatisfy { $0 < end } }
            let starts = ends.filter { end in
                end < ranks.count && ranks[end] == end && (packets[end]["flags"] as? String)?.hasPrefix("K") == true
            }
            return (starts, ends)
        }

        /// HDR metadata, which the clips state only at their keyframes, holds for every frame of the output.
        @Test(arguments: Places.some(["mp4", "ts"], every: 2)) func lightIsKept(container: String) throws {
            let folder = try TemporaryFolder()
            let light =
                "log-level=error:keyint=30:master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
                + "L(10000000,1):max-cll=1000,400"
            let settings = ["-color_trc", "smpte2084", "-c:v", "libx265", "-x265-params", light]
            let a = try clip("codec-light-a.mp4", pixelFormat: "yuv420p10le", settings)
            let b = try clip("codec-light-b.mkv", hue: 90, pixelFormat: "yuv420p10le", settings + ["-bf", "2"])
            let out = folder / "out.\(container)"
            try succeed([a, b, "--duration", "15f", "--render", "smart", out])
            let frames = try Judge.probe(out, ["-select_streams", "v:0", "-show_frames"])["frames"] as? [[String: Any]]
            try #require(frames?.count == Self.total)
            for (index, frame) in (frames ?? []).enumerated() {
                let sides = frame["side_data_list"] as? [[String: Any]] ?? []
                #expect(sides.compactMap { $0["max_content"] as? Int } == [1000], "frame \(index)")
                #expect(sides.compactMap { $0["max_luminance"] as? String } == ["10000000/10000"], "frame \(index)")
            }
        }

        @Test(arguments: Places.some(["mp4", "mkv"], every: 2)) func everySeekFindsItsFrame(container: String) throws {
            let folder = try TemporaryFolder()
            let settings = ["-c:v", "libx265", "-x265-params"]
            let a = try clip("codec-seek-a.mp4", settings + ["log-level=error:keyint=30:open-gop=0"])
            let b = try clip("codec-seek-b.mp4", hue: 90, settings + ["log-level=error:keyint=30:open-gop=0:bframes=2"])
            let out = folder / "out.\(container)"
            try succeed([a, b, "--duration", "15f", "--render", "smart", out])
            try expectSeeks(out, frames: Self.total)
        }

        /// Copied stretches can begin with a CRA picture in a clip's middle, after trims and cuts, or with the first
        /// picture of a file, whose leading pictures can't be decoded.
        @Test(arguments: Places.some([("trims", "mp4"), ("trims", "ts"), ("cuts", "mkv"), ("first", "mp4")], every: 2))
        func openGroupsAreCopiedFromTheirMiddle(kind: String, container: String) throws {
            let folder = try TemporaryFolder()
            let open = "log-level=error:hash=1:keyint=30:b-adapt=0:bframes=4:scenecut=0"
            let settings = ["-preset", "superfast", "-c:v", "libx265", "-x265-params", open]
            let a = try clip("codec-open-a.mp4", settings)
            let b = try clip("codec-open-b.mkv", hue: 90, ["-c:v", "libx265", "-x265-params", open + ":b-pyramid=0"])
            let late = folder / "late.mp4"
            try Tool.succeed("ffmpeg", ["-v", "error", "-ss", "0.9", "-i", a, "-c", "copy", late])
            let (own, other) = try (Judge.frameHashes(a), Judge.frameHashes(b))
            // The CRA pictures of x265 are frames 30 and 60; the four frames shown before each refer to earlier frames,
            // too.
            let (inputs, expected): ([String], [(place: Int, frames: ArraySlice<String>)]) =
                switch kind {
                // Frames 10...69 and 6...69.
                case "trims": ([a + "#t=0.3333", b + "#t=0.2"], [(20, own[30...]), (60 + 24, other[30...])])
                case "cuts": ([b, a, b], [(0, other[...]), (70, own[...]), (140, other[...])])
                default: ([late, a], [(0, own[30...]), (40, own[...])])
                }
            let out = folder / "out.\(container)"
            let arguments = inputs + ["--transition", "cut", "--render", "smart", "--no-audio", out]
            try succeed(arguments)
            let hashes = try Judge.frameHashes(out)
            #expect(try Judge.complaints(out) == "")
            #expect(try Judge.video(out).isEven(atRate: 30))
            for (place, frames) in expected {
                #expect(hashes.dropFirst(place).prefix(frames.count) == frames, "at \(place)")
            }
            #expect(hashes.count == expected.reduce(0) { max($0, $1.place + $1.frames.count) })
            #expect(try copies(planJSON(arguments + ["-y"])).map(\.place.lowerBound) == expected.map(\.place))
        }

        /// Of 17 clips with different parameter sets 15 are copied: there are 16 SPS IDs, and the encoder needs one.
        @Test(.turn(1, of: 2)) func numbersRunOut() throws {
            let folder = try TemporaryFolder()
            let all = try (0..<17).map { index in
                try clip(
                    "codec-many-\(index).mp4", hue: 20 * index, size: "64x64", frames: 16,
                    [
                        "-c:v", "libx265", "-x265-params",
                        "log-level=error:pools=1:frame-threads=1:tu-inter-depth=\(index % 4 + 1)"
                            + ":tu-intra-depth=\(index / 4 % 4 + 1):ctu=\(index < 16 ? 32 : 16)",
                    ])
            }
            let arguments = all + ["--transition", "cut", "--render", "auto", folder / "out.mp4"]
            let run = try succeed(arguments)
            #expect(run.messageLines.count == 1 && run.messages.contains("can't be combined"), "\(run.messages)")
            let copied = try copies(planJSON(arguments + ["-y"]))
            #expect(copied.map(\.clip) == Array(0..<15))
            try expectSound(
                folder / "out.mp4", arguments + ["-y"], sources: all.map { try Judge.frameHashes($0) }, total: 17 * 16,
                codec: "hevc")
        }

        @Test func whatCannotBeCopiedIsSaid() throws {
            let folder = try TemporaryFolder()
            let hevc = ["-c:v", "libx265", "-x265-params", "log-level=error:keyint=30:scenecut=0"]
            let a = try clip("codec-refuse-a.mp4", hevc)
            let wide = try clip("codec-refuse-444.mp4", pixelFormat: "yuv444p", hevc)
            let deep = try clip("codec-refuse-deep.mp4", pixelFormat: "yuv420p10le", hevc)
            let other = try clip("codec-refuse-h264.mp4", ["-c:v", "libx264"])
            // The streams of two encoders in one transport stream; their parameter sets have the same IDs.
            let parts = try [16, 32].map { size in
                try clip(
                    "codec-refuse-\(size).mp4",
                    ["-c:v", "libx265", "-x265-params", "log-level=error:repeat-headers=1:ctu=\(size)"])
            }
            try "file '\(parts[0])'\nfile '\(parts[1])'\n".write(
                toFile: folder / "list", atomically: true, encoding: .utf8)
            let changing = folder / "changing.ts"
            try Tool.ffmpeg("-f concat -safe 0 -i \(folder / "list") -c copy \(changing)")
            for (second, word) in [(wide, "yuv444p"), (deep, "10"), (other, "h264"), (changing, "within the stream")] {
                let run = try run([a, second, "--render", "smart", folder / "no.mp4"])
                #expect(run.status == 65 && run.messages.contains(word), "\(run.story)")
                #expect(run.messageLines.count == 1)
            }
            // Clips that can't be copied are an error in the data (65), a wrong output is one of usage (64).
            for (arguments, status) in [
                (["--video-codec", "libx264", folder / "no.mp4"], 65),
                (["--pix-fmt", "gray", folder / "no.mp4"], 64),
                ([folder / "no.nut"], 64),
            ] {
                let run = try run([a, a, "--render", "smart"] + arguments)
                #expect(run.status == Int32(status) && run.messageLines.count == 1, "\(run.story)")
            }
            #expect(try folder.names.filter { $0.hasPrefix("no") } == [])
        }

        /// The output has the clips' codec if that lets anything be copied.
        @Test func theCodecIsTheClipsForTheSakeOfCopying() throws {
            let folder = try TemporaryFolder()
            let a = try clip(
                "codec-refuse-a.mp4", ["-c:v", "libx265", "-x265-params", "log-level=error:keyint=30:scenecut=0"])
            try succeed([a, a, "--render", "auto", folder / "copied.mp4"])
            #expect(try Judge.video(folder / "copied.mp4").codec == "hevc")
            let small = ["--size", "160x90"]
            let run = try succeed([a, a, "--render", "auto", folder / "none.mp4"] + small)
            #expect(run.messageLines.count == 1 && run.messages.contains("scaled"), "\(run.messages)")
            try succeed([a, a, folder / "full.mp4"] + small)
            #expect(try Judge.video(folder / "none.mp4").codec == "h264")
            let files = try ["none.mp4", "full.mp4"].map { try Data(contentsOf: folder / $0) }
            let isSame = files[0] == files[1]
            #expect(isSame)
        }
    }
}

import TestSupport
import Testing

/// Two clips of one codec without parameter sets, made with different settings.
struct FramePair: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// ffprobe's name of the codec, and the encoder of the output.
    var codec: String
    var encoder: String
    var pixelFormat = "yuv420p"
    var size = "192x108"
    var first: [String]
    var second: [String]
    /// The file extensions of the clips and of the outputs.
    var endings: [String]
    var outputs: [String]
    /// The number of frames from one keyframe to the next.
    var group = 1
    var options: [String] = []

    private static func vp9(_ settings: String...) -> [String] {
        ["-c:v", "libvpx-vp9", "-g", "30", "-keyint_min", "30", "-b:v", "0"] + settings
    }
    private static func svt(_ preset: Int, _ crf: Int) -> [String] {
        ["-c:v", "libsvtav1", "-g", "30", "-preset", "\(preset)", "-crf", "\(crf)"]
    }
    private static func aom(_ settings: String...) -> [String] {
        ["-c:v", "libaom-av1", "-g", "30", "-keyint_min", "30", "-cpu-used", "8", "-b:v", "0"] + settings
    }
    private static func ffv1(_ settings: String...) -> [String] { ["-c:v", "ffv1"] + settings }

    static let interframe: [FramePair] = [
        FramePair(
            testDescription: "VP9, hidden frames before none", codec: "vp9", encoder: "libvpx-vp9",
            first: vp9("-crf", "30", "-cpu-used", "4", "-auto-alt-ref", "1", "-lag-in-frames", "25"),
            second: vp9("-crf", "45", "-deadline", "realtime", "-cpu-used", "8"), endings: ["webm", "mp4"],
            outputs: ["webm", "mp4", "mkv"], group: 30),
        FramePair(
            testDescription: "VP9 of 10 bits", codec: "vp9", encoder: "libvpx-vp9", pixelFormat: "yuv420p10le",
            first: vp9("-crf", "30", "-cpu-used", "5"), second: vp9("-crf", "40", "-cpu-used", "5", "-tile-rows", "1"),
            endings: ["mp4", "webm"], outputs: ["mp4", "webm", "mkv"], group: 30),
        FramePair(
            testDescription: "SVT-AV1, one sequence header", codec: "av1", encoder: "libsvtav1", first: svt(10, 30),
            second: svt(10, 50), endings: ["mp4", "mkv"], outputs: ["mkv", "webm", "mp4"], group: 30),
        FramePair(
            testDescription: "AV1 of two encoders", codec: "av1", encoder: "libsvtav1",
            first: aom("-crf", "40", "-lag-in-frames", "25"), second: svt(12, 40), endings: ["mkv", "mp4"],
            outputs: ["mp4"], group: 30, options: ["--preset", "10"]),
        FramePair(
            testDescription: "FFV1 with its header in the keyframes", codec: "ffv1", encoder: "ffv1",
            first: ffv1("-g", "12"), second: ffv1("-g", "12", "-coder", "1"), endings: ["mkv", "mkv"],
            outputs: ["mkv"], group: 12),
    ]

    /// The pairs that are tested: all if slow tests run, else all but the rare ones.
    static var usual: [FramePair] {
        let rare = ["VP9 of 10 bits", "no compression", "HuffYUV"]
        return (interframe + intra).filter { Places.runsSlowTests || !rare.contains($0.testDescription) }
    }

    static let intra: [FramePair] = [
        FramePair(
            testDescription: "ProRes LT", codec: "prores", encoder: "prores_ks", pixelFormat: "yuv422p10le",
            first: ["-c:v", "prores_ks", "-profile:v", "1"],
            second: ["-c:v", "prores_ks", "-profile:v", "1", "-bits_per_mb", "400"], endings: ["mov", "mkv"],
            outputs: ["mov", "mkv"]),
        FramePair(
            testDescription: "MJPEG", codec: "mjpeg", encoder: "mjpeg", pixelFormat: "yuvj422p",
            first: ["-c:v", "mjpeg", "-q:v", "3"], second: ["-c:v", "mjpeg", "-q:v", "9", "-huffman", "default"],
            endings: ["avi", "mov"], outputs: ["avi", "mov", "mkv"]),
        FramePair(
            testDescription: "FFV1 with a header of its own", codec: "ffv1", encoder: "ffv1",
            first: ffv1("-level", "3", "-g", "1", "-slices", "4", "-slicecrc", "1", "-coder", "1"),
            second: ffv1("-level", "3", "-g", "1", "-slices", "4", "-slicecrc", "1", "-coder", "1", "-threads", "1"),
            endings: ["mkv", "mkv"], outputs: ["mkv"],
            options: ["--video-options", "level=3:g=1:slices=4:slicecrc=1:coder=1"]),
        FramePair(
            testDescription: "DNxHR HQ", codec: "dnxhd", encoder: "dnxhd", pixelFormat: "yuv422p",
            size: "256x144", first: ["-c:v", "dnxhd", "-profile:v", "dnxhr_hq"],
            second: ["-c:v", "dnxhd", "-profile:v", "dnxhr_hq", "-qmax", "30"], endings: ["mov", "mov"],
            outputs: ["mov"]),
        FramePair(
            testDescription: "no compression", codec: "rawvideo", encoder: "rawvideo", first: ["-c:v", "rawvideo"],
            second: ["-c:v", "rawvideo"], endings: ["avi", "nut"], outputs: ["avi", "nut"]),
        FramePair(
            testDescription: "HuffYUV", codec: "huffyuv", encoder: "huffyuv", pixelFormat: "yuv422p",
            first: ["-c:v", "huffyuv"], second: ["-c:v", "huffyuv"], endings: ["avi", "avi"], outputs: ["avi"]),
        FramePair(
            testDescription: "PNG", codec: "png", encoder: "png", pixelFormat: "rgb24", first: ["-c:v", "png"],
            second: ["-c:v", "png", "-pred", "mixed"], endings: ["mov", "mov"], outputs: ["mov"]),
    ]
}

extension CommandTests {
    /// Codecs whose packets hold one frame each.
    @Suite(.serialized) struct SmartFrameTests {
        /// The number of frames of each clip and of the transition.
        private static let (length, overlap) = (70, 15)
        private static let total = 125

        private func clip(
            _ name: String, hue: Int = 0, pixelFormat: String = "yuv420p", size: String = "192x108",
            _ settings: [String]
        ) throws -> String {
            let tags = pixelFormat == "rgb24" ? [] : ["-colorspace", "bt709", "-color_primaries", "bt709"]
            return try clips().make(
                name, "-f lavfi -i testsrc2=s=\(size):r=30:d=1000 -frames:v \(Self.length)",
                "-vf hue=h=\(hue),format=\(pixelFormat) \(tags) \(settings)")
        }

        private func made(_ pair: FramePair) throws -> (String, String) {
            let name = pair.testDescription.filter { $0.isLetter || $0.isNumber }
            return (
                try clip(
                    "frame-a-\(name).\(pair.endings[0])", pixelFormat: pair.pixelFormat, size: pair.size, pair.first),
                try clip(
                    "frame-b-\(name).\(pair.endings[1])", hue: 90, pixelFormat: pair.pixelFormat, size: pair.size,
                    pair.second)
            )
        }

        @Test(arguments: Places.some(FramePair.usual, every: 18))
        func copiedFramesAreTheSources(pair: FramePair) throws {
            let folder = try TemporaryFolder()
            let (a, b) = try made(pair)
            let (first, second) = try (Judge.frameHashes(a), Judge.frameHashes(b))
            try #require(first.count == Self.length && second.count == Self.length && first != second)
            // The transition uses frames 55... of the first clip and ...14 of the second.
            let kept = Self.length - Self.overlap
            let start = (Self.overlap + pair.group - 1) / pair.group * pair.group
            for container in Places.runsSlowTests ? pair.outputs : Array(pair.outputs.prefix(1)) {
                let out = folder / "out.\(container)"
                let run = try succeed(
                    "\(a) \(b) --duration 15f --render smart --video-codec \(pair.encoder) -y --report",
                    "\(folder / "report.json") \(out) \(pair.options)")
                #expect(run.messages == "")
                let (video, hashes) = try (Judge.video(out), Judge.frameHashes(out))
                #expect(video.codec == pair.codec && hashes.count == Self.total && video.frameCount == Self.total)
                #expect(video.isEven(atRate: 30), "\(video.times)")
                #expect(try Judge.complaints(out) == "")
                #expect(hashes.prefix(kept) == first.prefix(kept))
                #expect(hashes.suffix(Self.length - start) == second.suffix(Self.length - start))
                let json = try JSONValue(Data(contentsOf: URL(fileURLWithPath: folder / "report.json")))
                #expect(json.numbers(under: "framesCopied") == [Double(kept + Self.length - start)])
            }
        }

        /// Headers are where decoders need them: each seek decodes from the nearest keyframe only.
        @Test(arguments: Places.some(["VP9, hidden frames before none", "AV1 of two encoders", "MJPEG"], every: 3))
        func everySeekFindsItsFrame(name: String) throws {
            let folder = try TemporaryFolder()
            let pair = try #require((FramePair.interframe + FramePair.intra).first { $0.testDescription == name })
            let (a, b) = try made(pair)
            let out = folder / "out.\(pair.outputs[0])"
            try succeed("\(a) \(b) --duration 15f --render smart --video-codec \(pair.encoder) \(out) \(pair.options)")
            let hashes = try Judge.frameHashes(out)
            var random = SplitMix64(seed: 7)
            for _ in 0..<(Places.runsSlowTests ? 50 : 8) {
                let index = Int.random(in: 1..<Self.total, using: &random)
                // AVI has no time stamps between frames: seeks round to the nearest frame.
                let frame = try Judge.frameHash(out, at: (Double(index) - 0.4) / 30)
                #expect(frame == (hashes[index], ""), "frame \(index)")
            }
        }

        /// The container has a sequence header only if it is the same for the whole stream (AV1-ISOBMFF 2.3.4).
        @Test func containersHaveTheSequenceHeaderOfAllOrNone() throws {
            let folder = try TemporaryFolder()
            for (name, container, count) in [
                ("AV1 of two encoders", "mp4", 0), ("SVT-AV1, one sequence header", "mkv", 1),
            ] {
                let pair = try #require(FramePair.interframe.first { $0.testDescription == name })
                let (a, b) = try made(pair)
                let out = folder / "out.\(container)"
                try succeed(
                    [a, b, "--duration", "15f", "--render", "smart", "--video-codec", pair.encoder, out] + pair.options)
                let run = try Tool.succeed(
                    "ffmpeg", "-nostdin -v verbose -i \(out) -map 0:v:0 -c copy -bsf:v trace_headers -f null -")
                // The container's own headers come first.
                let places = run.messages.components(separatedBy: "Extradata").dropFirst().joined()
                let all = places.components(separatedBy: "Sequence Header").count - 1
                let keys = try Judge.probe(out, ["-select_streams", "v", "-show_entries", "packet=flags"])
                let flags = (keys["packets"] as? [[String: Any]] ?? []).compactMap { $0["flags"] as? String }
                #expect(all == count + flags.filter { $0.hasPrefix("K") }.count, "\(name)")
            }
        }

        @Test func whatCannotBeCopiedIsSaid() throws {
            let folder = try TemporaryFolder()
            let vp9 = ["-c:v", "libvpx-vp9", "-g", "30", "-deadline", "realtime", "-cpu-used", "8", "-b:v", "200k"]
            let film = try clip("frame-no-vp9.webm", vp9)
            let small = try clip("frame-no-small.webm", size: "96x54", vp9)
            let list = folder / "list.txt"
            try "file '\(film)'\nfile '\(small)'\n".write(toFile: list, atomically: true, encoding: .utf8)
            try Tool.ffmpeg("-f concat -safe 0 -i \(list) -c copy \(folder / "resized.webm")")
            let aom = try clip(
                "frame-no-aom.mkv", ["-c:v", "libaom-av1", "-g", "30", "-cpu-used", "8", "-crf", "40", "-b:v", "0"])
            let svt = try clip("frame-no-svt.mkv", ["-c:v", "libsvtav1", "-g", "30", "-preset", "10"])
            let hq = try clip("frame-no-hq.mov", pixelFormat: "yuv422p10le", ["-c:v", "prores_ks", "-profile:v", "3"])
            let lt = try clip("frame-no-lt.mov", pixelFormat: "yuv422p10le", ["-c:v", "prores_ks", "-profile:v", "1"])
            let rice = try clip("frame-no-rice.mkv", ["-c:v", "ffv1", "-level", "3", "-g", "1", "-slices", "4"])
            let range = try clip(
                "frame-no-range.mkv", ["-c:v", "ffv1", "-level", "3", "-g", "1", "-slices", "4", "-coder", "1"])
            let dnx = try clip(
                "frame-no-hq-dnx.mov", pixelFormat: "yuv422p", size: "256x144",
                ["-c:v", "dnxhd", "-profile:v", "dnxhr_hq"])
            let dnxLow = try clip(
                "frame-no-sq.mov", pixelFormat: "yuv422p", size: "256x144", ["-c:v", "dnxhd", "-profile:v", "dnxhr_sq"])
            for (first, second, codec, ending, word) in [
                (film, folder / "resized.webm", "libvpx-vp9", "webm", "exactly one frame"),
                (svt, aom, "libsvtav1", "mkv", "sequence header"), (aom, film, "libaom-av1", "mkv", "vp9"),
                (hq, lt, "prores_ks", "mov", "profile LT, not HQ"), (rice, range, "ffv1", "mkv", "header"),
                (dnx, dnxLow, "dnxhd", "mov", "table"),
            ] {
                let run = try run(
                    "\(first) \(second) --duration 4f --render smart --video-codec \(codec)",
                    "\(folder / "no.\(ending)")")
                #expect(run.status == 65 && run.messages.contains(word), "\(run.story)")
                #expect(run.messageLines.count == 1, "\(run.story)")
            }
            #expect(Set(try folder.names) == ["list.txt", "resized.webm"])
        }
    }
}

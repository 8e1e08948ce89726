import TestSupport
import Testing

/// Two clips of one codec without parameter sets, made with different settings.
struct FramePair: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// ffprobe's name of the codec, and the encoder of the output.
    var codec: String
    var encoder: String
    var first: [String]
    var second: [String]
    /// The file extensions of the clips and of the outputs.
    var endings: [String]
    var outputs: [String]
    var pixelFormat: String
    var size: String
    /// The number of frames from one keyframe to the next.
    var group: Int
    var options: [String]

    /// - Parameter kind: the codec and the encoder.
    private init(
        _ description: String, _ kind: Words, _ first: Words, _ second: Words, _ endings: Words, to outputs: Words,
        pixelFormat: String = "yuv420p", size: String = "192x108", group: Int = 1, options: Words = ""
    ) {
        (testDescription, codec, encoder) = (description, kind.list[0], kind.list[1])
        (self.first, self.second, self.endings, self.outputs) = (first.list, second.list, endings.list, outputs.list)
        (self.pixelFormat, self.size, self.group, self.options) = (pixelFormat, size, group, options.list)
    }

    private static let vp9 = "-c:v libvpx-vp9 -g 30 -keyint_min 30 -b:v 0".split(separator: " ").map(String.init)
    private static let svt = ["-c:v", "libsvtav1", "-g", "30"]

    static let interframe: [FramePair] = [
        FramePair(
            "VP9, hidden frames before none", "vp9 libvpx-vp9",
            "\(vp9) -crf 30 -cpu-used 4 -auto-alt-ref 1 -lag-in-frames 25",
            "\(vp9) -crf 45 -deadline realtime -cpu-used 8", "webm mp4", to: "webm mp4 mkv", group: 30),
        FramePair(
            "VP9 of 10 bits", "vp9 libvpx-vp9", "\(vp9) -crf 30 -cpu-used 5", "\(vp9) -crf 40 -cpu-used 5 -tile-rows 1",
            "mp4 webm", to: "mp4 webm mkv", pixelFormat: "yuv420p10le", group: 30),
        FramePair(
            "SVT-AV1, one sequence header", "av1 libsvtav1", "\(svt) -preset 10 -crf 30", "\(svt) -preset 10 -crf 50",
            "mp4 mkv", to: "mkv webm mp4", group: 30),
        FramePair(
            "AV1 of two encoders", "av1 libsvtav1",
            "-c:v libaom-av1 -g 30 -keyint_min 30 -cpu-used 8 -b:v 0 -crf 40 -lag-in-frames 25",
            "\(svt) -preset 12 -crf 40", "mkv mp4", to: "mp4", group: 30, options: "--preset 10"),
        FramePair(
            "FFV1 with its header in the keyframes", "ffv1 ffv1", "-c:v ffv1 -g 12", "-c:v ffv1 -g 12 -coder 1",
            "mkv mkv", to: "mkv", group: 12),
    ]

    /// The pairs that are tested: all if slow tests run, else all but the rare ones.
    static var usual: [FramePair] {
        let rare = ["VP9 of 10 bits", "no compression", "HuffYUV"]
        return (interframe + intra).filter { Places.runsSlowTests || !rare.contains($0.testDescription) }
    }

    static let intra: [FramePair] = [
        FramePair(
            "ProRes LT", "prores prores_ks", "-c:v prores_ks -profile:v 1",
            "-c:v prores_ks -profile:v 1 -bits_per_mb 400",
            "mov mkv", to: "mov mkv", pixelFormat: "yuv422p10le"),
        FramePair(
            "MJPEG", "mjpeg mjpeg", "-c:v mjpeg -q:v 3", "-c:v mjpeg -q:v 9 -huffman default", "avi mov",
            to: "avi mov mkv", pixelFormat: "yuvj422p"),
        FramePair(
            "FFV1 with a header of its own", "ffv1 ffv1", "-c:v ffv1 -level 3 -g 1 -slices 4 -slicecrc 1 -coder 1",
            "-c:v ffv1 -level 3 -g 1 -slices 4 -slicecrc 1 -coder 1 -threads 1", "mkv mkv", to: "mkv",
            options: "--video-options level=3:g=1:slices=4:slicecrc=1:coder=1"),
        FramePair(
            "DNxHR HQ", "dnxhd dnxhd", "-c:v dnxhd -profile:v dnxhr_hq", "-c:v dnxhd -profile:v dnxhr_hq -qmax 30",
            "mov mov", to: "mov", pixelFormat: "yuv422p", size: "256x144"),
        FramePair("no compression", "rawvideo rawvideo", "-c:v rawvideo", "-c:v rawvideo", "avi nut", to: "avi nut"),
        FramePair(
            "HuffYUV", "huffyuv huffyuv", "-c:v huffyuv", "-c:v huffyuv", "avi avi", to: "avi", pixelFormat: "yuv422p"),
        FramePair("PNG", "png png", "-c:v png", "-c:v png -pred mixed", "mov mov", to: "mov", pixelFormat: "rgb24"),
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
                let json = try JSONValue(Data(contentsOf: folder / "report.json"))
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
            try expectSeeks(out, frames: Self.total)
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

        @Test(
            .needsMedia,
            arguments: Places.some(
                [
                    ("vp9-square-642x642-30fps.webm", "webm", "libvpx-vp9", 30),
                    ("prores-422hq-10bit-320x240.mov", "mov", "prores_ks", 1),
                    ("mjpeg-pcm-320x240-15fps-camera.avi", "avi", "mjpeg", 1),
                    ("av1-aac-mono-1080x720.mp4", "mp4", "libsvtav1", 30),
                ], every: 12))
        func realClipsAreCopied(name: String, ending: String, encoder: String, group: Int) throws {
            let folder = try TemporaryFolder()
            let clip = try medium(name)
            let out = folder / "out.\(ending)"
            let source = try Judge.frameHashes(clip)
            try succeed(
                [clip, clip, "--duration", "4f", "--no-audio", "--render", "smart", "--video-codec", encoder, out]
                    + (encoder == "libsvtav1" ? ["--preset", "10"] : []), timeout: 170)
            let (video, hashes) = try (Judge.video(out), Judge.frameHashes(out))
            #expect(hashes.count == 2 * source.count - 4)
            #expect(try Judge.complaints(out) == "")
            #expect(video.isEven(atRate: video.rate))
            let start = group == 1 ? 4 : group
            #expect(hashes.prefix(source.count - 4) == source.prefix(source.count - 4))
            #expect(hashes.suffix(source.count - start) == source.suffix(source.count - start))
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
            // A portable program doesn't encode with libaom.
            let (av1, encoder) = Places.usesSystemLibraries ? (aom, "libaom-av1") : (svt, "libsvtav1")
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
                (svt, aom, "libsvtav1", "mkv", "sequence header"), (av1, film, encoder, "mkv", "vp9"),
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

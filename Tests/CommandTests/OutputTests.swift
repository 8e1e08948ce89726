import TestSupport
import Testing

/// A container with a codec, and what ffprobe must find in it.
struct OutputKind: CustomTestStringConvertible, Sendable {
    var ending: String
    var codec: String
    var pixelFormat: String
    /// The command-line options for this output.
    var arguments: [String]
    /// Which color tags the file keeps.
    var keeps: Color

    enum Color { case everything, nothing }

    var testDescription: String { "\(ending) \(codec) \(pixelFormat)" }

    private init(
        _ ending: String, _ codec: String, _ pixelFormat: String = "yuv420p", _ arguments: [String] = [],
        keeps: Color = .everything
    ) {
        self.ending = ending
        self.codec = codec
        self.pixelFormat = pixelFormat
        self.arguments = arguments
        self.keeps = keeps
    }

    private static func encoder(_ name: String, _ more: String...) -> [String] { ["--video-codec", name] + more }

    static let all: [OutputKind] = [
        OutputKind("mp4", "h264"),
        OutputKind("mp4", "h264", "yuv420p", encoder("libx264", "--preset", "ultrafast", "--video-options", "bf=3")),
        OutputKind("mp4", "hevc", "yuv420p", encoder("libx265", "--preset", "ultrafast")),
        OutputKind(
            "mp4", "hevc", "yuv420p10le", encoder("libx265", "--preset", "ultrafast", "--pix-fmt", "yuv420p10le")),
        OutputKind("mp4", "av1", "yuv420p", encoder("libsvtav1", "--preset", "12")),
        OutputKind("mp4", "av1", "yuv420p10le", encoder("libsvtav1", "--preset", "12", "--pix-fmt", "yuv420p10le")),
        OutputKind("mp4", "vp9", "yuv420p", encoder("libvpx-vp9", "--video-options", "deadline=realtime:cpu-used=8")),
        OutputKind("mov", "h264"),
        OutputKind("mov", "hevc", "yuv420p", encoder("libx265", "--preset", "ultrafast")),
        OutputKind("mov", "prores", "yuv422p10le", encoder("prores_ks", "--pix-fmt", "yuv422p10le")),
        OutputKind("mov", "prores", "yuv444p12le", encoder("prores_ks", "--pix-fmt", "yuv444p10le")),
        OutputKind(
            "mov", "dnxhd", "yuv422p", encoder("dnxhd", "--pix-fmt", "yuv422p", "--video-options", "profile=dnxhr_sq")),
        OutputKind("mov", "qtrle", "rgb24", encoder("qtrle"), keeps: .nothing),
        OutputKind("mkv", "h264"),
        OutputKind("mkv", "ffv1", "yuv420p", encoder("ffv1")),
        OutputKind("mkv", "ffv1", "yuv444p16le", encoder("ffv1", "--pix-fmt", "yuv444p16le")),
        OutputKind("mkv", "prores", "yuv422p10le", encoder("prores_ks", "--pix-fmt", "yuv422p10le")),
        OutputKind(
            "mkv", "hevc", "yuv420p10le", encoder("libx265", "--preset", "ultrafast", "--pix-fmt", "yuv420p10le")),
        OutputKind("webm", "vp9", "yuv420p", ["--video-options", "deadline=realtime:cpu-used=8"]),
        OutputKind("webm", "vp8", "yuv420p", encoder("libvpx", "--video-options", "deadline=realtime:cpu-used=8")),
        OutputKind("webm", "av1", "yuv420p", encoder("libsvtav1", "--preset", "12")),
        OutputKind("avi", "mpeg4", keeps: .nothing),
        OutputKind("avi", "ffv1", "yuv420p", encoder("ffv1"), keeps: .nothing),
        OutputKind("avi", "h264", "yuv420p", encoder("libx264")),
        OutputKind("nut", "h264"),
        OutputKind("nut", "ffv1", "yuv420p", encoder("ffv1"), keeps: .nothing),
        OutputKind("y4m", "rawvideo", keeps: .nothing),
        OutputKind("gif", "gif", "bgra", keeps: .nothing),
        OutputKind("apng", "apng", "rgb24", keeps: .nothing),
    ]
}

extension CommandTests {
    /// Every container holds the planned frames of every codec at an even rate, with the clips' color tags.
    @Suite(.serialized) struct OutputTests {
        let folder = TemporaryFolder.make()

        private func inputs() throws -> [String] {
            let make = { (name: String, hue: Int, frames: Int) throws in
                try clips().make(
                    name, "-f lavfi -i testsrc2=s=256x144:r=25:d=100 -f lavfi -i sine=f=440:r=48000:d=100",
                    "-frames:v \(frames) -vf hue=h=\(hue),format=yuv420p -c:v libx264 -colorspace smpte170m",
                    "-color_primaries smpte170m -color_trc smpte170m -color_range tv",
                    "-bsf:v h264_metadata=chroma_sample_loc_type=1 -shortest")
            }
            return try [make("output-a.mkv", 0, 30), make("output-b.mkv", 90, 25)]
        }

        /// 30 + 25 frames less the overlap of 15.
        private static let frames = 40

        @Test(arguments: Places.some(OutputKind.all, every: 6))
        func holdsEveryFrameAndItsMeaning(kind: OutputKind) throws {
            let out = folder / "out.\(kind.ending)"
            try succeed(inputs() + kind.arguments + [out])
            #expect(try folder.names == ["out.\(kind.ending)"])
            #expect(try Judge.complaints(out) == "")
            let video = try Judge.video(out)
            #expect(video.codec == kind.codec && video.pixelFormat == kind.pixelFormat)
            #expect(video.frameCount == Self.frames && video.times.first == 0)
            #expect(video.isEven(atRate: 25) && video.width == 256 && video.height == 144 && video.rotation == 0)
            #expect(["1:1", "0:1"].contains(video.sampleAspect), "\(video.sampleAspect)")
            // A tick that is too long rounds time stamps, and one that is too short wastes bits.
            #expect(video.tick <= 0.01 || [25, 12.5].contains(1 / video.tick), "\(video.tick)")
            guard kind.keeps == .everything else { return }
            for key in ["color_space", "color_primaries", "color_transfer"] {
                #expect(video.color[key] == "smpte170m", "\(key)")
            }
            // Limited range is implied by codecs that have no range tag.
            #expect(["tv", "unknown"].contains(video.color["color_range"]), "\(video.color)")
        }

        @Test(arguments: [("mp4", "libx264"), ("mp4", "libx265"), ("mkv", "ffv1"), ("mkv", "libx264")])
        func fullRangeAndChromaPlacesAreKept(ending: String, encoder: String) throws {
            let clip = try clips().make(
                "output-full.mkv", "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -vf format=yuv420p -c:v libx264",
                "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range pc",
                "-bsf:v h264_metadata=chroma_sample_loc_type=2")
            let before = try Judge.video(clip).color
            #expect(before["color_range"] == "pc" && before["chroma_location"] == "topleft")
            let out = folder / "out.\(ending)"
            try succeed([clip, clip, "--video-codec", encoder, out])
            #expect(try Judge.video(out).color == before)
        }

        @Test func encodersRefuseOptionsTheyDoNotHave() throws {
            for (options, word) in [
                ("wobble=3", "wobble"), ("g=12:wobble=3", "wobble"), ("g", "'g'"), ("=3", "'=3'"), ("g=often", "often"),
            ] {
                try expectExit(inputs() + ["--video-options", options, folder / "out.mp4"], 64, saying: word, lines: 1)
            }
            #expect(try folder.names == [])
        }

        /// Colons in an encoder library's own parameter list need no escaping, as on ffmpeg's command line.
        @Test func parametersOfALibraryGoOn() throws {
            let hashes = try ["aq-mode=3", "aq-mode=3:keyint=3", "aq-mode=3\\:keyint=3"].map { parameters in
                try succeed(
                    "\(inputs()) -y --video-codec libx265 --preset ultrafast",
                    "--video-options x265-params=\(parameters) \(folder / "out.mp4")")
                return try Judge.frameHashes(folder / "out.mp4")
            }
            #expect(hashes[0] != hashes[1] && hashes[1] == hashes[2])
        }

        /// The same command gives the same bytes: files have no dates or random numbers.
        @Test(arguments: Places.some(["mp4", "mov", "mkv", "webm", "avi", "nut", "gif", "webp", "apng"], every: 9))
        func saysNothingOfWhenItWasMade(ending: String) throws {
            let files = try ["1", "2"].map { name in
                let out = folder / "\(name).\(ending)"
                try succeed(inputs() + ["--threads", "2", out])
                return try Data(contentsOf: out)
            }
            #expect(files[0] == files[1])
            let format = try Judge.probe(folder / "1.\(ending)", ["-show_format", "-show_streams"])
            #expect(
                try JSONValue(JSONSerialization.data(withJSONObject: format)).numbers(under: "creation_time").isEmpty)
            #expect(!"\(format)".contains("creation_time"))
        }

        @Test func hevcIsNamedAsApplesPlayersWantIt() throws {
            try succeed(inputs() + ["--video-codec", "libx265", "--preset", "ultrafast", folder / "out.mp4"])
            #expect(try Judge.streams(folder / "out.mp4", "v:0").first?["codec_tag_string"] as? String == "hvc1")
        }

        /// The framemd5 output has the hashes that ffmpeg computes for the frames of the lossless file.
        @Test func framemd5IsWhatFfmpegWrites() throws {
            let lossless = folder / "out.nut"
            try succeed(inputs() + ["--video-codec", "ffv1", lossless])
            try succeed(inputs() + [folder / "out.framemd5"])
            let hashes = try String(contentsOf: folder / "out.framemd5").split(separator: "\n")
                .filter { $0.hasPrefix("0,") }
                .map { $0.split(separator: ",").last!.trimmingCharacters(in: .whitespaces) }
            #expect(hashes.count == Self.frames)
            #expect(try hashes == Judge.frameHashes(lossless))
        }

        @Test func rawVideoIsTheFramesAndNothingElse() throws {
            try succeed(inputs() + [folder / "out.yuv"])
            #expect(try Data(contentsOf: folder / "out.yuv").count == Self.frames * 256 * 144 * 3 / 2)
            try succeed(inputs() + ["--video-codec", "ffv1", folder / "out.mkv"])
            let raw = try Tool.ffmpeg("-f rawvideo -pix_fmt yuv420p -s 256x144 -i \(folder / "out.yuv") -f framemd5 -")
            let hashes = raw.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                .map { $0.split(separator: ",").last!.trimmingCharacters(in: .whitespaces) }
            #expect(try hashes == Judge.frameHashes(folder / "out.mkv"))
        }

        /// Every frame is in an animated WebP for 40 ms. ffmpeg does not decode these, so the test reads the chunks
        /// (WebP Container Specification, ANMF).
        @Test func animatedWebPHasEveryFrame() throws {
            let out = folder / "out.webp"
            try succeed(inputs() + [out])
            let data = try [UInt8](Data(contentsOf: out))
            var lengths: [Int] = []
            var loops: Int?
            var at = 12
            while at + 8 <= data.count {
                let size = data[at + 4..<at + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
                let name = String(decoding: data[at..<at + 4], as: UTF8.self)
                if name == "ANMF" { lengths.append(data[at + 20..<at + 23].reversed().reduce(0) { $0 << 8 | Int($1) }) }
                if name == "ANIM" { loops = Int(data[at + 12]) | Int(data[at + 13]) << 8 }
                at += 8 + size + size % 2
            }
            #expect(at == data.count && lengths == Array(repeating: 40, count: Self.frames) && loops == 0)
        }

        @Test func whatHasToGoBackIsRefusedOnStandardOutput() throws {
            let run = try CommandTests.run(inputs() + ["-", "--format", "apng"])
            #expect(run.status == 64 && run.output.isEmpty && run.messages.contains("apng"), "\(run.story)")
        }

        @Test(
            arguments: Places.some(
                ["nut", "mkv", "mp4", "yuv4mpegpipe", "rawvideo", "framemd5", "gif", "avi", "png"], every: 3))
        func standardOutputTakesEveryFormatThatStreams(format: String) throws {
            let run = try succeed(inputs() + ["-", "--format", format])
            let out = folder / "piped"
            try run.output.write(to: out)
            switch format {
            case "rawvideo": #expect(run.output.count == Self.frames * 256 * 144 * 3 / 2)
            case "framemd5": #expect(run.text.split(separator: "\n").filter { $0.hasPrefix("0,") }.count == Self.frames)
            default:
                #expect(try Judge.frameHashes(out).count == Self.frames)
                #expect(try Judge.complaints(out) == "")
            }
        }
    }
}

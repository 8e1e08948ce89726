import FlipMedia
import TestSupport
import Testing

extension CommandTests {
    /// Encoders in hardware: what a machine lacks is said in one sentence, before anything is written. Where a machine
    /// has the device, the output is decoded instead.
    @Suite(.serialized) struct HardwareTests {
        let folder = TemporaryFolder.make()

        /// The encoders in hardware that this FFmpeg lists. A portable program has none.
        private static let encoders: [String] = {
            guard Places.usesSystemLibraries else { return [] }
            let run = try? Tool.run("ffmpeg", ["-hide_banner", "-encoders"])
            let names = (run?.text ?? "").matches(of: /\n V[^ ]+ ([a-z0-9_]+)/).map { String($0.1) }
            return names.filter { name in HardwareFamily.all.contains { name.hasSuffix($0.ending) } }
        }()

        private func inputs() throws -> [String] {
            try [
                clips().pattern("hardware-a", frames: 12, size: "320x192"),
                clips().pattern("hardware-b", frames: 12, size: "320x192", hue: 90), "--duration", "4f",
            ]
        }

        /// The encoders that tests below name and this FFmpeg lacks.
        private static let missing = Set(mistakes.map(\.encoder) + deepFormats.map(\.0) + sameSamples.map(\.0))
            .subtracting(encoders)

        /// Cases of encoders that this FFmpeg lacks are left out below, which this test says by being skipped.
        @Test(.enabled(if: missing.isEmpty, "this FFmpeg lacks encoders in hardware")) func noCaseIsLeftOut() {
            #expect(Self.missing.isEmpty)
        }

        @Test(.usesSystemLibraries) func thereAreSome() {
            #expect(Self.encoders.contains("h264_vaapi"), "\(Self.encoders)")
        }

        @Test(arguments: Places.some(encoders, every: 4)) func whatIsMissingIsSaid(encoder: String) throws {
            for leave in [[], ["-y"]] {
                if !leave.isEmpty { try "precious".write(to: folder / "out.nut") }
                let run = try CommandTests.run(inputs() + leave + ["--video-codec", encoder, folder / "out.nut"])
                if run.status == 0 {
                    #expect(try Judge.complaints(folder / "out.nut") == "")
                    #expect(try Judge.video(folder / "out.nut").frameCount == 20)
                    continue
                }
                #expect(run.status == 69 && run.messageLines.count == 1, "\(run.story)")
                #expect(run.messages.contains("the encoder '\(encoder)' can't be used on this machine: "))
                #expect(run.messages.contains(" (give --video-codec "), "\(run.messages)")
                #expect(try folder.names == (leave.isEmpty ? [] : ["out.nut"]))
                if leave.isEmpty { continue }
                #expect(FileManager.default.contents(atPath: folder / "out.nut") == Data("precious".utf8))
            }
        }

        /// The software encoder that the refusal names is one that works.
        @Test func theAlternativeWorks() throws {
            // A driver that doesn't exist takes the place of that of a device, if there is one.
            let run = try CommandTests.run(
                inputs() + ["--video-codec", "vp9_vaapi", folder / "out.webm"],
                environment: ["LIBVA_DRIVER_NAME": "none"])
            #expect(run.status == 69, "\(run.story)")
            let name = try #require(run.messages.firstMatch(of: /give --video-codec ([a-z0-9_-]+)\)/)?.1)
            try succeed(inputs() + ["--video-codec", String(name), folder / "out.webm"])
            #expect(try Judge.video(folder / "out.webm").codec == "vp9")
        }

        /// A wrong option is a mistake on any machine, and the sentence about a missing crf names an option that ffmpeg
        /// says the encoder has.
        @Test(arguments: mistakes.filter { encoders.contains($0.encoder) })
        func mistakesAreUsage(encoder: String, options: [String], words: String) throws {
            let run = try CommandTests.run("\(inputs()) --video-codec \(encoder) \(options) \(folder / "out.nut")")
            #expect(run.status == 64 && run.messageLines.count == 1, "\(run.story)")
            #expect(run.messages.contains(words) && run.messages.contains(encoder), "\(run.messages)")
            #expect(try folder.names == [])
            guard options.first == "--crf", let option = words.firstMatch(of: /options ([a-z_]+)=/)?.1 else { return }
            let help = try Tool.succeed("ffmpeg", ["-hide_banner", "-h", "encoder=\(encoder)"]).text
            // All encoders share global_quality.
            #expect(option == "global_quality" || help.contains("  -\(option) "), "\(option)")
        }
        private static let mistakes: [(encoder: String, options: [String], words: String)] = [
            ("h264_nvenc", ["--crf", "20"], "(give --video-options cq=23)"),
            ("hevc_nvenc", ["--crf", "20"], "(give --video-options cq=23)"),
            ("h264_vaapi", ["--crf", "20"], "(give --video-options qp=23)"),
            ("vp9_vaapi", ["--crf", "20"], "(give --video-options global_quality=23)"),
            ("h264_qsv", ["--crf", "20"], "(give --video-options global_quality=23)"),
            ("h264_nvenc", ["--video-options", "wobble=3"], "has no option 'wobble'"),
            ("h264_nvenc", ["--video-options", "rc=bogus"], "bogus"),
            ("h264_vaapi", ["--preset", "fast"], "has no preset"),
            ("h264_vaapi", ["--size", "321x181"], "321x181"),
            ("h264_vaapi", ["--pix-fmt", "yuv444p"], "it takes yuv420p"),
            ("h264_nvenc", ["--segments", "6f"], "can't be restarted"),
            ("h264_vaapi", ["--segments", "6f"], "can't be restarted"),
            ("mjpeg_vaapi", ["--segments", "6f"], "can't be restarted"),
        ]

        private static let deepFormats = [
            ("h264_vaapi", "nv12"), ("h264_qsv", "nv12"), ("h264_nvenc", "yuv420p"), ("hevc_vaapi", "p010le"),
            ("vp9_vaapi", "p010le"), ("hevc_qsv", "p010le"),
        ]

        @Test(arguments: deepFormats.filter { encoders.contains($0.0) })
        func tenBitsGoWhereTheCodecHasThem(encoder: String, format: String) throws {
            let deep = try clips().pattern("hardware-deep", frames: 12, size: "320x192", pixelFormat: "yuv420p10le")
            let plan = try succeed(["plan", deep, deep, "--video-codec", encoder, "--duration", "4f", "out.nut"])
            #expect(plan.text.contains(" \(format) at 25 fps"), "\(plan.text)")
        }

        private static let sameSamples = [
            ("h264_vaapi", "yuv420p", "nv12"), ("hevc_vaapi", "yuv420p10le", "p010le"),
            ("h264_qsv", "yuv420p", "nv12"), ("h264_nvenc", "yuv420p", "yuv420p"),
        ]

        /// The planar format that is asked for may be uploaded with its chroma interleaved.
        @Test(arguments: sameSamples.filter { encoders.contains($0.0) })
        func formatsOfTheSameSamplesAreTaken(encoder: String, asked: String, format: String) throws {
            let options = ["--video-codec", encoder, "--pix-fmt", asked, "out.nut"]
            let plan = try succeed(["plan"] + inputs() + options)
            #expect(plan.text.contains(" \(format) at 25 fps"), "\(plan.text)")
        }

        /// The printed command would need filters that upload frames.
        @Test(.usesSystemLibraries) func commandsForFFmpegAreRefused() throws {
            let run = try CommandTests.run("export --as ffmpeg \(inputs()) --video-codec h264_vaapi out.mp4")
            #expect(run.status == 64 && run.messageLines.count == 1 && run.messages.contains("libx264"), "\(run.story)")
        }
    }
}

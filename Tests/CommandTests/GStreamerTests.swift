import TestSupport
import Testing

extension CommandTests {
    /// GStreamer's element in pipelines of gst-launch-1.0 and of applications.
    @Suite(
        .enabled(if: Places.gstreamer != nil, Comment(rawValue: Places.gstreamerIsMissing)),
        .enabled(if: Places.has("gst-launch-1.0"), "needs gst-launch-1.0"))
    struct GStreamerTests {
        let folder = TemporaryFolder.make()

        /// Runs a case of Tests/Tools/gstreamer_cases.py and returns what it prints, by lines.
        private func cases(_ words: String..., folder: TemporaryFolder) throws -> [String] {
            let script = "\(Places.package)/Tests/Tools/gstreamer_cases.py"
            let run = try GStreamer.run([try #require(Python.withGStreamer), script] + words, folder)
            #expect(run.status == 0, "\(run.messages)")
            return run.text.split(separator: "\n").map(String.init)
        }

        /// A whole join: what lies outside the overlap are the inputs' own frames, and every frame has its time.
        @Test func oneClipFollowsTheOther() throws {
            let format = GStreamer.Format("I420", "yuv420p")
            let (a, b) = try GStreamer.pair(format, count: 24, second: 20)
            // The second begins with frame 16 of the first, so that 8 frames overlap.
            try GStreamer.play(
                "fliptransition name=m style=fold offset=0.46875 duration=0.28125 sink_1::offset=500000000 ! tee name=t "
                    + "! queue ! filesink location=\(folder / "out.bin") t. ! queue ! vp8enc deadline=1 ! matroskamux "
                    + "! filesink location=\(folder / "out.mkv") "
                    + GStreamer.source(a.raw, format, to: 0) + " " + GStreamer.source(b.raw, format, to: 1), folder)
            try succeed("\(a.file) \(b.file) \(folder / "out.nut") --duration 8f --style fold --video-codec rawvideo")
            let frames = try Data(contentsOf: folder / "out.bin")
            let size = GStreamer.width * GStreamer.height * 3 / 2
            #expect(frames.count == 36 * size)
            #expect(frames == (try Judge.frames(folder / "out.nut", filter: "null", format: "yuv420p")))
            #expect(frames.prefix(16 * size) == (try Data(contentsOf: a.raw)).prefix(16 * size))
            #expect(frames.suffix(12 * size) == (try Data(contentsOf: b.raw)).suffix(12 * size))
            // Matroska counts milliseconds.
            let times = try Judge.video(folder / "out.mkv").times
            #expect(times.count == 36)
            for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 32) < 0.001) }
        }

        /// Where there is only one picture it is shown, and where there is none the background.
        @Test func missingPicturesAreLeftOut() throws {
            let format = GStreamer.Format("RGBA", "rgba", "gbrap")
            let (a, b) = try GStreamer.pair(format, count: 8)
            let size = GStreamer.width * GStreamer.height * 4
            let (first, second) = (try Data(contentsOf: a.raw), try Data(contentsOf: b.raw))
            try GStreamer.play(
                "fliptransition name=m progress=0.5 ! filesink location=\(folder / "one.bin") "
                    + GStreamer.source(a.raw, format, to: 0), folder)
            #expect(try Data(contentsOf: folder / "one.bin") == first)
            // A gap of 4 frames.
            try GStreamer.play(
                "fliptransition name=m progress=0.5 background=#204060 background-opacity=0.2 sink_1::offset=375000000 "
                    + "! filesink location=\(folder / "gap.bin") \(GStreamer.source(a.raw, format, to: 0)) "
                    + GStreamer.source(b.raw, format, to: 1), folder)
            let gap = Data([0x20, 0x40, 0x60, 0x33])
            let blank = (0..<4 * size / 4).reduce(into: Data(capacity: 4 * size)) { data, _ in data.append(gap) }
            #expect(try Data(contentsOf: folder / "gap.bin") == first + blank + second)
        }

        /// A converter before an input converts to what the other input, or what follows, has.
        @Test func convertersLearnWhatIsNeeded() throws {
            try GStreamer.play(
                "fliptransition name=m duration=1 ! video/x-raw,format=I420_10LE,width=64,height=48,pixel-aspect-ratio=1/1 "
                    + "! filesink location=\(folder / "out.bin") videotestsrc num-buffers=9 ! "
                    + "video/x-raw,format=RGBA,width=320 ! videoconvert ! videoscale ! m. videotestsrc num-buffers=9 ! "
                    + "video/x-raw,format=NV12,height=90 ! videoscale ! m.", folder)
            #expect(try Data(contentsOf: folder / "out.bin").count == 9 * 64 * 48 * 3)
        }

        @Test func mistakesAreSaidInOneSentence() throws {
            let inputs = "! fakesink videotestsrc num-buffers=3 ! m. videotestsrc num-buffers=3 ! m."
            let sized = { (width: Int, more: String) in
                "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=\(width),height=48\(more) ! m. "
            }
            for (pipeline, sentence) in [
                ("duration=0,6 \(inputs)", "invalid offset '' or duration '0,6' (expected 0.6 or 600ms)"),
                (
                    "background=nosuch \(inputs)",
                    "background: invalid color 'nosuch' (expected a CSS color name, #rrggbb or #rrggbbaa)"
                ),
                ("easing=nosuch \(inputs)", "unknown easing 'nosuch' (expected a name such as "),
                (
                    "! fakesink " + sized(64, "") + sized(72, ""),
                    "sink_0 gets width 64, height 48, pixel-aspect-ratio 1/1, and sink_1 width 72, height 48, "
                        + "pixel-aspect-ratio 1/1 (bring both to one size, for example by videoscale before each and a "
                        + "capsfilter after the element)"
                ),
                (
                    "! fakesink " + sized(64, ",interlace-mode=interleaved") + sized(64, ""),
                    "the pictures are interlaced (put deinterlace before the element)"
                ),
            ] {
                let run = try GStreamer.launch("fliptransition name=m \(pipeline)", folder)
                #expect(run.status != 0 && run.messages.contains("/FlipTransition:m: \(sentence)"), "\(run.messages)")
            }
            // What gst-launch-1.0 itself finds.
            for (rest, sentence) in [
                ("style=nosuch \(inputs)", #"could not set property "style" in element "fliptransition" to "nosuch""#),
                ("\(inputs) videotestsrc ! m.", "could not link videotestsrc2 to m"),
            ] {
                let run = try GStreamer.launch("fliptransition name=m \(rest)", folder)
                #expect(run.status != 0 && run.messages.contains(sentence), "\(run.messages)")
            }
        }

        /// Odd sizes, several threads, and samples of two bytes.
        @Test(.turn(1, of: 2), .enabled(if: Places.has("valgrind"), "needs valgrind"))
        func memoryIsUsedWithinItsBounds() throws {
            let input = "videotestsrc num-buffers=6 ! video/x-raw,format=I420_10LE,width=99,height=55"
            let run = try GStreamer.run(
                [
                    "valgrind", "-q", "--error-exitcode=99",
                    "--suppressions=\(Places.package)/Tests/Tools/gstreamer.supp", "gst-launch-1.0", "-q",
                ]
                    + "fliptransition name=m style=curl duration=0.2 n-threads=3 ! fakesink \(input) ! m. \(input) ! m."
                    .split(separator: " ").map(String.init), folder)
            #expect(run.status == 0 && !run.messages.contains("Invalid"), "\(run.messages.suffix(3000))")
        }

        /// GStreamer counts the objects that are left when everything has ended.
        @Test func pipelinesLeakNothing() throws {
            let input = "videotestsrc num-buffers=20 ! video/x-raw,format=I420,width=64,height=48 ! "
            for pipeline in [
                "fliptransition name=m style=curl duration=1 ! fakesink \(input) m. \(input) m.",
                "fliptransition name=m duration=nosuch ! fakesink \(input) m. \(input) m.",
                "fliptransition name=m ! fakesink \(input) m. videotestsrc num-buffers=3 ! m.",
            ] {
                let run = try GStreamer.launch(
                    pipeline, folder, variables: ["GST_TRACERS=leaks", "GST_DEBUG=GST_TRACER:7"])
                #expect(run.messages.contains("object-alive.class"), "the tracer runs")
                let left = run.messageLines.filter { $0.contains(/object-alive, type-name=\(string\)[^%]/) }
                #expect(left.isEmpty)
            }
        }

        // MARK: Applications

        @Test(.needsGStreamer) func applicationsAnimateTheProgress() throws {
            let format = GStreamer.Format("I420_10LE", "yuv420p10le")
            let (a, b) = try GStreamer.pair(format, count: 9)
            _ = try cases(
                "animate", a.raw, b.raw, folder / "out.bin", "9", "\(GStreamer.rate)", "\(GStreamer.width)",
                "\(GStreamer.height)", folder: folder)
            let frames = try Data(contentsOf: folder / "out.bin")
            let size = GStreamer.width * GStreamer.height * 3
            #expect(frames.count == 9 * size)
            for index in 0...8 {
                let (from, to) = ("\(a.file)#t=0,\(Double(index + 1) / 32)", "\(b.file)#t=\(Double(index) / 32)")
                try succeed(
                    "still \(from) \(to) \(folder / "still.nut") -y --style fold --mode cubic --at \(Double(index) / 8)",
                    "--video-codec rawvideo --pix-fmt yuv420p10le")
                let expected = try Judge.frames(folder / "still.nut", filter: "null", format: "yuv420p10le")
                #expect(frames.subdata(in: index * size..<(index + 1) * size) == expected, "frame \(index)")
            }
        }

        @Test(.needsGStreamer) func applicationsUseTheElementAsTheyDoOthers() throws {
            #expect(
                try cases("restart", folder: folder) == [
                    Array(repeating: "\(64 * 48)", count: 9).joined(separator: " ") + " "
                        + Array(repeating: "\(96 * 48)", count: 9).joined(separator: " ")
                ])
            #expect(try cases("pads", folder: folder) == ["sink_0 sink_1 None", "None None 1", "sink_0 sink_1"])
            let properties = try cases("properties", folder: folder)
            for line in ["progress animated", "style set", "creases animated", "paper set", "n-threads set"] {
                #expect(properties.contains(line), "\(properties)")
            }
        }

        /// What is refused is said once, and the frames that are asked for until the pipeline stops do no harm.
        @Test(.turn(0, of: 2), .needsGStreamer) func whatIsRefusedDoesNoHarm() throws {
            let interlaced = "the pictures are interlaced (put deinterlace before the element)"
            #expect(
                try cases("refusals", folder: try TemporaryFolder()) == [
                    "progressive, interlaced: \(interlaced)", "interlaced, progressive: \(interlaced)",
                    "interlaced, interlaced: \(interlaced)", "interlaced, : \(interlaced)",
                    "of bytes, progressive: an input's pictures have no times (set appsrc's format to time)",
                    "sizeless, progressive: the caps of an input don't describe pictures of one size and format",
                ])
        }

        /// Colors, alpha, the resolution of chroma, and bits are kept where what follows takes them.
        @Test(.needsGStreamer) func nothingIsLostBetweenFormats() throws {
            #expect(
                try cases("formats", folder: try TemporaryFolder()) == [
                    "I420 I420_10LE -> I420_10LE", "I420_10LE NV12 -> I420_10LE", "GRAY8 I420 -> I420",
                    "Y444 I420_10LE -> Y444_10LE", "RGBA I420_10LE -> A444_10LE", "GRAY16_LE GBR -> Y444_16LE",
                    "NV12 NV12 -> NV12", "A420 Y444_16LE -> RGBA64_LE", "I420 I420,chroma-site=mpeg2 -> I420",
                    "I420_10LE I420_10LE,format=I420 -> I420", "I420 I420,colorimetry=bt709 -> I420",
                    "P010_10LE P010_10LE -> I420_10LE", "YUY2 UYVY -> Y42B", "v210 I420 -> I422_10LE",
                    "AYUV NV12 -> A444_10LE", "ARGB64 RGB -> RGBA64_LE", "P010_10LE NV12,format=I420 -> I420",
                ])
            // Alpha is dropped only by a converter, which somebody has asked for.
            let run = try GStreamer.launch(
                "fliptransition name=m ! video/x-raw,format=I420 ! fakesink videotestsrc num-buffers=3 ! "
                    + "video/x-raw,format=RGBA ! m.", try TemporaryFolder())
            #expect(run.status == 1 && run.messages.contains("could not link"), "\(run.messages)")
        }

        /// A mistyped word doesn't end a pipeline that runs: the value before stays, and a warning says why.
        @Test(.needsGStreamer) func runningPipelinesKeepTheirValuesThroughMistakes() throws {
            let lines = try cases("mistakes", folder: try TemporaryFolder())
            #expect(
                lines.prefix(6) == [
                    "background=zzz -> #008080", "easing=nosuch -> ", "duration=0,6 -> 1", "background=navy -> #000080",
                    "30", "frames,",
                ])
            for (line, said) in zip(
                lines.dropFirst(6), ["invalid color 'zzz'", "unknown easing 'nosuch'", "duration '0,6'"])
            {
                #expect(line.contains(said) && line.hasSuffix("; the value before is kept"), "\(line)")
            }
            #expect(lines.count == 9)
        }

        @Test(.needsGStreamer) func inputsMayChangeTheirSizeTogether() throws {
            let (large, small) = ("\(320 * 240 * 3 / 2)", "\(160 * 120 * 3 / 2)")
            #expect(
                try cases("resize", folder: try TemporaryFolder()) == [
                    (Array(repeating: large, count: 4) + Array(repeating: small, count: 4)).joined(separator: " ")
                ])
        }
    }
}

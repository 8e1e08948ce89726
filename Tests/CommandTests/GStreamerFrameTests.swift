import TestSupport
import Testing

extension CommandTests {
    /// The frames of GStreamer's element are those of the program.
    @Suite(
        .enabled(if: Places.gstreamer != nil, Comment(rawValue: Places.gstreamerIsMissing)),
        .enabled(if: Places.has("gst-launch-1.0"), "needs gst-launch-1.0"))
    struct GStreamerFrameTests {
        let folder = TemporaryFolder.make()

        /// The frames of an overlap are, to the bit, those that the program writes.
        @Test(arguments: Places.some(GStreamer.formats, every: 24)) func framesAreTheProgramsInEveryFormat(
            format: GStreamer.Format
        ) throws {
            let (a, b) = try GStreamer.pair(format, count: 15)
            try GStreamer.play(
                "fliptransition name=m style=card background=teal shadow-color=navy offset=-0.03125 duration=0.5 "
                    + "! filesink location=\(folder / "out.bin") \(GStreamer.source(a.raw, format, to: 0)) "
                    + GStreamer.source(b.raw, format, to: 1), folder)
            try succeed(
                "\(a.file) \(b.file) \(folder / "out.nut") --duration 15f --style card --background teal",
                "--shadow-color navy --video-codec rawvideo --pix-fmt \(format.planar)")
            var expected = try Judge.frames(
                folder / "out.nut", filter: "null", format: format.hasAlpha ? format.name : format.planar)
            if format.host == "NV16" { expected = GStreamer.interleaved(expected) }
            let frames = try GStreamer.samples(folder / "out.bin", format)
            #expect(frames.count == expected.count && frames == expected)
            let first = try GStreamer.samples(a.raw, format)
            #expect(frames.prefix(frames.count / 15) != first.prefix(frames.count / 15), "nothing has turned")
        }

        /// The output's caps list what the test above has tried, and nothing else. The inputs' begin with the same and go on
        /// with what is converted.
        @Test func everyFormatIsTried() throws {
            let text = try GStreamer.run(["gst-inspect-1.0", "fliptransition"], folder).text
            let lists = text.split(separator: "\n").filter { $0.contains("format: {") }.map { list in
                list.split(separator: ",").map {
                    $0.replacing(/.*\(string\)/, with: "").trimmingCharacters(in: CharacterSet(charactersIn: " }"))
                }
            }.sorted { $0.count < $1.count }
            let drawn = GStreamer.formats.map(\.host)
            #expect(lists.count == 2 && lists.first == drawn)
            #expect(lists.last?.prefix(drawn.count) == drawn[...])
            #expect(Set(["P010_10LE", "YUY2", "UYVY", "v210", "AYUV", "ARGB64"]).isSubset(of: lists.last ?? []))
        }

        /// Samples of P010 are those of I420_10LE, moved and interleaved, and none is changed by GStreamer's converter.
        @Test func interleavedDeepPicturesAreKeptExactly() throws {
            for format in [
                GStreamer.Format("I420_10LE", "yuv420p10le"), GStreamer.Format("P010_10LE", "p010le", "yuv420p10le"),
            ] {
                let inputs = try ["testsrc2", "mandelbrot"].enumerated().map { index, source in
                    GStreamer.source(try GStreamer.pictures(source, format, count: 15).raw, format, to: index)
                }
                try GStreamer.play(
                    "fliptransition name=m style=curl offset=-0.03125 duration=0.5 ! filesink "
                        + "location=\(folder / format.host) " + inputs.joined(separator: " "), folder)
            }
            let own = try Data(contentsOf: folder / "I420_10LE")
            #expect(own.count == 15 * GStreamer.width * GStreamer.height * 3)
            #expect(try Data(contentsOf: folder / "P010_10LE") == own)
        }

        /// Where caps say HDR, paper is diffuse white, as in the program.
        @Test func colorimetryTellsWhatSamplesMean() throws {
            let format = GStreamer.Format("I420_10LE", "yuv420p10le")
            let clips = try ["testsrc2", "mandelbrot"].map { source in
                let picture = try GStreamer.pictures(source, format, count: 15)
                let file = try CommandTests.clips().make(
                    "gstreamer-\(source)-pq.mkv", "-i \(picture.file) -vf format=yuv420p10le -c:v ffv1",
                    "-color_trc smpte2084 -color_primaries bt2020 -colorspace bt2020nc -color_range tv")
                return (raw: picture.raw, file: file)
            }
            try GStreamer.play(
                "fliptransition name=m style=curl paper=white paper-opacity=1 offset=-0.03125 duration=0.5 ! filesink "
                    + "location=\(folder / "out.bin") "
                    + GStreamer.source(clips[0].raw, format, to: 0, colorimetry: "bt2100-pq") + " "
                    + GStreamer.source(clips[1].raw, format, to: 1, colorimetry: "bt2100-pq"), folder)
            try succeed(
                "\(clips[0].file) \(clips[1].file) \(folder / "out.mkv") --duration 15f --style curl --paper white",
                "--paper-opacity 1 --video-codec ffv1")
            let expected = try Judge.frames(folder / "out.mkv", filter: "null", format: "yuv420p10le")
            #expect(try Data(contentsOf: folder / "out.bin") == expected)
        }

        /// What is set in the options' own units is what the command line's options are.
        @Test(
            arguments: Places.some(
                [
                    (
                        "style=flip direction=backward orientation=vertical spine=0.3 shadow=edge shadow-strength=1.5",
                        ""
                    ),
                    ("style=fold creases=3", ""), ("style=curl angle=-20 paper=linen radius=0.2", ""),
                    ("style=flip reverse=true", "style=flip reverse"),
                    ("style=card pull-back=0.6", ""), ("look=venetian", ""),
                    // The numbers that are shown as the defaults, which aren't these styles' own.
                    ("style=flip pull-back=0.85", ""), ("look=peel angle=20", ""), ("look=paper shadow-strength=1", ""),
                    ("style=wipe softness=0.3 easing=cubic-bezier(0.2,0,0.4,1)", ""),
                    ("style=blinds strips=5 stagger=2", ""), ("look=cinema", ""), ("style=push shutter=270", ""),
                ], every: 3))
        func propertiesAreTheOptions(properties: String, options: String) throws {
            let format = GStreamer.Format("I420", "yuv420p")
            let (a, b) = try GStreamer.pair(format, count: 15)
            try GStreamer.play(
                "fliptransition name=m \(properties) offset=-0.03125 duration=0.5 ! filesink "
                    + "location=\(folder / "out.bin") \(GStreamer.source(a.raw, format, to: 0)) \(GStreamer.source(b.raw, format, to: 1))",
                folder)
            let words = (options.isEmpty ? properties : options).split(separator: " ").map { "--\($0)" }
            try succeed("\(a.file) \(b.file) \(folder / "out.nut") --duration 15f --video-codec rawvideo \(words)")
            let expected = try Judge.frames(folder / "out.nut", filter: "null", format: "yuv420p")
            let frames = try Data(contentsOf: folder / "out.bin")
            #expect(frames == expected, "\(properties)")
        }
    }
}

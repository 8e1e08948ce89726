import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// GStreamer's element, in pipelines of gst-launch-1.0 and of applications.
    @Suite(
        .enabled(if: Places.gstreamer != nil, Comment(rawValue: Places.gstreamerIsMissing)),
        .enabled(if: Places.has("gst-launch-1.0"), "needs gst-launch-1.0"))
    struct GStreamerTests {
        /// A registry of its own keeps the machine's plugins apart, and finds the element at its place.
        private static func environment(_ folder: TemporaryFolder) throws -> [String] {
            [
                "env", "GST_PLUGIN_PATH=\(try #require(Places.gstreamer))", "GST_REGISTRY=\(folder / "registry")",
                "GST_DEBUG_NO_COLOR=1",
            ]
        }

        private func launch(
            _ pipeline: String, _ folder: TemporaryFolder, variables: [String] = []
        ) throws -> ToolRun {
            try Tool.run(
                "env",
                Array(try Self.environment(folder).dropFirst()) + variables + ["gst-launch-1.0", "-q"]
                    + pipeline.split(separator: " ").map(String.init), timeout: 120)
        }

        private func play(_ pipeline: String, _ folder: TemporaryFolder) throws {
            let run = try launch(pipeline, folder)
            #expect(run.status == 0 && run.messages.isEmpty, "\(pipeline): \(run.messages)")
        }

        /// Runs a case of Tests/Tools/gstreamer_cases.py and returns what it prints, by lines.
        private func cases(_ words: String..., folder: TemporaryFolder) throws -> [String] {
            let python = try #require(Python.withGStreamer)
            let script = "\(Places.package)/Tests/Tools/gstreamer_cases.py"
            let words = Array(try Self.environment(folder).dropFirst()) + [python, script] + words
            return try Tool.succeed("env", words, timeout: 120).text.split(separator: "\n").map(String.init)
        }

        // MARK: Frames

        /// A pixel format by GStreamer's and FFmpeg's names, and the planar one in which the program writes its samples.
        struct Format: CustomStringConvertible {
            let host: String
            let name: String
            let planar: String

            init(_ host: String, _ name: String, _ planar: String? = nil) {
                (self.host, self.name, self.planar) = (host, name, planar ?? name)
            }

            var description: String { host }
            var hasAlpha: Bool { planar.contains("gbrap") || planar.contains("yuva") }
            var isRGB: Bool { planar.hasPrefix("gbr") }
        }

        static let formats = [
            Format("I420", "yuv420p"), Format("I420_10LE", "yuv420p10le"), Format("I420_12LE", "yuv420p12le"),
            Format("Y42B", "yuv422p"), Format("I422_10LE", "yuv422p10le"), Format("I422_12LE", "yuv422p12le"),
            Format("Y444", "yuv444p"), Format("Y444_10LE", "yuv444p10le"), Format("Y444_12LE", "yuv444p12le"),
            Format("Y444_16LE", "yuv444p16le"), Format("Y41B", "yuv411p"), Format("NV12", "nv12", "yuv420p"),
            Format("NV21", "nv21", "yuv420p"), Format("NV16", "nv16", "yuv422p"), Format("NV24", "nv24", "yuv444p"),
            Format("A420", "yuva420p"), Format("A420_10LE", "yuva420p10le"), Format("A422_10LE", "yuva422p10le"),
            Format("A444_10LE", "yuva444p10le"), Format("GRAY8", "gray"), Format("GRAY16_LE", "gray16le"),
            Format("GBR", "gbrp"), Format("GBR_10LE", "gbrp10le"), Format("GBR_12LE", "gbrp12le"),
            Format("GBRA", "gbrap"), Format("GBRA_10LE", "gbrap10le"), Format("GBRA_12LE", "gbrap12le"),
            Format("RGBA", "rgba", "gbrap"), Format("BGRA", "bgra", "gbrap"), Format("ARGB", "argb", "gbrap"),
            Format("ABGR", "abgr", "gbrap"), Format("RGBx", "rgb0", "gbrp"), Format("BGRx", "bgr0", "gbrp"),
            Format("xRGB", "0rgb", "gbrp"), Format("xBGR", "0bgr", "gbrp"), Format("RGB", "rgb24", "gbrp"),
            Format("BGR", "bgr24", "gbrp"), Format("RGBA64_LE", "rgba64le", "gbrap16le"),
            Format("BGRA64_LE", "bgra64le", "gbrap16le"),
        ]

        /// The length of a frame is a binary fraction, so that times are the same in nanoseconds and in seconds.
        private static let rate = 32
        private static let (width, height) = (96, 72)

        /// Frames of ffmpeg's generator `source`, as raw video in `format`, and as a file for the program.
        private func pictures(_ source: String, _ format: Format, count: Int) throws -> (raw: String, file: String) {
            let size = ["-s", "\(Self.width)x\(Self.height)", "-r", "\(Self.rate)"]
            let alpha = format.hasAlpha ? "format=gbrap,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*X/W'," : ""
            let planes = try clips().make(
                "gstreamer-\(source)-\(format.planar)-\(count).raw",
                [
                    "-f", "lavfi", "-i", "\(source)=s=\(Self.width)x\(Self.height):r=\(Self.rate)", "-frames:v",
                    "\(count)", "-vf", "format=gbrp,\(alpha)format=\(format.planar)", "-f", "rawvideo",
                ])
            let given = ["-f", "rawvideo", "-pix_fmt", format.planar] + size + ["-i", planes]
            let file = try clips().make(
                "gstreamer-\(source)-\(format.planar)-\(count).nut", given + ["-c:v", "rawvideo"])
            if format.host == "NV16" {
                let samples = interleaved(try Data(contentsOf: URL(fileURLWithPath: planes)))
                try samples.write(to: URL(fileURLWithPath: planes + ".nv16"))
                return (planes + ".nv16", file)
            }
            let raw = try clips().make(
                "gstreamer-\(source)-\(format.name)-\(count).bin",
                given + ["-pix_fmt", format.name, "-f", "rawvideo"])
            return (raw, file)
        }

        /// Raw video in yuv422p with the samples of both chroma planes in turns, as in NV16, which swscale doesn't know.
        private func interleaved(_ data: Data) -> Data {
            let size = Self.width * Self.height
            var result = Data(capacity: data.count)
            for start in stride(from: 0, to: data.count, by: 2 * size) {
                result += data[start..<start + size]
                for index in start + size..<start + size * 3 / 2 { result += [data[index], data[index + size / 2]] }
            }
            return result
        }

        /// The elements that read raw video and say what its samples mean, up to the input `sink`.
        private func source(_ raw: String, _ format: Format, to sink: Int) -> String {
            let nick = format.host.lowercased().replacing("_", with: "-")
            let caps = "video/x-raw,colorimetry=bt709" + (format.planar.contains("444") ? "" : ",chroma-site=mpeg2")
            return "filesrc location=\(raw) ! rawvideoparse format=\(nick) width=\(Self.width) height=\(Self.height) "
                + "framerate=\(Self.rate)/1 ! " + (format.isRGB ? "" : "capssetter caps=\(caps) ! ") + "m.sink_\(sink)"
        }

        /// The samples of raw video in the planar format, or as they are where swscale doesn't convert to that exactly.
        private func samples(_ raw: String, _ format: Format) throws -> Data {
            if format.hasAlpha || format.host == "NV16" { return try Data(contentsOf: URL(fileURLWithPath: raw)) }
            return try Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "rawvideo", "-pix_fmt", format.name, "-s",
                    "\(Self.width)x\(Self.height)", "-i", raw, "-pix_fmt", format.planar, "-f", "rawvideo", "-",
                ]
            ).output
        }

        /// The frames of an overlap are, to the bit, those that the program writes.
        @Test(arguments: formats) func framesAreTheProgramsInEveryFormat(format: Format) throws {
            let folder = try TemporaryFolder()
            let (a, b) = (
                try pictures("testsrc2", format, count: 15), try pictures("mandelbrot", format, count: 15)
            )
            try play(
                "fliptransition name=m style=card background=teal shadow-color=navy offset=-0.03125 duration=0.5 "
                    + "! filesink location=\(folder / "out.bin") \(source(a.raw, format, to: 0)) "
                    + source(b.raw, format, to: 1), folder)
            try succeed([
                a.file, b.file, folder / "out.nut", "--duration", "15f", "--style", "card", "--background", "teal",
                "--shadow-color", "navy", "--video-codec", "rawvideo", "--pix-fmt", format.planar,
            ])
            var expected = try Judge.frames(
                folder / "out.nut", filter: "null", format: format.hasAlpha ? format.name : format.planar)
            if format.host == "NV16" { expected = interleaved(expected) }
            let frames = try samples(folder / "out.bin", format)
            #expect(frames.count == expected.count && frames == expected)
            let first = try samples(a.raw, format)
            #expect(frames.prefix(frames.count / 15) != first.prefix(frames.count / 15), "nothing has turned")
        }

        /// The caps of the element list what the test above has tried, and nothing else.
        @Test func everyFormatIsTried() throws {
            let folder = try TemporaryFolder()
            let words = Array(try Self.environment(folder).dropFirst()) + ["gst-inspect-1.0", "fliptransition"]
            let text = try Tool.succeed("env", words).text
            let list = try #require(text.split(separator: "\n").first { $0.contains("format: {") })
            let names = list.split(separator: ",").map {
                $0.replacing(/.*\(string\)/, with: "").trimmingCharacters(in: CharacterSet(charactersIn: " }"))
            }
            #expect(names == Self.formats.map(\.host))
        }

        /// What is set in the options' own units is what the command line's options are.
        @Test(arguments: [
            ("style=flip direction=backward orientation=vertical spine=0.3 shadow=edge shadow-strength=1.5", ""),
            ("style=fold creases=3", ""), ("style=curl angle=-20 paper=linen radius=0.2", ""),
            ("style=flip reverse=true", "style=flip reverse"),
            ("style=card pull-back=0.6", ""), ("look=venetian", ""),
            ("style=wipe softness=0.3 easing=cubic-bezier(0.2,0,0.4,1)", ""),
            ("style=blinds strips=5 stagger=2", ""),
        ])
        func propertiesAreTheOptions(properties: String, options: String) throws {
            let folder = try TemporaryFolder()
            let format = Format("I420", "yuv420p")
            let (a, b) = (
                try pictures("testsrc2", format, count: 15), try pictures("mandelbrot", format, count: 15)
            )
            try play(
                "fliptransition name=m \(properties) offset=-0.03125 duration=0.5 ! filesink "
                    + "location=\(folder / "out.bin") \(source(a.raw, format, to: 0)) \(source(b.raw, format, to: 1))",
                folder)
            let words = (options.isEmpty ? properties : options).split(separator: " ").map { "--\($0)" }
            try succeed(
                [a.file, b.file, folder / "out.nut", "--duration", "15f", "--video-codec", "rawvideo"] + words)
            let expected = try Judge.frames(folder / "out.nut", filter: "null", format: "yuv420p")
            let frames = try Data(contentsOf: URL(fileURLWithPath: folder / "out.bin"))
            #expect(frames == expected, "\(properties)")
        }

        // MARK: Pipelines

        /// A whole join: what lies outside the overlap are the inputs' own frames, and every frame has its time.
        @Test func oneClipFollowsTheOther() throws {
            let folder = try TemporaryFolder()
            let format = Format("I420", "yuv420p")
            let (a, b) = (
                try pictures("testsrc2", format, count: 24), try pictures("mandelbrot", format, count: 20)
            )
            // The second begins with frame 16 of the first, so that 8 frames overlap.
            try play(
                "fliptransition name=m style=fold offset=0.46875 duration=0.28125 sink_1::offset=500000000 ! tee name=t "
                    + "! queue ! filesink location=\(folder / "out.bin") t. ! queue ! vp8enc deadline=1 ! matroskamux "
                    + "! filesink location=\(folder / "out.mkv") "
                    + source(a.raw, format, to: 0) + " " + source(b.raw, format, to: 1), folder)
            try succeed([
                a.file, b.file, folder / "out.nut", "--duration", "8f", "--style", "fold", "--video-codec", "rawvideo",
            ])
            let frames = try Data(contentsOf: URL(fileURLWithPath: folder / "out.bin"))
            let size = Self.width * Self.height * 3 / 2
            #expect(frames.count == 36 * size)
            #expect(frames == (try Judge.frames(folder / "out.nut", filter: "null", format: "yuv420p")))
            #expect(frames.prefix(16 * size) == (try Data(contentsOf: URL(fileURLWithPath: a.raw))).prefix(16 * size))
            #expect(frames.suffix(12 * size) == (try Data(contentsOf: URL(fileURLWithPath: b.raw))).suffix(12 * size))
            // Matroska counts milliseconds.
            let times = try Judge.video(folder / "out.mkv").times
            #expect(times.count == 36)
            for (index, time) in times.enumerated() { #expect(abs(time - Double(index) / 32) < 0.001) }
        }

        /// Where there is only one picture it is shown, and where there is none the background.
        @Test func missingPicturesAreLeftOut() throws {
            let folder = try TemporaryFolder()
            let format = Format("RGBA", "rgba", "gbrap")
            let (a, b) = (
                try pictures("testsrc2", format, count: 8), try pictures("mandelbrot", format, count: 8)
            )
            let size = Self.width * Self.height * 4
            let (first, second) = (
                try Data(contentsOf: URL(fileURLWithPath: a.raw)), try Data(contentsOf: URL(fileURLWithPath: b.raw))
            )
            try play(
                "fliptransition name=m progress=0.5 ! filesink location=\(folder / "one.bin") "
                    + source(a.raw, format, to: 0), folder)
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder / "one.bin")) == first)
            // A gap of 4 frames.
            try play(
                "fliptransition name=m progress=0.5 background=#204060 background-opacity=0.2 sink_1::offset=375000000 "
                    + "! filesink location=\(folder / "gap.bin") \(source(a.raw, format, to: 0)) "
                    + source(b.raw, format, to: 1), folder)
            let gap = Data([0x20, 0x40, 0x60, 0x33])
            let blank = (0..<4 * size / 4).reduce(into: Data(capacity: 4 * size)) { data, _ in data.append(gap) }
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder / "gap.bin")) == first + blank + second)
        }

        /// A converter before an input converts to what the other input, or what follows, has.
        @Test func convertersLearnWhatIsNeeded() throws {
            let folder = try TemporaryFolder()
            try play(
                "fliptransition name=m duration=1 ! video/x-raw,format=I420_10LE,width=64,height=48,pixel-aspect-ratio=1/1 "
                    + "! filesink location=\(folder / "out.bin") videotestsrc num-buffers=9 ! "
                    + "video/x-raw,format=RGBA,width=320 ! videoconvert ! videoscale ! m. videotestsrc num-buffers=9 ! "
                    + "video/x-raw,format=NV12,height=90 ! videoscale ! m.", folder)
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder / "out.bin")).count == 9 * 64 * 48 * 3)
        }

        /// Of inputs in two formats, the one with fewer bits is converted.
        @Test(arguments: [["NV12", "I420_10LE"], ["I420_10LE", "NV12"]])
        func bitsAreKept(formats: [String]) throws {
            let folder = try TemporaryFolder()
            let inputs = formats.map {
                "videotestsrc num-buffers=9 pattern=white ! video/x-raw,format=\($0),width=64,height=48 ! m. "
            }
            try play(
                "fliptransition name=m duration=1 ! filesink location=\(folder / "out.bin") " + inputs.joined(), folder)
            // Two bytes for each sample.
            #expect(try Data(contentsOf: URL(fileURLWithPath: folder / "out.bin")).count == 9 * 64 * 48 * 3)
        }

        @Test func mistakesAreSaidInOneSentence() throws {
            let folder = try TemporaryFolder()
            let inputs = "! fakesink videotestsrc num-buffers=3 ! m. videotestsrc num-buffers=3 ! m."
            let sized = { (width: Int, more: String) in
                "videotestsrc num-buffers=3 ! video/x-raw,format=I420,width=\(width),height=48\(more) ! m. "
            }
            for (pipeline, sentence) in [
                ("duration=0,6 \(inputs)", "invalid offset '' or duration '0,6' (expected 0.6 or 600ms)"),
                ("offset=1 \(inputs)", "offset '1' means nothing without a duration, so progress decides (give both)"),
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
                let run = try launch("fliptransition name=m \(pipeline)", folder)
                #expect(run.status != 0 && run.messages.contains("/FlipTransition:m: \(sentence)"), "\(run.messages)")
            }
            // What gst-launch-1.0 itself finds.
            for (rest, sentence) in [
                ("style=nosuch \(inputs)", #"could not set property "style" in element "fliptransition" to "nosuch""#),
                ("\(inputs) videotestsrc ! m.", "could not link videotestsrc2 to m"),
            ] {
                let run = try launch("fliptransition name=m \(rest)", folder)
                #expect(run.status != 0 && run.messages.contains(sentence), "\(run.messages)")
            }
        }

        /// GStreamer counts the objects that are left when everything has ended.
        @Test func pipelinesLeakNothing() throws {
            let folder = try TemporaryFolder()
            let input = "videotestsrc num-buffers=20 ! video/x-raw,format=I420,width=64,height=48 ! "
            for pipeline in [
                "fliptransition name=m style=curl duration=1 ! fakesink \(input) m. \(input) m.",
                "fliptransition name=m duration=nosuch ! fakesink \(input) m. \(input) m.",
                "fliptransition name=m ! fakesink \(input) m. videotestsrc num-buffers=3 ! m.",
            ] {
                let run = try launch(
                    pipeline, folder, variables: ["GST_TRACERS=leaks", "GST_DEBUG=GST_TRACER:7"])
                #expect(run.messages.contains("object-alive.class"), "the tracer runs")
                let left = run.messageLines.filter { $0.contains(/object-alive, type-name=\(string\)[^%]/) }
                #expect(left.isEmpty)
            }
        }

        // MARK: Applications

        @Test(.enabled(if: Python.withGStreamer != nil, Comment(rawValue: Python.gstreamerIsMissing)))
        func applicationsAnimateTheProgress() throws {
            let folder = try TemporaryFolder()
            let format = Format("I420_10LE", "yuv420p10le")
            let (a, b) = (
                try pictures("testsrc2", format, count: 9), try pictures("mandelbrot", format, count: 9)
            )
            _ = try cases(
                "animate", a.raw, b.raw, folder / "out.bin", "9", "\(Self.rate)", "\(Self.width)", "\(Self.height)",
                folder: folder)
            let frames = try Data(contentsOf: URL(fileURLWithPath: folder / "out.bin"))
            let size = Self.width * Self.height * 3
            #expect(frames.count == 9 * size)
            for index in 0...8 {
                let (from, to) = ("\(a.file)#t=0,\(Double(index + 1) / 32)", "\(b.file)#t=\(Double(index) / 32)")
                try succeed([
                    "still", from, to, folder / "still.nut", "-y", "--style", "fold", "--mode", "cubic", "--progress",
                    "\(Double(index) / 8)", "--video-codec", "rawvideo", "--pix-fmt", "yuv420p10le",
                ])
                let expected = try Judge.frames(folder / "still.nut", filter: "null", format: "yuv420p10le")
                #expect(frames.subdata(in: index * size..<(index + 1) * size) == expected, "frame \(index)")
            }
        }

        @Test(.enabled(if: Python.withGStreamer != nil, Comment(rawValue: Python.gstreamerIsMissing)))
        func applicationsUseTheElementAsTheyDoOthers() throws {
            let folder = try TemporaryFolder()
            #expect(
                try cases("restart", folder: folder) == [
                    Array(repeating: "\(64 * 48)", count: 9).joined(separator: " ") + " "
                        + Array(repeating: "\(96 * 48)", count: 9).joined(separator: " ")
                ])
            #expect(
                try cases("pads", folder: folder) == ["sink_0 sink_1 None", "None None 1", "sink_0 sink_1"])
            let properties = try cases("properties", folder: folder)
            for line in ["progress animated", "style set", "creases animated", "paper set", "n-threads set"] {
                #expect(properties.contains(line), "\(properties)")
            }
        }
    }
}

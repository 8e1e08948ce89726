import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// The frames of GStreamer's element are those of the program.
    @Suite(
        .enabled(if: Places.gstreamer != nil, Comment(rawValue: Places.gstreamerIsMissing)),
        .enabled(if: Places.has("gst-launch-1.0"), "needs gst-launch-1.0"))
    struct GStreamerFrameTests {
        /// The frames of an overlap are, to the bit, those that the program writes.
        @Test(arguments: GStreamer.formats) func framesAreTheProgramsInEveryFormat(format: GStreamer.Format) throws {
            let folder = try TemporaryFolder()
            let (a, b) = (
                try GStreamer.pictures("testsrc2", format, count: 15),
                try GStreamer.pictures("mandelbrot", format, count: 15)
            )
            try GStreamer.play(
                "fliptransition name=m style=card background=teal shadow-color=navy offset=-0.03125 duration=0.5 "
                    + "! filesink location=\(folder / "out.bin") \(GStreamer.source(a.raw, format, to: 0)) "
                    + GStreamer.source(b.raw, format, to: 1), folder)
            try succeed([
                a.file, b.file, folder / "out.nut", "--duration", "15f", "--style", "card", "--background", "teal",
                "--shadow-color", "navy", "--video-codec", "rawvideo", "--pix-fmt", format.planar,
            ])
            var expected = try Judge.frames(
                folder / "out.nut", filter: "null", format: format.hasAlpha ? format.name : format.planar)
            if format.host == "NV16" { expected = GStreamer.interleaved(expected) }
            let frames = try GStreamer.samples(folder / "out.bin", format)
            #expect(frames.count == expected.count && frames == expected)
            let first = try GStreamer.samples(a.raw, format)
            #expect(frames.prefix(frames.count / 15) != first.prefix(frames.count / 15), "nothing has turned")
        }

        /// The caps of the element list what the test above has tried, and nothing else.
        @Test func everyFormatIsTried() throws {
            let folder = try TemporaryFolder()
            let text = try GStreamer.run(["gst-inspect-1.0", "fliptransition"], folder).text
            let list = try #require(text.split(separator: "\n").first { $0.contains("format: {") })
            let names = list.split(separator: ",").map {
                $0.replacing(/.*\(string\)/, with: "").trimmingCharacters(in: CharacterSet(charactersIn: " }"))
            }
            #expect(names == GStreamer.formats.map(\.host))
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
            let format = GStreamer.Format("I420", "yuv420p")
            let (a, b) = (
                try GStreamer.pictures("testsrc2", format, count: 15),
                try GStreamer.pictures("mandelbrot", format, count: 15)
            )
            try GStreamer.play(
                "fliptransition name=m \(properties) offset=-0.03125 duration=0.5 ! filesink "
                    + "location=\(folder / "out.bin") \(GStreamer.source(a.raw, format, to: 0)) \(GStreamer.source(b.raw, format, to: 1))",
                folder)
            let words = (options.isEmpty ? properties : options).split(separator: " ").map { "--\($0)" }
            try succeed(
                [a.file, b.file, folder / "out.nut", "--duration", "15f", "--video-codec", "rawvideo"] + words)
            let expected = try Judge.frames(folder / "out.nut", filter: "null", format: "yuv420p")
            let frames = try Data(contentsOf: URL(fileURLWithPath: folder / "out.bin"))
            #expect(frames == expected, "\(properties)")
        }
    }
}

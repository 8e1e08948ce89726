import TestSupport
import Testing

/// A kind of clip that is copied without being converted to 4:2:0.
struct CopiedFormat: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var settings: [String]
    var endings: [String]

    static let all = [
        CopiedFormat(
            testDescription: "h264-422", settings: ["-c:v", "libx264", "-pix_fmt", "yuv422p"],
            endings: ["mp4", "mov", "mkv", "ts"]),
        CopiedFormat(
            testDescription: "h264-444", settings: ["-c:v", "libx264", "-pix_fmt", "yuv444p"],
            endings: ["mp4", "mov", "mkv", "ts"]),
        CopiedFormat(
            testDescription: "h264-422-10", settings: ["-c:v", "libx264", "-pix_fmt", "yuv422p10le"],
            endings: ["mp4", "mov", "mkv", "ts"]),
        CopiedFormat(
            testDescription: "h264-444-10", settings: ["-c:v", "libx264", "-pix_fmt", "yuv444p10le"],
            endings: ["mp4", "mkv"]),
        CopiedFormat(
            testDescription: "h264-intra-10", settings: ["-c:v", "libx264", "-pix_fmt", "yuv422p10le", "-g", "1"],
            endings: ["mov", "mkv"]),
        CopiedFormat(
            testDescription: "vp8", settings: ["-c:v", "libvpx", "-b:v", "1M", "-auto-alt-ref", "0"],
            endings: ["webm", "mkv"]),
    ]
}

extension CommandTests {
    /// Clips whose chroma, depth or codec is kept when they are copied.
    @Suite(.serialized) struct CopiedFormatTests {
        private func clip(_ name: String, _ settings: [String], hue: Int = 0) throws -> String {
            try clips().make(
                name, "-f lavfi -i testsrc2=s=192x144:r=25:d=1000 -frames:v 60 -vf hue=h=\(hue) -g 12 \(settings)")
        }

        @Test(arguments: Places.some(CopiedFormat.all, every: 6)) func formatsAreKept(
            format: CopiedFormat
        ) throws {
            let folder = try TemporaryFolder()
            for ending in format.endings {
                let pair = try [0, 90].map {
                    try clip("kept-\(format.testDescription)-\($0).\(ending)", format.settings, hue: $0)
                }
                let out = folder / "out.\(ending)"
                let arguments = pair + ["--duration", "6f", "--render", "smart", out]
                let plan = try planJSON(arguments)
                try succeed(arguments)
                #expect(try expectCopies(out, of: pair, plan) >= 80)
                #expect(try Judge.video(out).times.count == 114)
                #expect(try Judge.complaints(out) == "")
                let keys = "stream=codec_name,profile,pix_fmt,width,height"
                #expect(
                    try Judge.fields(out, stream: "v:0", entries: keys)
                        == Judge.fields(pair[0], stream: "v:0", entries: keys))
            }
        }

        /// Where nothing can be copied, `auto` makes what `full` makes, in the format that players know.
        @Test func withoutCopiesTheUsualFormatIsMade() throws {
            let folder = try TemporaryFolder()
            let clip = try clip("kept-short.mp4", ["-c:v", "libx264", "-pix_fmt", "yuv422p", "-frames:v", "20"])
            let arguments = [clip, clip, "--duration", "13f"]
            try succeed(arguments + ["--render", "auto", folder / "auto.mp4"])
            try succeed(arguments + [folder / "full.mp4"])
            #expect(
                try Data(contentsOf: URL(fileURLWithPath: folder / "auto.mp4"))
                    == Data(contentsOf: URL(fileURLWithPath: folder / "full.mp4")))
            #expect(try Judge.video(folder / "full.mp4").pixelFormat == "yuv420p")
        }
    }
}

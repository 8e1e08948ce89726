import TestSupport
import Testing

extension CommandTests {
    /// Clips whose chroma, depth or codec is kept when they are copied.
    @Suite(.serialized) struct CopiedFormatTests {
        private func clip(_ name: String, _ settings: [String], hue: Int = 0) throws -> String {
            try clips().make(
                name, "-f lavfi -i testsrc2=s=192x144:r=25:d=1000 -frames:v 60 -vf hue=h=\(hue) -g 12 \(settings)")
        }

        /// Kinds of clips that are not converted to 4:2:0, as ffmpeg makes them, and the file extensions of the clips.
        private static let formats: [(settings: Words, endings: Words)] = [
            ("-c:v libx264 -pix_fmt yuv422p", "mp4 mov mkv ts"), ("-c:v libx264 -pix_fmt yuv444p", "mp4 mov mkv ts"),
            ("-c:v libx264 -pix_fmt yuv422p10le", "mp4 mov mkv ts"), ("-c:v libx264 -pix_fmt yuv444p10le", "mp4 mkv"),
            ("-c:v libx264 -pix_fmt yuv422p10le -g 1", "mov mkv"),
            ("-c:v libvpx -b:v 1M -auto-alt-ref 0", "webm mkv"),
        ]

        @Test(arguments: Places.some(Array(formats.indices), every: 6)) func formatsAreKept(row: Int) throws {
            let folder = try TemporaryFolder()
            let (settings, endings) = Self.formats[row]
            for ending in endings.list {
                let pair = try [0, 90].map { try clip("kept-\(row)-\($0).\(ending)", settings.list, hue: $0) }
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
            #expect(try Data(contentsOf: folder / "auto.mp4") == Data(contentsOf: folder / "full.mp4"))
            #expect(try Judge.video(folder / "full.mp4").pixelFormat == "yuv420p")
        }
    }
}

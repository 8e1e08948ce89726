import TestSupport
import Testing

extension CommandTests {
    /// `--fade-in` and `--fade-out`, judged by what ffmpeg decodes.
    @Suite(.serialized) struct FadeTests {
        let folder = TemporaryFolder.make()
        private static let (length, overlap) = (60, 10)
        private static let total = 110

        /// Two gray clips with a tone: luma 180 throughout.
        private func inputs() throws -> [String] {
            try ["fade-a", "fade-b"].map { name in
                try clips().make(
                    name + ".mkv", "-f lavfi -i color=gray:s=64x48:r=25:d=10 -f lavfi -i sine=f=500:r=48000:d=10",
                    "-frames:v \(Self.length) -vf format=yuv420p,geq=lum=180:cb=128:cr=128 -c:v ffv1 -g 1",
                    "-c:a pcm_s16le -shortest")
            }
        }

        /// The mean luma of every frame.
        private func luma(_ path: String) throws -> [Double] {
            let run = try Tool.ffmpeg("-i \(path) -vf extractplanes=y -f rawvideo -")
            let (bytes, size) = (Array(run.output), 64 * 48)
            return (0..<bytes.count / size).map { frame in
                let sum = bytes[frame * size..<(frame + 1) * size].reduce(0) { $0 + Int($1) }
                return Double(sum) / Double(size)
            }
        }

        /// Frame i of n is at (i + 1) / (n + 1) between the color and the film, in the film's encoded values.
        @Test(arguments: [("black", 16.0), ("white", 235)], ["off", "13f"])
        func framesFadeInAndOut(color: (String, Double), segments: String) throws {
            let out = folder / "out.mkv"
            try succeed(
                "\(inputs()) --style dissolve --duration \(Self.overlap)f --fade-in 20f --fade-out 400ms",
                "--fade-color \(color.0) --video-codec ffv1 --segments \(segments) \(out)")
            let found = try luma(out)
            try #require(found.count == Self.total)
            for index in 0..<Self.total {
                let part =
                    index < 20
                    ? Double(index + 1) / 21 : index >= Self.total - 10 ? Double(Self.total - index) / 11 : 1
                #expect(abs(found[index] - (color.1 + (180 - color.1) * part)) <= 0.51, "frame \(index)")
            }
        }

        /// The sound's gain rises evenly over the frames that fade in, and falls over those that fade out.
        @Test func soundFadesToo() throws {
            let arguments = try inputs() + ["--duration", "\(Self.overlap)f", "--audio-codec", "pcm_s16le"]
            try succeed(arguments + [folder / "plain.mkv"])
            try succeed(arguments + ["--fade-in", "1", "--fade-out", "20f", folder / "faded.mkv"])
            let (plain, faded) = try (Judge.samples(folder / "plain.mkv"), Judge.samples(folder / "faded.mkv"))
            try #require(plain.count == faded.count && plain.count == Self.total * 48000 / 25)
            let (rise, fall) = (48000.0, 20.0 / 25 * 48000)
            var worst = 0.0
            for index in plain.indices {
                let gain = min(1, (Double(index) + 0.5) / rise, (Double(plain.count - index) - 0.5) / fall)
                worst = max(worst, abs(Double(faded[index]) - Double(plain[index]) * gain))
            }
            #expect(worst <= 2.0 / 32768, "worst \(worst)")
        }

        /// What fades is encoded, and the rest is still copied.
        @Test func copiesBeginAndEndBesideTheFades() throws {
            let clip = try clips().make(
                "fade-copied.mp4", "-f lavfi -i testsrc2=s=128x96:r=25:d=10 -frames:v 100 -c:v libx264 -g 10",
                "-pix_fmt yuv420p -colorspace bt709 -color_primaries bt709 -color_trc bt709")
            let fades = ["--fade-in", "15f", "--fade-out", "15f", "--render", "smart"]
            let rows = try planRows("segments", [clip, clip, "out.mp4", "--duration", "10f"] + fades)
            let copied = rows.filter { $0["isCopied"] as? Bool == true }.compactMap { $0["start"] as? Int }
            #expect(copied.count == 2 && copied.first == 20)
            try succeed([clip, clip, folder / "out.mp4", "--duration", "10f"] + fades)
            try succeed(
                [clip, clip, folder / "reference.mkv", "--duration", "10f", "--video-codec", "ffv1"] + fades.prefix(4))
            let psnr = try Judge.psnr(folder / "out.mp4", folder / "reference.mkv")
            #expect(psnr.count == 190 && psnr.allSatisfy { $0 > 30 }, "least \(psnr.min() ?? 0) dB")
        }

        @Test func fadesThatDoNotFitAreShortened() throws {
            let run = try succeed("\(inputs()) --fade-in 200f --fade-out 20f --video-codec ffv1 \(folder / "out.mkv")")
            #expect(run.messages.contains("the fades are shorter than asked for"), "\(run.messages)")
            let found = try luma(folder / "out.mkv")
            #expect(try #require(found.max()) < 181 && found[0] < 20)
            for text in ["0", "-1", "soon"] {
                let refused = try CommandTests.run(inputs() + ["--fade-in=\(text)", folder / "no.mkv"])
                #expect(refused.status == 64, "\(text)")
            }
        }
    }
}

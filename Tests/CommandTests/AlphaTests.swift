import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Transparency that goes through to outputs that have it.
    @Suite(.serialized, .enabled(if: Places.media != nil, Comment(rawValue: Places.mediaIsMissing)))
    struct AlphaTests {
        /// The alpha of a file's first frames, as gray pictures.
        private func alpha(_ path: String, _ width: Int, _ height: Int) throws -> [TestPicture] {
            let folder = try TemporaryFolder()
            // libav's own decoder leaves the alpha of VP9 out.
            let decoder = path.hasSuffix(".webm") ? ["-c:v", "libvpx-vp9"] : []
            try Tool.succeed(
                "ffmpeg",
                ["-nostdin", "-v", "error"] + decoder + ["-i", path, "-map", "0:v:0", "-fps_mode", "passthrough"]
                    + ["-vf", "alphaextract,format=gray", "-frames:v", "5", "-c:v", "ffv1", folder / "alpha.mkv"])
            return try Judge.pictures(folder / "alpha.mkv", pixelFormat: "gray", width: width, height: height)
        }

        @Test(
            .timeLimit(.minutes(2)),
            arguments: [
                ["out.mkv", "--video-codec", "ffv1"], ["out.mov", "--video-codec", "qtrle"],
                ["out.mov", "--video-codec", "prores_ks"], ["out.webm"], ["out.apng"],
            ])
        func alphaIsKeptWhereTheOutputHasIt(output: [String]) throws {
            let folder = try TemporaryFolder()
            let clip = try medium("vp9-alpha-vorbis-200x200.webm")
            let out = folder / output[0]
            try succeed([clip, clip + "#t=,0.2", "--transition", "cut"] + output.dropFirst() + [out])
            let (before, after) = try (alpha(clip, 200, 200), alpha(out, 200, 200))
            try #require(before.count == 5 && after.count == 5)
            for (was, found) in zip(before, after) {
                #expect(Set(was.planes[0]).count > 2)
                // Exact but for rounding, and but for VP9, which is lossy.
                #expect(psnr(found, was) > (output[0] == "out.webm" ? 45 : 80), "\(psnr(found, was))")
            }
        }

        /// Clips without alpha are opaque beside those with it, and so are their bars.
        @Test func opaqueClipsStayOpaque() throws {
            let folder = try TemporaryFolder()
            let tall = try clips().pattern("alpha-opaque", frames: 5, rate: "30", size: "100x200")
            let clip = try medium("vp9-alpha-vorbis-200x200.webm")
            for (background, bar) in [
                ([], 255), (["--background", "#00000000"], 0), (["--background", "#ffffff80"], 128),
            ] {
                try succeed(
                    [tall, clip, "--size", "200x200", "--transition", "cut", "--video-codec", "ffv1"] + background
                        + ["-y", folder / "out.mkv"])
                let first = try alpha(folder / "out.mkv", 200, 200)[0]
                #expect(first[plane: 0, x: 100, y: 100] == 255 && Int(first[plane: 0, x: 10, y: 100]) == bar)
            }
        }

        @Test func drawnTransitionsHaveNone() throws {
            let folder = try TemporaryFolder()
            let clip = try medium("vp9-alpha-vorbis-200x200.webm")
            try succeed([clip, clip + "#t=,1", "--video-codec", "ffv1", folder / "out.mkv"])
            #expect(try Judge.video(folder / "out.mkv").pixelFormat == "yuv420p")
            let run = try CommandTests.run([
                clip, clip, "--video-codec", "ffv1", "--pix-fmt", "yuva420p", folder / "no.mkv",
            ])
            #expect(run.status == 64 && run.messageLines.count == 1 && run.messages.contains("yuva420p"))
        }
    }
}

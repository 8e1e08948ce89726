import FlipGeometry
import FlipRaster
import TestSupport
import Testing

extension CommandTests {
    /// Alpha is kept in outputs that support it.
    @Suite(.serialized, .needsMedia) struct AlphaTests {
        let folder = TemporaryFolder.make()

        /// The alpha planes of a file's first `frames` frames, as gray pictures.
        private func alpha(_ path: String, _ width: Int, _ height: Int, _ frames: Int = 5) throws -> [TestPicture] {
            let folder = try TemporaryFolder()
            // libavcodec's own VP9 decoder ignores alpha.
            let decoder = path.hasSuffix(".webm") ? ["-c:v", "libvpx-vp9"] : []
            try Tool.ffmpeg(
                "\(decoder) -i \(path) -map 0:v:0 -fps_mode passthrough -vf alphaextract,format=gray",
                "-frames:v \(frames) -c:v ffv1 \(folder / "alpha.mkv")")
            let format = PictureFormat(components: .gray, isFullRange: true)
            return try Judge.pictures(folder / "alpha.mkv", pixelFormat: "gray", width: width, height: height).map {
                var picture = TestPicture(format: format, width: width, height: height)
                picture.planes = $0.planes
                return picture
            }
        }

        @Test(
            arguments: Places.some(
                [
                    ["out.mkv", "--video-codec", "ffv1"], ["out.mov", "--video-codec", "qtrle"],
                    ["out.mov", "--video-codec", "prores_ks"], ["out.webm"], ["out.apng"],
                ], every: 3))
        func alphaIsKeptWhereTheOutputHasIt(output: [String]) throws {
            let clip = try medium("vp9-alpha-vorbis-200x200.webm")
            let out = folder / output[0]
            try succeed([clip, clip + "#t=,0.2", "--transition", "cut"] + output.dropFirst() + [out])
            let (before, after) = try (alpha(clip, 200, 200), alpha(out, 200, 200))
            try #require(before.count == 5 && after.count == 5)
            for (was, found) in zip(before, after) {
                #expect(Set(was.planes[0]).count > 2)
                // VP9 is lossy; the others are exact except for rounding.
                #expect(psnr(found, was) > (output[0] == "out.webm" ? 45 : 70), "\(psnr(found, was))")
            }
        }

        /// Clips without alpha stay opaque beside clips with it; their bars have the background's alpha, 0 by default.
        @Test func opaqueClipsStayOpaque() throws {
            let tall = try clips().pattern("alpha-opaque", frames: 5, rate: "30", size: "100x200")
            let clip = try medium("vp9-alpha-vorbis-200x200.webm")
            for (background, bar) in [
                ([], 0), (["--background", "black"], 255), (["--background", "#00000000"], 0),
                (["--background", "#ffffff80"], 128),
            ] {
                try succeed(
                    [tall, clip, "--size", "200x200", "--transition", "cut", "--video-codec", "ffv1"] + background
                        + ["-y", folder / "out.mkv"])
                let first = try alpha(folder / "out.mkv", 200, 200)[0]
                #expect(first[plane: 0, x: 100, y: 100] == 255 && Int(first[plane: 0, x: 10, y: 100]) == bar)
            }
        }

        /// Alpha turns with its page, as the reference renderer draws it as a picture of its own.
        @Test(arguments: Places.some(["flip", "fold", "card"], every: 3))
        func drawnTransitionsKeepIt(style: String) throws {
            let clip = try medium("vp9-alpha-vorbis-200x200.webm")
            try succeed(
                [clip + "#t=,0.2", clip + "#t=0.4,0.6", "--style", style, "--easing", "linear", "--overlap", "freeze"]
                    + ["--duration", "5f", "--no-audio", "--video-codec", "ffv1", folder / "out.mkv"])
            #expect(try Judge.video(folder / "out.mkv").pixelFormat == "yuva420p")
            try succeed(
                [clip + "#t=,0.2", clip + "#t=0.4,0.6"] + ["--transition", "cut", "--no-audio"]
                    + ["--video-codec", "ffv1", folder / "cut.mkv"])
            let (drawn, cut) = try (alpha(folder / "out.mkv", 200, 200, 20), alpha(folder / "cut.mkv", 200, 200, 20))
            let own = cut.count / 2
            try #require(drawn.count == cut.count + 5 && cut[own - 1] != cut[own])
            #expect(Array(drawn[..<own]) == Array(cut[..<own]) && Array(drawn[(own + 5)...]) == Array(cut[own...]))
            var look = try Styles.named(style).defaults
            look.shadow = .none
            for index in 0..<5 {
                let expected = Reference.render(
                    style: style, look: look, progress: Double(index + 1) / 6, from: cut[own - 1], to: cut[own])
                #expect(psnr(drawn[own + index], expected) >= 40, "frame \(index)")
            }
        }
    }
}

import TestSupport
import Testing

extension CommandTests {
    /// HDR, color matrices, ranges and primaries, judged by the standards' formulas.
    @Suite(.serialized) struct DynamicRangeTests {
        let folder = TemporaryFolder.make()

        /// ITU-R BT.2100-2 table 4: the PQ signal, 0...1, of `luminance` cd/m2.
        private static func perceptual(_ luminance: Double) -> Double {
            let power = pow(luminance / 10000, 0.1593017578125)
            return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
        }

        /// The 10-bit limited-range luma of a `signal` in 0...1.
        private static func luma10(_ signal: Double) -> Double { 64 + 876 * signal }

        /// A clip of three gray frames of `luma`, tagged with `transfer` and the matching color matrix and primaries.
        private func gray(_ luma: Int, _ pixelFormat: String, transfer: String) throws -> String {
            let (matrix, primaries) = transfer == "bt709" ? ("bt709", "bt709") : ("bt2020nc", "bt2020")
            let middle = pixelFormat.hasSuffix("10le") ? 512 : 128
            return try clips().make(
                "gray-\(luma)-\(transfer).mkv", "-f lavfi -i color=gray:s=64x36:r=25 -frames:v 3",
                "-vf format=\(pixelFormat),geq=lum=\(luma):cb=\(middle):cr=\(middle) -c:v ffv1 -colorspace \(matrix)",
                "-color_primaries \(primaries) -color_trc \(transfer) -color_range tv")
        }

        /// The luma of the frames of `second` in a join after `first`, whose dynamic range the output takes.
        private func luma(_ second: String, beside first: String, _ pixelFormat: String) throws -> Double {
            let folder = try TemporaryFolder()
            let run = try succeed([first, second, "--transition", "cut", "--video-codec", "ffv1", folder / "out.mkv"])
            #expect(warnings(run).count == 1, "\(run.messages)")
            let pictures = try Judge.pictures(folder / "out.mkv", pixelFormat: pixelFormat, width: 64, height: 36)
            #expect(pictures.count == 6)
            return Double(pictures[4][plane: 0, x: 30, y: 20])
        }

        /// SDR in HDR output is as bright as ITU-R BT.2408 says: white is 203 cd/m2, the rest by BT.1886's power of
        /// 2.4.
        @Test(arguments: [235, 180, 126, 60]) func standardRangeInHighStandsWhereBT2408PutsIt(luma: Int) throws {
            let hdr = try gray(400, "yuv420p10le", transfer: "smpte2084")
            let sdr = try gray(luma, "yuv420p", transfer: "bt709")
            let light = 203 * pow(Double(luma - 16) / 219, 2.4)
            let found = try self.luma(sdr, beside: hdr, "yuv420p10le")
            #expect(abs(found - Self.luma10(Self.perceptual(light))) < 2.5, "\(found)")
        }

        /// White paper in HDR is as bright as ITU-R BT.2408 puts diffuse white, 203 cd/m2, not as the brightest code.
        @Test(arguments: ["smpte2084", "arib-std-b67"]) func paperIsDiffuseWhite(transfer: String) throws {
            let clip = try gray(200, "yuv420p10le", transfer: transfer)
            // In the only frame of the transition, the sheet's back lies over the left half.
            let transition = "curl=angle=0:radius=0.02:paper=white:paper-opacity=1:shadow=none"
            try succeed(
                "\(clip) \(clip) --transition \(transition) --duration 0.04 --video-codec ffv1 \(folder / "out.mkv")")
            let pictures = try Judge.pictures(folder / "out.mkv", pixelFormat: "yuv420p10le", width: 64, height: 36)
            let found = Double(pictures[2][plane: 0, x: 15, y: 20])
            // BT.2100-2 table 5: with a display of 1000 cd/m2 and its gamma of 1.2, HLG shows 203 cd/m2 at 75 %.
            let signal = transfer == "smpte2084" ? Self.perceptual(203) : 0.75
            #expect(abs(found - Self.luma10(signal)) < 1, "\(found)")
        }

        /// Tone mapping keeps the brightness of dark pixels and fits what is brighter than SDR white into the range.
        @Test(arguments: [10.0, 30, 55, 203, 600, 1000]) func highRangeIsToneMappedToStandard(luminance: Double) throws
        {
            let code = Int(Self.luma10(Self.perceptual(luminance)).rounded())
            let sdr = try gray(100, "yuv420p", transfer: "bt709")
            let found = try luma(gray(code, "yuv420p10le", transfer: "smpte2084"), beside: sdr, "yuv420p")
            let kept = 16 + 219 * pow(luminance / 203, 1 / 2.4)
            if luminance < 60 { #expect(abs(found - kept) < 2.5, "\(found), not \(kept)") }
            if luminance == 203 { #expect(found > 190 && found < 225, "\(found)") }
            if luminance == 600 { #expect(found > 222 && found < 234, "\(found)") }
            if luminance == 1000 { #expect(abs(found - 235) < 2.5, "\(found)") }
        }

        /// Colors are converted to the first clip's primaries: BT.709 red in BT.2020 primaries is the first column of
        /// the 3x3 matrix of ITU-R BT.2087-0 4.
        @Test func primariesAreThoseOfTheFirstClip() throws {
            let clip = { (name: String, color: String) throws in
                try clips().make(
                    "primaries-\(name).mkv", "-f lavfi -i color=\(color):s=64x36:r=25 -frames:v 3",
                    "-vf scale=out_color_matrix=bt709,format=yuv444p -c:v ffv1 -colorspace bt709",
                    "-color_primaries \(name) -color_trc bt709 -color_range tv")
            }
            let run = try succeed(
                "\(clip("bt2020", "gray")) \(clip("bt709", "red")) --transition cut",
                "--video-codec ffv1 \(folder / "out.mkv")")
            #expect(warnings(run).isEmpty)
            let rgb = try Judge.pictures(folder / "out.mkv", pixelFormat: "gbrp", width: 64, height: 36)[4]
            for (plane, share) in [(2, 0.6274), (0, 0.0691), (1, 0.0164)] {
                let expected = 255 * pow(share, 1 / 2.4)
                #expect(
                    abs(Double(rgb[plane: plane, x: 30, y: 20]) - expected) < 4,
                    "plane \(plane): \(rgb[plane: plane, x: 30, y: 20])")
            }
        }

        /// The same color, coded with another matrix or range, comes out the same.
        @Test(
            arguments: Places.some(
                [
                    ("bt709", "tv"), ("bt709", "pc"), ("smpte170m", "tv"), ("smpte170m", "pc"), ("bt2020nc", "tv"),
                ], every: 3))
        func matricesAndRangesAreThoseOfTheFirstClip(matrix: String, range: String) throws {
            let clip = { (matrix: String, range: String) throws in
                try clips().make(
                    "told-\(matrix)-\(range).mkv",
                    [
                        "-f", "lavfi", "-i", "color=#c04020:s=64x36:r=25", "-frames:v", "3", "-vf",
                        "scale=out_color_matrix=\(matrix.prefix(6) == "bt2020" ? "bt2020" : matrix):out_range=\(range),"
                            + "format=yuv444p", "-c:v", "ffv1", "-colorspace", matrix, "-color_range", range,
                    ])
            }
            for (first, second) in try [
                (clip("bt709", "tv"), clip(matrix, range)), (clip(matrix, range), clip("bt709", "tv")),
            ] {
                try succeed([first, second, "--transition", "cut", "--video-codec", "ffv1", "-y", folder / "out.mkv"])
                let (out, before) = try (Judge.video(folder / "out.mkv"), Judge.video(first))
                for key in ["color_space", "color_range"] { #expect(out.color[key] == before.color[key]) }
                let rgb = try Judge.pictures(folder / "out.mkv", pixelFormat: "gbrp", width: 64, height: 36)
                for (plane, value) in [(2, 0xC0), (0, 0x40), (1, 0x20)] {
                    for picture in rgb { #expect(abs(Int(picture[plane: plane, x: 30, y: 20]) - value) <= 3) }
                }
            }
        }

        @Test(
            .needsMedia,
            arguments: Places.some(
                ["mp4 libx264", "mov libx265", "mkv libx264", "webm libvpx-vp9", "mp4 libsvtav1"], every: 3))
        func masteringDisplayAndContentLightAreKept(output: String) throws {
            let words = output.split(separator: " ").map(String.init)
            let inputs = try ["av1-aac-hdr10-mastering-metadata-59-94fps.mp4", "hevc-main10-hdr10-1080p-vfr.mp4"]
                .map(medium)
            let out = folder / "out.\(words[0])"
            let run = try succeed(
                "\(inputs.map { $0 + "#t=,0.1" }) --duration 3f --size 160x90 --video-codec \(words[1]) \(out)")
            #expect(!run.messages.contains("mixed"))
            // The metadata of the container and of the first frame.
            let light = { (path: String) throws in
                try JSONValue(
                    Tool.succeed(
                        "ffprobe", "-v error -select_streams v:0 -show_streams -show_frames -read_intervals %+#1",
                        "-of json \(path)"
                    ).output)
            }
            let (before, after) = try (inputs.map(light), light(out))
            for key in ["red_x", "green_y", "blue_x", "white_point_x", "max_luminance", "min_luminance"] {
                let was = try #require(before[0].ratios(under: key).first, "\(key)")
                #expect(!after.ratios(under: key).isEmpty)
                for found in after.ratios(under: key) { #expect(abs(was - found) < 0.0001 * max(1, was), "\(key)") }
            }
            // The content light level is that of the brightest input.
            for key in ["max_content", "max_average"] {
                let brightest = try #require(before.flatMap { $0.numbers(under: key) }.max())
                #expect(Set(after.numbers(under: key)) == [brightest], "\(key)")
            }
            let color = try Judge.video(out).color
            #expect(color["color_transfer"] == "smpte2084" && color["color_primaries"] == "bt2020")
        }

        @Test(.turn(1, of: 2), .needsMedia) func hybridLogGammaIsKept() throws {
            let clip = try medium("hevc-main10-hlg-1080p-9frames.mp4")
            let run = try succeed([clip, clip, "--transition", "cut", "--video-codec", "ffv1", folder / "out.mkv"])
            #expect(warnings(run).isEmpty)
            let video = try Judge.video(folder / "out.mkv")
            #expect(video.color["color_transfer"] == "arib-std-b67" && video.pixelFormat == "yuv420p10le")
            #expect(try Judge.frameHashes(folder / "out.mkv") == Judge.frameHashes(clip) + Judge.frameHashes(clip))
            let mixed = try succeed(
                "plan \(clip) \(medium("hevc-main10-hdr10-1080p-vfr.mp4")) \(medium("h264-aac-bt601-360x240.mp4"))",
                "\(folder / "o.mp4")")
            let lines = mixed.text.split(separator: "\n").filter { $0.hasPrefix("warning: HDR") }
            #expect(lines.count == 1 && lines[0].contains("HDR (PQ)") && lines[0].contains("bt601-360x240"))
        }
    }
}

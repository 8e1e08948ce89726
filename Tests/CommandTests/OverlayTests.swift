import TestSupport
import Testing

extension CommandTests {
    /// Pictures, films and texts over the frames, compared with arithmetic by hand and with what ffmpeg draws.
    @Suite(.serialized) struct OverlayTests {
        let folder = TemporaryFolder.make()

        /// Two clips of 40 frames, 320x180 at 25 fps. With a transition of 10 frames, the output has 70 frames, and the
        /// transition begins at frame 30.
        private func inputs() throws -> [String] {
            try ["silver", "white"].enumerated().map { index, color in
                try clips().make(
                    "overlay-\(color).mkv",
                    [
                        "-f", "lavfi", "-i",
                        "gradients=s=320x180:r=25:seed=\(index + 3):c0=\(color):c1=black:c2=orange:c3=navy:nb_colors=4:speed=0.01",
                        "-frames:v", "40", "-pix_fmt", "yuv420p", "-c:v", "ffv1",
                    ])
            }
        }

        /// A red picture of 40x20 pixels, whose right half has an alpha of 128.
        private func logo() throws -> String {
            try clips().make(
                "overlay-logo.png", "-f lavfi -i",
                "color=red:s=40x20,format=rgba,geq=r=255:g=0:b=0:a='if(lt(X,20),255,128)' -frames:v 1")
        }

        /// A film of 1 s with another frame rate and shape than the output.
        private func film() throws -> String {
            try clips().make("overlay-film.mkv", "-f lavfi -i testsrc2=s=320x240:r=30:d=1 -pix_fmt yuv420p -c:v ffv1")
        }

        private static let lossless = ["--video-codec", "ffv1", "--duration", "10f"]
        private static let bytesOfFrame = 320 * 180 * 3 / 2

        /// Draws with ffmpeg: `graph` gets the inputs in order and ends in the output.
        private func draw(_ inputs: [String], _ graph: String, _ path: String) throws {
            try Tool.ffmpeg("\(inputs.flatMap { ["-i", $0] }) -filter_complex \(graph) -c:v ffv1 \(path)")
        }

        /// The samples of all frames as ffmpeg decodes them.
        private func samples(_ path: String, _ format: String = "yuv420p") throws -> [Int] {
            let data = try Judge.frames(path, filter: "null", format: format)
            guard format.hasSuffix("le") else { return data.map(Int.init) }
            return data.withUnsafeBytes { $0.bindMemory(to: UInt16.self).map { Int(UInt16(littleEndian: $0)) } }
        }

        /// The greatest difference between two outputs, in samples of 8 bits.
        private func difference(
            _ path: String, _ other: String, frames: Range<Int>? = nil, onlyLuma: Bool = false
        ) throws -> Int {
            var (one, two) = try (samples(path)[...], samples(other)[...])
            try #require(one.count == two.count && !one.isEmpty)
            if let frames {
                let range = frames.lowerBound * Self.bytesOfFrame..<frames.upperBound * Self.bytesOfFrame
                (one, two) = (one[range], two[range])
            }
            let luma = Self.bytesOfFrame * 2 / 3
            return zip(one, two).enumerated().reduce(0) { worst, entry in
                if onlyLuma, entry.offset % Self.bytesOfFrame >= luma { return worst }
                return max(worst, abs(entry.element.0 - entry.element.1))
            }
        }

        /// A pixel format, and red in it: BT.601 of limited range, ITU-R BT.601-7 2.5, or the components of R'G'B'.
        struct Format: Sendable, CustomTestStringConvertible {
            let name: String
            let red: [Double]
            let chroma: Int

            var testDescription: String { name }

            static let all = [
                Format(name: "yuv420p", red: [16 + 219 * 0.299, 128 - 112 * 0.299 / 0.886, 240], chroma: 2),
                Format(name: "yuv420p10le", red: [64 + 876 * 0.299, 512 - 448 * 0.299 / 0.886, 960], chroma: 2),
                // As ffmpeg converts red: its Cb is 1443.3 by the formula.
                Format(name: "yuv444p12le", red: [1304, 1442, 3840], chroma: 1),
                Format(name: "gbrp10le", red: [0, 0, 1023], chroma: 1),
                Format(name: "gray", red: [16 + 219 * 0.299], chroma: 1),
            ]
        }

        /// Every sample is the mean of frame and logo, weighted by alpha and opacity, and no other sample changes.
        @Test(arguments: Places.some(Format.all, every: 6)) func aLogoIsBlended(format: Format) throws {
            let common = try inputs() + Self.lossless + ["--pix-fmt", format.name]
            try succeed(common + [folder / "plain.mkv"])
            let logo = try logo()
            try succeed(common + ["--overlay", "\(logo)@top-right:margin=10px:opacity=0.6", folder / "logo.mkv"])
            let plain = try samples(folder / "plain.mkv", format.name)
            let drawn = try samples(folder / "logo.mkv", format.name)
            // The logo is 40x20 pixels; its left half is opaque.
            let cover = { (x: Int, y: Int) -> Double in
                guard (270..<310).contains(x), (10..<30).contains(y) else { return 0 }
                return 0.6 * (x < 290 ? 1 : 128.0 / 255)
            }
            var start = 0
            var worst = (inside: 0.0, outside: 0)
            for _ in 0..<70 {
                for (plane, red) in format.red.enumerated() {
                    let step = plane == 0 ? 1 : format.chroma
                    let (width, height) = (320 / step, 180 / step)
                    for y in 0..<height {
                        for x in 0..<width {
                            let place = start + y * width + x
                            let weight =
                                step == 1
                                ? cover(x, y)
                                : (0..<2).reduce(0) { sum, line in
                                    // A chroma sample lies above the left one of two pixels, and reaches half a pixel beyond both
                                    // sides of it (docs/EFFECTS.md, 1).
                                    let row = 2 * y + line
                                    return sum + (cover(2 * x - 1, row) + 2 * cover(2 * x, row) + cover(2 * x + 1, row))
                                        / 8
                                }
                            guard weight > 0 else {
                                worst.outside = max(worst.outside, abs(drawn[place] - plain[place]))
                                continue
                            }
                            let expected = red * weight + Double(plain[place]) * (1 - weight)
                            worst.inside = max(worst.inside, abs(Double(drawn[place]) - expected))
                        }
                    }
                    start += width * height
                }
            }
            try #require(start == drawn.count && start == plain.count)
            #expect(worst.inside <= 1 && worst.outside == 0, "\(worst)")
        }

        /// Over a frame that is half there, the logo adds to its alpha, and the colors are weighted by what is seen of them.
        @Test func alphaIsComposited() throws {
            try Tool.ffmpeg("-f lavfi -i color=blue@0.5:s=320x180,format=rgba -frames:v 1 \(folder / "half.png")")
            let still = folder / "half.png#t=0.2"
            try succeed(
                [still, still, "--transition", "cut", "--fps", "25", "--video-codec", "ffv1", "--pix-fmt", "yuva444p"]
                    + ["--overlay", "\(try logo())@top-left:margin=10px:opacity=0.6", folder / "out.mkv"])
            let all = try samples(folder / "out.mkv", "yuva444p")
            let size = 320 * 180
            let behind = 128.0 / 255
            // Red and blue in BT.601 of limited range.
            let red = [16 + 219 * 0.299, 128 - 112 * 0.299 / 0.886, 240]
            let blue = [16 + 219 * 0.114, 240, 128 - 112 * 0.114 / 0.701]
            for (x, front) in [(15, 0.6), (45, 0.6 * 128 / 255), (100, 0)] {
                let place = 15 * 320 + x
                let alpha = front + behind * (1 - front)
                #expect(abs(Double(all[3 * size + place]) - 255 * alpha) <= 1, "alpha at \(x)")
                for plane in 0..<3 {
                    let expected = (front * red[plane] + (alpha - front) * blue[plane]) / alpha
                    #expect(abs(Double(all[plane * size + place]) - expected) <= 1.5, "plane \(plane) at \(x)")
                }
            }
        }

        /// With `layer=page`, the join is that of clips on which ffmpeg has drawn the logo before; with `layer=above`, ffmpeg
        /// draws the logo on the plain join. In the transition, the two differ.
        @Test(.turn(2, of: 3)) func logosTurnWithThePageOrStandStill() throws {
            let (inputs, logo) = try (inputs(), logo())
            let overlay = "[1]format=rgba,colorchannelmixer=aa=0.6[l];[0][l]overlay=270:10:format=yuv420"
            for (index, input) in inputs.enumerated() { try draw([input, logo], overlay, folder / "\(index).mkv") }
            try succeed([folder / "0.mkv", folder / "1.mkv"] + Self.lossless + [folder / "turning.mkv"])
            try succeed(inputs + Self.lossless + [folder / "plain.mkv"])
            try draw([folder / "plain.mkv", logo], overlay, folder / "standing.mkv")
            for (layer, reference, other) in [("page", "turning", "standing"), ("above", "standing", "turning")] {
                let out = folder / "\(layer).mkv"
                try succeed(
                    inputs + Self.lossless
                        + ["--overlay", "\(logo)@top-right:margin=10px:opacity=0.6:layer=\(layer)", out])
                // ffmpeg draws chroma as if it lay in the middle of its pixels, which the test above looks at.
                #expect(try difference(out, folder / "\(reference).mkv", onlyLuma: true) <= 1, "\(layer)")
                #expect(try difference(out, folder / "\(other).mkv", frames: 33..<37) > 50, "\(layer)")
            }
        }

        /// The film plays once from its time on, scaled and at the output's rate, as ffmpeg does it.
        @Test(.turn(0, of: 2)) func aFilmPlaysInTheCorner() throws {
            let (inputs, film) = try (inputs(), film())
            try succeed(inputs + Self.lossless + [folder / "plain.mkv"])
            let scale = "fps=25,scale=80:60:flags=bicubic+accurate_rnd+full_chroma_int+bitexact"
            try draw(
                [folder / "plain.mkv", film],
                "[1]\(scale),setpts=PTS+0.4/TB[f];[0][f]overlay=10:110:eof_action=pass:format=yuv420",
                folder / "reference.mkv")
            let out = folder / "out.mkv"
            // A quarter of the frame's width is what films have by default.
            try succeed(inputs + Self.lossless + ["--overlay", "\(film)@bottom-left:margin=10px:from=0.4", out])
            #expect(try difference(out, folder / "reference.mkv") <= 1)
            let (plain, drawn) = try (Judge.frameHashes(folder / "plain.mkv"), Judge.frameHashes(out))
            for frame in 0..<70 {
                #expect((plain[frame] == drawn[frame]) != (10..<35).contains(frame), "frame \(frame)")
            }
        }

        /// A film on the pages is at the same moment on both pages of a transition.
        @Test(.turn(1, of: 2)) func aFilmTurnsWithThePage() throws {
            let inputs = try inputs()
            let film = try clips().make(
                "overlay-long-film.mkv", "-f lavfi -i testsrc2=s=80x60:r=25:d=2 -pix_fmt yuv420p -c:v ffv1")
            let overlay = "overlay=10:110:eof_action=pass:format=yuv420"
            // The film begins at output frame 20, and the second clip at frame 30.
            try draw([inputs[0], film], "[1]setpts=PTS+0.8/TB[f];[0][f]\(overlay)", folder / "0.mkv")
            try draw(
                [inputs[1], film], "[1]trim=start_frame=10,setpts=PTS-STARTPTS[f];[0][f]\(overlay)", folder / "1.mkv")
            try succeed([folder / "0.mkv", folder / "1.mkv"] + Self.lossless + [folder / "reference.mkv"])
            let out = folder / "out.mkv"
            try succeed(
                inputs + Self.lossless
                    + ["--overlay", "\(film)@bottom-left:margin=10px:width=80px:from=0.8:layer=page", out])
            #expect(try difference(out, folder / "reference.mkv") <= 1)
        }

        /// `from` and `to` count to the frame, in both layers.
        @Test(arguments: ["above", "page"]) func timesCountToTheFrame(layer: String) throws {
            let inputs = try inputs()
            try succeed(inputs + Self.lossless + [folder / "plain.mkv"])
            try succeed(
                inputs + Self.lossless
                    + ["--overlay", "\(try logo())@center:from=0.48:to=1.32:layer=\(layer)", folder / "out.mkv"])
            let (plain, drawn) = try (Judge.frameHashes(folder / "plain.mkv"), Judge.frameHashes(folder / "out.mkv"))
            // 12 and 33 at 25 frames per second.
            for frame in 0..<70 {
                #expect((plain[frame] == drawn[frame]) != (12..<33).contains(frame), "frame \(frame)")
            }
        }

        /// A picture is resized with its alpha: the black of pixels that aren't seen leaves no fringe.
        @Test func resizingLeavesNoFringe() throws {
            try Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i",
                    "color=black:s=200x200,format=rgba,geq=r='255*lt(hypot(X-100,Y-100),90)':g='255*lt(hypot(X-100,Y-100),90)':b='255*lt(hypot(X-100,Y-100),90)':a='255*lt(hypot(X-100,Y-100),90)'",
                    "-frames:v", "1", folder / "disk.png", "-f", "lavfi", "-i", "color=white:s=320x180", "-map", "1:v",
                    "-frames:v", "1", folder / "white.png",
                ])
            let still = folder / "white.png#t=0.2"
            let common = [still, still, "--transition", "cut", "--fps", "25", "--video-codec", "ffv1"]
            for width in ["57px", "130px"] {
                try succeed("\(common) --overlay \(folder / "disk.png")@center:width=\(width) \(folder / "out.mkv") -y")
                // A white disk on white is not seen.
                let luma = try samples(folder / "out.mkv").prefix(320 * 180)
                #expect(luma.min().map { $0 >= 234 } == true, "\(width): \(luma.min() ?? 0)")
            }
        }
    }
}

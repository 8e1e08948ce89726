import FlipRaster
import TestSupport
import Testing

extension CommandTests {
    @Suite(.serialized) struct FittingTests {
        let folder = TemporaryFolder.make()

        private enum Paint: String { case black, white, red, blue, other }

        /// A square clip: its top tenth is white, and below that the left half is red and the right half blue.
        private func square(sampleAspect: String = "1") throws -> String {
            try clips().make(
                "square-\(sampleAspect.replacingOccurrences(of: "/", with: "-")).mkv",
                "-f lavfi -i color=c=red:s=160x160:r=25:d=0.4 -vf",
                "drawbox=x=80:w=80:c=blue:t=fill,drawbox=h=16:c=white:t=fill,setsar=\(sampleAspect),format=yuv444p",
                "-c:v ffv1")
        }

        private func wide() throws -> String {
            try clips().make("wide.mkv", "-f lavfi -i color=c=black:s=320x180:r=25:d=0.4 -vf format=yuv444p -c:v ffv1")
        }

        /// The colors at `points` of the last frame of the black wide clip joined to `clip`.
        private func paints(_ arguments: [String], of clip: String, at points: [(Int, Int)]) throws -> [Paint] {
            let folder = try TemporaryFolder()
            try succeed("\(wide()) \(clip) --transition cut --video-codec ffv1 \(arguments) \(folder / "out.mkv")")
            let video = try Judge.video(folder / "out.mkv")
            #expect(video.width == 320 && video.height == 180 && video.frameCount == 20)
            #expect(["1:1", "N/A"].contains(video.sampleAspect))
            let last = try Judge.pictures(folder / "out.mkv", pixelFormat: "gbrp", width: 320, height: 180)[19]
            return points.map { x, y in
                let rgb = [2, 0, 1].map { Int(last[plane: $0, x: x, y: y]) }
                let paints: [(Paint, [Int])] = [
                    (.black, [0, 0, 0]), (.white, [255, 255, 255]), (.red, [255, 0, 0]), (.blue, [0, 0, 255]),
                ]
                return paints.first { zip($0.1, rgb).allSatisfy { abs($0 - $1) < 40 } }?.0 ?? .other
            }
        }

        /// The whole picture keeps its shape: it is 180 x 180 in the middle of the frame, columns 70 to 250.
        @Test func padKeepsTheWholePictureInItsShape() throws {
            for arguments in [[], ["--fit", "pad"]] {
                #expect(
                    try paints(
                        arguments, of: square(),
                        at: [(3, 90), (66, 90), (74, 90), (246, 90), (254, 90), (160, 9), (74, 22), (316, 3)])
                        == [.black, .black, .red, .blue, .black, .white, .red, .black])
            }
        }

        /// The picture fills the frame and keeps its shape: rows 70 to 250 of 320 x 320 show, without the white tenth.
        @Test func cropFillsTheFrameInShape() throws {
            #expect(
                try paints(
                    ["--fit", "crop"], of: square(),
                    at: [(3, 3), (155, 90), (165, 90), (316, 176), (160, 3)].dropLast())
                    == [.red, .red, .blue, .blue])
        }

        /// The whole picture keeps its shape, in front of its own middle part, rows 40 to 130 of 160, which fills the frame:
        /// left of the middle it is red, right of it blue, and nothing of it is white.
        @Test func blurFillsTheRestWithThePicture() throws {
            #expect(
                try paints(
                    ["--fit", "blur"], of: square(),
                    at: [(3, 3), (66, 90), (74, 90), (246, 90), (254, 90), (160, 9), (74, 22), (316, 176)])
                    == [.red, .red, .red, .blue, .blue, .white, .red, .blue])
        }

        /// What of a frame a fitted picture covers, less a few samples at its edges.
        struct Fitted: CustomTestStringConvertible {
            let format: String
            let size: String
            let frame: (width: Int, height: Int)
            let columns: Range<Int>
            let rows: Range<Int>
            var testDescription: String { "\(size) \(format) in \(frame.width)x\(frame.height)" }

            static let all = [
                Fitted(format: "yuv420p", size: "160x160", frame: (320, 180), columns: 74..<246, rows: 0..<180),
                Fitted(format: "yuv444p", size: "320x90", frame: (200, 200), columns: 0..<200, rows: 76..<124),
                Fitted(format: "yuv420p10le", size: "64x200", frame: (90, 50), columns: 41..<49, rows: 0..<50),
                Fitted(format: "gbrp", size: "100x60", frame: (64, 64), columns: 0..<64, rows: 15..<49),
                Fitted(format: "yuv422p", size: "90x160", frame: (160, 90), columns: 58..<102, rows: 0..<90),
                // Frames that leave hardly anything.
                Fitted(format: "yuv420p", size: "320x240", frame: (16, 4), columns: 7..<9, rows: 0..<4),
                Fitted(format: "yuv420p", size: "240x320", frame: (7, 4), columns: 3..<4, rows: 0..<4),
            ]
        }

        /// In the middle, every sample is that of `pad`; in the margin, a picture of hard edges has become soft.
        @Test(arguments: Places.some(Fitted.all, every: 3)) func blurLeavesThePictureItself(fitted: Fitted) throws {
            let clip = try clips().make(
                "edges-\(fitted.format)-\(fitted.size).mkv", "-f lavfi -i testsrc2=s=\(fitted.size):r=25:d=0.2",
                "-vf format=\(fitted.format) -c:v ffv1")
            let (width, height) = fitted.frame
            let films = try ["pad", "blur"].map { fit in
                let path = folder / "\(fit).mkv"
                try succeed(
                    [clip, clip, "--transition", "cut", "--video-codec", "ffv1", "--no-audio", "--background", "white"]
                        + ["--size", "\(width)x\(height)", "--fit", fit, path])
                return try Judge.pictures(path, pixelFormat: fitted.format, width: width, height: height)
            }
            #expect(films.allSatisfy { $0.count == 10 })
            for (padded, blurred) in zip(films[0], films[1]) {
                #expect(padded != blurred)
                let places = fitted.rows.flatMap { y in fitted.columns.map { (x: $0, y: y) } }
                let differing = places.filter {
                    padded[plane: 0, x: $0.x, y: $0.y] != blurred[plane: 0, x: $0.x, y: $0.y]
                }
                #expect(differing.isEmpty, "\(differing.prefix(5))")
                guard width > 60 else { continue }
                // Along the outer edge, neighbors differ by less than a tenth of the range, and nothing is the background.
                let most = fitted.format.hasSuffix("10le") ? 102 : 25
                let isWide = fitted.columns.count == width
                let edge = { (picture: TestPicture) in
                    (0..<(isWide ? width : height)).map {
                        Int(isWide ? picture[plane: 0, x: $0, y: 0] : picture[plane: 0, x: 0, y: $0])
                    }
                }
                let soft = edge(blurred)
                #expect(zip(soft, soft.dropFirst()).allSatisfy { abs($0 - $1) <= most }, "\(soft)")
                #expect(zip(soft, edge(padded)).allSatisfy { $0 != $1 }, "\(soft)")
            }
        }

        /// The whole picture is stretched to the frame: its white tenth is 18 rows high.
        @Test func stretchFillsTheFrameWithAllOfIt() throws {
            #expect(
                try paints(
                    ["--fit", "stretch"], of: square(),
                    at: [(3, 3), (316, 14), (3, 22), (316, 22), (155, 176), (165, 176)])
                    == [.white, .white, .red, .blue, .red, .blue])
        }

        /// The aspect ratio of pixels counts: if they are twice as wide as high, the square fills rows 10 to 170.
        @Test func pixelShapeCounts() throws {
            #expect(
                try paints(
                    [], of: square(sampleAspect: "2"), at: [(3, 5), (3, 14), (3, 30), (316, 30), (3, 166), (3, 174)])
                    == [.black, .white, .red, .blue, .red, .black])
        }

        @Test func sizeIsTheOutputsSize() throws {
            try succeed([wide(), square(), "--size", "200x150", "--duration", "4f", folder / "out.mp4"])
            let video = try Judge.video(folder / "out.mp4")
            #expect(video.width == 200 && video.height == 150 && video.frameCount == 16)
            #expect(["1:1", "N/A"].contains(video.sampleAspect))
        }

        @Test(.needsMedia, arguments: ["h264-rotate90-568x320-3frames.mov", "h264-aac-rotate270-352x288-phone.mp4"])
        func rotatedClipsStandUpright(name: String) throws {
            let clip = try medium(name)
            let source = try Judge.video(clip)
            // With uneven time stamps, frames may be repeated or left out, so only an even clip is compared throughout.
            let rate = source.isEven(atRate: source.rate) ? [] : ["--fps", "30"]
            try succeed("\(clip) \(clip) --transition cut --video-codec ffv1 --no-audio \(rate) \(folder / "out.mkv")")
            let video = try Judge.video(folder / "out.mkv")
            let (width, height) = (source.height, source.width)
            #expect(video.width == width && video.height == height && video.rotation == 0)
            let upright = try Judge.pictures(clip, pixelFormat: "yuv420p", width: width, height: height)
            let found = try Judge.pictures(folder / "out.mkv", pixelFormat: "yuv420p", width: width, height: height)
            #expect(psnr(found[0], upright[0]) > 50)
            guard rate.isEmpty else { return }
            try #require(found.count == 2 * upright.count)
            for (index, picture) in found.enumerated() {
                #expect(psnr(picture, upright[index % upright.count]) > 50, "frame \(index)")
            }
        }
    }
}

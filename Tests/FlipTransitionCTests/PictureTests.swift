import FlipRaster
import TestSupport
import Testing

extension LibraryTests {
    /// Frames that the C library draws, compared with those that the program writes. ffmpeg converts between their
    /// formats.
    @Suite(.serialized) struct PictureTests {
        /// An odd size, so that chroma sizes are rounded up.
        private static let size = (width: 101, height: 75)

        /// The folder of stills that several tests share.
        private static let stills = Result { try TemporaryFolder() }

        /// Two pictures as raw bytes of FFmpeg's pixel format `format`, and as files of the equivalent planar format.
        ///
        /// ffmpeg packs the planar pictures. In the other direction it would change alpha, and it reads the nv24 files
        /// that it writes as another format.
        private func pictures(_ format: String, planar: String) throws -> [(raw: String, file: String)] {
            let clips = try Clips.shared.get()
            let hasAlpha = PixelLayout(named: planar)?.format.hasAlpha ?? false
            // Alpha runs from transparent to opaque, over colors that differ everywhere.
            let alpha = hasAlpha ? ",format=rgba,geq=r='r(X,Y)':g='g(X,Y)':b='b(X,Y)':a='255*X/W'" : ""
            let raw = ["-f", "rawvideo", "-pix_fmt", planar, "-s", "\(Self.size.width)x\(Self.size.height)", "-i"]
            return try ["testsrc2", "mandelbrot"].map { source in
                let filter = "format=gbrp,crop=\(Self.size.width):\(Self.size.height):0:0\(alpha),format=\(planar)"
                let planes = try clips.make(
                    "library-\(source)-\(planar).raw",
                    ["-f", "lavfi", "-i", "\(source)=s=128x96:r=1", "-frames:v", "1", "-vf", filter, "-f", "rawvideo"])
                let file = try clips.make("library-\(source)-\(planar).nut", raw + [planes, "-c:v", "rawvideo"])
                let packed = try clips.make(
                    "library-\(source)-\(planar)-\(format).raw", raw + [planes, "-pix_fmt", format, "-f", "rawvideo"])
                return (packed, file)
            }
        }

        /// The still that the program makes of pictures in `planar`, as raw bytes of `format`.
        private func still(
            _ pictures: [String], planar: String, format: String, _ progress: String, _ options: [String]
        ) throws -> Data {
            let stills = try Self.stills.get()
            let still =
                stills / ([planar, progress] + options).joined(separator: "_").replacing(".", with: "") + ".nut"
            if !FileManager.default.fileExists(atPath: still) {
                try Tool.succeed(
                    Places.program(), "still \(pictures) \(still) --video-codec rawvideo --pix-fmt \(planar)",
                    "--at \(progress) \(options)")
            }
            let folder = try TemporaryFolder()
            try Tool.ffmpeg("-i \(still) -pix_fmt \(format) -f rawvideo \(folder / "still.raw")")
            return try Data(contentsOf: folder / "still.raw")
        }

        /// The frame that the C library draws, as raw bytes of `format`.
        private func frame(
            _ pictures: [String], format: String, _ progress: String, _ order: String, _ options: [String]
        ) throws -> Data {
            let folder = try TemporaryFolder()
            let layout = try #require(PixelLayout(named: format))
            let planes = layout.memory.indices.map { index in
                let rows = layout.planeSize(index, width: Self.size.width, height: Self.size.height).height
                return "\(rows)x\(layout.rowBytes(index, width: Self.size.width))"
            }
            try LibraryTests.call(
                ["frame", format, "\(Self.size.width)", "\(Self.size.height)", progress] + pictures
                    + [folder / "frame.raw", order, planes.joined(separator: ",")] + options)
            return try Data(contentsOf: folder / "frame.raw")
        }

        /// In planar, packed and semi-planar formats, the library's frame is the program's frame of the equivalent
        /// planar format.
        @Test(
            arguments: Places.some(
                [
                    ("yuv420p", "yuv420p"), ("yuv422p", "yuv422p"), ("yuv444p", "yuv444p"), ("gray", "gray"),
                    ("yuv420p10le", "yuv420p10le"), ("yuv422p12le", "yuv422p12le"), ("yuv444p16le", "yuv444p16le"),
                    ("gray10le", "gray10le"), ("gray16le", "gray16le"), ("gbrp", "gbrp"), ("gbrp12le", "gbrp12le"),
                    ("yuva420p", "yuva420p"), ("nv12", "yuv420p"), ("nv21", "yuv420p"), ("nv24", "yuv444p"),
                    ("nv42", "yuv444p"), ("rgb24", "gbrp"), ("bgr24", "gbrp"), ("bgr0", "gbrp"), ("0rgb", "gbrp"),
                    ("rgba", "gbrap"), ("bgra", "gbrap"), ("argb", "gbrap"), ("abgr", "gbrap"), ("rgb48le", "gbrp16le"),
                    ("rgba64le", "gbrap16le"),
                ], every: 6))
        func framesAreThePrograms(format: String, planar: String) throws {
            let pictures = try pictures(format, planar: planar)
            // Without tags, the program takes the matrix of pictures of this size to be that of BT.601.
            let matrix = planar.hasPrefix("gbr") ? [] : ["matrix=bt601"]
            for (look, progress, order) in [
                (["style=flip", "direction=backward"], "0.3", "down"),
                (["style=fold", "mode=cubic", "shadow-color=red"], "0.62", "up"),
                (["style=curl", "paper=linen"], "0.4", "down"),
            ] {
                let flags = look.flatMap { option in
                    let parts = option.split(separator: "=").map(String.init)
                    return ["--" + parts[0], parts[1]]
                }
                let expected = try still(pictures.map(\.file), planar: planar, format: format, progress, flags)
                let drawn = try frame(pictures.map(\.raw), format: format, progress, order, look + matrix)
                #expect(drawn == expected, "\(look): \(difference(drawn, expected))")
            }
        }

        private func difference(_ left: Data, _ right: Data) -> String {
            guard left.count == right.count else { return "\(left.count) and \(right.count) bytes" }
            let different = zip(left, right).filter { $0 != $1 }.map { abs(Int($0) - Int($1)) }
            return "\(different.count) of \(left.count) bytes differ by up to \(different.max() ?? 0)"
        }

        @Test func theEndsAreThePicturesThemselves() throws {
            let pictures = try pictures("bgr0", planar: "gbrp").map(\.raw)
            for (progress, picture) in zip(["0", "1"], pictures) {
                let drawn = try frame(pictures, format: "bgr0", progress, "down", [])
                #expect(try drawn == Data(contentsOf: picture))
            }
        }

        /// docs/examples/c compiles with pkg-config, as its first lines say, and draws the program's frame.
        @Test func theCExampleWorks() throws {
            let library = try InstalledLibrary.shared.get()
            let program = try library.compile(Places.package + "/docs/examples/c/flip.c")
            let pictures = try pictures("rgb24", planar: "gbrp")
            let folder = try TemporaryFolder()
            let size = ["\(Self.size.width)", "\(Self.size.height)"]
            try Tool.succeed(
                program, "\(size) 0.4 \(pictures.map(\.raw)) \(folder / "frame.rgb") style=card pull-back=0.7",
                environment: library.environment)
            let expected = try still(
                pictures.map(\.file), planar: "gbrp", format: "rgb24", "0.4", ["--style", "card", "--pull-back", "0.7"])
            #expect(try Data(contentsOf: folder / "frame.rgb") == expected)
            let wrong = try Tool.run(
                program, "\(size) 0.4 \(pictures.map(\.raw)) \(folder / "none.rgb") creases=2",
                environment: library.environment)
            #expect(wrong.status == 1 && wrong.messages.contains("creases means nothing for style flip"))
            #expect(try folder.names == ["frame.rgb"])
        }

        /// The options `range` and `matrix` say how colors are encoded: the background must have the color asked for.
        @Test(arguments: [("limited", "bt709", 235), ("full", "bt601", 255), ("limited", "bt2020", 235)])
        func colorsFollowRangeAndMatrix(range: String, matrix: String, white: UInt8) throws {
            let pictures = try pictures("yuv444p", planar: "yuv444p").map(\.raw)
            func corner(_ color: String) throws -> [UInt8] {
                // In the middle of its turn, a card leaves the frame's corners free.
                let drawn = try frame(
                    pictures, format: "yuv444p", "0.5", "down",
                    ["style=card", "range=\(range)", "matrix=\(matrix)", "background=\(color)"])
                let plane = Self.size.width * Self.size.height
                return (0..<3).map { drawn[$0 * plane] }
            }
            #expect(try corner("white") == [white, 128, 128])
            // Kr by ITU-T H.273, table 4.
            let red = ["bt709": 0.2126, "bt601": 0.299, "bt2020": 0.2627][matrix]!
            let (low, high) = range == "full" ? (0.0, 255.0) : (16, 235)
            #expect(try abs(Double(corner("red")[0]) - (low + red * (high - low))) <= 0.51)
        }

        /// In the middle of the turn, the sheet's back lies over the left half. In HDR it is as bright as ITU-R BT.2408 puts
        /// diffuse white, 203 cd/m2: by SMPTE ST 2084 in PQ, and by BT.2100-2, table 5, at 75 % in HLG.
        @Test(arguments: ["sdr", "pq", "hlg"]) func paperIsDiffuseWhite(transfer: String) throws {
            let pictures = try pictures("yuv444p", planar: "yuv444p").map(\.raw)
            let drawn = try frame(
                pictures, format: "yuv444p", "0.5", "down",
                [
                    "style=curl", "angle=0", "radius=0.02", "paper=white", "paper-opacity=1", "shadow=none",
                    "transfer=\(transfer)",
                ])
            let power = pow(203.0 / 10_000, 2610.0 / 16384)
            let pq = pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32)
            let signal = ["sdr": 1, "pq": pq, "hlg": 0.75][transfer]!
            let found = Double(drawn[Self.size.height / 2 * Self.size.width + Self.size.width / 4])
            #expect(abs(found - (16 + 219 * signal)) < 1, "\(found)")
        }

        @Test func chromaLocationMovesChroma() throws {
            let pictures = try pictures("yuv420p", planar: "yuv420p").map(\.raw)
            let drawn = try ["left", "center", "topleft", "bottom"].map { location in
                try frame(pictures, format: "yuv420p", "0.3", "down", ["chroma-location=\(location)"])
            }
            let luma = Self.size.width * Self.size.height
            for other in drawn.dropFirst() { #expect(other.prefix(luma) == drawn[0].prefix(luma) && other != drawn[0]) }
        }
    }
}

import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// Contact sheets: each cell looks like the picture that `still` draws.
    @Suite(.serialized) struct SheetTests {
        let folder = TemporaryFolder.make()

        /// Pixels between and around the cells, if the cells' width and height are multiples of 4.
        private static let gap = 8

        private func inputs(pixelFormat: String = "yuv444p") throws -> [String] {
            try [
                clips().pattern("sheet-a-\(pixelFormat)", frames: 6, size: "160x90", pixelFormat: pixelFormat),
                clips().pattern("sheet-b-\(pixelFormat)", frames: 4, size: "96x96", pixelFormat: pixelFormat, hue: 120),
            ]
        }

        private func picture(_ path: String) throws -> TestPicture {
            let video = try Judge.video(path)
            return try #require(
                try Judge.pictures(path, pixelFormat: "gbrp", width: video.width, height: video.height).first)
        }

        /// The cell of `sheet` in `column` and `row`.
        private func cell(_ sheet: TestPicture, _ column: Int, _ row: Int, width: Int, height: Int) -> TestPicture {
            var cell = TestPicture(format: sheet.format, width: width, height: height)
            let (left, top) = (Self.gap + column * (width + Self.gap), Self.gap + row * (height + Self.gap))
            for plane in cell.planes.indices {
                for y in 0..<height {
                    for x in 0..<width { cell[plane: plane, x: x, y: y] = sheet[plane: plane, x: left + x, y: top + y] }
                }
            }
            return cell
        }

        /// Checks each cell of `row` against `still` with `arguments`.
        private func expectRow(
            _ row: Int, of sheet: TestPicture, columns: Int, size: (width: Int, height: Int), look: StyledLook,
            stills inputs: [String], _ arguments: [String], psnr least: Double
        ) throws {
            let folder = try TemporaryFolder()
            for column in 0..<columns {
                let still = folder / "\(column).png"
                let progress = progress(look.look, column, of: columns)
                try succeed(
                    "still \(inputs) \(still) --at \(progress) --size \(size.width)x\(size.height) \(arguments)")
                let found = cell(sheet, column, row, width: size.width, height: size.height)
                let difference = PictureDifference(found, try picture(still))
                #expect(difference.psnr > least, "\(look) column \(column): \(difference)")
            }
        }

        @Test(.turn(0, of: 4)) func everyStyleIsARowOfStills() throws {
            let inputs = try inputs()
            try succeed(["sheet"] + inputs + [folder / "sheet.png"])
            #expect(try folder.names == ["sheet.png"])
            let sheet = try picture(folder / "sheet.png")
            #expect(sheet.width == 8 + 5 * (320 + 8) && sheet.height == 8 + Styles.all.count * (180 + 8))
            for (row, style) in Places.some(Array(Styles.all.enumerated()), every: 5) {
                try expectRow(
                    row, of: sheet, columns: 5, size: (320, 180), look: StyledLook(style: style), stills: inputs,
                    ["--style", style.name], psnr: 45)
            }
        }

        @Test(.turn(0, of: 3)) func everyLookIsARowOfStills() throws {
            let inputs = try inputs()
            try succeed(["sheet"] + inputs + [folder / "sheet.png", "--looks", "--columns", "3"])
            let sheet = try picture(folder / "sheet.png")
            #expect(sheet.height == 8 + Looks.all.count * (180 + 8))
            for (row, look) in Places.some(Array(Looks.all.enumerated()), every: 4) {
                try expectRow(
                    row, of: sheet, columns: 3, size: (320, 180),
                    look: StyledLook(style: nil, look: look.name, options: []), stills: inputs, ["--look", look.name],
                    psnr: 45)
            }
            try expectExit(["sheet"] + inputs + [folder / "no.png", "--looks", "--reverse"], 64, saying: "--looks")
            try expectExit(["sheet"] + inputs + [folder / "no.png", "--looks", "desk"], 64)
        }

        @Test(
            .turn(0, of: 2),
            arguments: [
                ["--style", "card", "--shadow", "none"], ["--look", "vctransitions", "--spine", "0.4"], ["--reverse"],
            ])
        func oneLookIsOneRow(arguments: [String]) throws {
            let inputs = try inputs()
            let size = ["--size", "120x68", "--background", "navy"]
            try succeed(["sheet"] + inputs + [folder / "sheet.png", "--columns", "3"] + size + arguments)
            let sheet = try picture(folder / "sheet.png")
            #expect(sheet.width == 8 + 3 * 128 && sheet.height == 8 + 76)
            let look =
                switch arguments[1...].first {
                case "card": try StyledLook(style: "card", look: nil, options: [(.shadow, "none")])
                case "vctransitions": try StyledLook(style: nil, look: arguments[1], options: [(.spine, "0.4")])
                default: try StyledLook(style: nil, look: nil, options: [(.reverse, "true")])
                }
            try expectRow(
                0, of: sheet, columns: 3, size: (120, 68), look: look, stills: inputs, arguments + size.suffix(2),
                psnr: 45)
        }

        /// With subsampled chroma, the cells have exactly the samples of stills. Upsampled pixels would differ, since
        /// chroma is interpolated across the cells' edges.
        @Test func subsampledCellsAreStillsToo() throws {
            let inputs = try inputs(pixelFormat: "yuv420p")
            let arguments = ["--size", "120x68", "--style", "flip"]
            try succeed(["sheet"] + inputs + [folder / "sheet.y4m", "--columns", "2"] + arguments)
            let video = try Judge.video(folder / "sheet.y4m")
            #expect(video.width == 264 && video.height == 84 && video.pixelFormat == "yuv420p")
            #expect(video.frameCount == 1)
            let sheet = try #require(try pictures(folder / "sheet.y4m").first)
            let look = try StyledLook(style: "flip", look: nil, options: [])
            for column in 0..<2 {
                let still = folder / "\(column).y4m"
                try succeed("still \(inputs) \(still) --at \(progress(look.look, column, of: 2)) \(arguments)")
                let expected = try #require(try pictures(still).first)
                for plane in 0..<3 {
                    let step = plane == 0 ? 1 : 2
                    let (width, height) = expected.planeSize(plane)
                    for y in 0..<height {
                        let row = (0..<width).map { x in
                            sheet[plane: plane, x: (8 + column * 128) / step + x, y: 8 / step + y]
                        }
                        #expect(row == (0..<width).map { expected[plane: plane, x: $0, y: y] })
                    }
                }
            }
        }

        @Test func theGapsAreTheBackground() throws {
            try succeed("sheet \(inputs()) \(folder / "sheet.png") --columns 2 --size 121x67 --background #00f")
            let sheet = try picture(folder / "sheet.png")
            // 121 + 8 and 67 + 8 are rounded up to multiples of 4.
            #expect(sheet.width == 8 + 2 * 132 && sheet.height == 8 + Styles.all.count * 76)
            for (x, y) in [(0, 0), (7, 40), (129, 40), (139, 40), (sheet.width - 1, 40), (60, 75), (60, 83)] {
                let rgb = [2, 0, 1].map { Int(sheet[plane: $0, x: x, y: y]) }
                #expect(zip(rgb, [0, 0, 255]).allSatisfy { abs($0 - $1) < 4 }, "\(x),\(y): \(rgb)")
            }
        }

        @Test func mistakesAreRefused() throws {
            let files = try inputs() + [folder / "sheet.png"]
            for (arguments, words) in [
                (["--columns", "1"], ["columns", "2...20"]), (["--columns", "21"], ["columns", "2...20"]),
                (["--columns", "-3"], ["columns", "2...20"]), (["--columns", "many"], ["columns", "many"]),
                (["--columns", "20", "--size", "1000x1000"], ["16384", "--size"]),
                (["--style", "card", "--creases", "2"], ["creases", "card"]),
            ] {
                let run = try expectExit(["sheet"] + files + arguments, 64, lines: 1)
                for word in words { #expect(run.messages.contains(word), "\(run.messages)") }
            }
            #expect(try folder.names == [])
            try succeed(["sheet"] + files + ["--columns", "2", "--style", "flip"])
            #expect(try CommandTests.run(["sheet"] + files).status == 73)
            try succeed(["sheet"] + files + ["--columns", "2", "--style", "flip", "-y"])
        }
    }
}

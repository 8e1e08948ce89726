import TestSupport
import Testing

extension CommandTests {
    /// Pictures with profiles that have tables: of scanners, and of four inks.
    @Suite(.serialized) struct InkPictureTests {
        let folder = TemporaryFolder.make()

        /// R'G'B' at the center of each bar of the picture, as the program shows it.
        private func shown(_ name: String, _ bytes: [UInt8], _ count: Int, warned: Int = 0) throws -> [[Int]] {
            let path = folder / name
            try Data(bytes).write(to: path)
            let out = path + ".mkv"
            let run = try succeed(
                "\(path) \(path) \(out) --still-duration 1 --duration 2f --video-codec ffv1 --pix-fmt gbrp16le -y")
            #expect(warnings(run).count == warned, "\(name): \(run.messages)")
            let frame = try Tool.ffmpeg("-i \(out) -vf format=rgb24 -frames:v 1 -f rawvideo -")
            let (side, width) = (BarPicture.side, BarPicture.side * count)
            try #require(frame.output.count == 3 * width * side)
            return (0..<count).map { bar in
                let place = 3 * (side / 2 * width + side * bar + side / 2)
                return (0..<3).map { Int(frame.output[place + $0]) }
            }
        }

        /// Bars of luma and chroma of 8 bits may be off by a code before they are converted, which is up to four codes in
        /// dark colors.
        private func expect(_ found: [[Int]], _ meant: [[Double]], _ label: String) {
            let tolerance: Double = label.hasPrefix("luma") ? 5 : 2
            for (found, meant) in zip(found, meant) {
                let codes = meant.map { 255 * $0 }
                #expect(
                    zip(found, codes).allSatisfy { abs(Double($0) - $1) <= tolerance },
                    "\(label): \(found), not \(codes)")
            }
        }

        /// Amounts of ink, 0 or 255, for which the profile's table has colors.
        private static let inks: [[UInt8]] = [
            [0, 0, 0, 0], [255, 0, 0, 0], [0, 255, 0, 0], [0, 0, 255, 0], [255, 255, 0, 0], [0, 255, 255, 0],
            [0, 0, 0, 255], [255, 0, 255, 0],
        ]

        /// A printer whose inks are weak, and not what their formula says: R'G'B' of sRGB.
        private static func print(_ inks: [Double]) -> [Double] {
            [
                (1 - 0.9 * inks[0]) * (1 - 0.2 * inks[1]), (1 - 0.3 * inks[0]) * (1 - 0.7 * inks[1]),
                (1 - 0.1 * inks[0]) * (1 - 0.8 * inks[2]),
            ].map { $0 * (1 - 0.8 * inks[3]) }
        }

        private static let printer = ProfileFile.table("Printer", space: "CMYK", grid: 2, print)
        private static let printed = inks.map { print($0.map { Double($0) / 255 }) }

        /// The bars as luma, chroma and black in Adobe's way: inks are inverted, and then R'G'B' is 255 minus these
        /// (Adobe's Technical Note 5116, with the formulas of ITU-T T.871).
        private static let luma: [[UInt8]] = inks.map { ink in
            let (red, green, blue) = (Double(ink[0]), Double(ink[1]), Double(ink[2]))
            let luma = 0.299 * red + 0.587 * green + 0.114 * blue
            let values = [luma, 128 + (blue - luma) / 1.772, 128 + (red - luma) / 1.402, 255 - Double(ink[3])]
            return values.map { UInt8(max(0, min(255, $0.rounded()))) }
        }

        private static let inverted = inks.map { $0.map { 255 - $0 } }

        /// The bars in every way in which files hold them.
        private static func files(_ profile: [UInt8]?) -> [(name: String, bytes: [UInt8])] {
            [
                ("plain.jpg", BarPicture.jpeg(inks, profile: profile)),
                ("inverted.jpg", BarPicture.jpeg(inverted, adobe: 0, profile: profile)),
                ("named.jpg", BarPicture.jpeg(inverted, names: Array("CMYK".utf8), adobe: 0, profile: profile)),
                ("luma.jpg", BarPicture.jpeg(luma, adobe: 2, profile: profile)),
                ("inks.tif", BarPicture.tiff(inks, profile: profile)),
            ]
        }

        @Test func inksAreConvertedByTheirProfile() throws {
            for (name, bytes) in Self.files(Self.printer) {
                expect(try shown(name, bytes, Self.inks.count), Self.printed, name)
            }
            let plan = try succeed(["plan", folder / "luma.jpg", folder / "luma.jpg", folder / "out.mp4"])
            #expect(plan.text.contains("'Printer' -> sRGB"), "\(plan.text)")
        }

        /// Without a profile, each ink takes its share of the light.
        @Test func inksWithoutAProfileAreMixed() throws {
            let meant = Self.inks.map { ink in (0..<3).map { Double(255 - ink[$0]) / 255 * Double(255 - ink[3]) / 255 }
            }
            for (name, bytes) in Self.files(nil) { expect(try shown(name, bytes, Self.inks.count), meant, name) }
            // A profile for other colors, and one that is cut off, are of no use, and a warning says so.
            let screen = ProfileFile.make("Screen", ProfileFile.adobe, curve: ProfileFile.gamma(2.2))
            for profile in [screen, Array(Self.printer.dropLast(30))] {
                let bytes = BarPicture.jpeg(Self.inverted, adobe: 0, profile: profile)
                expect(try shown("other.jpg", bytes, Self.inks.count, warned: 1), meant, "other profile")
            }
            try expectExit(
                [folder / "other.jpg", folder / "other.jpg", folder / "no.mp4", "--strict"], 65, saying: "'Printer'")
        }

        /// A scanner whose colors are darker and have red and blue exchanged.
        @Test func tablesForRGBAreUsed() throws {
            let look = { (color: [Double]) in [0.1 + 0.8 * color[2], 0.8 * color[1], 0.9 * color[0]] }
            let profile = ProfileFile.table("Scanner", space: "RGB ", grid: 4, look)
            // The values for which the table has colors are multiples of 85.
            let bars: [[UInt8]] = [
                [0, 0, 0], [255, 255, 255], [255, 0, 0], [85, 170, 255], [170, 170, 85], [85, 85, 85], [0, 255, 170],
            ]
            let bytes = BarPicture.jpeg(bars, names: Array("RGB".utf8), adobe: 0, profile: profile)
            expect(try shown("scan.jpg", bytes, bars.count), bars.map { look($0.map { Double($0) / 255 }) }, "scan.jpg")
            // A profile of inks says nothing of a picture in R'G'B'.
            let wrong = BarPicture.jpeg(bars, names: Array("RGB".utf8), adobe: 0, profile: Self.printer)
            let found = try shown("wrong.jpg", wrong, bars.count, warned: 1)
            expect(found, bars.map { $0.map { Double($0) / 255 } }, "wrong.jpg")
        }

        /// Files that are cut off anywhere are refused or shown with their damage, and nothing is read beyond their end.
        @Test(.turn(0, of: 2)) func filesThatAreCutOffDoNoHarm() throws {
            for (name, bytes) in Self.files(Self.printer) {
                for part in 1...12 {
                    let path = folder / "\(part)-\(name)"
                    try Data(bytes.prefix(bytes.count * part / 13)).write(to: path)
                    let run = try CommandTests.run(["probe", path])
                    #expect([0, 65].contains(run.status), "\(path): \(run.story)")
                }
            }
        }
    }
}

import TestSupport
import Testing

extension CommandTests {
    /// Videos made of pictures and pages are tagged with colors that make players show them right.
    @Suite(.serialized) struct PictureColorTests {
        let folder = TemporaryFolder.make()

        /// R'G'B' of the bars of every picture in these tests, from left to right.
        private static let bars: [[Int]] = [
            [255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [200, 100, 50], [128, 128, 128],
            [255, 255, 0],
        ]

        /// A picture of the bars, `height` pixels high, made by ffmpeg as `name`.
        private func picture(_ name: String, _ height: Int, _ options: [String] = []) throws
            -> String
        {
            let width = height * 16 / 9
            // By default ffmpeg 5.1 writes limited range into a JPEG.
            let jpeg = name.hasSuffix("jpg") ? ["scale=out_range=pc:out_color_matrix=bt601", "format=yuvj444p"] : []
            let boxes = Self.bars.enumerated().map { index, color in
                let digits = color.map { String(format: "%02x", $0) }.joined()
                return "drawbox=x=\(index * width / 8):w=\(width / 8):h=ih:t=fill:c=0x\(digits)"
            }
            try Tool.ffmpeg(
                "-y -f lavfi -i color=black:s=\(width)x\(height) -frames:v 1",
                "-vf \((["format=gbrp"] + boxes + jpeg).joined(separator: ",")) \(options) \(folder / name)")
            return folder / name
        }

        /// A PDF page of the bars (ISO 32000-1 7.5).
        private func page() throws -> String {
            let drawing = Self.bars.enumerated().map { index, color in
                color.map { "\(Double($0) / 255)" }.joined(separator: " ") + " rg \(index * 40) 0 40 180 re f"
            }.joined(separator: "\n")
            var text = "%PDF-1.4\n"
            var places: [Int] = []
            for body in [
                "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 320 180] /Contents 4 0 R >>",
                "<< /Length \(drawing.utf8.count) >>\nstream\n\(drawing)\nendstream",
            ] {
                places.append(text.utf8.count)
                text += "\(places.count) 0 obj\n\(body)\nendobj\n"
            }
            let table = text.utf8.count
            text += "xref\n0 5\n0000000000 65535 f \n"
            for place in places { text += String(format: "%010d 00000 n \n", place) }
            text += "trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n\(table)\n%%EOF\n"
            try text.write(to: folder / "page.pdf")
            return folder / "page.pdf"
        }

        /// R'G'B' at the center of each bar of frame 5, as shown by a player that follows the tags: converted with the
        /// matrix `matrix` and limited range.
        private func shown(_ path: String, matrix: String, height: Int) throws -> [[Int]] {
            let width = height * 16 / 9
            let names = ["bt709": "bt709", "smpte170m": "smpte170m", "bt2020nc": "bt2020", "bt470bg": "bt470bg"]
            let run = try Tool.succeed(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-i", path, "-vf",
                    "select=eq(n\\,5),scale=in_color_matrix=\(try #require(names[matrix])):in_range=tv:"
                        + "\(Judge.exactScaling),format=rgb24", "-frames:v", "1", "-f", "rawvideo", "-",
                ])
            try #require(run.output.count == 3 * width * height)
            return Self.bars.indices.map { index in
                let place = 3 * (height / 2 * width + index * width / 8 + width / 16)
                return (0..<3).map { Int(run.output[place + $0]) }
            }
        }

        private func tags(_ path: String) throws -> [String: String] {
            let stream = try #require(try Judge.streams(path, "v:0").first)
            let names = ["pix_fmt", "color_range", "color_space", "color_primaries", "color_transfer"]
            return Dictionary(uniqueKeysWithValues: names.map { ($0, stream[$0] as? String ?? "unknown") })
        }

        private func expectVideo(
            _ path: String, height: Int, colors: [[Int]] = bars, within tolerance: Int = 3, _ label: String
        ) throws {
            let matrix = height > 576 ? "bt709" : "smpte170m"
            let tags = try tags(path)
            #expect(
                tags == [
                    "pix_fmt": "yuv420p", "color_range": "tv", "color_space": matrix, "color_primaries": "bt709",
                    "color_transfer": "bt709",
                ], "\(label): \(tags)")
            for (found, meant) in zip(try shown(path, matrix: matrix, height: height), colors) {
                #expect(zip(found, meant).allSatisfy { abs($0 - $1) <= tolerance }, "\(label): \(found), not \(meant)")
            }
        }

        private static let quick = ["--hold", "0.4", "--crf", "4", "--preset", "ultrafast"]

        private static let kinds: [(name: String, options: [String])] = [
            ("bars.png", []), ("bars.jpg", ["-q:v", "1"]), ("bars.webp", ["-quality", "100"]),
        ]

        @Test(.turn(0, of: 2), arguments: kinds, [360, 720])
        func picturesBecomeTaggedVideo(kind: (name: String, options: [String]), height: Int) throws {
            // Chroma subsampling in JPEG and WebP blurs the edges of the bars, but not their centers.
            let first = try picture(kind.name, height, kind.options)
            let size = ["--size", "\(height * 16 / 9)x\(height)"]
            try succeed(["deck", first, folder / "out.mp4"] + size + Self.quick)
            try expectVideo(folder / "out.mp4", height: height, within: kind.name == "bars.png" ? 3 : 5, kind.name)
        }

        @Test func pagesAndJoinsBecomeTaggedVideo() throws {
            let (page, photo) = try (page(), picture("bars.jpg", 360, ["-q:v", "1"]))
            try succeed(["deck", page, folder / "large.mkv", "--size", "1280x720"] + Self.quick)
            try expectVideo(folder / "large.mkv", height: 720, "page first")
            try succeed(["deck", page, photo, folder / "small.mp4", "--size", "640x360"] + Self.quick)
            try expectVideo(folder / "small.mp4", height: 360, "page and photo")
            // A join of pictures alone, and a WebM file.
            try succeed(
                "\(photo) \(photo) \(folder / "join.mov") --still-duration 1 --duration 4f --crf 4 --preset ultrafast")
            try expectVideo(folder / "join.mov", height: 360, within: 5, "join")
            try succeed(["deck", photo, folder / "out.webm", "--size", "640x360", "--hold", "0.4", "--crf", "10"])
            #expect(try tags(folder / "out.webm")["color_space"] == "smpte170m")
            #expect(try tags(folder / "out.webm")["color_range"] == "tv")
        }

        /// A video clip's range and matrix are kept, even if a picture comes first.
        @Test func filmsKeepTheirs() throws {
            let photo = try picture("bars.jpg", 360, ["-q:v", "1"])
            let film = try clips().make(
                "full-range.mkv", "-f lavfi -i testsrc2=s=160x90:r=25 -frames:v 20",
                "-vf scale=out_range=pc,format=yuv420p -c:v ffv1 -color_range pc")
            try succeed([photo, film, folder / "out.mp4", "--duration", "4f", "--still-duration", "1"])
            #expect(try tags(folder / "out.mp4")["color_range"] == "pc")
            #expect(try tags(folder / "out.mp4")["color_space"] == "unknown")
        }

        /// Stills of a video have the BT.601 matrix and their format's range: JPEG has full range, whatever the video's
        /// (ITU-T T.871).
        @Test func picturesOfFilmsHaveTheColorsOfTheirKind() throws {
            let film = try clips().make(
                "red-720.mkv", "-f lavfi -i color=red:s=1280x720:r=25 -frames:v 10",
                "-vf scale=out_color_matrix=bt709,format=yuv420p -c:v ffv1 -colorspace bt709 -color_primaries bt709",
                "-color_trc bt709 -color_range tv")
            for name in ["still.jpg", "still.webp"] {
                try succeed(["still", film, film, folder / name, "--at", "0"])
                let run = try Tool.ffmpeg(
                    "-i \(folder / name) -vf",
                    "scale=in_color_matrix=bt601:in_range=\(name == "still.jpg" ? "pc" : "tv"),format=rgb24",
                    "-f rawvideo -")
                let middle = (0..<3).map { Int(run.output[3 * (360 * 1280 + 640) + $0]) }
                #expect(zip(middle, [254, 0, 0]).allSatisfy { abs($0 - $1) <= 4 }, "\(name): \(middle)")
            }
        }

        /// A JPEG of the bars in which an ICC profile (ICC.1 annex B.4) is embedded.
        private func photo(_ name: String, _ profile: [UInt8]) throws -> String {
            let plain = try picture("plain.jpg", 360, ["-q:v", "1"])
            var bytes = [UInt8](try Data(contentsOf: plain))
            let content = Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile
            let size = content.count + 2
            bytes.insert(contentsOf: [0xFF, 0xE2, UInt8(size >> 8), UInt8(size & 255)] + content, at: 2)
            try Data(bytes).write(to: folder / name)
            return folder / name
        }

        /// A Display P3 color converted to R'G'B' of BT.709 by the matrix between their primaries (from the
        /// chromaticities of SMPTE EG 432-1 and ITU-R BT.709, both with D65), with the transfer of sRGB (IEC
        /// 61966-2-1).
        private static func converted(_ color: [Int]) -> [Int] {
            let light = color.map { value -> Double in
                let x = Double(value) / 255
                return x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
            }
            let rows = [[1.2249, -0.2249, 0], [-0.0421, 1.0421, 0], [-0.0196, -0.0786, 1.0982]]
            return rows.map { row in
                let x = max(0, min(1, zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }))
                return Int((255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055)).rounded())
            }
        }

        @Test func photosOfWideGamutAreConverted() throws {
            let photo = try photo("p3.jpg", ProfileFile.make("Display P3", ProfileFile.displayP3))
            let run = try succeed(["deck", photo, folder / "out.mp4", "--size", "640x360"] + Self.quick)
            #expect(warnings(run).isEmpty)
            try expectVideo(
                folder / "out.mp4", height: 360, colors: Self.bars.map(Self.converted), within: 6, "Display P3")
        }

        /// Adobe RGB (1998) and ROMM RGB, whose primaries video has no names for: the matrices from their primaries to
        /// those of BT.709 are computed from the chromaticities (ISO 22028-2 has D50, adapted by the Bradford matrix).
        @Test(
            arguments: [
                ("adobe", ProfileFile.adobe, 2.2, [[1.3984, -0.3984, 0], [0, 1, 0], [0, -0.0429, 1.0429]]),
                (
                    "romm", ProfileFile.proPhoto, 1.8,
                    [[2.0343, -0.7274, -0.3067], [-0.2288, 1.2317, -0.0029], [-0.0086, -0.1533, 1.1619]]
                ),
            ])
        func profilesWithAMatrixAreConverted(
            name: String, colorants: [[Double]], gamma: Double, matrix: [[Double]]
        ) throws {
            let profile = ProfileFile.make(name, colorants, curve: ProfileFile.gamma(gamma))
            let photo = try photo("\(name).jpg", profile)
            let run = try succeed("deck \(photo) \(folder / "out.mp4") --size 640x360 --verbose \(Self.quick)")
            #expect(warnings(run).isEmpty && run.messages.contains("'\(name)' -> sRGB"), "\(run.messages)")
            let exponent = (gamma * 256).rounded() / 256
            let meant = Self.bars.map { color in
                let light = color.map { pow(Double($0) / 255, exponent) }
                return matrix.map { row -> Int in
                    let x = max(0, min(1, zip(row, light).reduce(0) { $0 + $1.0 * $1.1 }))
                    return Int((255 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055)).rounded())
                }
            }
            try expectVideo(folder / "out.mp4", height: 360, colors: meant, within: 6, name)
            try expectExit(["export", "--as", "ffmpeg", photo, photo, folder / "no.mp4"], 64, saying: "color profile")
        }

        @Test func otherProfilesAreSaid() throws {
            // A scanner's profile has tables, which count for more than its matrix.
            let profile = ProfileFile.make("Scanner", ProfileFile.adobe, curveNames: ["rTRC", "gTRC", "bTRC", "A2B0"])
            let photo = try photo("scan.jpg", profile)
            let run = try succeed(["deck", photo, folder / "out.mp4"] + Self.quick)
            #expect(warnings(run).count == 1 && run.messages.contains("'Scanner'"), "\(run.messages)")
            try expectExit([photo, photo, folder / "no.mp4", "--strict"], 65, saying: "'Scanner'")
            #expect(!FileManager.default.fileExists(atPath: folder / "no.mp4"))
        }

        /// A PNG tagged as BT.2020 and PQ (PNG 11.3.2.6) is either rendered with these colors or warned of; one tagged
        /// as BT.709 and sRGB, the default, needs no warning.
        @Test(arguments: [([9, 16], true), ([1, 13], false)])
        func colorsThatPNGNamesAreSaid(numbers: [UInt8], isOther: Bool) throws {
            var bytes = [UInt8](try Data(contentsOf: picture("plain.png", 360, [])))
            let content = Array("cICP".utf8) + numbers + [0, 1]
            let sum = Self.checksum(content)
            let chunk = [0, 0, 0, 4] + content + (0..<4).map { UInt8(truncatingIfNeeded: sum >> (24 - 8 * $0)) }
            // The place after the signature and the first chunk.
            bytes.insert(contentsOf: chunk, at: 33)
            let named = folder / "named.png"
            try Data(bytes).write(to: named)
            let run = try succeed(["deck", named, folder / "out.mp4", "--size", "640x360"] + Self.quick)
            let isRendered = try tags(folder / "out.mp4")["color_transfer"] == "smpte2084"
            if isOther && !isRendered {
                #expect(warnings(run).count == 1 && run.messages.contains("cICP 9/16"), "\(run.messages)")
            } else {
                #expect(isRendered == isOther && warnings(run).isEmpty, "\(run.messages)")
            }
        }

        /// A named pipe is read only once, although the first bytes of a PNG are examined first.
        @Test func aPNGMayComeThroughANamedPipe() throws {
            let photo = try picture("plain.png", 360, [])
            let out = folder / "out.mp4"
            let run = try Tool.run(
                "sh",
                [
                    "-c",
                    "mkfifo \"$1\"; cat \"$2\" >\"$1\" & exec \"$0\" \"$1\" \"$2\" --still-duration 1 --preset ultrafast \"$3\"",
                    Places.program(), folder / "pipe.png", photo, out,
                ], timeout: 30)
            #expect(run.status == 0, "\(run.story)")
            #expect(try Judge.complaints(out) == "")
        }

        /// The CRC-32 of ISO 3309, which ends a PNG chunk.
        private static func checksum(_ bytes: [UInt8]) -> UInt32 {
            ~bytes.reduce(~0 as UInt32) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
        }
    }
}

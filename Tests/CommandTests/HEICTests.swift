import TestSupport
import Testing

extension CommandTests {
    /// HEIC pictures, as phones take them.
    @Suite(
        .serialized,
        .enabled(if: Places.has("heif-convert") && Places.has("heif-enc"), "needs heif-convert (libheif-examples)"))
    struct HEICTests {
        let folder = TemporaryFolder.make()

        /// A picture without loss as `name`.heic in `folder`, and the PNG that it was made from.
        private func picture(
            _ name: String, source: String = "testsrc2=s=96x54:r=1:d=1", format: String = "rgb24"
        ) throws -> (heic: String, png: String) {
            let (png, heic) = (folder / "\(name).source.png", folder / "\(name).heic")
            try Tool.ffmpeg("-f lavfi -i \(source) -frames:v 1 -pix_fmt \(format) \(png)")
            try Tool.succeed("heif-enc", ["-L", "-p", "chroma=444", "--matrix_coefficients=0", png, "-o", heic])
            return (heic, png)
        }

        /// The samples of the first frame.
        private func samples(_ path: String, _ format: String = "rgb24") throws -> [UInt8] {
            [UInt8](try Judge.frames(path, filter: "select=eq(n\\,0)", format: format))
        }

        private static let exact = ["--video-codec", "rawvideo", "--pix-fmt", "gbrp"]

        @Test func aPictureIsShownAsItIs() throws {
            let (heic, png) = try picture("bars")
            let other = try picture("other", source: "color=teal:s=96x54:r=1:d=1").heic
            try succeed(["deck", heic, other, folder / "deck.nut", "--hold", "1", "--size", "96x54"] + Self.exact)
            try succeed([heic, other, folder / "join.nut", "--still-duration", "1", "--duration", "4f"] + Self.exact)
            let meant = try samples(png)
            for name in ["deck.nut", "join.nut"] {
                let found = try samples(folder / name)
                try #require(found.count == meant.count)
                // The encoder calls itself lossless, and changes some samples by 1.
                #expect(zip(found, meant).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(name)")
            }
            try "clips:\n  - file: \(heic)\n  - file: \(other)\n".write(to: folder / "p.yaml")
            let plan = try succeed(["plan", folder / "p.yaml", folder / "o.mp4"])
            #expect(plan.text.contains("96x54"), "\(plan.text)")
        }

        @Test func transparencyIsKept() throws {
            let heic = try picture("half", source: "color=red@0.5:s=64x36:r=1:d=1,format=rgba", format: "rgba")
                .heic
            try succeed(["still", heic, heic, folder / "out.png", "--at", "0"])
            let pixel = Array(try samples(folder / "out.png", "rgba").prefix(4))
            #expect(zip(pixel, [255, 0, 0, 128]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(pixel)")
        }

        /// 320x200: blue at the top left, green at the bottom right, else red, to be turned clockwise by a quarter, as both
        /// the box irot and the Exif data say.
        private static let turned = Places.package + "/Tests/Tools/turned.heic"

        /// Turned once, the blue is at the top right, and the green at the bottom left.
        @Test func aPictureIsTurnedUprightOnce() throws {
            try succeed("deck \(Self.turned) \(folder / "out.nut") --hold 1 --size 200x320 \(Self.exact)")
            let frame = try samples(folder / "out.nut")
            try #require(frame.count == 3 * 200 * 320)
            for (x, y, color) in [
                (20, 20, [200, 30, 30]), (180, 20, [20, 40, 200]), (20, 300, [30, 180, 60]), (180, 300, [200, 30, 30]),
            ] {
                let pixel = (0..<3).map { Int(frame[3 * (200 * y + x) + $0]) }
                #expect(zip(pixel, color).allSatisfy { abs($0 - $1) <= 3 }, "\(x),\(y): \(pixel), not \(color)")
            }
        }

        /// A file of several pictures has a main one, whose number is the last byte of the box pitm (ISO/IEC 14496-12
        /// 8.11.4).
        @Test(arguments: [1, 2]) func theMainPictureIsShown(number: Int) throws {
            let (first, second) = (try picture("a").png, folder / "b.png")
            try Tool.ffmpeg("-f lavfi -i color=teal:s=64x64 -frames:v 1 \(second)")
            try Tool.succeed("heif-enc", ["-L", "-p", "chroma=444", first, second, "-o", folder / "two.heic"])
            var bytes = try Data(contentsOf: folder / "two.heic")
            let box = try #require(bytes.range(of: Data("pitm".utf8)))
            let isOldest = bytes[box.upperBound..<box.upperBound + 5].allSatisfy { $0 == 0 }
            try #require(isOldest)
            // The pictures have consecutive numbers, and the first one was the main picture.
            bytes[box.upperBound + 5] += UInt8(number - 1)
            try bytes.write(to: folder / "two.heic")
            let probe = try succeed(["probe", folder / "two.heic"])
            #expect(probe.text.contains(number == 1 ? "96x54" : "64x64"), "\(probe.text)")
        }

        @Test func oneMayComeFromStandardInput() throws {
            let heic = try picture("photo").heic
            for text in [
                "exec \"$0\" - \"$1\" \"$2\" --still-duration 1 <\"$1\"", "cat \"$1\" | \"$0\" - \"$1\" \"$2\" -y",
            ] {
                let run = try Tool.run("sh", ["-c", text, Places.program(), heic, folder / "o.mp4"])
                #expect(run.status == 0, "\(run.story)")
            }
        }

        /// A profile that isn't relative to D50, as ICC.1 7.2.16 has it, is refused by libpng.
        @Test(.turn(1, of: 2)) func aProfileThatPNGRefusesDoesNoHarm() throws {
            let heic = try picture("photo").heic
            let (jpeg, odd) = (folder / "odd.jpg", folder / "odd.heic")
            try Tool.ffmpeg("-i \(folder / "photo.source.png") -q:v 1 \(jpeg)")
            var bytes = [UInt8](try Data(contentsOf: jpeg))
            let profile = ProfileFile.make("odd", ProfileFile.adobe, curve: ProfileFile.gamma(2.2))
            let content = Array("ICC_PROFILE".utf8) + [0, 1, 1] + profile
            bytes.insert(contentsOf: [0xFF, 0xE2] + ProfileFile.number(content.count + 2, bytes: 2) + content, at: 2)
            try Data(bytes).write(to: jpeg)
            try Tool.succeed("heif-enc", ["-q", "90", jpeg, "-o", odd])
            let run = try succeed(["deck", odd, heic, folder / "o.mp4", "--hold", "1", "--verbose"])
            #expect(run.messages.contains("'odd' -> sRGB"), "\(run.messages)")
        }

        @Test func foldersHaveThem() throws {
            let album = try TemporaryFolder()
            let (heic, png) = try picture("photo")
            for (name, source) in [("1.HEIC", heic), ("2.png", png), ("3.heif", heic), ("4.hif", heic)] {
                try album.add(source, as: name)
            }
            let plan = try succeed(["plan", album.path, folder / "o.mp4", "--hold", "1", "--json"])
            #expect(try JSONValue(plan.output).numbers(under: "seconds") == [4])
        }

        @Test func programsThatAreMissingAreNamed() throws {
            let heic = try picture("photo").heic
            let (none, program) = (try TemporaryFolder(), try Places.program())
            for words in [["deck", heic], [heic, heic], ["probe", heic]] {
                let output = words[0] == "probe" ? [] : [folder / "o.mp4"]
                let run = try Tool.run("/usr/bin/env", ["PATH=" + none.path, program] + words + output)
                #expect(run.status == 69 && run.messages.contains("libheif-examples"), "\(run.story)")
                #expect(run.messageLines.count == 1, "\(run.story)")
            }
            #expect(try !folder.names.contains("o.mp4"))
        }

        @Test func damageAndSizeAreRefused() throws {
            let heic = try picture("photo").heic
            let whole = try Data(contentsOf: heic)
            let temporary = try TemporaryFolder()
            for count in [12, 24, 40, whole.count / 4, whole.count / 2, whole.count - 200] {
                try whole.prefix(count).write(to: folder / "cut.heic")
                let run = try run(
                    ["deck", folder / "cut.heic", folder / "o.mp4"], environment: ["TMPDIR": temporary.path])
                #expect(run.status == 65 && run.messageLines.count == 1, "\(count) bytes: \(run.story)")
                #expect(run.messages.contains("cut.heic'"), "\(run.story)")
            }
            try expectExit(
                ["deck", heic, folder / "o.mp4", "--max-pixels", "5000"], 65, saying: "96x54 pixels", "--max-pixels")
            #expect(try temporary.names.isEmpty && !folder.names.contains("o.mp4"))
        }

        @Test func ffmpegCannotBeToldToReadThem() throws {
            let heic = try picture("photo").heic
            try expectExit("export --as ffmpeg \(heic) \(heic) \(folder / "o.mp4")", 64, saying: "ffmpeg can't read it")
        }

        @Test(.turn(0, of: 2), .needsMedia) func aPhoneHoldsItsPicturesUpright() throws {
            let photo = try medium("heic-phone-photo.heic")
            try succeed(["still", photo, photo, folder / "out.png", "--at", "0"])
            let facts = try Judge.video(folder / "out.png")
            #expect(facts.width == 1080 && facts.height == 1920)
            // libavcodec decodes the same picture, which is a single tile.
            try Self.stream(of: [UInt8](Data(contentsOf: photo))).write(to: folder / "photo.hevc")
            let meant = try [UInt8](
                Judge.frames(
                    folder / "photo.hevc", filter: "scale=in_color_matrix=bt601:in_range=pc:" + Judge.exactScaling,
                    format: "rgb24"))
            let found = try samples(folder / "out.png")
            try #require(found.count == meant.count && found.count == 3 * 1080 * 1920)
            let differences = zip(found, meant).map { abs(Int($0) - Int($1)) }
            // Chroma is interpolated in different ways.
            #expect(differences.reduce(0, +) < differences.count / 2, "the mean is below half a code")
            #expect(differences.max() ?? 0 <= 8)
        }

        /// The HEVC stream of a HEIC file of one tile: the parameter sets of its box hvcC (ISO/IEC 14496-15 8.3.3.1), and
        /// the NAL units of the first item of its box iloc (ISO/IEC 14496-12 8.11.3), with start codes.
        static func stream(of file: [UInt8]) throws -> Data {
            let number = { (place: Int, count: Int) in file[place..<place + count].reduce(0) { $0 << 8 | Int($1) } }
            let box = { (name: String) in
                try #require(file.indices.dropLast(4).first { file[$0..<$0 + 4].elementsEqual(name.utf8) }) + 4
            }
            var stream = Data()
            let add = { (place: Int, count: Int) in
                stream.append(contentsOf: [0, 0, 0, 1] + file[place..<place + count])
            }
            var place = try box("hvcC") + 22
            let arrays = number(place, 1)
            place += 1
            for _ in 0..<arrays {
                let units = number(place + 1, 2)
                place += 3
                for _ in 0..<units {
                    add(place + 2, number(place, 2))
                    place += 2 + number(place, 2)
                }
            }
            // Version 0, with offsets, lengths and bases of four bytes, and one extent for each item.
            let items = try box("iloc")
            try #require(number(items, 8) == 0x4440_0002)
            let (start, length) = (number(items + 12, 4) + number(items + 18, 4), number(items + 22, 4))
            place = start
            while place < start + length {
                add(place + 4, number(place, 4))
                place += 4 + number(place, 4)
            }
            return stream
        }
    }
}

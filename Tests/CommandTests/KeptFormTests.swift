import TestSupport
import Testing

/// A display matrix as cameras write it, for pictures of 192x108 pixels.
struct StatedTurn: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// a, b, c and d of ISO/IEC 14496-12 8.3.2, and x and y by which the picture is moved, in pixels.
    var numbers: [Int32]
    /// ffmpeg's filters that turn the frames as the matrix says.
    var filter: String

    static let all: [StatedTurn] = [
        StatedTurn(testDescription: "90 degrees", numbers: [0, 1, -1, 0, 108, 0], filter: "transpose=clock"),
        StatedTurn(testDescription: "180 degrees", numbers: [-1, 0, 0, -1, 192, 108], filter: "hflip,vflip"),
        StatedTurn(
            testDescription: "270 degrees, without a shift", numbers: [0, -1, 1, 0, 0, 0], filter: "transpose=cclock"),
        StatedTurn(testDescription: "mirrored", numbers: [-1, 0, 0, 1, 192, 0], filter: "hflip"),
        StatedTurn(testDescription: "transposed", numbers: [0, 1, 1, 0, 0, 0], filter: "transpose=cclock_flip"),
    ]

    /// The file at `path` with this matrix in the header of its first track, as a new file of the same ending.
    func stated(in path: String, _ folder: TemporaryFolder) throws -> String {
        var data = try Data(contentsOf: path)
        let header = try #require(data.range(of: Data("tkhd".utf8)))
        // Version and flags, the times, the track's number, its length and so on take 40 bytes in version 0.
        try #require(data[header.upperBound] == 0)
        let scales: [Int32] = [1 << 16, 1 << 16, 1 << 30]
        let rows = [numbers[0], numbers[1], 0, numbers[2], numbers[3], 0, numbers[4] << 16, numbers[5] << 16, 1]
        var place = header.upperBound + 40
        for (index, number) in rows.enumerated() {
            let isWhole = index == 6 || index == 7
            var value = (isWhole ? number : number * scales[index % 3]).bigEndian
            withUnsafeBytes(of: &value) { data.replaceSubrange(place..<place + 4, with: $0) }
            place += 4
        }
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent + "-turned." + url.pathExtension
        try data.write(to: folder / name)
        return folder / name
    }
}

extension CommandTests {
    /// Copied clips keep how they are turned, and the shape of their pixels.
    @Suite(.serialized) struct KeptFormTests {
        private static let h264 = ["-c:v", "libx264", "-g", "15", "-bf", "2", "-sc_threshold", "0"]
        private static let ffv1 = [
            "-c:v", "ffv1", "-level", "3", "-g", "1", "-slices", "4", "-slicecrc", "1", "-coder", "1",
        ]
        private static let sameFFV1 = [
            "--video-codec", "ffv1", "--video-options", "level=3:g=1:slices=4:slicecrc=1:coder=1",
        ]

        /// A moving pattern that differs from all turned forms of itself, without hard edges if it is `soft`.
        private func clip(
            _ name: String, _ settings: [String], hue: Int = 0, frames: Int = 60, aspect: String = "1",
            size: String = "192x108", pixelFormat: String = "yuv420p", isSoft: Bool = false
        ) throws -> String {
            let tags =
                pixelFormat == "rgb24"
                ? [] : ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709"]
            return try clips().make(
                name,
                [
                    "-f", "lavfi", "-i", "testsrc2=s=\(size):r=30:d=1000", "-frames:v", "\(frames)", "-vf",
                    "hue=h=\(hue)" + (isSoft ? ",gblur=sigma=3" : "") + ",setsar=\(aspect),format=\(pixelFormat)",
                ] + tags + settings)
        }

        @Test(.turn(2, of: 3), arguments: StatedTurn.all) func turnedClipsAreCopied(turn: StatedTurn) throws {
            let folder = try TemporaryFolder()
            let a = try turn.stated(in: clip("kept-a.mp4", Self.h264), folder)
            let b = try turn.stated(in: clip("kept-b.mov", Self.h264, hue: 90), folder)
            for ending in ["mp4", "mov"] {
                let out = folder / "out.\(ending)"
                let arguments = [a, b, "--style", "fold", "--duration", "10f", "--render", "smart", "-y", out]
                let plan = try planJSON(arguments)
                #expect(try succeed(arguments).messages == "")
                #expect(try expectCopies(out, of: [a, b], plan) >= 80)
                #expect(try form(out) == form(a))
                #expect(try Judge.complaints(out) == "")
            }
        }

        /// What is encoded is what is seen of the upright clips, turned back: without loss, to what rounding leaves.
        @Test(
            arguments: Places.some(
                StatedTurn.all.flatMap { turn in
                    ["flip", "curl", "fold=orientation=horizontal", "wipe", "push=direction=backward"].map {
                        (turn, $0)
                    }
                }, every: 16))
        func seamsAreThoseOfTheUprightClips(turn: StatedTurn, transition: String) throws {
            let folder = try TemporaryFolder()
            let clips = try [("a", 0), ("b", 90)].map {
                try clip("kept-seam-\($0.0).mov", ["-c:v", "png"], hue: $0.1, pixelFormat: "rgb24", isSoft: true)
            }
            let turned = try clips.map { try turn.stated(in: $0, folder) }
            let upright = try clips.enumerated().map { index, clip in
                let path = folder / "upright\(index).mov"
                try Tool.ffmpeg("-i \(clip) -vf \(turn.filter),format=rgb24 -c:v png \(path)")
                return path
            }
            let look = ["--transition", transition, "--duration", "9f", "--fade-in", "4f", "--fade-out", "4f"]
            let out = folder / "out.mov"
            let arguments = turned + look + ["--video-codec", "png", "--render", "smart", out]
            let plan = try planJSON(arguments)
            try succeed(arguments)
            try succeed(upright + look + ["--video-codec", "png", folder / "full.mov"])
            #expect(try expectCopies(out, of: turned, plan) == 120 - 9 - 9 - 8)
            #expect(try form(out) == form(turned[0]))
            // ffmpeg turns the output as its matrix says.
            let ratios = try Judge.psnr(out, folder / "full.mov")
            #expect(ratios.count == 111)
            #expect((ratios.min() ?? 0) >= 50, "\(ratios)")
        }

        @Test(
            arguments: Places.some(
                ["16/11", "4/3", "64/45", "8/9"].flatMap { aspect in
                    ["flip", "curl=angle=30", "card=corner-radius=24", "fold"].map { (aspect, $0) }
                }, every: 16))
        func seamsAreRightAtDisplaySize(aspect: String, transition: String) throws {
            let folder = try TemporaryFolder()
            let name = aspect.replacingOccurrences(of: "/", with: "-")
            let clips = try [("a", 0), ("b", 90)].map {
                try clip(
                    "kept-\(name)-\($0.0).mkv", Self.ffv1, hue: $0.1, aspect: aspect, size: "180x144", isSoft: true)
            }
            let look = ["--transition", transition, "--duration", "9f"]
            let out = folder / "out.mkv"
            let arguments = clips + look + Self.sameFFV1 + ["--render", "smart", out]
            let plan = try planJSON(arguments)
            try succeed(arguments)
            #expect(try expectCopies(out, of: clips, plan) == 120 - 9 - 9)
            #expect(try form(out) == form(clips[0]))
            // At four times the size as shown, pixels are square but for rounding.
            let parts = aspect.split(separator: "/").compactMap { Int($0) }
            let (width, height) = (180 * 4 * parts[0] / parts[1], 144 * 4)
            let large = try clips.enumerated().map { index, clip in
                let path = folder / "large\(index).mkv"
                try Tool.ffmpeg(
                    "-i \(clip) -vf scale=\(width):\(height):\(Judge.exactScaling),setsar=1 -c:v ffv1 \(path)")
                return path
            }
            // The radius is measured in pixels.
            let scaled = transition.replacingOccurrences(of: "radius=24", with: "radius=96")
            try succeed("\(large) --transition \(scaled) --duration 9f --video-codec ffv1 \(folder / "full.mkv")")
            try Tool.ffmpeg(
                "-i \(folder / "full.mkv") -vf scale=180:144:flags=area+accurate_rnd+bitexact,setsar=\(aspect)",
                "-c:v ffv1 \(folder / "small.mkv")")
            let ratios = try Judge.psnr(out, folder / "small.mkv")
            #expect(ratios.count == 111)
            #expect((ratios.min() ?? 0) >= 42, "\(ratios)")
        }

        /// The form that most frames have is taken, and the others are converted.
        @Test func theFormOfMostFramesIsTaken() throws {
            let folder = try TemporaryFolder()
            let turn = StatedTurn.all[0]
            let upright = try clip("kept-few.mp4", Self.h264, frames: 45)
            let turned = try turn.stated(in: clip("kept-a.mp4", Self.h264), folder)
            let out = folder / "out.mp4"
            let arguments = [upright, turned, "--duration", "6f", "--render", "auto", out]
            let plan = try planJSON(arguments)
            let output = try #require(plan["output"] as? [String: Any])
            #expect(output["width"] as? Int == 192 && output["displayWidth"] as? Int == 108)
            #expect((output["transform"] as? [String: Any])?["rotation"] as? Int == 90)
            let inputs = try #require(plan["inputs"] as? [[String: Any]])
            #expect((inputs[0]["copyRefusal"] as? String)?.contains("is upright") == true)
            #expect(inputs[0]["copiedFrames"] as? Int == 0 && inputs[1]["copyRefusal"] == nil)
            try succeed(arguments)
            #expect(try expectCopies(out, of: [upright, turned], plan) == inputs[1]["copiedFrames"] as? Int)
            #expect(try form(out) == form(turned))
            // The upright clip stands upright between bars, as where all is encoded.
            try succeed([turned, upright, "--duration", "6f", "--video-codec", "ffv1", folder / "full.mkv"])
            let text = try succeed(["plan"] + arguments).text
            #expect(text.contains("shown as 108x192: rotated by 90 degrees, as input 2 is"), "\(text)")
            #expect(text.contains("not copied: \(upright) is upright, and the output is rotated by 90 degrees"))
            let pictures = try [(out, 10), (folder / "full.mkv", 64)].map {
                try Judge.pictures($0.0, pixelFormat: "yuv420p", width: 108, height: 192, range: $0.1..<$0.1 + 1)[0]
            }
            #expect(psnr(pictures[0], pictures[1]) > 35, "\(psnr(pictures[0], pictures[1]))")
        }

        /// Where the form can't be kept, `smart` says why and what to do, and `auto` makes what `full` makes.
        @Test func whatCantBeKeptIsRefused() throws {
            let folder = try TemporaryFolder()
            let turned = try StatedTurn.all[0].stated(in: clip("kept-a.mp4", Self.h264), folder)
            let wide = try clip("kept-wide.mp4", Self.h264, aspect: "4/3")
            let cases: [(clip: String, options: [String], ending: String, words: [String])] = [
                (turned, [], "ts", ["is rotated by 90 degrees", "name an mp4 or mov"]),
                (wide, ["--size", "256x108"], "mp4", ["pixels of 4:3", "--size", "leave it out"]),
            ]
            for row in cases {
                let arguments = [row.clip, row.clip, "--duration", "6f"] + row.options
                let smart = try run(arguments + ["--render", "smart", folder / "smart.\(row.ending)"])
                #expect(smart.status == 65, "\(smart.story)")
                for word in row.words { #expect(smart.messages.contains(word), "\(smart.messages)") }
                #expect(!FileManager.default.fileExists(atPath: folder / "smart.\(row.ending)"))
                let auto = try succeed(arguments + ["--render", "auto", "-y", folder / "auto.\(row.ending)"])
                for word in row.words { #expect(auto.messages.contains(word), "\(auto.messages)") }
                try succeed(arguments + ["-y", folder / "full.\(row.ending)"])
                #expect(
                    try Data(contentsOf: folder / "auto.\(row.ending)")
                        == Data(contentsOf: folder / "full.\(row.ending)"))
            }
        }

        /// Matroska states turns from FFmpeg 7.0 on, without what the matrix moves; before, another file is asked for.
        @Test func matroskaKeepsTurnsWhereItCan() throws {
            let folder = try TemporaryFolder()
            let turned = try StatedTurn.all[2].stated(in: clip("kept-a.mp4", Self.h264), folder)
            let arguments = [turned, turned, "--duration", "6f", "--render", "smart", folder / "out.mkv"]
            let run = try run(arguments)
            if run.status == 0 {
                #expect(try Judge.video(folder / "out.mkv").rotation == Judge.video(turned).rotation)
                #expect(try expectCopies(folder / "out.mkv", of: [turned, turned], planJSON(arguments)) >= 80)
            } else {
                #expect(!Judge.isFFmpeg71 && run.status == 65 && run.messages.contains("name an mp4 or mov"))
            }
        }

        /// The packets of H.264 state the shape of pixels, so that a transport stream keeps it as well.
        @Test(arguments: ["mp4", "mov", "mkv", "ts"]) func theShapeOfPixelsIsKept(ending: String) throws {
            let folder = try TemporaryFolder()
            let wide = try clip("kept-wide.mp4", Self.h264, aspect: "4/3")
            let out = folder / "out.\(ending)"
            let arguments = [wide, wide, "--duration", "6f", "--render", "smart", out]
            let plan = try planJSON(arguments)
            try succeed(arguments)
            #expect(try expectCopies(out, of: [wide, wide], plan) >= 80)
            #expect(try form(out) == form(wide))
            #expect((plan["output"] as? [String: Any])?["displayWidth"] as? Int == 256)
        }
    }
}

import FlipGeometry
import FlipRaster
import TestSupport
import Testing

extension CommandTests {
    @Suite(.serialized) struct LosslessTests {
        let folder = TemporaryFolder.make()

        /// The lengths of the two inputs and of their overlap, in frames.
        private static let (before, after, overlap) = (40, 30, 15)

        @Test(
            arguments: Places.some(
                ["yuv420p", "yuv422p", "yuv444p", "yuv420p10le", "yuv422p10le", "gbrp10le"], every: 6))
        func onlyTheOverlapIsRendered(pixelFormat: String) throws {
            let (before, after, overlap) = (Self.before, Self.after, Self.overlap)
            let first = try clips().pattern("a-\(pixelFormat)", frames: before, pixelFormat: pixelFormat)
            let second = try clips().pattern("b-\(pixelFormat)", frames: after, pixelFormat: pixelFormat, hue: 120)
            try succeed([first, second, "--duration", "0.6", "--video-codec", "ffv1", folder / "out.mkv"])
            let out = try Judge.video(folder / "out.mkv")
            #expect(out.codec == "ffv1" && out.pixelFormat == pixelFormat)
            #expect(out.frameCount == before + after - overlap)

            let hashes = try Judge.frameHashes(folder / "out.mkv")
            #expect(try hashes.prefix(before - overlap) == Judge.frameHashes(first).prefix(before - overlap))
            #expect(try hashes.suffix(after - overlap) == Judge.frameHashes(second).suffix(after - overlap))
            #expect(Set(hashes).count == hashes.count)

            let (a, b) = try (pictures(first), pictures(second))
            let look = try Styles.named("flip").defaults
            let pairs = (0..<overlap).map { (a[before - overlap + $0], b[$0]) }
            expect(
                Overlap(style: "flip", look: look, start: before - overlap, pictures: pairs),
                in: try pictures(folder / "out.mkv"), within: .pattern)
        }

        /// Real clips keep every frame outside the overlap, and those within it match the reference renderer's.
        @Test(.turn(0, of: 3), .needsMedia, arguments: Places.some(["out.mkv", "out.nut"], every: 2))
        func realClipsKeepEveryFrameOutsideTheOverlap(name: String) throws {
            let clip = try medium("h264-aac-960x540-29-97fps-flower.mp4")
            try succeed([clip, clip, "--duration", "0.6", "--video-codec", "ffv1", folder / name])
            let source = try Judge.frameHashes(clip)
            let hashes = try Judge.frameHashes(folder / name)
            try #require(source.count == 150 && hashes.count == 150 + 150 - 18)
            #expect(hashes.prefix(132) == source.prefix(132))
            #expect(hashes.suffix(132) == source.suffix(132))
            if name == "out.nut" { return }
            let output = try pictures(folder / name, range: 132..<150)
            let (a, b) = try (pictures(clip, range: 132..<150), pictures(clip, range: 0..<18))
            let look = try Styles.named("flip").defaults
            for index in Places.some([0, 4, 8, 10, 14, 17], every: 5) {
                let reference = Reference.render(
                    style: "flip", look: look, progress: progress(look, index, of: 18), from: a[index], to: b[index],
                    samplesPerAxis: 8)
                let difference = PictureDifference(output[index], reference)
                #expect(difference.psnr >= Nearness.real.psnr, "frame \(index): \(difference)")
                #expect(difference.fraction(above: 12) < Nearness.real.outliers, "frame \(index)")
            }
        }

        static let looks: [(style: String, words: [String], background: String)] = [
            ("flip", ["direction=backward", "orientation=vertical", "shadow=edge"], "black"),
            ("flip", ["reverse", "perspective=2", "viewpoint=0.2,0.9", "easing=cubic-out"], "black"),
            ("flip", ["spine=0.3", "shadow=cast", "shadow-strength=1.7", "shadow-color=#401000"], "black"),
            ("flip", ["shadow=solid", "orientation=vertical", "reverse", "easing=linear"], "black"),
            ("fold", ["perspective=3", "easing=cubic-bezier(0.3,0.1,0.6,0.9)"], "navy"),
            ("fold", ["mode=cubic", "orientation=horizontal", "direction=backward"], "#334860"),
            ("fold", ["creases=3", "shadow=solid", "viewpoint=0.8,0.4"], "white"),
            ("unfold", ["shadow=none", "creases=2"], "teal"),
            ("card", ["corner-radius=14", "shadow-strength=0.5"], "white"),
            ("card", ["orientation=vertical", "direction=backward", "perspective=2", "easing=quint-in-out"], "red"),
            ("spine-fold", ["corner-radius=10"], "#a0b0c0"),
            ("spine-fold", ["orientation=vertical", "shadow-strength=2", "perspective=0"], "white"),
        ]

        /// Every option of a look changes the picture as its definition says.
        @Test(arguments: Places.some(Array(looks.indices), every: 12)) func looksAreWhatTheOptionsSay(row: Int) throws {
            let (style, words, background) = Self.looks[row]
            let first = try clips().pattern("look-a", frames: 12, pixelFormat: "yuv444p")
            let second = try clips().pattern("look-b", frames: 12, pixelFormat: "yuv444p", hue: 150)
            let (arguments, look) = try look(style, words)
            let hasBackground = background != "black"
            try succeed(
                [first, second, "--duration", "7f", "--video-codec", "ffv1"] + arguments
                    + (hasBackground ? ["--background", background] : []) + [folder / "out.mkv"])
            let (a, b) = try (pictures(first), pictures(second))
            expect(
                Overlap(
                    style: style, look: look, background: try Color(parsing: background), start: 5,
                    pictures: (0..<7).map { (a[5 + $0], b[$0]) }),
                in: try pictures(folder / "out.mkv"), within: .pattern)
        }

        /// EFFECTS 1: p = 0 is exactly A and p = 1 exactly B. Easings that jump show one of the two in every frame.
        @Test(arguments: Places.some(Styles.all.map(\.name), every: 6)) func theEndsOfATransitionAreTheClipsThemselves(
            style: String
        ) throws {
            let first = try clips().pattern("a-yuv420p", frames: Self.before)
            let second = try clips().pattern("b-yuv420p", frames: Self.after, hue: 120)
            let arguments = [first, second, "--style", style, "--duration", "9f", "--video-codec", "ffv1"]
            try succeed(arguments + ["--easing", "step-end", folder / "still-a.mkv"])
            try succeed(arguments + ["--easing", "step-start", folder / "already-b.mkv"])
            let (a, b) = try (Judge.frameHashes(first), Judge.frameHashes(second))
            #expect(try Judge.frameHashes(folder / "still-a.mkv") == a + b[9...])
            #expect(try Judge.frameHashes(folder / "already-b.mkv") == a[..<(Self.before - 9)] + b)
        }

        @Test func threadsDoNotChangeThePicture() throws {
            let first = try clips().pattern("threads-a", frames: 20, size: "320x180")
            let second = try clips().pattern("threads-b", frames: 20, size: "320x180", hue: 90)
            for style in ["flip", "fold", "spine-fold"] {
                let hashes = try [1, 2, 5].map { threads in
                    let out = folder / "\(style)-\(threads).mkv"
                    try succeed("\(first) \(second) --style \(style) --video-codec ffv1 --threads \(threads) \(out)")
                    return try Judge.frameHashes(out)
                }
                #expect(hashes[0] == hashes[1] && hashes[0] == hashes[2], "\(style)")
            }
        }

        @Test(arguments: ["mp4", "mkv", "mov"]) func theSameJoinGivesTheSameBytes(container: String) throws {
            let first = try clips().flashAndClick("click-a.mp4", seconds: 3, events: [0.5, 1, 2])
            let second = try clips().pattern("same-b", frames: 40, size: "160x90", hue: 90)
            let outputs = try (0..<2).map { index in
                let out = folder / "out\(index).\(container)"
                try succeed([first, second, out])
                return try Data(contentsOf: out)
            }
            #expect(outputs[0] == outputs[1])
        }
    }
}

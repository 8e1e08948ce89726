import FlipGeometry
import FlipRaster
import TestSupport
import Testing

extension CommandTests {
    /// One color has the same samples wherever it is drawn, and they are those that the standards give.
    @Suite(.serialized) struct DrawnColorTests {
        let folder = TemporaryFolder.make()

        struct Case: CustomTestStringConvertible, Sendable {
            let format: String
            /// libav's names; nil for clips that don't state theirs.
            let matrix: String?
            var transfer = "bt709"
            var primaries = "bt709"
            var range = "tv"
            let weights: PictureFormat.Matrix
            /// The output's encoder. Where it takes no planar pictures, it is left to it which format it writes.
            var codec = "ffv1"
            var isPacked = false

            var testDescription: String { "\(format) \(matrix ?? "untagged") \(transfer) \(range) \(codec)" }

            /// The options for an output with this format.
            var output: [String] { ["--video-codec", codec] + (isPacked ? [] : ["--pix-fmt", format]) }
            var ending: String { codec == "ffv1" ? "mkv" : "mov" }
            /// By how much samples may differ from what was drawn.
            var loss: Double { codec == "prores_ks" ? 2 : 0 }

            /// A clip of gray, 128x72.
            func clip() throws -> String {
                let tags =
                    matrix.map {
                        [
                            "-colorspace", $0, "-color_primaries", primaries, "-color_trc", transfer, "-color_range",
                            range,
                        ]
                    } ?? []
                let name = testDescription.replacing(" ", with: "-")
                // ffv1 has 8 bits of RGB and alpha in one plane only.
                let format = format == "gbrap" ? "bgra" : format
                return try clips().make(
                    "drawn-\(name).mkv", "-f lavfi -i color=gray:s=128x72:r=25 -frames:v 4 -vf format=\(format)",
                    "-c:v ffv1 \(tags)")
            }

            /// The samples of `color`, which is opaque, one for each plane, not rounded.
            func samples(of color: Color) throws -> [Double] {
                var reference = try PictureFormat(ffmpegName: format)
                reference.matrix = weights
                reference.isFullRange = range == "pc"
                reference.light = transfer == "smpte2084" ? .pq : transfer == "arib-std-b67" ? .hlg : .sdr
                return reference.encode(color) + (reference.hasAlpha ? [Double(reference.peak)] : [])
            }
        }

        static let cases = [
            Case(format: "yuv420p", matrix: nil, weights: .bt601),
            Case(format: "yuv444p", matrix: "smpte170m", weights: .bt601),
            Case(format: "yuv420p", matrix: "bt709", weights: .bt709),
            Case(format: "yuv422p10le", matrix: "bt709", weights: .bt709),
            Case(format: "yuv444p", matrix: "bt709", range: "pc", weights: .bt709),
            Case(format: "yuv444p", matrix: "smpte240m", weights: .init(red: 0.212, blue: 0.087)),
            Case(format: "yuv444p", matrix: "fcc", weights: .init(red: 0.30, blue: 0.11)),
            Case(
                format: "yuv420p10le", matrix: "bt2020nc", transfer: "smpte2084", primaries: "bt2020", weights: .bt2020),
            Case(
                format: "yuv420p10le", matrix: "bt2020nc", transfer: "arib-std-b67", primaries: "bt2020",
                weights: .bt2020),
            // ffmpeg writes gray in full range.
            Case(format: "gray", matrix: nil, range: "pc", weights: .bt601),
            Case(format: "yuva420p", matrix: "bt709", weights: .bt709),
            Case(format: "yuva444p10le", matrix: "smpte170m", weights: .bt601),
            Case(format: "gbrap10le", matrix: nil, range: "pc", weights: .bt709),
            Case(format: "gbrap", matrix: nil, range: "pc", weights: .bt709, codec: "qtrle", isPacked: true),
            Case(format: "gbrap", matrix: nil, range: "pc", weights: .bt709, codec: "png", isPacked: true),
            Case(format: "yuva444p10le", matrix: "bt709", weights: .bt709, codec: "prores_ks"),
        ]

        /// A still of `color` that states that it is sRGB, or a transparent one.
        private func still(_ color: String, isTransparent: Bool) throws -> String {
            let fill = isTransparent ? "black@0" : color
            return try clips().make(
                "drawn-\(isTransparent ? "clear" : String(color.dropFirst())).png",
                "-f lavfi -i color=\(fill):s=128x72,format=rgba -frames:v 1 -color_trc iec61966-2-1",
                "-color_primaries bt709")
        }

        @Test(arguments: Places.some(cases, ["#ffffff", "#e01020", "#3060c0"], every: 8))
        func isTheSameEverywhere(_ kind: Case, color: String) throws {
            let clip = try kind.clip()
            let clear = try still(color, isTransparent: true)
            let patch = try still(color, isTransparent: false)
            // The clip has bars above and below. In the middle of its turn, a card leaves the corners free.
            let run = { (name: String, transition: String) throws -> [TestPicture] in
                let out = folder / "\(name).\(kind.ending)"
                try succeed(
                    "\(clip) \(clear)#t=0.16 \(out) --size 128x96 --background \(color) --transition \(transition)",
                    "--duration 0.12 --overlay \(patch)@center:width=32px:height=16px",
                    "--overlay-text \u{2588}\u{2588}\u{2588}@bottom:margin=20px:size=20px:color=\(color)",
                    "\(kind.output)")
                return try Judge.pictures(out, pixelFormat: kind.format, width: 128, height: 96, keepsCodes: true)
            }
            let (card, dip) = try (run("card", "card"), run("dip", "dip=through=\(color)"))
            let expected = try kind.samples(of: Color(parsing: color))
            let format = try PictureFormat(ffmpegName: kind.format)
            // Colors of pictures are converted by libavfilter, in as many steps.
            let tolerance = (format.depth > 8 ? 2.6 : 1.1) + kind.loss
            let (first, last) = (card[0], card[card.count - 1])
            for plane in expected.indices {
                let (stepX, stepY) = format.isChroma(plane: plane) ? (format.chromaStepX, format.chromaStepY) : (1, 1)
                let sample = { (picture: TestPicture, x: Int, y: Int) in
                    Double(picture[plane: plane, x: x / stepX, y: y / stepY])
                }
                let bar = sample(first, 4, 4)
                #expect(abs(bar - expected[plane]) < 0.52 + kind.loss, "bar \(bar), plane \(plane) of \(expected)")
                #expect(abs(sample(card[2], 2, 2) - bar) <= kind.loss, "behind the card")
                #expect(abs(sample(dip[2], 20, 40) - bar) <= kind.loss, "dip")
                if format.hasAlpha {
                    // What is transparent stays so, up to the 2 of 1023 that swscale makes of 0 in 8 bits of RGB.
                    #expect(plane < expected.count - 1 || sample(last, 20, 40) <= 2, "\(sample(last, 20, 40))")
                } else {
                    #expect(
                        abs(sample(last, 20, 40) - bar) <= tolerance, "flattened \(sample(last, 20, 40)), not \(bar)")
                }
                #expect(abs(sample(first, 64, 48) - bar) <= tolerance, "overlay \(sample(first, 64, 48)), not \(bar)")
                let letters = (40..<88).flatMap { x in (56..<76).map { sample(first, x, $0) } }
                #expect(letters.contains { abs($0 - bar) <= kind.loss }, "text")
            }
        }

        /// A timeline of a clip, a gap and the clip again, of four, two and four frames.
        private func timeline(_ clip: String) -> String {
            let time = { (frames: Int) in #"{"OTIO_SCHEMA": "RationalTime.1", "rate": 25.0, "value": \#(frames).0}"# }
            let range = { (frames: Int) in
                #""source_range": {"OTIO_SCHEMA": "TimeRange.1", "start_time": \#(time(0)), "duration": \#(time(frames))}"#
            }
            let media = #""media_reference": {"OTIO_SCHEMA": "ExternalReference.1", "target_url": "\#(clip)"}"#
            let shot = #"{"OTIO_SCHEMA": "Clip.1", "name": "Shot", \#(range(4)), \#(media)}"#
            let items = [shot, #"{"OTIO_SCHEMA": "Gap.1", "name": "", \#(range(2))}"#, shot].joined(separator: ", ")
            return #"{"OTIO_SCHEMA": "Timeline.1", "tracks": {"OTIO_SCHEMA": "Stack.1", "children": ["#
                + #"{"OTIO_SCHEMA": "Track.1", "kind": "Video", "children": [\#(items)]}]}}"#
        }

        /// The same color in a gap, before the first clip and after the last one, and on the back of a page.
        @Test(arguments: Places.some(cases, ["#e01020", "#3060c0"], every: 9))
        func isTheSameAroundClipsAndOnPaper(_ kind: Case, color: String) throws {
            let clip = try kind.clip()
            try Data(timeline(clip).utf8).write(to: folder / "t.otio")
            let run = { (name: String, words: [String]) throws -> [TestPicture] in
                let out = folder / "\(name).\(kind.ending)"
                try succeed(words + [out] + kind.output)
                return try Judge.pictures(out, pixelFormat: kind.format, width: 128, height: 72, keepsCodes: true)
            }
            let film = try run(
                "film",
                [
                    "render", folder / "t.otio", "--background", color, "--fade-in", "2f", "--fade-out", "2f",
                    "--fade-color", color,
                ])
            // In the middle of its turn, the page shows half of its back.
            let paper = try run(
                "paper",
                [
                    clip, clip, "--transition", "curl=mode=peel:paper=\(color):paper-opacity=1:shadow=none",
                    "--duration", "0.12",
                ])
            try #require(film.count == 10 && paper.count == 5)
            let expected = try kind.samples(of: Color(parsing: color))
            for plane in expected.indices {
                let sample = { (picture: TestPicture) in Double(picture[plane: plane, x: 20, y: 20]) }
                for frame in film[4..<6] {
                    #expect(
                        abs(sample(frame) - expected[plane]) < 0.52 + kind.loss, "gap \(sample(frame)) of \(expected)")
                }
                let gray = sample(film[3])
                for (frame, weight) in [(0, 1.0 / 3), (1, 2.0 / 3), (8, 2.0 / 3), (9, 1.0 / 3)] {
                    // The color and the mixture may both be rounded.
                    let mixed = expected[plane] + (gray - expected[plane]) * weight
                    #expect(
                        abs(sample(film[frame]) - mixed) < 0.85 + kind.loss,
                        "fading frame \(frame): \(sample(film[frame])), not \(mixed)")
                }
                let back = paper[2].planes[plane].count { abs(Double($0) - expected[plane]) < 0.52 + kind.loss }
                #expect(back > paper[2].planes[plane].count / 10, "paper: \(back) samples of \(expected[plane])")
                let before = paper[0].planes[plane].count { abs(Double($0) - expected[plane]) < 0.52 + kind.loss }
                #expect(before == 0 || plane == 3 || abs(gray - expected[plane]) < 2 + kind.loss, "\(before)")
            }
        }

        /// A deep gradient that is opaque all over keeps its levels where its alpha is left out, and one that isn't
        /// keeps more than 8 bits could hold.
        @Test(arguments: [65535, 64000]) func deepAlphaIsFlattenedDeeply(alpha: Int) throws {
            let clip = try clips().make(
                "deep-alpha-\(alpha).mov", "-f lavfi -i nullsrc=s=512x16:d=0.4,format=gray16le,geq=lum='X*128'",
                "-vf format=yuva444p16le,geq=lum='lum(X,Y)':cb=32768:cr=32768:a=\(alpha),format=yuva444p12le",
                "-c:v prores_ks -profile:v 4444 -alpha_bits 16")
            try succeed(
                "\(clip) \(clip) --transition cut --video-codec ffv1 --pix-fmt yuv422p10le \(folder / "out.mkv")")
            let pictures = try Judge.pictures(folder / "out.mkv", pixelFormat: "yuv422p10le", width: 512, height: 16)
            let levels = Set(pictures[0].planes[0].prefix(512))
            #expect(levels.count > 400, "\(levels.count) levels")
        }
    }
}

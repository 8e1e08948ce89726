import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Every small size and the sizes around powers of two, with guards around all memory lent.
@Suite struct SizeTests {
    private static let sizes = Array(1...40) + [63, 64, 65, 127, 128, 129, 255, 256, 257]
    private static let formats = [
        PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
        PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 2, chromaLocation: .topLeft),
        PictureFormat(components: .yuv, chromaStepX: 4, chromaStepY: 1),
        PictureFormat(components: .gbr, depth: 16, isFullRange: true),
    ]

    /// Random cases of `style` in which each size occurs as a width and as a height.
    private func cases(_ style: any TransitionStyle) -> [RandomCase] {
        var random = SplitMix64(seed: 5)
        return Self.sizes.flatMap { size in
            [(size, random.pick(Self.sizes)), (random.pick(Self.sizes), size)].map { width, height in
                var example = RandomCase(style: style, seed: random.next() >> 32)
                (example.width, example.height) = (width, height)
                example.format = random.pick(Self.formats)
                return example
            }
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func staysWithinItsRows(style: String) throws {
        let style = try Styles.named(style)
        var random = SplitMix64(seed: 6)
        for example in cases(style) {
            let look = try StyledLook(style: style, look: example.look)
            let (from, to) = example.pictures
            do {
                _ = try drawn(
                    look, progress: example.progress, from: from, to: to, background: example.background,
                    skew: random.integer(in: 0...7))
            } catch {
                Issue.record("\(example): \(error)")
            }
        }
    }

    /// Pictures in memory that ends with their last sample give the same bytes: nothing outside the pictures is read.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func readsOnlyPictures(style: String) throws {
        for example in cases(try Styles.named(style)) {
            let look = try StyledLook(style: try Styles.named(style), look: example.look)
            let (from, to) = example.pictures
            let renderer = TransitionRenderer(
                format: example.format, width: example.width, height: example.height, background: example.background,
                threads: 1)
            var result = TestPicture(format: example.format, width: example.width, height: example.height)
            try result.withMutableView { target in
                from.withTightView { from in
                    to.withTightView { to in
                        renderer.render(look, progress: example.progress, from: from, to: to, into: target)
                    }
                }
            }
            let expected = try renderer.drawn(look, progress: example.progress, from: from, to: to)
            #expect(result == expected, "\(example)")
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 8)) func agreesWithTheReference(style: String) throws {
        for (index, example) in cases(try Styles.named(style)).enumerated() where index % 3 == 0 {
            let difference = try agreement(example)
            #expect(difference.psnr >= 40, "\(example): \(difference)")
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func drawsTheLongestFrames(style: String) throws {
        for (width, height) in [(16384, 2), (2, 16384)] {
            let format = Self.formats[width > height ? 0 : 1]
            let from = Pattern.noise.picture(format, width: width, height: height, seed: 1)
            let to = Pattern.noise.picture(format, width: width, height: height, seed: 2)
            for orientation in Orientation.allCases {
                let look = try StyledLook.named(style) { $0.orientation = orientation }
                _ = try drawn(look, progress: orientation == .horizontal ? 0.2 : 0.7, from: from, to: to, threads: 2)
            }
        }
    }

    /// Nearly upright pages close to the camera can be drawn, although they shift by hundreds of samples within one
    /// footprint, which is more than slices and lanes are made for.
    @Test(arguments: Places.some([("flip", true), ("flip", false), ("card", false)], every: 3))
    func drawsTheSteepestPages(style: String, reverse: Bool) throws {
        for (width, height) in [(9, 4096), (40, 1500), (300, 1201)] {
            let format = Self.formats[0]
            let from = Pattern.natural.picture(format, width: width, height: height, seed: 3)
            let to = Pattern.natural.picture(format, width: width, height: height, seed: 4)
            let moments = [(0.46, 0.5), (0.499, 0.0), (0.4999, 3), (0.5001, -2), (0.53, 1)]
            for (progress, viewpoint) in Places.some(moments, every: 5) {
                let look = try StyledLook.named(style) {
                    $0.perspective = 0.1
                    $0.viewpoint = Viewpoint(x: 0.3, y: viewpoint)
                    $0.reverse = reverse
                }
                let alone = try drawn(look, progress: progress, from: from, to: to)
                #expect(try drawn(look, progress: progress, from: from, to: to, threads: 2) == alone)
            }
        }
    }
}

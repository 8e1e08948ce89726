import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Packed pixels with alpha, rounded directly: opaque ones must match planes without alpha, and others planes with alpha,
/// to the last bit. Planes are tested against the reference.
@Suite struct PackedTests {
    private static let format = PictureFormat(components: .gbr, isFullRange: true)
    private static let alphaFormat = PictureFormat(components: .gbr, isFullRange: true, hasAlpha: true)

    private static func renderer(_ width: Int, _ height: Int, _ background: Color) throws -> TransitionRenderer {
        TransitionRenderer(
            layout: try #require(PixelLayout(named: "rgba")), width: width, height: height, background: background,
            threads: 1, rounding: .direct)
    }

    /// A packed RGBA picture in its own memory, between guards.
    private final class Pixels {
        let width: Int
        let height: Int
        private let padding: Int
        private let memory: GuardedSamples<UInt8>

        /// Packs `picture`, opaque if it has no alpha; rows are padded by `padding` pixels.
        init(_ picture: TestPicture, padding: Int) {
            (width, height, self.padding) = (picture.width, picture.height, padding)
            let stride = 4 * (picture.width + padding)
            var bytes = [UInt8](repeating: 77, count: stride * picture.height)
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    // The planes are in the order G, B, R, and the bytes in the order R, G, B.
                    for (byte, plane) in [2, 0, 1].enumerated() {
                        bytes[y * stride + 4 * x + byte] = UInt8(picture[plane: plane, x: x, y: y])
                    }
                    let hasAlpha = picture.planes.count == 4
                    bytes[y * stride + 4 * x + 3] = hasAlpha ? UInt8(picture[plane: 3, x: x, y: y]) : 255
                }
            }
            memory = GuardedSamples(bytes)
        }

        var view: PictureView {
            PictureView(
                PlaneView(
                    base: UnsafeMutableRawPointer(memory.start), stride: 4 * (width + padding), width: width,
                    height: height))
        }

        var bytes: [UInt8] { memory.numbers }
        var isIntact: Bool { memory.isIntact }
    }

    private func draw(
        _ look: StyledLook, progress: Double, with renderer: TransitionRenderer, from: Pixels, to: Pixels,
        into target: Pixels
    ) {
        // A view doesn't keep its memory alive.
        withExtendedLifetime((from, to, target)) {
            renderer.render(look, progress: progress, from: from.view, to: to.view, into: target.view)
        }
    }

    private func planar(_ example: RandomCase, _ look: StyledLook, _ from: TestPicture, _ to: TestPicture) throws
        -> TestPicture
    {
        try drawn(look, progress: example.progress, from: from, to: to, background: example.background)
    }

    /// Draws `example` as packed pixels with `renderer`, and expects the frame that the planar renderer draws between
    /// `from` and `to`.
    private func expectEqual(
        _ example: RandomCase, _ renderer: TransitionRenderer, _ from: TestPicture, _ to: TestPicture
    ) throws {
        let look = try StyledLook(style: try Styles.named(example.style), look: example.look)
        let (first, second) = (Pixels(from, padding: 0), Pixels(to, padding: 3))
        let target = Pixels(TestPicture(format: from.format, width: from.width, height: from.height), padding: 2)
        let (firstBytes, secondBytes) = (first.bytes, second.bytes)
        draw(look, progress: example.progress, with: renderer, from: first, to: second, into: target)
        let expected = Pixels(try planar(example, look, from, to), padding: 2)
        #expect(target.bytes == expected.bytes, "\(example)")
        #expect(target.isIntact && first.isIntact && second.isIntact)
        #expect(first.bytes == firstBytes && second.bytes == secondBytes)
    }

    private func cases(_ style: any TransitionStyle, _ format: PictureFormat, seed: UInt64) -> [RandomCase] {
        RandomCase.cases(style: style, count: 60, seed: seed).map { example in
            var example = example
            example.format = format
            return example
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 8))
    func opaquePixelsAreThePlanesSamples(style: String) throws {
        for example in cases(try Styles.named(style), Self.format, seed: 700) {
            let renderer = try Self.renderer(example.width, example.height, example.background)
            let (from, to) = example.pictures
            try expectEqual(example, renderer, from, to)
        }
    }

    /// Earlier frames with other pictures and looks leave nothing in the buffers that shows in later ones.
    @Test func framesLeaveNothingBehind() throws {
        let renderer = try Self.renderer(83, 61, .black)
        for (index, style) in (Styles.all + Styles.all).enumerated() {
            for var example in cases(style, Self.format, seed: 800 + UInt64(100 * index)).prefix(5) {
                (example.width, example.height, example.background) = (83, 61, .black)
                let (from, to) = example.pictures
                try expectEqual(example, renderer, from, to)
            }
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4))
    func transparencyIsAveragedAsInPlanes(style: String) throws {
        for var example in cases(try Styles.named(style), Self.alphaFormat, seed: 900).prefix(20) {
            example.background.alpha = example.seed % 2 == 0 ? 1 : 0.25
            let renderer = try Self.renderer(example.width, example.height, example.background)
            let (from, to) = example.pictures
            try expectEqual(example, renderer, from, to)
        }
    }

    /// Opaque pictures can be drawn on a transparent background.
    @Test func theBackgroundMayBeTransparent() throws {
        let renderer = try Self.renderer(64, 48, .transparent)
        var example = RandomCase(style: Card(), seed: 5)
        (example.width, example.height, example.format) = (64, 48, Self.alphaFormat)
        (example.look, example.background, example.progress) = (Card().defaults, .transparent, 0.4)
        var (from, to) = example.pictures
        from.planes[3] = from.planes[3].map { _ in 255 }
        to.planes[3] = to.planes[3].map { _ in 255 }
        try expectEqual(example, renderer, from, to)
        let look = try StyledLook(style: Card())
        let target = Pixels(from, padding: 0)
        draw(
            look, progress: 0.4, with: renderer, from: Pixels(from, padding: 0), to: Pixels(to, padding: 0),
            into: target)
        #expect(target.bytes[3] == 0, "the card leaves the corner free")
        #expect(target.bytes[4 * (24 * 64 + 32) + 3] == 255, "and covers the middle")
    }

    @Test(arguments: [PackedRows.Spare.first, .last]) func rowsAreSplitAndMerged(spare: PackedRows.Spare) {
        let place = spare == .first ? 0 : 3
        let colors = (0..<4).filter { $0 != place }
        var random = SplitMix64(seed: 3)
        for count in 0...130 {
            for isOpaque in [true, false] {
                var pixels = (0..<4 * count).map { _ in UInt8(random.integer(in: 0...255)) }
                for x in 0..<count where isOpaque { pixels[4 * x + place] = 255 }
                if !isOpaque, count > 0 { pixels[4 * random.integer(in: 0...(count - 1)) + place] = 254 }
                let source = GuardedSamples(pixels)
                let planes = (0..<4).map { _ in GuardedSamples<UInt8>(count: count) }
                let rows = (planes[colors[0]].start, planes[colors[1]].start, planes[colors[2]].start)
                let found = PackedRows.split(source.start, spare, into: rows, count: count)
                PackedRows.splitSpare(source.start, spare, into: planes[place].start, count: count)
                #expect(found == (isOpaque || count == 0))
                #expect(PackedRows.areOpaque(source.start, spare, count: count) == found)
                for byte in 0..<4 {
                    #expect(planes[byte].numbers == (0..<count).map { pixels[4 * $0 + byte] })
                    #expect(planes[byte].isIntact)
                }
                let target = GuardedSamples<UInt8>(count: 4 * count)
                PackedRows.merge(rows, spare, into: target.start, count: count)
                #expect(
                    target.numbers.indices.allSatisfy { target.numbers[$0] == ($0 % 4 == place ? 255 : pixels[$0]) })
                PackedRows.mergeSpare(planes[place].start, spare, into: target.start, count: count)
                #expect(target.numbers == pixels && target.isIntact && source.isIntact)
                // This check comes last, so that the guards stay alive until here.
                for plane in planes { #expect(plane.isIntact) }
            }
        }
    }
}

import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Frames of opaque pictures in formats with alpha, which are drawn without alpha.
@Suite struct OpaqueTests {
    private static let formats = [
        PictureFormat(components: .gbr, isFullRange: true, hasAlpha: true),
        PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2, hasAlpha: true),
        PictureFormat(components: .yuv, chromaStepX: 2, chromaLocation: .center, isFullRange: true, hasAlpha: true),
        PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 2, hasAlpha: true),
        PictureFormat(components: .gray, depth: 12, hasAlpha: true),
        PictureFormat(components: .gbr, depth: 16, isFullRange: true, hasAlpha: true),
    ]

    /// Makes all of a picture opaque but the columns `clear`.
    private func makeOpaque(_ picture: inout TestPicture, but clear: Range<Int> = 0..<0) {
        let (plane, peak, width) = (picture.format.colorPlaneCount, UInt16(picture.peak), picture.width)
        for x in picture.planes[plane].indices where !clear.contains(x % width) { picture.planes[plane][x] = peak }
    }

    private func frame(
        _ example: RandomCase, _ from: TestPicture, _ to: TestPicture, _ rounding: OpaqueRounding?, threads: Int = 1
    ) throws -> TestPicture {
        let renderer = TransitionRenderer(
            layout: PixelLayout(planar: example.format), width: example.width, height: example.height,
            background: example.background, threads: threads, rounding: rounding)
        let look = try StyledLook(style: try Styles.named(example.style), look: example.look)
        return try renderer.drawn(look, progress: example.progress, from: from, to: to)
    }

    private func cases(_ style: String, seed: UInt64) throws -> [RandomCase] {
        RandomCase.cases(style: try Styles.named(style), count: 60, seed: seed).enumerated().map { index, example in
            var example = example
            example.format = Self.formats[index % Self.formats.count]
            if example.seed % 3 > 0 { example.look.shadowColor = .black }
            return example
        }
    }

    /// Leaving out alpha changes no sample, whether pictures are opaque or only their parts that are averaged. With bent
    /// sheets, which `roundingChangesOneUnit` covers, the rounding differs.
    @Test(arguments: Places.some(Styles.all.map(\.name).filter { $0 != "curl" }, every: 4)) func areDrawnAsByWayOfAlpha(
        style: String
    ) throws {
        for example in try cases(style, seed: 4000) where example.look.bend == 0 && example.look.shadow != .paper {
            var (from, to) = example.pictures
            let start = Int(example.seed) * 7 % example.width
            makeOpaque(&from, but: example.seed % 4 == 0 ? start..<min(start + 9, example.width) : 0..<0)
            makeOpaque(&to)
            let expected = try frame(example, from, to, nil)
            #expect(try frame(example, from, to, .divided) == expected, "\(example)")
            #expect(try frame(example, from, to, .divided, threads: 3) == expected, "\(example)")
        }
    }

    /// The two ways to round differ by at most one unit where shadows are black.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func roundingChangesOneUnit(style: String) throws {
        for var example in try cases(style, seed: 5000) {
            example.look.shadowColor = .black
            var (from, to) = example.pictures
            makeOpaque(&from)
            makeOpaque(&to)
            // A curl of opaque pictures isn't drawn by way of alpha unless that is asked for.
            let direct = try frame(example, from, to, .direct)
            let divided = try frame(example, from, to, style == "curl" ? nil : .divided)
            let worst = zip(direct.planes, divided.planes).flatMap { zip($0, $1).map { abs(Int($0) - Int($1)) } }.max()
            #expect(worst ?? 0 <= 1, "\(example)")
        }
    }

    /// A curl of opaque pictures over an opaque background is drawn as one without alpha, to the bit, which is what makes it
    /// as fast.
    @Test func curlsNeedNoAlpha() throws {
        for var example in try cases("curl", seed: 6000) {
            example.look.shadowColor = .black
            example.background.alpha = 1
            var (from, to) = example.pictures
            makeOpaque(&from)
            makeOpaque(&to)
            var plain = example
            plain.format.hasAlpha = false
            let withoutAlpha = { (picture: TestPicture) in
                var result = TestPicture(format: plain.format, width: picture.width, height: picture.height)
                result.planes = picture.planes.dropLast()
                return result
            }
            let expected = try frame(plain, withoutAlpha(from), withoutAlpha(to), .divided)
            #expect(withoutAlpha(try frame(example, from, to, .divided)).planes == expected.planes, "\(example)")
        }
    }

    /// Rounding as after a division is the division by opaque alpha, for every sample there can be.
    @Test(arguments: [8, 9, 10, 12, 14, 16]) func samplesAreDivided(depth: Int) {
        let line = GuardedSamples((0...65535).map { UInt16($0) })
        let shift = Float(1 << (16 - depth))
        // Black of full range, of limited range, and of chroma.
        for black in [0, 16 << 8, 128 << 8] {
            let expected = (0...65535).map { sample -> Int in
                let value = Float(black) + (Float(sample) - Float(black)) * 65535 / 65535
                return Int(min(max(value / shift, 0), Float(1 << depth - 1)) + 0.5)
            }
            let row = GuardedSamples<UInt16>(count: 65536)
            Wide.storeDivided(line.start, count: 65536, black: black, depth: depth, into: row.start, from: 0)
            let found = row.start.withMemoryRebound(to: UInt8.self, capacity: 65536) { bytes in
                depth == 8 ? (0...65535).map { Int(bytes[$0]) } : row.numbers.map { Int($0) }
            }
            #expect(found == expected && row.isIntact)
        }
    }
}

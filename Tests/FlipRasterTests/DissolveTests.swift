import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// The dissolve mixes every sample exactly, at every depth and width.
@Suite struct DissolveTests {
    private static let formats = [
        PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2), PictureFormat(components: .yuv, depth: 10),
        PictureFormat(components: .gray, depth: 16, isFullRange: true),
        PictureFormat(components: .gbr, depth: 16, isFullRange: true),
    ]

    @Test(arguments: [1, 2, 7, 16, 31, 33, 67]) func everySampleIsTheNearestToTheMix(width: Int) throws {
        let look = try StyledLook(style: Dissolve())
        for format in Self.formats {
            let from = Pattern.noise.picture(format, width: width, height: 5, seed: 3)
            let to = Pattern.noise.picture(format, width: width, height: 5, seed: 4)
            // These fractions are exact in weights of 1/65536.
            for numerator in [1, 16384, 32768, 40961, 65535] {
                let frame = try drawn(look, progress: Double(numerator) / 65536, from: from, to: to)
                for plane in frame.planes.indices {
                    for (index, sample) in frame.planes[plane].enumerated() {
                        let a = Int(from.planes[plane][index])
                        let b = Int(to.planes[plane][index])
                        let exact = (a * (65536 - numerator) + b * numerator + 32768) / 65536
                        #expect(Int(sample) == exact, "\(format) plane \(plane) sample \(index), \(numerator)/65536")
                    }
                }
            }
        }
    }

    /// Mixing white of 16 bits uses the whole range of 32 bits without overflow.
    @Test func extremesDoNotOverflow() throws {
        let format = PictureFormat(components: .gray, depth: 16, isFullRange: true)
        let white = TestPicture(format: format, width: 40, height: 3, filledWith: [65535])
        let frame = try drawn(StyledLook(style: Dissolve()), progress: 0.37, from: white, to: white)
        #expect(frame == white)
    }

    /// Transparent samples do not contribute their color: halfway between an opaque page and nothing is that page at
    /// half alpha.
    @Test(arguments: [8, 10]) func alphaIsMixedWithItsColors(depth: Int) throws {
        let format = PictureFormat(components: .gbr, depth: depth, isFullRange: true, hasAlpha: true)
        let peak = UInt16(1 << depth - 1)
        let page = TestPicture(format: format, width: 9, height: 6, filledWith: [peak / 4, peak / 2, peak, peak])
        let nothing = TestPicture(format: format, width: 9, height: 6, filledWith: [peak, peak, 0, 0])
        let frame = try drawn(StyledLook(style: Dissolve()), progress: 0.5, from: page, to: nothing)
        for plane in 0..<3 { #expect(frame.planes[plane] == page.planes[plane], "plane \(plane)") }
        #expect(frame.planes[3].allSatisfy { abs(Int($0) - Int(peak / 2)) <= 1 })
    }
}

/// The dip mixes every sample with its color, in the middle of which it is alone.
@Suite struct DipTests {
    @Test(arguments: [8, 10, 12, 16]) func theColorIsAloneInTheMiddle(depth: Int) throws {
        let peak = UInt16((1 << depth) - 1)
        let look = try StyledLook.named("dip") { $0.through = Color(red: 1, green: 0, blue: 1) }
        for hasAlpha in [false, true] {
            let format = PictureFormat(components: .gbr, depth: depth, isFullRange: true, hasAlpha: hasAlpha)
            let from = Pattern.noise.picture(format, width: 19, height: 5, seed: 3)
            let to = Pattern.noise.picture(format, width: 19, height: 5, seed: 4)
            let frame = try drawn(look, progress: 0.5, from: from, to: to)
            let color: [UInt16] = [0, peak, peak, peak]
            for plane in frame.planes.indices {
                #expect(frame.planes[plane].allSatisfy { $0 == color[plane] }, "plane \(plane)")
            }
        }
    }

    /// A quarter of the way, half of the first picture is left; at three quarters, half of the second one is there.
    @Test func halfAPictureIsTheNearestToTheMix() throws {
        let format = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2)
        let from = Pattern.noise.picture(format, width: 31, height: 6, seed: 5)
        let to = Pattern.noise.picture(format, width: 31, height: 6, seed: 6)
        let black = [16, 128, 128]
        for (progress, picture) in [(0.25, from), (0.75, to)] {
            let frame = try drawn(StyledLook.named("dip"), progress: progress, from: from, to: to)
            for plane in frame.planes.indices {
                for (found, sample) in zip(frame.planes[plane], picture.planes[plane]) {
                    #expect(Int(found) == (Int(sample) + black[plane] + 1) / 2)
                }
            }
        }
    }
}

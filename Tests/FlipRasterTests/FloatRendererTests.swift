import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Frames of floats are exact, and those of 16 bits apart from their rounding.
@Suite struct FloatRendererTests {
    private static let flatStyles = [
        "flip", "fold", "unfold", "card", "spine-fold", "cube", "box", "swing", "doors", "blinds", "push", "slide",
    ]

    /// Without perspective, every sample is within a millionth of the exact mean.
    @Test(arguments: flatStyles, Orientation.allCases)
    func samplesAreWithinAMillionth(style: String, orientation: Orientation) throws {
        let stepsBack = try Styles.named(style).options.contains(.pullBack)
        for (index, progress) in [0.13, 0.4, 0.5, 0.77].enumerated() {
            let look = try StyledLook.named(style) { look in
                look.perspective = 0
                look.orientation = orientation
                look.direction = index % 2 == 0 ? .forward : .backward
                look.shadowColor = Color(red: 0.3, green: 0.1, blue: 0.7)
                // The reference has no soft shadow.
                if style == "spine-fold" { look.shadow = .none }
                if index == 3 && style != "card" && stepsBack { look.pullBack = 0.8 }
            }
            let (width, height) = (53 + index, 40 - index)
            let a = FloatTestPicture(noise: UInt64(2 * index), width: width, height: height)
            let b = FloatTestPicture(noise: UInt64(2 * index + 1), width: width, height: height)
            let background = Color(red: 0.2, green: 0.6, blue: 0.4)
            let drawn = try drawnFloats(look, progress: progress, from: a, to: b, background: background)
            let exact = Reference.exact(
                style: style, look: look.look, background: background, progress: progress, from: a, to: b)
            let errors = zip(drawn.samples, exact).map { abs(Double($0) - $1) }
            let worst = errors.indices.max { errors[$0] < errors[$1] } ?? 0
            #expect(
                errors[worst] <= 1e-6,
                "p = \(progress): \(drawn.samples[worst]) for \(exact[worst]) at (\(worst / 4 % width), \(worst / 4 / width))"
            )
        }
    }

    /// Every style with random options, as 16 bits draw it. These locate a page's samples to 1/1000 of a sample at the ends of
    /// a run of rows (docs/LIBRARY.md, "How exact frames are"): on noise, a mean over an interval, which has two ends, is off
    /// by up to twice 65, and some roundings. In the mean, it is half of 1/4096.
    @Test(arguments: Styles.all.map(\.name)) func framesAreThoseOf16Bits(style: String) throws {
        for var item in RandomCase.cases(style: try Styles.named(style), count: 24, seed: 4711) {
            item.format = PictureFormat(components: .gbr, depth: 16, isFullRange: true)
            let look = try StyledLook(style: try Styles.named(style), look: item.look)
            let (from, to) = item.pictures
            let expected = try drawn(
                look, progress: item.progress, from: from, to: to, background: item.background)
            let floats = [from, to].map { picture in
                FloatTestPicture(width: item.width, height: item.height) { x, y, channel in
                    channel == 3 ? 1 : Float(picture[plane: [2, 0, 1][channel], x: x, y: y]) / 65535
                }
            }
            let result = try drawnFloats(
                look, progress: item.progress, from: floats[0], to: floats[1], background: item.background)
            var (worst, sum) = (0.0, 0.0)
            for y in 0..<item.height {
                for x in 0..<item.width {
                    for channel in 0..<3 {
                        let sample = Double(expected[plane: [2, 0, 1][channel], x: x, y: y])
                        let error = abs(result[x, y, channel] * 65535 - sample)
                        (worst, sum) = (max(worst, error), sum + error)
                    }
                }
            }
            #expect(worst <= 192, "\(item): \(worst)")
            #expect(sum / Double(3 * item.width * item.height) <= 8, "\(item)")
        }
    }

    /// Larger samples make a larger frame, however large they are.
    /// Curl and dip mix colors of their own in, which don't grow.
    @Test(arguments: Styles.all.map(\.name).filter { !["curl", "dip"].contains($0) })
    func nothingIsLimited(style: String) throws {
        let look = try StyledLook.named(style)
        let (a, b) = (
            FloatTestPicture(noise: 1, width: 48, height: 32), FloatTestPicture(noise: 2, width: 48, height: 32)
        )
        let larger = [a, b].map { picture in
            FloatTestPicture(width: 48, height: 32) { x, y, c in Float(picture[x, y, c]) * (c == 3 ? 1 : 1024) }
        }
        let once = try drawnFloats(look, progress: 0.4, from: a, to: b)
        let more = try drawnFloats(look, progress: 0.4, from: larger[0], to: larger[1])
        for (index, (small, large)) in zip(once.samples, more.samples).enumerated() where index % 4 != 3 {
            // A power of two changes no digit.
            #expect(small * 1024 == large)
        }
        #expect(more.samples.contains { abs($0) > 100 })
    }

    /// Pixels without alpha, and with it in either form, are drawn alike.
    @Test func layoutsMakeNoDifference() throws {
        for style in Styles.all {
            let look = try StyledLook(style: style)
            let (a, b) = (
                FloatTestPicture(noise: 3, width: 37, height: 29), FloatTestPicture(noise: 4, width: 37, height: 29)
            )
            let frames = try [(3, false), (4, false), (4, true)].map { channels, isPremultiplied in
                try drawnFloats(
                    look, progress: 0.6, from: a, to: b, channels: channels, isPremultiplied: isPremultiplied)
            }
            // Alpha is a mean, too, by which straight colors are divided.
            for (index, sample) in frames[2].samples.enumerated() {
                #expect(
                    abs(frames[0].samples[index] - sample) <= 1e-6 && abs(frames[1].samples[index] - sample) <= 1e-6)
            }
        }
    }

    @Test func threadsMakeNoDifference() throws {
        for style in Styles.all {
            let look = try StyledLook(style: style)
            let (a, b) = (
                FloatTestPicture(noise: 5, width: 300, height: 200), FloatTestPicture(noise: 6, width: 300, height: 200)
            )
            let frames = try [1, 3].map { try drawnFloats(look, progress: 0.3, from: a, to: b, threads: $0) }
            #expect(frames[0] == frames[1], "\(style.name)")
        }
    }

    @Test func theEndsAreThePictures() throws {
        let (a, b) = (
            FloatTestPicture(noise: 7, width: 20, height: 10), FloatTestPicture(noise: 8, width: 20, height: 10)
        )
        let look = try StyledLook.named("flip")
        #expect(try drawnFloats(look, progress: 0, from: a, to: b) == a)
        #expect(try drawnFloats(look, progress: 1, from: a, to: b) == b)
    }
}

/// Memory was written that was not lent for writing.
private struct MemoryError: Error {
    let description: String
}

/// The frame that is drawn between two pictures, with guards around all memory that is lent.
func drawnFloats(
    _ look: StyledLook, progress: Double, from: FloatTestPicture, to: FloatTestPicture, background: Color = .black,
    threads: Int = 1, channels: Int = 4, isPremultiplied: Bool = true
) throws -> FloatTestPicture {
    let (width, height) = (from.width, from.height)
    // Odd numbers of samples before and between the rows: pixels aren't aligned.
    let (stride, margin) = (width * channels + 7, 9)
    let mark: Float = -77
    func lent(_ picture: FloatTestPicture?) -> [Float] {
        var samples = [Float](repeating: mark, count: 2 * margin + stride * height)
        guard let picture else { return samples }
        for y in 0..<height {
            for x in 0..<width {
                for c in 0..<channels { samples[margin + y * stride + x * channels + c] = Float(picture[x, y, c]) }
            }
        }
        return samples
    }
    let renderer = FloatRenderer(width: width, height: height, threads: threads)
    renderer.background = background
    var (first, second, target) = (lent(from), lent(to), lent(nil))
    let before = [first, second]
    first.withUnsafeMutableBytes { first in
        second.withUnsafeMutableBytes { second in
            target.withUnsafeMutableBytes { target in
                let views = [first, second, target].map {
                    FloatPicture(
                        PlaneView(
                            base: $0.baseAddress! + 4 * margin, stride: 4 * stride, width: width, height: height),
                        channels: channels, isPremultiplied: isPremultiplied)
                }
                renderer.render(look, progress: progress, from: views[0], to: views[1], into: views[2])
            }
        }
    }
    guard [first, second] == before else { throw MemoryError(description: "a picture was written to") }
    let isIntact = target.indices.allSatisfy { index in
        let (row, sample) = (index - margin).quotientAndRemainder(dividingBy: stride)
        let isInside = index >= margin && row < height && sample < width * channels
        return isInside || target[index] == mark
    }
    guard isIntact else { throw MemoryError(description: "samples outside the frame were written") }
    return FloatTestPicture(width: width, height: height) { x, y, c in
        c < channels ? target[margin + y * stride + x * channels + c] : 1
    }
}

import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Frames of floats with perspective are those of the reference renderer, whatever the samples and their alpha are.
@Suite struct FloatPerspectiveTests {
    /// The styles with sheets in space, which take turns.
    private static let styles = Places.some(
        Styles.all.map(\.name).filter { !["wipe", "dissolve", "dip"].contains($0) }, every: 3)

    /// The differences from the reference in some frames of a style, sorted. Opaque pictures and such with alpha are judged,
    /// except that the reference doesn't know how the light on a curl shows on what is transparent.
    private func errors(_ style: String, _ pattern: Pattern, samplesPerAxis: Int) throws -> [Double] {
        var errors: [Double] = []
        for hasAlpha in style == "curl" ? [false] : [false, true] {
            for seed in 0..<3 {
                let example = try FloatCase(style, pattern, seed: 100 + UInt64(seed), hasAlpha: hasAlpha)
                let expected = example.reference(samplesPerAxis: samplesPerAxis)
                for isPremultiplied in hasAlpha ? [true, false] : [true] {
                    errors += try example.errors(expected, isPremultiplied: isPremultiplied)
                }
            }
        }
        return errors.sorted()
    }

    /// Between smooth pictures the bounds are those of deep integers: nine samples of ten are right to a twentieth of a level
    /// of 8 bits, and all in the mean to a fiftieth. The worst ones are on slanted edges, as `Closeness` says.
    @Test(arguments: styles) func smoothPicturesAreExact(style: String) throws {
        let errors = try errors(style, .smooth, samplesPerAxis: 24)
        // The pictures' values span twice as much as those of integers, and so do errors of tables of weights.
        let level = 1.0 / 255
        let bound = style == "curl" ? 2 * level : level
        #expect(errors[errors.count * 9 / 10] <= bound / 20)
        #expect(errors.reduce(0, +) / Double(errors.count) <= bound / 50)
        #expect((errors.last ?? 0) <= 2 * level * Closeness.worst)
    }

    /// Between pictures of noise, every sample is a mean over hard edges, which are off by up to 3 % of their contrast
    /// (docs/LIBRARY.md, "How exact frames are"). The contrast of two even distributions over a span of 2 is the root of 2/3
    /// in the quadratic mean.
    @Test(arguments: styles) func edgesAreWithinThreePercent(style: String) throws {
        let errors = try errors(style, .noise, samplesPerAxis: 16)
        let error = (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
        #expect(error <= 0.03 * (2.0 / 3).squareRoot())
    }
}

/// A frame with perspective between two pictures of floats, and what the reference makes of it.
///
/// The reference draws integers of 16 bits, of which each plane is a channel here: `unit` codes are 1, and `zero` is 0, so
/// samples are in -0.5..<1.5. Colors are multiplied by alpha.
private struct FloatCase {
    let random: RandomCase
    let styled: StyledLook
    let from: [TestPicture]
    let to: [TestPicture]
    let background: Color

    private static let format = PictureFormat(components: .gbr, depth: 16, isFullRange: true)
    private static let unit = 32768.0
    private static let zero = 16384.0

    init(_ style: String, _ pattern: Pattern, seed: UInt64, hasAlpha: Bool) throws {
        let style = try Styles.named(style)
        var random = RandomCase(style: style, seed: seed)
        (random.pattern, random.format) = (pattern, FloatCase.format)
        if random.look.perspective == 0 { random.look.perspective = style.defaults.perspective }
        self.random = random
        styled = try StyledLook(style: style, look: random.look)
        let color = random.background
        background = Color(red: color.red, green: color.green, blue: color.blue, alpha: hasAlpha ? 0.625 : 1)
        func picture(_ seed: UInt64) -> [TestPicture] {
            var colors = pattern.picture(FloatCase.format, width: random.width, height: random.height, seed: seed)
            var alphas = pattern.picture(FloatCase.format, width: random.width, height: random.height, seed: seed + 5)
            for index in alphas.planes[0].indices {
                // Some of the picture is opaque, and some of it transparent.
                let part = min(max(Double(alphas.planes[0][index]) / 32768 - 0.5, 0), 1)
                let alpha = hasAlpha ? (part * FloatCase.unit).rounded() / FloatCase.unit : 1
                for plane in 0..<3 {
                    let value = (Double(colors.planes[plane][index]) - FloatCase.zero) * alpha + FloatCase.zero
                    colors.planes[plane][index] = UInt16(value.rounded())
                    alphas.planes[plane][index] = UInt16(alpha * FloatCase.unit + FloatCase.zero)
                }
            }
            return [colors, alphas]
        }
        (from, to) = (picture(seed &* 7), picture(seed &* 7 &+ 1))
    }

    /// The value of a channel whose encoded value this color's is.
    private static func shifted(_ color: Color, alpha: Double) -> Color {
        func code(_ part: Double) -> Double { (part * alpha * unit + zero) / 65535 }
        return Color(red: code(color.red), green: code(color.green), blue: code(color.blue))
    }

    private func reference(_ picture: Int, _ look: Look, _ background: Color, _ samplesPerAxis: Int) -> [[Double]] {
        let one = Color(red: 1, green: 1, blue: 1)
        let frame = Reference.render(
            style: random.style, look: look, background: FloatCase.shifted(background, alpha: self.background.alpha),
            progress: random.progress, from: from[picture], to: to[picture], samplesPerAxis: samplesPerAxis,
            gloss: FloatCase.shifted(one, alpha: 1))
        return [2, 0, 1].map { plane in
            frame.planes[plane].map { (Double($0) - FloatCase.zero) / FloatCase.unit }
        }
    }

    /// The frame's samples, four a pixel.
    func reference(samplesPerAxis: Int) -> [Double] {
        var look = random.look
        look.paper = FloatCase.shifted(look.paper, alpha: 1)
        look.shadowColor = FloatCase.shifted(look.shadowColor, alpha: 1)
        var result = [Double](repeating: 1, count: 4 * random.width * random.height)
        if background.alpha == 1 {
            for (channel, plane) in reference(0, look, background, samplesPerAxis).enumerated() {
                for (index, sample) in plane.enumerated() { result[4 * index + channel] = sample }
            }
            return result
        }
        // A shadow covers what is seen in proportion to its alpha, which it doesn't change: by as much as it takes away of
        // an alpha that turns into nothing in the shadow.
        look.shadowColor = FloatCase.shifted(.black, alpha: 1)
        let one = Color(red: 1, green: 1, blue: 1)
        let colors = reference(0, look, background, samplesPerAxis)
        let shaded = reference(1, look, one, samplesPerAxis)
        look.shadowStrength = 0
        let alphas = reference(1, look, one, samplesPerAxis)
        let shadow = random.look.shadowColor
        for index in alphas[0].indices {
            for (channel, part) in [shadow.red, shadow.green, shadow.blue].enumerated() {
                result[4 * index + channel] =
                    colors[channel][index] + part * (alphas[channel][index] - shaded[channel][index])
            }
            result[4 * index + 3] = alphas[0][index]
        }
        return result
    }

    /// The differences between the frame that is drawn and `expected`, where colors are multiplied by alpha.
    func errors(_ expected: [Double], isPremultiplied: Bool) throws -> [Double] {
        func picture(_ parts: [TestPicture]) -> FloatTestPicture {
            FloatTestPicture(width: random.width, height: random.height) { x, y, channel in
                let alpha = (Double(parts[1][plane: 0, x: x, y: y]) - FloatCase.zero) / FloatCase.unit
                if channel == 3 { return Float(alpha) }
                let color = (Double(parts[0][plane: [2, 0, 1][channel], x: x, y: y]) - FloatCase.zero) / FloatCase.unit
                return Float(isPremultiplied ? color : alpha == 0 ? 0 : color / alpha)
            }
        }
        let frame = try drawnFloats(
            styled, progress: random.progress, from: picture(from), to: picture(to), background: background,
            isPremultiplied: isPremultiplied)
        return expected.indices.map { index in
            let sample = Double(frame.samples[index])
            let alpha = isPremultiplied || index % 4 == 3 ? 1 : Double(frame.samples[index / 4 * 4 + 3])
            return abs(sample * alpha - expected[index])
        }
    }
}

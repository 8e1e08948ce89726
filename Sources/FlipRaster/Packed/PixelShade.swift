/// Shades rows of packed pixels: each color as `Wide.shade` does, while alpha stays.
final class PixelShade {
    /// The length in samples of the pattern that `keep` and `bias` repeat: a whole number of pixels.
    private static let count = 256

    private let keep = Scratch<UInt16>()
    private let bias = Scratch<UInt16>()
    private var shade = -1.0
    private var shadow: EncodedColor?

    init() {
        keep.reserve(PixelShade.count)
        bias.reserve(PixelShade.count)
    }

    /// Prepares for the shade `a`, 0...1, of the color `shadow`.
    func plan(_ a: Double, shadow: EncodedColor) {
        if a == shade, self.shadow == shadow { return }
        (shade, self.shadow) = (a, shadow)
        for sample in 0..<PixelShade.count {
            let plane = PackedView.planes[sample % PackedView.pixelBytes]
            let isAlpha = plane == 3
            keep.start[sample] = isAlpha ? Wide.one : Wide.keep(shade: a)
            bias.start[sample] = isAlpha ? 0 : Wide.tint(shadow[plane: plane], shade: a)
        }
    }

    /// Shades `count` pixels.
    func draw(_ source: UnsafeRawPointer, into target: UnsafeMutableRawPointer, count: Int) {
        let (keep, bias) = (keep.start, bias.start)
        let samples = count * PackedView.pixelBytes
        var start = 0
        while start < samples {
            let from = (source + start).assumingMemoryBound(to: UInt8.self)
            let to = (target + start).assumingMemoryBound(to: UInt8.self)
            for x in 0..<min(PixelShade.count, samples - start) {
                to[x] = UInt8(truncatingIfNeeded: (Wide.scale(UInt16(from[x]) &<< 8, keep[x]) &+ bias[x] &+ 128) &>> 8)
            }
            start += PixelShade.count
        }
    }
}

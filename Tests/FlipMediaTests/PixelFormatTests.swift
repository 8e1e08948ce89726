import FlipMedia
import Testing

@Suite struct PixelFormatTests {
    /// The formats that are described without asking libav are those that libav has.
    @Test(arguments: [
        PixelFormat.rgb24, .planarRGB(depth: 8), .planarRGB(depth: 16), .planarRGB(depth: 8, hasAlpha: true),
        .planarRGB(depth: 16, hasAlpha: true),
    ])
    func isAsLibavHasIt(_ format: PixelFormat) { #expect(PixelFormat(name: format.name) == format) }
}

import FlipMedia
import Testing

@Suite struct ColorDescriptionTests {
    /// A missing range is equivalent to limited range: FFmpeg 7 writes limited range into Matroska, but nothing into
    /// MP4 for the same packets.
    @Test func noRangeIsTheLimitedOne() throws {
        let yuv = try #require(PixelFormat(name: "yuv420p"))
        let rgb = try #require(PixelFormat(name: "gbrp"))
        let silent = ColorDescription(matrix: "bt709")
        let limited = ColorDescription(matrix: "bt709", isFullRange: false)
        let full = ColorDescription(matrix: "bt709", isFullRange: true)
        #expect(silent.agrees(with: limited, for: yuv) && limited.agrees(with: silent, for: yuv))
        #expect(!silent.agrees(with: full, for: yuv) && !full.agrees(with: limited, for: yuv))
        #expect(silent.agrees(with: full, for: rgb))
        #expect(!limited.agrees(with: ColorDescription(matrix: "smpte170m", isFullRange: false), for: yuv))
        #expect(!limited.agrees(with: ColorDescription(primaries: "bt2020", matrix: "bt709"), for: yuv))
    }
}

import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// An overlap of a lossless join: the pictures that it shows, and its style.
struct Overlap {
    var style: String
    var look: Look
    var background = Color.black
    /// The index of the output frame that the overlap starts with.
    var start: Int
    /// The outgoing and the incoming picture of each frame of the overlap.
    var pictures: [(from: TestPicture, to: TestPicture)]

    var count: Int { pictures.count }
}

/// How close a frame of an overlap must be to the reference renderer's.
struct Nearness {
    /// The least PSNR, in dB.
    var psnr: Double
    /// The fraction of samples, 0...1, that may be off by more than 12 of 255.
    var outliers: Double

    /// The bounds for real clips.
    static let real = Nearness(psnr: 44, outliers: 0.005)
    /// The bounds for synthetic patterns, which are all hard edges.
    static let pattern = Nearness(psnr: 40, outliers: 0.02)
}

extension CommandTests {
    /// A file's frames as pictures in its own pixel format.
    static func pictures(_ path: String, range: Range<Int>? = nil) throws -> [TestPicture] {
        let video = try Judge.video(path)
        return try Judge.pictures(
            path, pixelFormat: video.pixelFormat, width: video.width, height: video.height, range: range)
    }

    /// Returns a look, given by words `name=value` (or `name` for a flag), and its command-line arguments.
    static func look(_ style: String, _ words: [String]) throws -> (arguments: [String], look: Look) {
        var look = try Styles.named(style).defaults
        var arguments = ["--style", style]
        for word in words {
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            try #require(LookOption(rawValue: parts[0])).set(&look, to: parts.count > 1 ? parts[1] : "true")
            arguments += ["--" + parts[0]] + parts.dropFirst()
        }
        return (arguments, look)
    }

    /// Checks each frame of `overlap` in `output` against the reference renderer.
    static func expect(
        _ overlap: Overlap, in output: [TestPicture], within nearness: Nearness, samplesPerAxis: Int = 16,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        for (index, pair) in overlap.pictures.enumerated() {
            let reference = Reference.render(
                style: overlap.style, look: overlap.look, background: overlap.background,
                progress: progress(overlap.look, index, of: overlap.count), from: pair.from, to: pair.to,
                samplesPerAxis: samplesPerAxis)
            let difference = PictureDifference(output[overlap.start + index], reference)
            let outliers = difference.fraction(above: 12 * (pair.from.peak + 1) / 256)
            #expect(
                difference.psnr >= nearness.psnr && outliers < nearness.outliers,
                "\(overlap.style) frame \(index) of \(overlap.count): \(difference), \(outliers * 100) % off by more than 12",
                sourceLocation: sourceLocation)
        }
    }
}

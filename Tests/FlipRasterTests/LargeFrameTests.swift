import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Frames with many tiles (256 columns each), many runs of rows between rebases (128 rows each) and many jobs. Only
/// strips are compared with the reference, which would take minutes for a whole frame.
@Suite struct LargeFrameTests {
    private struct Frame: CustomTestStringConvertible, Sendable {
        let style: String
        let orientation: Orientation
        let progress: Double
        let format: PictureFormat
        var pattern = Pattern.smooth

        var testDescription: String { "\(style) \(orientation) p=\(progress) \(format.depth) bits \(pattern)" }
    }

    private static let yuv = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2)
    private static let deep = PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 2)
    private static let gray = PictureFormat(components: .gray, depth: 16, isFullRange: true)

    @Test(arguments: [
        Frame(style: "flip", orientation: .horizontal, progress: 0.31, format: yuv),
        Frame(style: "flip", orientation: .vertical, progress: 0.8, format: gray),
        Frame(style: "card", orientation: .horizontal, progress: 0.43, format: gray),
        Frame(style: "card", orientation: .vertical, progress: 0.2, format: yuv),
        Frame(style: "fold", orientation: .vertical, progress: 0.6, format: deep),
        Frame(style: "unfold", orientation: .horizontal, progress: 0.35, format: gray, pattern: .natural),
        Frame(style: "spine-fold", orientation: .horizontal, progress: 0.3, format: deep),
    ])
    private func agreesWithTheReference(frame: Frame) throws {
        let (width, height) = (1920, 1080)
        let from = frame.pattern.picture(frame.format, width: width, height: height, seed: 1)
        let to = frame.pattern.picture(frame.format, width: width, height: height, seed: 2)
        let look = try StyledLook.named(frame.style) {
            $0.orientation = frame.orientation
            $0.viewpoint = Viewpoint(x: 0.45, y: 0.6)
        }
        let picture = try drawn(look, progress: frame.progress, from: from, to: to, threads: 2)
        // A horizontal strip across all tiles around a rebase, and a vertical one down all rows between two tiles.
        for (columns, rows) in [(0..<width, 252..<260), (1276..<1284, 0..<height)] {
            let reference = Reference.render(
                style: frame.style, look: look.look, progress: frame.progress, from: from, to: to, samplesPerAxis: 10,
                part: (columns, rows))
            let difference = PictureDifference(
                picture.cropped(columns: columns, rows: rows), reference.cropped(columns: columns, rows: rows))
            let level = Double(1 << (frame.format.depth - 8))
            #expect(difference.psnr >= 62, "\(columns) \(rows): \(difference)")
            #expect(abs(difference.bias) <= 0.02 * level, "\(columns) \(rows): \(difference)")
            Closeness.expect(difference, depth: frame.format.depth, "\(columns) \(rows)")
        }
    }
}

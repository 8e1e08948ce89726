import FlipBase
import FlipRaster

/// How pictures lie in memory, what their samples mean, and their size.
public struct FrameFormat: Sendable, Hashable {
    /// Which part of their values the samples of Y'CbCr and gray use (ITU-T H.273, 8.3).
    public enum SampleRange: String, Sendable, Hashable, CaseIterable {
        /// In 8 bits 16...235, and chroma 16...240.
        case limited
        /// All values.
        case full
    }

    /// The weights of R', G' and B' in Y' (ITU-T H.273, table 4).
    public enum Matrix: String, Sendable, Hashable, CaseIterable {
        case bt601, bt709, bt2020
    }

    /// How light is encoded, as far as it decides which value is that of paper in full light: all values in SDR, and what
    /// ITU-R BT.2408 calls diffuse white in HDR.
    public enum Transfer: String, Sendable, Hashable, CaseIterable {
        case sdr
        /// The perceptual quantizer (SMPTE ST 2084).
        case pq
        /// Hybrid log-gamma (ARIB STD-B67).
        case hlg
    }

    /// Where a subsampled chroma sample lies within the luma pixels that it stands for (ITU-T H.264, figure E-1).
    public enum ChromaLocation: String, Sendable, Hashable, CaseIterable {
        case left, center
        case topLeft = "topleft"
        case top
        case bottomLeft = "bottomleft"
        case bottom
    }

    /// What one plane of a picture in memory holds.
    public struct Plane: Sendable, Hashable {
        /// The number of rows.
        public let rows: Int
        /// The number of places in a row, each of which has a sample of every component of the plane.
        public let columns: Int
        /// The number of components whose samples take turns in a row: 3 for rgb24, 2 for the chroma of nv12, and 1 where
        /// a component has a plane of its own. Padding, as that of rgb0, counts as a component.
        public let components: Int
        /// The bytes in a row, without padding.
        public let rowBytes: Int
    }

    /// FFmpeg's name of the pixel format, such as `bgra` or `yuv420p10le`.
    public let pixelFormat: String
    /// The width in pixels, 1...16384.
    public let width: Int
    /// The height in pixels, 1...16384.
    public let height: Int
    /// The layout of this name: looking it up takes longer than small pictures do.
    private let named: PixelLayout
    /// The range of samples; limited for Y'CbCr and gray, full for R'G'B', where it has no other meaning.
    public var range: SampleRange
    /// The matrix by which the colors of shadows and of the background become Y'CbCr.
    public var matrix = Matrix.bt709
    /// How light is encoded, which matters for the paper and the highlights of bent pages.
    public var transfer = Transfer.sdr
    /// Where chroma samples lie; it means something only for subsampled chroma.
    public var chromaLocation = ChromaLocation.left

    /// FFmpeg's names of the pixel formats that are drawn; those of more than 8 bits without the byte order, which is the
    /// machine's.
    public static let pixelFormats = PixelLayout.names

    /// Whether the pixel format that FFmpeg calls `name` is drawn.
    public static func supports(_ name: String) -> Bool { PixelLayout(named: name) != nil }

    /// The format of pictures of `width` x `height` pixels, 1...16384 each, in the pixel format that FFmpeg calls
    /// `pixelFormat`. Throws `FrameError` of kind `unsupportedFormat`.
    public init(_ pixelFormat: String, width: Int, height: Int) throws(FrameError) {
        guard let layout = PixelLayout(named: pixelFormat) else {
            throw FrameError(
                .unsupportedFormat,
                "pixel format '\(pixelFormat)' is not drawn (expected one such as yuv420p, yuv422p10le, nv12, gray, "
                    + "rgb24 or bgra)")
        }
        try FrameFormat.checkSize(width, height)
        (self.pixelFormat, self.width, self.height) = (pixelFormat, width, height)
        named = layout
        range = layout.format.isFullRange ? .full : .limited
    }

    /// Throws if pictures of this size can't be drawn.
    static func checkSize(_ width: Int, _ height: Int) throws(FrameError) {
        let sides = TransitionRenderer.sides
        guard sides.contains(width), sides.contains(height) else {
            throw FrameError(.unsupportedFormat, "invalid size \(width)x\(height) (expected \(sides) pixels a side)")
        }
    }

    /// The planes of a picture in memory, in order: one for packed formats, two for nv12, three for yuv420p, and a fourth
    /// for alpha in planar formats.
    public var planes: [Plane] {
        named.memory.indices.map { index in
            let size = named.planeSize(index, width: width, height: height)
            return Plane(
                rows: size.height, columns: size.width, components: named.memory[index].count,
                rowBytes: named.rowBytes(index, width: width))
        }
    }

    /// The bytes of a sample, 1 or 2; samples of 2 bytes are in the machine's byte order, at even addresses.
    public var bytesPerSample: Int { named.format.bytesPerSample }

    /// Whether pictures have alpha. It is straight: colors are not multiplied by it.
    public var hasAlpha: Bool { named.format.hasAlpha }

    /// The layout that the rasterizer draws.
    var layout: PixelLayout {
        var layout = named
        layout.format.isFullRange = range == .full
        layout.format.matrix =
            switch matrix {
            case .bt601: .bt601
            case .bt709: .bt709
            case .bt2020: .bt2020
            }
        layout.format.light =
            switch transfer {
            case .sdr: .sdr
            case .pq: .pq
            case .hlg: .hlg
            }
        layout.format.chromaLocation =
            switch chromaLocation {
            case .left: .left
            case .center: .center
            case .topLeft: .topLeft
            case .top: .top
            case .bottomLeft: .bottomLeft
            case .bottom: .bottom
            }
        return layout
    }
}

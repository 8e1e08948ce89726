import FlipClip

/// A picture of the frame's components in full resolution, with how much of the frame each of its pixels covers.
struct OverlayRaster {
    /// Where its upper left corner lies in the frame: at a whole number of chroma samples.
    let x: Int
    let y: Int
    let width: Int
    let height: Int
    /// The samples of each plane but alpha, row by row, in the frame's depth. They are not premultiplied.
    let samples: [[UInt16]]
    /// How much each pixel covers, from 0 to `OverlayPicture.opaque`.
    let cover: [UInt16]
}

/// A picture in the planes of the frames that it is drawn over. Each sample has its own cover, so that drawing is one
/// weighted mean for each sample.
struct OverlayPicture: Sendable {
    /// The cover that hides what is behind.
    static let opaque: UInt16 = .max

    struct Plane: Sendable {
        /// Where it lies in the frame's plane, in samples.
        let x: Int
        let y: Int
        let width: Int
        let height: Int
        let samples: [UInt16]
        let cover: [UInt16]
    }

    /// The planes but alpha, in libav's order.
    let planes: [Plane]
    /// The cover of whole pixels.
    var cover: Plane { planes[0] }

    /// - Parameters:
    ///   - format: the frame's format.
    ///   - frame: the frame's size.
    init(_ raster: OverlayRaster, _ format: PixelFormat, frame: (width: Int, height: Int)) {
        planes = raster.samples.indices.map { index in
            let isChroma = format.components == .yuv && index > 0 && format.isSubsampled
            return isChroma
                ? Self.reduced(raster, index, format, frame)
                : Plane(
                    x: raster.x, y: raster.y, width: raster.width, height: raster.height,
                    samples: raster.samples[index], cover: raster.cover)
        }
    }

    /// Chroma plane `index` of `raster`, whose samples are means over the pixels that they stand for. The cover is the
    /// mean of the pixels' covers, and the color the mean of their colors weighted by these, so that colors of pixels
    /// that aren't seen don't matter.
    private static func reduced(
        _ raster: OverlayRaster, _ index: Int, _ format: PixelFormat, _ frame: (width: Int, height: Int)
    ) -> Plane {
        let (stepX, stepY) = (format.chromaStepX, format.chromaStepY)
        let width = (raster.width + stepX - 1) / stepX
        let height = (raster.height + stepY - 1) / stepY
        let middle = UInt16(1 << (format.depth - 1))
        var samples = [UInt16](repeating: middle, count: width * height)
        var cover = [UInt16](repeating: 0, count: width * height)
        for row in 0..<height {
            let rows = row * stepY..<min((row + 1) * stepY, raster.height)
            for column in 0..<width {
                let columns = column * stepX..<min((column + 1) * stepX, raster.width)
                var (covers, colors) = (UInt64(0), UInt64(0))
                for y in rows {
                    for x in columns {
                        let weight = UInt64(raster.cover[y * raster.width + x])
                        covers += weight
                        colors += weight * UInt64(raster.samples[index][y * raster.width + x])
                    }
                }
                guard covers > 0 else { continue }
                // What lies outside of the picture isn't covered; what lies outside of the frame isn't seen.
                let right = min(raster.x + (column + 1) * stepX, frame.width) - raster.x - column * stepX
                let bottom = min(raster.y + (row + 1) * stepY, frame.height) - raster.y - row * stepY
                let pixels = UInt64(max(right, 1) * max(bottom, 1))
                samples[row * width + column] = UInt16((colors + covers / 2) / covers)
                cover[row * width + column] = UInt16(min((covers + pixels / 2) / pixels, UInt64(opaque)))
            }
        }
        return Plane(
            x: raster.x / stepX, y: raster.y / stepY, width: width, height: height, samples: samples, cover: cover)
    }
}

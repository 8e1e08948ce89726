import FlipGeometry
import FlipRaster

/// A picture of the frame's components in full resolution, with how much of the frame each of its pixels covers.
package struct OverlayRaster {
    /// Where its upper left corner lies in the frame, in pixels.
    package let x: Int
    package let y: Int
    package let width: Int
    package let height: Int
    /// The samples of each plane but alpha, row by row, in the frame's depth. They are not premultiplied.
    package let samples: [[UInt16]]
    /// How much each pixel covers, from 0 to `OverlayPicture.opaque`.
    package let cover: [UInt16]

    package init(x: Int, y: Int, width: Int, height: Int, samples: [[UInt16]], cover: [UInt16]) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        (self.samples, self.cover) = (samples, cover)
    }
}

/// A picture in the planes of the frames that it is drawn over. Each sample has its own cover, so that drawing is one
/// weighted mean for each sample.
package struct OverlayPicture: Sendable {
    /// The cover that hides what is behind.
    package static let opaque: UInt16 = .max

    package struct Plane: Sendable {
        /// Where it lies in the frame's plane, in samples.
        package let x: Int
        package let y: Int
        package let width: Int
        package let height: Int
        package let samples: [UInt16]
        package let cover: [UInt16]
    }

    /// The planes but alpha, in libav's order.
    package let planes: [Plane]
    /// The cover of whole pixels.
    package var cover: Plane { planes[0] }

    /// - Parameters:
    ///   - format: the frame's format.
    ///   - frame: the frame's size.
    package init(_ raster: OverlayRaster, _ format: PictureFormat, frame: (width: Int, height: Int)) {
        planes = raster.samples.indices.map { index in
            format.isChroma(plane: index) && format.chromaStepX * format.chromaStepY > 1
                ? Self.reduced(raster, index, format, frame)
                : Plane(
                    x: raster.x, y: raster.y, width: raster.width, height: raster.height,
                    samples: raster.samples[index], cover: raster.cover)
        }
    }

    /// Chroma plane `index` of `raster`, whose samples are means over their footprints in the frame (EFFECTS 1). The
    /// cover is the mean of the pixels' covers, and the color the mean of their colors weighted by these, so that colors
    /// of pixels that aren't seen don't matter.
    private static func reduced(
        _ raster: OverlayRaster, _ index: Int, _ format: PictureFormat, _ frame: (width: Int, height: Int)
    ) -> Plane {
        let columns = ChromaTaps.list(
            .horizontal, format, extent: frame.width, within: raster.x..<raster.x + raster.width)
        let rows = ChromaTaps.list(.vertical, format, extent: frame.height, within: raster.y..<raster.y + raster.height)
        let middle = UInt16(1 << (format.depth - 1))
        let count = columns.taps.count
        var samples = [UInt16](repeating: middle, count: count * rows.taps.count)
        var cover = [UInt16](repeating: 0, count: count * rows.taps.count)
        for (row, vertical) in rows.taps.enumerated() {
            for (column, horizontal) in columns.taps.enumerated() {
                var (covers, colors) = (UInt64(0), UInt64(0))
                for y in vertical.pixels {
                    for x in horizontal.pixels where raster.contains(x, y) {
                        let place = (y - raster.y) * raster.width + x - raster.x
                        let weight = UInt64(raster.cover[place]) * UInt64(vertical[y] * horizontal[x])
                        covers += weight
                        colors += weight * UInt64(raster.samples[index][place])
                    }
                }
                guard covers > 0 else { continue }
                // What lies outside of the picture isn't covered; what lies outside of the frame isn't seen.
                let whole = UInt64(vertical.total * horizontal.total)
                samples[row * count + column] = UInt16((colors + covers / 2) / covers)
                cover[row * count + column] = UInt16(min((covers + whole / 2) / whole, UInt64(opaque)))
            }
        }
        return Plane(
            x: columns.first, y: rows.first, width: count, height: rows.taps.count, samples: samples, cover: cover)
    }
}

extension OverlayRaster {
    fileprivate func contains(_ column: Int, _ row: Int) -> Bool {
        x <= column && column < x + width && y <= row && row < y + height
    }
}

/// The pixels along one axis that a chroma sample is the mean of, by half pixels: samples that are sited on a pixel see
/// half of each of their outermost ones.
struct ChromaTaps {
    /// The footprint of the sample, in half pixels.
    private let halves: Range<Int>

    /// The taps of the samples whose footprints touch the pixels `part`, and the number of the first of them.
    static func list(
        _ axis: Orientation, _ format: PictureFormat, extent: Int, within part: Range<Int>
    ) -> (first: Int, taps: [ChromaTaps]) {
        let grid = Grid(axis, plane: 1, format: format, extent: extent)
        let range = grid.footprints(touching: Double(part.lowerBound), Double(part.upperBound))
        let taps = range.map { index in
            let (lower, upper) = grid.footprint(index)
            return ChromaTaps(halves: Int((lower * 2).rounded())..<Int((upper * 2).rounded()))
        }
        return (range.lowerBound, taps)
    }

    private init(halves: Range<Int>) { self.halves = halves }

    /// The pixels of the frame that the footprint touches.
    var pixels: Range<Int> { halves.lowerBound / 2..<(halves.upperBound + 1) / 2 }
    /// The sum of the pixels' weights.
    var total: Int { halves.count }
    /// The weight of pixel `index`, which is one of `pixels`.
    subscript(index: Int) -> Int { halves.clamped(to: 2 * index..<2 * index + 2).count }
}

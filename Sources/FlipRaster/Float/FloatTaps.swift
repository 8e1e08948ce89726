import FlipGeometry

/// The pixels of a picture that slices of one sheet average along the motion, and their weights in the light.
final class FloatTaps {
    /// Where one slice's weights are.
    private struct Row {
        let first: Int
        let count: Int
        let place: Int
        let constant: FloatPixel
        let isTinted: Bool
    }

    private var rows: [Row] = []
    private var weights: [FloatPixel] = []
    private var tints: [FloatPixel] = []

    /// Prepares for `slices` of a sheet.
    func plan(
        _ slices: UnsafeBufferPointer<Slice>, of projection: Projection, along: Grid, _ colors: FloatColors
    ) {
        rows.removeAll(keepingCapacity: true)
        weights.removeAll(keepingCapacity: true)
        tints.removeAll(keepingCapacity: true)
        let paper = projection.finish.paper
        for slice in slices {
            let extent = SliceTaps.Extent(slice, of: projection, grid: along)
            let place = weights.count
            var (constant, isTinted) = (FloatPixel.zero, false)
            SliceTaps(slice, extent, of: projection, grid: along).forEachLit { _, part, light in
                let light = FloatLight(light, paper: paper, part: part, colors)
                weights.append(light.weight)
                tints.append(light.tint)
                constant += light.constant
                isTinted = isTinted || light.isTinted
            }
            rows.append(
                Row(first: extent.first, count: extent.count, place: place, constant: constant, isTinted: isTinted))
        }
    }

    /// The picture's columns that `slices`, by their numbers, see.
    func segment(_ slices: Range<Int>) -> Range<Int> {
        var (first, end) = (Int.max, 0)
        for row in rows[slices] { (first, end) = (min(first, row.first), max(end, row.first + row.count)) }
        return first..<end
    }

    /// Averages a row of a picture for `slices` (motion along x): the mean of number i goes to `means[i * stride]`.
    /// `pixels` begins with the picture's pixel `start`.
    func average(
        _ pixels: UnsafeRawPointer, from start: Int, slices: Range<Int>, into means: UnsafeMutablePointer<FloatPixel>,
        stride: Int
    ) {
        rows.withUnsafeBufferPointer { rows in
            weights.withUnsafeBufferPointer { weights in
                tints.withUnsafeBufferPointer { tints in
                    var target = means
                    for index in slices {
                        let row = rows[index]
                        let from = row.first &- start
                        var sum = row.constant
                        for tap in 0..<row.count {
                            sum += FloatPixel.at(pixels, from &+ tap) * weights[row.place &+ tap]
                        }
                        if row.isTinted {
                            for tap in 0..<row.count {
                                sum += tints[row.place &+ tap] * FloatPixel.at(pixels, from &+ tap).w
                            }
                        }
                        target.pointee = sum
                        target += stride
                    }
                }
            }
        }
    }

    /// Averages the rows that the only slice sees (motion along y), in the columns of `segment`.
    func average(
        _ picture: FloatPicture, _ segment: Range<Int>, _ scratch: Scratch<FloatPixel>,
        into means: UnsafeMutablePointer<FloatPixel>
    ) {
        let row = rows[0]
        for tap in 0..<row.count {
            let pixels = picture.pixels(row.first + tap, segment, scratch)
            let (weight, tint) = (weights[row.place + tap], tints[row.place + tap])
            if tap == 0 {
                for x in 0..<segment.count { means[x] = FloatPixel.at(pixels, x) * weight + row.constant }
            } else {
                for x in 0..<segment.count { means[x] += FloatPixel.at(pixels, x) * weight }
            }
            if tint != .zero {
                for x in 0..<segment.count { means[x] += tint * FloatPixel.at(pixels, x).w }
            }
        }
    }
}

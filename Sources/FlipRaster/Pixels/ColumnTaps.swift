import FlipGeometry

/// Which samples of a picture's row each column of a tile averages along the motion, and with which weights.
final class ColumnTaps {
    /// The number of columns, padded to whole blocks by repeating the last one.
    private(set) var columns = 0
    /// Taps per column: as many as the widest column needs, rounded up to four, eight or a multiple of sixteen.
    private(set) var count = 0
    /// The number of samples that a row must have to be read in place.
    private(set) var shortestRow = 0

    /// The range of samples in a row that the columns read.
    private(set) var segment = 0..<0

    private let extents = Scratch<SliceTaps.Extent>()
    private let starts = Scratch<Int32>()
    private let weights = Scratch<Int16>()
    private let places = Scratch<Int32>()
    private let shuffles = Scratch<UInt8>()
    private let quadWeights = Scratch<Int16>()
    /// Whether any four columns from a multiple of four on have all of their samples in one window.
    private var hasQuads = false
    /// The light in each column.
    private let light = Scratch<Light>()
    private let bias = Scratch<Int32>()

    /// The bytes that are loaded at once for two or four columns.
    private static let window = 16

    /// Plans for `slices` of `projection` in rows with `depth` bits per sample.
    func plan(_ slices: UnsafeBufferPointer<Slice>, of projection: Projection, along: Grid, depth: Int) {
        var most = 1
        let extents = extents.reserve(slices.count)
        for (column, slice) in slices.enumerated() {
            extents[column] = SliceTaps.Extent(slice, of: projection, grid: along)
            most = max(most, extents[column].count)
        }
        let latest = begin(slices.count, taps: most, rowLength: along.count, depth: depth)
        for (column, slice) in slices.enumerated() {
            let taps = SliceTaps(slice, extents[column], of: projection, grid: along)
            let first = min(taps.extent.first, latest)
            starts.start[column] = Int32(first)
            let weights = weights.start + column * count
            var rounding = Averages.Weights()
            light.start[column] = taps.forEach { index, part in weights[index - first] = rounding.next(part) }
        }
        end(slices.count, rowLength: along.count, depth: depth)
    }

    /// Plans for the samples of `axis`, in rows with `depth` bits per sample.
    func plan(_ axis: AxisTaps, depth: Int) {
        let latest = begin(axis.count, taps: axis.taps, rowLength: axis.length, depth: depth)
        for column in 0..<axis.count {
            let first = min(axis.first[column], latest)
            starts.start[column] = Int32(first)
            (weights.start + column * count + axis.first[column] - first).update(
                from: axis.weights + column * axis.taps, count: axis.taps)
            light.start[column] = Light()
        }
        end(axis.count, rowLength: axis.length, depth: depth)
    }

    /// Makes room for `used` columns that average up to `most` samples of a row of `rowLength`.
    /// - Returns: the last sample with which a column may start. All taps of a column are read, even those with weight 0, so
    ///   none starts later, and its taps end within the row. A row that is too short for that is padded (`shortestRow`).
    private func begin(_ used: Int, taps most: Int, rowLength: Int, depth: Int) -> Int {
        columns = BoxFilter.padded(used)
        count = most <= 4 ? 4 : most <= 8 ? 8 : (most + 15) / 16 * 16
        shortestRow = max(count, ColumnTaps.window / (depth > 8 ? 2 : 1))
        starts.reserve(columns)
        weights.reserve(columns * count).update(repeating: 0, count: columns * count)
        light.reserve(columns)
        return max(rowLength - count, 0)
    }

    /// Completes the plan of `used` columns.
    private func end(_ used: Int, rowLength: Int, depth: Int) {
        let starts = starts.start
        for column in used..<columns {
            starts[column] = starts[used - 1]
            light.start[column] = light.start[used - 1]
            (weights.start + column * count).update(from: weights.start + (used - 1) * count, count: count)
        }
        let (first, last) = (Int(starts[0]), Int(starts[columns - 1]))
        segment = min(first, last)..<min(max(first, last) + count, rowLength)
        guard count == 4 else { return }
        let bytes = depth > 8 ? 2 : 1
        hasQuads = stride(from: 0, to: columns, by: 4).allSatisfy { column in
            let (first, last) = spread(column, 4)
            return (last + count - first) * bytes <= ColumnTaps.window
        }
        if hasQuads {
            planQuads(rowLength: rowLength, bytes: bytes)
        } else {
            planPairs(rowLength: rowLength, bytes: bytes)
        }
    }

    /// The least and the greatest of the starts of `number` columns from `column` on.
    private func spread(_ column: Int, _ number: Int) -> (first: Int, last: Int) {
        var (first, last) = (starts.start[column], starts.start[column])
        for column in (column + 1)..<(column + number) {
            (first, last) = (min(first, starts.start[column]), max(last, starts.start[column]))
        }
        return (Int(first), Int(last))
    }

    private func planQuads(rowLength: Int, bytes: Int) {
        let (places, shuffles) = (places.reserve(columns / 4), shuffles.reserve(columns * 8))
        let (quads, weights, starts) = (quadWeights.reserve(columns * 4), weights.start, starts.start)
        let last = max(rowLength * bytes - ColumnTaps.window, 0)
        for quad in 0..<(columns / 4) {
            let place = min(spread(4 * quad, 4).first * bytes, last)
            places[quad] = Int32(place)
            for column in 0..<4 {
                let start = Int(starts[4 * quad + column]) * bytes - place
                for tap in 0..<4 {
                    // See `Averages.Taps.shuffles`.
                    let index = quad / 2 * 32 + tap / 2 * 16 + quad % 2 * 8 + column * 2 + tap % 2
                    let byte = UInt8(start + tap * bytes)
                    shuffles[2 * index] = byte
                    shuffles[2 * index + 1] = bytes == 2 ? byte + 1 : 128
                    quads[index] = weights[(4 * quad + column) * 4 + tap]
                }
            }
        }
    }

    private func planPairs(rowLength: Int, bytes: Int) {
        let (places, shuffles) = (places.reserve(columns / 2), shuffles.reserve(columns * 8))
        let last = max(rowLength * bytes - ColumnTaps.window, 0)
        for pair in 0..<(columns / 2) {
            let (first, second) = (Int(starts.start[2 * pair]) * bytes, Int(starts.start[2 * pair + 1]) * bytes)
            let place = min(first, second, last)
            places[pair] = Int32(place)
            let shuffle = shuffles + pair * ColumnTaps.window
            for tap in 0..<8 {
                let byte = UInt8((tap < 4 ? first : second) + tap % 4 * bytes - place)
                shuffle[2 * tap] = byte
                shuffle[2 * tap + 1] = bytes == 2 ? byte + 1 : 128
            }
        }
    }

    /// The columns' taps in a plane with these colors of the light; valid until the next call.
    func taps(_ colors: LightColors = .black, depth: Int) -> Averages.Taps {
        let bias = bias.reserve(columns)
        for column in 0..<columns {
            bias[column] = Averages.bias(mixed: colors.mixed(light.start[column]), depth: depth)
        }
        return Averages.Taps(
            columns: columns, count: count, starts: starts.start, weights: weights.start, bias: bias,
            places: places.start, shuffles: shuffles.start, quads: count == 4 && hasQuads ? quadWeights.start : nil)
    }
}

import FlipGeometry

/// Where each column of a tile sees the texture across the motion, and which output rows the panel covers there.
package final class ColumnLines {
    /// The number of columns, padded to whole blocks.
    private var count = 0
    private var across = Grid(.vertical, plane: 0, format: PictureFormat(components: .gray), extent: 1)

    // At the upper edge of output row k, a column sees the texture at origin + slope * k, and the texture slides by
    // slideOrigin + slideSlope * k within the column's width; both in samples.
    private let origins = Scratch<Double>()
    private let slopes = Scratch<Double>()
    private let slideOrigins = Scratch<Double>()
    private let slideSlopes = Scratch<Double>()
    // The interval that the panel covers in each column, in luma pixels.
    private let tops = Scratch<Double>()
    private let bottoms = Scratch<Double>()

    /// The output rows that the panel covers completely in every column.
    private(set) var fullRows = 0..<0
    /// The output rows that the panel covers at least partly in any column.
    private(set) var touchedRows = 0..<0

    // The start and the length of each column's interval in the row of the last rebase, in samples.
    private let starts = Scratch<Double>()
    private let lengths = Scratch<Double>()
    private let blocks = Scratch<BoxFilter.Block>()
    private let kernels: KernelTable
    /// The row of the last rebase.
    private var baseRow = 0
    /// The first row whose footprint isn't clipped, and the first one after it that is.
    private var firstWholeRow = 0
    private var clippedRow = 0
    /// The row after the last band; `Int.min` if there is none.
    private var nextRow = Int.min

    init(_ kernels: KernelTable) { self.kernels = kernels }

    // MARK: Planning

    func plan(_ slices: UnsafeBufferPointer<Slice>, of projection: Projection, across: Grid) {
        self.across = across
        count = BoxFilter.padded(slices.count)
        for scratch in [origins, slopes, slideOrigins, slideSlopes, tops, bottoms, starts, lengths] {
            scratch.reserve(count)
        }
        blocks.reserve(count / BoxFilter.lanes)
        var top = (least: Double.infinity, most: -Double.infinity)
        var bottom = top
        for (column, slice) in slices.enumerated() {
            let extent = plan(slice, column: column, of: projection)
            top = (min(top.least, extent.lower), max(top.most, extent.lower))
            bottom = (min(bottom.least, extent.upper), max(bottom.most, extent.upper))
        }
        for scratch in [origins, slopes, slideOrigins, slideSlopes] {
            let last = scratch.start + slices.count - 1
            (last + 1).update(repeating: last.pointee, count: count - slices.count)
        }
        firstWholeRow = across.isClipped(0) ? 1 : 0
        clippedRow = across.isClipped(across.count - 1) ? across.count - 1 : across.count
        touchedRows = across.footprints(touching: top.least, bottom.most)
        fullRows = across.footprints(inside: top.most, bottom.least)
        nextRow = .min
    }

    /// Plans one column; returns the interval that the panel covers in it, in luma pixels.
    private func plan(_ slice: Slice, column: Int, of projection: Projection) -> (lower: Double, upper: Double) {
        let texture = projection.texture((slice.lower + slice.upper) / 2)
        let line = projection.across(texture: texture)
        let near = projection.across(texture: projection.texture(slice.lower))
        let far = projection.across(texture: projection.texture(slice.upper))
        let (origin, pitch) = (across.origin, across.pitch)
        origins.start[column] = (line.constant + line.slope * origin - origin) / pitch
        slopes.start[column] = line.slope
        slideOrigins.start[column] = (far(origin) - near(origin)) / pitch
        slideSlopes.start[column] = far.slope - near.slope
        let extent = projection.extent(texture: texture)
        tops.start[column] = extent.lower
        bottoms.start[column] = extent.upper
        return extent
    }

    /// Forgets the current row, so that the next band begins with a rebase.
    func rewind() { nextRow = .min }

    // MARK: Coverage

    /// The interval that the panel covers in a column, in luma pixels.
    func extent(ofColumn column: Int) -> (lower: Double, upper: Double) { (tops.start[column], bottoms.start[column]) }

    /// Computes the weight of the panel in each of the first `count` columns of an output row. `front` is the panel
    /// that is blended over it afterwards; nil if there is none.
    func coverage(ofRow row: Int, behind front: ColumnLines?, count: Int, into coverage: UnsafeMutablePointer<UInt16>) {
        let footprint = across.footprint(row)
        if let front {
            for column in 0..<count {
                coverage[column] = Coverage.weight(
                    extent(ofColumn: column), behind: front.extent(ofColumn: column), footprint)
            }
            return
        }
        let (tops, bottoms, scale) = (tops.start, bottoms.start, 65535 / (footprint.upper - footprint.lower))
        for column in 0..<count {
            let covered = min(bottoms[column], footprint.upper) - max(tops[column], footprint.lower)
            coverage[column] = Wide.nearest(max(covered, 0) * scale)
        }
    }

    // MARK: Moving along the columns

    /// The maximum number of output rows that are filtered together.
    static let maxRows = 16
    /// The number of rows after which positions are recomputed, a multiple of `maxRows`. In between, the slide is
    /// taken to be constant. Computing positions costs as much as filtering about ten rows.
    private static let rebaseInterval = 128
    /// The length of texture that an output row may see, in samples. Outside this range a page is magnified more than
    /// 4096 times, or so nearly edge-on that it covers only a row or two; the range keeps divisions finite.
    private static let possibleLengths = (1.0 / 4096)...4096.0

    /// The rows from the start of `rows` that can be filtered together.
    func band(of rows: Range<Int>) -> Range<Int> {
        let row = rows.lowerBound
        let next = (row / ColumnLines.maxRows + 1) * ColumnLines.maxRows
        let end = min(rows.upperBound, next, row < firstWholeRow ? firstWholeRow : row < clippedRow ? clippedRow : next)
        return row..<end
    }

    /// Filters the output rows of `band`, which lies below the last one: writes the means of `averages`, whose window
    /// slides along, over the rows' footprints. There is one line per row, as long as the columns padded to whole
    /// blocks.
    func filter(band: Range<Int>, of averages: AveragedRows, into lines: UnsafeMutablePointer<UInt16>) {
        let row = band.lowerBound
        let follows = row == nextRow && row % ColumnLines.rebaseInterval != 0
        let isRebased = !follows || row == firstWholeRow || row == clippedRow
        if isRebased { rebase(row) }
        let corrects = !isRebased && row % ColumnLines.maxRows == 0
        nextRow = band.upperBound
        let (blocks, stride, count) = (blocks.start, averages.stride, count)
        var (lower, upper) = (Int.max, Int.min)
        for index in 0..<(count / BoxFilter.lanes) {
            let seen = blocks[index].seen
            lower = min(lower, seen.lower >> 32)
            upper = max(upper, (seen.upper &+ (band.count - 1) &* seen.upperStep) >> 32)
        }
        averages.advance(to: lower...max(upper, lower))
        let means = kernels.means
        for index in 0..<(count / BoxFilter.lanes) {
            let block = blocks + index
            let column = index &* BoxFilter.lanes
            if block.pointee.fitsLanes {
                if corrects { block.pointee.distances &+= block.pointee.corrections }
                let samples = averages.averages(ofRow: block.pointee.sample) + column
                means(samples, stride, 0, block, band.count, lines + column, count)
            } else {
                for row in band {
                    filterExactly(row, index, of: averages, into: lines + (row - band.lowerBound) * count + column)
                }
            }
        }
    }

    /// Filters one row of a block whose values don't fit lanes.
    private func filterExactly(
        _ row: Int, _ index: Int, of averages: AveragedRows, into line: UnsafeMutablePointer<UInt16>
    ) {
        let (block, column) = (blocks.start + index, index * BoxFilter.lanes)
        let sample = block.pointee.seen.lower >> 32
        kernels.exactMeans(
            averages.averages(ofRow: sample) + column, averages.stride,
            max(block.pointee.seen.upper >> 32 - sample, 0),
            BoxFilter.Intervals(
                starts: starts.start + column, lengths: lengths.start + column, slopes: slopes.start + column,
                since: Double(row - baseRow), boundary: Double(sample + 1)), line)
        block.pointee.seen.lower &+= block.pointee.seen.lowerStep
        block.pointee.seen.upper &+= block.pointee.seen.upperStep
    }

    // MARK: Positions in a row

    /// Computes the columns' positions in `row`, and from it on.
    private func rebase(_ row: Int) {
        baseRow = row
        let rows = Double(locate(row))
        for index in 0..<(count / BoxFilter.lanes) { rebaseBlock(index, rows: rows) }
    }

    /// Finds where the columns see the texture in `row` and in those after it, which see it one slope further on each.
    /// Returns the number of rows that may be drawn so.
    private func locate(_ row: Int) -> Int {
        let footprint = across.footprint(row)
        let upper = across.samples(footprint.lower)
        let height = (footprint.upper - footprint.lower) / across.pitch
        // The slide in the middle of the rows up to the next rebase is used for all of them.
        let next = (row / ColumnLines.rebaseInterval + 1) * ColumnLines.rebaseInterval
        let isClipped = row < firstWholeRow || row >= clippedRow
        let rows = isClipped ? 1 : min(next, across.count) - row
        let middle = upper + (isClipped ? height : Double(rows)) / 2
        let (starts, lengths, origins, slopes) = (starts.start, lengths.start, origins.start, slopes.start)
        let (slideOrigins, slideSlopes) = (slideOrigins.start, slideSlopes.start)
        for column in 0..<count {
            let exact = slopes[column] * height
            let slide = slideOrigins[column] + slideSlopes[column] * middle
            // The mean over an interval that slides is close to that over a longer, fixed interval of the same
            // variance.
            let length = (exact * exact + slide * slide).squareRoot()
            starts[column] = origins[column] + slopes[column] * upper - (length - exact) / 2
            lengths[column] = min(
                max(length, ColumnLines.possibleLengths.lowerBound), ColumnLines.possibleLengths.upperBound)
        }
        return rows
    }

    /// Calls `body` with parts of `rows` for which `position` then says what each column sees.
    func forEachPiece(of rows: Range<Int>, _ body: (_ rows: Range<Int>) -> Void) {
        var row = rows.lowerBound
        while row < rows.upperBound {
            var end = min(row + locate(row), rows.upperBound)
            if row < clippedRow { end = min(end, clippedRow) }
            body(row..<end)
            row = end
        }
    }

    /// The interval of the texture that a column sees in the first row of a piece, and the way from row to row, in
    /// samples.
    func position(ofColumn column: Int) -> (start: Double, length: Double, step: Double) {
        (starts.start[column], lengths.start[column], slopes.start[column])
    }

    private typealias Ends = (lower: Double, upper: Double)

    /// The range that the columns of a block see in one row, and how it moves to what they see `rows` later, with 32
    /// fractional bits. In between, no column leaves the range, because each moves at a constant speed.
    private static func seen(
        _ now: Ends, _ later: Ends, rows: Double
    ) -> (lower: Int, upper: Int, lowerStep: Int, upperStep: Int) {
        func fixed(_ x: Double) -> Int { Int(min(max(x, -65536), 65536) * 4_294_967_296) }
        return (
            fixed(now.lower), fixed(now.upper), fixed((later.lower - now.lower) / rows),
            fixed((later.upper - now.upper) / rows)
        )
    }

    private func rebaseBlock(_ index: Int, rows: Double) {
        let column = index * BoxFilter.lanes
        kernels.rebase(starts.start + column, lengths.start + column, slopes.start + column, rows, blocks.start + index)
    }

    /// Sets up `block` for sixteen columns whose intervals begin at `starts`, in a row from which on `rows` rows are drawn.
    package static func defineBlock(
        _ starts: UnsafePointer<Double>, _ lengths: UnsafePointer<Double>, _ slopes: UnsafePointer<Double>,
        rows: Double,
        _ block: UnsafeMutablePointer<BoxFilter.Block>
    ) {
        var now: Ends = (.infinity, -.infinity)
        var later = now
        for lane in 0..<BoxFilter.lanes {
            let (start, end, way) = (starts[lane], starts[lane] + lengths[lane], slopes[lane] * rows)
            now = (min(now.lower, start), max(now.upper, end))
            later = (min(later.lower, start + way), max(later.upper, end + way))
        }
        block.pointee.seen = ColumnLines.seen(now, later, rows: rows)
        block.pointee.sample = block.pointee.seen.lower >> 32
        let boundary = Double(block.pointee.sample + 1)
        let distances = BoxFilter.lanes(block, \.distances)
        let (moves, spacings) = (BoxFilter.lanes(block, \.moves), BoxFilter.lanes(block, \.spacings))
        let corrections = BoxFilter.lanes(block, \.corrections)
        var (farthest, longest, fastest, worstLag) = (0.0, 0.0, 0.0, 0.0)
        let band = band(rows)
        for lane in 0..<BoxFilter.lanes {
            let scale = Double(BoxFilter.one) / lengths[lane]
            let (distance, move) = ((starts[lane] - boundary) * scale, slopes[lane] * scale)
            (farthest, longest, fastest) = (max(farthest, distance), max(longest, scale), max(fastest, move))
            let (spacingLane, moveLane) = (Wide.nearest(scale), Wide.nearest(move))
            // How far the distance lags behind the exact one per row, because move and spacing are rounded. It starts
            // ahead, so that it is exact in the middle of a band of rows, and the lag of a whole band is added at the
            // next one.
            let lag = slopes[lane] * Double(spacingLane) - Double(moveLane)
            worstLag = max(worstLag, abs(lag))
            distances[lane] = Int16(bitPattern: Wide.nearest(distance + lag * band / 2))
            corrections[lane] = Int16(bitPattern: Wide.nearest(lag * Double(ColumnLines.maxRows)))
            spacings[lane] = Int16(bitPattern: spacingLane)
            moves[lane] = Int16(bitPattern: moveLane)
        }
        block.pointee.fitsLanes = fitsLanes(
            farthest: farthest, longest: longest, fastest: fastest, worstLag: worstLag,
            seen: max(now.upper - now.lower, later.upper - later.lower), rows)
    }

    /// The number of rows in the first band of `rows`.
    @inline(__always)
    static func band(_ rows: Double) -> Double { min(rows, Double(maxRows)) }

    /// Whether a block's values fit their lanes, whose greatest distance, spacing, move and lag per row these are, if its
    /// columns see a range of up to `seen` samples.
    static func fitsLanes(
        farthest: Double, longest: Double, fastest: Double, worstLag: Double, seen: Double, _ rows: Double
    ) -> Bool {
        // The least distance is that of an interval that starts just after the boundary before: -`longest`, less half a
        // band's lag, and half a unit each for the rounding of the distance and of every band's correction.
        let bands = Double(rebaseInterval / maxRows)
        let least = longest + worstLag * band(rows) / 2 + (1 + bands) / 2
        return farthest <= Double(BoxFilter.farthest) && max(least, fastest) <= 32767
            && BoxFilter.fits(boundaries: Int(seen) + 2, spacing: Int16(min(longest, 32767)))
    }
}

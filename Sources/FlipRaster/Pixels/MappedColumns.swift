import FlipGeometry

/// A turned panel under a tile of slices that stand side by side (motion along x), drawn in two steps: `fetch` averages
/// each row of the picture along the motion, once; `line` then moves along each column to where the row is seen.
///
/// A tile's columns are independent of each other, so slices of one pixel column may stand in one tile as well.
final class MappedColumns {
    private var count = 0
    private var across: Grid

    // Along the motion: taps in groups of four, [group][column][tap].
    private var groups = 0
    private var segment = 0..<0
    private let starts = Scratch<Int32>()
    private let weights = Scratch<UInt16>()
    private let shaded = Scratch<UInt16>()

    // Across the motion: the texture coordinate of screen position y is constant + slope * y, in luma pixels.
    private let constants = Scratch<Double>()
    private let slopes = Scratch<Double>()
    private let tops = Scratch<Double>()
    private let bottoms = Scratch<Double>()
    private var reach = (highestTop: 0.0, lowestTop: 0.0, highestBottom: 0.0, lowestBottom: 0.0)

    // The picture's rows after the first step: pairs of each of `rows` with the next one, after one more row before and
    // followed by `taps` more, which repeat the outermost; `stride` pairs each.
    private var rows = 0..<0
    private let fetched = Scratch<UInt32>()
    private let averages = Scratch<UInt16>()

    // The second step's state: where each column's interval starts, in 1/65536 of a sample from the first fetched row.
    private let positions = Scratch<Int32>()
    private let steps = Scratch<Int32>()
    private let boxes = BoxColumns()
    private var currentRow = Int.min
    private var currentHeight = 0.0

    private let wideRow = Scratch<UInt16>()
    private let gathered = Scratch<UInt64>()
    private let offsets = Scratch<Int32>()
    private let fractions = Scratch<UInt16>()
    private let pairs = Scratch<UInt32>()

    /// Columns of a tile at most, and pairs from one fetched row to the next: a power of two.
    static let width = 128

    init() { across = Grid(.vertical, plane: 0, format: PictureFormat(components: .gray), extent: 1) }

    // MARK: Planning

    /// Prepares for `slices` of `projection` on planes with the given grids.
    func plan(_ slices: UnsafeBufferPointer<Slice>, of projection: Projection, along: Grid, across: Grid) {
        precondition(slices.count <= MappedColumns.width)
        count = slices.count
        self.across = across
        currentRow = .min
        for scratch in [positions, steps, offsets] { scratch.reserve(count) }
        fractions.reserve(count)
        pairs.reserve(count)
        averages.reserve(2 * MappedColumns.width)
        gathered.reserve(count)
        planTaps(slices, projection, along)
        planLines(slices, projection)
        planRows()
        // The highest footprints see the most samples; `fetch` makes room for that many.
        boxes.plan(slopes.start, count: count, height: across.pitch, pitch: across.pitch)
    }

    private func planTaps(_ slices: UnsafeBufferPointer<Slice>, _ projection: Projection, _ along: Grid) {
        let starts = starts.reserve(count)
        var most = 1
        var lowest = Int.max
        for (column, slice) in slices.enumerated() {
            let taps = SliceTaps(slice, of: projection, grid: along)
            starts[column] = Int32(taps.first)
            lowest = min(lowest, taps.first)
            most = max(most, taps.count)
        }
        groups = (most + 3) / 4
        let weights = weights.reserve(groups * count * 4)
        weights.update(repeating: 0, count: groups * count * 4)
        let shaded = shaded.reserve(count)
        var highest = lowest
        for (column, slice) in slices.enumerated() {
            let taps = SliceTaps(slice, of: projection, grid: along)
            let shadedPart = taps.forEach { index, part in
                let tap = index - taps.first
                weights[((tap / 4) * count + column) * 4 + tap % 4] = Wide.weight(part)
            }
            shaded[column] = Wide.weight(shadedPart)
            starts[column] -= Int32(lowest)
            highest = max(highest, taps.first)
        }
        segment = lowest..<(highest + 4 * groups)
    }

    private func planLines(_ slices: UnsafeBufferPointer<Slice>, _ projection: Projection) {
        let constants = constants.reserve(count)
        let slopes = slopes.reserve(count)
        let tops = tops.reserve(count)
        let bottoms = bottoms.reserve(count)
        reach = (.infinity, -.infinity, .infinity, -.infinity)
        var lowestTexture = Double.infinity
        var highestTexture = -Double.infinity
        for (column, slice) in slices.enumerated() {
            let texture = projection.texture((slice.lower + slice.upper) / 2)
            let line = projection.across(texture: texture)
            let (top, bottom) = projection.extent(texture: texture)
            constants[column] = line.constant
            slopes[column] = line.slope
            tops[column] = top
            bottoms[column] = bottom
            reach.highestTop = min(reach.highestTop, top)
            reach.lowestTop = max(reach.lowestTop, top)
            reach.highestBottom = min(reach.highestBottom, bottom)
            reach.lowestBottom = max(reach.lowestBottom, bottom)
            lowestTexture = min(lowestTexture, line(max(top, 0) - across.pitch))
            highestTexture = max(highestTexture, line(min(bottom, across.extent) + across.pitch))
        }
        let last = Double(across.count - 1)
        let lower = min(max(across.samples(lowestTexture).rounded(.down), 0), last)
        let upper = min(max(across.samples(highestTexture).rounded(.up) + 1, lower), last)
        rows = Int(lower)..<(Int(upper) + 1)
    }

    // MARK: Along the motion

    /// Averages the rows of `plane` along the motion; `shadow` is the shadow colour's component.
    func fetch(_ plane: PlaneView, depth: Int, shadow: UInt16) {
        let available = min(segment.upperBound, plane.width) - segment.lowerBound
        let wide = wideRow.reserve(segment.count)
        (wide + available).update(repeating: 0, count: segment.count - available)
        let stride = MappedColumns.width
        var pairs = fetched.reserve((rows.count + boxes.taps + 2) * stride)
        var (previous, next) = (averages.start, averages.start + stride)
        for row in rows {
            Wide.load(
                plane.base + row * plane.stride, from: segment.lowerBound, count: available, depth: depth, into: wide)
            average(wide, shadow: shadow, into: next)
            if row == rows.lowerBound { previous.update(from: next, count: count) }
            Wide.interleave(previous, next, count: count, into: pairs)
            pairs += stride
            swap(&previous, &next)
        }
        for _ in 0...boxes.taps {
            Wide.interleave(previous, previous, count: count, into: pairs)
            pairs += stride
        }
        currentRow = .min
    }

    /// One row: for each column the weighted sum of its taps and of the shadow colour.
    private func average(
        _ row: UnsafePointer<UInt16>, shadow: UInt16, into target: UnsafeMutablePointer<UInt16>
    ) {
        let (count, starts, shaded, gathered) = (count, starts.start, shaded.start, gathered.start)
        let source = UnsafeRawPointer(row)
        for column in 0..<count { target[column] = Wide.scale(shadow, shaded[column]) }
        for group in 0..<groups {
            let weights = weights.start + group * count * 4
            let groupSource = source + 8 * group
            for column in 0..<count {
                gathered[column] = groupSource.loadUnaligned(fromByteOffset: 2 &* Int(starts[column]), as: UInt64.self)
            }
            UnsafeMutableRawPointer(gathered).withMemoryRebound(to: UInt16.self, capacity: count * 4) { lanes in
                for lane in 0..<(count &* 4) { lanes[lane] = Wide.scale(lanes[lane], weights[lane]) }
            }
            for column in 0..<count {
                let four = gathered[column]
                target[column] &+= UInt16(
                    truncatingIfNeeded: four &+ (four &>> 16) &+ (four &>> 32) &+ (four &>> 48))
            }
        }
    }

    // MARK: Across the motion

    /// The output rows that every column covers wholly.
    private(set) var fullRows = 0..<0
    /// The output rows that any column covers in part.
    private(set) var touchedRows = 0..<0

    private func planRows() {
        let rows = 0..<across.count
        func range(_ isInside: (_ lower: Double, _ upper: Double) -> Bool) -> Range<Int> {
            let inside = { (row: Int) in isInside(self.across.footprint(row).lower, self.across.footprint(row).upper) }
            guard let first = rows.first(where: inside), let last = rows.last(where: inside) else { return 0..<0 }
            return first..<(last + 1)
        }
        touchedRows = range { lower, upper in upper > reach.highestTop && lower < reach.lowestBottom }
        fullRows = range { lower, upper in lower >= reach.lowestTop && upper <= reach.highestBottom }
    }

    /// Where a column of the panel begins and ends across the motion, in luma pixels.
    func extent(ofColumn column: Int) -> (lower: Double, upper: Double) { (tops.start[column], bottoms.start[column]) }

    /// The weight of each column in an output row, which `front` is blended over afterwards.
    func coverage(ofRow row: Int, behind front: MappedColumns?, into coverage: UnsafeMutablePointer<UInt16>) {
        let footprint = across.footprint(row)
        for column in 0..<count {
            let page = extent(ofColumn: column)
            coverage[column] =
                front.map { Coverage.weight(page, behind: $0.extent(ofColumn: column), footprint) }
                ?? Coverage.weight(page, footprint)
        }
    }

    /// Calls `body` with the panel as each of some consecutive output rows sees it; beyond the panel's ends its outermost
    /// samples extend.
    @inline(__always)
    func forEachLine(_ lines: Range<Int>, _ body: (_ row: Int, _ line: UnsafeMutablePointer<UInt16>) -> Void) {
        let (positions, offsets, fractions) = (positions.start, offsets.start, fractions.start)
        let (pairs, line) = (pairs.start, averages.start)
        let (count, last) = (count, Int32(rows.count))
        // The pair at row k of `rows` is one row further on.
        let fetched = UnsafePointer(fetched.start + MappedColumns.width)
        for row in lines {
            advance(to: row)
            let weights = boxes.weights
            for column in 0..<count {
                fractions[column] = UInt16(truncatingIfNeeded: positions[column])
                let index = min(max(positions[column] &>> 16, -1), last)
                offsets[column] = index &* Int32(MappedColumns.width) &+ Int32(truncatingIfNeeded: column)
            }
            var tap = 0
            while tap < weights.taps {
                weights.weigh(tap, fractions: fractions, count: count)
                let source = fetched + tap &* MappedColumns.width
                for column in 0..<count { pairs[column] = source[Int(offsets[column])] }
                Wide.weigh(pairs, by: weights.weights, count: count, adds: tap > 0, into: line)
                tap += 2
            }
            body(row, line)
        }
    }

    /// Rows after which positions are computed anew, so that the steps' rounding does not add up.
    private static let rebaseInterval = 64

    /// Moves the columns' intervals to an output row.
    private func advance(to row: Int) {
        let (lower, upper) = across.footprint(row)
        let (positions, steps) = (positions.start, steps.start)
        if upper - lower == currentHeight && row == currentRow + 1 && row % MappedColumns.rebaseInterval != 0 {
            for column in 0..<count { positions[column] &+= steps[column] }
            currentRow = row
            return
        }
        let (constants, slopes) = (constants.start, slopes.start)
        if upper - lower != boxes.height {
            boxes.plan(slopes, count: count, height: upper - lower, pitch: across.pitch)
        }
        for column in 0..<count {
            steps[column] = Int32(min(slopes[column], 16384) * 65536)
            let start = across.samples(constants[column] + slopes[column] * lower) - Double(rows.lowerBound)
            positions[column] = Int32(min(max(start, -16384), 32767) * 65536)
        }
        currentRow = row
        // A clipped footprint stands where the next one does not continue.
        currentHeight = upper - lower == across.pitch ? across.pitch : -1
    }
}

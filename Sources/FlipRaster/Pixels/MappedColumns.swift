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
    private var starts = Scratch<Int32>()
    private var weights = Scratch<UInt16>()
    private var shaded = Scratch<UInt16>()

    // Across the motion: the texture coordinate of screen position y is constant + slope * y, in luma pixels.
    private var constants = Scratch<Double>()
    private var slopes = Scratch<Double>()
    private var tops = Scratch<Double>()
    private var bottoms = Scratch<Double>()
    private var reach = (highestTop: 0.0, lowestTop: 0.0, highestBottom: 0.0, lowestBottom: 0.0)

    // The picture's rows after the first step: rows `rows`, `count` wide samples each.
    private var rows = 0..<0
    private var fetched = Scratch<UInt16>()

    // The second step's state: where each column's interval starts, in 1/65536 of a sample.
    private var positions = Scratch<Int32>()
    private var steps = Scratch<Int32>()
    private var widths = Scratch<Int32>()
    private var inverses = Scratch<UInt32>()
    private var taps = 2
    private var currentRow = Int.min
    private var currentHeight = 0.0

    private var wideRow = Scratch<UInt16>()
    private var gathered = Scratch<UInt64>()
    private var offsets = Scratch<Int32>()
    private var fractions = Scratch<Int32>()
    private var lineWeights = Scratch<UInt16>()
    private var samples = Scratch<UInt16>()

    init() { across = Grid(.vertical, plane: 0, format: PictureFormat(components: .gray), extent: 1) }

    // MARK: Planning

    /// Prepares for `slices` of `projection` on planes with the given grids.
    func plan(_ slices: UnsafeBufferPointer<Slice>, of projection: Projection, along: Grid, across: Grid) {
        count = slices.count
        self.across = across
        currentRow = .min
        planTaps(slices, projection, along)
        planLines(slices, projection)
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
        let target = fetched.reserve(rows.count * count)
        for row in rows {
            Wide.load(
                plane.base + row * plane.stride, from: segment.lowerBound, count: available, depth: depth, into: wide)
            average(wide, shadow: shadow, into: target + (row - rows.lowerBound) * count)
        }
        currentRow = .min
    }

    /// One row: for each column the weighted sum of its taps and of the shadow colour.
    private func average(
        _ row: UnsafePointer<UInt16>, shadow: UInt16, into target: UnsafeMutablePointer<UInt16>
    ) {
        let starts = starts.reserve(count)
        let shaded = shaded.reserve(count)
        let gathered = gathered.reserve(count)
        let source = UnsafeRawPointer(row)
        for column in 0..<count { target[column] = Wide.scale(shadow, shaded[column]) }
        for group in 0..<groups {
            let weights = weights.reserve(groups * count * 4) + group * count * 4
            for column in 0..<count {
                gathered[column] = source.loadUnaligned(
                    fromByteOffset: 2 &* (Int(starts[column]) &+ 4 &* group), as: UInt64.self)
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

    /// How much of an output row the tile's columns cover.
    enum RowCoverage {
        case none, partial, full
    }

    func coverage(ofRow row: Int) -> RowCoverage {
        let (lower, upper) = across.footprint(row)
        if upper <= reach.highestTop || lower >= reach.lowestBottom { return .none }
        return lower >= reach.lowestTop && upper <= reach.highestBottom ? .full : .partial
    }

    /// The part of each column's footprint in an output row that the panel covers.
    func coverage(ofRow row: Int, into coverage: UnsafeMutablePointer<UInt16>) {
        let (lower, upper) = across.footprint(row)
        let tops = tops.reserve(count)
        let bottoms = bottoms.reserve(count)
        for column in 0..<count {
            let covered = min(upper, bottoms[column]) - max(lower, tops[column])
            coverage[column] = Wide.weight(covered / (upper - lower))
        }
    }

    /// Writes the panel as an output row sees it; beyond the panel's ends its outermost samples extend.
    func line(_ row: Int, into line: UnsafeMutablePointer<UInt16>) {
        advance(to: row)
        let positions = positions.reserve(count)
        let widths = widths.reserve(count)
        let inverses = inverses.reserve(count)
        let offsets = offsets.reserve(count)
        let fractions = fractions.reserve(count)
        let weights = lineWeights.reserve(count)
        let samples = samples.reserve(count)
        let fetched = fetched.reserve(rows.count * count)
        let first = Int32(rows.lowerBound)
        let last = Int32(rows.count - 1)
        let stride = Int32(count)
        for column in 0..<count { fractions[column] = positions[column] & 0xFFFF }
        for tap in 0..<Int32(taps) {
            for column in 0..<count {
                let index = (positions[column] &>> 16) &- first &+ tap
                offsets[column] = min(max(index, 0), last) &* stride &+ Int32(truncatingIfNeeded: column)
            }
            if tap == 1 && taps == 2 {
                for column in 0..<count { weights[column] = Wide.one &- weights[column] }
            } else {
                for column in 0..<count {
                    weights[column] = BoxTaps.weight(
                        tap: tap, fraction: fractions[column], width: widths[column], inverse: inverses[column])
                }
            }
            for column in 0..<count { samples[column] = fetched[Int(offsets[column])] }
            if tap == 0 {
                for column in 0..<count { line[column] = Wide.scale(samples[column], weights[column]) }
            } else {
                for column in 0..<count { line[column] &+= Wide.scale(samples[column], weights[column]) }
            }
        }
    }

    /// Rows after which positions are computed anew, so that the steps' rounding does not add up.
    private static let rebaseInterval = 64

    /// Moves the columns' intervals to an output row.
    private func advance(to row: Int) {
        let (lower, upper) = across.footprint(row)
        let positions = positions.reserve(count)
        let steps = steps.reserve(count)
        if upper - lower == currentHeight && row == currentRow + 1 && row % MappedColumns.rebaseInterval != 0 {
            for column in 0..<count { positions[column] &+= steps[column] }
            currentRow = row
            return
        }
        let constants = constants.reserve(count)
        let slopes = slopes.reserve(count)
        let widths = widths.reserve(count)
        let inverses = inverses.reserve(count)
        taps = 2
        for column in 0..<count {
            let box = BoxTaps(width: slopes[column] * (upper - lower) / across.pitch)
            widths[column] = box.width
            inverses[column] = box.inverse
            taps = max(taps, box.count)
            steps[column] = Int32(min(slopes[column], 16384) * 65536)
            let start = across.samples(constants[column] + slopes[column] * lower)
            positions[column] = Int32(min(max(start, -16384), 32767) * 65536)
        }
        currentRow = row
        // A clipped footprint stands where the next one does not continue.
        currentHeight = upper - lower == across.pitch ? across.pitch : -1
    }
}

import FlipGeometry

/// Where each column of a tile sees the texture across the motion, and which output rows it covers.
final class ColumnLines {
    private var count = 0
    private var across = Grid(.vertical, plane: 0, format: PictureFormat(components: .gray), extent: 1)

    // The texture coordinate of screen position y is constant + slope * y, in luma pixels.
    private let constants = Scratch<Double>()
    private let slopes = Scratch<Double>()
    private let tops = Scratch<Double>()
    private let bottoms = Scratch<Double>()

    /// The rows of the picture that any column sees.
    private(set) var rows = 0..<0
    /// The output rows that every column covers wholly.
    private(set) var fullRows = 0..<0
    /// The output rows that any column covers in part.
    private(set) var touchedRows = 0..<0
    let boxes = BoxColumns()

    // Where each column's interval starts, in 1/65536 of a sample from the first of `rows`.
    private let running = Scratch<Int32>()
    private let clamped = Scratch<Int32>()
    private let steps = Scratch<Int32>()
    private var currentRow = Int.min
    private var currentHeight = 0.0
    /// Where each column's interval starts in the current row, in 1/65536 of a sample from the first of `rows`: in
    /// -1...rows.count samples.
    private(set) var positions = UnsafePointer<Int32>(bitPattern: 1 << 16)!
    /// The part of that behind the point.
    let fractions = Scratch<UInt16>()

    // MARK: Planning

    func plan(_ slices: UnsafeBufferPointer<Slice>, of projection: Projection, across: Grid) {
        self.across = across
        count = slices.count
        for scratch in [constants, slopes, tops, bottoms] { scratch.reserve(count) }
        for scratch in [running, clamped, steps] { scratch.reserve(count) }
        fractions.reserve(count)
        var seen = (lower: Double.infinity, upper: -Double.infinity)
        var top = (least: Double.infinity, most: -Double.infinity)
        var bottom = top
        for (column, slice) in slices.enumerated() {
            let texture = projection.texture((slice.lower + slice.upper) / 2)
            let line = projection.across(texture: texture)
            let extent = projection.extent(texture: texture)
            constants.start[column] = line.constant
            slopes.start[column] = line.slope
            tops.start[column] = extent.lower
            bottoms.start[column] = extent.upper
            top = (min(top.least, extent.lower), max(top.most, extent.lower))
            bottom = (min(bottom.least, extent.upper), max(bottom.most, extent.upper))
            seen.lower = min(seen.lower, line(max(extent.lower, 0) - across.pitch))
            seen.upper = max(seen.upper, line(min(extent.upper, across.extent) + across.pitch))
        }
        let last = Double(across.count - 1)
        let first = min(max(across.samples(seen.lower).rounded(.down), 0), last)
        let end = min(max(across.samples(seen.upper).rounded(.up) + 1, first), last)
        rows = Int(first)..<(Int(end) + 1)
        touchedRows = outputRows { lower, upper in upper > top.least && lower < bottom.most }
        fullRows = outputRows { lower, upper in lower >= top.most && upper <= bottom.least }
        // The highest footprints see the most samples.
        boxes.plan(slopes.start, count: count, height: across.pitch, pitch: across.pitch)
        rewind()
    }

    private func outputRows(_ isInside: (_ lower: Double, _ upper: Double) -> Bool) -> Range<Int> {
        let inside = { (row: Int) in isInside(self.across.footprint(row).lower, self.across.footprint(row).upper) }
        let all = 0..<across.count
        guard let first = all.first(where: inside), let last = all.last(where: inside) else { return 0..<0 }
        return first..<(last + 1)
    }

    // MARK: Coverage

    /// Where a column of the panel begins and ends across the motion, in luma pixels.
    func extent(ofColumn column: Int) -> (lower: Double, upper: Double) { (tops.start[column], bottoms.start[column]) }

    /// The weight of each column in an output row, which `front` is blended over afterwards.
    func coverage(ofRow row: Int, behind front: ColumnLines?, into coverage: UnsafeMutablePointer<UInt16>) {
        let footprint = across.footprint(row)
        for column in 0..<count {
            let page = extent(ofColumn: column)
            coverage[column] =
                front.map { Coverage.weight(page, behind: $0.extent(ofColumn: column), footprint) }
                ?? Coverage.weight(page, footprint)
        }
    }

    // MARK: Moving along the columns

    /// Rows after which positions are computed anew, so that the steps' rounding does not add up.
    private static let rebaseInterval = 64

    /// Forgets the current row.
    func rewind() { currentRow = .min }

    /// Sets `positions` and `fractions` for an output row.
    func advance(to row: Int) {
        let (running, fractions) = (running.start, fractions.start)
        let (lower, upper) = across.footprint(row)
        if upper - lower == currentHeight && row == currentRow + 1 && row % ColumnLines.rebaseInterval != 0 {
            let steps = steps.start
            for column in 0..<count { running[column] &+= steps[column] }
        } else {
            rebase(lower, upper)
        }
        currentRow = row
        for column in 0..<count { fractions[column] = UInt16(truncatingIfNeeded: running[column]) }
        positions = UnsafePointer(running)
        // Inside the panel no interval starts beyond its ends.
        if fullRows.contains(row) { return }
        let (clamped, last) = (clamped.start, Int32(truncatingIfNeeded: rows.count) &<< 16)
        for column in 0..<count { clamped[column] = min(max(running[column], -65536), last) }
        positions = UnsafePointer(clamped)
    }

    private func rebase(_ lower: Double, _ upper: Double) {
        let (running, steps, constants, slopes) = (running.start, steps.start, constants.start, slopes.start)
        if upper - lower != boxes.height {
            boxes.plan(slopes, count: count, height: upper - lower, pitch: across.pitch)
        }
        for column in 0..<count {
            steps[column] = Int32(min(slopes[column], 16384) * 65536)
            let start = across.samples(constants[column] + slopes[column] * lower) - Double(rows.lowerBound)
            running[column] = Int32(min(max(start, -16384), 32767) * 65536)
        }
        // A clipped footprint stands where the next one does not continue.
        currentHeight = upper - lower == across.pitch ? across.pitch : -1
    }
}

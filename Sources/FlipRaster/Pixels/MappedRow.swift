import FlipGeometry

/// A turned panel under one slice of a row of pixels (motion along y), drawn in two steps: `fetch` averages the
/// picture's rows that the slice sees into one, and `draw` stretches that one across the motion.
final class MappedRow {
    private var projection: Projection?
    private var taps: SliceTaps?
    private var across = Grid(.horizontal, plane: 0, format: PictureFormat(components: .gray), extent: 1)
    /// The texture coordinate across the motion seen at screen position x, in luma pixels.
    private var texture = Line(constant: 0, slope: 1)
    private var lower = 0.0
    private var upper = 0.0
    /// The picture's samples across the motion that are needed.
    private var segment = 0..<0

    /// Samples beyond either end of the fetched row, equal to its outermost ones.
    private static let margin = 2
    /// Pixels that are stretched at a time, so that the steps' rounding does not add up and buffers stay small.
    private static let block = 512

    private let fetched = Scratch<UInt16>()
    private let wideRow = Scratch<UInt16>()
    private let offsets = Scratch<Int32>()
    private let fractions = Scratch<UInt16>()
    private let pairs = Scratch<UInt32>()
    private let boxes = BoxColumns()

    /// The output samples that the panel touches.
    private(set) var columns = 0..<0
    /// Whether the panel covers the whole row.
    private(set) var isFull = false

    // MARK: Planning

    func plan(_ slice: Slice, of projection: Projection, along: Grid, across: Grid) {
        self.projection = projection
        self.across = across
        let taps = SliceTaps(slice, of: projection, grid: along)
        self.taps = taps
        texture = projection.across(texture: taps.middle)
        (lower, upper) = projection.extent(texture: taps.middle)
        isFull = lower <= 0 && upper >= across.extent
        let (from, to) = (max(lower, 0), min(upper, across.extent))
        guard from < to else {
            columns = 0..<0
            return
        }
        columns = across.sample(at: from)..<(across.sample(at: to - 1e-9) + 1)
        let last = Double(across.count - 1)
        let first = min(max(across.samples(texture(from - across.pitch)).rounded(.down), 0), last)
        let end = min(max(across.samples(texture(to + across.pitch)).rounded(.up), first), last)
        segment = Int(first)..<(Int(end) + 1)
    }

    // MARK: Along the motion

    /// Averages the rows of `plane` that the slice sees; `shadow` is the shadow colour's component.
    func fetch(_ plane: PlaneView, depth: Int, shadow: UInt16) {
        guard let taps, !columns.isEmpty else { return }
        let count = segment.count
        let wide = wideRow.reserve(count)
        let behind = MappedRow.margin + BoxTaps.count(width: texture.slope) + 2
        let start = fetched.reserve(MappedRow.margin + count + behind)
        let sums = start + MappedRow.margin
        sums.update(repeating: 0, count: count)
        let shaded = taps.forEach { row, part in
            Wide.load(plane.base + row * plane.stride, from: segment.lowerBound, count: count, depth: depth, into: wide)
            let weight = Wide.weight(part)
            for x in 0..<count { sums[x] &+= Wide.scale(wide[x], weight) }
        }
        let bias = Wide.scale(shadow, Wide.weight(shaded))
        if bias > 0 {
            for x in 0..<count { sums[x] &+= bias }
        }
        start.update(repeating: sums[0], count: MappedRow.margin)
        (sums + count).update(repeating: sums[count - 1], count: behind)
    }

    // MARK: Across the motion

    /// Writes the output samples `columns` of the panel to `line`, the row's first sample first.
    func draw(into line: UnsafeMutablePointer<UInt16>) {
        if texture.slope == 1 && texture.constant == 0 {
            // The panel lies at scale 1: nothing moves across the motion.
            let source = fetched.start + MappedRow.margin + columns.lowerBound - segment.lowerBound
            (line + columns.lowerBound).update(from: source, count: columns.count)
            return
        }
        var next = columns.lowerBound
        while next < columns.upperBound {
            // Footprints that the frame's border clips have a width of their own.
            let startsClipped = isClipped(next)
            var end = min(next + (startsClipped ? 1 : MappedRow.block), columns.upperBound)
            if !startsClipped && isClipped(end - 1) { end = max(end - 1, next + 1) }
            stretch(next..<end, into: line + next)
            next = end
        }
    }

    private func isClipped(_ column: Int) -> Bool {
        let (lower, upper) = across.footprint(column)
        return upper - lower != across.pitch
    }

    /// Averages a run of output samples whose footprints have the same width.
    private func stretch(_ run: Range<Int>, into line: UnsafeMutablePointer<UInt16>) {
        let (lower, upper) = across.footprint(run.lowerBound)
        let width = texture.slope * (upper - lower) / across.pitch
        let start = across.samples(texture(lower)) - Double(segment.lowerBound)
        let count = run.count
        boxes.plan(width: width, count: count)
        let (offsets, fractions, pairs) = (offsets.reserve(count), fractions.reserve(count), pairs.reserve(count))
        let position = Int32(min(max(start, -16384), 32767) * 65536)
        let step = Int32(min(texture.slope, 16384) * 65536)
        let last = Int32(segment.count + MappedRow.margin - 2)
        for x in 0..<count {
            let here = position &+ step &* Int32(truncatingIfNeeded: x)
            offsets[x] = min(max(here &>> 16, Int32(-MappedRow.margin)), last)
            fractions[x] = UInt16(truncatingIfNeeded: here)
        }
        let source = UnsafeRawPointer(fetched.start + MappedRow.margin)
        let weights = boxes.weights
        for tap in stride(from: 0, to: weights.taps, by: 2) {
            weights.weigh(tap, fractions: fractions, count: count)
            let tapSource = source + 2 * tap
            for x in 0..<count {
                pairs[x] = tapSource.loadUnaligned(fromByteOffset: 2 &* Int(offsets[x]), as: UInt32.self)
            }
            Wide.weigh(pairs, by: weights.weights, count: count, adds: tap > 0, into: line)
        }
    }

    /// The output samples that the panel covers wholly.
    var interior: Range<Int> {
        var (first, end) = (columns.lowerBound, columns.upperBound)
        while first < end && coverage(ofColumn: first) != Wide.one { first += 1 }
        while end > first && coverage(ofColumn: end - 1) != Wide.one { end -= 1 }
        return first..<end
    }

    /// Where the panel begins and ends across the motion, in luma pixels.
    var extent: (lower: Double, upper: Double) { (lower, upper) }

    /// The weight of output sample `column`, which `front` is blended over afterwards.
    func coverage(ofColumn column: Int, behind front: MappedRow? = nil) -> UInt16 {
        let footprint = across.footprint(column)
        return front.map { Coverage.weight(extent, behind: $0.extent, footprint) } ?? Coverage.weight(extent, footprint)
    }
}

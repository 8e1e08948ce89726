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

    private var fetched = Scratch<UInt16>()
    private var wideRow = Scratch<UInt16>()
    private var offsets = Scratch<Int32>()
    private var fractions = Scratch<Int32>()
    private var pairs = Scratch<UInt32>()
    private var weights = Scratch<UInt16>()

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
        let start = fetched.reserve(count + 2 * MappedRow.margin)
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
        for index in 0..<MappedRow.margin {
            start[index] = sums[0]
            sums[count + index] = sums[count - 1]
        }
    }

    // MARK: Across the motion

    /// Writes the output samples `columns` of the panel to `line`, the row's first sample first.
    func draw(into line: UnsafeMutablePointer<UInt16>) {
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
        let box = BoxTaps(width: texture.slope * (upper - lower) / across.pitch)
        let start = across.samples(texture(lower)) - Double(segment.lowerBound)
        let origin = Int32(min(max(start, -16384), 32767) * 65536)
        let step = Int32(min(texture.slope, 16384) * 65536)
        let count = run.count
        let offsets = offsets.reserve(count)
        let fractions = fractions.reserve(count)
        let pairs = pairs.reserve(count)
        let weights = weights.reserve(2 * count)
        let source = UnsafeRawPointer(fetched.reserve(segment.count) + MappedRow.margin)
        let last = Int32(segment.count)
        for x in 0..<count {
            let position = origin &+ step &* Int32(truncatingIfNeeded: x)
            offsets[x] = position &>> 16
            fractions[x] = position & 0xFFFF
        }
        for tap in stride(from: Int32(0), to: Int32(box.count), by: 2) {
            for x in 0..<count {
                let index = min(max(offsets[x] &+ tap, Int32(-MappedRow.margin)), last)
                pairs[x] = source.loadUnaligned(fromByteOffset: 2 &* Int(index), as: UInt32.self)
            }
            for x in 0..<count {
                let first = BoxTaps.weight(tap: tap, fraction: fractions[x], width: box.width, inverse: box.inverse)
                let second =
                    box.count == 2
                    ? Wide.one &- first
                    : BoxTaps.weight(tap: tap &+ 1, fraction: fractions[x], width: box.width, inverse: box.inverse)
                weights[2 &* x] = first
                weights[2 &* x &+ 1] = second
            }
            UnsafeMutableRawPointer(pairs).withMemoryRebound(to: UInt16.self, capacity: 2 * count) { lanes in
                for lane in 0..<(2 &* count) { lanes[lane] = Wide.scale(lanes[lane], weights[lane]) }
            }
            for x in 0..<count {
                let sum = UInt16(truncatingIfNeeded: pairs[x] &+ (pairs[x] &>> 16))
                line[x] = tap == 0 ? sum : line[x] &+ sum
            }
        }
    }

    /// The part of the footprint of output sample `column` that the panel covers.
    func coverage(ofColumn column: Int) -> UInt16 {
        let (left, right) = across.footprint(column)
        return Wide.weight((min(right, upper) - max(left, lower)) / (right - left))
    }
}

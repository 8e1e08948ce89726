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

    /// Samples beyond either end of the fetched row, equal to its outermost ones: more than a footprint can stick out.
    private var margin = 2
    /// Pixels that are stretched at a time, so that the steps' rounding does not add up and buffers stay small.
    private static let block = 512

    private let fetched = Scratch<UInt16>()
    /// The sums of all fetched samples before each one.
    private let prefixes = Scratch<UInt32>()
    private let wideRow = Scratch<UInt16>()
    private let fractions = Scratch<UInt16>()
    private let samples = Scratch<UInt16>()
    private let edges = Scratch<UInt32>()

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
        margin = Int(min(texture.slope, 4096).rounded(.up)) + 2
    }

    // MARK: Along the motion

    /// Averages the rows of `plane` that the slice sees; `shadow` is the shadow colour's component.
    func fetch(_ plane: PlaneView, depth: Int, shadow: UInt16) {
        guard let taps, !columns.isEmpty else { return }
        let count = segment.count
        let wide = wideRow.reserve(count)
        let start = fetched.reserve(count + 2 * margin)
        let sums = start + margin
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
        start.update(repeating: sums[0], count: margin)
        (sums + count).update(repeating: sums[count - 1], count: margin)
        let prefixes = prefixes.reserve(count + 2 * margin)
        var total: UInt32 = 0
        for x in 0..<(count + 2 * margin) {
            prefixes[x] = total
            total &+= UInt32(start[x])
        }
    }

    // MARK: Across the motion

    /// Writes the output samples `columns` of the panel to `line`, the row's first sample first.
    func draw(into line: UnsafeMutablePointer<UInt16>) {
        if texture.slope == 1 && texture.constant == 0 {
            // The panel lies at scale 1: nothing moves across the motion.
            let source = fetched.start + margin + columns.lowerBound - segment.lowerBound
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
    ///
    /// The footprints tile the texture, and the mean over one is the difference between the integral of the texture at
    /// its two edges, divided by its width. The integral at a position is the sum of the samples before it and its part of
    /// the sample that holds it.
    private func stretch(_ run: Range<Int>, into line: UnsafeMutablePointer<UInt16>) {
        let (lower, upper) = across.footprint(run.lowerBound)
        let width = max(texture.slope * (upper - lower) / across.pitch, 1.0 / 4096)
        let count = run.count + 1
        let (fractions, samples, edges) = (fractions.reserve(count), samples.reserve(count), edges.reserve(count))
        let start = across.samples(texture(lower)) - Double(segment.lowerBound - margin)
        let position = Int32(min(max(start, 0), 32767) * 65536)
        let step = Int32(min(width, 16384) * 65536)
        let (fetched, prefixes) = (fetched.start, prefixes.start)
        let last = segment.count + 2 * margin - 1
        // Inside the panel no edge lies beyond the margins.
        let inside = min(max(((last << 16) - Int(position)) / Int(max(step, 1)), 0), count)
        var here = position
        for x in 0..<inside {
            let index = Int(here &>> 16)
            samples[x] = fetched[index]
            edges[x] = prefixes[index]
            here &+= step
        }
        for x in inside..<count {
            samples[x] = fetched[last]
            edges[x] = prefixes[last]
        }
        for x in 0..<count {
            fractions[x] = UInt16(truncatingIfNeeded: position &+ step &* Int32(truncatingIfNeeded: x))
        }
        for x in 0..<count { edges[x] &+= UInt32(Wide.scale(samples[x], fractions[x])) }
        MappedRow.divide(edges, by: Double(step) / 65536, into: line, count: count - 1)
    }

    /// `line[x] = (edges[x + 1] - edges[x]) / width`.
    private static func divide(
        _ edges: UnsafePointer<UInt32>, by width: Double, into line: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        // 1 / width = (1 + factor) * 2^(up - down), with a factor of 0..<1 in 16 bits that is rounded down.
        var (down, up) = (UInt32(0), UInt16(0))
        while width > Double(1 << down) { down += 1 }
        while width * Double(1 << up) <= 0.5 { up += 1 }
        let inverse = Double(1 << down) / (width * Double(1 << up))
        let factor = UInt16(max(min((inverse - 1) * 65536 - 2, 65535), 0))
        for x in 0..<count {
            let difference = UInt16(truncatingIfNeeded: min((edges[x &+ 1] &- edges[x]) &>> down, 65535))
            line[x] = (difference &+ Wide.scale(difference, factor)) &<< up
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

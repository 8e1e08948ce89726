import FlipGeometry

/// A turned sheet as one slice of an output row sees it (motion along y). It is drawn in two steps: `fetch` averages
/// the picture's rows that the slice sees into one, and `draw` resamples that one across the motion.
final class MappedRow {
    /// The picture on the side of the sheet that is seen.
    private(set) var picture = Picture.outgoing
    /// The picture's rows that the slice sees, the weights of their averages, and the light's parts of these.
    private var seen = 0..<0
    private let weights = Scratch<Int16>()
    private var light = Light(keep: 0)
    private var across = Grid(.horizontal, plane: 0, format: PictureFormat(components: .gray), extent: 1)
    /// The texture coordinate across the motion as a function of the screen position, in luma pixels.
    private var texture = Line(constant: 0, slope: 1)
    private var lower = 0.0
    private var upper = 0.0
    /// The range of the picture's samples across the motion that is needed.
    private(set) var segment = 0..<0

    /// By how many samples the texture slides within the slice, as a function of the screen position across the motion.
    private var slide = Line(constant: 0, slope: 0)

    /// The number of samples added at either end of the fetched row, equal to its outermost ones: more than a block can
    /// reach beyond the row.
    private var margin = 0
    /// The maximum number of blocks that are filtered at a time. The rounding of their moves, up to half a unit of
    /// 1/4096 each, would add up to 32 / 2 units. Since the middle of a run is exact, only half of that remains, 0.2 %
    /// of an interval.
    private static let maxBlocks = 32
    /// The maximum number of texture samples per output sample for which blocks are used: `BoxFilter` takes at most
    /// eight boundaries, and an interval of n samples has n of them.
    private static let widestStep = 8.0

    private let fetched = Scratch<Int16>()
    private let rows = Scratch<UnsafePointer<UInt8>?>()
    private let block = Scratch<BoxFilter.Block>()
    private let kernels: KernelTable

    /// The output samples that the sheet touches.
    private(set) var columns = 0..<0
    /// Whether the sheet covers the whole row.
    private(set) var isFull = false
    /// The output samples that the sheet covers completely.
    private(set) var interior = 0..<0

    init(_ kernels: KernelTable) { self.kernels = kernels }

    // MARK: Planning

    func plan(_ slice: Slice, of projection: Projection, along: Grid, across: Grid) {
        (self.across, picture) = (across, projection.picture)
        let taps = SliceTaps(slice, SliceTaps.Extent(slice, of: projection, grid: along), of: projection, grid: along)
        texture = projection.across(texture: taps.middle)
        (lower, upper) = projection.extent(texture: taps.middle)
        isFull = lower <= 0 && upper >= across.extent
        let (from, to) = (max(lower, 0), min(upper, across.extent))
        guard from < to else {
            columns = 0..<0
            return
        }
        columns = across.sample(at: from)..<(across.sample(at: to - SpanPlan.narrowest) + 1)
        let last = Double(across.count - 1)
        let first = min(max(across.samples(texture(from - across.pitch)).rounded(.down), 0), last)
        let end = min(max(across.samples(texture(to + across.pitch)).rounded(.up), first), last)
        segment = Int(first)..<(Int(end) + 1)
        // All lanes but the first of a run's last block may lie beyond the row: they read up to `lanes` places further
        // on and see as many steps. The footprint of the last lane adds one slope, and rounding adds two samples at
        // each end.
        let steps = Double(BoxFilter.lanes) * min(texture.slope, MappedRow.widestStep)
        margin = Int(min(texture.slope, 4096) + steps) + BoxFilter.lanes + 4
        let near = projection.across(texture: projection.texture(slice.lower))
        let far = projection.across(texture: projection.texture(slice.upper))
        slide = Line(
            constant: (far.constant - near.constant) / across.pitch, slope: (far.slope - near.slope) / across.pitch)
        weigh(taps)
        findInterior()
    }

    private func weigh(_ taps: SliceTaps) {
        seen = taps.extent.first..<(taps.extent.last + 1)
        let weights = weights.reserve(seen.count + 1)
        var (used, rounding) = (0, Averages.Weights())
        light = taps.forEach { _, part in
            weights[used] = rounding.next(part)
            used += 1
        }
        // Taps are read in pairs.
        weights[used] = 0
    }

    private func findInterior() {
        var (first, end) = (columns.lowerBound, columns.upperBound)
        while first < end && coverage(ofColumn: first) != Wide.one { first += 1 }
        while end > first && coverage(ofColumn: end - 1) != Wide.one { end -= 1 }
        interior = first..<end
    }

    // MARK: Along the motion

    /// Averages the rows of `plane` that the slice sees; `colors` are those of the light.
    func fetch(_ plane: PlaneView, depth: Int, _ colors: LightColors) {
        if columns.isEmpty { return }
        let count = segment.count
        let rows = rows.reserve(seen.count + 1)
        let first = UnsafePointer(plane.base.assumingMemoryBound(to: UInt8.self))
        let offset = segment.lowerBound * (depth > 8 ? 2 : 1)
        for row in seen { rows[row - seen.lowerBound] = first + (row * plane.stride + offset) }
        rows[seen.count] = rows[seen.count - 1]
        let start = fetched.reserve(count + 2 * margin)
        let averages = start + margin
        let bias = Averages.bias(mixed: colors.mixed(light), depth: depth)
        kernels.sum(
            Averages.Rows(count: seen.count, rows: rows, weights: weights.start, bias: bias, depth: depth), count,
            averages)
        start.update(repeating: averages[0], count: margin)
        (averages + count).update(repeating: averages[count - 1], count: margin)
    }

    // MARK: Across the motion

    /// Writes the output samples `columns` of the sheet to `line`, which begins with the row's first sample.
    func draw(into line: UnsafeMutablePointer<UInt16>) {
        let averages = fetched.start + margin - segment.lowerBound
        if texture.slope == 1 && texture.constant == 0 {
            // Across the motion the sheet is at scale 1 and not shifted, so there is nothing to resample.
            for column in columns { line[column] = Averages.wide(averages[column]) }
            return
        }
        forEachRun { stretch($0, averages, into: line + $0.columns.lowerBound) }
    }

    /// Output samples whose footprints have the same width: where the first one sees the picture, for how long, and the
    /// way from one to the next, in samples of the picture.
    struct Run {
        let columns: Range<Int>
        let start: Double
        let length: Double
        let step: Double
    }

    /// Calls `body` with all output samples that the sheet touches, in runs.
    func forEachRun(_ body: (Run) -> Void) {
        var next = columns.lowerBound
        while next < columns.upperBound {
            // Footprints clipped by the frame's border differ in width.
            let startsClipped = across.isClipped(next)
            var end = min(next + (startsClipped ? 1 : MappedRow.maxBlocks * BoxFilter.lanes), columns.upperBound)
            if !startsClipped && across.isClipped(end - 1) { end = max(end - 1, next + 1) }
            body(run(next..<end))
            next = end
        }
    }

    private func run(_ columns: Range<Int>) -> Run {
        let (lower, upper) = across.footprint(columns.lowerBound)
        let exact = max(texture.slope * (upper - lower) / across.pitch, 1.0 / 4096)
        let slide = slide((lower + across.footprint(columns.upperBound - 1).upper) / 2)
        // As in `ColumnLines`, a longer interval stands for one that slides.
        let length = (exact * exact + slide * slide).squareRoot()
        let start = across.samples(texture(lower)) - (length - exact) / 2
        return Run(columns: columns, start: start, length: length, step: texture.slope)
    }

    /// Resamples a run. `averages[k]` is sample k of the picture.
    private func stretch(_ run: Run, _ averages: UnsafePointer<Int16>, into line: UnsafeMutablePointer<UInt16>) {
        let (start, step, length) = (run.start, run.step, run.length)
        let block = block.start
        let blocks = (run.columns.count + BoxFilter.lanes - 1) / BoxFilter.lanes
        if plan(block, start: start, step: step, length: length, blocks: blocks) {
            kernels.means(averages + block.pointee.sample, 1, BoxFilter.lanes, block, blocks, line, BoxFilter.lanes)
            return
        }
        let last = segment.upperBound + margin - 1
        for x in 0..<run.columns.count {
            let from = min(start + Double(x) * step, Double(last - 1))
            let sample = max(Int(from.rounded(.down)), segment.lowerBound - margin)
            let boundaries = max(min(Int((from + length).rounded(.down)), last) - sample, 0)
            BoxFilter.exactMean(
                of: averages + sample, stride: 1, boundaries: boundaries,
                starts: { _ in (from - Double(sample + 1)) / length }, spacings: { _ in 1 / length }, count: 1,
                into: line + x)
        }
    }

    /// Sets up `block` for a run of `blocks` blocks whose first interval begins at `start`; returns whether its values
    /// fit lanes.
    ///
    /// Lane x reads its samples x places after those of lane 0. At scale 1, its interval would start as far beyond its
    /// first sample as that of lane 0. So only `drift`, by which the scale differs from 1, adds up from lane to lane.
    private func plan(
        _ block: UnsafeMutablePointer<BoxFilter.Block>, start: Double, step: Double, length: Double, blocks: Int
    ) -> Bool {
        let drift = step - 1
        let lanes = Double(BoxFilter.lanes)
        let scale = Double(BoxFilter.one) / length
        let reach = abs(drift) * (lanes - 1)
        guard scale <= 32767, step <= MappedRow.widestStep, reach / length <= 6,
            BoxFilter.fits(boundaries: Int(reach + length) + 2, spacing: Int16(scale))
        else { return false }
        func fixed(_ x: Double) -> Int { Int(x * 4_294_967_296) }
        let ends = (min(start, start + drift * (lanes - 1)), max(start, start + drift * (lanes - 1)) + length)
        block.pointee.seen = (fixed(ends.0), fixed(ends.1), fixed(drift * lanes), fixed(drift * lanes))
        block.pointee.sample = block.pointee.seen.lower >> 32
        let spacing = Int16(scale + 0.5)
        let move = Int16((drift * lanes * scale).rounded())
        // Rounding errors of the moves add up; with this, the distance is exact in the middle of the run.
        let rounding = (drift * lanes * Double(spacing) - Double(move)) * Double(blocks) / 2
        block.pointee.spacings = SIMD16(repeating: spacing)
        block.pointee.moves = SIMD16(repeating: move)
        let distances = BoxFilter.lanes(block, \.distances)
        // In 1/16 of a lane's unit.
        let first = Int32(((start - Double(block.pointee.sample + 1)) * scale + rounding) * 16)
        let difference = Int32(drift * scale * 16)
        for lane in 0..<BoxFilter.lanes {
            distances[lane] = Int16(truncatingIfNeeded: (first &+ difference &* Int32(lane)) &>> 4)
        }
        return true
    }

    /// The interval that the sheet covers across the motion, in luma pixels.
    var extent: (lower: Double, upper: Double) { (lower, upper) }

    /// The weight of the sheet in output sample `column`. `front` is the sheet that is blended over it afterwards; nil
    /// if there is none.
    func coverage(ofColumn column: Int, behind front: MappedRow? = nil) -> UInt16 {
        let footprint = across.footprint(column)
        return front.map { Coverage.weight(extent, behind: $0.extent, footprint) } ?? Coverage.weight(extent, footprint)
    }
}

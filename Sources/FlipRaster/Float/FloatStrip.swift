import FlipGeometry

/// What one slice sees of one sheet: a line of pixels across the motion.
protocol FloatStrip {
    /// The interval that the sheet covers across the motion, in luma pixels.
    var extent: (lower: Double, upper: Double) { get }
    /// The output pixels that the sheet covers at least partly.
    var touched: Range<Int> { get }

    /// Writes some of these output pixels as if the sheet covered them completely; number i goes to `target[i * stride]`.
    func draw(_ pixels: Range<Int>, into target: UnsafeMutablePointer<FloatPixel>, stride: Int)
}

/// A sheet as adjacent slices of one span see it (motion along x). Its picture is averaged along the motion for some slices
/// at a time.
final class FloatColumns {
    private let lines: ColumnLines
    private let taps = FloatTaps()
    private var across = Grid(.vertical, plane: 0, format: PictureFormat(components: .gray), extent: 1)
    /// The parts of the output rows in which each column moves evenly down the picture, and what it sees in their first
    /// rows, piece after piece.
    private var pieces: [Range<Int>] = []
    private var positions: [(start: Double, length: Double, step: Double)] = []
    private var columns = 0
    /// The picture's rows averaged for each slice that was fetched, slice after slice.
    private let means = Scratch<FloatPixel>()
    private let scratch = Scratch<FloatPixel>()
    private var fetched = 0..<0

    init(_ kernels: KernelTable) { lines = ColumnLines(kernels) }

    /// Prepares for `slices`, at most `MappedColumns.width`.
    func plan(
        _ slices: UnsafeBufferPointer<Slice>, of projection: Projection, _ layout: FramePlan.PlaneLayout,
        _ colors: FloatColors
    ) {
        across = layout.across
        columns = slices.count
        taps.plan(slices, of: projection, along: layout.along, colors)
        lines.plan(slices, of: projection, across: across)
        pieces.removeAll(keepingCapacity: true)
        positions.removeAll(keepingCapacity: true)
        lines.forEachPiece(of: lines.touchedRows) { rows in
            pieces.append(rows)
            for column in 0..<columns { positions.append(lines.position(ofColumn: column)) }
        }
    }

    /// The distance of two slices' means: so many pixels that they don't lie in the same few places of a cache.
    private var stride: Int { across.count & ~7 + 12 }

    /// Averages `picture` for `slices`, by their numbers.
    func fetch(_ slices: Range<Int>, of picture: FloatPicture) {
        fetched = slices
        let segment = taps.segment(slices)
        let means = means.reserve(stride * slices.count)
        for row in 0..<across.count {
            taps.average(
                picture.pixels(row, segment, scratch), from: segment.lowerBound, slices: slices, into: means + row,
                stride: stride)
        }
    }

    /// What slice `column`, which was fetched, sees.
    func strip(_ column: Int) -> Strip { Strip(sheet: self, column: column) }

    struct Strip: FloatStrip {
        let sheet: FloatColumns
        let column: Int

        var extent: (lower: Double, upper: Double) { sheet.lines.extent(ofColumn: column) }
        var touched: Range<Int> { sheet.across.footprints(touching: extent.lower, extent.upper) }

        func draw(_ pixels: Range<Int>, into target: UnsafeMutablePointer<FloatPixel>, stride: Int) {
            let line = FloatLine(
                pixels: sheet.means.start + (column - sheet.fetched.lowerBound) * sheet.stride,
                count: sheet.across.count)
            for (number, piece) in sheet.pieces.enumerated() {
                let rows = piece.clamped(to: pixels)
                if rows.isEmpty { continue }
                let position = sheet.positions[number * sheet.columns + column]
                line.filter(
                    start: position.start + Double(rows.lowerBound - piece.lowerBound) * position.step,
                    length: position.length, step: position.step, means: rows.count,
                    into: target + rows.lowerBound * stride, stride: stride)
            }
        }
    }
}

/// A sheet as one slice of an output row sees it (motion along y).
final class FloatRow: FloatStrip {
    private let row: MappedRow
    private let taps = FloatTaps()
    private let means = Scratch<FloatPixel>()
    private let scratch = Scratch<FloatPixel>()

    init(_ kernels: KernelTable) { row = MappedRow(kernels) }

    /// Prepares for `slice`; `touched` is empty if it sees nothing of the sheet.
    func plan(
        _ slice: Slice, of projection: Projection, _ layout: FramePlan.PlaneLayout, _ colors: FloatColors,
        _ picture: FloatPicture
    ) {
        row.plan(slice, of: projection, along: layout.along, across: layout.across)
        if row.columns.isEmpty { return }
        withUnsafePointer(to: slice) {
            taps.plan(UnsafeBufferPointer(start: $0, count: 1), of: projection, along: layout.along, colors)
        }
        taps.average(picture, row.segment, scratch, into: means.reserve(row.segment.count))
    }

    var extent: (lower: Double, upper: Double) { row.extent }
    var touched: Range<Int> { row.columns }

    func draw(_ pixels: Range<Int>, into target: UnsafeMutablePointer<FloatPixel>, stride: Int) {
        let line = FloatLine(pixels: means.start, count: row.segment.count)
        row.forEachRun { run in
            let columns = run.columns.clamped(to: pixels)
            if columns.isEmpty { return }
            let skipped = Double(columns.lowerBound - run.columns.lowerBound)
            line.filter(
                start: run.start - Double(row.segment.lowerBound) + skipped * run.step, length: run.length,
                step: run.step, means: columns.count, into: target + columns.lowerBound * stride, stride: stride)
        }
    }
}

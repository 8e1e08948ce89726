import FlipGeometry

/// A turned panel under a tile of slices that stand side by side (motion along x). A tile's columns are independent of
/// each other, so slices of one pixel column may stand in one tile as well.
///
/// Each row of the picture is averaged along the motion once; then each column moves down the averages.
final class MappedColumns {
    let lines: ColumnLines
    private let taps = ColumnTaps()
    private let rows: AveragedRows
    /// One line for each row of a band.
    private let line = Scratch<UInt16>()

    /// Columns of a tile at most: whole blocks.
    static let width = 256

    init(_ level: KernelLevel) {
        lines = ColumnLines(level)
        rows = AveragedRows(level)
    }

    /// Prepares for `slices` of `projection` on planes with the given grids, of `depth` bits a sample.
    func plan(
        _ slices: UnsafeBufferPointer<Slice>, of projection: Projection, along: Grid, across: Grid, depth: Int
    ) {
        precondition(slices.count <= MappedColumns.width)
        taps.plan(slices, of: projection, along: along, depth: depth)
        lines.plan(slices, of: projection, across: across)
        line.reserve(MappedColumns.width * ColumnLines.mostRows)
    }

    /// Turns to `plane`; `shadow` is the shadow colour's component.
    func fetch(_ plane: PlaneView, depth: Int, shadow: UInt16) {
        lines.rewind()
        rows.begin(plane, depth: depth, shadow: shadow, taps)
    }

    /// Calls `body` with the panel as each of some consecutive output rows sees it, as wide samples; beyond the panel's ends
    /// its outermost samples extend. Rows are asked for from the top down.
    @inline(__always)
    func forEachLine(_ wanted: Range<Int>, _ body: (_ row: Int, _ line: UnsafeMutablePointer<UInt16>) -> Void) {
        let (line, stride) = (line.start, taps.columns)
        var next = wanted.lowerBound
        while next < wanted.upperBound {
            let band = lines.band(of: next..<wanted.upperBound)
            lines.filter(band: band, of: rows, into: line)
            for row in band { body(row, line + (row - next) * stride) }
            next = band.upperBound
        }
    }
}

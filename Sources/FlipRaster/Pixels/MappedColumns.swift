import FlipGeometry

/// A turned sheet as a tile of adjacent slices sees it (motion along x). The columns of a tile are independent of each
/// other, so slices of the same pixel column can be in one tile as well.
///
/// Each row of the picture is averaged along the motion once; then each column is filtered down the averages.
final class MappedColumns {
    let lines: ColumnLines
    private let taps = ColumnTaps()
    private let rows: AveragedRows
    /// The filtered lines of a band, one per row.
    private let line = Scratch<UInt16>()

    /// The maximum number of columns in a tile: a whole number of blocks.
    static let width = 256

    init(_ kernels: KernelTable) {
        lines = ColumnLines(kernels)
        rows = AveragedRows(kernels)
    }

    /// Prepares for `slices` of `projection` on planes with the given grids and `depth` bits per sample.
    func plan(_ slices: UnsafeBufferPointer<Slice>, of projection: Projection, along: Grid, across: Grid, depth: Int) {
        precondition(slices.count <= MappedColumns.width)
        taps.plan(slices, of: projection, along: along, depth: depth)
        lines.plan(slices, of: projection, across: across)
        line.reserve(MappedColumns.width * ColumnLines.maxRows)
    }

    /// Prepares for `plane` with these colors of the light.
    func fetch(_ plane: PlaneView, depth: Int, _ colors: LightColors) {
        lines.rewind()
        rows.begin(plane, depth: depth, colors, taps)
    }

    /// Calls `body` with each of the output rows `wanted` of the sheet, as wide samples; beyond the sheet's ends, its
    /// outermost samples repeat. Rows are requested from top to bottom.
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

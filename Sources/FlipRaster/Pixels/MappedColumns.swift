import FlipGeometry

/// A turned panel under a tile of slices that stand side by side (motion along x). A tile's columns are independent of
/// each other, so slices of one pixel column may stand in one tile as well.
///
/// Where every column averages at most four samples of 8 bits along the motion, each output sample is fetched from the
/// picture's rows directly; steeper panels and deeper samples average each row along the motion once, and then move along
/// the columns of that.
final class MappedColumns {
    let lines = ColumnLines()
    private let taps = ColumnTaps()
    private let direct = DirectColumns()
    private let averaged = AveragedColumns()
    private var isGentle = false
    private var isDirect = false
    private let line = Scratch<UInt16>()

    /// Columns of a tile at most.
    static let width = 256

    /// Prepares for `slices` of `projection` on planes with the given grids.
    func plan(_ slices: UnsafeBufferPointer<Slice>, of projection: Projection, along: Grid, across: Grid) {
        precondition(slices.count <= MappedColumns.width)
        taps.plan(slices, of: projection, along: along)
        lines.plan(slices, of: projection, across: across)
        isGentle = taps.groups == 1 && along.count >= 4
        line.reserve(MappedColumns.width)
        if isGentle { direct.plan(taps) }
    }

    /// Turns to `plane`; `shadow` is the shadow colour's component.
    func fetch(_ plane: PlaneView, depth: Int, shadow: UInt16) {
        lines.rewind()
        isDirect = isGentle && depth == 8
        if isDirect {
            direct.fetch(plane, shadow: shadow, taps, lines)
        } else {
            averaged.fetch(plane, depth: depth, shadow: shadow, taps, lines)
        }
    }

    /// Calls `body` with the panel as each of some consecutive output rows sees it; beyond the panel's ends its outermost
    /// samples extend.
    func forEachLine(_ rows: Range<Int>, _ body: (_ row: Int, _ line: UnsafeMutablePointer<UInt16>) -> Void) {
        for row in rows {
            lines.advance(to: row)
            if isDirect {
                direct.draw(taps, lines, into: line.start)
            } else {
                averaged.draw(lines, count: taps.count, into: line.start)
            }
            body(row, line.start)
        }
    }
}

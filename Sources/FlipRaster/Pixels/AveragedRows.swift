/// The rows of a picture as the columns of a tile see them: each averaged along the motion, once, when it is first needed. A
/// window of them slides down the picture.
final class AveragedRows {
    /// Averages from one row of the window to the next.
    private(set) var stride = 0
    /// The rows held, counted in the picture; outside it, the outermost repeat.
    private var held = 0..<0
    /// The row at the buffer's start.
    private var base = 0
    private var capacity = 0
    private let buffer = Scratch<Int16>()
    private let level: KernelLevel

    private var plane: PlaneView?
    private var depth = 8
    private var taps: Averages.Taps?
    /// Two rows that are too short to be read in place, with zeros behind them.
    private let padded = Scratch<UInt16>()
    private var isPadded = false
    private var shortestRow = 0

    /// The samples of a row that any column sees.
    private var segment = 0..<0

    init(_ level: KernelLevel) { self.level = level }

    /// Turns to `plane`; `shadow` is the shadow colour's component.
    func begin(_ plane: PlaneView, depth: Int, shadow: UInt16, _ taps: ColumnTaps) {
        self.plane = plane
        self.depth = depth
        self.taps = taps.taps(shadow: shadow, depth: depth)
        segment = taps.segment
        stride = taps.columns
        capacity = 0
        held = 0..<0
        isPadded = plane.width < taps.shortestRow
        shortestRow = taps.shortestRow
        if isPadded { padded.reserve(2 * shortestRow).update(repeating: 0, count: 2 * shortestRow) }
    }

    /// Where the averages of `row`, which the window holds, begin.
    @inline(__always)
    func averages(ofRow row: Int) -> UnsafePointer<Int16> { UnsafePointer(buffer.start + (row &- base) &* stride) }

    /// Slides the window down until it holds `rows`. Where they go back behind it, it begins anew.
    func advance(to rows: ClosedRange<Int>) {
        if !held.isEmpty && rows.lowerBound >= base && rows.upperBound < held.upperBound { return }
        // The first row of the next call may be one higher than this one's, because its place is rounded anew; and rows are
        // averaged in pairs, so one more may come at the end.
        let first = rows.lowerBound - 1
        let needed = rows.upperBound + 2 - first
        if needed > capacity {
            // Twice the window, so that a row is moved once for each time it is averaged, at most.
            capacity = 2 * needed
            buffer.reserve(capacity * stride)
            held = 0..<0
        }
        if held.isEmpty || rows.lowerBound < base || first >= held.upperBound {
            base = first
            held = base..<base
        } else if rows.upperBound + 1 - base >= capacity {
            buffer.start.update(from: buffer.start + (first - base) * stride, count: (held.upperBound - first) * stride)
            base = first
        }
        guard let plane, let taps else { return }
        // Two at a time, so that what is looked up for columns serves both.
        while held.upperBound <= rows.upperBound {
            let row = held.upperBound
            let target = buffer.start + (row - base) * stride
            let ahead = plane.base + min(row + Prefetch.rowsAhead, plane.height - 1) * plane.stride
            Prefetch.row(ahead, segment, depth: depth)
            Prefetch.row(
                ahead + (row + Prefetch.rowsAhead + 1 < plane.height ? plane.stride : 0), segment, depth: depth)
            Averages.gather(
                source(row, plane, 0), next: source(row + 1, plane, 1), depth: depth, taps, level: level,
                into: target)
            held = base..<(row + 2)
        }
    }

    /// Where `row` of the picture can be read; outside it, the outermost repeat. `slot`, 0 or 1, is where it is kept if it is
    /// too short.
    private func source(_ row: Int, _ plane: PlaneView, _ slot: Int) -> UnsafeRawPointer {
        let source = UnsafeRawPointer(plane.base + min(max(row, 0), plane.height - 1) * plane.stride)
        if !isPadded { return source }
        let copy = UnsafeMutableRawPointer(padded.start + slot * shortestRow)
        copy.copyMemory(from: source, byteCount: plane.width * (depth > 8 ? 2 : 1))
        return UnsafeRawPointer(copy)
    }
}

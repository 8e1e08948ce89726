/// The rows of a picture, averaged along the motion for the columns of a tile. Each row is averaged once, when it is
/// first needed. A window of averaged rows slides down the picture.
final class AveragedRows {
    /// The number of averages from one row of the window to the next.
    private(set) var stride = 0
    /// The rows of the picture that the window holds; beyond the picture, its outermost rows repeat.
    private var held = 0..<0
    /// The row at the start of the buffer.
    private var base = 0
    private var capacity = 0
    private let buffer = Scratch<Int16>()
    private let kernels: KernelTable

    private var plane: PlaneView?
    private var depth = 8
    private var taps: Averages.Taps?
    /// Copies of two rows that are too short to be read in place, padded with zeros.
    private let padded = Scratch<UInt16>()
    private var isPadded = false
    private var shortestRow = 0

    /// The range of samples in a row that the columns read.
    private var segment = 0..<0

    init(_ kernels: KernelTable) { self.kernels = kernels }

    /// Prepares for `plane` with these colors of the light.
    func begin(_ plane: PlaneView, depth: Int, _ colors: LightColors, _ taps: ColumnTaps) {
        (self.plane, self.depth) = (plane, depth)
        self.taps = taps.taps(colors, depth: depth)
        segment = taps.segment
        stride = taps.columns
        capacity = 0
        held = 0..<0
        isPadded = plane.width < taps.shortestRow
        shortestRow = taps.shortestRow
        if isPadded { padded.reserve(2 * shortestRow).update(repeating: 0, count: 2 * shortestRow) }
    }

    /// The averages of `row`, which the window must hold.
    @inline(__always)
    func averages(ofRow row: Int) -> UnsafePointer<Int16> { UnsafePointer(buffer.start + (row &- base) &* stride) }

    /// Slides the window down until it holds `rows`; starts a new window if they lie above it.
    func advance(to rows: ClosedRange<Int>) {
        if !held.isEmpty && rows.lowerBound >= base && rows.upperBound < held.upperBound { return }
        // The first row of the next call may be one higher than this one's, because positions are rounded again. And
        // rows are averaged in pairs, so one more may come at the end.
        let first = rows.lowerBound - 1
        let needed = rows.upperBound + 2 - first
        if needed > capacity {
            // Room for twice the window, so that on average a row is moved at most once.
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
        let average = kernels.average
        // Two rows at a time, so that the columns' taps are loaded once for both.
        while held.upperBound <= rows.upperBound {
            let row = held.upperBound
            let target = buffer.start + (row - base) * stride
            let ahead = plane.base + min(row + Prefetch.rowsAhead, plane.height - 1) * plane.stride
            Prefetch.row(ahead, segment, depth: depth)
            Prefetch.row(
                ahead + (row + Prefetch.rowsAhead + 1 < plane.height ? plane.stride : 0), segment, depth: depth)
            average(source(row, plane, 0), source(row + 1, plane, 1), depth, taps, target)
            held = base..<(row + 2)
        }
    }

    /// The samples of `row`; beyond the picture, its outermost rows repeat. A row that is too short is copied to
    /// `slot`, 0 or 1, of `padded`.
    private func source(_ row: Int, _ plane: PlaneView, _ slot: Int) -> UnsafeRawPointer {
        let source = UnsafeRawPointer(plane.base + min(max(row, 0), plane.height - 1) * plane.stride)
        if !isPadded { return source }
        let copy = UnsafeMutableRawPointer(padded.start + slot * shortestRow)
        copy.copyMemory(from: source, byteCount: plane.width * (depth > 8 ? 2 : 1))
        return UnsafeRawPointer(copy)
    }
}

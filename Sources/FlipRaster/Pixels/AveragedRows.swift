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

    private var plane: PlaneView?
    private var depth = 8
    private var taps: Averages.Taps?
    /// A row that is too short to be read in place, with zeros behind it.
    private let padded = Scratch<UInt16>()
    private var isPadded = false

    /// Turns to `plane`, with a window of `rows` rows; `shadow` is the shadow colour's component.
    func begin(_ plane: PlaneView, depth: Int, shadow: UInt16, rows: Int, _ taps: ColumnTaps) {
        self.plane = plane
        self.depth = depth
        self.taps = taps.taps(shadow: shadow, depth: depth)
        stride = taps.columns
        // Twice the window, so that a row is moved once for each time it is averaged, at most.
        capacity = 2 * rows + 6
        buffer.reserve(capacity * stride)
        held = 0..<0
        isPadded = plane.width < taps.shortestRow
        if isPadded { padded.reserve(taps.shortestRow).update(repeating: 0, count: taps.shortestRow) }
    }

    /// Where the averages of `row`, which the window holds, begin.
    @inline(__always)
    func averages(ofRow row: Int) -> UnsafePointer<Int16> { UnsafePointer(buffer.start + (row &- base) &* stride) }

    /// Slides the window down until it holds `rows`; rows never go back.
    func advance(to rows: ClosedRange<Int>) {
        if rows.upperBound < held.upperBound { return }
        // One more than asked for, because rounding may let the next first row be one before.
        let first = rows.lowerBound - 1
        if held.isEmpty || first >= held.upperBound {
            base = first
            held = base..<base
        } else if rows.upperBound - base >= capacity {
            buffer.start.update(from: buffer.start + (first - base) * stride, count: (held.upperBound - first) * stride)
            base = first
        }
        guard let plane, let taps else { return }
        for row in held.upperBound...rows.upperBound {
            let target = buffer.start + (row - base) * stride
            if row > base && (row <= 0 || row >= plane.height) {
                // The outermost row once more.
                target.update(from: target - stride, count: stride)
                continue
            }
            var source = UnsafeRawPointer(plane.base + min(max(row, 0), plane.height - 1) * plane.stride)
            if isPadded {
                let copy = UnsafeMutableRawPointer(padded.start)
                copy.copyMemory(from: source, byteCount: plane.width * (depth > 8 ? 2 : 1))
                source = UnsafeRawPointer(copy)
            }
            Averages.gather(source, depth: depth, taps, into: target)
        }
        held = base..<(rows.upperBound + 1)
    }
}

/// A tile of a panel whose columns average at most four samples of 8 bits along the motion: each output sample is made of
/// four neighbours in each of the rows it sees, fetched from the picture as they lie there.
final class DirectColumns {
    // Weights of the taps, for lanes of 16 bits: of the first and third tap of each column, and of the second and fourth.
    private let evenWeights = Scratch<UInt16>()
    private let oddWeights = Scratch<UInt16>()
    /// The shadow colour's part in each column.
    private let bias = Scratch<UInt16>()
    /// Where each column's taps begin in a row, in bytes.
    private let starts = Scratch<Int>()
    /// Where the rows that can be seen begin, in bytes, from the row before the first.
    private let rowStarts = Scratch<Int>()
    private var base = UnsafeRawPointer(bitPattern: 1)!

    // Four neighbours of each column, in a row and in the next one.
    private let upper = Scratch<UInt32>()
    private let lower = Scratch<UInt32>()

    func plan(_ taps: ColumnTaps) {
        let weights = taps.weights.start
        let (even, odd) = (evenWeights.reserve(2 * taps.count), oddWeights.reserve(2 * taps.count))
        for pair in 0..<(2 * taps.count) {
            even[pair] = weights[2 * pair]
            odd[pair] = weights[2 * pair + 1]
        }
    }

    /// Turns to `plane`; `shadow` is the shadow colour's component.
    func fetch(_ plane: PlaneView, shadow: UInt16, _ taps: ColumnTaps, _ lines: ColumnLines) {
        base = UnsafeRawPointer(plane.base)
        let (starts, bias) = (starts.reserve(taps.count), bias.reserve(taps.count))
        for column in 0..<taps.count {
            starts[column] = (taps.segment.lowerBound + Int(taps.starts.start[column]))
            bias[column] = Wide.scale(shadow, taps.shaded.start[column])
        }
        let count = lines.rows.count + lines.boxes.taps + 2
        let rowStarts = rowStarts.reserve(count)
        for index in 0..<count {
            let row = min(max(lines.rows.lowerBound + index - 1, 0), plane.height - 1)
            rowStarts[index] = row * plane.stride
        }
        upper.reserve(taps.count)
        lower.reserve(taps.count)
    }

    /// Writes the panel as the row that `lines` stands at sees it.
    func draw(_ taps: ColumnTaps, _ lines: ColumnLines, into line: UnsafeMutablePointer<UInt16>) {
        let weights = lines.boxes.weights
        let count = taps.count
        for tap in stride(from: 0, to: weights.taps, by: 2) {
            weights.weigh(tap, fractions: lines.fractions.start, count: count)
            if tap == 0 { line.update(from: bias.start, count: count) }
            if tap + 1 == weights.taps {
                addLast(tap, lines.positions, weights.weights, count: count, to: line)
            } else {
                addTwo(tap, lines.positions, weights.weights, count: count, to: line)
            }
        }
    }

    /// Adds taps `tap` and `tap + 1` across the motion.
    private func addTwo(
        _ tap: Int, _ positions: UnsafePointer<Int32>, _ rowWeights: UnsafeMutablePointer<UInt32>, count: Int,
        to line: UnsafeMutablePointer<UInt16>
    ) {
        let (starts, base) = (starts.start, base)
        let rowStarts = rowStarts.start + 1 + tap
        let (even, odd) = (evenWeights.start, oddWeights.start)
        let (upper, lower) = (upper.start, lower.start)
        for column in 0..<count {
            let row = Int(positions[column] &>> 16)
            let start = starts[column]
            upper[column] = base.loadUnaligned(fromByteOffset: rowStarts[row] &+ start, as: UInt32.self)
            lower[column] = base.loadUnaligned(fromByteOffset: rowStarts[row &+ 1] &+ start, as: UInt32.self)
        }
        DirectColumns.weighBytes(upper, even, odd, count: count)
        DirectColumns.weighBytes(lower, even, odd, count: count)
        for column in 0..<count {
            let weights = rowWeights[column]
            let first = Wide.scale(Wide.sum(upper[column]), UInt16(truncatingIfNeeded: weights))
            let second = Wide.scale(Wide.sum(lower[column]), UInt16(truncatingIfNeeded: weights &>> 16))
            line[column] &+= first &+ second
        }
    }

    /// Adds tap `tap` alone.
    private func addLast(
        _ tap: Int, _ positions: UnsafePointer<Int32>, _ rowWeights: UnsafeMutablePointer<UInt32>, count: Int,
        to line: UnsafeMutablePointer<UInt16>
    ) {
        let (starts, base, rowStarts) = (starts.start, base, rowStarts.start + 1 + tap)
        let fours = upper.start
        for column in 0..<count {
            let start = rowStarts[Int(positions[column] &>> 16)] &+ starts[column]
            fours[column] = base.loadUnaligned(fromByteOffset: start, as: UInt32.self)
        }
        DirectColumns.weighBytes(fours, evenWeights.start, oddWeights.start, count: count)
        for column in 0..<count {
            line[column] &+= Wide.scale(Wide.sum(fours[column]), UInt16(truncatingIfNeeded: rowWeights[column]))
        }
    }

    /// Turns four bytes into two sums of two weighted samples.
    @inline(__always)
    private static func weighBytes(
        _ fours: UnsafeMutablePointer<UInt32>, _ even: UnsafePointer<UInt16>, _ odd: UnsafePointer<UInt16>, count: Int
    ) {
        UnsafeMutableRawPointer(fours).withMemoryRebound(to: UInt16.self, capacity: 2 * count) { lanes in
            for lane in 0..<(2 &* count) {
                let two = lanes[lane]
                lanes[lane] = Wide.scale(two &<< 8, even[lane]) &+ Wide.scale(two & 0xFF00, odd[lane])
            }
        }
    }
}

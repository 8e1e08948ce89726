/// A tile of a steep panel, drawn in two steps: `fetch` averages each row of the picture along the motion, once; `draw`
/// then takes each column's rows from that.
final class AveragedColumns {
    /// Pairs of each of the picture's rows with the next one, after one more row before and followed by more than any
    /// column can reach, which repeat the outermost; `MappedColumns.width` pairs each.
    private let fetched = Scratch<UInt32>()
    private let rows = Scratch<UInt16>()
    private let wideRow = Scratch<UInt16>()
    private let gathered = Scratch<UInt64>()
    private let pairs = Scratch<UInt32>()

    /// Averages the rows of `plane` that `lines` sees; `shadow` is the shadow colour's component.
    func fetch(_ plane: PlaneView, depth: Int, shadow: UInt16, _ taps: ColumnTaps, _ lines: ColumnLines) {
        let segment = taps.segment
        let available = min(segment.upperBound, plane.width) - segment.lowerBound
        let wide = wideRow.reserve(segment.count)
        (wide + available).update(repeating: 0, count: segment.count - available)
        gathered.reserve(taps.count)
        pairs.reserve(taps.count)
        let width = MappedColumns.width
        var target = fetched.reserve((lines.rows.count + lines.boxes.taps + 2) * width)
        var previous = rows.reserve(2 * width)
        var next = previous + width
        for row in lines.rows {
            let source = plane.base + row * plane.stride
            Wide.load(source, from: segment.lowerBound, count: available, depth: depth, into: wide)
            average(wide, shadow: shadow, taps, into: next)
            if row == lines.rows.lowerBound { previous.update(from: next, count: taps.count) }
            Wide.interleave(previous, next, count: taps.count, into: target)
            target += width
            swap(&previous, &next)
        }
        for _ in 0...lines.boxes.taps {
            Wide.interleave(previous, previous, count: taps.count, into: target)
            target += width
        }
    }

    /// One row: for each column the weighted sum of its taps and of the shadow colour.
    private func average(
        _ row: UnsafePointer<UInt16>, shadow: UInt16, _ taps: ColumnTaps, into target: UnsafeMutablePointer<UInt16>
    ) {
        let (count, starts, shaded, gathered) = (taps.count, taps.starts.start, taps.shaded.start, gathered.start)
        let source = UnsafeRawPointer(row)
        for column in 0..<count { target[column] = Wide.scale(shadow, shaded[column]) }
        for group in 0..<taps.groups {
            let weights = taps.weights.start + group * count * 4
            let groupSource = source + 8 * group
            for column in 0..<count {
                gathered[column] = groupSource.loadUnaligned(fromByteOffset: 2 &* Int(starts[column]), as: UInt64.self)
            }
            UnsafeMutableRawPointer(gathered).withMemoryRebound(to: UInt16.self, capacity: count * 4) { lanes in
                for lane in 0..<(count &* 4) { lanes[lane] = Wide.scale(lanes[lane], weights[lane]) }
            }
            for column in 0..<count { target[column] &+= Wide.sum(gathered[column]) }
        }
    }

    /// Writes the panel as the row that `lines` stands at sees it.
    func draw(_ lines: ColumnLines, count: Int, into line: UnsafeMutablePointer<UInt16>) {
        let weights = lines.boxes.weights
        let (positions, pairs) = (lines.positions, pairs.start)
        // The pair at row k of `rows` is one row further on.
        let fetched = UnsafePointer(fetched.start + MappedColumns.width)
        for tap in stride(from: 0, to: weights.taps, by: 2) {
            weights.weigh(tap, fractions: lines.fractions.start, count: count)
            let source = fetched + tap &* MappedColumns.width
            for column in 0..<count {
                pairs[column] = source[Int(positions[column] &>> 16) &* MappedColumns.width &+ column]
            }
            Wide.weigh(pairs, by: weights.weights, count: count, adds: tap > 0, into: line)
        }
    }
}

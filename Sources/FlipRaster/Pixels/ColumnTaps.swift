import FlipGeometry

/// Which samples of a picture's row each column of a tile averages along the motion, and with which weights. Taps come in
/// groups of four, because four neighbours are fetched at one go.
final class ColumnTaps {
    private(set) var count = 0
    /// Groups of four taps that the column with most needs.
    private(set) var groups = 0
    /// The samples of the row that any column sees, as far as whole groups reach; its end may lie beyond the row's.
    private(set) var segment = 0..<0
    /// The first tap of each column, counted from the segment's start.
    let starts = Scratch<Int32>()
    /// [group][column][tap].
    let weights = Scratch<UInt16>()
    /// The shadow colour's part in each column.
    let shaded = Scratch<UInt16>()

    func plan(_ slices: UnsafeBufferPointer<Slice>, of projection: Projection, along: Grid) {
        count = slices.count
        let starts = starts.reserve(count)
        var most = 1
        var lowest = Int.max
        for (column, slice) in slices.enumerated() {
            let taps = SliceTaps(slice, of: projection, grid: along)
            starts[column] = Int32(taps.first)
            lowest = min(lowest, taps.first)
            most = max(most, taps.count)
        }
        groups = (most + 3) / 4
        // One group can be fetched from the row itself if it begins early enough to end within it.
        let latest = groups == 1 && along.count >= 4 ? along.count - 4 : Int.max
        lowest = min(lowest, latest)
        let weights = weights.reserve(groups * count * 4)
        weights.update(repeating: 0, count: groups * count * 4)
        let shaded = shaded.reserve(count)
        var highest = lowest
        for (column, slice) in slices.enumerated() {
            let taps = SliceTaps(slice, of: projection, grid: along)
            let first = min(taps.first, latest)
            let shadedPart = taps.forEach { index, part in
                let tap = index - first
                weights[((tap / 4) * count + column) * 4 + tap % 4] = Wide.weight(part)
            }
            shaded[column] = Wide.weight(shadedPart)
            starts[column] = Int32(first - lowest)
            highest = max(highest, first)
        }
        segment = lowest..<(highest + 4 * groups)
    }
}

/// The innermost loops in the version of one level. All versions produce the same bytes: those of the definitions.
package struct KernelTable: Sendable {
    /// Does what `Averages.define` does, for two rows: `averages` gets those of all columns in `row`, then those in `next`.
    package let average:
        @Sendable (
            _ row: UnsafeRawPointer, _ next: UnsafeRawPointer, _ depth: Int, _ taps: Averages.Taps,
            _ averages: UnsafeMutablePointer<Int16>
        ) -> Void

    /// Does what `Averages.defineSum` does, for the first `count` samples.
    package let sum: @Sendable (_ rows: Averages.Rows, _ count: Int, _ averages: UnsafeMutablePointer<Int16>) -> Void

    /// Does what `BoxFilter.defineMeans` does.
    package let means:
        @Sendable (
            _ samples: UnsafePointer<Int16>, _ stride: Int, _ step: Int, _ block: UnsafeMutablePointer<BoxFilter.Block>,
            _ count: Int, _ lines: UnsafeMutablePointer<UInt16>, _ lineStride: Int
        ) -> Void

    /// Does what `WindowMeans.define` does.
    package let windows:
        @Sendable (
            _ base: UnsafeRawPointer, _ stride: Int, _ depth: Int, _ windows: WindowMeans.Windows,
            _ line: UnsafeMutablePointer<UInt16>
        ) -> Void

    /// Does what `WindowPlaces.define` does. There is room for eight more windows, which may be set to anything.
    package let places: @Sendable (_ row: WindowPlaces.Row, _ windows: WindowPlaces, _ count: Int) -> Void

    /// Does what `CurvedPlaces.define` does. There are eight more samples, whose sights may be set to anything.
    package let locate: @Sendable (_ places: CurvedPlaces, _ sights: CurvedPlaces.Sights, _ count: Int) -> Void

    /// Does what `Wide.shade` does for 8 bits, to `row`.
    package let shade:
        @Sendable (
            _ source: UnsafePointer<UInt8>, _ count: Int, _ keep: UInt16, _ tint: UInt16,
            _ row: UnsafeMutablePointer<UInt8>
        ) -> Void

    /// Does what `Wide.store` does, to the samples that begin at `row`.
    package let store:
        @Sendable (_ line: UnsafePointer<UInt16>, _ count: Int, _ depth: Int, _ row: UnsafeMutableRawPointer) -> Void

    /// Does what `BoxFilter.defineExactMeans` does.
    package let exactMeans:
        @Sendable (
            _ samples: UnsafePointer<Int16>, _ stride: Int, _ boundaries: Int, _ intervals: BoxFilter.Intervals,
            _ line: UnsafeMutablePointer<UInt16>
        ) -> Void

    /// Does what `ColumnLines.defineBlock` does.
    package let rebase:
        @Sendable (
            _ starts: UnsafePointer<Double>, _ lengths: UnsafePointer<Double>, _ slopes: UnsafePointer<Double>,
            _ rows: Double, _ block: UnsafeMutablePointer<BoxFilter.Block>
        ) -> Void

    /// Does what `SliceGroups.definePairs` does.
    package let addPairs:
        @Sendable (
            _ line: UnsafePointer<UInt16>, _ weights: UnsafePointer<UInt16>, _ count: Int,
            _ sums: UnsafeMutablePointer<UInt32>
        ) -> Void

    /// Does what `Wide.accumulate` does.
    package let accumulate:
        @Sendable (
            _ line: UnsafePointer<UInt16>, _ weight: UInt16, _ count: Int, _ sums: UnsafeMutablePointer<UInt32>
        ) -> Void

    /// The definitions.
    static let scalar = KernelTable(
        average: { row, next, depth, taps, averages in
            Averages.define(row, depth: depth, taps, into: averages)
            Averages.define(next, depth: depth, taps, into: averages + taps.columns)
        },
        sum: { rows, count, averages in Averages.defineSum(rows, 0..<count, into: averages) },
        means: { samples, stride, step, block, count, lines, lineStride in
            BoxFilter.defineMeans(
                of: samples, stride: stride, step: step, block, count: count, into: lines, lineStride: lineStride)
        },
        windows: { base, stride, depth, windows, line in
            WindowMeans.define(base, stride: stride, depth: depth, windows, into: line)
        },
        places: { row, windows, count in WindowPlaces.define(row, windows, count: count) },
        locate: { places, sights, count in CurvedPlaces.define(places, sights, count: count) },
        shade: { source, count, keep, tint, row in Wide.shade(source, count: count, keep, tint, into: row) },
        store: { line, count, depth, row in Wide.store(line, count: count, depth: depth, into: row, from: 0) },
        exactMeans: { samples, stride, boundaries, intervals, line in
            BoxFilter.defineExactMeans(of: samples, stride: stride, boundaries: boundaries, intervals, into: line)
        },
        rebase: { starts, lengths, slopes, rows, block in
            ColumnLines.defineBlock(starts, lengths, slopes, rows: rows, block)
        },
        addPairs: { line, weights, count, sums in SliceGroups.definePairs(line, weights, count: count, onto: sums) },
        accumulate: { line, weight, count, sums in Wide.accumulate(line, weight: weight, onto: sums, count: count) })
}

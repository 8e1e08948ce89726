#if arch(x86_64) || arch(arm64)
    import CKernels

    /// The loops for which `CKernels` has functions of the same names for x86-64 and for 64-bit ARM.
    extension KernelTable {
        static func average(
            _ row: UnsafeRawPointer, _ next: UnsafeRawPointer, _ depth: Int, _ taps: Averages.Taps,
            _ averages: UnsafeMutablePointer<Int16>
        ) {
            let (narrowing, shift) = (Int32(Averages.narrowing(depth: depth)), Int32(Averages.shift(depth: depth)))
            let most = Int32(1 << depth - 1)
            let rows = (row.assumingMemoryBound(to: UInt8.self), next.assumingMemoryBound(to: UInt8.self))
            if taps.count == 4, let weights = taps.quads {
                flip_average_quads(
                    rows.0, rows.1, taps.places, taps.shuffles, weights, taps.bias, Int64(taps.columns), most,
                    narrowing, shift, averages)
                return
            }
            if taps.count == 4 {
                flip_average_pairs(
                    rows.0, rows.1, taps.places, taps.shuffles, taps.weights, taps.bias, Int64(taps.columns / 2),
                    most, narrowing, shift, averages)
                return
            }
            if taps.count == 8 {
                flip_average_eights(
                    rows.0, rows.1, depth > 8, taps.starts, taps.weights, taps.bias, Int64(taps.columns), most,
                    narrowing, shift, averages)
                return
            }
            for (row, averages) in [(rows.0, averages), (rows.1, averages + taps.columns)] {
                flip_average_columns(
                    row, depth > 8, taps.starts, taps.weights, taps.bias, Int64(taps.columns), Int64(taps.count),
                    most, narrowing, shift, averages)
            }
        }

        static func sum(_ rows: Averages.Rows, _ count: Int, _ averages: UnsafeMutablePointer<Int16>) {
            // The function works on sixteen samples at a time.
            guard count >= 16 else { return Averages.defineSum(rows, 0..<count, into: averages) }
            flip_sum_rows(
                rows.rows, rows.weights, Int64((rows.count + 1) / 2), rows.depth > 8, rows.bias,
                Int32(1 << rows.depth - 1), Int32(Averages.narrowing(depth: rows.depth)),
                Int32(Averages.shift(depth: rows.depth)), Int64(count), averages)
        }

        static func means(
            _ samples: UnsafePointer<Int16>, _ stride: Int, _ step: Int, _ block: UnsafeMutablePointer<BoxFilter.Block>,
            _ count: Int, _ lines: UnsafeMutablePointer<UInt16>, _ lineStride: Int
        ) {
            withUnsafeMutablePointer(to: &block.pointee.seen) { seen in
                seen.withMemoryRebound(to: Int64.self, capacity: 4) { seen in
                    withUnsafeMutablePointer(to: &block.pointee.sample) { sample in
                        sample.withMemoryRebound(to: Int64.self, capacity: 1) { sample in
                            flip_means(
                                samples, Int64(stride), Int64(step), seen, sample,
                                BoxFilter.lanes(block, \.distances), BoxFilter.lanes(block, \.moves),
                                BoxFilter.lanes(block, \.spacings), Int64(count), lines, Int64(lineStride))
                        }
                    }
                }
            }
        }

        static func windows(
            _ base: UnsafeRawPointer, _ stride: Int, _ depth: Int, _ windows: WindowMeans.Windows,
            _ line: UnsafeMutablePointer<UInt16>
        ) {
            // The function works on four windows at a time.
            guard windows.count >= 4 else {
                return WindowMeans.define(base, stride: stride, depth: depth, windows, into: line)
            }
            flip_windows(
                base.assumingMemoryBound(to: UInt8.self), Int64(stride), depth > 8, Int32(1 << depth - 1),
                Int32(Averages.narrowing(depth: depth)), WindowMeans.shift(depth: depth), windows.columns,
                windows.rows, windows.places, windows.weights, Int32(windows.taps), Int64(windows.count), line)
        }
    }
#endif

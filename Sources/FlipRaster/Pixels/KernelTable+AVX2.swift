#if arch(x86_64)
    import CKernels

    extension KernelTable {
        /// `CKernels`, for processors with AVX2.
        static let avx2 = KernelTable(
            average: average, sum: sum, means: means, windows: windows,
            places: { row, windows, count in
                withUnsafePointer(to: (row.start.x, row.start.y, row.step.x, row.step.y)) { numbers in
                    numbers.withMemoryRebound(to: Double.self, capacity: 4) { numbers in
                        flip_place_windows(
                            numbers, numbers + 2, row.phases.bits, row.phases.size, row.table, Int64(count),
                            windows.columns, windows.rows, windows.places)
                    }
                }
            },
            locate: { places, sights, count in
                func pair(_ vector: SIMD2<Float>) -> (Float, Float) { (vector.x, vector.y) }
                var curved = flip_curved(
                    scales: places.scale.values, shifts: places.shift.values, x: places.x, half_x: places.halfX,
                    half_y: places.halfY, tables: places.tables, scale_stride: Int64(places.scale.stride),
                    shift_stride: Int64(places.shift.stride), scale_part: places.scale.part,
                    shift_part: places.shift.part, shift_bend: places.shift.bend, y: places.y,
                    viewpoint: pair(places.viewpoint), normal: pair(places.normal), low: pair(places.low),
                    high: pair(places.high), window_scale: pair(places.windowScale),
                    window_start: pair(places.windowStart), most: pair(places.most), bits: places.phases.bits,
                    size: places.phases.size)
                let windows = sights.windows
                flip_locate(
                    &curved, Int64(count), sights.inner, sights.outer, windows.columns, windows.rows, windows.places)
            },
            shade: { source, count, keep, tint, row in
                // The function works on 32 samples at a time.
                guard count >= 32 else { return Wide.shade(source, count: count, keep, tint, into: row) }
                flip_shade(source, Int64(count), keep, tint, row)
            },
            store: { line, count, depth, row in
                // The function works on 32 samples at a time.
                guard count >= 32 else { return Wide.store(line, count: count, depth: depth, into: row, from: 0) }
                flip_store(line, Int64(count), Int32(depth), row.assumingMemoryBound(to: UInt8.self))
            },
            exactMeans: { samples, stride, boundaries, intervals, line in
                flip_exact_means(
                    samples, Int64(stride), Int64(boundaries), intervals.starts, intervals.lengths, intervals.slopes,
                    intervals.since, intervals.boundary, line)
            },
            rebase: { starts, lengths, slopes, rows, block in
                withUnsafeTemporaryAllocation(of: Double.self, capacity: 5) { extremes in
                    withUnsafeMutablePointer(to: &block.pointee.seen) { seen in
                        seen.withMemoryRebound(to: Int64.self, capacity: 4) { seen in
                            withUnsafeMutablePointer(to: &block.pointee.sample) { sample in
                                sample.withMemoryRebound(to: Int64.self, capacity: 1) { sample in
                                    flip_rebase(
                                        starts, lengths, slopes, rows, ColumnLines.band(rows),
                                        Double(ColumnLines.maxRows),
                                        seen, sample, BoxFilter.lanes(block, \.distances),
                                        BoxFilter.lanes(block, \.moves), BoxFilter.lanes(block, \.spacings),
                                        BoxFilter.lanes(block, \.corrections), extremes.baseAddress!)
                                }
                            }
                        }
                    }
                    block.pointee.fitsLanes = ColumnLines.fitsLanes(
                        farthest: extremes[0], longest: extremes[1], fastest: extremes[2], worstLag: extremes[3],
                        seen: extremes[4], rows)
                }
            },
            addPairs: { line, weights, count, sums in
                // The function works on eight sums at a time.
                let whole = count & ~7
                flip_add_pairs(line, weights, Int64(whole), sums)
                SliceGroups.definePairs(line + 2 * whole, weights + 2 * whole, count: count - whole, onto: sums + whole)
            },
            accumulate: { line, weight, count, sums in
                // The function works on sixteen samples at a time.
                let whole = count & ~15
                flip_accumulate(line, weight, Int64(whole), sums)
                Wide.accumulate(line + whole, weight: weight, onto: sums + whole, count: count - whole)
            })
    }
#endif

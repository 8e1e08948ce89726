/// A sum of samples by their weights, and the sum of the weights.
struct WeightedSum: BitwiseCopyable {
    var sum: UInt64
    var weight: UInt64
}

extension SampleSums {
    /// Does a task for `rows` of plane `index` in memory, with colors weighted by alpha.
    func weigh(_ rows: Range<Int>, ofPlane index: Int, _ task: Task) {
        let turns = layout.memory[index]
        let bounds = bounds[index]
        for row in rows {
            let line =
                (UnsafeMutableRawPointer(sums[index].start)).assumingMemoryBound(to: WeightedSum.self)
                + (row - bounds.rows.lowerBound) * bounds.columns.count * turns.count
            for column in bounds.columns {
                for (turn, plane) in turns.enumerated() {
                    let place = column * turns.count + turn
                    let sum = line + (place - bounds.columns.lowerBound * turns.count)
                    if task == .finish {
                        // The color of what was never seen is the last frame's.
                        let mean =
                            sum.pointee.weight == 0
                            ? sample(frame[index], row, place)
                            : (sum.pointee.sum + sum.pointee.weight / 2) / sum.pointee.weight
                        store(mean, target[index], row, place)
                        continue
                    }
                    if task == .begin { sum.pointee = WeightedSum(sum: 0, weight: 0) }
                    let isColor = plane.map { $0 < layout.format.colorPlaneCount } ?? false
                    let weight = isColor ? alpha(ofPlane: plane ?? 0, column, row) : 1
                    sum.pointee.sum += weight * sample(frame[index], row, place)
                    sum.pointee.weight += weight
                }
            }
        }
    }

    /// The sum of the alpha of the luma pixels for which a sample of color plane `plane` stands.
    private func alpha(ofPlane plane: Int, _ column: Int, _ row: Int) -> UInt64 {
        guard let alpha = layout.alpha else { return 1 }
        let (view, turns) = (frame[alpha.plane], layout.memory[alpha.plane].count)
        let isChroma = layout.format.isChroma(plane: plane)
        let (stepX, stepY) = isChroma ? (layout.format.chromaStepX, layout.format.chromaStepY) : (1, 1)
        var sum: UInt64 = 0
        for y in row * stepY..<min((row + 1) * stepY, view.height) {
            for x in column * stepX..<min((column + 1) * stepX, view.width) {
                sum += sample(view, y, x * turns + alpha.turn)
            }
        }
        return sum
    }

    private func sample(_ view: PlaneView, _ row: Int, _ place: Int) -> UInt64 {
        let line = view.base + row * view.stride
        return layout.format.bytesPerSample == 1
            ? UInt64(line.load(fromByteOffset: place, as: UInt8.self))
            : UInt64(line.load(fromByteOffset: 2 * place, as: UInt16.self))
    }

    private func store(_ value: UInt64, _ view: PlaneView, _ row: Int, _ place: Int) {
        let line = view.base + row * view.stride
        if layout.format.bytesPerSample == 1 {
            line.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: place, as: UInt8.self)
        } else {
            line.storeBytes(of: UInt16(truncatingIfNeeded: value), toByteOffset: 2 * place, as: UInt16.self)
        }
    }
}

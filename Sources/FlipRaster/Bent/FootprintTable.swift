/// The weights by which the samples around a point are averaged over a footprint of one shape: a parallelogram, as which
/// an output sample is seen on a bent page. The weights are those of the exact areas, for positions that are rounded to
/// the nearest of `phases` per sample and axis.
///
/// A footprint's samples lie within a square window of `taps` x `taps`, which begins at the sample
/// floor(center - (taps - 1) / 2).
struct FootprintTable {
    /// The lengths of a window that there are. Short rows suit the vectors of the kernels.
    static let smallWindow = 4
    static let largeWindow = 8
    /// Bits of a weight's fraction: the weights of a window add up to 1 << 14.
    static let weightBits = Averages.weightBits

    /// The footprint: the vectors, in samples, along which its sides run.
    struct Shape: Equatable {
        var first: SIMD2<Double>
        var second: SIMD2<Double>

        /// Half of the size of the box around the footprint.
        var halfExtent: SIMD2<Double> { SIMD2(abs(first.x) + abs(second.x), abs(first.y) + abs(second.y)) / 2 }

        /// The length of the window; nil if the footprint doesn't fit any.
        var taps: Int? {
            let extent = 2 * max(halfExtent.x, halfExtent.y)
            return [smallWindow, largeWindow].first { extent <= Double($0 - 1) + 1e-6 }
        }
    }

    let shape: Shape
    /// The window's length; nil if the footprint doesn't fit any.
    let taps: Int?
    /// The binary logarithm of the phases per sample.
    let phaseBits: Int
    /// Where the weights begin in the buffer: [phase of y][phase of x][row][column].
    let start: Int

    /// The number of weights.
    var count: Int { taps.map { ($0 * $0) << (2 * phaseBits) } ?? 0 }

    init(_ shape: Shape, phaseBits: Int, start: Int) {
        (self.shape, self.phaseBits, self.start) = (shape, phaseBits, start)
        taps = shape.taps
    }

    /// Writes the weights to `weights`.
    ///
    /// The footprint is cut into squares of a phase's size, and its area within each of them summed up from the top
    /// left; the area within any sample of the window follows from four of the sums. `sums` has room for
    /// `FootprintTable.room` numbers.
    func fill(_ weights: UnsafeMutablePointer<Int16>, sums: UnsafeMutablePointer<Float>) {
        guard let taps else { return }
        let phases = 1 << phaseBits
        // Positions relative to the footprint's center, in phases: sum k stands for k - reach.
        let reach = (taps + 1) * phases / 2
        let width = 2 * reach + 1
        // Lines along x and lines along y, so that neither axis is measured better than the other: the transposed
        // footprint has the transposed weights.
        let others = sums + width * width
        sumUp(sums, shape.first, shape.second, width: width, reach: reach)
        sumUp(
            others, SIMD2(shape.first.y, shape.first.x), SIMD2(shape.second.y, shape.second.x), width: width,
            reach: reach)
        for row in 0..<width {
            for column in 0..<width {
                sums[row * width + column] = (sums[row * width + column] + others[column * width + row]) / 2
            }
        }
        let total = Double(sums[width * width - 1])
        let scale = Float(Double(1 << FootprintTable.weightBits) / total)
        for phaseY in 0..<phases {
            for phaseX in 0..<phases {
                let place = weights + start + (phaseY << phaseBits + phaseX) * taps * taps
                // The window's first sample begins (taps - 1) / 2 samples and the phase before the center.
                let first = (phases - phaseY) * width + (phases - phaseX)
                var (exact, rounded): (Float, Int32) = (0, 0)
                for row in 0..<taps {
                    var corner = sums + (first + row * phases * width)
                    for column in 0..<taps {
                        let area = corner[phases * width + phases] - corner[phases * width] - corner[phases] + corner[0]
                        exact += area * scale
                        let sum = Int32(exact + 0.5)
                        place[row * taps + column] = Int16(truncatingIfNeeded: sum - rounded)
                        rounded = sum
                        corner += phases
                    }
                }
                place[(taps * taps) / 2 + taps / 2] += Int16((1 << FootprintTable.weightBits) - Int(rounded))
            }
        }
    }

    /// The most numbers that `fill` needs room for: windows of 8 samples and one more, of 32 phases each,
    /// measured along both axes.
    static let room = 2 * 289 * 289

    /// The lines per row of squares on which the footprint's area is measured.
    private static let lines = 4

    /// Sets `sums` [y][x] to the area of the footprint with these sides above and to the left of each corner.
    private func sumUp(
        _ sums: UnsafeMutablePointer<Float>, _ first: SIMD2<Double>, _ second: SIMD2<Double>, width: Int, reach: Int
    ) {
        let phases = Float(1 << phaseBits)
        let (a, b) = (SIMD2<Float>(first) * phases, SIMD2<Float>(second) * phases)
        // Left of the footprint nothing is added up, right of it all of the line.
        let half = Shape(first: first, second: second).halfExtent * Double(phases)
        let first = max(reach - Int(half.x.rounded(.up)) - 1, 0)
        let end = min(reach + Int(half.x.rounded(.up)) + 2, width)
        for x in 0..<width { sums[x] = 0 }
        for row in 1..<width {
            let line = sums + row * width
            line.update(from: line - width, count: width)
            if abs(Double(row - reach)) > half.y + 2 { continue }
            for part in 0..<FootprintTable.lines {
                let y = Float(row - 1 - reach) + (Float(part) + 0.5) / Float(FootprintTable.lines)
                guard let (low, high) = FootprintTable.chord(a, b, y) else { continue }
                let start = low + Float(reach)
                let length = high - low
                let weight = 1 / Float(FootprintTable.lines)
                for x in first..<end { line[x] += weight * min(max(Float(x) - start, 0), length) }
                for x in end..<width { line[x] += weight * length }
            }
        }
    }

    /// The interval of x in which the line at `y` crosses the parallelogram of the vectors `a` and `b` around 0; nil if
    /// it doesn't.
    private static func chord(_ a: SIMD2<Float>, _ b: SIMD2<Float>, _ y: Float) -> (Float, Float)? {
        let half = (abs(a.y) + abs(b.y)) / 2
        if abs(y) >= half { return nil }
        // The point u a + v b, u and v in -1/2...1/2, has u a.y + v b.y = y; x is extreme where u or v is.
        var (low, high) = (Float.infinity, -Float.infinity)
        func consider(_ x: Float) { (low, high) = (min(low, x), max(high, x)) }
        for sign in [Float(-0.5), 0.5] {
            if b.y != 0 {
                let v = (y - sign * a.y) / b.y
                if abs(v) <= 0.5 { consider(sign * a.x + v * b.x) }
            }
            if a.y != 0 {
                let u = (y - sign * b.y) / a.y
                if abs(u) <= 0.5 { consider(u * a.x + sign * b.x) }
            }
        }
        return low < high ? (low, high) : nil
    }
}

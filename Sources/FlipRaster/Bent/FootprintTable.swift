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
        // Positions relative to the footprint's center, in phases: sum k stands for k - reach. Lines are filled up to whole
        // vectors.
        let reach = (taps + 1) * phases / 2
        let count = 2 * reach + 1
        let width = (count + 3) / 4 * 4
        // Lines along x and lines along y, so that neither axis is measured better than the other: the transposed
        // footprint has the transposed weights.
        let others = sums + width * width
        sumUp(sums, shape.first, shape.second, width: width, reach: reach)
        sumUp(
            others, SIMD2(shape.first.y, shape.first.x), SIMD2(shape.second.y, shape.second.x), width: width,
            reach: reach)
        for row in 0..<count {
            for column in stride(from: 0, to: width, by: 4) {
                let other = others + (column &* width &+ row)
                let four = SIMD4(other[0], other[width], other[2 &* width], other[3 &* width])
                let place = sums + (row &* width &+ column)
                place.set(0, (place.four(0) + four) / 2)
            }
        }
        let total = Double(sums[(count - 1) * width + count - 1])
        let scale = Float(Double(1 << FootprintTable.weightBits) / total)
        for phaseY in 0..<phases {
            for phaseX in stride(from: 0, to: phases, by: 4) {
                let place = weights + start + (phaseY << phaseBits + phaseX) * taps * taps
                // The window's first sample begins (taps - 1) / 2 samples and the phase before the center.
                weigh(place, taps, sums + (phases - phaseY) * width + (phases - phaseX - 3), width: width, scale: scale)
            }
        }
    }

    /// Writes the weights of four phases, the first one's to `place`. `corner` is where the last one's window begins.
    private func weigh(
        _ place: UnsafeMutablePointer<Int16>, _ taps: Int, _ corner: UnsafePointer<Float>, width: Int, scale: Float
    ) {
        let (phases, size) = (1 << phaseBits, taps * taps)
        var (exact, rounded) = (SIMD4<Float>(), SIMD4<Float>())
        @inline(__always)
        func write(_ weights: SIMD4<Float>, _ tap: Int) {
            // At this magnitude, the lowest bit of a Float is worth 1.
            let bits = unsafeBitCast(weights + 0x1.8p23, to: SIMD4<Int32>.self)
            for lane in 0..<4 { place[(3 - lane) * size + tap] = Int16(truncatingIfNeeded: bits[lane]) }
        }
        for row in 0..<taps {
            var corner = corner + row * phases * width
            for column in 0..<taps {
                let below = corner + phases * width
                exact += (below.four(phases) - below.four(0) - corner.four(phases) + corner.four(0)) * scale
                let half = exact + 0.5
                let nearest = half + 0x1p23 - 0x1p23
                let sum = nearest - SIMD4<Float>.zero.replacing(with: 1, where: nearest .> half)
                write(sum - rounded, row * taps + column)
                rounded = sum
                corner += phases
            }
        }
        let middle = size / 2 + taps / 2
        for lane in 0..<4 {
            place[(3 - lane) * size + middle] += Int16(Float(1 << FootprintTable.weightBits) - rounded[lane])
        }
    }

    /// The most numbers that `fill` needs room for: windows of 8 samples and one more, of 32 phases each,
    /// measured along both axes.
    static let room = 2 * 292 * 292

    /// The lines per row of squares on which the footprint's area is measured.
    private static let lines = 4

    /// Sets `sums` [y][x] to the area of the footprint with these sides above and to the left of each corner.
    private func sumUp(
        _ sums: UnsafeMutablePointer<Float>, _ first: SIMD2<Double>, _ second: SIMD2<Double>, width: Int, reach: Int
    ) {
        let phases = Float(1 << phaseBits)
        let (a, b) = (SIMD2<Float>(first) * phases, SIMD2<Float>(second) * phases)
        let half = Shape(first: first, second: second).halfExtent * Double(phases)
        // Left of the footprint nothing is added up, right of it all of the line. Between them are whole vectors.
        let first = max(reach - Int(half.x.rounded(.up)) - 1, 0) / 4 * 4
        let end = min((reach + Int(half.x.rounded(.up)) + 5) / 4 * 4, width)
        sums.update(repeating: 0, count: width)
        for row in 1...(2 * reach) {
            let line = sums + row * width
            if abs(Double(row - reach)) > half.y + 2 {
                line.update(from: line - width, count: width)
                continue
            }
            var (starts, lengths) = (SIMD4<Float>(), SIMD4<Float>())
            for part in 0..<FootprintTable.lines {
                let y = Float(row - 1 - reach) + (Float(part) + 0.5) / Float(FootprintTable.lines)
                guard let (low, high) = FootprintTable.chord(a, b, y) else { continue }
                (starts[part], lengths[part]) = (low + Float(reach), high - low)
            }
            line.update(repeating: 0, count: first)
            var x = SIMD4<Float>(0, 1, 2, 3) + Float(first)
            for column in stride(from: first, to: end, by: 4) {
                var sum = line.four(column - width)
                for part in 0..<FootprintTable.lines {
                    let within = (x - starts[part]).greatest(.zero).least(SIMD4(repeating: lengths[part]))
                    sum += within * (1 / Float(FootprintTable.lines))
                }
                line.set(column, sum)
                x += 4
            }
            (line + end).update(repeating: line[end - 1], count: width - end)
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

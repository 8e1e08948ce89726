import FlipRaster
import TestSupport
import Testing

/// Where the samples of bent sheets have their windows, compared with plain arithmetic in Double.
@Suite struct WindowPlacesKernelTests {
    /// Numbers of windows, with memory for a vector more.
    private struct Places {
        let columns = GuardedSamples<Int32>(count: 264)
        let rows = GuardedSamples<Int32>(count: 264)
        let places = GuardedSamples<Int32>(count: 264)

        var lent: WindowPlaces { WindowPlaces(columns: columns.start, rows: rows.start, places: places.start) }
        var isIntact: Bool { columns.isIntact && rows.isIntact && places.isIntact }

        /// The first `count` windows as numbers of phases, and the places of their weights.
        func windows(_ count: Int) -> [[Int32]] { [columns, rows, places].map { Array($0.numbers.prefix(count)) } }
    }

    private static let counts = [1, 2, 7, 8, 9, 31, 255, 256]

    @Test func windowsOnALine() {
        var random = SplitMix64(seed: 1)
        for count in Self.counts {
            for (bits, taps) in [(5, 4), (4, 4), (3, 8), (5, 8)] {
                let phases = Double(1 << bits)
                let (start, step) = (
                    SIMD2(random.number(in: 400...2000), random.number(in: 400...2000)) * phases,
                    SIMD2(random.number(in: -1.5...1.5), random.number(in: -1.5...1.5)) * phases
                )
                let row = WindowPlaces.Row(start: start, step: step, .init(bits: bits, taps: taps), table: 4096)
                let defined = Places()
                WindowPlaces.define(row, defined.lent, count: count)
                for index in 0..<count {
                    let place = (start + step * Double(index)).rounded(.toNearestOrEven)
                    let (column, line) = (Int(place.x), Int(place.y))
                    let phase = (line % (1 << bits)) * (1 << bits) + column % (1 << bits)
                    #expect(defined.columns.numbers[index] == Int32(column >> bits))
                    #expect(defined.rows.numbers[index] == Int32(line >> bits))
                    #expect(defined.places.numbers[index] == Int32(4096 + phase * taps * taps))
                }
                for level in KernelLevel.available {
                    let fast = Places()
                    level.kernels?.places(row, fast.lent, count)
                    #expect(fast.windows(count) == defined.windows(count), "\(level) \(count) \(bits)")
                    #expect(fast.isIntact)
                }
            }
        }
    }

    /// A random piece of a row on the cylinder.
    private static func piece(_ memory: LentMemory, isGathered: Bool, _ random: inout SplitMix64) -> CurvedPlaces {
        let (size, stride) = (264, isGathered ? 0 : 264)
        func numbers(_ range: ClosedRange<Double>, lines: Int = 1) -> UnsafePointer<Float> {
            memory.lend((0..<size * lines).map { _ in Float(random.number(in: range)) })
        }
        func row(_ range: ClosedRange<Double>) -> CurlLines.Row {
            CurlLines.Row(
                numbers(range, lines: 4) + stride, stride: stride,
                part: isGathered ? 0 : Float(random.number(in: 0...1)))
        }
        var piece = CurvedPlaces(
            scale: row(0.8...1.1), shift: row(-60...60), x: numbers(-300...300),
            phases: .init(bits: random.pick([3, 4]), taps: random.pick([4, 8])), halfX: numbers(0.5...4),
            halfY: numbers(0.5...4), tables: memory.lend((0..<size).map { _ in Int32(random.integer(in: 0...99999)) }))
        func pair(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> SIMD2<Float> {
            SIMD2(Float(random.number(in: x)), Float(random.number(in: y)))
        }
        piece.y = Float(random.number(in: -300...300))
        (piece.viewpoint, piece.normal) = (pair(300...900, 300...900), pair(-1...1, -1...1))
        (piece.low, piece.high) = (pair(0...500, 0...500), pair(600...1200, 600...1200))
        (piece.windowScale, piece.windowStart) = (pair(0.5...1, 0.5...1), pair(100...200, 100...200))
        piece.most = pair(500...1000, 500...1000)
        return piece
    }

    /// What the samples see, and where, is the same at every level, and within the rounding of a Float what plain
    /// arithmetic says.
    @Test func windowsOnTheCylinder() {
        var random = SplitMix64(seed: 2)
        for count in Self.counts {
            for isGathered in [false, true] {
                let memory = LentMemory()
                defer { memory.release() }
                let piece = Self.piece(memory, isGathered: isGathered, &random)
                let (inner, outer) = (memory.room(264), memory.room(264))
                let defined = Places()
                CurvedPlaces.define(piece, .init(inner: inner, outer: outer, windows: defined.lent), count: count)
                for index in 0..<count {
                    let (scale, shift) = (Double(piece.scale[index]), Double(piece.shift.smooth(index)))
                    let fromView = SIMD2(Double(piece.x[index]), Double(piece.y))
                    let point = SIMD2<Double>(piece.viewpoint) + fromView * scale + SIMD2<Double>(piece.normal) * shift
                    let (before, after) = (point - SIMD2<Double>(piece.low), SIMD2<Double>(piece.high) - point)
                    let half = SIMD2(Double(piece.halfX[index]), Double(piece.halfY[index]))
                    let window = point * SIMD2<Double>(piece.windowScale) + SIMD2<Double>(piece.windowStart)
                    let rest = SIMD2<Double>(piece.most) - window
                    let margins = [before.x, before.y, after.x, after.y]
                    let halves = [half.x, half.y, half.x, half.y]
                    let inside = zip(margins, halves).map { $0 - $1 } + [window.x, window.y, rest.x, rest.y]
                    #expect(abs(Double(inner[index]) - (inside.min() ?? 0)) < 1e-2)
                    #expect(abs(Double(outer[index]) - (zip(margins, halves).map { $0 + $1 }.min() ?? 0)) < 1e-2)
                }
                for level in KernelLevel.available {
                    let (fastInner, fastOuter) = (memory.room(264), memory.room(264))
                    let fast = Places()
                    level.kernels?.locate(piece, .init(inner: fastInner, outer: fastOuter, windows: fast.lent), count)
                    for index in 0..<count {
                        #expect(
                            fastInner[index] == inner[index] && fastOuter[index] == outer[index], "\(level) \(count)")
                    }
                    #expect(fast.windows(count) == defined.windows(count), "\(level) \(count)")
                    #expect(fast.isIntact)
                }
            }
        }
    }
}

extension LentMemory {
    /// Room for `count` numbers.
    fileprivate func room(_ count: Int) -> UnsafeMutablePointer<Float> {
        UnsafeMutablePointer(mutating: lend([Float](repeating: .nan, count: count)))
    }
}

/// Splits rows of interleaved samples into one row per plane, and merges them again. `PackedRows` does so for pixels of
/// four bytes.
enum Interleaving {
    /// One row for each of 2...4 interleaved planes, in the order in which their samples take turns.
    struct Rows {
        /// A row, and the bytes from it to the next one of its plane.
        typealias Row = (start: UnsafeMutableRawPointer, step: Int)

        /// The number of planes.
        let count: Int
        private var rows: (Row, Row, Row, Row)

        /// `count` rows that are all `row`, again and again, until they are set.
        init(count: Int, repeating row: UnsafeMutableRawPointer) {
            self.count = count
            rows = ((row, 0), (row, 0), (row, 0), (row, 0))
        }

        /// The first sample of the current row of the plane that comes in turn `turn`.
        @inline(__always)
        subscript(turn: Int) -> UnsafeMutableRawPointer {
            switch turn {
            case 0: rows.0.start
            case 1: rows.1.start
            case 2: rows.2.start
            default: rows.3.start
            }
        }

        /// Sets a plane's current row.
        mutating func set(_ turn: Int, to row: Row) {
            switch turn {
            case 0: rows.0 = row
            case 1: rows.1 = row
            case 2: rows.2 = row
            default: rows.3 = row
            }
        }

        /// Moves on to the next row of each plane.
        @inline(__always)
        mutating func advance() {
            rows.0.start += rows.0.step
            rows.1.start += rows.1.step
            rows.2.start += rows.2.step
            rows.3.start += rows.3.step
        }
    }

    /// Distributes the samples of `source` to `rows` in turn, `count` to each.
    static func split(_ source: UnsafeRawPointer, into rows: Rows, count: Int, bytesPerSample: Int) {
        if bytesPerSample == 1 {
            split(source.assumingMemoryBound(to: UInt8.self), rows, count)
        } else {
            split(source.assumingMemoryBound(to: UInt16.self), rows, count)
        }
    }

    /// Fills `target` with samples of `rows` in turn, `count` from each.
    static func merge(_ rows: Rows, into target: UnsafeMutableRawPointer, count: Int, bytesPerSample: Int) {
        if bytesPerSample == 1 {
            merge(rows, target.assumingMemoryBound(to: UInt8.self), count)
        } else {
            merge(rows, target.assumingMemoryBound(to: UInt16.self), count)
        }
    }

    /// Whether every `step`th of the samples from `first` on, `count` in all, is `peak`.
    static func areAll(
        _ peak: Int, _ first: UnsafeRawPointer, every step: Int, count: Int, bytesPerSample: Int
    ) -> Bool {
        @inline(__always)
        func check<Sample: FixedWidthInteger>(_ samples: UnsafePointer<Sample>) -> Bool {
            var all = Sample(truncatingIfNeeded: peak)
            for x in 0..<count { all &= samples[step &* x] }
            return all == Sample(truncatingIfNeeded: peak)
        }
        if bytesPerSample == 1 { return check(first.assumingMemoryBound(to: UInt8.self)) }
        return check(first.assumingMemoryBound(to: UInt16.self))
    }

    /// Sets every `step`th of the samples from `first` on, `count` in all: to those of `source`, which are as far
    /// apart, or to `peak` if there is none.
    static func set(
        _ first: UnsafeMutableRawPointer, every step: Int, count: Int, to source: UnsafeRawPointer?, or peak: Int,
        bytesPerSample: Int
    ) {
        @inline(__always)
        func set<Sample: FixedWidthInteger>(_ samples: UnsafeMutablePointer<Sample>) {
            if let source {
                let source = source.assumingMemoryBound(to: Sample.self)
                for x in 0..<count { samples[step &* x] = source[step &* x] }
            } else {
                for x in 0..<count { samples[step &* x] = Sample(truncatingIfNeeded: peak) }
            }
        }
        if bytesPerSample == 1 {
            set(first.assumingMemoryBound(to: UInt8.self))
        } else {
            set(first.assumingMemoryBound(to: UInt16.self))
        }
    }

    // The loops are written out for each number of planes, so that the compiler vectorizes them.

    @inline(__always)
    private static func split<Sample: BitwiseCopyable>(_ source: UnsafePointer<Sample>, _ rows: Rows, _ count: Int) {
        let a = rows[0].assumingMemoryBound(to: Sample.self)
        let b = rows[1].assumingMemoryBound(to: Sample.self)
        if rows.count == 2 {
            for x in 0..<count { (a[x], b[x]) = (source[2 &* x], source[2 &* x &+ 1]) }
            return
        }
        let c = rows[2].assumingMemoryBound(to: Sample.self)
        if rows.count == 3 {
            for x in 0..<count { (a[x], b[x], c[x]) = (source[3 &* x], source[3 &* x &+ 1], source[3 &* x &+ 2]) }
            return
        }
        let d = rows[3].assumingMemoryBound(to: Sample.self)
        for x in 0..<count {
            (a[x], b[x]) = (source[4 &* x], source[4 &* x &+ 1])
            (c[x], d[x]) = (source[4 &* x &+ 2], source[4 &* x &+ 3])
        }
    }

    @inline(__always)
    private static func merge<Sample: BitwiseCopyable>(
        _ rows: Rows, _ target: UnsafeMutablePointer<Sample>, _ count: Int
    ) {
        let a = rows[0].assumingMemoryBound(to: Sample.self)
        let b = rows[1].assumingMemoryBound(to: Sample.self)
        if rows.count == 2 {
            for x in 0..<count { (target[2 &* x], target[2 &* x &+ 1]) = (a[x], b[x]) }
            return
        }
        let c = rows[2].assumingMemoryBound(to: Sample.self)
        if rows.count == 3 {
            for x in 0..<count { (target[3 &* x], target[3 &* x &+ 1], target[3 &* x &+ 2]) = (a[x], b[x], c[x]) }
            return
        }
        let d = rows[3].assumingMemoryBound(to: Sample.self)
        for x in 0..<count {
            (target[4 &* x], target[4 &* x &+ 1]) = (a[x], b[x])
            (target[4 &* x &+ 2], target[4 &* x &+ 3]) = (c[x], d[x])
        }
    }
}

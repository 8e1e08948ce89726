/// Where the windows of a piece's samples begin, to within a phase, and where their weights are.
package struct WindowPlaces {
    /// Each window's first column and row in the plane, and the place of its weights.
    package let columns: UnsafeMutablePointer<Int32>
    package let rows: UnsafeMutablePointer<Int32>
    package let places: UnsafeMutablePointer<Int32>

    package init(
        columns: UnsafeMutablePointer<Int32>, rows: UnsafeMutablePointer<Int32>, places: UnsafeMutablePointer<Int32>
    ) {
        (self.columns, self.rows, self.places) = (columns, rows, places)
    }

    /// Those from number `first` on.
    func from(_ first: Int) -> WindowPlaces {
        WindowPlaces(columns: columns + first, rows: rows + first, places: places + first)
    }

    /// How positions are rounded to phases.
    package struct Phases {
        /// The binary logarithm of the phases per sample, and that of the weights per window.
        let bits: Int32
        let size: Int32

        package init(bits: Int, taps: Int) {
            (self.bits, size) = (Int32(bits), taps == FootprintTable.smallWindow ? 4 : 6)
        }

        /// The phases per sample.
        var count: Int32 { 1 << bits }
    }

    /// Sets window `index`, which begins at these phases; `table` is the place of its footprint's table.
    @inline(__always)
    func set(_ index: Int, column: Int32, row: Int32, _ phases: Phases, table: Int32) {
        let mask = phases.count - 1
        columns[index] = column &>> phases.bits
        rows[index] = row &>> phases.bits
        places[index] = table &+ ((row & mask) &<< phases.bits &+ (column & mask)) &<< phases.size
    }

    /// Windows that lie on a line: where the first one begins, and the way from one to the next, as numbers of phases.
    package struct Row {
        let start: SIMD2<Double>
        let step: SIMD2<Double>
        let phases: Phases
        /// The place of the windows' table.
        let table: Int32

        package init(start: SIMD2<Double>, step: SIMD2<Double>, _ phases: Phases, table: Int) {
            (self.start, self.step, self.phases, self.table) = (start, step, phases, Int32(table))
        }
    }

    /// Sets `count` windows that lie on a line.
    package static func define(_ row: Row, _ windows: WindowPlaces, count: Int) {
        for index in 0..<count {
            // At this magnitude, the lowest bit of a Double is worth 1: positions are rounded to phases.
            let place = row.start + row.step * Double(Int32(truncatingIfNeeded: index)) + 0x1p52
            windows.set(
                index, column: Int32(truncatingIfNeeded: place.x.bitPattern),
                row: Int32(truncatingIfNeeded: place.y.bitPattern), row.phases, table: row.table)
        }
    }
}

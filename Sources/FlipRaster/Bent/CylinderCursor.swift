import FlipGeometry

/// Finds out what the samples of one row see near the cylinder, one after the other. It holds plain numbers and
/// pointers, which stay valid while a frame is drawn, so that a sample costs no reference counting.
struct CylinderCursor {
    /// What a sample sees: only one side of the sheet, only its flat part on the screen, only what lies beneath it, or
    /// more.
    enum Sight { case back, front, flatFront, under, edge }

    /// One side of the sheet: its tables, and where its page points lie on its picture.
    private struct Side {
        let entries: UnsafePointer<CurlTable.Entry>
        let halfExtents: UnsafePointer<SIMD2<Float>>
        let places: UnsafePointer<Int32>
        /// The entries that have windows.
        let first: Int
        let end: Int
        /// A window's first sample is at page point * scale + offset.
        let scale: SIMD2<Float>
        let offset: SIMD2<Float>

        init(_ side: CurlTable.Side, _ levels: BentLayout.Levels, _ layout: BentLayout, _ taps: Int, mirror: Mirror?) {
            entries = UnsafePointer(side.entries.start)
            halfExtents = UnsafePointer(levels.halfExtents.start)
            places = UnsafePointer(levels.places.start)
            (first, end) = taps == FootprintTable.smallWindow ? (0, levels.small) : (levels.small, levels.drawn)
            let pitch = SIMD2(layout.columns.pitch, layout.rows.pitch)
            let origin = SIMD2(layout.columns.edge(0), layout.rows.edge(0))
            var (scale, offset) = (1 / pitch, -origin / pitch - Double(taps - 1) / 2)
            if let mirror {
                let axis = mirror.isVertical ? 1 : 0
                offset[axis] += 2 * mirror.spine / pitch[axis]
                scale[axis] = -scale[axis]
            }
            (self.scale, self.offset) = (SIMD2<Float>(scale), SIMD2<Float>(offset))
        }
    }

    /// The line about which the back's picture is mirrored.
    private typealias Mirror = (spine: Double, isVertical: Bool)

    private let back: Side
    private let front: Side
    private let taps: Int32
    private let most: SIMD2<Float>
    /// The part of the texture and of the paper on the back, without light.
    private let keep: Float
    private let paper: Float
    private let castsShadow: Bool
    private let geometry: BentGeometry
    private let viewpoint: SIMD2<Float>
    private let normal: SIMD2<Float>
    private let low: SIMD2<Float>
    private let high: SIMD2<Float>
    /// The row's first sample, relative to the viewpoint, and the step to the next.
    private let start: SIMD2<Float>
    private let step: Float
    private let origin: SIMD2<Double>
    /// The first sample's entry in the tables, and the step to the next, with 32 fractional bits.
    private let entry: Int
    private let entryStep: Int
    private let entryCount: Int
    private let distance: Double
    private let slope: Double
    /// Up to this distance, samples see the front only where it lies on the screen.
    private let flatEnd: Double
    private let profile: FootprintProfile

    private let columns: UnsafeMutablePointer<Int32>
    private let rows: UnsafeMutablePointer<Int32>
    private let places: UnsafeMutablePointer<Int32>
    private let light:
        (
            keep: UnsafeMutablePointer<Float>, paper: UnsafeMutablePointer<Float>, shadow: UnsafeMutablePointer<Float>,
            gloss: UnsafeMutablePointer<Float>
        )

    init(_ row: BentRow, taps: Int) {
        let (scene, layout, buffers) = (row.scene, row.layout, row.buffers)
        var mirror: Mirror?
        if case .picture(_, let spine) = scene.back { mirror = (spine, scene.isVertical) }
        back = Side(row.table.back, layout.back, layout, taps, mirror: mirror)
        front = Side(row.table.front, layout.front, layout, taps, mirror: nil)
        self.taps = Int32(taps)
        most = SIMD2(Float(layout.columns.count - taps), Float(layout.rows.count - taps))
        let ray = scene.backRay(.zero)
        (keep, paper) = (Float(ray.keep), Float(ray.paper))
        geometry = row.geometry
        castsShadow = geometry.light.back > 0
        viewpoint = SIMD2<Float>(geometry.viewpoint)
        normal = SIMD2<Float>(geometry.normal)
        (low, high) = (SIMD2<Float>(geometry.page.low), SIMD2<Float>(geometry.page.high))
        origin = row.origin
        start = SIMD2<Float>(row.origin - geometry.viewpoint)
        step = Float(row.step)
        entry = Int((row.distance - row.table.start) * CurlTable.resolution * 0x1p32)
        entryStep = Int(row.slope * CurlTable.resolution * 0x1p32)
        entryCount = row.table.count
        (distance, slope) = (row.distance, row.slope)
        flatEnd = -layout.reach
        profile = layout.profile
        (columns, rows, places) = (buffers.columns, buffers.rows, buffers.places)
        light = (buffers.keep, buffers.paper, buffers.shadow, buffers.gloss)
    }

    /// Finds out what the first samples of `range` see, as far as it is the same, and sets their windows and light.
    func place(_ range: Range<Int>) -> (Sight, end: Int) {
        let first = place(range.lowerBound, at: 0)
        var column = range.lowerBound + 1
        while column < range.upperBound, place(column, at: column - range.lowerBound) == first { column += 1 }
        return (first, column)
    }

    @inline(__always)
    private func place(_ column: Int, at index: Int) -> Sight {
        let position = entry &+ column &* entryStep
        let number = min(max(position &>> 32, 0), entryCount - 2)
        let part = Float(UInt32(truncatingIfNeeded: position)) * 0x1p-32
        let point = SIMD2(start.x + Float(column) * step, start.y)
        guard number >= back.first, number < back.end else { return .edge }
        let (onBack, values) = hit(back, number, part, point)
        let margin = margin(onBack)
        let half = back.halfExtents[number]
        if margin.x >= half.x && margin.y >= half.y {
            guard window(back, onBack, number, index) else { return .edge }
            light.keep[index] = values[2] * keep
            light.paper[index] = values[2] * paper
            light.shadow[index] = values[3]
            light.gloss[index] = values[4]
            return .back
        }
        return margin.x < -half.x || margin.y < -half.y ? placeFront(column, index, number, part, point) : .edge
    }

    private func placeFront(
        _ column: Int, _ index: Int, _ number: Int, _ part: Float, _ point: SIMD2<Float>
    ) -> Sight {
        let d = distance + Double(column) * slope
        if d <= flatEnd { return .flatFront }
        guard number >= front.first, number < front.end else { return .edge }
        let (onFront, values) = hit(front, number, part, point)
        let margin = margin(onFront)
        let half = front.halfExtents[number]
        if margin.x >= half.x && margin.y >= half.y {
            guard window(front, onFront, number, index) else { return .edge }
            let screen = SIMD2(origin.x + Double(column) * Double(step), origin.y)
            let shade = castsShadow ? Float(geometry.backShadow(screen, d, profile)) : 0
            light.keep[index] = values[2] * (1 - shade)
            light.paper[index] = 0
            light.shadow[index] = values[3] * (1 - shade) + shade
            light.gloss[index] = 0
            return .front
        }
        return margin.x < -half.x || margin.y < -half.y ? .under : .edge
    }

    /// Where the ray through `point` (relative to the viewpoint) meets a side of the sheet, `part` of the way from entry
    /// `number` to the next, and the entries' values there.
    @inline(__always)
    private func hit(
        _ side: Side, _ number: Int, _ part: Float, _ point: SIMD2<Float>
    ) -> (SIMD2<Float>, CurlTable.Entry) {
        let (low, high) = (side.entries[number], side.entries[number + 1])
        let values = low + (high - low) * part
        return (viewpoint + point * values[0] + normal * values[1], values)
    }

    /// How far a page point is from the nearest vertical and horizontal sides of the page; negative outside.
    @inline(__always)
    private func margin(_ point: SIMD2<Float>) -> SIMD2<Float> {
        let (a, b) = (point - low, high - point)
        return SIMD2(Swift.min(a.x, b.x), Swift.min(a.y, b.y))
    }

    /// Sets the window around a page point. Returns false if it isn't inside the plane.
    @inline(__always)
    private func window(_ side: Side, _ point: SIMD2<Float>, _ number: Int, _ index: Int) -> Bool {
        let place = point * side.scale + side.offset
        guard place.x >= 0, place.y >= 0, place.x <= most.x + 0.9, place.y <= most.y + 0.9 else { return false }
        // At this magnitude, the lowest bit of a Float is worth 1; positions are rounded down to phases.
        let bits = Int32(BentLayout.curvedBits)
        let phases = pointwiseMax(place * Float(1 << bits) - 0.5, .zero) + 0x1p23
        let (x, y) = (
            Int32(truncatingIfNeeded: phases.x.bitPattern & 0x7F_FFFF),
            Int32(truncatingIfNeeded: phases.y.bitPattern & 0x7F_FFFF)
        )
        let mask: Int32 = 1 << bits - 1
        columns[index] = x &>> bits
        rows[index] = y &>> bits
        places[index] = side.places[number] &+ ((y & mask) &<< bits &+ (x & mask)) &* (taps &* taps)
        return true
    }
}

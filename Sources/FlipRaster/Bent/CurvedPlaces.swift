/// What the samples of a piece see of one side of the sheet where it bends: where they see it, and whether they see all
/// of it, or nothing.
package struct CurvedPlaces {
    /// What is seen of a side is at viewpoint + (point - viewpoint) * scale + normal * shift.
    package var viewpoint = SIMD2<Float>()
    package var normal = SIMD2<Float>()
    /// For each sample, the scale, the shift, and x - viewpoint.
    package var scale: CurlLines.Row
    package var shift: CurlLines.Row
    package var x: UnsafePointer<Float>
    /// y - viewpoint.
    package var y: Float = 0
    /// The page's rectangle.
    package var low = SIMD2<Float>()
    package var high = SIMD2<Float>()
    /// The windows around page points begin at page point * windowScale + windowStart, up to `most`.
    package var windowScale = SIMD2<Float>()
    package var windowStart = SIMD2<Float>()
    package var most = SIMD2<Float>()
    package var phases: WindowPlaces.Phases
    /// For each sample, half the size of the box around the footprint on the page, and the place of its table.
    package var halfX: UnsafePointer<Float>
    package var halfY: UnsafePointer<Float>
    package var tables: UnsafePointer<Int32>

    package init(
        scale: CurlLines.Row, shift: CurlLines.Row, x: UnsafePointer<Float>, phases: WindowPlaces.Phases,
        halfX: UnsafePointer<Float>, halfY: UnsafePointer<Float>, tables: UnsafePointer<Int32>
    ) {
        (self.scale, self.shift, self.x, self.phases) = (scale, shift, x, phases)
        (self.halfX, self.halfY, self.tables) = (halfX, halfY, tables)
    }

    /// What is found out.
    package struct Sights {
        /// Not negative where a window sees nothing but this side.
        let inner: UnsafeMutablePointer<Float>
        /// Negative where nothing of this side is seen.
        let outer: UnsafeMutablePointer<Float>
        let windows: WindowPlaces

        package init(inner: UnsafeMutablePointer<Float>, outer: UnsafeMutablePointer<Float>, windows: WindowPlaces) {
            (self.inner, self.outer, self.windows) = (inner, outer, windows)
        }
    }

    /// Finds out what `count` samples see.
    package static func define(_ places: CurvedPlaces, _ sights: Sights, count: Int) {
        let perSample = Float(places.phases.count)
        for index in 0..<count {
            let (scale, shift) = (places.scale[index], places.shift.smooth(index))
            let x = places.viewpoint.x + places.x[index] * scale + places.normal.x * shift
            let y = places.viewpoint.y + places.y * scale + places.normal.y * shift
            let (marginX, marginY) = (
                min(x - places.low.x, places.high.x - x), min(y - places.low.y, places.high.y - y)
            )
            let column = x * places.windowScale.x + places.windowStart.x
            let row = y * places.windowScale.y + places.windowStart.y
            let window = min(min(column, places.most.x - column), min(row, places.most.y - row))
            let (halfX, halfY) = (places.halfX[index], places.halfY[index])
            sights.inner[index] = min(window, min(marginX - halfX, marginY - halfY))
            sights.outer[index] = min(marginX + halfX, marginY + halfY)
            // At this magnitude, the lowest bit of a Float is worth 1: positions are rounded to phases.
            func phase(_ place: Float) -> Int32 {
                Int32(bitPattern: (place * perSample + 0x1p23).bitPattern & 0x7F_FFFF)
            }
            sights.windows.set(
                index, column: phase(column), row: phase(row), places.phases, table: places.tables[index])
        }
    }
}

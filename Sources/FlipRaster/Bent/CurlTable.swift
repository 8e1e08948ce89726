/// What rays meet at each distance from the contact line near the cylinder, in steps of a part of a luma pixel: the map
/// to the page, and the light.
struct CurlTable {
    /// The map and the light at one distance, as a vector, so that several of them are interpolated at once: scale,
    /// shift, keep, shadow, gloss.
    typealias Entry = SIMD8<Float>

    /// One side of the sheet.
    final class Side {
        let entries = Scratch<Entry>()
        /// By how many luma pixels the place on the sheet moves, along the normal, per pixel of the scene's screen.
        let slopes = Scratch<Float>()
    }

    /// Entries per luma pixel. Interpolating linearly between them is off by at most shift'' / 8 / 4^2. The second
    /// derivative of the shift is stretch^3 / radius, which `BentLayout.greatestStretch` keeps below 1.2: so by a
    /// hundredth of a pixel. Cubic interpolation is off by less than a thousandth.
    static let resolution = 4.0

    /// The first entry's distance, and the number of entries.
    private(set) var start = 0.0
    private(set) var count = 0
    let back = Side()
    let front = Side()

    /// Tabulates the distances `low...high`.
    mutating func fill(_ geometry: BentGeometry, _ low: Double, _ high: Double) {
        start = low
        count = max(Int(((high - low) * CurlTable.resolution).rounded(.up)), 0) + 4
        for side in [back, front] {
            side.entries.reserve(count)
            side.slopes.reserve(count)
        }
        var last = (back: 0.0, front: 0.0)
        for index in 0..<count {
            let d = min(start + Double(index) / CurlTable.resolution, geometry.rim)
            let hit = geometry.back(d)
            back.entries.start[index] = CurlTable.entry(hit, geometry.light)
            let under = geometry.front(d)
            front.entries.start[index] = CurlTable.entry(front: under, geometry.light)
            let place = (back: hit.position + hit.shift, front: under.position + under.shift)
            if index > 0 {
                back.slopes.start[index - 1] = Float((place.back - last.back) * CurlTable.resolution)
                front.slopes.start[index - 1] = Float((place.front - last.front) * CurlTable.resolution)
            }
            last = place
        }
        back.slopes.start[count - 1] = back.slopes.start[count - 2]
        front.slopes.start[count - 1] = front.slopes.start[count - 2]
    }

    /// The entry for a hit of the back.
    static func entry(_ hit: BentGeometry.Hit, _ light: CurlLight) -> Entry {
        let (shade, gloss) = light.onBack(hit)
        return entry(hit, keep: (1 - shade) * (1 - gloss), shadow: shade * (1 - gloss), gloss: gloss)
    }

    /// The entry for a hit of the front.
    static func entry(front hit: BentGeometry.Hit, _ light: CurlLight) -> Entry {
        let dark = light.onFront(hit)
        return entry(hit, keep: 1 - dark, shadow: dark, gloss: 0)
    }

    /// A side's values at `position`, a number of entries with a fraction.
    @inline(__always)
    func entry(_ side: Side, at position: Double) -> Entry {
        let number = min(max(Int(position), 0), count - 2)
        let (low, high) = (side.entries.start[number], side.entries.start[number + 1])
        return low + (high - low) * Float(position - Double(number))
    }

    /// A side's values at distance `d`, interpolated between four entries.
    @inline(__always)
    func cubic(_ side: Side, _ d: Double) -> Entry {
        let position = (d - start) * CurlTable.resolution
        let number = min(max(Int(position), 1), count - 3)
        let t = Float(min(max(position - Double(number), -1), 2))
        let entries = side.entries.start + number
        let (a, b, c) = (t + 1, t - 1, t - 2)
        let outer = entries[-1] * (-t * b * c / 6) + entries[2] * (a * t * b / 6)
        return outer + entries[0] * (a * b * c / 2) + entries[1] * (-a * t * c / 2)
    }

    private static func entry(_ hit: BentGeometry.Hit, keep: Double, shadow: Double, gloss: Double) -> Entry {
        Entry(Float(hit.scale), Float(hit.shift), Float(keep), Float(shadow), Float(gloss), 0, 0, 0)
    }
}

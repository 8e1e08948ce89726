/// What rays meet on the back of the sheet near the rim, where the sheet is seen edge-on: tabulated by the root of the
/// distance from the rim, in which the place on the sheet is smooth.
struct RimTable {
    /// The number of steps. The place differs from a straight line in the root by a term of third order, so that
    /// interpolation is off by less than a thousandth of the radius.
    private static let steps = 256

    /// The least distance from the contact line that is tabulated.
    private(set) var start = 0.0
    private var rim = 0.0
    private var scale = 0.0
    /// As in `CurlTable`; on the back, the place on the sheet is the sixth value.
    private let back = Scratch<CurlTable.Entry>()
    private let front = Scratch<CurlTable.Entry>()

    /// Tabulates the distances `start...rim`.
    mutating func fill(_ geometry: BentGeometry, from start: Double) {
        self.start = start
        rim = geometry.rim
        scale = Double(RimTable.steps) / max(rim - start, 1e-9).squareRoot()
        let (back, front) = (back.reserve(RimTable.steps + 2), front.reserve(RimTable.steps + 2))
        for index in 0..<(RimTable.steps + 2) {
            let root = Double(min(index, RimTable.steps)) / scale
            let hit = geometry.back(rim - root * root)
            back[index] = CurlTable.entry(hit, geometry.light)
            back[index][5] = Float(hit.position + hit.shift)
            front[index] = CurlTable.entry(front: geometry.front(rim - root * root), geometry.light)
        }
    }

    /// The root of the distance of `d` from the rim; 0 beyond it.
    @inline(__always)
    func root(_ d: Double) -> Double { max(rim - d, 0).squareRoot() }

    /// The back's entry at the root `root` of a distance from the rim.
    @inline(__always)
    func callAsFunction(_ root: Double) -> CurlTable.Entry { entry(back, root) }

    /// The front's entry at the root `root` of a distance from the rim.
    @inline(__always)
    func front(_ root: Double) -> CurlTable.Entry { entry(front, root) }

    @inline(__always)
    private func entry(_ entries: Scratch<CurlTable.Entry>, _ root: Double) -> CurlTable.Entry {
        let position = min(root * scale, Double(RimTable.steps))
        let index = Int(position)
        let (low, high) = (entries.start[index], entries.start[index + 1])
        return low + (high - low) * Float(position - Double(index))
    }
}

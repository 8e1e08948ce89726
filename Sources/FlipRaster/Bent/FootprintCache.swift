/// The weights of footprint tables, made when they are first asked for. Planes whose footprints look alike share them,
/// and so do the frames of a transition.
final class FootprintCache {
    /// What a table is made for: a shape, to within `precision`, and the bits of its phases.
    private struct Key: Hashable {
        let shape: SIMD4<Int32>
        let phaseBits: Int
    }

    private let weights = Scratch<Int16>()
    /// The number of weights that are made.
    private var count = 0
    private let sums = Scratch<Float>()
    private var tables: [Key: FootprintTable] = [:]

    /// Shapes are rounded to this part of a sample; those on the cylinder more coarsely, to a tenth of what
    /// `BentLayout.levelRatio` allows, so that the frames of a book, whose angle changes slowly, share most of them.
    private static let precision = 1.0 / 512
    private static let coarsePrecision = 1.0 / 64
    /// The most weights that are kept from one frame to the next.
    private static let most = 1 << 21

    init() { sums.reserve(FootprintTable.room) }

    /// The weights of all tables.
    var start: UnsafePointer<Int16> { UnsafePointer(weights.start) }

    /// Forgets the tables of former frames if there are too many.
    func beginFrame() {
        if count <= FootprintCache.most { return }
        tables.removeAll(keepingCapacity: true)
        count = 0
    }

    /// The shape that stands for `shape` on the cylinder.
    static func rounded(_ shape: FootprintTable.Shape) -> FootprintTable.Shape {
        func rounded(_ side: SIMD2<Double>) -> SIMD2<Double> {
            (side / coarsePrecision).rounded(.toNearestOrEven) * coarsePrecision
        }
        return FootprintTable.Shape(first: rounded(shape.first), second: rounded(shape.second))
    }

    /// The table for a shape.
    func table(_ shape: FootprintTable.Shape, phaseBits: Int) -> FootprintTable {
        let numbers = SIMD4(shape.first.x, shape.first.y, shape.second.x, shape.second.y)
        let rounded = (numbers / FootprintCache.precision).rounded(.toNearestOrEven)
        let key = Key(shape: SIMD4<Int32>(clamping: SIMD4<Int64>(rounded)), phaseBits: phaseBits)
        if let table = tables[key] { return table }
        let table = FootprintTable(shape, phaseBits: phaseBits, start: count)
        weights.grow(to: count + table.count, keeping: count)
        count += table.count
        table.fill(weights.start, sums: sums.start)
        tables[key] = table
        return table
    }
}

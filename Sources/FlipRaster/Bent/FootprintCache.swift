/// The weights of footprint tables, made when they are first asked for. Planes whose footprints look alike share them,
/// and so do the frames of a peel, whose angle doesn't change.
final class FootprintCache {
    /// What a table is made for: a shape, to within `precision`, and the bits of its phases.
    private struct Key: Hashable {
        let shape: SIMD4<Int32>
        let phaseBits: Int
    }

    private let weights = GrowingBuffer()
    private let sums = Scratch<Float>()
    private var tables: [Key: FootprintTable] = [:]

    /// Shapes are rounded to this part of a sample: less than a tenth of what `BentLayout.levelRatio` allows.
    private static let precision = 1.0 / 512
    /// The most weights that are kept from one frame to the next.
    private static let most = 1 << 21

    init() { sums.reserve(FootprintTable.room) }

    /// The weights of all tables.
    var start: UnsafePointer<Int16> { UnsafePointer(weights.start) }

    /// Forgets the tables of former frames if there are too many.
    func beginFrame() {
        if weights.count <= FootprintCache.most { return }
        tables.removeAll(keepingCapacity: true)
        weights.removeAll()
    }

    /// The table for a shape.
    func table(_ shape: FootprintTable.Shape, phaseBits: Int) -> FootprintTable {
        let numbers = SIMD4(shape.first.x, shape.first.y, shape.second.x, shape.second.y)
        let rounded = (numbers / FootprintCache.precision).rounded(.toNearestOrEven)
        let key = Key(shape: SIMD4<Int32>(clamping: SIMD4<Int64>(rounded)), phaseBits: phaseBits)
        if let table = tables[key] { return table }
        let table = FootprintTable(shape, phaseBits: phaseBits, start: weights.count)
        weights.append(table.count)
        table.fill(weights.start, sums: sums.start)
        tables[key] = table
        return table
    }
}

/// A buffer of weights that keeps its contents when it grows.
private final class GrowingBuffer {
    private(set) var start = UnsafeMutablePointer<Int16>.allocate(capacity: 1 << 16)
    private(set) var count = 0
    private var capacity = 1 << 16

    deinit { start.deallocate() }

    func removeAll() { count = 0 }

    func append(_ more: Int) {
        if count + more > capacity {
            capacity = max(2 * capacity, count + more)
            let grown = UnsafeMutablePointer<Int16>.allocate(capacity: capacity)
            grown.update(from: start, count: count)
            start.deallocate()
            start = grown
        }
        count += more
    }
}

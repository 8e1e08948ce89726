/// The samples of a piece of a row that are drawn together: where their windows are, and what is mixed over them.
final class BentRowBuffers {
    /// The most samples in a piece.
    static let capacity = 256

    /// For each sample: its window.
    let windows = WindowPlaces()
    /// For each sample: the part that shadows leave of what is drawn, and a shadow's shade.
    let keep = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    let shade = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
    /// What the samples see of the two sides of the sheet.
    let back = SideSights()
    let front = SideSights()
    /// What lies flat along the row: with the sheet, and beneath it.
    let flat = (onSheet: FlatSegments(), beneath: FlatSegments())
    /// For the slices of a sample at the rim: their weights, and the samples that are read of them.
    let slices = SliceBuffers()

    deinit {
        for buffer in [keep, shade] { buffer.deallocate() }
        windows.deallocate()
    }

    /// What the samples of a piece see of one side of the sheet.
    final class SideSights {
        /// Not negative where a window sees nothing but this side.
        let inner = make()
        /// Negative where nothing of this side is seen.
        let outer = make()
        /// Half the size of the box around the footprint on the page, and the place of the footprint's table. There is
        /// room before them, too.
        let halfX = make() + 8
        let halfY = make() + 8
        let tables = UnsafeMutablePointer<Int32>.allocate(capacity: capacity + 16) + 8
        let windows = WindowPlaces()
        /// Values of the curl table, for rows that have to be put together sample by sample.
        let gathered = UnsafeMutablePointer<Float>.allocate(capacity: CurlLines.Value.allCases.count * capacity + 8)

        /// Room for a number for each sample, and for two vectors.
        private static func make() -> UnsafeMutablePointer<Float> { .allocate(capacity: capacity + 16) }

        deinit {
            for buffer in [inner, outer, halfX - 8, halfY - 8, gathered] { buffer.deallocate() }
            (tables - 8).deallocate()
            windows.deallocate()
        }
    }

    /// The slices of a sample at the rim.
    final class SliceBuffers {
        let weights = Scratch<Float>()
        let columns = Scratch<Int32>()
        let rows = Scratch<Int32>()
    }
}

extension WindowPlaces {
    /// Makes room for the windows of a piece.
    fileprivate init() {
        let make = { UnsafeMutablePointer<Int32>.allocate(capacity: BentRowBuffers.capacity + 8) }
        self.init(columns: make(), rows: make(), places: make())
    }

    fileprivate func deallocate() {
        for buffer in [columns, rows, places] { buffer.deallocate() }
    }
}

/// What lies flat along a row, in segments that see one picture each, or the background, or more than one of them.
final class FlatSegments {
    enum Sight { case outgoing, incoming, background, several }
    struct Segment {
        let sight: Sight
        /// The column after the last one.
        let end: Int
    }

    private var segments: [Segment] = []

    var count: Int { segments.count }

    subscript(index: Int) -> Segment { segments[index] }

    func removeAll() { segments.removeAll(keepingCapacity: true) }

    func append(_ sight: Sight, upTo end: Int) {
        if end > (segments.last?.end ?? 0) { segments.append(Segment(sight: sight, end: end)) }
    }

    /// What is seen in `column`.
    func sight(_ column: Int) -> Sight {
        for segment in segments where column < segment.end { return segment.sight }
        return .several
    }
}

/// Colors in the components of wide samples, as floating-point numbers, for up to four planes.
struct WideColors {
    private(set) var paper = SIMD4<Float>()
    private(set) var shadow = SIMD4<Float>()
    private(set) var white = SIMD4<Float>()
    private(set) var background = SIMD4<Float>()

    /// The colors in `planes`, numbered from the first one on.
    init(_ planes: Range<Int>, _ context: FrameContext) {
        for (index, plane) in planes.enumerated() {
            paper[index] = Float(context.paper[plane: plane])
            shadow[index] = Float(context.shadow[plane: plane])
            white[index] = Float(context.white[plane: plane])
            background[index] = Float(context.background[plane: plane])
        }
    }
}

/// The samples of a piece of a row that are drawn together: where their windows are, and what is mixed over them.
final class BentRowBuffers {
    /// The most samples in a piece.
    static let capacity = 256

    /// For each sample: the window's first sample, as column and row, and the place of its weights.
    let columns = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    let rows = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
    let places = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
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
        for buffer in [columns, rows, places] { buffer.deallocate() }
        for buffer in [keep, shade] { buffer.deallocate() }
    }

    /// What the samples of a piece see of one side of the sheet.
    final class SideSights {
        /// The page points.
        let x = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        let y = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        /// Not negative where a window sees nothing but this side.
        let inner = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        /// Negative where nothing of this side is seen.
        let outer = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        /// Half the size of the box around the footprint on the page, and the place of the footprint's weights.
        let halfX = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        let halfY = UnsafeMutablePointer<Float>.allocate(capacity: capacity)
        let places = UnsafeMutablePointer<Int32>.allocate(capacity: capacity)
        /// Values of the curl table, for rows that have to be put together sample by sample.
        let gathered = UnsafeMutablePointer<Float>.allocate(capacity: CurlLines.Value.allCases.count * capacity)

        deinit {
            for buffer in [x, y, inner, outer, halfX, halfY, gathered] { buffer.deallocate() }
            places.deallocate()
        }
    }

    /// The slices of a sample at the rim.
    final class SliceBuffers {
        let weights = Scratch<Float>()
        let columns = Scratch<Int32>()
        let rows = Scratch<Int32>()
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

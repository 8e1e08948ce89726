import FlipGeometry

/// The lists of a `BentScene`, in memory that is kept from frame to frame.
final class BentSceneLists {
    private let keptPieces = Scratch<BentScene.Piece>()
    private let keptEdges = Scratch<Double>()
    private let keptLimits = Scratch<Double>()
    private var counts = (pieces: 0, edges: 0, limits: 0)

    var pieces: UnsafeBufferPointer<BentScene.Piece> {
        UnsafeBufferPointer(start: keptPieces.start, count: counts.pieces)
    }
    var edges: UnsafeBufferPointer<Double> { UnsafeBufferPointer(start: keptEdges.start, count: counts.edges) }
    var rowLimits: UnsafeBufferPointer<Double> { UnsafeBufferPointer(start: keptLimits.start, count: counts.limits) }

    /// Lists what lies flat in `scene`, and where it may change; `page` is the bent sheet's rectangle, `size` the frame's.
    func fill(_ scene: Scene, page: (low: SIMD2<Double>, high: SIMD2<Double>), size: SIMD2<Double>) {
        let isVertical = scene.orientation == .vertical
        let most = scene.sheets.count
        keptPieces.reserve(most)
        keptEdges.reserve(2 * most + 2)
        keptLimits.reserve(2 * most + 4)
        counts = (0, 0, 0)
        // Only a camera that has stepped back sees the frame's border.
        if scene.scale != 1 {
            addEdge(0)
            addEdge(size.x)
            addLimit(0)
            addLimit(size.y)
        }
        for sheet in scene.sheets where sheet.bend == nil {
            let (low, high) = (sheet.cut.lowerBound, sheet.cut.upperBound)
            keptPieces.start[counts.pieces] = BentScene.Piece(picture: sheet.picture, low: low, high: high)
            counts.pieces += 1
            if isVertical {
                addLimit(low)
                addLimit(high)
            } else {
                addEdge(low)
                addEdge(high)
            }
        }
        if isVertical {
            addLimit(page.low.y)
            addLimit(page.high.y)
        }
    }

    /// Inserts an edge in ascending order, unless it is there.
    private func addEdge(_ x: Double) {
        let edges = keptEdges.start
        var place = counts.edges
        while place > 0 && edges[place - 1] > x { place -= 1 }
        if place > 0 && edges[place - 1] == x { return }
        for index in stride(from: counts.edges, to: place, by: -1) { edges[index] = edges[index - 1] }
        edges[place] = x
        counts.edges += 1
    }

    private func addLimit(_ y: Double) {
        keptLimits.start[counts.limits] = y
        counts.limits += 1
    }
}

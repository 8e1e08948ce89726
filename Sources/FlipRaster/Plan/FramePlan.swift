import FlipGeometry

/// What is drawn for one frame, before any sample is touched: the spans, and for each kind of plane the slices.
struct FramePlan {
    let spans: SpanPlan
    let orientation: Orientation
    /// One entry for each different grid: luma (or everything), then chroma.
    let layouts: [PlaneLayout]

    /// Planes that share their grids, and how the motion axis is cut for them.
    struct PlaneLayout {
        let planes: Range<Int>
        /// The samples along the motion axis.
        let along: Grid
        /// The samples across it.
        let across: Grid
        let slices: SlicePlan
    }

    init(_ scene: Scene, format: PictureFormat, width: Int, height: Int) {
        let spans = SpanPlan(scene)
        self.spans = spans
        orientation = scene.orientation
        let horizontal = scene.orientation == .horizontal
        let isSubsampled = format.components == .yuv && (format.chromaStepX > 1 || format.chromaStepY > 1)
        let groups = isSubsampled ? [0..<1, 1..<3] : [0..<format.planeCount]
        layouts = groups.map { planes in
            let columns = Grid(.horizontal, plane: planes.lowerBound, format: format, extent: width)
            let rows = Grid(.vertical, plane: planes.lowerBound, format: format, extent: height)
            let (along, across) = horizontal ? (columns, rows) : (rows, columns)
            return PlaneLayout(
                planes: planes, along: along, across: across, slices: SlicePlan(spans, along: along, across: across))
        }
    }
}

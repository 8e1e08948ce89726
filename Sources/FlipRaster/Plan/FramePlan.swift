import FlipGeometry

/// What is drawn for one frame, before any sample is touched: the spans, for each kind of plane the slices, and the jobs.
/// Planning again uses the same storage.
package final class FramePlan: CustomStringConvertible {
    private(set) var spans = SpanPlan()
    private(set) var orientation = Orientation.horizontal
    package private(set) var jobs: [Job] = []
    private let horizontal: [PlaneLayout]
    private let vertical: [PlaneLayout]
    private var scene = Scene()
    private let stage: Stage

    /// Planes that share their grids, and how the motion axis is cut for them.
    final class PlaneLayout {
        let planes: Range<Int>
        /// The samples along the motion axis.
        let along: Grid
        /// The samples across it.
        let across: Grid
        fileprivate(set) var slices = SlicePlan()

        fileprivate init(_ planes: Range<Int>, _ orientation: Orientation, _ format: PictureFormat, _ stage: Stage) {
            let columns = Grid(.horizontal, plane: planes.lowerBound, format: format, extent: Int(stage.width))
            let rows = Grid(.vertical, plane: planes.lowerBound, format: format, extent: Int(stage.height))
            self.planes = planes
            (along, across) = orientation == .horizontal ? (columns, rows) : (rows, columns)
        }
    }

    /// A plan for frames of `width` x `height` luma pixels.
    package init(format: PictureFormat, width: Int, height: Int) {
        let stage = Stage(width: Double(width), height: Double(height))
        let isSubsampled = format.components == .yuv && (format.chromaStepX > 1 || format.chromaStepY > 1)
        let groups = isSubsampled ? [0..<1, 1..<3] : [0..<format.colorPlaneCount]
        self.stage = stage
        horizontal = groups.map { PlaneLayout($0, .horizontal, format, stage) }
        vertical = groups.map { PlaneLayout($0, .vertical, format, stage) }
    }

    /// One entry for each different grid: luma (or everything), then chroma.
    var layouts: [PlaneLayout] { orientation == .horizontal ? horizontal : vertical }

    /// The spans, then for each kind of plane how its footprints along the motion are drawn.
    package var description: String {
        if let part = scene.crossFade { return "cross-fade of \(part)" }
        return ([spans.description] + layouts.map { "planes \($0.planes)\n\($0.slices)" }).joined(separator: "\n")
    }

    /// Plans the frame that `look` shows at `progress`, with or without the panels' shades.
    package func plan(_ look: StyledLook, progress: Double, showsShades: Bool = true) {
        scene.show(look.style, look: look.look, stage: stage, progress: progress)
        if !showsShades { scene.removeShades() }
        orientation = scene.orientation
        jobs.removeAll(keepingCapacity: true)
        if let part = scene.crossFade { return Job.append(crossFade: part, for: self, to: &jobs) }
        spans.plan(scene)
        for layout in layouts {
            layout.slices.plan(spans, orientation: orientation, along: layout.along, across: layout.across)
        }
        Job.append(for: self, to: &jobs)
    }
}

import FlipGeometry

/// The plan of a frame with a bent sheet: the scene, and the tables by which it is drawn. Planning the next frame reuses
/// the storage.
final class BentPlan {
    private(set) var scene: BentScene
    private(set) var table = CurlTable()
    private(set) var rim = RimTable()
    private let footprints = FootprintCache()
    private let lists = BentSceneLists()
    /// One for each layout of planes of the frame plan.
    let layouts: [BentLayout]

    init(_ layouts: [FramePlan.PlaneLayout], _ sheet: Sheet, _ bend: Bend, scene: Scene) {
        let isHorizontal = scene.orientation == .horizontal
        let footprints = footprints
        self.layouts = layouts.map {
            BentLayout(
                planes: $0.planes, columns: isHorizontal ? $0.along : $0.across,
                rows: isHorizontal ? $0.across : $0.along, footprints: footprints)
        }
        self.scene = BentScene(sheet, bend, scene: scene, lists)
    }

    func plan(_ sheet: Sheet, _ bend: Bend, scene: Scene) {
        self.scene = BentScene(sheet, bend, scene: scene, lists)
        let geometry = self.scene.geometry
        footprints.beginFrame()
        let margin = 8 * self.scene.zoom
        table.fill(geometry, min(geometry.joint, 0) - margin, geometry.rim)
        for layout in layouts { layout.plan(self.scene, table) }
        var start = Double.infinity
        for layout in layouts { start = min(start, layout.limits[2] - 2 * layout.reach) }
        rim.fill(geometry, from: start)
    }
}

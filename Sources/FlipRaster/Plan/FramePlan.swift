import FlipGeometry

/// The plan of one frame, made before any sample is read: the spans, the slices for each layout of planes, and the
/// jobs. Planning the next frame reuses the storage.
package final class FramePlan: CustomStringConvertible {
    /// Not checked for exclusive access at run time: it is read for each row of a frame, where the checks would take 3 to 6 % of
    /// the time (`raster-bench draw`), and nothing is planned while a frame is drawn.
    @exclusivity(unchecked) private(set) var spans = SpanPlan()
    /// The plan of a bent sheet; nil if the frame has none. `bent` is kept for the next frame of its orientation.
    private(set) var bent: BentPlan?
    private var horizontalBent: BentPlan?
    private var verticalBent: BentPlan?
    private(set) var orientation = Orientation.horizontal
    package private(set) var jobs: [Job] = []
    private let horizontal: [PlaneLayout]
    private let vertical: [PlaneLayout]
    private(set) var scene = Scene()
    let stage: Stage
    /// The interval along the motion, in luma pixels, outside of which frames aren't drawn; nil for whole frames.
    /// Frames with a tilted bent sheet, and with a fade that is the same everywhere, are always drawn as a whole.
    var drawn: ClosedRange<Double>?
    /// A limit, besides the scene's own, to how far a texture may slide within a slice, in samples.
    var slide = Double.infinity

    /// Planes with the same grids, and the slices into which their footprints along the motion axis are cut.
    final class PlaneLayout {
        let planes: Range<Int>
        /// The grid along the motion axis.
        let along: Grid
        /// The grid across the motion axis.
        let across: Grid
        fileprivate(set) var slices = SlicePlan()

        fileprivate init(
            _ planes: Range<Int>, _ orientation: Orientation, _ format: PictureFormat, width: Int, height: Int
        ) {
            let columns = Grid(.horizontal, plane: planes.lowerBound, format: format, extent: width)
            let rows = Grid(.vertical, plane: planes.lowerBound, format: format, extent: height)
            self.planes = planes
            (along, across) = orientation == .horizontal ? (columns, rows) : (rows, columns)
        }
    }

    /// Creates a plan for frames of `width` x `height` luma pixels.
    package init(format: PictureFormat, width: Int, height: Int) {
        stage = Stage(width: Double(width) * format.pixelAspect, height: Double(height * format.lineStep))
        let isSubsampled = format.components == .yuv && (format.chromaStepX > 1 || format.chromaStepY > 1)
        let groups = isSubsampled ? [0..<1, 1..<3] : [0..<format.colorPlaneCount]
        horizontal = groups.map { PlaneLayout($0, .horizontal, format, width: width, height: height) }
        vertical = groups.map { PlaneLayout($0, .vertical, format, width: width, height: height) }
    }

    /// The layouts for the current orientation: luma, then chroma if it is subsampled; otherwise one for all planes.
    var layouts: [PlaneLayout] { orientation == .horizontal ? horizontal : vertical }

    /// The spans, then for each layout how its footprints along the motion are drawn.
    package var description: String {
        if let fade = scene.fade {
            let weight = fade.ramp.map { "\($0.isRising ? "rising" : "falling") over \($0.extent)" }
            return "fade from \(fade.from) to \(fade.to), " + (weight ?? "part \(fade.part)")
        }
        if let bent { return "bent sheet, rim at \(bent.scene.geometry.rim) luma pixels from the contact line" }
        return ([spans.description] + layouts.map { "planes \($0.planes)\n\($0.slices)" }).joined(separator: "\n")
    }

    /// Plans the frame that `look` shows at `progress`, with that part of the light.
    package func plan(_ look: StyledLook, progress: Double, light: Scene.LightPart = .all) {
        scene.show(look.style, look: look.look, stage: stage, progress: progress)
        scene.keepLight(light)
        orientation = scene.orientation
        jobs.removeAll(keepingCapacity: true)
        bent = nil
        if case .fade(let fade) = scene.contents { return Job.append(fade, for: self, to: &jobs) }
        if let sheet = scene.bentSheet, let bend = sheet.bend, !scene.bendsStraight { return plan(sheet, bend) }
        planSlices()
        Job.append(for: self, to: &jobs)
    }

    private func planSlices() {
        spans.plan(scene, slide: slide)
        for layout in layouts {
            layout.slices.plan(
                spans, orientation: orientation, along: layout.along, across: layout.across,
                drawn: drawnFootprints(layout))
        }
    }

    /// Says along which axis the next frame's motion runs.
    func turn(_ orientation: Orientation) { self.orientation = orientation }

    /// Plans what rests while a frame is exposed, and no more. `drawn` has no influence.
    func plan(_ still: StillParts, _ orientation: Orientation) {
        scene.showFlat(stage: stage, orientation) { still.appendSheets(to: &$0) }
        self.orientation = orientation
        jobs.removeAll(keepingCapacity: true)
        (bent, drawn) = (nil, nil)
        planSlices()
        Job.appendFlat(for: self, to: &jobs)
    }

    private func plan(_ sheet: Sheet, _ bend: Bend) {
        let kept = orientation == .horizontal ? horizontalBent : verticalBent
        let plan = kept ?? BentPlan(layouts, sheet, bend, scene: scene)
        if orientation == .horizontal { horizontalBent = plan } else { verticalBent = plan }
        plan.plan(sheet, bend, scene: scene)
        bent = plan
        Job.append(bent: plan.layouts, to: &jobs)
    }
}

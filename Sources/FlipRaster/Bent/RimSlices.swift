/// The back of the sheet near the rim in slices along the contact line, and where each of them is read on the back's
/// picture. Slices are narrow on the screen where the sheet is seen edge-on, so that they are alike on the sheet.
final class RimSlices {
    /// The length of the slices on the sheet, and the number of points in which each is sampled, in samples.
    private static let length = 1.2
    private static let points = 2
    /// The same where the cylinder is so thin that a sample sees the flat parts on both sides of it, and has few slices.
    private static let fineLength = 0.15
    private static let finePoints = 6
    /// The most slices there are.
    private static let most = 1024.0

    /// The points per slice.
    private(set) var points = 1
    private(set) var count = 0
    /// Slice k ends where the root of the distance from the rim is (k + 1) / perRoot.
    private(set) var perRoot = 1.0
    /// For each slice: the distances of its beginning and of its middle from the rim.
    let starts = Scratch<Float>()
    let middles = Scratch<Float>()
    /// The sample that is seen at a scene point is at place + (point - viewpoint) * scale.
    let placesX = Scratch<Float>()
    let placesY = Scratch<Float>()
    let scalesX = Scratch<Float>()
    let scalesY = Scratch<Float>()
    /// The parts of the texture, of the paper, of the shadow color and of paper white.
    let lights = Scratch<SIMD4<Float>>()

    /// Cuts the back into slices up to `distance` from the rim.
    func fill(_ scene: BentScene, _ layout: BentLayout, upTo distance: Double, isThin: Bool) {
        let geometry = scene.geometry
        let pitch = min(layout.columns.pitch, layout.rows.pitch) * scene.zoom
        let length = pitch * (isThin ? RimSlices.fineLength : RimSlices.length)
        points = isThin ? RimSlices.finePoints : RimSlices.points
        let end = max(distance, 1e-9).squareRoot()
        perRoot = min(steepest(geometry, upTo: end) / length, RimSlices.most / end)
        count = Int((end * perRoot).rounded(.up))
        // Room for a slice and a vector more.
        for values in [starts, middles, placesX, placesY, scalesX, scalesY] { values.reserve(count + 5) }
        lights.reserve(count + 1)
        let ray = scene.backRay(.zero)
        let windows = layout.backSide.windows(1)
        let (viewX, viewY) = (Float(geometry.viewpoint.x), Float(geometry.viewpoint.y))
        for slice in 0...count {
            let (start, middle) = (Double(slice) / perRoot, (Double(slice) + 0.5) / perRoot)
            starts.start[slice] = Float(start * start)
            middles.start[slice] = Float(middle * middle)
            let hit = geometry.back(geometry.rim - middle * middle)
            let entry = CurlTable.entry(hit, geometry.light)
            placesX.start[slice] =
                windows.x + windows.scaleX * (viewX + Float(geometry.normal.x * hit.shift))
            placesY.start[slice] =
                windows.y + windows.scaleY * (viewY + Float(geometry.normal.y * hit.shift))
            scalesX.start[slice] = windows.scaleX * entry[0]
            scalesY.start[slice] = windows.scaleY * entry[0]
            lights.start[slice] = SIMD4(
                entry[2] * Float(ray.light.keep), entry[2] * Float(ray.light.paper), entry[3], entry[4])
        }
    }

    /// The most by which the place on the sheet changes per change of the root.
    private func steepest(_ geometry: BentGeometry, upTo end: Double) -> Double {
        let steps = 16
        var (last, most) = (0.0, 0.0)
        for index in 0...steps {
            let root = end * Double(index) / Double(steps)
            let hit = geometry.back(geometry.rim - root * root)
            let place = hit.position + hit.shift
            if index > 0 { most = max(most, abs(place - last)) }
            last = place
        }
        return most * Double(steps) / end
    }
}

import FlipGeometry
import RealModule

/// A bent sheet and the camera above it, in luma pixels (x, y) of the scene (EFFECTS 7).
///
/// `d` is the distance of a point of the scene's screen from the contact line. All that a ray meets depends on it along
/// the line's normal, and is linear along the line: a ray through the screen point X meets the page point
///
///     viewpoint + (X - viewpoint) scale(d) + normal shift(d)
///
/// for either side of the sheet.
struct BentGeometry {
    /// The contact line's unit normal, which points to the part of the sheet that has left the screen.
    let normal: SIMD2<Double>
    let contact: Double
    let radius: Double
    /// The point of the screen below the camera.
    let viewpoint: SIMD2<Double>
    /// 1 / the camera's height; 0 without perspective.
    let nearness: Double
    /// The page's rectangle: its least and its greatest x and y.
    let page: (low: SIMD2<Double>, high: SIMD2<Double>)
    let light: CurlLight
    /// The viewpoint's distance from the contact line.
    let viewpointDistance: Double
    /// Up to this distance from the contact line, rays meet the sheet.
    let rim: Double
    /// Up to this distance, rays meet the part of the back that lies flat again.
    let joint: Double

    init(_ sheet: Sheet, _ bend: Bend, scene: Scene) {
        // Positions in a scene are (along, across) the motion.
        let isHorizontal = scene.orientation == .horizontal
        func xy(_ point: SIMD2<Double>) -> SIMD2<Double> { isHorizontal ? point : SIMD2(point.y, point.x) }
        normal = xy(bend.normal)
        contact = bend.contact
        radius = bend.radius
        viewpoint = xy(SIMD2(scene.camera.along, scene.camera.across))
        nearness = 1 / scene.camera.height
        page = (low: xy(SIMD2(sheet.cut.lowerBound, 0)), high: xy(SIMD2(sheet.cut.upperBound, scene.breadth)))
        light = CurlLight(bend)
        viewpointDistance = (normal * viewpoint).sum() - contact
        (rim, joint) = BentGeometry.limits(radius, viewpointDistance, nearness)
    }

    private static func limits(_ radius: Double, _ viewpoint: Double, _ nearness: Double) -> (Double, Double) {
        if nearness == 0 { return (radius, 0) }
        let height = 1 / nearness
        // The tangent from the camera to the cylinder, on the side where the sheet is.
        let toAxis = (viewpoint * viewpoint + (height - radius) * (height - radius)).squareRoot()
        let angle = Double.atan2(y: -viewpoint, x: height - radius) + Double.asin(radius / toAxis)
        return (viewpoint + height * Double.tan(angle), viewpoint - viewpoint / (1 - 2 * radius * nearness))
    }

    /// Where a ray meets one side of the sheet.
    struct Hit {
        /// The factor and the shift by which the page point follows from the screen point.
        var scale: Double
        var shift: Double
        /// The position on the cylinder's cross section: the distance from the contact line, and the height.
        var position: Double
        var height: Double
    }

    /// The distance of the screen point `point` from the contact line.
    @inline(__always)
    func distance(_ point: SIMD2<Double>) -> Double { (normal * point).sum() - contact }

    /// The page point at which `hit` meets the sheet.
    @inline(__always)
    func page(_ point: SIMD2<Double>, _ hit: Hit) -> SIMD2<Double> { page(point, scale: hit.scale, shift: hit.shift) }

    /// The page point at which the ray through `point` meets the sheet where a table has `entry`.
    @inline(__always)
    func page(_ point: SIMD2<Double>, _ entry: CurlTable.Entry) -> SIMD2<Double> {
        page(point, scale: Double(entry[0]), shift: Double(entry[1]))
    }

    @inline(__always)
    private func page(_ point: SIMD2<Double>, scale: Double, shift: Double) -> SIMD2<Double> {
        viewpoint + (point - viewpoint) * scale + normal * shift
    }

    /// Where the rays at distance `d` meet the back of the sheet; `d` is at most `rim`.
    func back(_ d: Double) -> Hit {
        if d <= joint { return flatBack(d) }
        let (sum, root, lean) = roots(d)
        let height = (sum + root) / (1 + lean * lean)
        return cylinder(d - lean * height, height)
    }

    /// Where the rays at distance `d` meet the plane in which the sheet lies upside down.
    func flatBack(_ d: Double) -> Hit {
        let position = d - 2 * radius * (d - viewpointDistance) * nearness
        return Hit(
            scale: 1 - 2 * radius * nearness, shift: .pi * radius - 2 * position, position: position,
            height: 2 * radius)
    }

    /// Where the rays at distance `d` meet the front of the sheet; `d` is at most `rim`.
    func front(_ d: Double) -> Hit {
        if d <= 0 { return Hit(scale: 1, shift: 0, position: d, height: 0) }
        let (sum, root, lean) = roots(d)
        let height = d * d / (sum + root)
        return cylinder(d - lean * height, height)
    }

    /// The terms of the cylinder's equation (1 + g^2) z^2 - 2 (R + d g) z + d^2 = 0: R + d g, the root of the
    /// discriminant, and g.
    private func roots(_ d: Double) -> (sum: Double, root: Double, lean: Double) {
        let lean = (d - viewpointDistance) * nearness
        let sum = radius + d * lean
        return (sum, max(sum * sum - (1 + lean * lean) * d * d, 0).squareRoot(), lean)
    }

    private func cylinder(_ position: Double, _ height: Double) -> Hit {
        let s = radius * Double.atan2(y: position, x: radius - height)
        return Hit(scale: 1 - height * nearness, shift: s - position, position: position, height: height)
    }

    /// The distance of the page point `point` from the page.
    func distanceFromPage(_ point: SIMD2<Double>) -> Double {
        let outside = pointwiseMax(pointwiseMax(page.low - point, point - page.high), .zero)
        return (outside * outside).sum().squareRoot()
    }

    @inline(__always)
    func isOnPage(_ point: SIMD2<Double>) -> Bool {
        point.x >= page.low.x && point.x <= page.high.x && point.y >= page.low.y && point.y <= page.high.y
    }

    /// The shade that the sheet's flat back casts on what lies below it at `point`, at distance `d`. It ends where the
    /// cylinder begins.
    func backShadow(_ point: SIMD2<Double>, _ d: Double) -> Double {
        light.back > 0 && d <= joint ? light.backShadow(distanceFromPage(page(point, flatBack(d)))) : 0
    }

    /// The mean of that shade over a footprint whose distances from the contact line are distributed as `profile` around
    /// `d`.
    func backShadow(_ point: SIMD2<Double>, _ d: Double, _ profile: FootprintProfile) -> Double {
        if light.back == 0 || d >= joint + profile.reach { return 0 }
        return light.backShadow(distanceFromPage(page(point, flatBack(d)))) * profile.part(below: joint - d)
    }
}

/// The light on a bent sheet, and the shadows it casts (EFFECTS 7, items 5 and 6).
struct CurlLight {
    private let radius: Double
    /// The factors of the shade and of the gloss on the cylinder.
    private let cylinder: Double
    private let gloss: Double
    /// The greatest shades that the cylinder and the flat back cast.
    let roll: Double
    let back: Double
    /// Whether there are shadows, even if they aren't drawn at the moment: how samples are drawn may depend on this, so
    /// that a sample's parts of the light, drawn one by one, belong together.
    let castsShadows: Bool

    /// The cylinder's shadow fades over this length, which begins one radius from the contact line.
    var fading: Double { 1.2 * radius }
    /// Beyond this distance from the contact line, the cylinder casts no shadow.
    var reach: Double { radius + fading }
    /// Farther than this from the page, measured on the sheet, the flat back casts no shadow.
    var backReach: Double { 0.8 * radius }

    init(_ bend: Bend) {
        radius = bend.radius
        let shades = bend.light == .all ? bend.strength : 0
        cylinder = 0.6 * shades
        gloss = bend.light == .none ? 0 : 0.6 * bend.strength
        roll = 0.5 * shades * bend.lift
        back = 0.35 * shades * bend.lift
        castsShadows = bend.strength * bend.lift > 0
    }

    /// The light on the back: the shade, and the part of paper white that is mixed over it, each 0...1.
    func onBack(_ hit: BentGeometry.Hit) -> (shade: Double, gloss: Double) {
        let brightness = (hit.height - radius) / radius + lean(hit) / 2
        return (clamped(cylinder * (1 - brightness)), clamped(gloss * (brightness - 1)))
    }

    /// The shade on the front, 0...1.
    func onFront(_ hit: BentGeometry.Hit) -> Double {
        if hit.height == 0 { return 0 }
        return clamped(cylinder * (1 - ((radius - hit.height) / radius - lean(hit) / 2)))
    }

    private func lean(_ hit: BentGeometry.Hit) -> Double { clamped(hit.position / radius) }

    private func clamped(_ value: Double) -> Double { min(max(value, 0), 1) }

    /// The shade that the cylinder casts at distance `d` from the contact line on what lies beneath the sheet.
    func rollShadow(_ d: Double) -> Double {
        if d <= 0 { return 0 }
        let rest = 1 - clamped((d - radius) / fading)
        return clamped(roll * rest * rest)
    }

    /// The shade that the flat back casts at `distance` from the page, measured on the sheet.
    func backShadow(_ distance: Double) -> Double {
        let rest = max(0, 1 - distance / backReach)
        return clamped(back * rest * rest)
    }
}

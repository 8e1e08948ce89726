import FlipGeometry

/// One side of a sheet, or of a part of it, as the camera sees it. Along the motion, the map between screen and texture
/// is one-dimensional: a homography if the sheet is in a plane, that of an arc if it is on a cylinder. Across the motion,
/// at a fixed position along it, the map is linear.
struct Projection {
    /// Where the points of the texture are in space.
    private enum Surface {
        /// In a plane; `reduction` is 1 - z/z0 as a function of the texture coordinate, where z is the height there and
        /// z0 the camera's.
        case plane(position: Line, height: Line, reduction: Line)
        case cylinder(Unmanaged<ArchedSheet>, isBack: Bool)
    }

    /// The picture that is seen, and the part of it.
    let picture: Picture
    private let cornerRadius: (lower: Double, upper: Double)
    let cut: ClosedRange<Double>
    /// As in `Sheet`.
    let rank: Int
    let finish: Finish
    /// Whether every sample appears at its own place in the picture, and none is cut off across the motion.
    let isFlat: Bool
    private let surface: Surface
    private let acrossScale: Double
    private let camera: Camera
    private let breadth: Double
    /// The part of the picture across the motion, in luma pixels.
    private let acrossCut: ClosedRange<Double>
    /// The part of the cut that lies in front of the camera.
    private let visible: ClosedRange<Double>
    /// The interval on the screen along the motion, in luma pixels, clipped to the frame; lower >= upper if nothing of
    /// it is visible.
    private(set) var lower = 0.0
    private(set) var upper = 0.0

    /// Points nearer to the camera than this fraction of its height aren't drawn.
    static let nearest = 1e-6

    /// The part `cut` of a picture on a side of the cylinder of `bend`.
    init(
        _ picture: Picture, cut: ClosedRange<Double>, acrossCut: ClosedRange<Double>? = nil,
        on bend: Unmanaged<ArchedSheet>, isBack: Bool, finish: Finish, scene: Scene
    ) {
        (self.picture, self.cut, self.finish) = (picture, cut, finish)
        (cornerRadius, rank, isFlat) = ((0, 0), 1, false)
        surface = .cylinder(bend, isBack: isBack)
        acrossScale = bend._withUnsafeGuaranteedRef { $0.scale }
        camera = scene.camera
        breadth = scene.breadth
        self.acrossCut = acrossCut ?? 0...scene.breadth
        visible = cut
        findInterval(scene.length)
    }

    /// A sheet in a plane; `finish` is nil for the sheet's own shade.
    init(_ sheet: Sheet, on plane: Plane, scene: Scene, finish: Finish? = nil) {
        picture = sheet.picture
        cut = sheet.cut
        cornerRadius = sheet.cornerRadius
        rank = sheet.rank
        isFlat = sheet.isFlat
        self.finish = finish ?? .shade(sheet.shade)
        camera = scene.camera
        breadth = scene.breadth
        acrossCut = sheet.acrossCut ?? 0...scene.breadth
        acrossScale = plane.acrossScale
        let reduction = Line(
            constant: 1 - plane.height.constant / camera.height, slope: -plane.height.slope / camera.height)
        surface = .plane(position: plane.position, height: plane.height, reduction: reduction)
        var (from, to) = (sheet.cut.lowerBound, sheet.cut.upperBound)
        if reduction(from) < Projection.nearest && reduction(to) < Projection.nearest {
            to = from
        } else if reduction(from) < Projection.nearest {
            from = (Projection.nearest - reduction.constant) / reduction.slope
        } else if reduction(to) < Projection.nearest {
            to = (Projection.nearest - reduction.constant) / reduction.slope
        }
        visible = from...max(from, to)
        findInterval(scene.length)
    }

    private mutating func findInterval(_ length: Double) {
        let (first, second) = (screen(visible.lowerBound), screen(visible.upperBound))
        lower = max(min(first, second), 0)
        upper = min(max(first, second), length)
    }

    var isOnCylinder: Bool {
        if case .cylinder = surface { return true }
        return false
    }

    /// 1 / the factor by which the point of the texture `s` appears magnified: 1 on the screen, less above it.
    private func reduction(_ s: Double) -> Double {
        switch surface {
        case .plane(_, _, let reduction): reduction(s)
        case .cylinder(let bend, let isBack): 1 - point(bend, s, isBack).height / camera.height
        }
    }

    private func point(
        _ bend: Unmanaged<ArchedSheet>, _ s: Double, _ isBack: Bool
    ) -> (position: Double, height: Double) {
        bend._withUnsafeGuaranteedRef { $0.point(texture: s, isBack: isBack) }
    }

    /// The screen position along the motion at which the texture coordinate `s` is seen.
    func screen(_ s: Double) -> Double {
        switch surface {
        case .plane(let position, _, let reduction):
            return camera.along + (position(s) - camera.along) / reduction(s)
        case .cylinder(let bend, let isBack):
            let point = point(bend, s, isBack)
            return camera.along + (point.position - camera.along) / (1 - point.height / camera.height)
        }
    }

    /// The texture coordinate along the motion that is seen at screen position `x`, clamped to the visible part.
    func texture(_ x: Double) -> Double {
        let s: Double
        switch surface {
        case .plane(let position, _, let reduction):
            let offset = x - camera.along
            s =
                (position.constant - camera.along - offset * reduction.constant)
                / (offset * reduction.slope - position.slope)
        case .cylinder(let bend, let isBack):
            s = bend._withUnsafeGuaranteedRef { $0.texture(at: x, isBack: isBack) }
        }
        return min(max(s, visible.lowerBound), visible.upperBound)
    }

    /// The height above the screen, in luma pixels, of the point seen at screen position `x`.
    func height(_ x: Double) -> Double {
        let s = texture(x)
        switch surface {
        case .plane(_, let height, _): return height(s)
        case .cylinder(let bend, let isBack): return point(bend, s, isBack).height
        }
    }

    /// The texture coordinate across the motion as a function of the screen position across it, where the texture
    /// coordinate along the motion is `s`.
    func across(texture s: Double) -> Line {
        let middle = breadth / 2
        let slope = reduction(s) / acrossScale
        return Line(constant: middle + (camera.across - middle) / acrossScale - camera.across * slope, slope: slope)
    }

    /// The interval on the screen across the motion, where the texture coordinate along the motion is `s`.
    func extent(texture s: Double) -> (lower: Double, upper: Double) {
        let line = across(texture: s)
        let inset = cornerInset(texture: s)
        return (
            (acrossCut.lowerBound + inset - line.constant) / line.slope,
            (acrossCut.upperBound - inset - line.constant) / line.slope
        )
    }

    /// Whether the corners are square.
    var hasSquareCorners: Bool { cornerRadius == (0, 0) }

    /// By how many texture pixels rounded corners narrow the sheet at each side, where the texture coordinate is `s`.
    private func cornerInset(texture s: Double) -> Double {
        let length = cut.upperBound - cut.lowerBound
        let halfBreadth = (acrossCut.upperBound - acrossCut.lowerBound) / 2
        let isRoundedAtBothEnds = cornerRadius.lower > 0 && cornerRadius.upper > 0
        func inset(_ radius: Double, _ distance: Double) -> Double {
            let fitting = min(radius, halfBreadth, isRoundedAtBothEnds ? length / 2 : length)
            if distance >= fitting { return 0 }
            let rise = fitting - max(distance, 0)
            return fitting - (fitting * fitting - rise * rise).squareRoot()
        }
        if hasSquareCorners { return 0 }
        return max(inset(cornerRadius.lower, s - cut.lowerBound), inset(cornerRadius.upper, cut.upperBound - s))
    }

    /// By how many luma pixels the texture slides across the motion between screen positions `x0` and `x1`, measured at
    /// the border of the frame where it slides most.
    func slide(from x0: Double, to x1: Double) -> Double {
        if isFlat { return 0 }
        let (s0, s1) = (texture(x0), texture(x1))
        let reach = max(abs(camera.across), abs(breadth - camera.across))
        let shear = reach * abs(across(texture: s0).slope - across(texture: s1).slope)
        return shear + abs(cornerInset(texture: s0) - cornerInset(texture: s1))
    }

    /// Whether the whole breadth of the frame is covered at screen position `x`.
    func spansBreadth(at x: Double) -> Bool {
        let (lower, upper) = extent(texture: texture(x))
        return lower <= SpanPlan.narrowest && upper >= breadth - SpanPlan.narrowest
    }

    /// How much of the shadow color covers a flat surface at screen position `x`, 0...1.
    func shade(at x: Double) -> Double { finish(texture: x, screen: x).shadow }
}

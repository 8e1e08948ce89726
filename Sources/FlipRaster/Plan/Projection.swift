import FlipGeometry

/// A panel, or a side of a bent sheet's cylinder, as the camera sees it. Along the motion, the map between screen and
/// texture is a one-dimensional homography, or that of an arc; across the motion, at a fixed position along it, the map
/// is linear.
struct Projection {
    let panel: Panel
    let finish: Finish
    private let camera: Camera
    private let breadth: Double
    /// 1 - z/z0 as a function of the texture coordinate, where z is the panel's height and z0 the camera's. The panel
    /// appears magnified by the reciprocal.
    private let reductionLine: Line
    /// If the surface is a cylinder: the bend, and the side. Position and height of the panel then mean nothing.
    private let cylinder: (bend: StraightBend, isBack: Bool)?
    /// The part of the cut that lies in front of the camera.
    private let visible: ClosedRange<Double>
    /// The panel's interval on the screen along the motion, in luma pixels, clipped to the frame; lower >= upper if
    /// nothing of it is visible.
    private(set) var lower = 0.0
    private(set) var upper = 0.0

    /// Points nearer to the camera than this fraction of its height aren't drawn.
    private static let nearest = 1e-6

    /// A side of the cylinder of `bend`; `panel` says which part of which picture is on it.
    init(_ panel: Panel, bend: StraightBend, isBack: Bool, paper: Double, scene: Scene) {
        self.panel = panel
        finish = .bent(bend, isBack: isBack, paper: paper)
        camera = scene.camera
        breadth = scene.breadth
        reductionLine = Line(constant: 1, slope: 0)
        cylinder = (bend, isBack)
        visible = panel.cut
        findExtent(scene.length)
    }

    /// A flat panel; `finish` is nil for the panel's own shade.
    init(_ panel: Panel, scene: Scene, finish: Finish? = nil) {
        self.panel = panel
        self.finish = finish ?? .shade(panel.shade)
        camera = scene.camera
        breadth = scene.breadth
        cylinder = nil
        let reduction = Line(
            constant: 1 - panel.height.constant / camera.height, slope: -panel.height.slope / camera.height)
        reductionLine = reduction
        var (from, to) = (panel.cut.lowerBound, panel.cut.upperBound)
        if reduction(from) < Projection.nearest && reduction(to) < Projection.nearest {
            to = from
        } else if reduction(from) < Projection.nearest {
            from = (Projection.nearest - reduction.constant) / reduction.slope
        } else if reduction(to) < Projection.nearest {
            to = (Projection.nearest - reduction.constant) / reduction.slope
        }
        visible = from...max(from, to)
        findExtent(scene.length)
    }

    private mutating func findExtent(_ length: Double) {
        let (first, second) = (screen(visible.lowerBound), screen(visible.upperBound))
        lower = max(min(first, second), 0)
        upper = min(max(first, second), length)
    }

    /// The factor by which the point of the texture `s` appears reduced: 1 on the screen, less above it.
    private func reduction(_ s: Double) -> Double {
        guard let cylinder else { return reductionLine(s) }
        return 1 - cylinder.bend.point(texture: s, isBack: cylinder.isBack).height / camera.height
    }

    /// The screen position along the motion at which the texture coordinate `s` is seen.
    func screen(_ s: Double) -> Double {
        guard let cylinder else { return camera.along + (panel.position(s) - camera.along) / reductionLine(s) }
        let (position, height) = cylinder.bend.point(texture: s, isBack: cylinder.isBack)
        return camera.along + (position - camera.along) / (1 - height / camera.height)
    }

    /// The texture coordinate along the motion that is seen at screen position `x`, clamped to the visible part.
    func texture(_ x: Double) -> Double {
        if let cylinder {
            let s = cylinder.bend.texture(at: x, isBack: cylinder.isBack)
            return min(max(s, visible.lowerBound), visible.upperBound)
        }
        let offset = x - camera.along
        let s =
            (panel.position.constant - camera.along - offset * reductionLine.constant)
            / (offset * reductionLine.slope - panel.position.slope)
        return min(max(s, visible.lowerBound), visible.upperBound)
    }

    /// The height above the screen, in luma pixels, of the point seen at screen position `x`.
    func height(_ x: Double) -> Double {
        let s = texture(x)
        return cylinder.map { $0.bend.point(texture: s, isBack: $0.isBack).height } ?? panel.height(s)
    }

    /// Whether every sample of the surface appears at its own place in the picture, and nothing cuts any off.
    var isFlat: Bool { cylinder == nil && panel.isFlat }

    /// Whether the surface is a part of a cylinder.
    var isBent: Bool { cylinder != nil }

    /// How much of the shadow color covers a flat surface at screen position `x`, 0...1.
    func shade(at x: Double) -> Double { light(texture: x, screen: x).shadow }

    /// The light on the point of the texture `s`, which is seen at screen position `x`.
    func light(texture s: Double, screen x: Double) -> Light {
        switch finish {
        case .shade(let shade): .shade(shade(s))
        case .flat(let bend, let isBeneath): bend.lightOnFlat(x, isBeneath: isBeneath)
        case .bent(let bend, let isBack, let paper): bend.light(texture: s, screen: x, isBack: isBack, paper: paper)
        }
    }

    /// The texture coordinate across the motion as a function of the screen position across it, where the texture
    /// coordinate along the motion is `s`.
    func across(texture s: Double) -> Line {
        let middle = breadth / 2
        let slope = reduction(s) / panel.acrossScale
        return Line(
            constant: middle + (camera.across - middle) / panel.acrossScale - camera.across * slope, slope: slope)
    }

    /// The panel's interval on the screen across the motion, where the texture coordinate along the motion is `s`.
    func extent(texture s: Double) -> (lower: Double, upper: Double) {
        let line = across(texture: s)
        let inset = cornerInset(texture: s)
        return ((inset - line.constant) / line.slope, (breadth - inset - line.constant) / line.slope)
    }

    /// By how many texture pixels rounded corners narrow the panel at each side, where the texture coordinate is `s`.
    private func cornerInset(texture s: Double) -> Double {
        let length = panel.cut.upperBound - panel.cut.lowerBound
        let isRoundedAtBothEnds = panel.cornerRadius.lower > 0 && panel.cornerRadius.upper > 0
        func inset(_ radius: Double, _ distance: Double) -> Double {
            let fitting = min(radius, breadth / 2, isRoundedAtBothEnds ? length / 2 : length)
            if distance >= fitting { return 0 }
            let rise = fitting - max(distance, 0)
            return fitting - (fitting * fitting - rise * rise).squareRoot()
        }
        if panel.cornerRadius == (0, 0) { return 0 }
        return max(
            inset(panel.cornerRadius.lower, s - panel.cut.lowerBound),
            inset(panel.cornerRadius.upper, panel.cut.upperBound - s))
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

    /// Whether the panel covers the whole breadth of the frame at screen position `x`.
    func spansBreadth(at x: Double) -> Bool {
        let (lower, upper) = extent(texture: texture(x))
        return lower <= SpanPlan.narrowest && upper >= breadth - SpanPlan.narrowest
    }
}

import FlipGeometry

/// A panel as the camera sees it. Along the motion, the map between screen and texture is a one-dimensional homography;
/// across the motion, at a fixed position along it, the map is linear.
struct Projection {
    let panel: Panel
    private let camera: Camera
    private let breadth: Double
    /// 1 - z/z0 as a function of the texture coordinate, where z is the panel's height and z0 the camera's. The panel
    /// appears magnified by the reciprocal.
    private let reduction: Line
    /// The part of the cut that lies in front of the camera.
    private let visible: ClosedRange<Double>
    /// The panel's interval on the screen along the motion, in luma pixels, clipped to the frame; lower >= upper if
    /// nothing of it is visible.
    private(set) var lower = 0.0
    private(set) var upper = 0.0

    /// Points nearer to the camera than this fraction of its height aren't drawn.
    private static let nearest = 1e-6

    init(_ panel: Panel, scene: Scene) {
        self.panel = panel
        camera = scene.camera
        breadth = scene.breadth
        reduction = Line(
            constant: 1 - panel.height.constant / camera.height, slope: -panel.height.slope / camera.height)
        var (from, to) = (panel.cut.lowerBound, panel.cut.upperBound)
        if reduction(from) < Projection.nearest && reduction(to) < Projection.nearest {
            to = from
        } else if reduction(from) < Projection.nearest {
            from = (Projection.nearest - reduction.constant) / reduction.slope
        } else if reduction(to) < Projection.nearest {
            to = (Projection.nearest - reduction.constant) / reduction.slope
        }
        visible = from...max(from, to)
        let (first, second) = (screen(visible.lowerBound), screen(visible.upperBound))
        lower = max(min(first, second), 0)
        upper = min(max(first, second), scene.length)
    }

    /// The screen position along the motion at which the texture coordinate `s` is seen.
    func screen(_ s: Double) -> Double { camera.along + (panel.position(s) - camera.along) / reduction(s) }

    /// The texture coordinate along the motion that is seen at screen position `x`, clamped to the visible part.
    func texture(_ x: Double) -> Double {
        let offset = x - camera.along
        let s =
            (panel.position.constant - camera.along - offset * reduction.constant)
            / (offset * reduction.slope - panel.position.slope)
        return min(max(s, visible.lowerBound), visible.upperBound)
    }

    /// The height above the screen, in luma pixels, of the point seen at screen position `x`.
    func height(_ x: Double) -> Double { panel.height(texture(x)) }

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
        if panel.isFlat { return 0 }
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

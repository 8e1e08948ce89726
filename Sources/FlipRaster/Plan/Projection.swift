import FlipGeometry

/// A panel as the camera sees it. Along the motion the map between screen and texture is projective in one dimension;
/// across it, at one place along the motion, it is linear.
struct Projection {
    let panel: Panel
    private let camera: Camera
    private let breadth: Double
    /// 1 - z/z0 over the texture: by how much the panel looks smaller than it is.
    private let reduction: Line
    /// The part of the cut that lies in front of the camera.
    private let visible: ClosedRange<Double>
    /// The screen interval along the motion, as far as it lies inside the frame; lower >= upper where nothing shows.
    private(set) var lower = 0.0
    private(set) var upper = 0.0

    /// Below this part of the camera's height from the lens, points are not drawn.
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

    /// Where the texture coordinate `s` is seen along the motion.
    func screen(_ s: Double) -> Double { camera.along + (panel.position(s) - camera.along) / reduction(s) }

    /// The texture coordinate seen at `x` along the motion.
    func texture(_ x: Double) -> Double {
        let offset = x - camera.along
        let s =
            (panel.position.constant - camera.along - offset * reduction.constant)
            / (offset * reduction.slope - panel.position.slope)
        return min(max(s, visible.lowerBound), visible.upperBound)
    }

    /// Height above the screen of what is seen at `x`.
    func height(_ x: Double) -> Double { panel.height(texture(x)) }

    /// The texture coordinate across the motion seen at `x` along it: `constant + slope * y` for screen position y.
    func across(texture s: Double) -> Line {
        let middle = breadth / 2
        let slope = reduction(s) / panel.acrossScale
        return Line(
            constant: middle + (camera.across - middle) / panel.acrossScale - camera.across * slope, slope: slope)
    }

    /// The screen positions across the motion between which the panel lies, where texture coordinate `s` is seen.
    func extent(texture s: Double) -> (lower: Double, upper: Double) {
        let line = across(texture: s)
        let inset = cornerInset(texture: s)
        return ((inset - line.constant) / line.slope, (breadth - inset - line.constant) / line.slope)
    }

    /// By how much rounded corners narrow the panel at texture coordinate `s`, at each side.
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

    /// By how many luma pixels the texture slides across the motion between `x0` and `x1`, at the frame's border
    /// where it slides most.
    func slide(from x0: Double, to x1: Double) -> Double {
        if panel.isFlat { return 0 }
        let (s0, s1) = (texture(x0), texture(x1))
        let reach = max(abs(camera.across), abs(breadth - camera.across))
        let shear = reach * abs(across(texture: s0).slope - across(texture: s1).slope)
        return shear + abs(cornerInset(texture: s0) - cornerInset(texture: s1))
    }

    /// Whether the panel covers the whole breadth of the frame at `x`.
    func spansBreadth(at x: Double) -> Bool {
        let (lower, upper) = extent(texture: texture(x))
        return lower <= SpanPlan.narrowest && upper >= breadth - SpanPlan.narrowest
    }
}

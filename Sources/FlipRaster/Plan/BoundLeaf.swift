import FlipGeometry
import RealModule

/// A leaf that is bound at its spine and bends as it turns (EFFECTS 13).
///
/// Places are counted from the spine, away from it on the side where the leaf lies before it turns. `d` is a place on the screen,
/// `s` one on the leaf, and f the leaf's direction there, from 0 (flat before it turns) to pi (flat after it has turned). The leaf is
/// an arc with the curvature k, so f = first + k s; its center is at (-sin(first) / k, cos(first) / k).
final class BoundLeaf: ArchedSheet {
    private var sheet: Sheet
    private var leaf: Leaf
    /// Where the spine is on the front's texture and on the back's.
    private var spines = (front: 0.0, back: 0.0)
    private var curvature = 0.0
    /// The cosine and the sine of the direction at the spine.
    private var foot = (cosine: 1.0, sine: 0.0)
    private var freeEdge = (distance: 0.0, height: 0.0)
    /// The place of the camera above the screen, and 1 / its height; 0 without perspective.
    private var camera = 0.0
    private var nearness = 0.0

    init(_ sheet: Sheet, _ leaf: Leaf, scene: Scene) {
        (self.sheet, self.leaf) = (sheet, leaf)
        super.init()
        plan(sheet, leaf, scene: scene)
    }

    /// Takes the place of what was planned before.
    func plan(_ sheet: Sheet, _ leaf: Leaf, scene: Scene) {
        (self.sheet, self.leaf) = (sheet, leaf)
        spines.front = leaf.side > 0 ? sheet.cut.lowerBound : sheet.cut.upperBound
        if case .picture(_, let spine) = sheet.back { spines.back = 2 * spine - spines.front }
        curvature = (leaf.angles.last - leaf.angles.first) / leaf.length
        camera = leaf.side * (scene.camera.along - leaf.spine)
        nearness = 1 / scene.camera.height
        foot = (Double.cos(leaf.angles.first), Double.sin(leaf.angles.first))
        freeEdge = leaf.point(at: leaf.length)
    }

    // MARK: Places

    /// Leaves whose ends differ by less than this, in radians, are planes: an arc of a leaf of 10,000 pixels is 1e-4 pixels high.
    private static let flattest = 1e-7

    private var isPlane: Bool { leaf.angles.last - leaf.angles.first < Self.flattest }

    override var scale: Double { leaf.scale }

    private func distance(_ x: Double) -> Double { leaf.side * (x - leaf.spine) }

    /// The texture of a side at `s`. The back is printed so that it is upright once the leaf has turned.
    private func texture(_ s: Double, isBack: Bool) -> Double {
        isBack ? spines.back - leaf.side * s / leaf.scale : spines.front + leaf.side * s / leaf.scale
    }

    private func place(texture: Double, isBack: Bool) -> Double {
        leaf.side * (isBack ? spines.back - texture : texture - spines.front) * leaf.scale
    }

    override func point(texture: Double, isBack: Bool) -> (position: Double, height: Double) {
        let point = leaf.point(at: place(texture: texture, isBack: isBack))
        return (leaf.spine + leaf.side * point.distance, point.height)
    }

    override func texture(at x: Double, isBack: Bool) -> Double {
        texture(place(at: distance(x), isBack: isBack), isBack: isBack)
    }

    /// The place on the leaf that is seen at the screen's place `d`.
    ///
    /// The points of the line of sight have the distance d - t z at the height z. Of the arc's points, those at
    /// sin f - t cos f = d k + sin(first) - t cos(first) lie on it: one on its inner side, which is the front, and one on its outer.
    private func place(at d: Double, isBack: Bool) -> Double {
        let tilt = (d - camera) * nearness
        if isPlane { return d / (foot.cosine + tilt * foot.sine) }
        let part = (d * curvature + foot.sine - tilt * foot.cosine) / (1 + tilt * tilt).squareRoot()
        let angle = Double.asin(min(max(part, -1), 1))
        let direction = Double.atan(tilt) + (isBack ? .pi - angle : angle)
        return min(max((direction - leaf.angles.first) / curvature, 0), leaf.length)
    }

    // MARK: Light

    override func lightOnFlat(_ x: Double, isBeneath: Bool) -> Light {
        leaf.strength == 0 || leaf.light != .all ? Light() : .shade(shadow(distance(x)))
    }

    /// How much of the sky above a flat place of the screen the leaf hides: 0.6 (1 + cos h) / 2, where h is the lowest elevation,
    /// measured from the direction away from the spine, at which a point of the leaf stands. That is its free edge, or where a line
    /// from the place touches the arc.
    private func shadow(_ d: Double) -> Double {
        var cosine = cosine(of: freeEdge, from: d)
        if !isPlane {
            // Touching lines have the direction f where (d k + sin(first)) sin f + cos(first) cos f = 1.
            let (x, y) = (foot.cosine, d * curvature + foot.sine)
            let length = (x * x + y * y).squareRoot()
            if length > 1 {
                let (middle, half) = (Double.atan2(y: y, x: x), Double.acos(1 / length))
                cosine = max(cosine, self.cosine(touching: middle - half, from: d))
                cosine = max(cosine, self.cosine(touching: middle + half, from: d))
            }
        }
        return min(max(0.3 * leaf.strength * (1 + cosine), 0), 1)
    }

    private func cosine(touching angle: Double, from d: Double) -> Double {
        if angle < leaf.angles.first || angle > leaf.angles.last { return -1 }
        return cosine(of: leaf.point(at: (angle - leaf.angles.first) / curvature), from: d)
    }

    /// The cosine of the elevation at which a point of the leaf stands above the screen's place `d`.
    private func cosine(of point: (distance: Double, height: Double), from d: Double) -> Double {
        let way = d < 0 ? d - point.distance : point.distance - d
        let far = (way * way + point.height * point.height).squareRoot()
        return far > 0 ? way / far : 1
    }

    /// Light comes from the upper left: what faces it is brighter than flat paper, and what turns away from it darker.
    override func light(texture: Double, screen x: Double, isBack: Bool, paper: Double) -> Light {
        var light = Light()
        if leaf.strength == 0 || leaf.light == .none { return light }
        let f = leaf.angles.first + curvature * place(texture: texture, isBack: isBack)
        let brightness = (isBack ? -1 : 1) * (Double.cos(f) + Double.sin(f) / 2)
        if leaf.light == .all { light.shade(min(0.55 * leaf.strength * max(0, 1 - brightness), 1)) }
        light.shine(min(0.22 * leaf.strength * max(0, brightness - 1), 1))
        return light
    }

    // MARK: Surfaces

    /// Adds the surfaces of a scene with this leaf to `surfaces`: the sheets beneath it, and the parts of its sides that are seen.
    func append(_ scene: Scene, to surfaces: inout [Projection]) {
        let isShaded = leaf.strength > 0 && leaf.light == .all
        for sheet in scene.sheets {
            guard let plane = sheet.plane else { continue }
            let finish =
                isShaded ? Finish.flat(sheet.shade, .passUnretained(self), isBeneath: true) : .shade(sheet.shade)
            surfaces.append(Projection(sheet, on: plane, scene: scene, finish: finish))
        }
        let ends = turns
        var start = 0.0
        for index in ends.indices where ends[index] > start + SpanPlan.narrowest {
            append(start, ends[index], scene, to: &surfaces)
            start = ends[index]
        }
    }

    /// Adds the side that is seen of the leaf between two places, between which it doesn't turn from one side to the other.
    private func append(_ from: Double, _ to: Double, _ scene: Scene, to surfaces: inout [Projection]) {
        let isBack = facing(leaf.angles.first + curvature * (from + to) / 2) < 0
        let (first, last) = (texture(from, isBack: isBack), texture(to, isBack: isBack))
        var picture = sheet.picture
        if isBack, case .picture(let back, _) = sheet.back { picture = back }
        let cut = min(first, last)...max(first, last)
        let finish = Finish.bent(.passUnretained(self), isBack: isBack, paper: 0)
        if isPlane {
            // In a plane the map is a fraction, and a flat leaf is copied.
            let (start, end) = (point(texture: first, isBack: isBack), point(texture: last, isBack: isBack))
            let length = last - first
            let isFlat = leaf.scale == 1 && leaf.angles.last == (isBack ? .pi : 0) && isAtItsOwnPlace(isBack)
            let plane =
                isFlat
                ? Plane()
                : Plane(
                    position: Line(through: start.position, at: first, slope: (end.position - start.position) / length),
                    height: Line(through: start.height, at: first, slope: (end.height - start.height) / length),
                    acrossScale: leaf.scale)
            var side = Sheet(picture, cut: cut, on: plane, rank: 1)
            side.acrossCut = sheet.acrossCut
            surfaces.append(Projection(side, on: plane, scene: scene, finish: finish))
        } else {
            surfaces.append(
                Projection(
                    picture, cut: cut, acrossCut: sheet.acrossCut, on: .passUnretained(self), isBack: isBack,
                    finish: finish, scene: scene))
        }
    }

    /// Whether the texture of a side has its spine where the leaf has it.
    private func isAtItsOwnPlace(_ isBack: Bool) -> Bool { leaf.spine == (isBack ? spines.back : spines.front) }

    /// Above 0 where the front faces the camera: the camera's height above the leaf's tangent in the direction `f`, as a part of the
    /// camera's height, up to a factor above 0.
    private func facing(_ f: Double) -> Double {
        let (sine, cosine) = (Double.sin(f), Double.cos(f))
        let turn = 1 - Double.cos(f - leaf.angles.first)
        return cosine - camera * nearness * sine + (curvature == 0 ? 0 : nearness / curvature * turn)
    }

    /// The places at which the parts of the leaf that are seen end, ascending: where it turns from one side to the other, where it is
    /// steep, and where it is as high as the camera. Unused ones are 0.
    private var turns: SIMD8<Double> {
        var ends = SIMD8<Double>(repeating: 0)
        let length = leaf.length * reach
        ends[7] = length
        if isPlane { return ends }
        // facing(f) = 0 is a cos f - b sin f + nearness / curvature = 0.
        let bulge = nearness / curvature
        let a = 1 - bulge * foot.cosine
        let b = camera * nearness + bulge * foot.sine
        let size = (a * a + b * b).squareRoot()
        guard size > bulge else { return ends }
        let (middle, half) = (Double.atan2(y: b, x: a), Double.acos(-bulge / size))
        for (index, root) in [
            half - middle, half - middle - Self.steepness, half - middle + Self.steepness, -half - middle,
            2 * .pi - half - middle,
        ]
        .enumerated() {
            ends[index] = min(max((root - leaf.angles.first) / curvature, 0), length)
        }
        for index in 1..<7 {
            var slot = index
            while slot > 0, ends[slot - 1] > ends[slot] {
                (ends[slot - 1], ends[slot]) = (ends[slot], ends[slot - 1])
                slot -= 1
            }
        }
        return ends
    }

    /// The part of the leaf that is lower than the camera.
    private var reach: Double {
        let most = (1 - Projection.nearest) / max(nearness, .leastNormalMagnitude)
        if freeEdge.height < most { return 1 }
        if isPlane { return most / foot.sine / leaf.length }
        let last = Double.acos(foot.cosine - most * curvature)
        return (last - leaf.angles.first) / (leaf.angles.last - leaf.angles.first)
    }

    /// The angle from the line of sight, in radians, within which the leaf is steep, so that an output sample sees many of the
    /// texture's.
    private static let steepness = 0.37
}

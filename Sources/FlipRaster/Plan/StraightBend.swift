import FlipGeometry

/// A bent sheet whose contact line is perpendicular to the motion, so that what is seen of it depends on the position
/// along the motion alone (EFFECTS 7). It is drawn as any other sheet: its sides are surfaces that are linear across the
/// motion.
///
/// `u` is the place on the sheet, measured from the contact line toward the part that has left the screen.
///
/// An object stands for one frame after the other.
final class StraightBend: ArchedSheet {
    private(set) var geometry: BentGeometry
    private var sheet: Sheet
    private var bend: Bend
    /// 1 if the sheet has left the screen toward greater positions along the motion, otherwise -1.
    private var sign = 1.0
    /// The frame's center along the motion.
    private var center = 0.0
    /// The u of the sheet's two ends, ascending.
    private(set) var extent = 0.0...0.0
    /// The u at which a line of sight touches the cylinder: what lies below is seen from inside, what lies above from
    /// outside.
    private var touch = 0.0

    init(_ sheet: Sheet, _ bend: Bend, scene: Scene) {
        (self.sheet, self.bend) = (sheet, bend)
        geometry = BentGeometry(sheet, bend, scene: scene)
        super.init()
        plan(sheet, bend, scene: scene)
    }

    /// Takes the place of what was planned before.
    func plan(_ sheet: Sheet, _ bend: Bend, scene: Scene) {
        (self.sheet, self.bend) = (sheet, bend)
        geometry = BentGeometry(sheet, bend, scene: scene)
        sign = bend.normal.x > 0 ? 1 : -1
        center = scene.length / 2
        let first = sign * bend.placed(sheet.cut.lowerBound, about: center) - bend.contact
        let second = sign * bend.placed(sheet.cut.upperBound, about: center) - bend.contact
        extent = min(first, second)...max(first, second)
        touch = StraightBend.place(geometry.back(geometry.rim), at: geometry.rim, geometry)
    }

    override var scale: Double { bend.scale }

    /// Below this length along the motion, in luma pixels, light hardly changes: its square term is at most
    /// 3 / (1.2^2 8^2 24) = 1/700.
    override var grain: Double? { geometry.radius / 8 }

    // MARK: Places

    /// The distance of a screen position from the contact line.
    func distance(_ x: Double) -> Double { sign * x - geometry.contact }

    /// The screen position at `distance` from the contact line.
    private func screen(_ distance: Double) -> Double { sign * (distance + geometry.contact) }

    /// The u at which a ray at `distance` has its `hit`.
    private static func place(_ hit: BentGeometry.Hit, at distance: Double, _ geometry: BentGeometry) -> Double {
        geometry.viewpointDistance + (distance - geometry.viewpointDistance) * hit.scale + hit.shift
    }

    /// The u of the point of the texture `s` of a side of the sheet.
    func place(texture s: Double, isBack: Bool) -> Double {
        sign * bend.placed(mirrored(s, isBack), about: center) - geometry.contact
    }

    private func texture(_ u: Double, isBack: Bool) -> Double {
        mirrored(bend.texture(sign * (u + geometry.contact), about: center), isBack)
    }

    /// A book's back is printed as a mirror image about the spine.
    private func mirrored(_ s: Double, _ isBack: Bool) -> Double {
        if isBack, case .picture(_, let spine) = sheet.back { return 2 * spine - s }
        return s
    }

    /// Where the place `u` of the cylinder is in space: its distance from the contact line, and its height.
    private func hit(_ u: Double) -> BentGeometry.Hit {
        let angle = min(max(u / geometry.radius, 0), .pi)
        return BentGeometry.Hit(
            scale: 1, shift: 0, position: geometry.radius * Double.sin(angle),
            height: geometry.radius * (1 - Double.cos(angle)))
    }

    override func point(texture s: Double, isBack: Bool) -> (position: Double, height: Double) {
        let hit = hit(place(texture: s, isBack: isBack))
        return (screen(hit.position), hit.height)
    }

    override func texture(at x: Double, isBack: Bool) -> Double {
        let distance = min(distance(x), geometry.rim)
        let hit = isBack ? geometry.back(distance) : geometry.front(distance)
        return texture(StraightBend.place(hit, at: distance, geometry), isBack: isBack)
    }

    // MARK: Light

    override func lightOnFlat(_ x: Double, isBeneath: Bool) -> Light {
        let d = distance(x)
        var light = Light()
        if isBeneath { light.shade(geometry.light.rollShadow(d)) }
        light.shade(backShadow(d))
        return light
    }

    override func light(texture s: Double, screen x: Double, isBack: Bool, paper: Double) -> Light {
        let u = place(texture: s, isBack: isBack)
        var light = Light(keep: 1 - paper, paper: paper)
        if isBack {
            if u >= .pi * geometry.radius { return light }
            let (shade, gloss) = geometry.light.onBack(hit(u))
            light.shade(shade)
            light.shine(gloss)
        } else {
            light.shade(geometry.light.onFront(hit(u)))
            light.shade(backShadow(distance(x)))
        }
        return light
    }

    /// The shade that the flat back casts at `distance` from the contact line.
    private func backShadow(_ distance: Double) -> Double {
        if geometry.light.back == 0 || distance > geometry.joint { return 0 }
        let u = StraightBend.place(geometry.flatBack(distance), at: distance, geometry)
        return geometry.light.backShadow(max(extent.lowerBound - u, u - extent.upperBound, 0))
    }

    // MARK: Surfaces

    /// Adds the surfaces of a scene with this sheet to `surfaces`: the sheets beneath it, where it lies on the screen,
    /// the cylinder's inner and outer sides, and the flat back.
    func append(_ scene: Scene, to surfaces: inout [Projection]) {
        for sheet in scene.sheets {
            if let plane = sheet.plane { appendFlat(sheet, on: plane, scene, isBeneath: true, to: &surfaces) }
        }
        if let cut = textures(-.infinity, 0, isBack: false) {
            let position = Line(constant: center * (1 - bend.scale), slope: bend.scale)
            let plane = Plane(position: position, acrossScale: bend.scale)
            let flat = Sheet(sheet.picture, cut: cut, on: plane, rank: 1)
            appendFlat(flat, on: plane, scene, isBeneath: false, to: &surfaces)
        }
        let half = Double.pi * geometry.radius
        appendCylinder(from: 0, to: touch, isBack: false, scene, to: &surfaces)
        appendCylinder(from: touch, to: half, isBack: true, scene, to: &surfaces)
        guard let cut = textures(half, .infinity, isBack: true) else { return }
        // On the flat back the texture runs the other way.
        let (from, to) = (cut.lowerBound, cut.upperBound)
        let (start, end) = (
            screen(half - place(texture: from, isBack: true)), screen(half - place(texture: to, isBack: true))
        )
        let plane = Plane(
            position: Line(through: start, at: from, slope: (end - start) / (to - from)),
            height: Line(constant: 2 * geometry.radius, slope: 0), acrossScale: bend.scale)
        surfaces.append(
            Projection(
                Sheet(backPicture, cut: cut, on: plane, rank: 1), on: plane, scene: scene,
                finish: .bent(.passUnretained(self), isBack: true, paper: paper)))
    }

    /// Adds a sheet that lies on the screen, in pieces that each are in the same shadows throughout.
    private func appendFlat(
        _ sheet: Sheet, on plane: Plane, _ scene: Scene, isBeneath: Bool, to surfaces: inout [Projection]
    ) {
        let edges = shadowEdges
        var piece = sheet
        var start = sheet.cut.lowerBound
        while start < sheet.cut.upperBound {
            var end = sheet.cut.upperBound
            for index in edges.indices {
                let edge = bend.texture(screen(edges[index]), about: center)
                if edge > start + SpanPlan.narrowest { end = min(end, edge) }
            }
            piece.cut = start...end
            let middle = bend.placed((start + end) / 2, about: center)
            let isLit = lightOnFlat(middle, isBeneath: isBeneath) == Light()
            let finish =
                isLit ? Finish.shade(sheet.shade) : .flat(sheet.shade, .passUnretained(self), isBeneath: isBeneath)
            surfaces.append(Projection(piece, on: plane, scene: scene, finish: finish))
            start = end
        }
    }

    /// The distances from the contact line at which shadows on what lies flat begin, bend or end.
    private var shadowEdges: SIMD8<Double> {
        let light = geometry.light
        var edges = SIMD8(repeating: Double.infinity)
        if light.roll > 0 { (edges[0], edges[1], edges[2]) = (0, geometry.radius, light.reach) }
        if light.back > 0 {
            edges[3] = geometry.joint
            // Where the flat back would have its ends, and where its shadow would end.
            edges[4] = distance(ofBack: extent.lowerBound)
            edges[5] = distance(ofBack: extent.lowerBound - light.backReach)
            edges[6] = distance(ofBack: extent.upperBound)
            edges[7] = distance(ofBack: extent.upperBound + light.backReach)
        }
        return edges
    }

    /// The distance from the contact line at which the flat back, continued to all sides, shows its place `u`.
    private func distance(ofBack u: Double) -> Double {
        // The place falls linearly with the distance.
        let (start, end) = (geometry.flatBack(0), geometry.flatBack(1))
        let first = StraightBend.place(start, at: 0, geometry)
        return (u - first) / (StraightBend.place(end, at: 1, geometry) - first)
    }

    /// The parts of the cylinder seen from one side, between two places. Where it is steep, an output sample sees many
    /// of the texture's, so that part is separate.
    private func appendCylinder(
        from first: Double, to last: Double, isBack: Bool, _ scene: Scene, to surfaces: inout [Projection]
    ) {
        let steep = touch + (isBack ? 1 : -1) * StraightBend.steepness * geometry.radius
        let middle = min(max(steep, first), last)
        func append(_ from: Double, _ to: Double) {
            guard let cut = textures(from, to, isBack: isBack) else { return }
            surfaces.append(
                Projection(
                    isBack ? backPicture : sheet.picture, cut: cut, on: .passUnretained(self), isBack: isBack,
                    finish: .bent(.passUnretained(self), isBack: isBack, paper: isBack ? paper : 0), scene: scene))
        }
        append(first, middle)
        append(middle, last)
    }

    /// The angle from the line of sight, in radians, within which the cylinder is steep: at its end, the texture is
    /// compressed by 1 / sin 0.37 = 2.8.
    private static let steepness = 0.37

    /// The textures of the sheet's part between two places; nil if it has none there.
    private func textures(_ first: Double, _ last: Double, isBack: Bool) -> ClosedRange<Double>? {
        let (low, high) = (max(first, extent.lowerBound), min(last, extent.upperBound))
        if high - low <= SpanPlan.narrowest { return nil }
        let ends = (texture(low, isBack: isBack), texture(high, isBack: isBack))
        return min(ends.0, ends.1)...max(ends.0, ends.1)
    }

    private var backPicture: Picture {
        if case .picture(let picture, _) = sheet.back { return picture }
        return sheet.picture
    }

    /// How much of the back's picture its paper covers.
    private var paper: Double {
        if case .paper(_, let opacity) = sheet.back { return opacity }
        return 0
    }
}

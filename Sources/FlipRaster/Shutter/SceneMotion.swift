import FlipGeometry

/// How far what is seen moves from one scene to another.
enum SceneMotion {
    /// The greatest distance, in luma pixels, by which a point of a sheet, or the edge of a fade, that is seen in the part
    /// `part` of the frame along the motion moves from scene `a` to scene `b`, which follow one another closely. A change of
    /// brightness counts as a distance, too.
    ///
    /// A sheet that is in one of the scenes alone, such as a side of a page that is seen edge-on between them, moves as far
    /// as it is wide; one that lies flat is a part of another that does.
    static func distance(_ a: Scene, _ b: Scene, in part: ClosedRange<Double>) -> Double {
        if let first = a.fade, let second = b.fade { return distance(first, second) }
        return max(distance(of: a, to: b, in: part), distance(of: b, to: a, in: part))
    }

    /// How far the sheets of scene `a` move until they are where those of scene `b` are.
    private static func distance(of a: Scene, to b: Scene, in part: ClosedRange<Double>) -> Double {
        var farthest = 0.0
        for (index, sheet) in a.sheets.enumerated() {
            guard let other = counterpart(of: sheet, at: index, in: b) else {
                if let plane = sheet.plane, !sheet.isFlat {
                    let alone = Projection(sheet, on: plane, scene: a)
                    farthest = max(farthest, min(alone.upper, part.upperBound) - max(alone.lower, part.lowerBound))
                }
                continue
            }
            switch (sheet.placement, other.placement) {
            case (.plane(let plane), .plane(let next)):
                let (from, to) = (Projection(sheet, on: plane, scene: a), Projection(other, on: next, scene: b))
                farthest = max(farthest, distance(from, to, a.breadth, part))
            case (.bent(let bend), .bent(let next)):
                farthest = max(farthest, distance(sheet, bend, a, next, b))
            case (.leaf(let leaf), .leaf(let next)):
                farthest = max(farthest, distance(leaf, a, next, b))
            default: break
            }
        }
        return farthest
    }

    /// The distance in luma pixels that counts as much as a change from nothing to all of another color: a step of 1/128
    /// between two instants is as much as one of two samples, so that the mean of the instants is exact to a level of 8
    /// bits.
    private static let wholeChange = 256.0

    private static func counterpart(of sheet: Sheet, at index: Int, in scene: Scene) -> Sheet? {
        let isSame = { (other: Sheet) in other.picture == sheet.picture && other.cut == sheet.cut }
        if scene.sheets.indices.contains(index), isSame(scene.sheets[index]) { return scene.sheets[index] }
        return scene.sheets.first(where: isSame)
    }

    private static func distance(_ a: Fade, _ b: Fade) -> Double {
        guard a.from == b.from, a.to == b.to else { return wholeChange }
        guard let first = a.ramp, let second = b.ramp else { return abs(a.part - b.part) * wholeChange }
        return max(
            abs(first.extent.lowerBound - second.extent.lowerBound),
            abs(first.extent.upperBound - second.extent.upperBound))
    }

    /// How far the points that the first projection shows at the ends and in the middle of a part move, at both
    /// borders of the frame or of the sheet: along a line of a plane, points between two others don't move farther.
    private static func distance(
        _ from: Projection, _ to: Projection, _ breadth: Double, _ part: ClosedRange<Double>
    ) -> Double {
        let (lower, upper) = (max(from.lower, part.lowerBound), min(from.upper, part.upperBound))
        guard lower < upper else { return 0 }
        var farthest = 0.0
        for place in 0...2 {
            let x = lower + Double(place) / 2 * (upper - lower)
            let s = from.texture(x)
            let (here, there) = (from.across(texture: s), to.across(texture: s))
            farthest = max(
                farthest, abs(to.screen(s) - x),
                abs(to.finish(texture: s, screen: x).shadow - from.finish(texture: s, screen: x).shadow) * wholeChange)
            for side in 0...1 {
                let v = min(max(here(Double(side) * breadth), 0), breadth)
                let (y, next) = ((v - here.constant) / here.slope, (v - there.constant) / there.slope)
                farthest = max(farthest, abs(next - y))
            }
        }
        return farthest
    }

    /// How far points of a leaf move, at both borders of the frame.
    private static func distance(_ leaf: Leaf, _ a: Scene, _ next: Leaf, _ b: Scene) -> Double {
        var farthest = 0.0
        for step in 1...leafPoints {
            let part = Double(step) / Double(leafPoints)
            for border in [0, a.breadth] {
                let move = screen(part, border, leaf, a) - screen(part, border, next, b)
                farthest = max(farthest, (move * move).sum().squareRoot())
            }
        }
        return farthest
    }

    /// The number of points of a leaf that are followed at each border.
    private static let leafPoints = 8

    /// Where the camera sees the leaf's place at the part `part` of its length, whose texture lies at `across`.
    private static func screen(_ part: Double, _ across: Double, _ leaf: Leaf, _ scene: Scene) -> SIMD2<Double> {
        let point = leaf.point(at: part * leaf.length)
        let middle = scene.breadth / 2
        let place = SIMD2(leaf.spine + leaf.side * point.distance, middle + leaf.scale * (across - middle))
        let camera = SIMD2(scene.camera.along, scene.camera.across)
        return camera + (place - camera) / max(1 - point.height / scene.camera.height, 1e-6)
    }

    /// The number of points of a bent sheet that are followed along each side.
    private static let bentPoints = 5

    /// How far points of a bent sheet and its contact line move.
    private static func distance(_ sheet: Sheet, _ bend: Bend, _ a: Scene, _ next: Bend, _ b: Scene) -> Double {
        var farthest = abs(bend.contact - next.contact)
        for row in 0..<bentPoints {
            for column in 0..<bentPoints {
                let part = SIMD2(Double(column), Double(row)) / Double(bentPoints - 1)
                let point = SIMD2(
                    sheet.cut.lowerBound + part.x * (sheet.cut.upperBound - sheet.cut.lowerBound), part.y * a.breadth)
                let move = screen(point, bend, b: a) - screen(point, next, b: b)
                farthest = max(farthest, (move * move).sum().squareRoot())
            }
        }
        return farthest
    }

    /// Where the camera sees the point `point` of a bent sheet's texture (EFFECTS 7).
    private static func screen(_ point: SIMD2<Double>, _ bend: Bend, b scene: Scene) -> SIMD2<Double> {
        let center = SIMD2(scene.length, scene.breadth) / 2
        var place = center + bend.scale * (point - center)
        let (radius, passed) = (bend.radius, (bend.normal * place).sum() - bend.contact)
        var height = 0.0
        if passed >= .pi * radius {
            place += (.pi * radius - 2 * passed) * bend.normal
            height = 2 * radius
        } else if passed > 0 {
            place += (radius * Double.sin(passed / radius) - passed) * bend.normal
            height = radius * (1 - Double.cos(passed / radius))
        }
        let camera = SIMD2(scene.camera.along, scene.camera.across)
        let seen = camera + (place - camera) / max(1 - height / scene.camera.height, 1e-6)
        return center + scene.scale * (seen - center)
    }
}

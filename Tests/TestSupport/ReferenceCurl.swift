import FlipGeometry
import FlipRaster

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The page curl as EFFECTS 7 and 9 define it: what one ray sees. Coordinates are (u, v): u runs along the motion,
/// forward, and v across it.
struct ReferenceCurl {
    /// What a ray sees: a point of a picture, or the background (nil), then what is mixed over it in this order.
    struct Sight {
        enum Tint { case paper, shadow, white }
        /// Whether the picture is A; nil for the background.
        var isOutgoing: Bool?
        var point = (u: 0.0, v: 0.0)
        var layers = Layers()
    }

    /// Up to three colors that are mixed one over the other. An array would be allocated for each ray.
    struct Layers {
        private var layers: ((Double, Sight.Tint), (Double, Sight.Tint), (Double, Sight.Tint)) = (
            (0, .paper), (0, .paper), (0, .paper)
        )
        private(set) var count = 0

        mutating func append(_ layer: (part: Double, tint: Sight.Tint)) {
            switch count {
            case 0: layers.0 = layer
            case 1: layers.1 = layer
            default: layers.2 = layer
            }
            count += 1
        }

        subscript(index: Int) -> (part: Double, tint: Sight.Tint) {
            index == 0 ? layers.0 : index == 1 ? layers.1 : layers.2
        }
    }

    let look: Look
    let length: Double
    let breadth: Double
    let isBook: Bool
    /// x0 of EFFECTS 7: where the page begins.
    let start: Double
    let pageLength: Double
    let radius: Double
    let normal: (u: Double, v: Double)
    let contact: Double
    let lift: Double
    let camera: (u: Double, v: Double, height: Double)
    let scale: Double
    private let profile: ReferenceProfile

    init(look: Look, progress p: Double, length: Double, breadth: Double) {
        self.look = look
        self.length = length
        self.breadth = breadth
        isBook = look.mode == .book
        start = isBook ? look.spine * length : 0
        pageLength = length - start
        let degrees = isBook ? look.angle * (1 - p) : look.angle
        radius = isBook ? look.radius * pageLength * (1 - p * p) : look.radius * pageLength
        normal = (cos(degrees / 180 * .pi), sin(degrees / 180 * .pi))
        let dot = { [normal] (u: Double, v: Double) in u * normal.u + v * normal.v }
        let isDown = look.angle >= 0
        let hi = dot(length, isDown ? breadth : 0)
        // In peel mode the corner that leaves last is opposite to the one that leaves first; in book mode it is the
        // other end of the spine's.
        let lo =
            isBook
            ? dot(start, isDown ? breadth : 0) : dot(start, isDown ? 0 : breadth) - 2.2 * radius
        contact = hi + (lo - hi) * p
        lift = min(1, (hi - contact) / (.pi * radius))
        let isVertical = look.orientation == .vertical
        var u = (isVertical ? look.viewpoint.y : look.viewpoint.x) * length
        if look.direction == .backward { u = length - u }
        camera = (
            u, (isVertical ? look.viewpoint.x : look.viewpoint.y) * breadth,
            look.perspective == 0 ? .infinity : look.perspective * pageLength
        )
        scale = 1 - (1 - look.pullBack) * pow(sin(.pi * p), 2)
        profile = ReferenceProfile(
            radius: radius, cameraDistance: dot(camera.u, camera.v) - contact, cameraHeight: camera.height,
            reach: 4 * (length + breadth))
    }

    /// What the ray through the point (u, v) of the frame sees.
    func sight(_ u: Double, _ v: Double) -> Sight {
        let screen = (u: length / 2 + (u - length / 2) / scale, v: breadth / 2 + (v - breadth / 2) / scale)
        let d = screen.u * normal.u + screen.v * normal.v - contact
        // The hits from the nearest to the farthest.
        let (onFront, onBack) = profile.meet(d)
        let backIsNearer = (onBack?.z ?? 0) > (onFront?.z ?? 0)
        let (near, far) = backIsNearer ? (onBack, onFront) : (onFront, onBack)
        return near.flatMap { sight($0, screen) } ?? far.flatMap { sight($0, screen) } ?? beneath(screen, d)
    }

    /// What a ray sees where it meets the sheet; nil if that is outside of the page.
    private func sight(_ hit: ReferenceProfile.Hit, _ screen: (u: Double, v: Double)) -> Sight? {
        let q = page(screen, hit)
        guard q.u >= start, q.u <= length, q.v >= 0, q.v <= breadth else { return nil }
        return hit.showsBack ? back(q, hit) : front(q, hit, screen)
    }

    /// The page point where a hit meets the sheet: (s + m) along the normal, and what the camera sees along the line.
    private func page(_ screen: (u: Double, v: Double), _ hit: ReferenceProfile.Hit) -> (u: Double, v: Double) {
        let along = (u: -normal.v, v: normal.u)
        let cameraAlong = camera.u * along.u + camera.v * along.v
        let w = cameraAlong + (screen.u * along.u + screen.v * along.v - cameraAlong) * (1 - hit.z / camera.height)
        return (normal.u * (hit.s + contact) + along.u * w, normal.v * (hit.s + contact) + along.v * w)
    }

    private var strength: Double { look.shadow == .none ? 0 : look.shadowStrength }

    private func back(_ q: (u: Double, v: Double), _ hit: ReferenceProfile.Hit) -> Sight {
        var sight = Sight(isOutgoing: !isBook, point: q)
        if isBook {
            sight.point.u = 2 * start - q.u
        } else {
            sight.layers.append((look.paperOpacity, .paper))
        }
        if hit.isCurved {
            let b = (hit.z - radius) / radius + min(max(hit.d / radius, 0), 1) / 2
            sight.layers.append((min(max(0.6 * strength * (1 - b), 0), 1), .shadow))
            sight.layers.append((min(max(0.6 * strength * (b - 1), 0), 1), .white))
        }
        return sight
    }

    private func front(
        _ q: (u: Double, v: Double), _ hit: ReferenceProfile.Hit, _ screen: (u: Double, v: Double)
    ) -> Sight {
        var sight = Sight(isOutgoing: true, point: q)
        if hit.isCurved {
            let b = (radius - hit.z) / radius - min(max(hit.d / radius, 0), 1) / 2
            sight.layers.append((min(max(0.6 * strength * (1 - b), 0), 1), .shadow))
        }
        sight.layers.append((shadowOfBack(screen), .shadow))
        return sight
    }

    private func beneath(_ screen: (u: Double, v: Double), _ d: Double) -> Sight {
        guard screen.u >= 0, screen.u <= length, screen.v >= 0, screen.v <= breadth else { return Sight() }
        var sight = Sight(isOutgoing: isBook && screen.u < start, point: screen)
        if d > 0 {
            let t = min(max((d - radius) / (1.2 * radius), 0), 1)
            sight.layers.append((min(0.5 * strength * lift * (1 - t) * (1 - t), 1), .shadow))
        }
        sight.layers.append((shadowOfBack(screen), .shadow))
        return sight
    }

    /// The shade that the flat back casts: where the plane z = 2R is met on the near side of the contact line, by the
    /// distance of the page from the point that the sheet would have there if it went on.
    private func shadowOfBack(_ screen: (u: Double, v: Double)) -> Double {
        let depth = 1 - 2 * radius / camera.height
        let p = (u: camera.u + (screen.u - camera.u) * depth, v: camera.v + (screen.v - camera.v) * depth)
        let d = p.u * normal.u + p.v * normal.v - contact
        if d > 0 { return 0 }
        let s = .pi * radius - d
        let q = (u: p.u + normal.u * (s - d), v: p.v + normal.v * (s - d))
        let outside = hypot(max(start - q.u, q.u - length, 0), max(-q.v, q.v - breadth, 0))
        return min(0.35 * strength * lift * pow(max(0, 1 - outside / (0.8 * radius)), 2), 1)
    }
}

/// The cross section of a bent sheet, and where a ray meets it. Roots are bracketed on a table of the projected curve
/// and then found by bisection, for any curve; the closed form of the circle is not used.
struct ReferenceProfile {
    struct Hit {
        var s: Double
        var d: Double
        var z: Double
        var showsBack: Bool
        var isCurved: Bool
    }

    private let radius: Double
    private let cameraDistance: Double
    private let cameraHeight: Double
    /// The parameters of the table's points, and where the camera sees them on the screen.
    private let parameters: [Double]
    private let projected: [Double]
    /// The table's point that is seen farthest from the contact line: before it the front is seen, after it the back.
    private let rim: Int

    init(radius: Double, cameraDistance: Double, cameraHeight: Double, reach: Double) {
        self.radius = radius
        self.cameraDistance = cameraDistance
        self.cameraHeight = cameraHeight
        let steps = 4096
        // The rim itself is a point of the table, or roots next to it would be lost.
        var parameters = [-reach] + (0...steps).map { Double($0) / Double(steps) * .pi * radius } + [reach]
        let project = { (s: Double) in ReferenceProfile.project(s, radius, cameraDistance, cameraHeight) }
        let highest = parameters.indices.max { project(parameters[$0]) < project(parameters[$1]) }!
        var (low, high) = (parameters[max(highest - 1, 0)], parameters[min(highest + 1, parameters.count - 1)])
        for _ in 0..<100 {
            let (a, b) = (low + (high - low) / 3, high - (high - low) / 3)
            if project(a) < project(b) { low = a } else { high = b }
        }
        parameters[highest] = (low + high) / 2
        self.parameters = parameters
        projected = parameters.map(project)
        rim = highest
    }

    /// The point of the curve at `s`: its distance from the contact line, and its height.
    private static func point(_ s: Double, _ radius: Double) -> (d: Double, z: Double) {
        if s <= 0 { return (s, 0) }
        if s >= .pi * radius { return (.pi * radius - s, 2 * radius) }
        return (radius * sin(s / radius), radius * (1 - cos(s / radius)))
    }

    private static func project(_ s: Double, _ radius: Double, _ distance: Double, _ height: Double) -> Double {
        let (d, z) = point(s, radius)
        return distance + (d - distance) / (1 - z / height)
    }

    /// Where the ray through the screen at distance `d` from the contact line meets the curve's front and its back.
    func meet(_ d: Double) -> (front: Hit?, back: Hit?) {
        (meet(d, 0, rim, rises: true), meet(d, rim, projected.count - 1, rises: false))
    }

    /// Where it meets the curve between two points of the table, between which the curve's image only rises or falls.
    private func meet(_ d: Double, _ first: Int, _ last: Int, rises: Bool) -> Hit? {
        let (least, most) = (min(projected[first], projected[last]), max(projected[first], projected[last]))
        guard d >= least, d <= most else { return nil }
        var (low, high) = (first, last)
        while high - low > 1 {
            let middle = (low + high) / 2
            if (projected[middle] < d) == rises { low = middle } else { high = middle }
        }
        let s = bisect(parameters[low], parameters[high], d, rises)
        let (position, z) = ReferenceProfile.point(s, radius)
        return Hit(s: s, d: position, z: z, showsBack: !rises, isCurved: s > 0 && s < .pi * radius)
    }

    /// Closes in on the parameter between `first` and `last` that is seen at `d`.
    private func bisect(_ first: Double, _ last: Double, _ d: Double, _ rises: Bool) -> Double {
        var (low, high) = (first, last)
        // Of 4096 parts of the cylinder, ten halvings leave a millionth of the radius. The sheet's flat ends are seen as
        // straight lines, so one proportional step finds the root there.
        let isFlat = high <= 0 || low >= .pi * radius
        let project = { ReferenceProfile.project($0, radius, cameraDistance, cameraHeight) }
        if isFlat { return low + (high - low) * (d - project(low)) / (project(high) - project(low)) }
        for _ in 0..<10 {
            let middle = (low + high) / 2
            if (project(middle) < d) == rises { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }
}

import FlipGeometry

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A flat piece of a picture in space, written as EFFECTS does: a formula for the point at distance d from a hinge.
///
/// `m` is the coordinate along the motion, and `z` points to the viewer. Across the motion, surfaces are parallel to
/// the screen.
struct Surface {
    /// Whether the texture is picture A.
    var isOutgoing: Bool
    var length: Double
    /// The point at distance 0, and the vector by which the point moves per unit of distance.
    var hinge: (m: Double, z: Double)
    var step: (m: Double, z: Double)
    /// The texture coordinate at distance 0, and its change per unit of distance: +1 or -1.
    var textureHinge: Double
    var textureStep: Double
    /// The scale across the motion, about the frame's middle.
    var acrossScale = 1.0
    /// Whether the surface is drawn over the others regardless of its height.
    var isOnTop = false
    /// Whether the corners at distance 0 (near) and at distance `length` (far) are rounded.
    var isRounded = (near: false, far: false)
    /// 1 if only the side is seen that faces the viewer where the surface lies in the direction of the motion, -1 if only the other;
    /// 0 for both.
    var seenSide = 0.0
    /// How much white is mixed over what is seen, before strength and clamping.
    var gloss: (_ distance: Double) -> Double = { _ in 0 }
    /// The shade `a` at a distance from the hinge, before strength and clamping.
    var shade: (_ distance: Double) -> Double = { _ in 0 }
}

/// All that is visible at one moment of a transition.
struct ReferenceScene {
    var surfaces: [Surface]
    /// L in the definition: the length that perspective multiplies.
    var pageLength: Double
    /// The soft box on the background: half its size along and across the motion, and the standard deviation of its
    /// blur.
    var bookShadow: (alongHalf: Double, acrossHalf: Double, deviation: Double)?

    /// The scene of EFFECTS 3 to 6, 10 and 11 for motion along `length`, in a frame `breadth` across.
    init(style: String, look: Look, progress p: Double, length: Double, breadth: Double) {
        switch style {
        case "flip" where look.bend > 0 || look.shadow == .paper: self = .leaf(look, p, length)
        case "flip": self = .flip(look, p, length)
        case "fold": self = .fold(look, p, length, isUnfold: false)
        case "unfold": self = .fold(look, 1 - p, length, isUnfold: true)
        case "card": self = .card(look, p, length)
        case "spine-fold": self = .spineFold(look, p, length, breadth)
        case "cube": self = .cube(look, p, length, inside: false)
        case "box": self = .cube(look, p, length, inside: true)
        case "swing": self = .swing(look, p, length)
        case "doors": self = .doors(look, p, length)
        case "blinds": self = .blinds(look, p, length)
        case "push": self = .push(p, length)
        case "slide": self = .slide(look, p, length)
        case "dissolve", "dip", "wipe": self = .fade(length)
        default: preconditionFailure("the reference renderer does not know style \(style)")
        }
        if look.direction == .backward {
            for index in surfaces.indices { surfaces[index].mirror(length) }
        }
    }

    init(_ surfaces: [Surface], pageLength: Double) {
        self.surfaces = surfaces
        self.pageLength = pageLength
    }
}

extension Surface {
    fileprivate mutating func mirror(_ length: Double) {
        hinge.m = length - hinge.m
        step.m = -step.m
        seenSide = -seenSide
        textureHinge = length - textureHinge
        textureStep = -textureStep
    }
}

private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }

// MARK: - 3. flip

extension ReferenceScene {
    private static func flip(_ look: Look, _ p: Double, _ width: Double) -> ReferenceScene {
        let spine = look.spine * width
        let isStage1 = p < 0.5
        let q = isStage1 ? 2 * p : 2 * p - 1
        let th = radians(isStage1 ? 90 * q : 90 * (1 - q))
        let toward = look.reverse ? -1.0 : 1.0
        let page = isStage1 ? width - spine : spine
        let side = isStage1 ? 1.0 : -1.0
        let moving = Surface(
            isOutgoing: isStage1, length: page, hinge: (spine, 0), step: (side * cos(th), toward * sin(th)),
            textureHinge: spine, textureStep: side, isOnTop: true,
            shade: flipMovingShade(look.shadow, page: page, rise: isStage1 ? q : 1 - q))
        var reveal = Surface(
            isOutgoing: false, length: width - spine, hinge: (spine, 0), step: (1, 0), textureHinge: spine,
            textureStep: 1)
        var facing = Surface(
            isOutgoing: true, length: spine, hinge: (spine, 0), step: (-1, 0), textureHinge: spine, textureStep: -1)
        if !look.reverse {
            let covered = flipCoveredShade(look.shadow, page: page, th: th, rise: isStage1 ? q : 1 - q)
            if isStage1 { reveal.shade = covered } else { facing.shade = covered }
        }
        return ReferenceScene([moving, facing, reveal], pageLength: max(spine, width - spine))
    }

    /// `rise` is q in stage 1 and 1 - q in stage 2.
    private static func flipMovingShade(_ shadow: Shadow, page: Double, rise: Double) -> (Double) -> Double {
        switch shadow {
        case .crease, .cast:
            { d in
                let u = d / (page / 2)
                let g = u <= 0.1 ? 0.5 + 5 * u : u <= 1 ? (1 - u) / 0.9 : 0
                return g * 0.1 * rise
            }
        case .edge: { d in 0.5 * d / page * rise }
        case .solid: { _ in 0.1 * rise }
        case .gradient, .paper, .none: { _ in 0 }
        }
    }

    private static func flipCoveredShade(
        _ shadow: Shadow, page: Double, th: Double, rise: Double
    ) -> (Double) -> Double {
        switch shadow {
        case .crease: { _ in 1.0 / 3 * cos(th) }
        case .solid: { _ in 0.5 * (1 - rise) }
        case .cast:
            { d in
                let e = page * cos(th)
                return 0.5 * cos(th) * max(0, 1 - max(0, d - e) / page)
            }
        case .edge, .gradient, .paper, .none: { _ in 0 }
        }
    }
}

// MARK: - 4. fold and unfold

extension ReferenceScene {
    private static func fold(_ look: Look, _ p: Double, _ height: Double, isUnfold: Bool) -> ReferenceScene {
        let n = look.creases
        let h = height / Double(2 * n)
        let c = cos(radians(90 * p))
        let s = sin(radians(90 * p))
        let hinge = { (j: Int) in height / 2 + Double(2 * j - n) * h * c }
        let o = 0.25 * (1 - c)
        let isCubic = look.mode == .cubic
        var surfaces: [Surface] = []
        for j in 0..<n {
            var falling = Surface(
                isOutgoing: !isUnfold, length: h, hinge: (hinge(j), 0), step: (c, -s),
                textureHinge: Double(2 * j) * h, textureStep: 1)
            var rising = Surface(
                isOutgoing: !isUnfold, length: h, hinge: (hinge(j + 1), 0), step: (-c, -s),
                textureHinge: Double(2 * j + 2) * h, textureStep: -1)
            switch look.shadow {
            case .gradient:
                falling.shade = { d in o * (1 - d / h) }
                // d is measured from the hinge, but e in the formula from the crease.
                rising.shade = { d in o * (1 - (isCubic ? 1 : 0.75) * (h - d) / h) }
            case .solid:
                falling.shade = { _ in o }
                rising.shade = { _ in 0.9 * o }
            case .crease, .edge, .cast, .paper, .none: break
            }
            surfaces += [falling, rising]
        }
        let step = isCubic ? (m: s, z: -c) : (m: 1, z: 0)
        let half = height / 2
        var upper = Surface(
            isOutgoing: isUnfold, length: half, hinge: (hinge(0), 0), step: (-step.m, step.z), textureHinge: half,
            textureStep: -1)
        var lower = Surface(
            isOutgoing: isUnfold, length: half, hinge: (hinge(n), 0), step: step, textureHinge: half, textureStep: 1)
        if isCubic && look.shadow == .gradient {
            let o2 = 0.25 * (1 - s)
            upper.shade = { d in o2 * d / half }
            lower.shade = { d in o2 * (1 - d / half) }
        }
        return ReferenceScene(surfaces + [upper, lower], pageLength: half)
    }
}

// MARK: - 5. card, 6. spine-fold

extension ReferenceScene {
    private static func card(_ look: Look, _ p: Double, _ width: Double) -> ReferenceScene {
        let f = radians(180 * p)
        let k = 1 - (1 - look.pullBack) * (1 - abs(2 * p - 1))
        let isFront = p < 0.5
        let side = isFront ? k : -k
        let a = look.shadow == .solid ? 0.8 * min(1, isFront ? 2 * p : 2 * (1 - p)) : 0
        let face = Surface(
            isOutgoing: isFront, length: width,
            hinge: (width / 2 - side * width / 2 * cos(f), -side * width / 2 * sin(f)),
            step: (side * cos(f), side * sin(f)), textureHinge: 0, textureStep: 1, acrossScale: k,
            isRounded: (true, true), shade: { _ in a })
        return ReferenceScene([face], pageLength: width / 2)
    }

    private static func spineFold(_ look: Look, _ p: Double, _ width: Double, _ height: Double) -> ReferenceScene {
        let isClosing = p < 0.5
        let degrees = isClosing ? 90 * (2 * p) : 90 * (1 - (2 * p - 1))
        let th = radians(degrees)
        let k = pow(0.95, degrees / 7.5)
        let isShaded = look.shadow == .gradient
        let pages = [-1.0, 1.0].map { side in
            Surface(
                isOutgoing: isClosing, length: width / 2, hinge: (width / 2, 0),
                step: (side * k * cos(th), k * sin(th)),
                textureHinge: width / 2, textureStep: side, acrossScale: k, isRounded: (false, true),
                shade: { d in isShaded ? 0.25 * sin(th) * (1 - d / (width / 2)) : 0 })
        }
        var scene = ReferenceScene(pages, pageLength: width / 2)
        if isShaded { scene.bookShadow = (k * width / 2 * cos(th), k * height / 2, 0.02 * height) }
        return scene
    }
}

// MARK: - Fades

extension ReferenceScene {
    /// No surfaces; `Reference.render` mixes the pictures.
    private static func fade(_ length: Double) -> ReferenceScene { ReferenceScene([], pageLength: length / 2) }
}

/// The page flip (EFFECTS 3), after Mark Pospesel's *Anatomy of a page-flip animation*.
package struct Flip: TransitionStyle {
    package let name = "flip"
    package let summary = "a page turns over about a spine"
    package let origin = "Mark Pospesel, Anatomy of a page-flip animation (MPFlipTransition)"
    package let options: [LookOption] = [
        .direction, .orientation, .reverse, .easing, .shutter, .perspective, .viewpoint, .spine, .bend, .shadow,
        .shadowStrength, .shadowColor, .pullBack,
    ]
    package let shadows: [Shadow] = [.crease, .edge, .solid, .cast, .paper, .none]

    package var defaults: Look {
        var look = Look()
        look.pullBack = 1
        look.easing = .halves(.easeIn, .easeOut)
        return look
    }

    package init() {}

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let spine = look.spine * length
        if look.bend > 0 || look.shadow == .paper {
            return placeLeaf(on: &set, at: progress, look: look, spine: spine, length: length)
        }
        let isFirstStage = progress < 0.5
        let part = isFirstStage ? 2 * progress : 2 * progress - 1
        let turn = Turn(degrees: 90 * (isFirstStage ? part : 1 - part))
        let shading = PageShading(look: look, part: part, isFirstStage: isFirstStage, turn: turn)
        let lift = look.reverse ? -turn.sine : turn.sine
        let lower = 0...spine
        let upper = spine...length

        // The moving page runs from the spine to the frame's far edge in stage 1, to its near edge in stage 2.
        let edge = isFirstStage ? length : 0
        let side = isFirstStage ? 1.0 : -1.0
        let moving = Sheet(
            isFirstStage ? .outgoing : .incoming, cut: isFirstStage ? upper : lower,
            position: Line(through: spine, at: spine, slope: turn.cosine),
            height: Line(through: 0, at: spine, slope: side * lift),
            shade: shading.moving(spine: spine, edge: edge), rank: 1)
        let covered = shading.covered(spine: spine, edge: edge)
        set.sheets.append(.flat(.outgoing, cut: lower, shade: isFirstStage ? .none : covered))
        set.sheets.append(.flat(.incoming, cut: upper, shade: isFirstStage ? covered : .none))
        set.sheets.append(moving)
        set.pageLength = max(spine, length - spine)
    }
}

extension Flip {
    /// The directions of a page that bends at its spine and at its free edge.
    static func angles(at progress: Double, bend: Double) -> (first: Double, last: Double) {
        let angle = { (time: Double) in .pi * min(max(time / (1 - bend), 0), 1) }
        return (angle(progress - bend), angle(progress))
    }

    /// How far beyond the spine the free edge of a page that bends stands, in page lengths: from 1 to -1.
    package static func edge(at progress: Double, bend: Double) -> Double {
        Leaf(spine: 0, length: 1, angles: angles(at: progress, bend: bend), strength: 0).point(at: 1).distance
    }

    /// The page as one leaf, whose free edge leads and whose spine follows (EFFECTS 13).
    private func placeLeaf(
        on set: inout SceneSet, at progress: Double, look: Look, spine: Double, length: Double
    ) {
        let page = max(spine, length - spine)
        let leaf = Leaf(
            spine: spine, length: page, angles: Self.angles(at: progress, bend: look.bend),
            strength: look.shadow == .paper ? look.shadowStrength : 0)
        set.sheets.append(.flat(.outgoing, cut: 0...spine))
        set.sheets.append(.flat(.incoming, cut: spine...length))
        set.sheets.append(Sheet(.outgoing, back: .incoming, cut: spine...(spine + page), spine: spine, leaf: leaf))
        set.pageLength = page
    }
}

/// The shades of a page flip: `part` is q of EFFECTS 3, `turn` the angle between the page and the screen.
private struct PageShading {
    let look: Look
    let part: Double
    let isFirstStage: Bool
    let turn: Turn

    /// How far the page is raised, 0...1: q in stage 1, 1 - q in stage 2.
    private var rise: Double { isFirstStage ? part : 1 - part }

    func moving(spine: Double, edge: Double) -> Shade {
        let strength = look.shadowStrength
        let at = { (fraction: Double) in spine + (edge - spine) * fraction }
        switch look.shadow {
        case .crease, .cast:
            let a = 0.1 * rise
            return Shade((spine, 0.5 * a), (at(0.05), a), (at(0.5), 0), (edge, 0), strength: strength)
        case .edge: return Shade((spine, 0), (edge, 0.5 * rise), strength: strength)
        case .solid: return .uniform(0.1 * rise, strength: strength)
        case .gradient, .paper, .none: return .none
        }
    }

    func covered(spine: Double, edge: Double) -> Shade {
        if look.reverse { return .none }
        let strength = look.shadowStrength
        switch look.shadow {
        case .crease: return .uniform(turn.cosine / 3, strength: strength)
        case .solid: return .uniform(0.5 * (1 - rise), strength: strength)
        case .cast:
            // Darkest from the spine to `reach`, the point directly below the moving page's free edge.
            let a = turn.cosine / 2
            let reach = spine + (edge - spine) * turn.cosine
            return Shade((spine, a), (reach, a), (edge, a * turn.cosine), strength: strength)
        case .edge, .gradient, .paper, .none: return .none
        }
    }
}

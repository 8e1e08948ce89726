/// The folding view (EFFECTS 4), after Mark Pospesel's *Anatomy of a folding animation*: the outgoing picture folds
/// away like an accordion while the incoming one slides in from both ends.
package struct Fold: TransitionStyle {
    package let name = "fold"
    package let summary = "the picture folds away while the next slides in from both ends"
    package let origin = "Mark Pospesel, Anatomy of a folding animation (MPFoldTransition)"
    package let options: [LookOption] = [
        .direction, .orientation, .mode, .creases, .easing, .shutter, .perspective, .viewpoint, .shadow,
        .shadowStrength,
        .shadowColor, .pullBack,
    ]
    package let modes: [Mode] = [.normal, .cubic]
    package let shadows: [Shadow] = [.gradient, .solid, .none]

    package var defaults: Look {
        var look = Look()
        look.pullBack = 1
        look.orientation = .vertical
        look.shadow = .gradient
        look.easing = .easeOut
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        Fold.place(on: &set, fold: .outgoing, sleeves: .incoming, progress, look, length)
    }

    /// Folds the picture `fold` by `progress` while `sleeves` slides in. `Unfold` does the same with the pictures
    /// exchanged and the time reversed.
    static func place(
        on set: inout SceneSet, fold: Picture, sleeves: Picture, _ progress: Double, _ look: Look, _ length: Double
    ) {
        let turn = Turn(degrees: 90 * progress)
        let pairs = look.creases
        let panelLength = length / Double(2 * pairs)
        let shading = FoldShading(look: look, turn: turn, panelLength: panelLength)
        let hinge = { (index: Int) in length / 2 + Double(2 * index - pairs) * panelLength * turn.cosine }
        for index in 0..<pairs {
            // The texture coordinates of the hinge above, the crease and the hinge below.
            let top = length * Double(index) / Double(pairs)
            let crease = top + panelLength
            let bottom = length * Double(index + 1) / Double(pairs)
            set.sheets.append(
                Sheet(
                    fold, cut: top...crease, position: Line(through: hinge(index), at: top, slope: turn.cosine),
                    height: Line(through: 0, at: top, slope: -turn.sine), shade: shading.falling(from: top)))
            set.sheets.append(
                Sheet(
                    fold, cut: crease...bottom,
                    position: Line(through: hinge(index + 1), at: bottom, slope: turn.cosine),
                    height: Line(through: 0, at: bottom, slope: turn.sine), shade: shading.rising(from: crease)))
        }
        let half = length / 2
        // A sleeve lies flat, or stands at a right angle to the fold panel that it is attached to.
        let slope = look.mode == .cubic ? turn.sine : 1
        let depth = look.mode == .cubic ? turn.cosine : 0
        set.sheets.append(
            Sheet(
                sleeves, cut: 0...half, position: Line(through: hinge(0), at: half, slope: slope),
                height: Line(through: 0, at: half, slope: depth), shade: shading.upperSleeve(hinge: half)))
        set.sheets.append(
            Sheet(
                sleeves, cut: half...length, position: Line(through: hinge(pairs), at: half, slope: slope),
                height: Line(through: 0, at: half, slope: -depth), shade: shading.lowerSleeve(hinge: half)))
        set.pageLength = half
    }
}

/// The fold of the incoming picture into the outgoing one, played backwards.
package struct Unfold: TransitionStyle {
    package let name = "unfold"
    package let summary = "the next picture unfolds while this one slides out to both ends"
    package let origin = "Mark Pospesel, Anatomy of a folding animation (MPFoldTransition)"
    package var options: [LookOption] { Fold().options }
    package var modes: [Mode] { Fold().modes }
    package var shadows: [Shadow] { Fold().shadows }

    package var defaults: Look {
        var look = Fold().defaults
        look.easing = .easeIn
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        Fold.place(on: &set, fold: .incoming, sleeves: .outgoing, 1 - progress, look, length)
    }
}

/// The shades of a fold; `panelLength` is h of EFFECTS 4.
private struct FoldShading {
    let look: Look
    let turn: Turn
    let panelLength: Double

    private var darkness: Double { 0.25 * (1 - turn.cosine) }

    /// The shade of the panel that falls away from the hinge at the texture coordinate `hinge`.
    func falling(from hinge: Double) -> Shade {
        let strength = look.shadowStrength
        switch look.shadow {
        case .gradient: return Shade((hinge, darkness), (hinge + panelLength, 0), strength: strength)
        case .solid: return .uniform(darkness, strength: strength)
        case .crease, .edge, .cast, .paper, .none: return .none
        }
    }

    /// The shade of the panel that rises from the crease at the texture coordinate `crease` to the next hinge.
    func rising(from crease: Double) -> Shade {
        let strength = look.shadowStrength
        switch look.shadow {
        case .gradient:
            let remains = look.mode == .cubic ? 0 : 0.25
            return Shade((crease, darkness), (crease + panelLength, darkness * remains), strength: strength)
        case .solid: return .uniform(0.9 * darkness, strength: strength)
        case .crease, .edge, .cast, .paper, .none: return .none
        }
    }

    private var sleeveDarkness: Double { look.mode == .cubic && look.shadow == .gradient ? 0.25 * (1 - turn.sine) : 0 }

    /// The shade of the upper sleeve, dark at its far end.
    func upperSleeve(hinge: Double) -> Shade {
        Shade((hinge - panelLength, sleeveDarkness), (hinge, 0), strength: look.shadowStrength)
    }

    /// The shade of the lower sleeve, dark at its hinge.
    func lowerSleeve(hinge: Double) -> Shade {
        Shade((hinge, sleeveDarkness), (hinge + panelLength, 0), strength: look.shadowStrength)
    }
}

import FlipTransition

/// A custom style: the next picture pushes this one out, tilted like a tray. `tilt` is 0...60 degrees.
struct Tray: TransitionStyle {
    var tilt = 0.0

    let name = "tray"
    let summary = "the next picture pushes this one out"
    let origin = "slide projectors"
    let options: [LookOption] = [.direction, .orientation, .easing, .perspective, .viewpoint]
    let shadows: [Shadow] = [.none]

    var defaults: Look {
        var look = Look()
        look.shadow = .none
        look.easing = .easeInOut
        return look
    }

    func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        // Lowest in the middle of the motion, and flat at both ends.
        let depth = -tilt / 60 * progress * (1 - progress) * length
        let height = Line(constant: depth, slope: 0)
        set.sheets = [
            Sheet(
                .outgoing, cut: 0...length, position: Line(constant: -progress * length, slope: 1), height: height),
            Sheet(
                .incoming, cut: 0...length, position: Line(constant: (1 - progress) * length, slope: 1),
                height: height),
        ]
        set.pageLength = length
    }
}

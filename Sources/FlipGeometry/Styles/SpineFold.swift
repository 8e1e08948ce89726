import RealModule

/// The closing book (EFFECTS 6), after the Tuts+ *3D page folding* tutorial: both halves turn toward the viewer about
/// the spine, and open again with the next picture.
package struct SpineFold: TransitionStyle {
    package let name = "spine-fold"
    package let summary = "a book closes on this picture and opens on the next"
    package let origin = "Tuts+, 3D page folding"
    // The motion is its own mirror image, so it has no direction.
    package let options: [LookOption] = [
        .orientation, .easing, .shutter, .perspective, .viewpoint, .shadow, .shadowStrength, .shadowColor,
        .cornerRadius,
        .pullBack,
    ]
    package let shadows: [Shadow] = [.gradient, .none]

    package var defaults: Look {
        var look = Look()
        look.pullBack = 1
        look.shadow = .gradient
        look.easing = .easeInOut
        look.perspective = 3.90625
        return look
    }

    package init() {}

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let isClosing = progress < 0.5
        let angle = 90 * (isClosing ? 2 * progress : 2 - 2 * progress)
        let turn = Turn(degrees: angle)
        let scale = Double.pow(0.95, angle / 7.5)
        let spine = length / 2
        let darkness = look.shadow == .gradient ? 0.25 * turn.sine : 0
        let page = { (cut: ClosedRange<Double>, edge: Double, side: Double) in
            Sheet(
                isClosing ? .outgoing : .incoming, cut: cut,
                position: Line(through: spine, at: spine, slope: scale * turn.cosine),
                height: Line(through: 0, at: spine, slope: side * scale * turn.sine), acrossScale: scale,
                shade: Shade((spine, darkness), (edge, 0), strength: look.shadowStrength),
                cornerRadius: side < 0 ? (look.cornerRadius, 0) : (0, look.cornerRadius))
        }
        let reach = scale * spine * turn.cosine
        let shadow = SoftShadow(
            along: (spine - reach)...(spine + reach),
            across: (breadth / 2 - scale * breadth / 2)...(breadth / 2 + scale * breadth / 2),
            deviation: 0.02 * breadth, opacity: 0.5 * look.shadowStrength)
        set.sheets.append(page(0...spine, 0, -1))
        set.sheets.append(page(spine...length, length, 1))
        set.pageLength = spine
        if look.shadow == .gradient { set.softShadow = shadow }
    }
}

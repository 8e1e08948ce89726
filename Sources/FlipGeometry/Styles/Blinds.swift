/// The blinds (EFFECTS 10): slats that turn over one after the other, with the next picture on their backs.
///
///     fliptransition a.mp4 b.mp4 out.mp4 --style blinds --strips 12 --stagger 0.5
package struct Blinds: TransitionStyle {
    package let name = "blinds"
    package let summary = "slats turn over one after the other, with the next picture on their backs"
    package let origin = "venetian blinds, and the turning slats of billboards"
    package let options = Cube().options + [.strips, .stagger]
    package let shadows: [Shadow] = [.solid, .none]

    package var defaults: Look {
        var look = Swing().defaults
        look.perspective = 3.15
        return look
    }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        set.pageLength = length / 2
        // Slats that wait, and those that have turned, are one sheet: nothing can show between them.
        var (first, last) = (0, look.strips)
        while first < last && part(first, progress, look) <= 0 { first += 1 }
        while last > first && part(last - 1, progress, look) >= 1 { last -= 1 }
        let width = length / Double(look.strips)
        if first > 0 { set.sheets.append(.flat(.outgoing, cut: 0...width * Double(first))) }
        for index in first..<last {
            let cut = width * Double(index)...width * Double(index + 1)
            set.sheets.append(slat(cut, part(index, progress, look), look, length: length))
        }
        if last < look.strips { set.sheets.append(.flat(.incoming, cut: width * Double(last)...length)) }
    }

    /// How far slat `index` has turned, 0...1; the last one moves first.
    private func part(_ index: Int, _ progress: Double, _ look: Look) -> Double {
        let rank = Double(look.strips - 1 - index) / Double(look.strips - 1)
        return min(max(progress * (1 + look.stagger) - look.stagger * rank, 0), 1)
    }

    /// The slat with the part `cut` of both pictures, of which the one shows that is on the side that faces the camera.
    private func slat(_ cut: ClosedRange<Double>, _ part: Double, _ look: Look, length: Double) -> Sheet {
        let turn = Turn(degrees: 180 * part)
        let middle = (cut.lowerBound + cut.upperBound) / 2
        // The camera's distance from the slat's axis along the motion, in heights of the camera.
        let camera = (look.direction == .forward ? look.viewpointAlong : 1 - look.viewpointAlong) * length
        let lean = look.perspective == 0 ? 0 : (camera - middle) / (look.perspective * length / 2)
        let showsFace = turn.cosine > turn.sine * lean
        let side = showsFace ? 1.0 : -1.0
        return Sheet(
            showsFace ? .outgoing : .incoming, cut: cut,
            position: Line(through: middle, at: middle, slope: side * turn.cosine),
            height: Line(through: 0, at: middle, slope: side * turn.sine), shade: .solid(0.5 * turn.sine, look))
    }
}

import FlipGeometry
import FlipRender

extension TransitionNames {
    /// How a document's `transition` is drawn; nil if the table has no row for it.
    package static func spec(
        _ transition: NamedTransition, duration: TransitionDuration, overlap: TransitionSpec.Overlap?
    ) -> TransitionSpec? {
        guard let row = document(transition.name) else { return nil }
        var way: [String: String] = [:]
        if row.isDirected, let direction = transition.direction {
            way["orientation"] = direction.isHorizontal ? "horizontal" : "vertical"
            way["direction"] = [.left, .up].contains(direction) ? "forward" : "backward"
        }
        if row.isDirected, let axis = transition.axis { way["orientation"] = axis.rawValue }
        guard let (style, options) = row.look(way) else { return TransitionSpec(look: nil) }
        guard let look = try? StyledLook(style: style, options: options) else { return nil }
        return TransitionSpec(
            look: look, duration: transition.duration.map { .seconds($0) } ?? duration, overlap: overlap)
    }
}

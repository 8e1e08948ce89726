import FlipGeometry
import FlipMedia
import FlipRender

/// What the transitions of documents become: a row a name. What is not in the table is the deck's own look.
package enum TransitionNames {
    /// What a document's transition is drawn as.
    package enum Kind: Sendable, Equatable {
        /// A style with its options, before the direction.
        case style(String, [String: String])
        case cut
    }

    package struct Row: Sendable {
        /// PowerPoint's element or preset, or PDF's `/S`.
        package var names: [String]
        package var kind: Kind
        /// Whether it follows the document's direction.
        package var isDirected = true

        init(_ names: [String], _ kind: Kind, isDirected: Bool = true) {
            self.names = names
            self.kind = kind
            self.isDirected = isDirected
        }
    }

    package static let all: [Row] = [
        Row(["pageCurlDouble"], .style("flip", [:])),
        Row(["pageCurlSingle", "peelOff"], .style("flip", ["spine": "0.05"])),
        Row(["flip", "flipbook"], .style("card", [:])),
        Row(["prism", "cube", "box", "rotate", "orbit"], .style("fold", ["mode": "cubic"])),
        Row(["origami", "fallOver", "drape", "curtains"], .style("fold", [:])),
        Row(
            ["push", "cover", "pull", "Push", "Cover", "Uncover", "Fly", "pan", "ferris", "gallery", "conveyor"],
            .style("unfold", [:])),
        Row(["fade", "Fade", "dissolve", "Dissolve"], .style("dissolve", [:]), isDirected: false),
        Row(["cut", "R"], .cut, isDirected: false),
    ]

    /// How `transition` is drawn; nil where the table has no row for it.
    package static func spec(
        _ transition: NamedTransition, duration: TransitionDuration, overlap: TransitionSpec.Overlap
    ) -> TransitionSpec? {
        guard let row = all.first(where: { $0.names.contains(transition.name) }) else { return nil }
        guard case .style(let style, var options) = row.kind else { return TransitionSpec(look: nil) }
        if row.isDirected, let direction = transition.direction {
            options["orientation"] = [.left, .right].contains(direction) ? "horizontal" : "vertical"
            options["direction"] = [.left, .up].contains(direction) ? "forward" : "backward"
        }
        let list = LookOption.allCases.compactMap { option in
            options[option.rawValue].map { (option: option, value: $0) }
        }
        guard let look = try? StyledLook(style: style, look: nil, options: list) else { return nil }
        return TransitionSpec(
            look: look, duration: transition.duration.map { .seconds($0) } ?? duration, overlap: overlap)
    }
}

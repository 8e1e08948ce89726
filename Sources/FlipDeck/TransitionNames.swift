import FlipGeometry
import FlipRender

/// The transitions of documents and how they are drawn. Those that aren't in the table get the look asked for the deck.
package enum TransitionNames {
    /// How a document's transition is drawn.
    package enum Kind: Sendable, Equatable {
        /// A style's name and its options, without those for the direction.
        case style(String, [String: String])
        case cut
    }

    package struct Row: Sendable {
        /// The names: PowerPoint's elements or presets, or values of PDF's `/S`.
        package var names: [String]
        package var kind: Kind
        /// Whether the transition follows the direction that the document gives.
        package var isDirected = true

        init(_ names: [String], _ kind: Kind, isDirected: Bool = true) {
            self.names = names
            self.kind = kind
            self.isDirected = isDirected
        }
    }

    package static let all: [Row] = [
        Row(["pageCurlDouble"], .style("curl", ["mode": "book"])),
        Row(["pageCurlSingle", "peelOff"], .style("curl", [:])),
        Row(["flip", "flipbook"], .style("card", [:])),
        Row(["prism", "cube", "box", "rotate", "orbit"], .style("fold", ["mode": "cubic"])),
        Row(["origami", "fallOver", "drape", "curtains"], .style("fold", [:])),
        Row(
            ["push", "cover", "pull", "Push", "Cover", "Uncover", "Fly", "pan", "ferris", "gallery", "conveyor"],
            .style("unfold", [:])),
        Row(["fade", "Fade", "dissolve", "Dissolve"], .style("dissolve", [:]), isDirected: false),
        Row(["fadeThroughBlack"], .style("dip", [:]), isDirected: false),
        Row(["cut", "R"], .cut, isDirected: false),
    ]

    /// How `transition` is drawn; nil if the table has no row for it.
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

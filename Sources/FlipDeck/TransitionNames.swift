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
        /// The names: PowerPoint's elements or presets, values of PDF's `/S`, or OpenDocument's kinds (`OpenTransition`).
        package var names: [String]
        package var kind: Kind
        /// Whether the transition follows the direction or the axis that the document gives.
        package var isDirected = true
        /// Whether the document means something else, to which this only comes nearest.
        package var isNearest: Bool

        init(_ names: [String], _ kind: Kind, isDirected: Bool = true, isNearest: Bool = false) {
            self.names = names
            self.kind = kind
            self.isDirected = isDirected
            self.isNearest = isNearest
        }

        /// A row of transitions that have no counterpart.
        static func nearest(_ names: [String], _ kind: Kind, isDirected: Bool = true) -> Row {
            Row(names, kind, isDirected: isDirected, isNearest: true)
        }
    }

    package static let all: [Row] = [
        Row(["pageCurlDouble"], .style("curl", ["mode": "book"])),
        Row(["pageCurlSingle", "peelOff"], .style("curl", [:])),
        Row(["flip", "flipbook"], .style("card", [:])),
        Row(["prism", "cube"], .style("cube", [:])), Row(["box"], .style("box", [:])),
        Row(["doors"], .style("doors", [:])),
        Row(["miscShapeWipe-cornersOut"], .style("cube", [:]), isDirected: false),
        Row(["miscShapeWipe-cornersIn"], .style("box", [:]), isDirected: false),
        Row(["miscShapeWipe-topToBottom"], .style("card", [:]), isDirected: false),
        Row(["blinds", "Blinds", "blindsWipe", "odf-stripes"], .style("blinds", ["stagger": "0"])),
        Row(["push", "Push", "pushWipe", "odf-roll-from"], .style("push", [:])),
        Row(["cover", "Cover", "slideWipe", "odf-move-from"], .style("slide", [:])),
        Row(["pull", "Uncover", "slideWipeOut", "odf-uncover-to"], .style("slide", ["mode": "uncover"])),
        Row(["wipe", "barWipe", "odf-fade-from"], .style("wipe", [:])),
        Row(["Wipe"], .style("wipe", ["softness": "0"])),
        Row(["fade", "Fade"], .style("dissolve", [:]), isDirected: false),
        Row(["fadeThroughBlack"], .style("dip", [:]), isDirected: false),
        Row(["fadeThroughWhite"], .style("dip", ["through": "white"]), isDirected: false),
        Row(["cut", "R"], .cut, isDirected: false),
        .nearest(["rotate"], .style("cube", [:])),
        .nearest(["orbit"], .style("box", [:])),
        .nearest(["pan", "ferris", "gallery", "conveyor"], .style("push", [:])),
        .nearest(["coverCorner", "Fly", "slideWipeCorner"], .style("slide", [:])),
        .nearest(
            ["pullCorner", "FlyOut", "reveal", "slideWipeOutCorner", "odf-fly-away"],
            .style("slide", ["mode": "uncover"])),
        .nearest(
            [
                "strips", "diagonalWipe", "miscDiagonalWipe", "veeWipe", "zigZagWipe", "waterfallWipe",
                "odf-wavyline-from", "odf-stretch-from", "odf-melt",
            ], .style("wipe", [:])),
        .nearest(["fallOver", "miscShapeWipe-leftToRight", "miscShapeWipe-topRight"], .style("swing", [:])),
        .nearest(
            [
                "window", "split", "Split", "curtains", "flythrough", "circle", "diamond", "plus", "zoom", "Box",
                "barnDoorWipe", "barnVeeWipe", "barnZigZagWipe", "bowTieWipe", "boxWipe", "fourBoxWipe", "irisWipe",
                "triangleWipe", "arrowHeadWipe", "pentagonWipe", "hexagonWipe", "ellipseWipe", "eyeWipe",
                "roundRectWipe",
                "starWipe", "saloonDoorWipe", "odf-open", "odf-fade-from-center",
            ],
            .style("doors", [:])),
        .nearest(
            [
                "splitIn", "SplitIn", "zoomIn", "BoxIn", "origami", "barnDoorWipeIn", "irisWipeIn", "odf-close",
                "odf-fade-to-center",
            ], .style("fold", [:])),
        .nearest(["drape"], .style("curl", ["angle": "0"])),
        .nearest(
            [
                "checker", "comb", "randomBar", "shred", "checkerBoardWipe", "pushWipeComb", "randomBarWipe",
                "miscShapeWipe-across", "miscShapeWipe-bottomLeft", "miscShapeWipe-topCenter", "odf-lines",
                "odf-checkerboard", "odf-interlocking",
            ], .style("blinds", ["stagger": "0"])),
        .nearest(
            ["newsflash", "switch", "miscShapeWipe-bottomRight"], .style("card", [:])),
        .nearest(["flash"], .style("dip", ["through": "white"]), isDirected: false),
        .nearest(["cutThroughBlack", "fadeThroughColor"], .style("dip", [:]), isDirected: false),
        .nearest(
            [
                "dissolve", "Dissolve", "glitter", "Glitter", "wedge", "wheel", "wheelReverse", "vortex", "ripple",
                "honeycomb", "warp", "wind", "prestige", "fracture", "crush", "airplane", "morph", "miscShapeWipe",
                "clockWipe", "pinWheelWipe", "singleSweepWipe", "fanWipe", "doubleFanWipe", "doubleSweepWipe",
                "windshieldWipe", "snakeWipe", "spiralWipe", "parallelSnakesWipe", "boxSnakesWipe", "odf-clockwise",
                "odf-counterclockwise", "odf-spiralin", "odf-spiralout", "odf-dissolve",
            ], .style("dissolve", [:]), isDirected: false),
    ]

    /// The table's row for a document's transition called `name`; nil if it has none.
    package static func row(_ name: String) -> Row? { all.first { $0.names.contains(name) } }

    /// How `transition` is drawn; nil if the table has no row for it.
    package static func spec(
        _ transition: NamedTransition, duration: TransitionDuration, overlap: TransitionSpec.Overlap?
    ) -> TransitionSpec? {
        guard let row = row(transition.name) else { return nil }
        guard case .style(let name, var options) = row.kind, let style = try? Styles.named(name) else {
            return TransitionSpec(look: nil)
        }
        if row.isDirected, let direction = transition.direction {
            options["orientation"] = direction.isHorizontal ? "horizontal" : "vertical"
            options["direction"] = [.left, .up].contains(direction) ? "forward" : "backward"
        }
        if row.isDirected, let axis = transition.axis { options["orientation"] = axis.rawValue }
        let list = LookOption.allCases.compactMap { option in
            options[option.rawValue].map { (option: option, value: $0) }
        }
        guard let look = try? StyledLook(style: style, options: list) else { return nil }
        return TransitionSpec(
            look: look, duration: transition.duration.map { .seconds($0) } ?? duration, overlap: overlap)
    }
}

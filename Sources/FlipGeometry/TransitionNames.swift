/// What other programs call their transitions, and how each is drawn here.
package enum TransitionNames {
    /// How a transition is drawn.
    package enum Kind: Sendable, Equatable {
        /// A style's name and its options, without those for the direction.
        case style(String, [String: String])
        case cut
    }

    package struct Row: Sendable {
        package var names: [String]
        package var kind: Kind
        /// Whether the transition follows the direction or the axis that a document gives.
        package var isDirected = true
        /// Whether the other program shows something else, to which this only comes nearest.
        package var isNearest: Bool

        init(_ names: [String], _ kind: Kind, isDirected: Bool = true, isNearest: Bool = false) {
            (self.names, self.kind, self.isDirected, self.isNearest) = (names, kind, isDirected, isNearest)
        }

        /// A row of transitions that have no counterpart.
        static func nearest(_ names: [String], _ kind: Kind, isDirected: Bool = true) -> Row {
            Row(names, kind, isDirected: isDirected, isNearest: true)
        }

        /// The style, and the options of the row and for `direction`; nil for a cut.
        package func look(
            _ further: [String: String] = [:]
        ) -> (style: any TransitionStyle, options: [(option: LookOption, value: String)])? {
            guard case .style(let name, var options) = kind, let style = Styles.all.first(where: { $0.name == name })
            else { return nil }
            options.merge(further) { _, new in new }
            return (
                style,
                LookOption.allCases.compactMap { option in
                    options[option.rawValue].map { (option: option, value: $0) }
                }
            )
        }
    }

    /// The row for a document's transition called `name`; nil if there is none.
    package static func document(_ name: String) -> Row? { documents.first { $0.names.contains(name) } }

    /// The row for a name that people type or editors write, whose capitals, spaces and dashes don't matter; nil if no
    /// program that is known here has such a transition.
    package static func familiar(_ name: String) -> Row? {
        let word = plain(name)
        if word.isEmpty { return nil }
        if let row = programs.first(where: { $0.names.contains(word) }) ?? Self.document(name) { return row }
        return documents.first { row in row.names.contains { plain($0) == word } }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }

    /// What people type, and the transitions of ffmpeg's xfade, Keynote, Final Cut Pro, Premiere Pro, Kdenlive and MLT.
    /// Names are in lower case, without spaces and dashes.
    package static let programs: [Row] =
        [
            Row(
                [
                    "dissolve", "crossfade", "crossdissolve", "fade", "xfade", "mix", "filmdissolve",
                    "additivedissolve", "luma",
                ], .style("dissolve", [:])),
            Row(
                ["fadethroughblack", "fadetoblack", "fadeblack", "diptoblack", "diptocolor", "fadetocolor"],
                .style("dip", [:])),
            Row(["fadethroughwhite", "fadetowhite", "fadewhite", "diptowhite"], .style("dip", ["through": "white"])),
            Row(["pagecurl", "pagepeel", "peel", "curl"], .style("curl", [:])),
            Row(["pageturn", "bookcurl", "book"], .style("curl", ["mode": "book"])),
            Row(["flip", "page", "pageflip", "bookflip", "turn"], .style("flip", [:])),
            Row(["cube", "cubespin", "cuberotate", "prism"], .style("cube", [:])),
            Row(["box", "insidecube", "cubeinside"], .style("box", [:])),
            Row(["swing", "swingin", "swingout", "door", "dooropen"], .style("swing", [:])),
            Row(["doors", "doorway", "opendoors", "doublelayerdoors"], .style("doors", [:])),
            Row(["blinds", "venetianblinds", "venetianblind"], .style("blinds", [:])),
            Row(["push"], .style("push", [:])), Row(["slide", "movein", "cover"], .style("slide", [:])),
            Row(["wipe", "edgewipe", "linearwipe"], .style("wipe", [:])),
            Row(["flipover", "cardflip", "spin3d", "3dflip", "flip3d"], .style("card", [:])),
            Row(["fold", "foldup", "accordion"], .style("fold", [:])), Row(["unfold"], .style("unfold", [:])),
            Row(["closebook"], .style("spine-fold", [:])),
            .nearest(["whippan"], .style("push", [:])), .nearest(["fadeandmove"], .style("slide", [:])),
            .nearest(["reveal"], .style("slide", ["mode": "uncover"])),
            .nearest(
                [
                    "bandwipe", "radialwipe", "clockwipe", "inset", "radial", "diagtl", "diagtr", "diagbl", "diagbr",
                    "wipetl", "wipetr", "wipebl", "wipebr",
                ], .style("wipe", [:])),
            .nearest(["pivot", "fall", "flop", "revolvingdoor"], .style("swing", [:])),
            .nearest(
                [
                    "barndoor", "barndoors", "centersplit", "split", "iris", "irisround", "irisbox", "circle", "zoom",
                    "circleopen", "circlecrop", "rectcrop", "vertopen", "horzopen", "zoomin",
                ], .style("doors", [:])),
            .nearest(["circleclose", "vertclose", "horzclose", "squeezeh", "squeezev"], .style("fold", [:])),
            .nearest(
                [
                    "checker", "checkerboard", "bandslide", "slashslide", "mosaic", "grid", "colorplanes", "hlslice",
                    "hrslice", "vuslice", "vdslice", "hlwind", "hrwind", "vuwind", "vdwind",
                ], .style("blinds", [:])),
            .nearest(["swap", "switch", "twist", "twirl", "spin", "objectflip"], .style("card", [:])),
            .nearest(["objectcube"], .style("cube", [:])),
            .nearest(
                [
                    "magicmove", "shimmer", "sparkle", "confetti", "droplet", "drop", "clothesline", "perspective",
                    "reflection", "scale", "swoosh", "morphcut", "composite", "distance", "pixelize", "hblur",
                    "fadegrays", "fadefast", "fadeslow",
                ], .style("dissolve", [:])),
        ]
        + directed("slide", "push", [:]) + directed("cover", "slide", [:])
        + directed("reveal", "slide", ["mode": "uncover"]) + directed("wipe", "wipe", ["softness": "0"])
        + directed("smooth", "wipe", [:])

    /// The rows of ffmpeg's transitions that are called by a word and the way in which they move, such as `wipeleft`.
    private static func directed(_ word: String, _ style: String, _ options: [String: String]) -> [Row] {
        [
            ("left", "horizontal", "forward"), ("right", "horizontal", "backward"), ("up", "vertical", "forward"),
            ("down", "vertical", "backward"),
        ].map { way, orientation, direction in
            Row(
                [word + way],
                .style(style, options.merging(["orientation": orientation, "direction": direction]) { _, new in new }))
        }
    }

    /// The transitions of documents: PowerPoint's elements or presets, values of PDF's `/S`, and OpenDocument's kinds. Those
    /// that aren't in the table get the look asked for the deck.
    package static let documents: [Row] = [
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
                "roundRectWipe", "starWipe", "saloonDoorWipe", "odf-open", "odf-fade-from-center",
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
        .nearest(["newsflash", "switch", "miscShapeWipe-bottomRight"], .style("card", [:])),
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
}

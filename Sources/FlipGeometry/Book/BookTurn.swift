/// A leaf of a bound book turns (EFFECTS 14). The pictures show the book at rest, as `BookLayout` places it.
package struct BookTurn: TransitionStyle {
    package let name = "bound-book"
    package let summary = "a leaf of a bound book turns"
    package let origin = "books"
    package let options: [LookOption] = [
        .easing, .shutter, .perspective, .viewpoint, .bend, .shadow, .shadowStrength,
    ]
    package let shadows: [Shadow] = [.paper, .none]

    /// The book, and the spread that is left for the next one.
    package let layout: BookLayout
    package let index: Int
    /// The color of what the book lies on.
    private let ground: Color

    package init(_ layout: BookLayout, after index: Int, ground: Color = Looks.desk) {
        (self.layout, self.index, self.ground) = (layout, index, ground)
    }

    package var defaults: Look {
        var look = Flip().defaults
        (look.shadow, look.bend) = (.paper, Self.bend)
        (look.orientation, look.direction) = (layout.orientation, layout.direction)
        return look
    }

    /// How far a leaf bends if nothing else is asked for.
    private static let bend = 0.45

    /// The turn with what `look`, of a flip, asks for. Throws if it asks for what books don't have; what a named look brings along
    /// is left out.
    package func styled(_ look: StyledLook) throws(OptionError) -> StyledLook {
        guard look.style is Flip else {
            throw OptionError(
                "a book turns its own pages, and has no style \(look.style.name) (leave out --style or --book)")
        }
        let named = try look.named.map { name throws(OptionError) in try StyledLook(style: nil, look: name, options: [])
        }
        let defaults = named?.look ?? look.style.defaults
        for option in look.style.options where !options.contains(option) || option == .shadow {
            let isKnown = option == .shadow && shadows.contains(look.look.shadow)
            if !isKnown, option.value(in: look.look) != option.value(in: defaults) {
                throw OptionError(
                    "a book has no \(option.rawValue) \(option.value(in: look.look)) (leave it out, or --book)")
            }
        }
        var own = look.look
        if own.shadow != .none { own.shadow = .paper }
        if own.bend == 0 { own.bend = Self.bend }
        (own.orientation, own.direction) = (layout.orientation, layout.direction)
        for option in look.style.options
        where !options.contains(option) && ![.orientation, .direction].contains(option) {
            try option.set(&own, to: option.value(in: look.style.defaults))
        }
        var styled = try StyledLook(style: self, look: own)
        (styled.background, styled.named) = (ground, look.named)
        return styled
    }

    /// How far the leaf that turns bends with `look`.
    package func bend(_ look: Look) -> Double { layout.isBoard(after: index) ? 0 : look.bend }

    /// The spine's place in the frame before the turn, 0...1 along the motion.
    package var spine: Double { Double(layout.spread(index).spine) / Double(layout.extent.along) }

    package func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
        let (from, to) = (layout.spread(index), layout.spread(index + 1))
        // The frame may be drawn at another size.
        let scale = length / Double(layout.extent.along)
        let spine = scale * (Double(from.spine) + progress * Double(to.spine - from.spine))
        let across = scaled(layout.across, scale)
        let add = { (picture: Picture, spread: BookLayout.Spread, beyond: Bool, set: inout SceneSet) in
            guard let along = layout.along(spread, beyond: beyond) else { return }
            let shift = spine - scale * Double(spread.spine)
            var sheet = Sheet(
                picture, cut: scaled(along, scale).clamped(to: 0...length), position: Line(constant: shift, slope: 1))
            sheet.acrossCut = across
            set.sheets.append(sheet)
        }
        add(.outgoing, from, false, &set)
        add(.incoming, to, true, &set)

        let page = scale * Double(layout.length)
        let (front, back) = (scale * Double(from.spine), scale * Double(to.spine))
        let leaf = Leaf(
            spine: spine, length: page, angles: Flip.angles(at: progress, bend: bend(look)),
            strength: look.shadow == .paper ? look.shadowStrength : 0)
        var sheet = Sheet(
            .outgoing, back: .incoming, cut: front...front + page, spine: (front + back) / 2, leaf: leaf)
        sheet.acrossCut = across
        set.sheets.append(sheet)
        set.pageLength = page
        set.softShadow = shadow(from, to, progress, scale, spine: spine, edge: leaf.point(at: page).distance)
    }

    private func scaled(_ range: ClosedRange<Int>, _ scale: Double) -> ClosedRange<Double> {
        scale * Double(range.lowerBound)...scale * Double(range.upperBound)
    }

    /// The book's shadow, which reaches as far as what lies flat or the leaf's free edge, `edge` beyond the spine.
    private func shadow(
        _ from: BookLayout.Spread, _ to: BookLayout.Spread, _ progress: Double, _ scale: Double, spine: Double,
        edge: Double
    ) -> SoftShadow {
        let page = scale * Double(layout.length)
        let reach = { (side: BookLayout.Side?, first: BookLayout.Side?, last: BookLayout.Side?, edge: Double) in
            let (a, b) = (Double(first?.edges ?? 0), Double(last?.edges ?? 0))
            return (side == nil ? max(edge, 0) : page) + scale * (a + progress * (b - a))
        }
        var shadow = layout.shadow(from)
        shadow.along =
            spine - reach(from.before, from.before, to.before, -edge)...spine
            + reach(to.beyond, from.beyond, to.beyond, edge)
        shadow.across = scale * shadow.across.lowerBound...scale * shadow.across.upperBound
        shadow.deviation *= scale
        return shadow
    }
}

extension StyledLook {
    /// The look as it is asked for: of a book's turn, the flip that it is made from.
    package var asked: StyledLook {
        guard style is BookTurn else { return self }
        let flip = Flip()
        var own = look
        (own.orientation, own.direction) = (flip.defaults.orientation, flip.defaults.direction)
        guard var asked = try? StyledLook(style: flip, look: own) else { return self }
        asked.named = named
        return asked
    }
}

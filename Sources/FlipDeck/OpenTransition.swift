import FlipBase
import FlipFiles
import FlipGeometry

/// The transitions of OpenDocument presentations (ODF 1.2, 14.1.4, 15.36 and 19.490): a kind of SMIL 2.0, or in older files a
/// style of OpenOffice.
enum OpenTransition {
    private static let smil = ":smil-compatible:1.0"
    private static let presentation = ":presentation:1.0"

    /// The transition that a style of pages, or the filter of a page, asks for; nil if it asks for none.
    static func named(_ element: XMLElement) -> NamedTransition? {
        guard let type = element.attribute("type", in: smil) else {
            return element.attribute("transition-style", in: presentation).flatMap { older($0, seconds(element)) }
        }
        let subtype = element.attribute("subtype", in: smil) ?? ""
        let isReversed = element.attribute("direction", in: smil) == "reverse"
        let color = element.attribute("fadeColor", in: smil)?.lowercased() ?? "#000000"
        var named = NamedTransition(
            name: name(type, subtype, color, isReversed: isReversed), duration: seconds(element))
        // LibreOffice's subtypes of this one are kinds of movements in space.
        if type == "miscShapeWipe" { return named }
        named.axis = axes[subtype]
        named.direction = named.axis == nil ? directions[subtype] : nil
        // What uncovers is said to come from where it goes away from, too.
        if isReversed, type != "slideWipe" { named.direction = named.direction?.opposite }
        return named
    }

    /// The name in the table of transitions. What are transitions of their own there are subtypes and directions here.
    private static func name(_ type: String, _ subtype: String, _ color: String, isReversed: Bool) -> String {
        let isToCorner = ["fromTopLeft", "fromTopRight", "fromBottomLeft", "fromBottomRight"].contains(subtype)
        switch type {
        case "fade" where ["fadeOverColor", "fadeToColor", "fadeFromColor"].contains(subtype):
            return ["#000000": "fadeThroughBlack", "#ffffff": "fadeThroughWhite"][color] ?? "fadeThroughColor"
        case "barWipe" where subtype == "fadeOverColor": return "cutThroughBlack"
        case "slideWipe":
            return "slideWipe" + (isReversed ? "Out" : "") + (isToCorner ? "Corner" : "")
        case "pushWipe" where subtype.hasPrefix("comb"): return "pushWipeComb"
        case "barnDoorWipe", "irisWipe": return type + (isReversed ? "In" : "")
        case "miscShapeWipe" where shapes.contains(subtype): return "miscShapeWipe-" + subtype
        default: return type
        }
    }

    private static let shapes: Set<String> = [
        "across", "cornersOut", "cornersIn", "leftToRight", "topToBottom", "topRight", "bottomRight", "bottomLeft",
        "topCenter",
    ]

    /// The directions in which subtypes move; of those to a corner it is the part to the side.
    private static let directions: [String: SlideDirection] = [
        "leftToRight": .right, "topToBottom": .down, "fromLeft": .right, "fromRight": .left, "fromTop": .down,
        "fromBottom": .up, "fromTopLeft": .right, "fromBottomLeft": .right, "fromTopRight": .left,
        "fromBottomRight": .left, "left": .right, "right": .left, "top": .down, "bottom": .up, "topLeft": .right,
        "horizontalLeft": .right, "horizontalRight": .left,
    ]

    /// The axes along which subtypes move both ways: horizontal slats and doors move up and down.
    private static let axes: [String: Orientation] = [
        "horizontal": .vertical, "vertical": .horizontal, "combHorizontal": .vertical, "combVertical": .horizontal,
        "across": .vertical, "down": .horizontal,
    ]

    /// A style of OpenOffice, such as "move-from-left" or "open-vertical" (ODF 1.2 19.492). Its name in the table is without
    /// its direction.
    private static func older(_ style: String, _ seconds: Rational?) -> NamedTransition? {
        if style == "none" { return nil }
        var words = style.split(separator: "-").map(String.init)
        var named = NamedTransition(name: style, duration: seconds)
        for word in words {
            // "from-upperleft" moves to the right, and "to-left" to the left.
            let side = word.replacing("upper", with: "").replacing("lower", with: "")
            guard let direction = directions[side], words.count > 1 else { continue }
            named.direction = words.contains("to") ? direction.opposite : direction
            words.removeAll { $0 == word }
        }
        for (word, axis) in [("horizontal", Orientation.vertical), ("vertical", .horizontal)] where words.contains(word)
        {
            if named.direction == nil { named.axis = axis }
            words.removeAll { $0 == word }
        }
        named.name = "odf-" + words.joined(separator: "-")
        return named
    }

    /// The seconds after which a page with this style is followed by the next one by itself (ODF 1.2, 20.223 and 20.227);
    /// nil if it isn't, or after more than a day.
    static func stay(_ element: XMLElement) -> Rational? {
        guard element.attribute("transition-type", in: presentation) == "automatic",
            var text = element.attribute("duration", in: presentation).map({ $0[...] }), text.hasPrefix("PT")
        else { return nil }
        // A duration of XML Schema (part 2, 3.2.6): hours, minutes and seconds, as in PT00H01M06.5S.
        text = text.dropFirst(2)
        var seconds = 0.0
        for (unit, length) in [("H", 3600.0), ("M", 60), ("S", 1)] {
            guard let end = text.firstIndex(of: Character(unit)) else { continue }
            guard let value = Double(text[..<end]), value >= 0 else { return nil }
            seconds += value * length
            text = text[text.index(after: end)...]
        }
        guard text.isEmpty, seconds > 0, seconds <= 86_400 else { return nil }
        return Rational(Int((seconds * 1000).rounded()), 1000)
    }

    /// The duration of a filter, or the one that LibreOffice writes into PDF files for the style's speed, to which the
    /// standard gives none.
    private static func seconds(_ element: XMLElement) -> Rational? {
        if let text = element.attribute("dur", in: smil), text.hasSuffix("s"), let value = Double(text.dropLast()),
            value > 0, value <= 60
        {
            return Rational(Int((value * 1000).rounded()), 1000)
        }
        switch element.attribute("transition-speed", in: presentation) {
        case "slow": return Rational(3, 2)
        case "medium": return Rational(4, 5)
        case "fast": return Rational(3, 10)
        default: return nil
        }
    }
}

extension SlideDirection {
    fileprivate var opposite: SlideDirection {
        switch self {
        case .left: .right
        case .right: .left
        case .up: .down
        case .down: .up
        }
    }
}

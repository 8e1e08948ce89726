/// The options of a look, with the names that users type as raw values. The command line, transition specs and plugins
/// set looks through `set(_:to:)`, so that values are parsed and rejected in one place.
public enum LookOption: String, CaseIterable, Sendable {
    case direction
    case orientation
    case reverse
    case mode
    case creases
    case easing
    case shutter
    case perspective
    case viewpoint
    case spine
    case bend
    case shadow
    case shadowStrength = "shadow-strength"
    case shadowColor = "shadow-color"
    case cornerRadius = "corner-radius"
    case pullBack = "pull-back"
    case through
    case radius
    case angle
    case paper
    case paperOpacity = "paper-opacity"
    case strips
    case stagger
    case softness

    /// All that is known of the option; help, parsing, JSON and the plugins' parameters follow from it.
    private var row: LookOptionRow {
        switch self {
        case .direction: .word(\.direction, "Which way it runs")
        case .orientation: .word(\.orientation, "The axis of the motion")
        case .reverse: .flag(\.reverse, "The page goes away from the viewer")
        case .mode:
            .word(
                \.mode,
                "fold: the next picture lies flat beside it, or at a right angle; curl: a sheet, or a book's page; "
                    + "slide: the next picture moves in, or this one off")
        case .creases: .count(\.creases, 1...16, "Creases of the accordion", unit: "creases")
        case .easing: .easing(\.easing, "How time becomes progress: page-turn, ease-in-out, cubic-out ...")
        case .shutter:
            .number(
                \.shutter, 0...360,
                "Motion blur: how long each frame is exposed, as a shutter's angle; 0 for none, 180 as in film",
                unit: "degrees", accepts: "0...360 degrees")
        case .perspective:
            .number(
                \.perspective, 0...1000, leastPositive: StyledLook.leastHeight, "Height of the camera",
                unit: "page lengths", accepts: "0 for none, or 0.1...1000 page lengths", hostScale: .strength)
        case .viewpoint:
            .point(
                \.viewpoint, -4...5, "The camera's position over the frame", unit: "fractions of the frame",
                accepts: "x,y as fractions of the frame, -4...5")
        case .spine:
            .number(
                \.spine, 0.05...0.95, "Position of the spine", unit: "fractions of the frame",
                accepts: "0.05...0.95 of the frame")
        case .bend: .number(\.bend, 0...0.8, "How much the turning page bends; 0 for a board")
        case .shadow: .word(\.shadow, "How pages are shaded")
        case .shadowStrength: .number(\.shadowStrength, 0...3, "Multiplies every shade")
        case .shadowColor: .color(\.shadowColor, "The color that shades blend to")
        case .cornerRadius:
            .number(
                \.cornerRadius, 0...8192, "Radius of the page's outer corners", unit: "luma pixels",
                accepts: "0...8192 luma pixels", hostScale: .halfShorterSide)
        case .pullBack:
            .number(
                \.pullBack, 0.05...1, "The scale in the middle, as the camera steps back; 1 for no step",
                accepts: "0.5...1, card 0.05...1")
        case .through: .color(\.through, "The color in the middle")
        case .radius:
            .number(
                \.radius, 0.01...0.5, "Radius over which the sheet bends", unit: "page lengths",
                accepts: "0.01...0.5 page lengths")
        case .angle:
            .number(
                \.angle, -60...60, "Angle at which the sheet leaves; a positive one lifts the lower corner first",
                unit: "degrees", accepts: "-60...60 degrees")
        case .paper: .color(\.paper, "The color of the sheet's back")
        case .paperOpacity: .number(\.paperOpacity, 0...1, "How much of the picture the paper hides on the back")
        case .strips: .count(\.strips, 2...64, "Slats of the blinds", unit: "slats")
        case .stagger:
            .number(
                \.stagger, 0...4, "How much later the last slat begins than the first; 0 for all at once",
                unit: "durations of a slat's turn", accepts: "0...4 durations of a slat's turn")
        case .softness:
            .number(
                \.softness, 0...1, "Width of the edge, over which one picture fades into the other; 0 for a sharp one",
                unit: "fractions of the frame", accepts: "0...1 of the frame")
        }
    }

    /// The kind of value that an option takes. The range is that of a number, or of each coordinate of a point.
    package enum Kind: Sendable, Equatable {
        case word([String])
        case flag
        case number(ClosedRange<Double>)
        case wholeNumber(ClosedRange<Double>)
        /// An x and a y.
        case point(ClosedRange<Double>)
        case color
        case easing
    }

    /// How plugins, whose numbers are 0...1, show an option that is a number.
    package enum HostScale: Sendable {
        /// Linear, from the smallest value to the largest.
        case linear
        /// The reciprocal, relative to the style's own value: 0.5 leaves it unchanged, 1 halves it, 0 means 0.
        case strength
        /// Fractions of half the frame's shorter side.
        case halfShorterSide
    }

    package var kind: Kind { row.kind }
    package var hostScale: HostScale { row.hostScale }

    /// What the option does, as one line of help.
    package var summary: String { row.summary }

    /// The unit of the option's numbers; nil if it takes no numbers, or plain factors.
    package var unit: String? { row.unit }

    /// The values that the option accepts, as shown in help and errors.
    package var acceptedValues: String { row.acceptedValues }

    /// The words that `style` accepts of those that the option has; nil if the option takes no words, or all of them.
    package func words(for style: any TransitionStyle) -> [String]? {
        switch self {
        case .shadow: style.shadows.map(\.rawValue)
        case .mode where !style.modes.isEmpty: style.modes.map(\.rawValue)
        default: nil
        }
    }

    /// What the option's values are for `style`.
    package func kind(for style: any TransitionStyle) -> Kind {
        self == .pullBack ? .number(style.pullBackRange) : kind
    }

    /// The values that the option accepts for `style`, as shown in help and errors.
    package func acceptedValues(for style: any TransitionStyle) -> String {
        if let words = words(for: style) { return words.joined(separator: "|") }
        return switch self {
        case .pullBack: style.pullBackRange.text
        case .perspective where style.leastPerspective > StyledLook.leastHeight:
            "0 for none, or \(style.leastPerspective)...1000 page lengths"
        default: acceptedValues
        }
    }

    /// Parses `text` and sets this option of `look` to the result.
    package func set(_ look: inout Look, to text: String) throws(OptionError) {
        if try row.set(&look, to: text) { return }
        throw OptionError("invalid \(rawValue) '\(text)' (expected \(acceptedValues))")
    }

    /// The option's value in `look`, in the form that `set` parses.
    package func value(in look: Look) -> String { row.value(in: look) }

    /// The option's value in `look`; nil if it is not a point.
    package func point(in look: Look) -> Viewpoint? {
        if case .point(let path, _) = row.storage { look[keyPath: path] } else { nil }
    }

    /// The option's value in `look`; nil if it is not a color.
    package func color(in look: Look) -> Color? {
        if case .color(let path) = row.storage { look[keyPath: path] } else { nil }
    }
}

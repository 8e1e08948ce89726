/// The options of a look, with the names that users type as raw values. The command line, transition specs and plugins
/// set looks through `set(_:to:)`, so that values are parsed and rejected in one place.
public enum LookOption: String, CaseIterable, Sendable {
    case direction
    case orientation
    case reverse
    case mode
    case creases
    case easing
    case perspective
    case viewpoint
    case spine
    case shadow
    case shadowStrength = "shadow-strength"
    case shadowColor = "shadow-color"
    case cornerRadius = "corner-radius"
    case pullBack = "pull-back"

    /// What the option does, as one line of help.
    package var summary: String {
        switch self {
        case .direction: "Which way it runs"
        case .orientation: "The axis of the motion"
        case .reverse: "The page goes away from the viewer"
        case .mode: "The next picture lies flat beside the fold, or stands at a right angle to it"
        case .creases: "Creases of the accordion"
        case .easing: "How time becomes progress: page-turn, ease-in-out, cubic-out ..."
        case .perspective: "Height of the camera"
        case .viewpoint: "The camera's position over the frame"
        case .spine: "Position of the spine"
        case .shadow: "How pages are shaded"
        case .shadowStrength: "Multiplies every shade"
        case .shadowColor: "The color that shades blend to"
        case .cornerRadius: "Radius of the page's outer corners"
        case .pullBack: "The card's scale at the middle of the turn"
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

    package var kind: Kind {
        switch self {
        case .direction: .word(Direction.allCases.map(\.rawValue))
        case .orientation: .word(Orientation.allCases.map(\.rawValue))
        case .reverse: .flag
        case .mode: .word(FoldMode.allCases.map(\.rawValue))
        case .creases: .wholeNumber(1...16)
        case .easing: .easing
        case .perspective: .number(0...1000)
        case .viewpoint: .point(-4...5)
        case .spine: .number(0.05...0.95)
        case .shadow: .word(Shadow.allCases.map(\.rawValue))
        case .shadowStrength: .number(0...3)
        case .shadowColor: .color
        case .cornerRadius: .number(0...8192)
        case .pullBack: .number(0.05...1)
        }
    }

    /// The values that the option accepts, as shown in help and errors.
    package var acceptedValues: String {
        switch self {
        case .direction: words
        case .orientation: words
        case .reverse: "true|false"
        case .mode: words
        case .creases: "1...16"
        case .easing: "a name or a CSS easing function"
        case .perspective: "0 for none, or 0.1...1000 page lengths"
        case .viewpoint: "x,y as fractions of the frame, -4...5"
        case .spine: "0.05...0.95 of the frame"
        case .shadow: words
        case .shadowStrength: "0...3"
        case .shadowColor: "a CSS color name or #rrggbb"
        case .cornerRadius: "0...8192 luma pixels"
        case .pullBack: "0.05...1"
        }
    }

    /// Parses `text` and sets this option of `look` to the result.
    package func set(_ look: inout Look, to text: String) throws(OptionError) {
        switch self {
        case .direction: look.direction = try word(text)
        case .orientation: look.orientation = try word(text)
        case .reverse: look.reverse = try flag(text)
        case .mode: look.mode = try word(text)
        case .creases: look.creases = Int(try number(text))
        case .easing: look.easing = try Easing(parsing: text)
        case .perspective:
            let value = try number(text)
            if value != 0 && value < 0.1 { throw invalid(text) }
            look.perspective = value
        case .viewpoint: look.viewpoint = try point(text)
        case .spine: look.spine = try number(text)
        case .shadow: look.shadow = try word(text)
        case .shadowStrength: look.shadowStrength = try number(text)
        case .shadowColor: look.shadowColor = try Color(parsing: text)
        case .cornerRadius: look.cornerRadius = try number(text)
        case .pullBack: look.pullBack = try number(text)
        }
    }

    /// The option's value in `look`, in the form that `set` parses.
    package func value(in look: Look) -> String {
        switch self {
        case .direction: look.direction.rawValue
        case .orientation: look.orientation.rawValue
        case .reverse: String(look.reverse)
        case .mode: look.mode.rawValue
        case .creases: String(look.creases)
        case .easing: look.easing.name
        case .perspective: String(look.perspective)
        case .viewpoint: "\(look.viewpoint.x),\(look.viewpoint.y)"
        case .spine: String(look.spine)
        case .shadow: look.shadow.rawValue
        case .shadowStrength: String(look.shadowStrength)
        case .shadowColor: look.shadowColor.description
        case .cornerRadius: String(look.cornerRadius)
        case .pullBack: String(look.pullBack)
        }
    }

    private var words: String {
        guard case .word(let words) = kind else { return "" }
        return words.joined(separator: "|")
    }

    private func invalid(_ text: String) -> OptionError {
        OptionError("invalid \(rawValue) '\(text)' (expected \(acceptedValues))")
    }

    private func word<Word: RawRepresentable<String>>(_ text: String) throws(OptionError) -> Word {
        guard let word = Word(rawValue: text) else { throw invalid(text) }
        return word
    }

    private func flag(_ text: String) throws(OptionError) -> Bool {
        switch text {
        case "true", "yes", "1", "": true
        case "false", "no", "0": false
        default: throw invalid(text)
        }
    }

    private func number(_ text: String) throws(OptionError) -> Double {
        let value = Double(finite: text)
        switch kind {
        case .number(let range), .point(let range):
            if let value, range.contains(value) { return value }
        case .wholeNumber(let range):
            if let value, range.contains(value), value == value.rounded() { return value }
        case .word, .flag, .color, .easing: break
        }
        throw invalid(text)
    }

    private func point(_ text: String) throws(OptionError) -> Viewpoint {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw invalid(text) }
        let x = try number(String(parts[0]))
        let y = try number(String(parts[1]))
        return Viewpoint(x: x, y: y)
    }
}

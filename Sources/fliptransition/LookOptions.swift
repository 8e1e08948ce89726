import ArgumentParser
import FlipGeometry
import FlipRender

/// How the transitions look. Values are read by `LookOption`, which knows their laws.
struct LookOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The transition: \(Styles.all.map(\.name).joined(separator: ", ")).", valueName: "name"))
    var style: String?
    @Option(help: ArgumentHelp("A named look: \(Looks.all.map(\.name).joined(separator: ", ")).", valueName: "name"))
    var look: String?
    @Option(help: ArgumentHelp("forward or backward.", valueName: "way"))
    var direction: String?
    @Option(help: ArgumentHelp("horizontal or vertical.", valueName: "axis"))
    var orientation: String?
    @Flag(help: "flip: the page goes away from the viewer.")
    var reverse = false
    @Option(help: ArgumentHelp("fold: normal or cubic.", valueName: "mode"))
    var mode: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("fold: creases of the accordion, 1...16.", valueName: "n"))
    var creases: String?
    @Option(help: ArgumentHelp("ease-in-out, page-turn, cubic-out ... or a CSS function.", valueName: "easing"))
    var easing: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Camera height in page lengths; 0 is none.", valueName: "p"))
    var perspective: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Camera over this part of the frame.", valueName: "x,y"))
    var viewpoint: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("flip: place of the spine, 0.05...0.95.", valueName: "s"))
    var spine: String?
    @Option(help: ArgumentHelp("crease, edge, solid, cast, gradient or none.", valueName: "shadow"))
    var shadow: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("Multiplies every shade, 0...3.", valueName: "s"))
    var shadowStrength: String?
    @Option(help: ArgumentHelp("What shades blend to: a CSS name or #rrggbb.", valueName: "color"))
    var shadowColor: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("card, spine-fold: rounded corners.", valueName: "px"))
    var cornerRadius: String?
    @Option(parsing: .unconditional, help: ArgumentHelp("card: scale at the middle of the turn.", valueName: "k"))
    var pullBack: String?

    /// The options that were given, in the order of the catalogue.
    private var given: [(option: LookOption, value: String)] {
        LookOption.allCases.compactMap { option in
            value(of: option).map { (option, $0) }
        }
    }

    private func value(of option: LookOption) -> String? {
        switch option {
        case .direction: direction
        case .orientation: orientation
        case .reverse: reverse ? "true" : nil
        case .mode: mode
        case .creases: creases
        case .easing: easing
        case .perspective: perspective
        case .viewpoint: viewpoint
        case .spine: spine
        case .shadow: shadow
        case .shadowStrength: shadowStrength
        case .shadowColor: shadowColor
        case .cornerRadius: cornerRadius
        case .pullBack: pullBack
        }
    }

    /// The look that these options ask for.
    func styledLook() throws(OptionError) -> StyledLook {
        try StyledLook(style: style, look: look, options: given)
    }

    /// The first option that was given, as the user typed it.
    var firstGiven: String? {
        if style != nil { return "--style" }
        if look != nil { return "--look" }
        return given.first.map { "--" + $0.option.rawValue }
    }
}

/// How long transitions last, and each join's own.
struct TimingOptions: ParsableArguments {
    @Option(parsing: .unconditional, help: ArgumentHelp("0.6, 600ms or 18f (frames).", valueName: "time"))
    var duration = "0.6"
    @Option(help: ArgumentHelp("play both clips during a transition, or freeze them.", valueName: "play|freeze"))
    var overlap = "play"
    @Option(
        help: ArgumentHelp(
            "One join's own: fold=mode=cubic:duration=1, or cut; repeat for each join.", valueName: "spec"))
    var transition: [String] = []

    /// The transitions, from their own specs or one from `look`.
    func transitions(_ look: LookOptions) throws(OptionError) -> [TransitionSpec] {
        let duration = try TransitionDuration(parsing: duration)
        let overlap = try TransitionSpec.Overlap(parsing: overlap)
        if transition.isEmpty {
            return [TransitionSpec(look: try look.styledLook(), duration: duration, overlap: overlap)]
        }
        if let option = look.firstGiven {
            throw OptionError("\(option) can't stand beside --transition (write it into the transition's spec)")
        }
        var specs: [TransitionSpec] = []
        for text in transition {
            specs.append(try TransitionSpec(parsing: text, duration: duration, overlap: overlap))
        }
        return specs
    }
}

import ArgumentParser
import FlipGeometry
import FlipRender

/// How the transitions look. `LookOption` parses the values and knows their ranges.
struct LookOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The transition: \(Styles.all.map(\.name).joined(separator: ", ")).", valueName: "name"),
        completion: .list(Styles.all.map(\.name)))
    var style: String?
    @Option(
        help: ArgumentHelp("A named look: \(Looks.all.map(\.name).joined(separator: ", ")).", valueName: "name"),
        completion: .list(Looks.all.map(\.name)))
    var look: String?
    @Option(help: LookOptions.help(.direction, "way"), completion: .list(["forward", "backward"]))
    var direction: String?
    @Option(help: LookOptions.help(.orientation, "axis"), completion: .list(["horizontal", "vertical"]))
    var orientation: String?
    @Flag(help: ArgumentHelp("\(LookOptions.summary(.reverse))."))
    var reverse = false
    @Option(help: LookOptions.help(.mode, "mode"), completion: .list(["normal", "cubic"]))
    var mode: String?
    @Option(parsing: .unconditional, help: LookOptions.help(.creases, "n"))
    var creases: String?
    @Option(help: LookOptions.help(.easing, "easing"))
    var easing: String?
    @Option(parsing: .unconditional, help: LookOptions.help(.perspective, "p"))
    var perspective: String?
    @Option(parsing: .unconditional, help: LookOptions.help(.viewpoint, "x,y"))
    var viewpoint: String?
    @Option(parsing: .unconditional, help: LookOptions.help(.spine, "s"))
    var spine: String?
    @Option(help: LookOptions.help(.shadow, "shadow"))
    var shadow: String?
    @Option(parsing: .unconditional, help: LookOptions.help(.shadowStrength, "s"))
    var shadowStrength: String?
    @Option(help: LookOptions.help(.shadowColor, "color"))
    var shadowColor: String?
    @Option(parsing: .unconditional, help: LookOptions.help(.cornerRadius, "px"))
    var cornerRadius: String?
    @Option(parsing: .unconditional, help: LookOptions.help(.pullBack, "k"))
    var pullBack: String?

    private static func help(_ option: LookOption, _ valueName: String) -> ArgumentHelp {
        ArgumentHelp("\(summary(option)) (\(option.law)).", valueName: valueName)
    }

    /// What the option does, after the names of the styles that have it if these are a minority.
    private static func summary(_ option: LookOption) -> String {
        let owners = Styles.all.filter { $0.options.contains(option) }.map(\.name)
        return (owners.count * 2 < Styles.all.count ? owners.joined(separator: ", ") + ": " : "") + option.summary
    }

    /// The options that were given, in the order of `LookOption.allCases`.
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

/// How long transitions last, and the transitions of individual joins.
struct TimingOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long transitions last: 0.6 (default), 600ms or 18f (frames).", valueName: "time"))
    var duration: String?
    @Option(
        help: ArgumentHelp(
            "Play both clips during a transition (default), or freeze them.", valueName: "play|freeze"),
        completion: .list(["play", "freeze"]))
    var overlap: String?
    @Option(
        help: ArgumentHelp(
            "The transition of one join: fold=mode=cubic:duration=1, or cut; give it once per join.", valueName: "spec")
    )
    var transition: [String] = []

    /// The first option that was given, as the user typed it.
    var firstGiven: String? {
        if duration != nil { return "--duration" }
        if overlap != nil { return "--overlap" }
        return transition.isEmpty ? nil : "--transition"
    }

    /// The transitions: those given with `--transition`, or else a single one with `look`.
    func transitions(_ look: LookOptions) throws(OptionError) -> [TransitionSpec] {
        let duration = try TransitionDuration(parsing: duration ?? "0.6")
        let overlap = try TransitionSpec.Overlap(parsing: overlap ?? "play")
        if transition.isEmpty {
            return [TransitionSpec(look: try look.styledLook(), duration: duration, overlap: overlap)]
        }
        if let option = look.firstGiven {
            throw OptionError("\(option) can't be combined with --transition (write it into the transition's spec)")
        }
        var specs: [TransitionSpec] = []
        for text in transition {
            specs.append(try TransitionSpec(parsing: text, duration: duration, overlap: overlap))
        }
        return specs
    }
}

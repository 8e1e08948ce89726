import ArgumentParser
import FlipGeometry
import FlipRender

/// How the transitions look. `LookOption` parses the values and knows their ranges.
struct LookOptions: ParsableArguments {
    @Option(
        // More names than fit a line, so they are separated by spaces, too.
        help: .option(
            "The transition.", values: Styles.all.map(\.name).joined(separator: ", "), default: Styles.all[0].name,
            "name"), completion: .styles)
    var style: String?
    @Option(
        // They are too many for a screen of help.
        help: .option("A named look; 'fliptransition styles' lists them.", values: "desk, magazine, book ...", "name"),
        completion: .looks)
    var look: String?
    @Option(help: .look(.direction, "way"), completion: .values(of: .direction))
    var direction: String?
    @Option(help: .look(.orientation, "axis"), completion: .values(of: .orientation))
    var orientation: String?
    @Flag(help: .look(.reverse, nil))
    var reverse = false
    @Option(help: .look(.mode, "mode"), completion: .values(of: .mode))
    var mode: String?
    @Option(parsing: .unconditional, help: .look(.creases, "n"))
    var creases: String?
    @Option(help: .look(.easing, "easing"), completion: .values(of: .easing))
    var easing: String?
    @Option(parsing: .unconditional, help: .look(.shutter, "degrees"))
    var shutter: String?
    @Option(parsing: .unconditional, help: .look(.perspective, "p"))
    var perspective: String?
    @Option(parsing: .unconditional, help: .look(.viewpoint, "x,y"))
    var viewpoint: String?
    @Option(parsing: .unconditional, help: .look(.spine, "s"))
    var spine: String?
    @Option(parsing: .unconditional, help: .look(.bend, "b"))
    var bend: String?
    @Option(help: .look(.shadow, "shadow"), completion: .values(of: .shadow))
    var shadow: String?
    @Option(parsing: .unconditional, help: .look(.shadowStrength, "s"))
    var shadowStrength: String?
    @Option(help: .look(.shadowColor, "color"), completion: .values(of: .shadowColor))
    var shadowColor: String?
    @Option(parsing: .unconditional, help: .look(.cornerRadius, "px"))
    var cornerRadius: String?
    @Option(parsing: .unconditional, help: .look(.pullBack, "k"))
    var pullBack: String?
    @Option(parsing: .unconditional, help: .look(.radius, "r"))
    var radius: String?
    @Option(parsing: .unconditional, help: .look(.angle, "degrees"))
    var angle: String?
    @Option(help: .look(.paper, "color"), completion: .values(of: .paper))
    var paper: String?
    @Option(parsing: .unconditional, help: .look(.paperOpacity, "o"))
    var paperOpacity: String?
    @Option(parsing: .unconditional, help: .look(.strips, "n"))
    var strips: String?
    @Option(parsing: .unconditional, help: .look(.stagger, "s"))
    var stagger: String?
    @Option(parsing: .unconditional, help: .look(.softness, "s"))
    var softness: String?
    @Option(help: .look(.through, "color"), completion: .values(of: .through))
    var through: String?

    /// The look that these options ask for.
    func styledLook() throws(OptionError) -> StyledLook {
        let options = given.compactMap { name, value in LookOption(rawValue: name).map { (option: $0, value: value) } }
        return try StyledLook(style: style, look: look, options: options)
    }

    /// The transition with this look, which follows the gesture in the file `gesture` if that is not nil.
    func spec(
        gesture: String?, duration: TransitionDuration? = nil, overlap: TransitionSpec.Overlap?
    ) throws(OptionError) -> TransitionSpec {
        var spec = TransitionSpec(look: try styledLook(), duration: duration, overlap: overlap)
        guard let gesture else { return spec }
        if easing != nil { throw OptionError("--gesture takes the place of --easing (give one of them)") }
        try spec.follow(gesture: gesture)
        return spec
    }
}

/// How long transitions last, and the transitions of individual joins.
struct TimingOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .option("How long transitions last.", values: "0.6, 600ms or 18f", default: "0.6", "time"))
    var duration: String?
    @Option(help: .gesture, completion: .file(extensions: ["json"]))
    var gesture: String?
    @Option(
        help: .detail(
            "Play both clips during a transition, freeze them, or show what lies outside their parts. The default between "
                + "the parts of a cut list is handles.",
            values: "play|freeze|handles", default: "play", "mode"),
        completion: .words("play|freeze|handles"))
    var overlap: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "Cut where one of the clips is shown for less than this.", values: "1.5, 500ms, 18f or 0", default: "0",
            "time"))
    var cutBelow: String?
    @Option(
        help: .detail(
            "A sound whose mark falls on the first frame after the transition. A file's mark is the time after @, or "
                + "its loudest moment.",
            values: "FILE|FILE@SECONDS|page|leaf|board|none", default: "none", "sound"), completion: .file())
    var sound: String?
    @Option(parsing: .unconditional, help: .detail("Gain of that sound.", values: "-60...20 dB", default: "0", "dB"))
    var soundGain: String?
    @Option(help: .transition, completion: .specs)
    var transition: [String] = []

    /// The transitions: those given with `--transition`, or else a single one with `look`.
    func transitions(_ look: LookOptions) throws(OptionError) -> [TransitionSpec] {
        let duration = try duration.map { text throws(OptionError) in try TransitionDuration(parsing: text) }
        let overlap: TransitionSpec.Overlap? = try overlap.map { text throws(OptionError) in
            try OutputValue.word("overlap", text)
        }
        let sound = try transitionSound()
        if transition.isEmpty {
            var spec = try look.spec(gesture: gesture, duration: duration, overlap: overlap)
            spec.sound = sound
            return [spec]
        }
        if let option = look.firstGiven {
            throw OptionError("\(option) can't be combined with --transition (write it into the transition's spec)")
        }
        var specs: [TransitionSpec] = []
        for text in transition {
            specs.append(
                try TransitionSpec(parsing: text, duration: duration, overlap: overlap, sound: sound, gesture: gesture))
        }
        return specs
    }

    /// The least time that both clips of a join are shown for if there is a transition; nil for no such limit.
    func leastTime() throws(OptionError) -> TransitionDuration? {
        guard let cutBelow else { return nil }
        return try TransitionDuration.orNone(parsing: cutBelow, of: "cut-below")
    }

    /// The sound of all transitions that have none of their own.
    private func transitionSound() throws(OptionError) -> TransitionSound? {
        var sound: TransitionSound?
        if let text = self.sound { sound = try TransitionSound.parsing(text) }
        guard let soundGain else { return sound }
        sound?.gain = try OutputValue.number("sound-gain", soundGain, in: TransitionSound.gains)
        guard sound != nil else { throw OptionError("--sound-gain has no effect by itself (give --sound)") }
        return sound
    }
}

extension ArgumentHelp {
    /// The help of an option of looks: what the catalogue says of it, and its default if all styles have the same one.
    fileprivate static func look(_ option: LookOption, _ valueName: String?, isDetail: Bool = true) -> ArgumentHelp {
        let owners = Styles.all.filter { $0.options.contains(option) }
        // Styles are named if they are a minority.
        let names = owners.count * 2 < Styles.all.count ? owners.map(\.name).joined(separator: ", ") + ": " : ""
        let defaults = Set(owners.map { option.value(in: $0.defaults) })
        let isFlag = option.kind == .flag
        let standard = isFlag ? nil : defaults.count == 1 ? defaults.first : "the style's"
        let make = isDetail ? detail : self.option
        // Some summaries end with an ellipsis.
        let period = option.summary.hasSuffix(".") ? "" : "."
        return make("\(names)\(option.summary)\(period)", isFlag ? nil : option.acceptedValues, standard, valueName)
    }

    static var gesture: ArgumentHelp {
        detail(
            "A movement recorded with preview, in place of the easing; without a duration, it lasts as long.", "file")
    }

    static let transition = option(
        "One join's transition: fold=mode=cubic:duration=1, or cut. Give it once per join.", "spec")
}

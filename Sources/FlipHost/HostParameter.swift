import FlipGeometry

/// A plugin parameter as hosts show and animate it. `HostParameter.all` is made from `LookOption`, so that a new option
/// becomes a parameter of every plugin.
package struct HostParameter: Sendable {
    /// What a parameter controls.
    package enum Role: Sendable, Equatable {
        /// The transition's progress before easing, 0...1.
        case progress
        /// When the transition begins on the host's clock, and how long it lasts, if the clock sets the progress.
        case offset, duration
        /// The picture's own width in pixels, if frames are padded on the right.
        case width
        case style, look
        case option(LookOption)
        /// One coordinate of an option that is a point.
        case coordinate(LookOption, isX: Bool)
        case background
        case backgroundOpacity
        /// Whether the transition begins with the host's second picture.
        case swap
        /// The number of host frames in 1000 s of the host's clock, which starts with the transition.
        case rate
        /// The transition's first and last frame on the host's timeline, under the names by which MLT sets them anyway.
        case firstFrame, lastFrame
    }

    /// The value of a parameter; its case is the parameter's kind.
    package enum Value: Sendable, Equatable {
        case flag(Bool)
        /// A number in 0...1, as hosts require; only `rate`, `in` and `out` may be larger.
        case number(Double)
        /// A color, whose alpha is ignored.
        case color(Color)
        /// A text; empty means the style's own value, or none.
        case text(String)
    }

    /// The name that hosts and users type.
    package let name: String
    /// One line for the host's help that says what the values mean.
    package let explanation: String
    package let initial: Value
    package let role: Role
    /// The texts to choose from; empty if there is no list.
    package let choices: [String]

    private init(_ name: String, _ explanation: String, _ initial: Value, _ role: Role, choices: [String] = []) {
        (self.name, self.explanation, self.initial, self.role) = (name, explanation, initial, role)
        self.choices = choices
    }

    /// Whether the parameter only affects `HostSettings.progress(at:)`, so that a change needs no new `HostTransition`.
    package var changesAllTheTime: Bool { [.progress, .rate, .firstFrame, .lastFrame].contains(role) }

    /// All parameters in the order of their indices: those in `order`, then new ones.
    package static let all: [HostParameter] = {
        let catalogue = timing + choosing + LookOption.allCases.flatMap(parameters) + behind + wiring
        let listed = order.compactMap { name in catalogue.first { $0.name == name } }
        return listed + catalogue.filter { !order.contains($0.name) }
    }()

    /// The parameters' names in the order of their indices. It never changes, because ffmpeg's `filter_params` and
    /// saved filter graphs depend on it: new names are appended, and none is moved or removed.
    private static let order = [
        "progress", "offset", "duration", "width", "style", "look", "direction", "orientation", "reverse", "mode",
        "creases", "easing", "perspective", "viewpoint-x", "viewpoint-y", "spine", "shadow", "shadow-strength",
        "shadow-color", "corner-radius", "pull-back", "background", "background-opacity", "swap", "rate", "in", "out",
        "through", "radius", "angle", "paper", "paper-opacity", "strips", "stagger", "softness", "bend",
        "shutter",
    ]

    private static let timing = [
        HostParameter(
            "progress", "How far the transition is, before easing: 0 is the first picture, 1 the second. Animate it.",
            .number(0), .progress),
        HostParameter(
            "offset", "When it begins by the host's clock, where duration is given: 2.5, 2500ms", .text(""), .offset),
        HostParameter(
            "duration",
            "How long it lasts by the host's clock, which sets the progress then: 0.6, 600ms; empty to "
                + "animate progress", .text(""), .duration),
        HostParameter(
            "width", "The picture's width in pixels, where frames are padded on the right; empty where they are not",
            .text(""), .width),
    ]

    private static let choosing = [
        HostParameter(
            "style", "The transition: " + Styles.all.map(\.name).joined(separator: ", "), .text(Styles.all[0].name),
            .style, choices: Styles.all.map(\.name)),
        HostParameter(
            "look", "A named look, whose style wins: " + Looks.all.map(\.name).joined(separator: ", "),
            .text(""), .look, choices: Looks.all.map(\.name)),
    ]

    private static let behind = [
        HostParameter("background", "What shows where no page is", .color(.black), .background),
        HostParameter(
            "background-opacity", "How opaque the background is: 0 is transparent", .number(1), .backgroundOpacity),
    ]

    private static let wiring = [
        HostParameter(
            "swap",
            "Turn the host's second picture into its first. On tracks the first is the lower one: set this where the clip "
                + "that ends lies on the upper track", .flag(false), .swap),
        HostParameter(
            "rate",
            "Frames in 1000 s, as MLT reads 00:16:40.000: lets the frames between in and out set the progress; 0 to "
                + "animate it", .number(0), .rate),
        HostParameter("in", "The first frame on the timeline, which MLT says by itself", .number(0), .firstFrame),
        HostParameter("out", "The last frame on the timeline, which MLT says by itself", .number(0), .lastFrame),
    ]

    /// The end of an explanation of a text that may be left out.
    static let emptyIsOwn = "; empty is the style's own"

    private static func parameters(_ option: LookOption) -> [HostParameter] {
        let owners = Styles.all.filter { $0.options.contains(option) }
        let summary =
            owners.count == Styles.all.count
            ? option.summary : option.summary + " (" + owners.map(\.name).joined(separator: ", ") + ")"
        let standard = option.defaultNumber
        switch option.kind {
        case .word(let words):
            let list = words.joined(separator: ", ")
            return [
                HostParameter(
                    option.rawValue, "\(summary): \(list)\(emptyIsOwn)", .text(""), .option(option), choices: words)
            ]
        case .easing:
            return [
                HostParameter(
                    option.rawValue, "\(summary), or a CSS easing function\(emptyIsOwn)", .text(""),
                    .option(option), choices: Easing.named.map(\.name))
            ]
        case .flag: return [HostParameter(option.rawValue, summary, .flag(false), .option(option))]
        case .color:
            let initial = option.color(in: Look()) ?? .black
            return [HostParameter(option.rawValue, summary, .color(initial), .option(option))]
        case .number, .wholeNumber:
            let scale = NumberScale(option)
            return [
                HostParameter(
                    option.rawValue, "\(summary): \(scale.meaning)", .number(scale.initial(standard)), .option(option))
            ]
        case .point(let range):
            return [true, false].map { isX in
                let initial = option.point(in: Look()).map { isX ? $0.x : $0.y } ?? 0
                let middle = (initial - range.lowerBound) / (range.upperBound - range.lowerBound)
                return HostParameter(
                    option.rawValue + (isX ? "-x" : "-y"),
                    "\(summary), \(isX ? "across" : "down"): 0...1 is \(range.text) "
                        + "of the frame", .number(middle), .coordinate(option, isX: isX))
            }
        }
    }
}

extension LookOption {
    /// The value of a numeric option before any style changes it.
    fileprivate var defaultNumber: Double { Double(value(in: Look())) ?? 0 }
}

import FlipGeometry
import FlipMedia
import FlipRender

/// How one clip is joined to the next: a style with its look, or a hard cut.
public struct Transition: Sendable, CustomStringConvertible {
    /// How long a transition lasts, greater than 0 and at most a day; shortened where the clips have too few frames.
    public enum Length: Sendable, Hashable {
        /// Time, to the nearest frame of the output and at least one.
        case time(Duration)
        /// Frames of the output, 1...10 000 000.
        case frames(Int)

        /// 0.6 s.
        public static let standard = Length.time(.milliseconds(600))
    }

    /// Whether the clips run during a transition.
    public enum Overlap: String, Sendable, Hashable, CaseIterable {
        /// Both clips run; the output is shorter by the transition's length.
        case play
        /// The last frame of the one and the first of the other are held; nothing of either clip is spent.
        case freeze
    }

    let spec: TransitionSpec

    /// A hard cut.
    public static let cut = Transition(spec: TransitionSpec(look: nil))

    private init(spec: TransitionSpec) { self.spec = spec }

    /// A transition in `style`, one of the catalogue or your own, that differs from the style's defaults by `settings`.
    ///
    /// Throws `FlipError` of kind `usage` where a value is outside its range, where an option means nothing for the style, and
    /// where two exclude each other.
    public init(
        _ style: any TransitionStyle = Styles.flip, _ settings: LookSetting..., length: Length = .standard,
        overlap: Overlap = .play
    ) throws {
        try self.init(style, settings: settings, length: length, overlap: overlap)
    }

    /// The same with the settings in an array.
    public init(
        _ style: any TransitionStyle, settings: [LookSetting], length: Length = .standard, overlap: Overlap = .play
    ) throws {
        spec = try FlipError.mapping {
            let look = try StyledLook(style: style, options: settings.map { ($0.option, $0.value) })
            try look.checkDefaults()
            return TransitionSpec(look: look, duration: try TransitionDuration(length), overlap: .init(overlap))
        }
    }

    /// A transition written as on the command line: `fold=mode=cubic:duration=1:easing=cubic-out`, `flip=look=paper`, `cut`.
    ///
    /// - Parameters:
    ///   - text: the style, and after `=` its options with `:` between them.
    ///   - styles: those that have a name; add your own to `Styles.all`, and it is known by it here.
    ///   - length: how long it lasts, where the text doesn't say.
    ///   - overlap: whether the clips run meanwhile, where the text doesn't say.
    /// - Throws: `FlipError` of kind `usage`, for names that nothing has as well.
    public init(
        parsing text: String, styles: [any TransitionStyle] = Styles.all, length: Length = .standard,
        overlap: Overlap = .play
    ) throws {
        spec = try FlipError.mapping {
            let spec = try TransitionSpec(
                parsing: text, styles: styles, duration: try TransitionDuration(length), overlap: .init(overlap))
            try spec.look?.checkDefaults()
            return spec
        }
    }

    /// Whether it is a hard cut.
    public var isCut: Bool { spec.look == nil }

    /// The style and each option that differs from its default, as `init(parsing:)` reads them; `cut`.
    public var description: String { spec.look?.description ?? "cut" }

    /// Its progress, 0...1, at `time`, 0...1, by its easing; of a cut, 0 before the end.
    public func progress(at time: Double) -> Double { spec.look?.look.easing(time) ?? (time < 1 ? 0 : 1) }
}

extension StyledLook {
    /// Throws where a style of somebody else's begins with a look outside the options' laws.
    fileprivate func checkDefaults() throws(OptionError) {
        var copy = look
        for option in LookOption.allCases where option != .easing {
            do {
                try option.set(&copy, to: option.value(in: look))
            } catch {
                throw OptionError("style \(style.name) can't be used: \(error.description)")
            }
        }
    }
}

extension TransitionDuration {
    fileprivate init(_ length: Transition.Length) throws {
        switch length {
        case .frames(let count):
            guard (1...10_000_000).contains(count) else {
                throw FlipError(.usage, "invalid length of \(count) frames (expected 1...10000000)")
            }
            self = .frames(count)
        case .time(let time):
            guard time > .zero, time <= .seconds(86400) else {
                throw FlipError(.usage, "invalid length \(time) (expected more than 0, at most a day)")
            }
            self = .seconds(Rational(time))
        }
    }
}

extension TransitionSpec.Overlap {
    fileprivate init(_ overlap: Transition.Overlap) {
        switch overlap {
        case .play: self = .play
        case .freeze: self = .freeze
        }
    }
}

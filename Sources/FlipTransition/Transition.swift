import FlipBase
import FlipGeometry
import FlipRender

/// How one clip is joined to the next: a style with its look, or a hard cut.
public struct Transition: Sendable, CustomStringConvertible {
    /// How long a transition lasts, greater than 0 and at most a day. It is shortened if the clips have too few frames.
    public enum Length: Sendable, Hashable {
        /// A duration, rounded to whole frames of the output, at least one.
        case time(Duration)
        /// A number of output frames, 1...10 000 000.
        case frames(Int)

        /// The default, 0.6 s.
        public static let standard = Length.time(.milliseconds(600))
    }

    /// Whether the clips run during a transition.
    public enum Overlap: String, Sendable, Hashable, CaseIterable {
        /// Both clips run; the output is shorter by the transition's length.
        case play
        /// The outgoing clip's last frame and the incoming clip's first frame are held; the transition uses up no other
        /// frames.
        case freeze
        /// Both clips run, and show what lies outside the parts that are used, as far as their files have it: half of
        /// the transition each. The output is shorter only by what they lack of that.
        case handles
    }

    /// A short sound on a transition. Its marked moment falls on the landing frame, the first one after the overlap.
    public struct Sound: Sendable, Hashable {
        var sound: TransitionSound

        /// The sound of a turning page that the program makes after the transition's movement; its mark is where the page lands.
        public static let page = Sound(sound: TransitionSound(.made(.page)))
        /// The same of a large, soft leaf.
        public static let leaf = Sound(sound: TransitionSound(.made(.leaf)))
        /// The same of a book's cover.
        public static let board = Sound(sound: TransitionSound(.made(.board)))

        /// The audio file at `path`, of at most a minute.
        /// - Parameter mark: the marked moment, from the sound's start; nil for its loudest sample.
        public static func file(_ path: String, mark: Duration? = nil) -> Sound {
            Sound(sound: TransitionSound(.file(path), mark: mark.map { Rational($0) }))
        }

        /// The gain in dB, -60...20.
        public var gain: Double {
            get { sound.gain }
            set { sound.gain = newValue }
        }
    }

    private(set) var spec: TransitionSpec

    /// The sound that is heard as the page lands; nil for none. A hard cut has none.
    public var sound: Sound? {
        get { spec.sound.map(Sound.init(sound:)) }
        set { spec.sound = newValue?.sound }
    }

    /// A hard cut.
    public static let cut = Transition(spec: TransitionSpec(look: nil))

    private init(spec: TransitionSpec) { self.spec = spec }

    /// A transition in `style`, one of the catalog or your own, with the style's defaults except for `settings`.
    ///
    /// Throws `FlipError` of kind `usage` if a value is outside its range, if an option does not apply to the style, or
    /// if two options exclude each other.
    public init(
        _ style: any TransitionStyle = Styles.flip, _ settings: LookSetting..., length: Length = .standard,
        overlap: Overlap = .play
    ) throws {
        try self.init(style, settings: settings, length: length, overlap: overlap)
    }

    /// A transition in `style`, with the style's defaults except for the `settings` in an array.
    public init(
        _ style: any TransitionStyle, settings: [LookSetting], length: Length = .standard, overlap: Overlap = .play
    ) throws {
        spec = try FlipError.mapping {
            let look = try StyledLook(style: style, options: settings.map { ($0.option, $0.value) })
            try look.checkDefaults()
            return TransitionSpec(
                look: look, duration: try TransitionDuration(length), overlap: .init(rawValue: overlap.rawValue))
        }
    }

    /// A transition written as on the command line: `fold=mode=cubic:duration=1:easing=cubic-out`, `flip=look=paper` or
    /// `cut`.
    ///
    /// - Parameters:
    ///   - text: the style, and after `=` its options separated by `:`.
    ///   - styles: the styles that `text` can name; append your own to `Styles.all` to include them.
    ///   - length: how long the transition lasts if `text` doesn't say.
    ///   - overlap: whether the clips run during the transition if `text` doesn't say.
    /// - Throws: `FlipError` of kind `usage`, also for unknown names.
    public init(
        parsing text: String, styles: [any TransitionStyle] = Styles.all, length: Length = .standard,
        overlap: Overlap = .play
    ) throws {
        spec = try FlipError.mapping {
            let spec = try TransitionSpec(
                parsing: text, styles: styles, duration: try TransitionDuration(length),
                overlap: .init(rawValue: overlap.rawValue))
            try spec.look?.checkDefaults()
            return spec
        }
    }

    /// Whether the transition is a hard cut.
    public var isCut: Bool { spec.look == nil }

    /// The style and each option that differs from its default, in the form that `init(parsing:)` reads, or `cut`.
    public var description: String { spec.look?.description ?? "cut" }

    /// The progress after easing, 0...1, at `time`, 0...1; for a cut it is 0 before the end.
    public func progress(at time: Double) -> Double { isCut ? (time < 1 ? 0 : 1) : spec.progress(at: time) }
}

extension Transition {
    /// The transition as the renderer takes it. Throws if a value of its sound is outside its range.
    func checkedSpec() throws -> TransitionSpec {
        if let sound = spec.sound {
            guard TransitionSound.gains.contains(sound.gain) else {
                throw FlipError(.usage, "invalid gain of \(sound.gain) dB (expected \(TransitionSound.gains))")
            }
            guard sound.mark ?? .zero >= .zero else {
                throw FlipError(.usage, "invalid mark \(sound.text ?? "") (expected a time from the sound's start)")
            }
        }
        return spec
    }
}

extension TransitionDuration {
    init(_ length: Transition.Length) throws {
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

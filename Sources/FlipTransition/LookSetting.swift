import FlipGeometry

/// A choice that differs from a style's defaults: `.mode(.cubic)`, `.easing("cubic-out")`.
///
/// Values are checked where a `Transition` is made of them.
public struct LookSetting: Sendable, Hashable {
    /// The option that is set.
    public let option: LookOption
    /// Its value, as the command line writes it.
    public let value: String

    /// Any option with its value in words, as `fliptransition styles` lists them.
    public init(_ option: LookOption, _ value: String) {
        self.option = option
        self.value = value
    }

    /// Which way it runs along the motion axis.
    public static func direction(_ direction: Direction) -> LookSetting { LookSetting(.direction, direction.rawValue) }

    /// The axis of the motion.
    public static func orientation(_ orientation: Orientation) -> LookSetting {
        LookSetting(.orientation, orientation.rawValue)
    }

    /// Whether the page goes away from the viewer (flip).
    public static func reverse(_ isReverse: Bool = true) -> LookSetting { LookSetting(.reverse, String(isReverse)) }

    /// How the next picture meets the fold (fold, unfold).
    public static func mode(_ mode: FoldMode) -> LookSetting { LookSetting(.mode, mode.rawValue) }

    /// Creases of the accordion, 1...16 (fold, unfold).
    public static func creases(_ count: Int) -> LookSetting { LookSetting(.creases, String(count)) }

    /// How time becomes progress: a name such as `page-turn` or `cubic-out`, or a CSS easing function.
    public static func easing(_ easing: String) -> LookSetting { LookSetting(.easing, easing) }

    /// Height of the camera in page lengths: 0 for no perspective, or 0.1...1000.
    public static func perspective(_ height: Double) -> LookSetting { LookSetting(.perspective, String(height)) }

    /// The camera's place over the frame, in fractions of its width and height, each -4...5.
    public static func viewpoint(x: Double, y: Double) -> LookSetting { LookSetting(.viewpoint, "\(x),\(y)") }

    /// Where the spine lies along the motion axis, as a fraction of the frame, 0.05...0.95 (flip).
    public static func spine(_ place: Double) -> LookSetting { LookSetting(.spine, String(place)) }

    /// How pages are shaded.
    public static func shadow(_ shadow: Shadow) -> LookSetting { LookSetting(.shadow, shadow.rawValue) }

    /// Multiplies every shade, 0...3.
    public static func shadowStrength(_ strength: Double) -> LookSetting {
        LookSetting(.shadowStrength, String(strength))
    }

    /// What shades blend to.
    public static func shadowColor(_ color: Color) -> LookSetting { LookSetting(.shadowColor, color.description) }

    /// Radius of the page's outer corners in luma pixels, 0...8192 (card, spine-fold).
    public static func cornerRadius(_ radius: Double) -> LookSetting { LookSetting(.cornerRadius, String(radius)) }

    /// The card's scale at the middle of the turn, 0.05...1 (card).
    public static func pullBack(_ scale: Double) -> LookSetting { LookSetting(.pullBack, String(scale)) }
}

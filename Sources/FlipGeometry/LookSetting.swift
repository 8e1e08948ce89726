/// A value for one option of a style, instead of the default: `.mode(.cubic)`, `.easing("cubic-out")`.
///
/// Values are checked when a transition is made from them.
public struct LookSetting: Sendable, Hashable {
    /// The option to set.
    public let option: LookOption
    /// The option's value, as written on the command line.
    public let value: String

    /// Any option with its value as text; `fliptransition styles` lists both.
    public init(_ option: LookOption, _ value: String) { (self.option, self.value) = (option, value) }

    /// Which way the motion runs along its axis.
    public static func direction(_ direction: Direction) -> LookSetting { LookSetting(.direction, direction.rawValue) }

    /// The axis of the motion.
    public static func orientation(_ orientation: Orientation) -> LookSetting {
        LookSetting(.orientation, orientation.rawValue)
    }

    /// Whether the page turns away from the viewer (flip).
    public static func reverse(_ isReverse: Bool = true) -> LookSetting { LookSetting(.reverse, String(isReverse)) }

    /// The variant of the style: normal or cubic (fold, unfold), peel or book (curl), cover or uncover
    /// (slide).
    public static func mode(_ mode: Mode) -> LookSetting { LookSetting(.mode, mode.rawValue) }

    /// The number of creases of the accordion, 1...16 (fold, unfold).
    public static func creases(_ count: Int) -> LookSetting { LookSetting(.creases, String(count)) }

    /// How time is mapped to progress: a name such as `page-turn` or `cubic-out`, or a CSS easing function.
    public static func easing(_ easing: String) -> LookSetting { LookSetting(.easing, easing) }

    /// How long each frame is exposed, in degrees of the time from one frame to the next, 0...360; 0 for no motion blur.
    public static func shutter(_ degrees: Double) -> LookSetting { LookSetting(.shutter, String(degrees)) }

    /// The camera's height above the screen in page lengths, 0.1...1000; or 0 for no perspective.
    public static func perspective(_ height: Double) -> LookSetting { LookSetting(.perspective, String(height)) }

    /// The point of the screen below the camera, in fractions of the frame's width and height, each -4...5.
    public static func viewpoint(x: Double, y: Double) -> LookSetting { LookSetting(.viewpoint, "\(x),\(y)") }

    /// Where the spine lies along the motion axis, as a fraction of the frame, 0.05...0.95 (flip, curl).
    public static func spine(_ position: Double) -> LookSetting { LookSetting(.spine, String(position)) }

    /// How much the turning page bends, 0...0.8 (flip).
    public static func bend(_ amount: Double) -> LookSetting { LookSetting(.bend, String(amount)) }

    /// How pages are shaded.
    public static func shadow(_ shadow: Shadow) -> LookSetting { LookSetting(.shadow, shadow.rawValue) }

    /// The factor by which every shade is multiplied, 0...3.
    public static func shadowStrength(_ strength: Double) -> LookSetting {
        LookSetting(.shadowStrength, String(strength))
    }

    /// The color that shades blend toward.
    public static func shadowColor(_ color: Color) -> LookSetting { LookSetting(.shadowColor, color.description) }

    /// The radius of the page's outer corners in luma pixels, 0...8192 (card, spine-fold).
    public static func cornerRadius(_ radius: Double) -> LookSetting { LookSetting(.cornerRadius, String(radius)) }

    /// The scale in the middle of the transition, as the camera steps back, 0.5...1 (card: 0.05...1).
    public static func pullBack(_ scale: Double) -> LookSetting { LookSetting(.pullBack, String(scale)) }

    /// The color in the middle (dip).
    public static func through(_ color: Color) -> LookSetting { LookSetting(.through, color.description) }

    /// The radius over which the sheet bends, in page lengths, 0.01...0.5 (curl).
    public static func radius(_ radius: Double) -> LookSetting { LookSetting(.radius, String(radius)) }

    /// The angle at which the sheet leaves, in degrees, -60...60; a positive one lifts the lower corner first (curl).
    public static func angle(_ degrees: Double) -> LookSetting { LookSetting(.angle, String(degrees)) }

    /// The color of the sheet's back (curl).
    public static func paper(_ color: Color) -> LookSetting { LookSetting(.paper, color.description) }

    /// The number of slats, 2...64 (blinds).
    public static func strips(_ count: Int) -> LookSetting { LookSetting(.strips, String(count)) }

    /// How much later the last slat begins than the first, in durations of a slat's turn, 0...4 (blinds).
    public static func stagger(_ turns: Double) -> LookSetting { LookSetting(.stagger, String(turns)) }

    /// The width of the edge as a fraction of the frame, 0...1 (wipe).
    public static func softness(_ width: Double) -> LookSetting { LookSetting(.softness, String(width)) }

    /// How much of the picture the paper hides on the sheet's back, 0...1 (curl).
    public static func paperOpacity(_ opacity: Double) -> LookSetting { LookSetting(.paperOpacity, String(opacity)) }
}

/// How a transition looks: every option of EFFECTS, whatever the style. `TransitionStyle.options` says which of
/// them mean something for a style; `TransitionStyle.defaults` gives their defaults.
public struct Look: Sendable, Equatable {
    /// Which way the motion runs; `backward` mirrors the geometry along the motion axis, not the pictures.
    public var direction = Direction.forward
    /// The axis of the motion: `horizontal` moves along x about an axis parallel to y.
    public var orientation = Orientation.horizontal
    /// flip: the page goes away from the viewer.
    public var reverse = false
    /// fold, unfold: whether the sleeves lie flat or stand at a right angle to the fold.
    public var mode = FoldMode.normal
    /// fold, unfold: creases of the accordion, 1...16.
    public var creases = 1
    /// Turns time into progress.
    public var easing = Easing.linear
    /// The camera's height in page lengths; 0 is no perspective, otherwise greater than 0.
    public var perspective = 14.0 / 3.0
    /// The camera's foot point in fractions of the frame's width and height, -4...5.
    public var viewpoint = Viewpoint(x: 0.5, y: 0.5)
    /// flip: where the spine lies along the motion axis, as a fraction 0.05...0.95 of the frame.
    public var spine = 0.5
    /// How pages are shaded.
    public var shadow = Shadow.crease
    /// Multiplies every shade, 0...3; shades are clamped to 0...1 afterwards.
    public var shadowStrength = 1.0
    /// What shades blend to.
    public var shadowColor = Color.black
    /// card, spine-fold: radius of the page's outer corners in luma pixels, 0...8192.
    public var cornerRadius = 0.0
    /// card: the card's scale at the middle of the turn, greater than 0, up to 1.
    public var pullBack = 0.85

    /// What no style and no option has changed.
    public init() {}
}

/// Which way along the motion axis a transition runs.
public enum Direction: String, CaseIterable, Sendable {
    case forward, backward
}

/// The axis of the motion.
public enum Orientation: String, CaseIterable, Sendable {
    case horizontal, vertical
}

/// How the incoming picture's sleeves meet the fold (EFFECTS 4).
public enum FoldMode: String, CaseIterable, Sendable {
    case normal, cubic
}

/// How pages are shaded (EFFECTS 3 to 6).
public enum Shadow: String, CaseIterable, Sendable {
    case crease, edge, solid, cast, gradient, none
}

/// The camera's foot point, in fractions of the frame's width and height.
public struct Viewpoint: Sendable, Equatable {
    /// Of the width, -4...5.
    public var x: Double
    /// Of the height, -4...5.
    public var y: Double

    /// The point `x` of the width to the right and `y` of the height down.
    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

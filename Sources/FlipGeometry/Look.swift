/// How a transition looks: all options of EFFECTS, for every style. `TransitionStyle.options` lists those that apply to
/// a style; `TransitionStyle.defaults` has their defaults.
public struct Look: Sendable, Equatable {
    /// Which way the motion runs; `backward` mirrors the geometry along the motion axis, but not the pictures.
    public var direction = Direction.forward
    /// The axis of the motion: `horizontal` moves along x about an axis parallel to y.
    public var orientation = Orientation.horizontal
    /// flip: whether the page turns away from the viewer.
    public var reverse = false
    /// The variant of the style: `normal` and `cubic` of fold and unfold, `peel` and `book` of curl, `cover` and
    /// `uncover` of slide.
    public var mode = Mode.normal
    /// fold, unfold: the number of creases of the accordion, 1...16.
    public var creases = 1
    /// Maps time to progress.
    public var easing = Easing.linear
    /// How long each frame of the overlap is exposed, in degrees of the time from one frame to the next, 0...360; 0 for a
    /// moment.
    public var shutter = 0.0
    /// The camera's height above the screen in page lengths, greater than 0; or 0 for no perspective.
    public var perspective = 14.0 / 3.0
    /// The point of the screen below the camera, in fractions of the frame's width and height, each -4...5.
    public var viewpoint = Viewpoint(x: 0.5, y: 0.5)
    /// flip, and curl in mode book: where the spine lies along the motion axis, as a fraction 0.05...0.95 of the frame.
    public var spine = 0.5
    /// flip: how much the turning page bends, 0...0.8: how long the spine's turn begins after that of the free edge, as a part
    /// of the transition.
    public var bend = 0.0
    /// How pages are shaded.
    public var shadow = Shadow.crease
    /// The factor by which every shade is multiplied, 0...3; the products are clamped to 0...1.
    public var shadowStrength = 1.0
    /// The color that shades blend toward.
    public var shadowColor = Color.black
    /// card, spine-fold: the radius of the page's outer corners in luma pixels, 0...8192; at most half the frame's shorter side
    /// counts.
    public var cornerRadius = 0.0
    /// The scene's scale in the middle of the transition, as the camera steps back: 0.5...1; 1, the default of most
    /// styles, for no step. The card's own is 0.05...1.
    public var pullBack = 0.85
    /// dip: the color in the middle.
    public var through = Color.black
    /// curl: the radius over which the sheet bends, in page lengths, 0.01...0.5.
    public var radius = 0.12
    /// curl: the angle between the direction in which the sheet leaves and the motion axis, in degrees, -60...60. A
    /// positive one lifts the lower corner first.
    public var angle = 20.0
    /// curl in mode peel: the color of the sheet's back.
    public var paper = Color(red: 245.0 / 255, green: 245.0 / 255, blue: 245.0 / 255)
    /// blinds: the number of slats, 2...64.
    public var strips = 8
    /// blinds: how many times as long as a slat's turn it takes until the last slat begins, 0...4.
    public var stagger = 1.0
    /// curl in mode peel: how much of the picture the paper hides on the back, 0...1.
    public var paperOpacity = 0.8
    /// wipe: the width of the edge, over which one picture fades into the other, as a fraction 0...1 of the frame.
    public var softness = 0.1

    /// The look before any style or option changes it.
    public init() {}

    /// The viewpoint's place along the motion, as a fraction of the frame.
    var viewpointAlong: Double { orientation == .horizontal ? viewpoint.x : viewpoint.y }

    /// Takes the shadow of pages that bend, if this one does and has a shadow of those that don't.
    package mutating func shadeAsBent() {
        if bend > 0 && shadow != .none { shadow = .paper }
    }
}

/// Which way along the motion axis a transition runs.
public enum Direction: String, CaseIterable, Sendable {
    case forward, backward
}

/// The axis of the motion.
public enum Orientation: String, CaseIterable, Sendable {
    case horizontal, vertical
}

/// The variants of styles.
public enum Mode: String, CaseIterable, Sendable {
    /// fold, unfold: the incoming picture's sleeves lie flat beside the fold (EFFECTS 4).
    case normal
    /// fold, unfold: the sleeves stand at a right angle to the fold.
    case cubic
    /// curl: the whole sheet leaves, and the next picture lies beneath it (EFFECTS 7).
    case peel
    /// curl: the part beyond the spine turns over, and its back shows a part of the next picture.
    case book
    /// slide: the next picture moves in over this one (EFFECTS 11).
    case cover
    /// slide: this picture moves off the next one.
    case uncover
}

/// How pages are shaded (EFFECTS 3 to 7).
public enum Shadow: String, CaseIterable, Sendable {
    case crease, edge, solid, cast, gradient, paper, none
}

/// The point of the screen below the camera, in fractions of the frame's width and height.
public struct Viewpoint: Sendable, Equatable {
    /// The distance from the left edge in frame widths, -4...5.
    public var x: Double
    /// The distance from the top edge in frame heights, -4...5.
    public var y: Double

    /// The point that is `x` frame widths from the left edge and `y` frame heights from the top edge.
    public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
}

/// One of the two pictures of a transition.
public enum Picture: Sendable, Equatable {
    /// A, the picture that leaves.
    case outgoing
    /// B, the picture that arrives.
    case incoming
}

/// The straight line `constant + slope * s`.
public struct Line: Sendable, Equatable {
    /// The value at `s` = 0.
    public var constant: Double
    /// The change of the value per unit of `s`.
    public var slope: Double

    /// The line `constant + slope * s`.
    public init(constant: Double, slope: Double) {
        self.constant = constant
        self.slope = slope
    }

    /// The line through `value` at `s`, with the given slope.
    public init(through value: Double, at s: Double, slope: Double) {
        self.init(constant: value - slope * s, slope: slope)
    }

    /// The value at `s`.
    public func callAsFunction(_ s: Double) -> Double { constant + slope * s }
}

/// A flat piece of one picture in space: the part `cut` of the texture along the motion axis, at its full extent
/// across, turned about an axis perpendicular to the motion. Lengths are in luma pixels.
///
/// The texture point (s, v) lies at `position(s)` along the motion axis, at `height(s)` above the screen, and at
/// `middle + acrossScale * (v - middle)` across, where `middle` is half the scene's breadth.
public struct Panel: Sendable, Equatable {
    /// The picture that the panel is cut from.
    public var picture: Picture
    /// The range of texture coordinates along the motion axis, not empty.
    public var cut: ClosedRange<Double>
    /// Maps a texture coordinate to its position along the motion axis.
    public var position: Line
    /// Maps a texture coordinate to its height above the screen, positive toward the viewer.
    public var height: Line
    /// The scale across the motion, greater than 0.
    public var acrossScale: Double
    /// How much of the shadow color covers the panel.
    public var shade: Shade
    /// A panel of higher rank hides one of lower rank, whatever their heights; among equal ranks the higher panel wins.
    public var rank: Int
    /// The radii of the rounded corners at the two ends of the cut, in luma pixels of the texture; 0 is square.
    public var cornerRadius: (lower: Double, upper: Double)

    /// A panel with these properties. By default it lies on the screen at scale 1, unshaded, with square corners.
    public init(
        _ picture: Picture, cut: ClosedRange<Double>, position: Line, height: Line = Line(constant: 0, slope: 0),
        acrossScale: Double = 1, shade: Shade = .none, rank: Int = 0,
        cornerRadius: (lower: Double, upper: Double) = (0, 0)
    ) {
        self.picture = picture
        self.cut = cut
        self.position = position
        self.height = height
        self.acrossScale = acrossScale
        self.shade = shade
        self.rank = rank
        self.cornerRadius = cornerRadius
    }

    /// Whether all properties are equal.
    public static func == (left: Panel, right: Panel) -> Bool {
        left.picture == right.picture && left.cut == right.cut && left.position == right.position
            && left.height == right.height && left.acrossScale == right.acrossScale && left.shade == right.shade
            && left.rank == right.rank && left.cornerRadius == right.cornerRadius
    }

    /// The part `cut` of a picture in its own place: flat on the screen, at scale 1.
    public static func flat(_ picture: Picture, cut: ClosedRange<Double>, shade: Shade = .none) -> Panel {
        Panel(picture, cut: cut, position: Line(constant: 0, slope: 1), shade: shade)
    }

    /// Whether every sample of the panel appears at its own place in the picture, and no rounded corner cuts any off.
    public var isFlat: Bool {
        position.constant == 0 && position.slope == 1 && height.constant == 0 && height.slope == 0 && acrossScale == 1
            && cornerRadius == (0, 0)
    }
}

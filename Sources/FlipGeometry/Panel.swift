/// One of the two pictures of a transition.
public enum Picture: Sendable, Equatable {
    /// A, the picture that leaves.
    case outgoing
    /// B, the picture that arrives.
    case incoming
}

/// The straight line `constant + slope * s`.
public struct Line: Sendable, Equatable {
    /// The value at 0.
    public var constant: Double
    /// What it rises by in 1.
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

/// A flat piece of one picture in space: the part `cut` of the texture along the motion axis, all of it across,
/// turned about an axis that runs across the motion. Lengths are luma pixels.
///
/// The texture point (s, v) stands at `position(s)` along the motion axis, at `height(s)` above the screen, and at
/// `middle + acrossScale * (v - middle)` across, where `middle` is half the scene's breadth.
public struct Panel: Sendable, Equatable {
    /// Which picture it is a part of.
    public var picture: Picture
    /// The part of the texture along the motion axis, lower < upper.
    public var cut: ClosedRange<Double>
    /// Where texture coordinates stand along the motion axis.
    public var position: Line
    /// How high they stand above the screen, toward the viewer.
    public var height: Line
    /// Its scale across the motion, greater than 0.
    public var acrossScale: Double
    /// How much of the shadow colour covers it.
    public var shade: Shade
    /// A panel of higher rank hides one of lower rank whatever their heights; equal ranks go by height.
    public var rank: Int
    /// Radius of the rounded corners at the two ends of the cut, in texture pixels; 0 is square.
    public var cornerRadius: (lower: Double, upper: Double)

    /// A panel as the properties describe it; what has a default is flat, square, clear and at scale 1.
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

    /// Whether both are the same panel.
    public static func == (left: Panel, right: Panel) -> Bool {
        left.picture == right.picture && left.cut == right.cut && left.position == right.position
            && left.height == right.height && left.acrossScale == right.acrossScale && left.shade == right.shade
            && left.rank == right.rank && left.cornerRadius == right.cornerRadius
    }

    /// The part `cut` of a picture where it lies in that picture: flat on the screen, at scale 1.
    public static func flat(_ picture: Picture, cut: ClosedRange<Double>, shade: Shade = .none) -> Panel {
        Panel(picture, cut: cut, position: Line(constant: 0, slope: 1), shade: shade)
    }

    /// Whether every sample of the panel shows where it lies in its picture, none of them cut off by a rounded corner.
    public var isFlat: Bool {
        position.constant == 0 && position.slope == 1 && height.constant == 0 && height.slope == 0 && acrossScale == 1
            && cornerRadius == (0, 0)
    }
}

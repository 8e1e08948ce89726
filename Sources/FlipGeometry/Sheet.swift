/// One of the two pictures of a transition.
public enum Picture: Sendable, Equatable, BitwiseCopyable {
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
    public init(constant: Double, slope: Double) { (self.constant, self.slope) = (constant, slope) }

    /// The line through `value` at `s`, with the given slope.
    public init(through value: Double, at s: Double, slope: Double) {
        self.init(constant: value - slope * s, slope: slope)
    }

    /// The value at `s`.
    public func callAsFunction(_ s: Double) -> Double { constant + slope * s }
}

/// A rectangle cut out of a picture, in space: flat on the screen, turned, or bent. Lengths are in luma pixels.
///
/// A sheet shows the part `cut` of its picture along the motion axis, and `acrossCut` across it.
public struct Sheet: Sendable, Equatable {
    /// What the back of a sheet shows.
    public enum Back: Sendable, Equatable {
        /// The front's picture as a mirror image, seen through paper of this color and opacity (0...1).
        case paper(Color, opacity: Double)
        /// Another picture, printed so that it is upright once the sheet has turned over about the line `along` =
        /// `spine`: behind the sheet's point (s, v) lies the picture's point (2 `spine` - s, v).
        case picture(Picture, spine: Double)
    }

    /// Where a sheet is in space.
    public enum Placement: Sendable, Equatable {
        /// In a plane.
        case plane(Plane)
        /// Bent over a cylinder.
        case bent(Bend)
        /// Bound at a spine, and bent as it turns about it.
        case leaf(Leaf)
    }

    /// The picture on the front.
    public var picture: Picture
    /// What the back shows; by default the front's picture, as a mirror image.
    public var back: Back
    /// The range of texture coordinates along the motion axis, not empty.
    public var cut: ClosedRange<Double>
    /// The range of texture coordinates across the motion axis; nil for the picture's full extent.
    public var acrossCut: ClosedRange<Double>?
    /// Where the sheet is in space.
    public var placement: Placement
    /// How much of the shadow color covers a sheet in a plane. A bent sheet has light of its own.
    public var shade: Shade
    /// A sheet of higher rank hides one of lower rank, whatever their heights; among equal ranks the higher sheet wins.
    public var rank: Int
    /// The radii of the rounded corners at the two ends of the cut, in luma pixels of the texture; 0 is square. A bent
    /// sheet's are square.
    public var cornerRadius: (lower: Double, upper: Double)

    /// A sheet in a plane. By default it lies on the screen at scale 1, unshaded, with square corners.
    public init(
        _ picture: Picture, cut: ClosedRange<Double>, position: Line = Line(constant: 0, slope: 1),
        height: Line = Line(constant: 0, slope: 0), acrossScale: Double = 1, shade: Shade = .none, rank: Int = 0,
        cornerRadius: (lower: Double, upper: Double) = (0, 0)
    ) {
        (self.picture, self.cut) = (picture, cut)
        back = .paper(.white, opacity: 0)
        placement = .plane(Plane(position: position, height: height, acrossScale: acrossScale))
        (self.shade, self.rank, self.cornerRadius) = (shade, rank, cornerRadius)
    }

    /// A sheet in `plane`.
    public init(_ picture: Picture, cut: ClosedRange<Double>, on plane: Plane, rank: Int = 0) {
        self.init(picture, cut: cut, rank: rank)
        placement = .plane(plane)
    }

    /// A bent sheet.
    public init(_ picture: Picture, back: Back, cut: ClosedRange<Double>, bent bend: Bend) {
        self.init(picture, cut: cut, rank: 1)
        self.back = back
        placement = .bent(bend)
    }

    /// A leaf that turns about its spine, on whose back another picture is printed. Before it is mirrored, the leaf's spine is at
    /// `cut.lowerBound` of the front's texture, and at the mirror image of that in `spine` of the back's.
    public init(_ picture: Picture, back: Picture, cut: ClosedRange<Double>, spine: Double, leaf: Leaf) {
        self.init(picture, cut: cut, rank: 1)
        self.back = .picture(back, spine: spine)
        placement = .leaf(leaf)
    }

    /// Whether all properties are equal.
    public static func == (left: Sheet, right: Sheet) -> Bool {
        left.picture == right.picture && left.back == right.back && left.cut == right.cut
            && left.placement == right.placement && left.shade == right.shade && left.rank == right.rank
            && left.acrossCut == right.acrossCut && left.cornerRadius == right.cornerRadius
    }

    /// The part `cut` of a picture in its own place: flat on the screen, at scale 1.
    public static func flat(_ picture: Picture, cut: ClosedRange<Double>, shade: Shade = .none) -> Sheet {
        Sheet(picture, cut: cut, shade: shade)
    }

    /// The plane of a sheet that isn't bent.
    public var plane: Plane? {
        if case .plane(let plane) = placement { return plane }
        return nil
    }

    /// How a bent sheet bends.
    public var bend: Bend? {
        if case .bent(let bend) = placement { return bend }
        return nil
    }

    /// How a leaf bends.
    public var leaf: Leaf? {
        if case .leaf(let leaf) = placement { return leaf }
        return nil
    }

    /// Whether every sample of the sheet appears at its own place in the picture, and none is cut off across the motion.
    public var isFlat: Bool { plane == Plane() && cornerRadius == (0, 0) && acrossCut == nil }
}

/// A plane in which a sheet lies, turned about an axis across the motion.
///
/// The texture point (s, v) lies at `position(s)` along the motion axis, at `height(s)` above the screen, and at
/// `middle + acrossScale * (v - middle)` across, where `middle` is half the scene's breadth. Lengths are in luma pixels.
public struct Plane: Sendable, Equatable {
    /// Maps a texture coordinate to its position along the motion axis.
    public var position: Line
    /// Maps a texture coordinate to its height above the screen, positive toward the viewer.
    public var height: Line
    /// The scale across the motion, greater than 0.
    public var acrossScale: Double

    /// A plane with these properties; by default the screen.
    public init(
        position: Line = Line(constant: 0, slope: 1), height: Line = Line(constant: 0, slope: 0),
        acrossScale: Double = 1
    ) {
        (self.position, self.height, self.acrossScale) = (position, height, acrossScale)
    }
}

import RealModule

/// How a leaf that is bound at its spine bends as it turns (EFFECTS 13).
///
/// The leaf is an arc of a circle, or a plane where both of its angles are equal. Its point at distance d from the spine has the
/// direction `angles.first` + d (`angles.last` - `angles.first`) / `length`, measured from the direction in which the leaf lies on
/// the screen before it turns.
public struct Leaf: Sendable, Equatable {
    /// The spine's position along the motion, in luma pixels.
    public var spine: Double
    /// The leaf's length, in luma pixels, greater than 0.
    public var length: Double
    /// Where the leaf lies before it turns: 1 beyond the spine, -1 before it.
    public var side = 1.0
    /// The directions of the leaf at the spine and at its free edge, in radians; 0 <= first <= last <= pi.
    public var angles: (first: Double, last: Double)
    /// The factor of the light and the shadows, 0...3; 0 for none.
    public var strength: Double

    /// The scale at which the leaf is seen.
    package private(set) var scale = 1.0
    /// What is drawn of the light.
    package var light = Scene.LightPart.all

    /// A leaf with these properties, which lies beyond the spine before it turns.
    public init(spine: Double, length: Double, angles: (first: Double, last: Double), strength: Double) {
        (self.spine, self.length, self.angles, self.strength) = (spine, length, angles, strength)
    }

    /// Whether all properties are equal.
    public static func == (left: Leaf, right: Leaf) -> Bool {
        left.spine == right.spine && left.length == right.length && left.side == right.side
            && left.angles == right.angles && left.strength == right.strength && left.scale == right.scale
            && left.light == right.light
    }

    /// The leaf's point at `distance` from the spine, 0...`length`: its distance from the spine along the screen, and its height.
    package func point(at distance: Double) -> (distance: Double, height: Double) {
        let half = (angles.last - angles.first) / length * distance / 2
        let chord = half < 1e-8 ? distance : distance * Double.sin(half) / half
        let angle = angles.first + half
        return (chord * Double.cos(angle), chord * Double.sin(angle))
    }

    /// Scales the leaf about the frame's center, which lies at `center` along the motion.
    mutating func scale(by factor: Double, about center: Double) {
        spine = center + factor * (spine - center)
        length *= factor
        scale *= factor
    }

    /// Mirrors the geometry along the motion axis in a scene of `length` luma pixels.
    mutating func mirror(length: Double) {
        spine = length - spine
        side = -side
    }
}

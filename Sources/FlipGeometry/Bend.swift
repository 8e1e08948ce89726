/// How a sheet rolls off the screen over a cylinder (EFFECTS 7).
///
/// The sheet leaves the screen along the *contact line* {q : normal . q = contact}, bends around a cylinder of `radius`
/// whose axis is parallel to that line, and lies flat again, upside down, at height 2 `radius`. Where normal . q is
/// smaller than `contact`, it still lies on the screen. Positions are (along, across) the motion, in luma pixels.
public struct Bend: Sendable, Equatable {
    /// The contact line's unit normal, which points to the part that has left the screen.
    public var normal: SIMD2<Double>
    /// The contact line's distance from the origin along `normal`.
    public var contact: Double
    /// The cylinder's radius, greater than 0.
    public var radius: Double
    /// How far the sheet has left the screen, 0...1, by which the shadows that it casts are multiplied.
    public var lift: Double
    /// The factor of the light and the shadows, 0...3; 0 for none.
    public var strength: Double

    /// The scale at which the sheet is seen: its texture's point q lies at center + `scale` (q - center), where `center`
    /// is the frame's.
    package private(set) var scale = 1.0

    /// What is drawn of the light.
    package var light = Scene.LightPart.all

    /// A bend with these properties.
    public init(normal: SIMD2<Double>, contact: Double, radius: Double, lift: Double, strength: Double) {
        (self.normal, self.contact, self.radius, self.lift) = (normal, contact, radius, lift)
        self.strength = strength
    }

    /// Whether the contact line is perpendicular to the motion.
    package var isStraight: Bool { normal.y == 0 }

    /// Where the place `s` of the texture along the motion lies on the screen, before the sheet bends.
    package func placed(_ s: Double, about center: Double) -> Double { center + scale * (s - center) }

    /// The place of the texture that lies at `position` before the sheet bends.
    package func texture(_ position: Double, about center: Double) -> Double { center + (position - center) / scale }

    /// Scales a straight bend about the frame's center, which lies at `center` along the motion.
    mutating func scale(by factor: Double, about center: Double) {
        contact = factor * contact + (1 - factor) * normal.x * center
        radius *= factor
        scale *= factor
    }

    /// Mirrors the geometry along the motion axis in a scene of `length` luma pixels.
    mutating func mirror(length: Double) {
        // normal . (length - s, v) - contact = (-normal.x, normal.y) . (s, v) - (contact - normal.x length)
        contact -= normal.x * length
        normal.x = -normal.x
    }
}

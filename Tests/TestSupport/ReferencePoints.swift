import FlipGeometry

/// A point of a picture in the position that the definition gives it, on the motion axis (EFFECTS 3 to 6).
package struct ReferencePoint: Sendable {
    /// Whether the picture is A.
    package var isOutgoing: Bool
    /// The coordinate along the motion and the height above the screen, in luma pixels.
    package var along: Double
    package var height: Double
    /// The scale across the motion, about the frame's middle.
    package var acrossScale: Double
    /// The shade including its strength, 0...1.
    package var shade: Double
    /// Whether the point belongs to a page that is drawn over the others regardless of its height.
    package var isOnTop: Bool
}

extension Reference {
    /// The points at which `style` puts the texture coordinate `s` of each picture: one per surface that contains it.
    package static func points(
        style: String, look: Look, progress: Double, length: Double, breadth: Double, texture s: Double
    ) -> [ReferencePoint] {
        let scene = ReferenceScene(style: style, look: look, progress: progress, length: length, breadth: breadth)
        return scene.surfaces.compactMap { surface in
            let d = (s - surface.textureHinge) * surface.textureStep
            guard d >= 0, d <= surface.length else { return nil }
            return ReferencePoint(
                isOutgoing: surface.isOutgoing, along: surface.hinge.m + surface.step.m * d,
                height: surface.hinge.z + surface.step.z * d, acrossScale: surface.acrossScale,
                shade: min(max(surface.shade(d) * look.shadowStrength, 0), 1), isOnTop: surface.isOnTop)
        }
    }

    /// L in the definition: the length that perspective multiplies.
    package static func pageLength(style: String, look: Look, length: Double, breadth: Double) -> Double {
        if style == "curl" {
            return ReferenceCurl(look: look, progress: 0.25, length: length, breadth: breadth).pageLength
        }
        return ReferenceScene(style: style, look: look, progress: 0.25, length: length, breadth: breadth).pageLength
    }
}

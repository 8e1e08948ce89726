import FlipGeometry

/// A sheet that arches over the screen so that what is seen of it depends on the position along the motion alone. It is drawn as any
/// other sheet: its sides are surfaces that are linear across the motion.
///
/// An object stands for one frame after the other. Whoever keeps it keeps it alive; surfaces refer to it.
class ArchedSheet {
    /// The scale at which the sheet is seen.
    var scale: Double { 1 }

    /// The length along the motion, in luma pixels, within which the light may be taken for the one in the middle; nil if there is
    /// no limit.
    var grain: Double? { nil }

    /// The position along the motion, and the height, of a point of the texture on one of the sheet's sides.
    func point(texture s: Double, isBack: Bool) -> (position: Double, height: Double) { (s, 0) }

    /// The point of the texture that is seen at screen position `x` on one of the sides.
    func texture(at x: Double, isBack: Bool) -> Double { x }

    /// The light on the screen position `x`, where something lies flat on the screen: what is beneath the sheet, or the sheet.
    func lightOnFlat(_ x: Double, isBeneath: Bool) -> Light { Light() }

    /// The light on a side of the sheet, at the point of the texture `s` that is seen at screen position `x`. `paper` of
    /// the back is paper.
    func light(texture s: Double, screen x: Double, isBack: Bool, paper: Double) -> Light { Light() }
}

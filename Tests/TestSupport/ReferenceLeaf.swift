import FlipGeometry

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension ReferenceScene {
    /// The pieces into which the reference cuts an arc: chords, so that it needs no inverse of an arc.
    private static let pieces = 240

    /// The flip as one leaf (EFFECTS 13).
    static func leaf(_ look: Look, _ p: Double, _ width: Double) -> ReferenceScene {
        let spine = look.spine * width
        let length = max(spine, width - spine)
        let clamped = { (value: Double) in min(max(value, 0), 1) }
        let f1 = Double.pi * clamped(p / (1 - look.bend))
        let f0 = Double.pi * clamped((p - look.bend) / (1 - look.bend))
        let strength = look.shadow == .paper ? 1.0 : 0

        // The points of the leaf, by adding up short steps in the direction of each place's middle.
        var points = [(x: 0.0, z: 0.0)]
        for index in 0..<pieces {
            let f = f0 + (f1 - f0) * (Double(index) + 0.5) / Double(pieces)
            let angle = (f1 - f0) / Double(pieces) / 2
            let step = length / Double(pieces) * (angle == 0 ? 1 : sin(angle) / angle)
            points.append((points[index].x + step * cos(f), points[index].z + step * sin(f)))
        }
        var surfaces: [Surface] = []
        for index in 0..<pieces {
            let (from, to) = (points[index], points[index + 1])
            let chord = ((to.x - from.x) * (to.x - from.x) + (to.z - from.z) * (to.z - from.z)).squareRoot()
            let start = length * Double(index) / Double(pieces)
            let stretch = length / Double(pieces) / chord
            for isBack in [false, true] {
                let direction = { (d: Double) in f0 + (f1 - f0) * (start + d * stretch) / length }
                let brightness = { (d: Double) in
                    (isBack ? -1 : 1) * (cos(direction(d)) + sin(direction(d)) / 2)
                }
                var piece = Surface(
                    isOutgoing: !isBack, length: chord, hinge: (spine + from.x, from.z),
                    step: ((to.x - from.x) / chord, (to.z - from.z) / chord),
                    textureHinge: spine + (isBack ? -start : start), textureStep: (isBack ? -1 : 1) * stretch,
                    isOnTop: true, shade: { 0.55 * strength * max(0, 1 - brightness($0)) })
                piece.seenSide = isBack ? -1 : 1
                piece.gloss = { 0.22 * strength * max(0, brightness($0) - 1) }
                surfaces.append(piece)
            }
        }
        // The lowest point of the leaf in the sky above a place at `d` from the spine.
        let hidden = { (d: Double, side: Double) -> Double in
            let cosines = points.dropFirst().map { point -> Double in
                let (way, height) = (side * point.x - d, point.z)
                let far = (way * way + height * height).squareRoot()
                return far == 0 ? 1 : way / far
            }
            return 0.6 * strength * (1 + (cosines.max() ?? -1)) / 2
        }
        let reveal = Surface(
            isOutgoing: false, length: width - spine, hinge: (spine, 0), step: (1, 0), textureHinge: spine,
            textureStep: 1, shade: { hidden($0, 1) })
        let facing = Surface(
            isOutgoing: true, length: spine, hinge: (spine, 0), step: (-1, 0), textureHinge: spine, textureStep: -1,
            shade: { hidden($0, -1) })
        return ReferenceScene(surfaces + [facing, reveal], pageLength: length)
    }
}

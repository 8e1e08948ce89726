import FlipGeometry

/// The styles of EFFECTS 11.
extension ReferenceScene {
    /// The whole of a picture, moved along the motion.
    private static func moved(isOutgoing: Bool, by distance: Double, _ width: Double, isOnTop: Bool = false) -> Surface
    {
        Surface(
            isOutgoing: isOutgoing, length: width, hinge: (distance, 0), step: (1, 0), textureHinge: 0, textureStep: 1,
            isOnTop: isOnTop)
    }

    static func push(_ p: Double, _ width: Double) -> ReferenceScene {
        ReferenceScene(
            [
                moved(isOutgoing: true, by: -p * width, width),
                moved(isOutgoing: false, by: (1 - p) * width, width),
            ], pageLength: width)
    }

    static func slide(_ look: Look, _ p: Double, _ width: Double) -> ReferenceScene {
        let surfaces =
            look.mode == .cover
            ? [
                moved(isOutgoing: true, by: 0, width),
                moved(isOutgoing: false, by: (1 - p) * width, width, isOnTop: true),
            ]
            : [moved(isOutgoing: true, by: -p * width, width, isOnTop: true), moved(isOutgoing: false, by: 0, width)]
        return ReferenceScene(surfaces, pageLength: width)
    }
}

extension Reference {
    /// The wipe: each sample is mixed with the mean of B's weight at `positions` places in its footprint.
    static func wipe(_ a: TestPicture, _ b: TestPicture, _ look: Look, _ p: Double, positions: Int) -> TestPicture {
        var result = a
        let isVertical = look.orientation == .vertical
        let length = a.format.extent(of: a, isVertical: isVertical)
        let ramp = look.softness * length
        for plane in a.planes.indices {
            let (start, step) = a.format.footprints(plane: plane, isVertical: isVertical)
            let size = a.planeSize(plane)
            let parts = (0..<(isVertical ? size.height : size.width)).map { index in
                let low = max(0, start + Double(index) * step)
                let high = min(length, start + Double(index + 1) * step)
                let weights = (0..<positions).map { place in
                    var x = low + (high - low) * (Double(place) + 0.5) / Double(positions)
                    if look.direction == .backward { x = length - x }
                    let behind = x - (length - p * (length + ramp))
                    return ramp > 0 ? min(max(behind / ramp, 0), 1) : behind > 0 ? 1 : 0
                }
                return weights.reduce(0, +) / Double(positions)
            }
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let part = parts[isVertical ? y : x]
                    let place = y * size.width + x
                    let mix = Double(a.planes[plane][place]) * (1 - part) + Double(b.planes[plane][place]) * part
                    result.planes[plane][place] = UInt16(mix.rounded())
                }
            }
        }
        return result
    }
}

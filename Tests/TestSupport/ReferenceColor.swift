import FlipGeometry
import FlipRaster

extension PictureFormat {
    /// The encoded values of `color`, one per plane, not rounded (ITU-T H.273, equations 20 to 38).
    func encode(_ color: Color) -> [Double] {
        let unit = Double(1 << (depth - 8))
        let peak = Double(1 << depth - 1)
        if components == .gbr { return [color.green * peak, color.blue * peak, color.red * peak] }
        let luma = matrix.red * color.red + (1 - matrix.red - matrix.blue) * color.green + matrix.blue * color.blue
        let y = isFullRange ? luma * peak : (16 + 219 * luma) * unit
        if components == .gray { return [y] }
        let chroma = [
            (color.blue - luma) / (2 * (1 - matrix.blue)), (color.red - luma) / (2 * (1 - matrix.red)),
        ]
        return [y] + chroma.map { min(128 * unit + $0 * (isFullRange ? peak : 224 * unit), peak) }
    }

    /// The position of the footprints of plane `index` in luma pixels: sample i covers start + i * step ..< start + (i
    /// + 1) * step.
    func footprints(plane index: Int, isVertical: Bool) -> (start: Double, step: Double) {
        guard isChroma(plane: index) else { return (0, 1) }
        let step = Double(isVertical ? chromaStepY : chromaStepX)
        // The offset of the footprint from the luma pixels it represents, for chroma co-sited with the first one; with
        // the last one, it is negated.
        let early = 0.5 - step / 2
        let start: Double =
            switch (chromaLocation, isVertical) {
            case (.left, false), (.topLeft, false), (.bottomLeft, false): early
            case (.top, true), (.topLeft, true): early
            case (.bottom, true), (.bottomLeft, true): -early
            case (.center, _), (.top, false), (.bottom, false), (.left, true): 0
            }
        return (start, step)
    }
}

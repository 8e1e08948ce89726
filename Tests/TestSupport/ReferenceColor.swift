import FlipGeometry
import FlipRaster

extension PictureFormat {
    /// The encoded values of `color`, one a plane, not rounded (ITU-T H.273, equations 20 to 38).
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

    /// Where the footprints of plane `index` lie: sample i fills start + i * step ..< start + (i + 1) * step.
    func footprints(plane index: Int, isVertical: Bool) -> (start: Double, step: Double) {
        guard isChroma(plane: index) else { return (0, 1) }
        let step = Double(isVertical ? chromaStepY : chromaStepX)
        // How far the box is from the middle of the luma pixels it stands for: co-sited with the first, or the last.
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

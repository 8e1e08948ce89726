import FlipGeometry
import FlipRaster

/// The weights of R' and B' in Y'; G' has the rest.
package struct LumaWeights: Sendable, Equatable {
    package var red: Double
    package var blue: Double

    package init(red: Double, blue: Double) {
        self.red = red
        self.blue = blue
    }

    package static let bt601 = LumaWeights(red: 0.299, blue: 0.114)
    package static let bt709 = LumaWeights(red: 0.2126, blue: 0.0722)
    package static let bt2020 = LumaWeights(red: 0.2627, blue: 0.0593)
}

extension PictureFormat {
    /// The encoded values of `color`, one a plane, not rounded (ITU-T H.273, equations 20 to 38).
    func encode(_ color: Color, _ weights: LumaWeights) -> [Double] {
        let unit = Double(1 << (depth - 8))
        let peak = Double(1 << depth - 1)
        if components == .gbr { return [color.green * peak, color.blue * peak, color.red * peak] }
        let luma = weights.red * color.red + (1 - weights.red - weights.blue) * color.green + weights.blue * color.blue
        let y = isFullRange ? luma * peak : (16 + 219 * luma) * unit
        if components == .gray { return [y] }
        let chroma = [
            (color.blue - luma) / (2 * (1 - weights.blue)), (color.red - luma) / (2 * (1 - weights.red)),
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

import FlipGeometry
import FlipRaster
import Foundation

extension PictureFormat {
    /// The encoded values of `color`, one per plane, not rounded (ITU-T H.273, equations 20 to 38).
    package func encode(_ color: Color) -> [Double] {
        let color = light == .sdr ? color : Self.highRange(color, isPQ: light == .pq)
        let unit = Double(1 << (depth - 8))
        let peak = Double(1 << depth - 1)
        if components == .gbr { return [color.green * peak, color.blue * peak, color.red * peak] }
        let luma = matrix.red * color.red + (1 - matrix.red - matrix.blue) * color.green + matrix.blue * color.blue
        let y = isFullRange ? luma * peak : (16 + 219 * luma) * unit
        if components == .gray { return [y] }
        let chroma = [(color.blue - luma) / (2 * (1 - matrix.blue)), (color.red - luma) / (2 * (1 - matrix.red))]
        return [y] + chroma.map { min(128 * unit + $0 * (isFullRange ? peak : 224 * unit), peak) }
    }

    /// An sRGB color in PQ or HLG with the primaries of BT.2020, white being 203 cd/m2. The matrix is derived from the
    /// chromaticities of the primaries and of D65 by way of CIE XYZ.
    private static func highRange(_ color: Color, isPQ: Bool) -> Color {
        let linear = [color.red, color.green, color.blue].map { value in
            value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let hd = toXYZ([(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)])
        let wide = toXYZ([(0.708, 0.292), (0.170, 0.797), (0.131, 0.046)])
        let xyz = hd.map { row in zip(row, linear).reduce(0) { $0 + $1.0 * $1.1 } }
        let shown = solve(wide, xyz).map { max($0, 0) * 203 }
        // BT.2100-2 table 5, for a display of 1000 cd/m2: F_D = L_W Y_S^0.2 E_S, so Y_D = L_W Y_S^1.2.
        let luminance = pow((0.2627 * shown[0] + 0.6780 * shown[1] + 0.0593 * shown[2]) / 1000, 1 / 1.2)
        let signal = shown.map { light in
            if isPQ {
                let power = pow(light / 10_000, 0.1593017578125)
                return pow((0.8359375 + 18.8515625 * power) / (1 + 18.6875 * power), 78.84375)
            }
            let scene = luminance > 0 ? light / 1000 / pow(luminance, 0.2) : 0
            return scene <= 1 / 12.0 ? sqrt(3 * scene) : 0.17883277 * log(12 * scene - 0.28466892) + 0.55991073
        }
        return Color(red: signal[0], green: signal[1], blue: signal[2])
    }

    /// The matrix from linear R, G, B to X, Y, Z (SMPTE RP 177).
    private static func toXYZ(_ primaries: [(x: Double, y: Double)]) -> [[Double]] {
        let columns = primaries.map { [$0.x / $0.y, 1, (1 - $0.x - $0.y) / $0.y] }
        let unscaled = (0..<3).map { row in columns.map { $0[row] } }
        let scale = solve(unscaled, [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290])
        return unscaled.map { row in zip(row, scale).map { $0.0 * $0.1 } }
    }

    /// The solution of a system of three linear equations, by Cramer's rule.
    private static func solve(_ m: [[Double]], _ right: [Double]) -> [Double] {
        func determinant(_ m: [[Double]]) -> Double {
            m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
                + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
        }
        return (0..<3).map { column in
            var changed = m
            for row in 0..<3 { changed[row][column] = right[row] }
            return determinant(changed) / determinant(m)
        }
    }

    /// The position of the footprints of plane `index` in heights of luma pixels: sample i covers start + i * step ..< start + (i
    /// + 1) * step.
    func footprints(plane index: Int, isVertical: Bool) -> (start: Double, step: Double) {
        let pixel = isVertical ? 1 : pixelAspect
        guard isChroma(plane: index) else { return (0, pixel) }
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
        return (start * pixel, step * pixel)
    }

    /// The extent of `picture` along one axis, in heights of luma pixels.
    func extent(of picture: TestPicture, isVertical: Bool) -> Double {
        isVertical ? Double(picture.height) : Double(picture.width) * pixelAspect
    }
}

import FlipFiles

/// The way from the colors of an ICC profile with a matrix to those of sRGB: to light by three curves, to the primaries of
/// sRGB by a matrix, and back to samples by sRGB's curve (IEC 61966-2-1), relative to the white of both. Colors outside of
/// sRGB are clipped.
package struct ProfileChange {
    /// The light of every 16-bit sample of red, green and blue, 0...1.
    private let light: [[Float]]
    /// From linear R'G'B' of the profile to that of sRGB, row by row.
    private let matrix: [Float]

    /// From XYZ relative to D50 to sRGB: the inverse of the colorants in the ICC's sRGB profile.
    private static let fromD50 = [
        [3.134112, -1.617392, -0.490633], [-0.978787, 1.916280, 0.033455], [0.071983, -0.228986, 1.405385],
    ]
    private static let identity: [Float] = [1, 0, 0, 0, 1, 0, 0, 0, 1]

    /// - Parameters:
    ///   - curves: from samples of red, green and blue to light, both 0...1.
    ///   - colorants: X, Y and Z of red, green and blue, relative to D50.
    init(curves: [(Double) -> Double], colorants: [[Double]]) {
        light = curves.map(Self.table)
        matrix = Self.fromD50.flatMap { row in
            colorants.map { colorant in Float(zip(row, colorant).reduce(0) { $0 + $1.0 * $1.1 }) }
        }
    }

    /// - Parameter gray: from samples to light.
    init(gray: (Double) -> Double) {
        light = Array(repeating: Self.table(gray), count: 3)
        matrix = Self.identity
    }

    private static func table(_ curve: (Double) -> Double) -> [Float] {
        (0...65535).map { Float(max(0, min(1, curve(Double($0) / 65535)))) }
    }

    /// The sample of sRGB for every light of 16 bits. Its error is at most 6 of 65535, which is in the shadows, where a step
    /// of light is 12.92 steps of samples.
    private static let samples: [UInt16] = (0...65535).map { index in
        let light = Double(index) / 65535
        let value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055
        return UInt16((65535 * value).rounded())
    }

    /// Converts 16-bit samples in place.
    /// - Parameters:
    ///   - count: the number of samples of each component.
    package func convert(
        red: UnsafeMutablePointer<UInt16>, green: UnsafeMutablePointer<UInt16>, blue: UnsafeMutablePointer<UInt16>,
        count: Int
    ) {
        let m = matrix
        let sample = { (light: Float) in Int(max(0, min(1, light)) * 65535 + 0.5) }
        light[0].withUnsafeBufferPointer { reds in
            light[1].withUnsafeBufferPointer { greens in
                light[2].withUnsafeBufferPointer { blues in
                    Self.samples.withUnsafeBufferPointer { samples in
                        for index in 0..<count {
                            let (r, g, b) = (
                                reds[Int(red[index])], greens[Int(green[index])], blues[Int(blue[index])]
                            )
                            red[index] = samples[sample(m[0] * r + m[1] * g + m[2] * b)]
                            green[index] = samples[sample(m[3] * r + m[4] * g + m[5] * b)]
                            blue[index] = samples[sample(m[6] * r + m[7] * g + m[8] * b)]
                        }
                    }
                }
            }
        }
    }
}

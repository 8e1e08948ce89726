import Foundation

/// ICC profiles with a table of colors (ICC.1:2022 10.10, lut16Type), and the colors in them.
extension ProfileFile {
    /// A profile that says which color of sRGB each of its colors looks like.
    /// - Parameters:
    ///   - space: "RGB " or "CMYK".
    ///   - grid: the number of values of each component for which the table has a color.
    ///   - look: R'G'B' of sRGB for a color, all 0...1. Between the table's colors, programs interpolate.
    package static func table(_ title: String, space: String, grid: Int, _ look: ([Double]) -> [Double]) -> [UInt8] {
        let components = space == "CMYK" ? 4 : 3
        var content = Array("mft2".utf8) + [0, 0, 0, 0, UInt8(components), 3, UInt8(grid), 0]
        // The identity matrix, which only colors in XYZ use, and two entries for each input and output curve.
        for index in 0..<9 { content += number(index % 4 == 0 ? 65536 : 0) }
        content += number(2, bytes: 2) + number(2, bytes: 2)
        for _ in 0..<components { content += number(0, bytes: 2) + number(65535, bytes: 2) }
        // The last component varies most rapidly.
        for place in 0..<Int(pow(Double(grid), Double(components))) {
            var (rest, color) = (place, [Double]())
            for _ in 0..<components {
                color.insert(Double(rest % grid) / Double(grid - 1), at: 0)
                rest /= grid
            }
            // L* = 100 is 0xFF00, and a* = b* = 0 is 0x8000 (ICC.1 table 42).
            let lab = lab(look(color))
            for value in [lab[0] * 652.8, (lab[1] + 128) * 256, (lab[2] + 128) * 256] {
                content += number(min(max(Int(value.rounded()), 0), 65535), bytes: 2)
            }
        }
        for _ in 0..<3 { content += number(0, bytes: 2) + number(65535, bytes: 2) }
        let plain = make(title, [], space: space, curveNames: [])
        var bytes = Array(plain[..<128])
        bytes.replaceSubrange(12..<16, with: Array((components == 4 ? "prtr" : "scnr").utf8))
        bytes.replaceSubrange(20..<24, with: Array("Lab ".utf8))
        // The title's entry moves behind one more.
        let text = Array(plain[144...])
        bytes += number(2) + Array("desc".utf8) + number(156) + number(text.count)
        bytes += Array("A2B0".utf8) + number(156 + text.count) + number(content.count) + text + content
        bytes.replaceSubrange(0..<4, with: number(bytes.count))
        return bytes
    }

    /// L*, a* and b* relative to D50 of a color of sRGB (IEC 61966-2-1 and CIE 15, with the colorants of the ICC's profile).
    private static func lab(_ color: [Double]) -> [Double] {
        let light = color.map { $0 <= 0.04045 ? $0 / 12.92 : pow(($0 + 0.055) / 1.055, 2.4) }
        let white = [0.9642, 1, 0.8249]
        let f = (0..<3).map { axis -> Double in
            let value = (0..<3).reduce(0.0) { $0 + light[$1] * sRGB[$1][axis] } / white[axis]
            return value > 216.0 / 24389 ? cbrt(value) : (24389.0 / 27 * value + 16) / 116
        }
        return [116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])]
    }
}

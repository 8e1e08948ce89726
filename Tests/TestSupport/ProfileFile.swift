/// ICC profiles for RGB, written byte by byte (ICC.1:2022 7, 10).
package enum ProfileFile {
    package static func number(_ value: Int, bytes: Int = 4) -> [UInt8] {
        (0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func fixed(_ values: [Double]) -> [UInt8] { values.flatMap { number(Int(($0 * 65536).rounded())) } }

    /// The sRGB curve: type 3, with ((x + 0.055) / 1.055)^2.4 from 0.04045 on.
    package static let screen =
        Array("para".utf8) + [0, 0, 0, 0, 0, 3, 0, 0] + fixed([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

    /// A curve of the given gamma, as a curveType of one number with 8 fractional bits.
    package static func gamma(_ value: Double) -> [UInt8] {
        Array("curv".utf8) + [0, 0, 0, 0] + number(1) + number(Int((value * 256).rounded()), bytes: 2)
    }

    /// - Parameter curveNames: the tags that have the curve.
    package static func make(
        _ title: String, _ colorants: [[Double]], curve: [UInt8] = screen, space: String = "RGB ",
        curveNames: [String] = ["rTRC", "gTRC", "bTRC"]
    ) -> [UInt8] {
        var tags: [(String, [UInt8])] = [
            (
                "desc",
                Array("mluc".utf8) + [0, 0, 0, 0] + number(1) + number(12) + Array("enUS".utf8)
                    + number(2 * title.utf16.count) + number(28) + title.utf16.flatMap { number(Int($0), bytes: 2) }
            )
        ]
        for (name, values) in zip(["rXYZ", "gXYZ", "bXYZ"], colorants) {
            tags.append((name, Array("XYZ ".utf8) + [0, 0, 0, 0] + fixed(values)))
        }
        for name in curveNames { tags.append((name, curve)) }
        var bytes = [UInt8](repeating: 0, count: 128)
        // Version 4.3 of a screen's profile, relative to XYZ, and the white D50.
        bytes.replaceSubrange(8..<12, with: [4, 0x30, 0, 0])
        bytes.replaceSubrange(12..<24, with: Array("mntr\(space)XYZ ".utf8))
        bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
        bytes.replaceSubrange(68..<80, with: fixed([0.9642, 1, 0.8249]))
        bytes += number(tags.count)
        var place = 132 + 12 * tags.count
        for (name, content) in tags {
            bytes += Array(name.utf8) + number(place) + number(content.count)
            place += content.count
        }
        bytes += tags.flatMap(\.1)
        bytes.replaceSubrange(0..<4, with: number(bytes.count))
        return bytes
    }

    /// The colorants (XYZ of red, green and blue) in the profiles by Apple and the ICC.
    package static let displayP3 = [
        [0.51512, 0.2412, -0.00105], [0.29198, 0.69225, 0.04189], [0.1571, 0.06657, 0.78407],
    ]
    package static let sRGB = [[0.43607, 0.22249, 0.01392], [0.38515, 0.71687, 0.09708], [0.14307, 0.06061, 0.7141]]
    package static let proPhoto = [[0.79767, 0.28804, 0], [0.13518, 0.71188, 0], [0.03134, 0.00009, 0.82491]]
    package static let adobe = [
        [0.60974, 0.31111, 0.01947], [0.20528, 0.62567, 0.06087], [0.14919, 0.06322, 0.74457],
    ]
}

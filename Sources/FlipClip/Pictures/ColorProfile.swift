import FlipFiles

/// An ICC profile (ICC.1:2022) that comes with a picture, matched to the primaries that video has names for.
package struct ColorProfile {
    /// The profile's title for messages, in quotation marks.
    package let name: String
    /// libav's name of the primaries; nil where video has no name for them, or where the curve is not that of a screen.
    package let primaries: String?
    /// How colors of the profile become those of sRGB; nil if `primaries` are known, and where the profile doesn't say so by
    /// three curves and a matrix, or a curve for gray.
    package let change: ProfileChange?

    package init(_ bytes: [UInt8]) {
        let reader = ProfileReader(bytes)
        name = "'\(reader.title ?? "unnamed")'"
        let isGray = reader.colorSpace == "GRAY"
        guard isGray || reader.colorSpace == "RGB ", let curve = reader.curve(isGray ? "kTRC" : "rTRC") else {
            (primaries, change) = (nil, nil)
            return
        }
        let isScreen = abs(curve(0.5) - Self.half) < 0.015
        // Gray is the same with all primaries.
        if isGray {
            primaries = isScreen ? "bt709" : nil
            change = isScreen ? nil : ProfileChange(gray: curve)
            return
        }
        guard let colorants = ["rXYZ", "gXYZ", "bXYZ"].map({ reader.colorant($0) }) as? [[Double]]
        else {
            (primaries, change) = (nil, nil)
            return
        }
        let row = Self.known.first { row in
            zip(row.colorants, colorants.joined()).allSatisfy { abs($0 - $1) < 0.005 }
        }
        primaries = isScreen ? row?.name : nil
        // A profile's tables count for more than its matrix (ICC.1 8.3.1).
        let hasTables = ["A2B0", "A2B1", "A2B2"].contains { reader.has($0) }
        guard primaries == nil, !hasTables, let green = reader.curve("gTRC"), let blue = reader.curve("bTRC") else {
            change = nil
            return
        }
        change = ProfileChange(curves: [curve, green, blue], colorants: colorants)
    }

    /// The value of sRGB's curve at 0.5 (IEC 61966-2-1). A gamma of 2.2 gives 0.2176, one of 1.8 gives 0.287.
    private static let half = 0.2140

    /// X, Y and Z of red, green and blue, adapted to D50 by the Bradford matrix as profiles have them (ICC.1 Annex E),
    /// and computed from the chromaticities in ITU-T H.273 table 2. Profiles differ from these in the third decimal.
    private static let known: [(name: String, colorants: [Double])] = [
        ("bt709", [0.4361, 0.2225, 0.0139, 0.3851, 0.7169, 0.0971, 0.1431, 0.0606, 0.7139]),
        ("smpte432", [0.5151, 0.2412, -0.0011, 0.2920, 0.6922, 0.0419, 0.1571, 0.0666, 0.7841]),
        ("bt2020", [0.6735, 0.2790, -0.0019, 0.1657, 0.6753, 0.0300, 0.1251, 0.0456, 0.7969]),
    ]
}

/// Reads the tags of a profile, of which nothing has been validated: a field that would lie outside it counts as
/// absent.
private struct ProfileReader {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The data color space field of the header (7.2.8).
    var colorSpace: String? { text(16, 4) }

    /// The text of profileDescriptionTag: ASCII up to version 2, UTF-16 from 4 on (10.15).
    var title: String? {
        guard let tag = tag("desc") else { return nil }
        let start: Int
        let characters: String
        switch text(tag.lowerBound, 4) {
        case "desc":
            guard let count = number(tag.lowerBound + 8), let words = text(tag.lowerBound + 12, count - 1) else {
                return nil
            }
            characters = words
        case "mluc":
            guard let length = number(tag.lowerBound + 20), let offset = number(tag.lowerBound + 24) else { return nil }
            start = tag.lowerBound + offset
            guard start + length <= bytes.count else { return nil }
            let units = stride(from: start, to: start + length - 1, by: 2).map {
                UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
            }
            characters = String(decoding: units, as: UTF16.self)
        default: return nil
        }
        let shown = characters.unicodeScalars.filter { $0.properties.generalCategory != .control }.prefix(80)
        return shown.isEmpty ? nil : String(String.UnicodeScalarView(shown))
    }

    /// The X, Y and Z of a tag that is an XYZType (10.31).
    func colorant(_ name: String) -> [Double]? {
        guard let tag = tag(name), text(tag.lowerBound, 4) == "XYZ " else { return nil }
        let numbers = (0..<3).compactMap { fixed(tag.lowerBound + 8 + 4 * $0) }
        return numbers.count == 3 ? numbers : nil
    }

    /// A curve from the values of a picture to those of light, both 0...1. The tag is a curveType (10.6) or a
    /// parametricCurveType (10.18).
    func curve(_ name: String) -> ((Double) -> Double)? {
        guard let tag = tag(name) else { return nil }
        let start = tag.lowerBound
        switch text(start, 4) {
        case "curv":
            guard let count = number(start + 8), count <= (bytes.count - start) / 2 else { return nil }
            if count == 0 { return { $0 } }
            if count == 1 { return short(start + 12).map { gamma in { Self.power($0, Double(gamma) / 256) } } }
            let table = (0..<count).compactMap { short(start + 12 + 2 * $0) }
            guard table.count == count else { return nil }
            return { value in
                let place = max(0, min(1, value)) * Double(count - 1)
                let index = min(Int(place), count - 2)
                let (low, high) = (Double(table[index]), Double(table[index + 1]))
                return (low + (high - low) * (place - Double(index))) / 65535
            }
        case "para":
            // g, a, b, c, d, e and f of the five types.
            guard let type = short(start + 8), let count = [1, 3, 4, 5, 7].dropFirst(type).first else { return nil }
            let read = (0..<count).compactMap { fixed(start + 12 + 4 * $0) }
            guard read.count == count else { return nil }
            let p = read + [Double](repeating: 0, count: 7 - count)
            switch type {
            case 0: return { Self.power($0, p[0]) }
            case 1, 2:
                let c = p[3]
                return { p[1] * $0 + p[2] >= 0 ? Self.power(p[1] * $0 + p[2], p[0]) + c : c }
            default:
                return { $0 >= p[4] ? Self.power(p[1] * $0 + p[2], p[0]) + p[5] : p[3] * $0 + p[6] }
            }
        default: return nil
        }
    }

    /// Whether the profile has the tag.
    func has(_ name: String) -> Bool { tag(name) != nil }

    /// The byte range of a tag (7.3); nil where the tag is missing or does not lie within the profile.
    private func tag(_ name: String) -> Range<Int>? {
        guard let count = number(128) else { return nil }
        for index in 0..<min(count, 100) {
            let entry = 132 + 12 * index
            guard text(entry, 4) == name else { continue }
            guard let start = number(entry + 4), let size = number(entry + 8), start + size <= bytes.count else {
                return nil
            }
            return start..<start + size
        }
        return nil
    }

    private func text(_ start: Int, _ count: Int) -> String? {
        guard start >= 0, count >= 0, start + count <= bytes.count else { return nil }
        return String(decoding: bytes[start..<start + count], as: UTF8.self)
    }

    private func number(_ start: Int) -> Int? {
        guard start >= 0, start + 4 <= bytes.count else { return nil }
        return bytes[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
    }

    private func short(_ start: Int) -> Int? {
        guard start >= 0, start + 2 <= bytes.count else { return nil }
        return Int(bytes[start]) << 8 | Int(bytes[start + 1])
    }

    /// An s15Fixed16Number: signed fixed point with 16 fractional bits.
    private func fixed(_ start: Int) -> Double? { number(start).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 } }

    private static func power(_ base: Double, _ exponent: Double) -> Double { base > 0 ? pow(base, exponent) : 0 }
}

/// A packet of telemetry in GoPro's format (github.com/gopro/gpmf-parser): keys, each with the type and number of the values that
/// follow it. Keys of devices (DEVC) contain streams (STRM), whose last key holds the samples of the packet's time, evenly spaced.
package enum GPMF {
    /// A packet without samples.
    package static let empty = Array("DEVC".utf8) + [0, 1, 0, 0]

    /// libav's name of the tag of tracks of this format.
    package static let tag = "gpmd"

    /// The packet with only those samples whose middle lies in a part of its time, which is 0 to 1.
    /// - Returns: nil if the bytes are not of this format.
    package static func cut(_ bytes: [UInt8], to part: Range<Double>) -> [UInt8]? {
        part.lowerBound <= 0 && part.upperBound >= 1 ? bytes : keys(bytes[...], in: nil, part)
    }

    private static let maxDepth = 4

    /// - Parameter parent: the key that contains these; nil at the top.
    private static func keys(
        _ bytes: ArraySlice<UInt8>, in parent: ArraySlice<UInt8>?, _ part: Range<Double>, depth: Int = 0
    ) -> [UInt8]? {
        var (result, rest) = ([UInt8](), bytes)
        let holdsSamples = parent?.elementsEqual("STRM".utf8) == true
        while rest.count >= 8 {
            let head = rest.prefix(8)
            let (key, type, size) = (head.prefix(4), head[head.startIndex + 4], Int(head[head.startIndex + 5]))
            let count = Int(head[head.startIndex + 6]) << 8 | Int(head[head.startIndex + 7])
            let padded = (size * count + 3) & ~3
            guard padded <= rest.count - 8 else { return nil }
            let value = rest.dropFirst(8).prefix(padded)
            rest = rest.dropFirst(8 + padded)
            if type == 0, key.first != 0 {
                guard depth < maxDepth, let inner = keys(value.prefix(size * count), in: key, part, depth: depth + 1)
                else {
                    return nil
                }
                // The length is a product of two numbers.
                let unit = inner.count > 0xFFFF ? 4 : 1
                let length = inner.count / unit
                guard length <= 0xFFFF else { return nil }
                result += key + [0, UInt8(unit), UInt8(length >> 8), UInt8(length & 0xFF)] + inner
            } else if holdsSamples, rest.isEmpty, count > 1, type != UInt8(ascii: "c") {
                let places = (0..<count).filter { part.contains((Double($0) + 0.5) / Double(count)) }
                let kept = value.prefix(size * ((places.last ?? -1) + 1)).dropFirst(size * (places.first ?? 0))
                let padding = [UInt8](repeating: 0, count: -kept.count & 3)
                result +=
                    key + [type, UInt8(size), UInt8(places.count >> 8), UInt8(places.count & 0xFF)] + kept + padding
            } else {
                result += head + value
            }
        }
        return rest.isEmpty ? result : nil
    }
}

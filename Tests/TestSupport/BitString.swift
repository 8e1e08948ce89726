/// Bits as the standards' tables show them, used to build streams by hand.
package struct BitString {
    package private(set) var text: String

    /// Takes the zeros and ones of `text`; all other characters are only for readability.
    package init(_ text: String) { self.text = text.filter { $0 == "0" || $0 == "1" } }

    /// The code u(n): `value` in `count` bits.
    package static func u(_ value: Int, _ count: Int) -> BitString {
        let digits = String(value, radix: 2)
        return BitString(String(repeating: "0", count: count - digits.count) + digits)
    }

    /// The code ue(v) by table 9-1 of ITU-T H.264: a prefix of zeros, a one, and as many bits as there are zeros.
    package static func ue(_ value: Int) -> BitString {
        let digits = String(value + 1, radix: 2)
        return BitString(String(repeating: "0", count: digits.count - 1) + digits)
    }

    package static func + (left: BitString, right: BitString) -> BitString { BitString(left.text + right.text) }

    package static func joined(_ parts: [BitString]) -> BitString { BitString(parts.map(\.text).joined()) }

    /// The bits as bytes; the last byte is padded with zeros.
    package var bytes: [UInt8] {
        let padded = text + String(repeating: "0", count: (8 - text.count % 8) % 8)
        return stride(from: 0, to: padded.count, by: 8).map { start in
            let from = padded.index(padded.startIndex, offsetBy: start)
            return UInt8(padded[from..<padded.index(from, offsetBy: 8)], radix: 2)!
        }
    }

    /// The bits as a payload, with the stop bit that ends it.
    package var payload: [UInt8] { (self + BitString("1")).bytes }

    /// A NAL unit of `header` and this payload, with an emulation prevention byte (3) wherever it would look like a
    /// start code (7.4.1).
    package func unit(_ header: [UInt8]) -> [UInt8] {
        var unit = header
        for byte in payload {
            if unit.count >= header.count + 2, unit.suffix(2) == [0, 0], byte <= 3 { unit.append(3) }
            unit.append(byte)
        }
        return unit
    }
}

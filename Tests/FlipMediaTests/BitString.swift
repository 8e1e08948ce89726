/// Bits as the standards' tables write them, to build streams by hand.
struct BitString {
    private(set) var text: String

    /// Zeros and ones; anything else is for reading only.
    init(_ text: String) { self.text = text.filter { $0 == "0" || $0 == "1" } }

    /// u(n)
    static func u(_ value: Int, _ count: Int) -> BitString {
        let digits = String(value, radix: 2)
        return BitString(String(repeating: "0", count: count - digits.count) + digits)
    }

    /// ue(v), as table 9-1 of ITU-T H.264 forms it: a prefix of zeros, a one, and as many bits as zeros.
    static func ue(_ value: Int) -> BitString {
        let digits = String(value + 1, radix: 2)
        return BitString(String(repeating: "0", count: digits.count - 1) + digits)
    }

    static func + (left: BitString, right: BitString) -> BitString { BitString(left.text + right.text) }

    static func joined(_ parts: [BitString]) -> BitString { BitString(parts.map(\.text).joined()) }

    /// The bytes, the last one filled up with zeros.
    var bytes: [UInt8] {
        let padded = text + String(repeating: "0", count: (8 - text.count % 8) % 8)
        return stride(from: 0, to: padded.count, by: 8).map { start in
            let from = padded.index(padded.startIndex, offsetBy: start)
            return UInt8(padded[from..<padded.index(from, offsetBy: 8)], radix: 2)!
        }
    }

    /// A payload: with the one that ends it.
    var payload: [UInt8] { (self + BitString("1")).bytes }

    /// A unit of `header` and this payload, with a 3 wherever it would look like a start code (7.4.1).
    func unit(_ header: [UInt8]) -> [UInt8] {
        var unit = header
        for byte in payload {
            if unit.count >= header.count + 2, unit.suffix(2) == [0, 0], byte <= 3 { unit.append(3) }
            unit.append(byte)
        }
        return unit
    }
}

/// Reads the fields of a NAL unit's or OBU's payload, most significant bit first (ITU-T H.264 7.2, H.265 7.2). Its
/// methods return nil at the end of the payload.
package struct BitReader {
    package let bytes: [UInt8]
    /// The number of bits read so far.
    package private(set) var position: Int

    package init(_ bytes: [UInt8], from position: Int = 0) {
        self.bytes = bytes
        self.position = position
    }

    /// The position after the last 1 of a payload, its stop bit; what follows only fills its byte. Nil if there is none.
    package static func end(of payload: [UInt8]) -> Int? {
        payload.lastIndex { $0 != 0 }.map { 8 * $0 + 8 - payload[$0].trailingZeroBitCount }
    }

    package mutating func bit() -> Int? {
        guard position < 8 * bytes.count else { return nil }
        defer { position += 1 }
        return Int(bytes[position >> 3] >> (7 - UInt8(position & 7))) & 1
    }

    /// Reads an unsigned number of `count` bits, at most 32.
    package mutating func bits(_ count: Int) -> Int? {
        var value = 0
        for _ in 0..<count {
            guard let bit = bit() else { return nil }
            value = value << 1 | bit
        }
        return value
    }

    /// Skips `count` bits, or all that are left if there are fewer.
    package mutating func skip(_ count: Int) { position = min(position + count, 8 * bytes.count) }

    /// Reads an unsigned Exp-Golomb code, ue(v) (9.1).
    package mutating func unsigned() -> Int? {
        var zeros = 0
        while true {
            guard let bit = bit() else { return nil }
            if bit == 1 { break }
            zeros += 1
            if zeros > 31 { return nil }
        }
        return bits(zeros).map { (1 << zeros) - 1 + $0 }
    }

    /// Skips `count` codes ue(v). Returns whether there are as many.
    package mutating func unsigned(count: Int) -> Bool { (0..<count).allSatisfy { _ in unsigned() != nil } }

    /// Reads a signed Exp-Golomb code, se(v) (9.1.1).
    package mutating func signed() -> Int? { unsigned().map { $0 & 1 == 1 ? ($0 + 1) / 2 : -$0 / 2 } }
}

/// Writes fields as `BitReader` reads them.
package struct BitWriter {
    package private(set) var bytes: [UInt8] = []
    /// The number of bits written so far.
    package private(set) var position = 0

    package init() {}

    package mutating func append(bit: Int) {
        if position & 7 == 0 { bytes.append(0) }
        if bit != 0 { bytes[bytes.count - 1] |= 0x80 >> UInt8(position & 7) }
        position += 1
    }

    package mutating func append(_ value: Int, bits count: Int) {
        for shift in stride(from: count - 1, through: 0, by: -1) { append(bit: value >> shift & 1) }
    }

    /// Appends a number of at least 0 as ue(v).
    package mutating func append(unsigned value: Int) { append(value + 1, bits: BitWriter.length(ofUnsigned: value)) }

    /// The length of ue(v) in bits for a number of at least 0.
    package static func length(ofUnsigned value: Int) -> Int {
        2 * (Int.bitWidth - 1 - (value + 1).leadingZeroBitCount) + 1
    }

    /// Appends these bits of `source`.
    package mutating func append(_ range: Range<Int>, of source: [UInt8]) {
        var reader = BitReader(source, from: range.lowerBound)
        for _ in range {
            guard let bit = reader.bit() else { return }
            append(bit: bit)
        }
    }

    /// Appends the bits of `source` from bit `start` on; whole bytes at once if both are at the same bit within a byte.
    package mutating func append(restOf source: [UInt8], from start: Int) {
        var reader = BitReader(source, from: start)
        if position & 7 == start & 7 {
            while position & 7 != 0, let bit = reader.bit() { append(bit: bit) }
            bytes += source[min(source.count, reader.position >> 3)...]
            position = 8 * bytes.count
            return
        }
        while let bit = reader.bit() { append(bit: bit) }
    }
}

/// Reads the numbers that FFV1's range coder wrote (RFC 9043 3.8.1). Its methods return nil at the end of the bytes.
package struct RangeReader {
    /// The states in which a number's binary values are coded, each 256 times the probability of a 1. They adapt to
    /// what is read.
    package struct States {
        fileprivate var values = [UInt8](repeating: 128, count: 32)

        package init() {}
    }

    private let bytes: [UInt8]
    /// The number of bytes read so far, which may exceed those there are.
    private var position = 2
    private var range: UInt32 = 0xFF00
    private var low: UInt32

    /// Returns nil where no range coder can have written the bytes.
    package init?(_ bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count >= 2 else { return nil }
        low = UInt32(bytes[0]) << 8 | UInt32(bytes[1])
        if low >= range { return nil }
    }

    /// Reads a binary value, br.
    package mutating func bit(_ states: inout States) -> Bool? { bit(&states.values[0]) }

    /// Reads an unsigned number, ur.
    package mutating func unsigned(_ states: inout States) -> Int? {
        guard let isZero = bit(&states.values[0]) else { return nil }
        return isZero ? 0 : magnitude(&states)?.value
    }

    /// Reads a signed number, sr.
    package mutating func signed(_ states: inout States) -> Int? {
        guard let isZero = bit(&states.values[0]) else { return nil }
        if isZero { return 0 }
        guard let (value, exponent) = magnitude(&states),
            let isNegative = bit(&states.values[11 + min(exponent, 10)])
        else { return nil }
        return isNegative ? -value : value
    }

    /// Reads a number of at least 1: its length in bits less one (the exponent), and then the bits below the highest.
    private mutating func magnitude(_ states: inout States) -> (value: Int, exponent: Int)? {
        var exponent = 0
        while true {
            guard let isLonger = bit(&states.values[1 + min(exponent, 9)]) else { return nil }
            if !isLonger { break }
            exponent += 1
            if exponent > 31 { return nil }
        }
        var value = 1
        for place in (0..<exponent).reversed() {
            guard let bit = bit(&states.values[22 + min(place, 9)]) else { return nil }
            value = value << 1 | (bit ? 1 : 0)
        }
        return (value, exponent)
    }

    private mutating func bit(_ state: inout UInt8) -> Bool? {
        // Bytes beyond the end count as 0 (3.8.1.1.1). The coder is at most two bytes ahead of the value that it reads.
        if position > bytes.count + 2 { return nil }
        let ones = (range * UInt32(state)) >> 8
        let isOne = low >= range - ones
        if isOne {
            low -= range - ones
            range = ones
            state = Self.afterOne[Int(state)]
        } else {
            range -= ones
            state = 0 &- Self.afterOne[256 - Int(state)]
        }
        if range < 256 {
            range <<= 8
            low = low << 8 | (position < bytes.count ? UInt32(bytes[position]) : 0)
            position += 1
        }
        return isOne
    }

    /// The state that follows each state after a 1 (3.8.1.5). After a 0 it is the mirror image, 256 less what follows
    /// 256 less the state. From 128, only 8...248 are ever reached.
    package static let afterOne: [UInt8] = [
        0, 0, 0, 0, 0, 0, 0, 0, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 37, 38, 39, 40,
        41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67,
        68, 69, 70, 71, 72, 73, 74, 75, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90, 91, 92, 93, 94,
        94, 95, 96, 97, 98, 99, 100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112, 113, 114, 114, 115,
        116, 117, 118, 119, 120, 121, 122, 123, 124, 125, 126, 127, 128, 129, 130, 131, 132, 133, 133, 134, 135, 136,
        137, 138, 139, 140, 141, 142, 143, 144, 145, 146, 147, 148, 149, 150, 151, 152, 152, 153, 154, 155, 156, 157,
        158, 159, 160, 161, 162, 163, 164, 165, 166, 167, 168, 169, 170, 171, 171, 172, 173, 174, 175, 176, 177, 178,
        179, 180, 181, 182, 183, 184, 185, 186, 187, 188, 189, 190, 190, 191, 192, 194, 194, 195, 196, 197, 198, 199,
        200, 201, 202, 202, 204, 205, 206, 207, 208, 209, 209, 210, 211, 212, 213, 215, 215, 216, 217, 218, 219, 220,
        220, 222, 223, 224, 225, 226, 227, 227, 229, 229, 230, 231, 232, 234, 234, 235, 236, 237, 238, 239, 240, 241,
        242, 243, 244, 245, 246, 247, 248, 248, 0, 0, 0, 0, 0, 0, 0,
    ]
}

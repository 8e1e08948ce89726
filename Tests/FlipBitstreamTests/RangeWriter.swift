import FlipBitstream

/// Writes numbers as `RangeReader` reads them: the encoder to the decoder of RFC 9043 3.8.1.
struct RangeWriter {
    /// What has been written, as it is read back: with the coder's remaining two bytes and a checksum that nobody
    /// verifies.
    var record: [UInt8] { carried(low).bytes + [UInt8(low >> 8 & 0xFF), UInt8(low & 0xFF), 0, 0, 0, 0] }

    private var bytes: [UInt8] = []
    private var low: UInt32 = 0
    private var range: UInt32 = 0xFF00
    /// The states of the record's own numbers.
    var states = [UInt8](repeating: 128, count: 32)

    /// Adds the bit of `low` that lies above its two bytes to the bytes before.
    private func carried(_ low: UInt32) -> RangeWriter {
        var writer = self
        var place = bytes.count - 1
        var carry = low >> 16 != 0
        while carry, place >= 0 {
            writer.bytes[place] &+= 1
            carry = writer.bytes[place] == 0
            place -= 1
        }
        writer.low = low & 0xFFFF
        return writer
    }

    mutating func write(bit: Bool, _ state: inout UInt8) {
        let ones = (range * UInt32(state)) >> 8
        if bit {
            low += range - ones
            range = ones
            state = RangeReader.afterOne[Int(state)]
        } else {
            range -= ones
            state = UInt8(256 - Int(RangeReader.afterOne[256 - Int(state)]))
        }
        guard range < 256 else { return }
        self = carried(low)
        bytes.append(UInt8(low >> 8))
        low = low << 8 & 0xFFFF
        range <<= 8
    }

    mutating func write(bit: Bool) { withStates { $0.write(bit: bit, &$1[0]) } }

    /// Writes a number with the record's own states.
    mutating func write(_ value: Int, isSigned: Bool = false) {
        withStates { $0.write(value, isSigned: isSigned, &$1) }
    }

    /// Writes a number as ur or sr.
    mutating func write(_ value: Int, isSigned: Bool = false, _ states: inout [UInt8]) {
        write(bit: value == 0, &states[0])
        if value == 0 { return }
        let exponent = Int.bitWidth - 1 - abs(value).leadingZeroBitCount
        for place in 0..<exponent { write(bit: true, &states[1 + min(place, 9)]) }
        write(bit: false, &states[1 + min(exponent, 9)])
        for place in (0..<exponent).reversed() {
            write(bit: abs(value) >> place & 1 == 1, &states[22 + min(place, 9)])
        }
        if isSigned { write(bit: value < 0, &states[11 + min(exponent, 10)]) }
    }

    private mutating func withStates(_ body: (inout RangeWriter, inout [UInt8]) -> Void) {
        var own = states
        body(&self, &own)
        states = own
    }
}

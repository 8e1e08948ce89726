import FlipBitstream
import TestSupport
import Testing

/// Variable-length codes, by the tables of ITU-T H.264.
@Suite struct BitsTests {
    /// The codes of table 9-2, and others that follow from table 9-1.
    static let codes: [(Int, String)] = [
        (0, "1"), (1, "010"), (2, "011"), (3, "00100"), (4, "00101"), (5, "00110"), (6, "00111"), (7, "0001000"),
        (8, "0001001"), (9, "0001010"), (14, "0001111"), (15, "000010000"), (30, "000011111"), (31, "00000100000"),
        (254, "000000011111111"), (65535, "000000000000000010000000000000000"),
    ]

    @Test(arguments: codes) func unsignedNumbers(value: Int, code: String) {
        var reader = BitReader(BitString(code + "101").bytes)
        #expect(reader.unsigned() == value)
        #expect(reader.position == code.count)
        var writer = BitWriter()
        writer.append(unsigned: value)
        #expect(writer.bytes == BitString(code).bytes && writer.position == code.count)
        #expect(BitWriter.length(ofUnsigned: value) == code.count)
    }

    /// Signed numbers are mapped to codes by table 9-3.
    @Test(arguments: [(0, 0), (1, 1), (2, -1), (3, 2), (4, -2), (5, 3), (6, -3)])
    func signedNumbers(code: Int, value: Int) {
        var reader = BitReader(BitString.ue(code).bytes)
        #expect(reader.signed() == value)
    }

    @Test func theEndIsNoNumber() {
        var reader = BitReader([0b0000_1000])
        #expect(reader.unsigned() == nil, "four zeros and a one want four more bits, and one is lacking")
        var empty = BitReader([])
        #expect(empty.bit() == nil && empty.bits(1) == nil && empty.bits(0) == 0)
        var long = BitReader([0, 0, 0, 0, 1, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(long.unsigned() == nil, "no code has more than 31 zeros")
    }

    /// The rest of a payload after a changed field is copied correctly at any bit offset.
    @Test(arguments: 0..<8, 0..<8) func theRestOfAPayload(at start: Int, behind count: Int) {
        let source: [UInt8] = [0xA5, 0x3C, 0x00, 0x7F, 0x81]
        var writer = BitWriter()
        writer.append(0, bits: count)
        writer.append(restOf: source, from: start)
        let rest = source.map { BitString.u(Int($0), 8).text }.joined().dropFirst(start)
        #expect(writer.bytes == BitString(String(repeating: "0", count: count) + rest).bytes)
    }
}

import FlipBitstream
import Testing

/// NAL units of H.264 and HEVC, written by hand (ITU-T H.264 7.3.1, 7.4.1, annex B).
@Suite struct NALUnitTests {
    /// Payloads, and their bytes in the unit.
    static let escapes: [([UInt8], [UInt8])] = [
        ([0, 0, 1], [0, 0, 3, 1]), ([0, 0, 0, 0], [0, 0, 3, 0, 0, 3]), ([0, 0, 2], [0, 0, 3, 2]),
        ([0, 0, 3], [0, 0, 3, 3]),
        ([0, 0, 4], [0, 0, 4]), ([0, 1, 0, 0, 0, 0, 1], [0, 1, 0, 0, 3, 0, 0, 3, 1]), ([1, 0, 0], [1, 0, 0, 3]),
        ([0, 0, 0, 0, 0, 1], [0, 0, 3, 0, 0, 3, 0, 1]),
    ]

    @Test(arguments: escapes) func startCodesAreKeptOutOfUnits(payload: [UInt8], unit: [UInt8]) {
        #expect(NALUnit.unit([0x65], payload) == [0x65] + unit)
        // cabac_zero_words end in a 3 that is not followed by another byte, and that is not part of the payload.
        #expect(NALUnit.payload(of: [0x65] + unit, 1) == payload)
    }

    private func ranges(_ bytes: [UInt8], _ framing: CodedHeader.Framing) -> [Range<Int>]? {
        bytes.withUnsafeBufferPointer { NALUnit.ranges($0, framing) }
    }

    @Test func unitsStandBehindStartCodes() {
        #expect(ranges([0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x65, 7, 7], .startCodes) == [4..<6, 9..<12])
        // trailing_zero_8bits belong to no unit, and neither do bytes before the first start code.
        #expect(ranges([5, 0, 0, 1, 0x41, 1, 0, 0, 0, 0, 1, 0x41, 2, 0, 0], .startCodes) == [4..<6, 11..<13])
        #expect(ranges([0, 0, 1], .startCodes) == [])
        #expect(ranges([], .startCodes) == [])
    }

    @Test func unitsStandBehindTheirLengths() {
        #expect(ranges([0, 0, 0, 2, 9, 0xF0, 0, 0, 0, 1, 0x65], .lengths(4)) == [4..<6, 10..<11])
        #expect(ranges([2, 9, 0xF0], .lengths(1)) == [1..<3])
        #expect(ranges([0, 2, 9], .lengths(2)) == nil, "a byte is lacking")
        #expect(ranges([0, 0], .lengths(2)) == nil, "no unit is empty")
        #expect(ranges([0, 1, 9, 0], .lengths(2)) == nil, "half a length is left")
    }

    /// The kinds of units are those of table 7-1 in both standards.
    @Test func kindsAreThoseOfTheTables() {
        func kind(_ unit: [UInt8], _ syntax: NALSyntax) -> NALUnit.Kind? {
            unit.withUnsafeBufferPointer { syntax.kind($0[...]) }
        }
        #expect(kind([0x65], .h264) == .slice(.start) && kind([0x41], .h264) == .slice(.other))
        #expect(kind([0x67], .h264) == .set(.sequence) && kind([0x68], .h264) == .set(.picture))
        #expect(kind([0x42], .h264) == nil, "data partitions are not copied")
        let hevc = { (type: UInt8) in kind([type << 1, 1], .hevc) }
        #expect(hevc(19) == .slice(.startWithLeading) && hevc(20) == .slice(.start) && hevc(21) == .slice(.openStart))
        #expect(hevc(6) == .slice(.leading) && hevc(8) == .slice(.dependentLeading) && hevc(1) == .slice(.other))
        #expect(hevc(32) == .set(.video) && hevc(39) == .information && hevc(62) == .reshaping && hevc(63) == .filler)
        #expect(kind([0x03, 1], .hevc) == nil && kind([2, 9], .hevc) == nil, "other layers are not copied")
        #expect(kind([0x26], .hevc) == nil, "half a header")
    }

    /// SEI messages are told apart, even if their type or size takes more than one byte (annex D).
    @Test func messagesAreToldApart() {
        let grain: [UInt8] = [19, 2, 0xAA, 0xBB]
        let long = [UInt8](repeating: 255, count: 1) + [3, 255, 1] + [UInt8](repeating: 0x11, count: 256)
        let unit = NALUnit.unit([6], grain + long + [0x80])
        var seen: [(Int, Int)] = []
        let kept = SEI.filtered(unit, .h264) { type, payload in
            seen.append((type, payload.count))
            return type == 258
        }
        #expect(seen.map(\.0) == [19, 258] && seen.map(\.1) == [2, 256])
        #expect(kept == NALUnit.unit([6], long + [0x80]))
        #expect(SEI.contains(unit, .h264) { type, _ in SEI.isFilmGrain(type) })
        #expect(SEI.filtered([6, 5, 9, 1, 0x80], .h264) { _, _ in true } == nil, "nine bytes are not there")
        let plus: [UInt8] = [0xB5, 0, 0x3C, 0, 1, 4, 1]
        #expect(SEI.isHDR10Plus(4, plus[...]))
        #expect(!SEI.isHDR10Plus(4, [0xB5, 0, 0x31, 0x47, 0x41, 0x39, 0x34]), "captions are kept")
    }
}

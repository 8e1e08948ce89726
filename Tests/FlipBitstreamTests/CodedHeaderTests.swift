import FlipBitstream
import TestSupport
import Testing

/// AV1, VP9 and AAC headers, written bit by bit.
@Suite struct CodedHeaderTests {
    // MARK: AV1 (bitstream specification 5.3, 5.5, 5.9)

    /// A sequence header for 176x144, 4:2:0, 8 bits and level 5 (3.1), as an ordinary encoder writes it.
    private static func sequence(level: Int = 5, deep: String = "0", screen: String = "1 1") -> BitString {
        BitString.joined([
            BitString("000 0 0 0 0"), .u(0, 5), .u(0, 12), .u(level, 5), BitString(level > 7 ? "1" : ""), .u(7, 4),
            .u(7, 4),
            .u(175, 8), .u(143, 8), BitString("0 000 0000 1 00"), BitString(screen), .u(6, 3), BitString("0 1 0"),
            BitString(deep), BitString("0 0 0"), .u(1, 2), BitString("0 0"),
        ])
    }

    private static func unit(_ kind: Int, _ payload: [UInt8]) -> [UInt8] {
        [UInt8(kind << 3 | 2), UInt8(payload.count)] + payload
    }

    private static let header = unit(1, sequence().payload)
    private static let delimiter = unit(2, [])
    /// A keyframe's header: show_existing_frame, frame_type, show_frame, and the flags up to frame_size_override_flag.
    private static let key = unit(6, BitString("0 00 1 0 0 0 1011").bytes)
    private static let inter = unit(6, BitString("0 01 1 0 0 0 0 1011").bytes)
    private static let hidden = unit(6, BitString("0 01 0 0 0 0 0 0 1011").bytes)
    private static let shown = unit(3, BitString("1 010").bytes)

    private func av1(_ packet: [UInt8], _ sequence: AV1SequenceHeader? = nil) -> (
        isStart: Bool, sequence: AV1SequenceHeader?
    )? {
        packet.withUnsafeBufferPointer { AV1Packet.facts($0, sequence) }
    }

    @Test func sequencesOfAV1() throws {
        let facts = try #require(AV1SequenceHeader(Self.sequence().payload))
        #expect(facts.width == 176 && facts.height == 144 && facts.profile == 0 && facts.level == 5 && !facts.isStill)
        #expect(facts.operatingPoints == 1 && facts.screenContent == 2 && facts.integerMotion == 2)
        // Profile and level; then tier, depth, chroma subsampled in both directions and sited to the left (AV1-ISOBMFF
        // 2.3.3).
        #expect(facts.configuration == [0x81, 0x05, 0x0D, 0])
        let high = try #require(AV1SequenceHeader(Self.sequence(level: 13, deep: "1", screen: "0 1 0 0").payload))
        #expect(high.configuration == [0x81, 13, 0x80 | 0x4D, 0] && high.screenContent == 1 && high.integerMotion == 0)
        #expect(facts.unit == Self.header)
        for count in 0..<6 { #expect(AV1SequenceHeader(Self.sequence().payload.prefix(count)) == nil) }
    }

    @Test func packetsOfAV1() throws {
        let start = try #require(av1(Self.delimiter + Self.header + Self.key))
        #expect(start.isStart && start.sequence?.width == 176)
        let sequence = try #require(start.sequence)
        #expect(av1(Self.delimiter + Self.inter, sequence)?.isStart == false)
        #expect(av1(Self.delimiter + Self.hidden + Self.inter, sequence)?.isStart == false)
        #expect(av1(Self.delimiter + Self.shown, sequence)?.isStart == false)
        #expect(av1(Self.inter + Self.inter, sequence) == nil, "two frames are shown")
        #expect(av1(Self.hidden, sequence) == nil, "none is shown")
        #expect(av1(Self.inter) == nil, "what it is read with is not known")
        #expect(av1([0x32, 0xFF, 0xFF], sequence) == nil, "its length doesn't end")
        #expect(av1(Self.unit(8, []) + Self.inter, sequence) == nil, "tile lists are not copied")
        #expect(AV1Packet.sequence(header: [0x81, 5, 12, 0] + Self.header) == sequence)
        #expect(AV1Packet.sequence(header: Self.header) == sequence && AV1Packet.sequence(header: []) == nil)
    }

    // MARK: VP9 (bitstream specification 6.2, annex B)

    private static func keyframe(profile: String = "0 0", form: String = "010 0", width: Int = 320) -> [UInt8] {
        BitString.joined([
            BitString("10"), BitString(profile), BitString("0 0 1 0"), .u(0x498342, 24), BitString(form),
            .u(width - 1, 16), .u(179, 16), .u(0, 24),
        ]).bytes
    }

    /// An inter frame with the size of its first reference.
    private static func interframe(isShown: Bool) -> [UInt8] {
        let head = isShown ? "10 0 0 0 1 1 0 00" : "10 0 0 0 1 0 0 0 00"
        return (BitString(head) + .u(1, 8) + .u(0, 12) + BitString("1 1010 1010")).bytes
    }

    private func vp9(
        _ packet: [UInt8], size: (width: Int, height: Int)? = (320, 180)
    ) -> (isStart: Bool, form: VP9Packet.Form?)? {
        packet.withUnsafeBufferPointer { VP9Packet.facts($0, size: size) }
    }

    @Test func packetsOfVP9() throws {
        let start = try #require(vp9(Self.keyframe()))
        let form = try #require(start.form)
        #expect(start.isStart && form.profile == 0 && form.depth == 8 && form.subsampling == [true, true])
        #expect(vp9(Self.keyframe(width: 640)) == nil, "another size")
        #expect(vp9(Self.keyframe(profile: "0 1", form: "0 010 0"))?.form?.depth == 10)
        let full = vp9(Self.keyframe(profile: "1 0", form: "010 0 0 0 0"))?.form
        #expect(full?.profile == 1 && full?.subsampling == [false, false])
        #expect(vp9(Self.interframe(isShown: true))?.isStart == false)
        #expect(vp9(Self.interframe(isShown: false)) == nil, "no frame is shown")
        #expect(vp9([0x40, 0]) == nil && vp9([]) == nil, "no frame marker")
    }

    @Test func superframesOfVP9() {
        let (hidden, shown) = (Self.interframe(isShown: false), Self.interframe(isShown: true))
        let index: [UInt8] = [0xC1, UInt8(hidden.count), UInt8(shown.count), 0xC1]
        #expect(vp9(hidden + shown + index)?.isStart == false)
        #expect(
            vp9(Self.keyframe() + hidden + [0xC1, UInt8(Self.keyframe().count), UInt8(hidden.count), 0xC1])?.isStart
                == true)
        let two = vp9(shown + shown + [0xC1, UInt8(shown.count), UInt8(shown.count), 0xC1])
        #expect(two == nil, "two frames are shown")
        #expect(vp9(shown + [0xC1, 200, 200, 0xC1]) == nil, "the sizes don't add up")
    }

    // MARK: AAC (ISO/IEC 14496-3 1.6.2.1)

    private func aac(_ text: String) -> AACHeader? { AACHeader(BitString(text).bytes) }

    @Test func headersOfAAC() throws {
        let header = try #require(aac("00010 0011 0010 0 0 0"))
        #expect(header.rate == 3 && header.channels == 2)
        #expect(aac("00101 0110 0010 0011 00010 000") == nil, "HE-AAC says so by its type")
        #expect(aac("00010 1111 " + String(repeating: "0", count: 24) + "0010 000") == nil, "a rate of no code")
        #expect(aac("00010 0011 0000 000") == nil, "channels of no code")
        #expect(aac("00010 0011 0010 100") == nil, "frames of 960 samples")
        #expect(aac("00010 0011 0010 010") == nil, "a core coder")
        #expect(AACHeader([]) == nil && AACHeader([0x11]) == nil)
    }
}

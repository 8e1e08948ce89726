import FlipBitstream
import TestSupport
import Testing

/// IDR pictures that meet at a join (ITU-T H.264 7.3.3, 7.4.3), and pictures that repeat others.
@Suite struct IDRPicturesTests {
    private static let sets: [[UInt8]] = [
        H264SPSTests.Sequence(frameNumber: 0).unit, H264SPSTests.picture(0, sequence: 0),
    ]
    private static let header = CodedHeader(afterStartCodes: sets.flatMap { [0, 0, 0, 1] + $0 }, .h264)
    /// Bits that represent the coded macroblocks.
    private static let rest = BitString("1011 0000 0000 0000 0000 0000 0011 0101")

    /// An IDR picture of two slices, the second of which begins with macroblock 40.
    private static func picture(_ identity: Int) -> [UInt8] {
        [0, 40].flatMap { macroblock in
            let slice = BitString.joined([BitString.ue(macroblock), .ue(7), .ue(0), .u(0, 4), .ue(identity), rest])
            return [0, 0, 0, 1] + slice.unit([0x65])
        }
    }

    private func told(_ pictures: inout IDRPictures, _ packet: [UInt8], isKey: Bool = true) -> [UInt8]? {
        packet.withUnsafeBufferPointer { pictures.toldApart($0, isKey: isKey) }
    }

    @Test func neighborsGetDifferentNumbers() {
        var pictures = IDRPictures(Self.header)
        #expect(told(&pictures, Self.picture(0)) == nil)
        #expect(told(&pictures, Self.picture(0)) == Self.picture(16), "its code is eight bits longer")
        #expect(told(&pictures, Self.picture(0)) == nil, "0 is not 16")
        #expect(told(&pictures, Self.picture(1)) == nil)
        #expect(told(&pictures, [0, 0, 0, 1, 0x41, 0x9A], isKey: false) == nil)
        #expect(told(&pictures, Self.picture(1)) == nil, "another picture stands between them")
    }

    @Test(arguments: [0, 1, 2, 3, 14, 15, 254, 4094, 4095, 32766, 32767, 65534, 65535])
    func theOtherNumberFits(value: Int) {
        let other = IDRPictures.other(than: value)
        #expect(other != value && (0...65535).contains(other) && abs(other - value) > 1)
        #expect((BitString.ue(other).text.count - BitString.ue(value).text.count) % 8 == 0)
    }

    /// A picture that repeats the last one; nil if the last one can't be repeated. The header is like x264's: 4 bits of
    /// frame_num, and pictures output in decoding order.
    private func repeated(lastIsReference: Bool) throws -> [UInt8]? {
        var picture = try #require(RepeatedPicture(after: Self.sets.flatMap { [0, 0, 0, 1] + $0 }))
        let noted = Self.picture(0).withUnsafeBufferPointer { picture.note($0, time: 0) }
        let next =
            [0, 0, 0, 1]
            + BitString.joined([BitString.ue(0), .ue(5), .ue(0), .u(1, 4)]).unit([lastIsReference ? 0x41 : 0x01])
        let followed = next.withUnsafeBufferPointer { picture.note($0, time: 1) }
        #expect(noted && followed)
        return picture.next()
    }

    /// A repeated picture is a P slice with mb_skip_run over all 99 macroblocks (7.3.4) that uses the free picture
    /// parameter set 1.
    @Test func aPictureIsRepeated() throws {
        let slice = BitString.joined([
            BitString.ue(0), .ue(5), .ue(1), .u(2, 4), BitString("0 0 0"), .ue(0), .ue(1), .ue(99),
        ]).unit([0x61])
        #expect(try repeated(lastIsReference: true) == [0, 0, 0, 1] + slice)
    }

    /// A picture that is not a reference can't be repeated.
    @Test func aPictureThatIsNoReferenceIsNotRepeated() throws {
        #expect(try repeated(lastIsReference: false) == nil)
    }
}

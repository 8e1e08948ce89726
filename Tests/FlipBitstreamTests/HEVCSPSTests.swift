import FlipBitstream
import TestSupport
import Testing

/// HEVC parameter sets, written bit by bit (ITU-T H.265 7.3.2, 7.3.3; ISO/IEC 14496-15 8.3.3.1).
@Suite struct HEVCSPSTests {
    /// The general part of profile_tier_level: profile_space, tier and profile; compatibility flags; constraint flags;
    /// level.
    private static func general(profile: Int, progressive: String = "10") -> BitString {
        BitString.joined([
            BitString.u(profile, 8), .u(0x6000, 16), .u(0, 16), BitString(progressive), .u(1, 2), .u(0, 44), .u(93, 8),
        ])
    }

    private static func sequence(
        video: Int = 0, id: Int = 0, profile: Int = 1, subLayers: BitString? = nil, depths: (Int, Int) = (0, 0),
        chroma: Int = 1, separatePlanes: String = "0", progressive: String = "10"
    ) -> [UInt8] {
        let layers = subLayers == nil ? 0 : 2
        return BitString.joined([
            BitString.u(video, 4), .u(layers, 3), BitString("1"), general(profile: profile, progressive: progressive),
            subLayers ?? BitString(""), .ue(id), .ue(chroma), BitString(chroma == 3 ? separatePlanes : ""), .ue(176),
            .ue(144),
            BitString("1"), .ue(0), .ue(1), .ue(2), .ue(3), .ue(depths.0), .ue(depths.1), .ue(4), BitString("10110111"),
        ]).unit([0x42, 1])
    }

    /// The two sub-layers below the highest: the first with profile and level, the second with its level only.
    private static let layers = BitString.joined([BitString("11 01 00 00 00 00 00 00"), general(profile: 1), .u(60, 8)])

    private static func video(_ id: Int) -> [UInt8] {
        (BitString.joined([
            BitString.u(id, 4), BitString("11 000000 000 1"), .u(0xFFFF, 16), general(profile: 1), BitString("0110"),
        ]))
        .unit([0x40, 1])
    }

    private static func picture(_ id: Int, sequence: Int) -> [UInt8] {
        BitString.joined([BitString.ue(id), .ue(sequence), BitString("0 0 000 1 0")]).unit([0x44, 1])
    }

    private func read(_ unit: [UInt8]) -> HEVCSPS? { ParameterSet(unit, .hevc).flatMap { HEVCSPS($0) } }

    @Test func fieldsAreRead() throws {
        let facts = try #require(read(Self.sequence()))
        #expect(facts.profile == 1 && facts.level == 93 && facts.depth == 8 && facts.subLayers == 1 && facts.isNested)
        #expect(!facts.mayBeInterlaced && !facts.isHighTier)
        let deep = try #require(read(Self.sequence(profile: 2 | 32, depths: (2, 2))))
        #expect(deep.profile == 2 && deep.depth == 10 && deep.isHighTier)
        #expect(read(Self.sequence(progressive: "01"))?.mayBeInterlaced == true)
        for chroma in 1...3 {
            let facts = try #require(read(Self.sequence(profile: 4, depths: (2, 2), chroma: chroma)))
            #expect(facts.chroma == chroma && facts.depth == 10)
        }
        #expect(read(Self.sequence(chroma: 0)) == nil && read(Self.sequence(depths: (0, 2))) == nil)
        #expect(read(Self.sequence(profile: 4, chroma: 3, separatePlanes: "1")) == nil)
        #expect(read(Self.sequence(profile: 9)) == nil, "screen content coding is not copied")
    }

    @Test func subLayersAreSkipped() throws {
        let facts = try #require(read(Self.sequence(id: 5, subLayers: Self.layers)))
        #expect(facts.subLayers == 3 && facts.depth == 8)
        let set = try #require(ParameterSet(Self.sequence(video: 2, id: 5, subLayers: Self.layers), .hevc))
        #expect(set.id == 5 && set.parentID == 2)
        #expect(set.renumbered(id: 12, parentID: 7)?.unit == Self.sequence(video: 7, id: 12, subLayers: Self.layers))
    }

    @Test func setsAreRenumbered() throws {
        let video = try #require(ParameterSet(Self.video(3), .hevc))
        #expect(video.id == 3 && video.parentID == nil && video.renumbered(id: 9, parentID: nil)?.unit == Self.video(9))
        let picture = try #require(ParameterSet(Self.picture(1, sequence: 4), .hevc))
        #expect(picture.id == 1 && picture.parentID == 4)
        #expect(picture.renumbered(id: 63, parentID: 0)?.unit == Self.picture(63, sequence: 0))
        #expect(ParameterSet(Self.picture(64, sequence: 0), .hevc) == nil)
        #expect(ParameterSet(Self.sequence(id: 16), .hevc) == nil)
    }

    @Test func recordsHoldTheSets() throws {
        let units = [Self.video(0), Self.sequence(), Self.picture(0, sequence: 0)]
        var record: [UInt8] = [1] + Self.general(profile: 1).bytes
        record += [0xF0, 0, 0xFC, 0xFD, 0xF8, 0xF8, 0, 0, 0x0F, 3]
        for (type, unit) in zip([32, 33, 34], units) {
            record += [0x80 | UInt8(type), 0, 1, 0, UInt8(unit.count)] + unit
        }
        let header = try #require(CodedHeader(hvcC: record))
        #expect(header.framing == .lengths(4) && header.sets.all.map(\.unit) == units)
        #expect(header.hvcC == record)
        for count in 0..<record.count {
            #expect(CodedHeader(hvcC: Array(record.prefix(count))) == nil, "\(count) bytes")
        }
    }

    /// At a join, a CRA picture is rewritten as BLA_W_RADL, with the new number of its set, and with
    /// no_output_of_prior_pics_flag cleared, which concerned another clip (7.3.6.1).
    @Test func slicesAreRewritten() throws {
        let sets = [Self.video(0), Self.sequence(), Self.picture(0, sequence: 0)]
        let own = CodedHeader(afterStartCodes: sets.flatMap { [0, 0, 1] + $0 }, .hevc)
        let others = [Self.video(0), Self.sequence(depths: (0, 0), progressive: "11"), Self.picture(0, sequence: 0)]
        var output = CodedHeader(framing: .lengths(4))
        let addedOthers = output.add(CodedHeader(afterStartCodes: others.flatMap { [0, 0, 1] + $0 }, .hevc), .hevc)
        try #require(addedOthers != nil)
        let added = output.add(own, .hevc)
        var rewriter = try #require(added)
        let rest = BitString("0110 1000 0000 0111 1010")
        let slice = { (type: UInt8, dropsPictures: String, set: Int) in
            BitString.joined([BitString("1"), BitString(dropsPictures), .ue(set), rest]).unit([type << 1, 1])
        }
        let packet = [0, 0, 0, 1] + slice(21, "1", 0)
        let written = try #require(packet.withUnsafeBufferPointer { rewriter.rewritten($0, isStart: true) })
        let meant = slice(17, "0", 15)
        #expect(written.bytes == [0, 0, 0, UInt8(meant.count)] + meant && written.isKey)
        let other = [0, 0, 0, 1] + slice(1, "", 0)
        let kept = try #require(other.withUnsafeBufferPointer { rewriter.rewritten($0, isStart: false) })
        let plain = slice(1, "", 15)
        #expect(kept.bytes == [0, 0, 0, UInt8(plain.count)] + plain && !kept.isKey)
    }
}

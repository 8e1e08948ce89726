import FlipBitstream
import TestSupport
import Testing

/// H.264 parameter sets, written bit by bit (ITU-T H.264 7.3.2.1, 7.3.2.2, E.1).
@Suite struct H264SPSTests {
    /// A sequence parameter set for 176x144, Main profile and level 3. A frame has 99 macroblocks; the level's buffer
    /// holds 8100, which is more than 16 frames.
    struct Sequence {
        var profile = 77
        var constraints = 0
        var level = 30
        var id = 0
        /// The fields from chroma_format_idc to the scaling lists, which the High profiles have.
        var high = BitString("")
        var frameNumber = 0
        var pictureOrderCount = BitString.ue(2)
        var references = 1
        var size = (11, 9)
        var fields = BitString("1")
        var usability = BitString("0")

        var unit: [UInt8] {
            BitString.joined([
                .u(profile, 8), .u(constraints, 8), .u(level, 8), .ue(id), high, .ue(frameNumber), pictureOrderCount,
                .ue(references), BitString("0"), .ue(size.0 - 1), .ue(size.1 - 1), fields,
                BitString("1"),  // direct_8x8_inference_flag
                BitString("1"), .ue(0), .ue(1), .ue(2), .ue(3),  // frame cropping
                usability,
            ]).unit([0x67])
        }

        /// The parsed set; nil if it is refused.
        var facts: H264SPS? { ParameterSet(unit, .h264).flatMap { H264SPS($0) } }

        func read() throws -> H264SPS { try #require(facts) }
    }

    /// All parts of the video usability information (VUI), including the bitstream restrictions.
    static func usability(reordered: Int, buffered: Int) -> BitString {
        BitString.joined([
            BitString("1"),
            BitString("1"), .u(255, 8), .u(4, 16), .u(3, 16),  // aspect ratio
            BitString("1 1"),  // overscan
            BitString("1 101 1 1"), .u(1, 8), .u(1, 8), .u(1, 8),  // video signal type
            BitString("1"), .ue(0), .ue(2),  // chroma location
            BitString("1"), .u(1, 32), .u(50, 32), BitString("1"),  // timing
            BitString("1"), .ue(1), .u(3, 4), .u(4, 4),  // NAL HRD with two buffers
            .ue(9), .ue(99), BitString("1"), .ue(0), .ue(1000), BitString("0"), .u(23, 5), .u(23, 5), .u(23, 5),
            .u(24, 5),
            BitString("0"),  // VCL HRD
            BitString("0"),  // low_delay_hrd_flag
            BitString("1"),  // pic_struct_present_flag
            BitString("1 1"), .ue(0), .ue(0), .ue(11), .ue(11), .ue(reordered), .ue(buffered),
        ])
    }

    @Test func fieldsAreRead() throws {
        let facts = try Sequence(
            constraints: 0x40, id: 3, frameNumber: 4, pictureOrderCount: BitString.ue(0) + .ue(2), references: 4
        ).read()
        #expect(facts.profile == 77 && facts.constraints == 0x40 && facts.level == 30 && facts.depth == 8)
        #expect(facts.log2MaxFrameNum == 8 && facts.pictureOrderCount == .lsb(bits: 6) && facts.references == 4)
        #expect(facts.macroblocks == (11, 9) && !facts.mayBeInterlaced)
        #expect(try Sequence(fields: BitString("0 1")).read().mayBeInterlaced)
        // A picture order count cycle of two frames.
        let cycle = BitString.joined([BitString.ue(1), BitString("0"), .ue(4), .ue(3), .ue(2), .ue(1), .ue(2)])
        #expect(try Sequence(pictureOrderCount: cycle).read().pictureOrderCount == .cycle)
    }

    /// Scaling lists are skipped: absent ones, ones that end early, complete ones, and those of 8x8 coefficients
    /// (7.3.2.1.1.1).
    @Test func scalingListsAreSkipped() throws {
        let whole = [BitString("1")] + (0..<16).map { _ in BitString.ue(1) }
        // A delta of -8 makes the next scale 0, so the rest repeats the last scale.
        let short = [BitString("1"), .ue(16)]
        let large = [BitString("1")] + (0..<64).map { _ in BitString.ue(0) }
        let none = BitString("0")
        let lists = whole + [none] + short + [none, none, none] + large + [none]
        let high = BitString.joined([.ue(1), .ue(2), .ue(2), BitString("0 1")] + lists)
        let facts = try Sequence(profile: 110, high: high, frameNumber: 1, references: 5).read()
        #expect(facts.depth == 10 && facts.log2MaxFrameNum == 5 && facts.references == 5)
        #expect(facts.macroblocks == (11, 9))
    }

    /// 4:4:4 has four more scaling lists.
    @Test func chromaFormatsAreRead() throws {
        let none = Array(repeating: BitString("0"), count: 8)
        let half = BitString.joined([.ue(2), .ue(2), .ue(2), BitString("0 1")] + none)
        let facts = try Sequence(profile: 122, high: half, references: 3).read()
        #expect(facts.chroma == 2 && facts.depth == 10 && facts.references == 3)
        let whole = BitString.joined(
            [.ue(3), BitString("0"), .ue(0), .ue(0), BitString("0 1")] + none + none.prefix(4))
        let other = try Sequence(profile: 244, high: whole, references: 3).read()
        #expect(other.chroma == 3 && other.depth == 8 && other.references == 3)
        #expect(try Sequence(profile: 77).read().chroma == 1)
    }

    @Test func whatIsNotCopiedIsRefused() {
        let formats = [
            BitString.joined([BitString.ue(0), .ue(0), .ue(0), BitString("0 0")]),  // without chroma
            BitString.joined([BitString.ue(3), BitString("1"), .ue(0), .ue(0), BitString("0 0")]),  // separate planes
            BitString.joined([BitString.ue(1), .ue(2), .ue(0), BitString("0 0")]),  // differing luma and chroma depths
            BitString.joined([BitString.ue(1), .ue(0), .ue(0), BitString("1 0")]),  // lossless
        ]
        for high in formats { #expect(Sequence(profile: 100, high: high).facts == nil) }
        for profile in [88, 44, 118] { #expect(Sequence(profile: profile).facts == nil) }
        // Impossible sizes and values.
        #expect(Sequence(size: (1 << 20, 1 << 20)).facts == nil)
        #expect(Sequence(frameNumber: 13).facts == nil)
        #expect(Sequence(references: 17).facts == nil)
        // A set that is cut off anywhere.
        let unit = Sequence().unit
        for count in 1..<unit.count - 4 {
            #expect(ParameterSet(Array(unit.prefix(count)), .h264).flatMap { H264SPS($0) } == nil, "\(count) bytes")
        }
    }

    /// The buffer's size is the one that the level implies (table A-1), or the one stated (E.2.1); for 1920x1088, which
    /// has 8160 macroblocks.
    @Test func theBufferIsTheLevelsOrWhatIsSaid() throws {
        let large = (120, 68)
        for (level, frames) in [(31, 2), (40, 4), (42, 4), (50, 13), (51, 16), (62, 16)] {
            #expect(try Sequence(level: level, size: large).read().bufferedFrames == frames, "level \(level)")
        }
        // Level 1b holds 396 macroblocks and level 1.1 holds 900, with 99 per frame.
        #expect(try Sequence(profile: 66, constraints: 0x10, level: 11).read().bufferedFrames == 4)
        #expect(try Sequence(profile: 66, level: 11).read().bufferedFrames == 9)
        let said = Self.usability(reordered: 2, buffered: 3)
        #expect(try Sequence(level: 40, references: 2, size: large, usability: said).read().bufferedFrames == 3)
        // A clip that violates its level still needs its reference frames.
        #expect(try Sequence(level: 40, references: 8, size: large).read().bufferedFrames == 8)
    }

    @Test(arguments: [(0, 5), (7, 0), (3, 31)]) func aSequenceIsRenumbered(from old: Int, to new: Int) throws {
        let set = try #require(
            ParameterSet(Sequence(id: old, usability: Self.usability(reordered: 1, buffered: 4)).unit, .h264))
        #expect(set.id == old && set.kind == .sequence)
        let meant = Sequence(id: new, usability: Self.usability(reordered: 1, buffered: 4)).unit
        #expect(set.renumbered(id: new, parentID: nil)?.unit == meant)
    }

    static func picture(_ id: Int, sequence: Int) -> [UInt8] {
        BitString.joined([
            BitString.ue(id), .ue(sequence), BitString("1 0"), .ue(0), .ue(2), .ue(0), BitString("1 10"), .ue(5),
            .ue(0), .ue(4), BitString("1 0 0"),
        ]).unit([0x68])
    }

    @Test func aPictureSetIsRenumbered() throws {
        let set = try #require(ParameterSet(Self.picture(2, sequence: 1), .h264))
        #expect(set.id == 2 && set.parentID == 1 && set.kind == .picture)
        #expect(set.renumbered(id: 200, parentID: 9)?.unit == Self.picture(200, sequence: 9))
        #expect(set.renumbered(id: 3, parentID: nil) == nil, "it belongs to a sequence")
        #expect(ParameterSet(Self.picture(256, sequence: 0), .h264) == nil, "the numbers end at 255")
        #expect(ParameterSet(Self.picture(0, sequence: 32), .h264) == nil, "the numbers end at 31")
    }

    /// The data after a picture parameter set's number in a slice must keep its bit offset within a byte.
    @Test func numbersThatFitAreAsLongOrAByteLonger() {
        #expect(Renumbering.fits(0, 0) && Renumbering.fits(1, 2) && Renumbering.fits(0, 15) && Renumbering.fits(30, 0))
        #expect(!Renumbering.fits(0, 1) && !Renumbering.fits(2, 3) && !Renumbering.fits(0, 31))
    }

    /// The configuration record holds the parameter sets (ISO/IEC 14496-15 5.3.3.1).
    @Test func recordsHoldTheSets() throws {
        let (sequence, picture) = (Sequence().unit, Self.picture(0, sequence: 0))
        let record: [UInt8] =
            [1, 77, 0, 30, 0xFF, 0xE1, 0, UInt8(sequence.count)] + sequence + [1, 0, UInt8(picture.count)] + picture
        let header = try #require(CodedHeader(avcC: record))
        #expect(header.framing == .lengths(4) && header.sets.all.map(\.unit) == [sequence, picture])
        #expect(header.avcC == record)
        var short = record
        short[4] = 0xFC
        #expect(CodedHeader(avcC: short)?.framing == .lengths(1))
        for count in 0..<record.count {
            #expect(CodedHeader(avcC: Array(record.prefix(count))) == nil, "\(count) bytes")
        }
        #expect(header.annexB == [0, 0, 0, 1] + sequence + [0, 0, 0, 1] + picture)
    }

    /// When the parameter sets of several clips are merged, equal ones are shared, and others get numbers of their own.
    @Test func setsOfTwoTracksGoTogether() throws {
        let header = { (sequence: Sequence) in
            CodedHeader(
                afterStartCodes: [0, 0, 0, 1] + sequence.unit + [0, 0, 1] + Self.picture(0, sequence: sequence.id),
                .h264)
        }
        var sets = ParameterSets()
        let addedFirst = sets.add(header(Sequence()).sets)
        let first = try #require(addedFirst)
        let addedSecond = sets.add(header(Sequence(references: 4)).sets)
        let second = try #require(addedSecond)
        let addedThird = sets.add(header(Sequence(id: 7)).sets)
        let third = try #require(addedThird)
        #expect(first.numbers[.sequence] == [0: 0] && first.numbers[.picture] == [0: 0])
        #expect(
            second.numbers[.sequence] == [0: 1] && second.numbers[.picture] == [0: 15], "15 is 0's length and 8 bits")
        #expect(third.numbers[.sequence] == [7: 0] && third.numbers[.picture] == [0: 0], "it is the first one's")
        #expect(sets.all.count == 4)
        #expect(sets.all.map(\.unit).last == Self.picture(15, sequence: 1))
    }
}

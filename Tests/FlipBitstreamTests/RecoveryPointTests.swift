import FlipBitstream
import TestSupport
import Testing

/// Copies of H.264 that begin with a recovery point, and PPSs that change, written bit by bit (ITU-T H.264 7.3.3, D.1.8).
@Suite struct RecoveryPointTests {
    /// recovery_point: recovery_frame_cnt, exact_match_flag, broken_link_flag, changing_slice_group_idc.
    private static func message(_ count: Int = 0, isBroken: Bool = false) -> [UInt8] {
        let payload = BitString.joined([.ue(count), BitString("0"), BitString(isBroken ? "1" : "0"), .u(0, 2)]).payload
        return [6, 6, UInt8(payload.count)] + payload + [0x80]
    }

    /// A PPS of CAVLC without weights, whose slices state the order of bottom fields and how they are deblocked.
    private static func plainSet(_ id: Int = 0, quantizer: Int = 0) -> [UInt8] {
        BitString.joined([
            .ue(id), .ue(0), BitString("0 1"), .ue(0), .ue(0), .ue(0), BitString("0 00"), .ue(quantizer), .ue(0),
            .ue(0),
            BitString("1 0 0"),
        ]).unit([0x68])
    }

    private static let ordered = H264SPSTests.Sequence(pictureOrderCount: BitString.ue(0) + .ue(2), references: 2).unit

    private static func packet(_ units: [UInt8]...) -> [UInt8] { units.flatMap { [0, 0, 1] + $0 } }

    private func role(_ parser: inout PacketParser, _ packet: [UInt8]) throws -> PacketRole {
        try packet.withUnsafeBufferPointer { try parser.role(of: $0).get() }
    }

    private func rewritten(_ rewriter: inout NALRewriter, _ packet: [UInt8], isStart: Bool = false) throws -> [[UInt8]]
    {
        let result = packet.withUnsafeBufferPointer { rewriter.rewritten($0, isStart: isStart) }
        let bytes = try #require(result).bytes
        return bytes.withUnsafeBufferPointer { bytes in
            (NALUnit.ranges(bytes, .lengths(4)) ?? []).map { Array(bytes[$0]) }
        }
    }

    /// The rewriter of a stream that `parser` has read.
    private func rewriter(_ parser: PacketParser) throws -> NALRewriter {
        var output = CodedHeader(framing: .lengths(4))
        let added = output.add(parser.header, .h264)
        return try #require(added)
    }

    private static func parser(_ sets: [UInt8]...) -> PacketParser {
        PacketParser(CodedHeader(afterStartCodes: sets.flatMap { [0, 0, 1] + $0 }, .h264), .h264)
    }

    /// An I slice with frame_num 9 and order 50, whose bottom field is shown first.
    private static let intra = BitString.joined([
        .ue(0), .ue(7), .ue(0), .u(9, 4), .u(50, 6), .ue(2), BitString("1"), .ue(1), .ue(0), .ue(0), .ue(3), .ue(0),
        .ue(0), .ue(0), BitString("1011 0010 1"),
    ]).unit([0x21])

    @Test func whatMarksARecoveryPointIsTold() throws {
        var parser = Self.parser(Self.ordered, Self.plainSet())
        #expect(try role(&parser, Self.packet(Self.intra)) == .other, "nothing says so")
        #expect(try role(&parser, Self.packet(Self.message(1), Self.intra)) == .other, "one frame later")
        #expect(try role(&parser, Self.packet(Self.message(isBroken: true), Self.intra)) == .other)
        let predicted = BitString.joined([
            .ue(0), .ue(5), .ue(0), .u(9, 4), .u(50, 6), .ue(0), BitString("0 0 0"), .ue(0), .ue(1),
        ])
        #expect(try role(&parser, Self.packet(Self.message(), predicted.unit([0x21]))) == .other)
        #expect(!parser.header.hasRecoveryPoints)
        #expect(try role(&parser, Self.packet(Self.message(), Self.intra)) == .openStart)
        #expect(parser.header.hasRecoveryPoints)
    }

    /// The picture becomes an IDR picture, and what follows counts from it. Commands about pictures from before it are left out.
    @Test func aStretchBeginsWithIt() throws {
        var parser = Self.parser(Self.ordered, Self.plainSet())
        let start = Self.packet(Self.message(), Self.intra)
        #expect(try role(&parser, start) == .openStart)
        var rewriter = try rewriter(parser)
        let opened = BitString.joined([
            .ue(0), .ue(7), .ue(0), .u(0, 4), .ue(0), .u(1, 6), .ue(2), BitString("0 0"), .ue(3), .ue(0), .ue(0),
            .ue(0),
            BitString("1011 0010 1"),
        ]).unit([0x25])
        #expect(try rewritten(&rewriter, start, isStart: true) == [Self.message(), opened])
        let predicted = { (number: Int, order: Int, marking: [BitString], header: UInt8) in
            BitString.joined(
                [.ue(0), .ue(5), .ue(0), .u(number, 4), .u(order, 6), .ue(1), BitString("0 0 1")] + marking
                    + [.ue(0), .ue(4), .ue(1), BitString("0110 1")]
            ).unit([header])
        }
        // Frame 10 takes frames 9 (the recovery point) and 6 out of use, makes frame 4 one for long, and drops such a one.
        let own: [BitString] = [.ue(1), .ue(0), .ue(2), .ue(1)]
        let all: [BitString] = own + [.ue(1), .ue(3), .ue(3), .ue(5), .ue(0)]
        #expect(try rewritten(&rewriter, Self.packet(predicted(10, 52, all, 0x41))) == [predicted(1, 3, own, 0x41)])
        // Numbers begin anew at 16 and 64. Now the same commands are about pictures of the stretch.
        #expect(try rewritten(&rewriter, Self.packet(predicted(8, 2, all, 0x41))) == [predicted(15, 17, all, 0x41)])
        #expect(try rewritten(&rewriter, Self.packet(predicted(9, 4, all, 0x41))) == [predicted(0, 19, all, 0x41)])
        // An IDR picture ends it.
        let next = BitString.joined([.ue(0), .ue(7), .ue(0), .u(0, 4), .ue(3), .u(0, 6), .ue(0)]).unit([0x65])
        #expect(try rewritten(&rewriter, Self.packet(next)) == [next])
        #expect(try rewritten(&rewriter, Self.packet(predicted(1, 4, all, 0x41))) == [predicted(1, 4, all, 0x41)])
        // Inside of a stretch the recovery point is as it was.
        var other = try self.rewriter(parser)
        #expect(try rewritten(&other, start) == [Self.message(), Self.intra])
    }

    /// What CABAC has coded begins with a byte, and weights are passed over.
    @Test func codedBytesStayWhole() throws {
        var parser = Self.parser(H264SPSTests.Sequence(references: 2).unit, H264SPSTests.picture(0, sequence: 0))
        let data = BitString("1010 0101 0000 0000 0000 0000 0000 0001 1100 0000")
        let intra = BitString.joined([
            .ue(0), .ue(7), .ue(0), .u(9, 4), BitString("0"), .ue(1), .ue(1), BitString("1111"),
        ])
        let start = Self.packet(Self.message(), (intra + data).unit([0x21]))
        #expect(try role(&parser, start) == .openStart)
        var rewriter = try rewriter(parser)
        let opened = BitString.joined([
            .ue(0), .ue(7), .ue(0), .u(0, 4), .ue(0), BitString("0 0"), .ue(1), .ue(1), BitString("11"),
        ])
        #expect(try rewritten(&rewriter, start, isStart: true) == [Self.message(), (opened + data).unit([0x25])])
        // Two references in another order, the first with a weight of luma, the second with weights of chroma.
        let middle = BitString.joined([
            BitString("1"), .ue(1), BitString("1"), .ue(0), .ue(0), .ue(3), .ue(2), .ue(2), BitString("1"), .ue(3),
            .ue(0),
            BitString("0 0 1"), .ue(1), .ue(2), .ue(3), .ue(4),
        ])
        let predicted = { (number: Int, marking: [BitString]) in
            var bits = BitString.joined(
                [.ue(0), .ue(5), .ue(0), .u(number, 4), middle] + marking + [.ue(2), .ue(0), .ue(1)])
            while bits.text.count % 8 != 0 { bits = bits + BitString("1") }
            return (bits + data).unit([0x41])
        }
        let commands = [BitString("1"), .ue(1), .ue(9), .ue(0)]
        #expect(
            try rewritten(&rewriter, Self.packet(predicted(10, commands))) == [predicted(1, [BitString("1"), .ue(0)])])
    }

    /// PPSs that have the same ID one after the other get IDs of their own, and pictures name the one that was in force.
    @Test func setsMayChange() throws {
        var parser = Self.parser(Self.ordered, Self.plainSet())
        let slice = { (set: Int, type: UInt8) in
            BitString.joined([
                .ue(0), .ue(7), .ue(set), .u(0, 4), type == 0x65 ? .ue(0) : BitString(""), .u(8, 6), .ue(0),
            ])
            .unit([type])
        }
        let (key, other) = (Self.packet(slice(0, 0x65)), Self.packet(slice(0, 0x01)))
        #expect(try role(&parser, key) == .start)
        let changed = Self.packet(Self.plainSet(quantizer: 5), slice(0, 0x01))
        #expect(try role(&parser, changed) == .other)
        #expect(try role(&parser, key) == .other, "which of both counts depends on earlier packets")
        let complete = Self.packet(Self.plainSet(), slice(0, 0x65))
        #expect(try role(&parser, complete) == .start)
        var rewriter = try rewriter(parser)
        #expect(try rewritten(&rewriter, key, isStart: true) == [slice(0, 0x65)])
        #expect(try rewritten(&rewriter, other) == [slice(0, 0x01)])
        // 15 is as long as 0, and 8 bits.
        #expect(try rewritten(&rewriter, changed) == [slice(15, 0x01)])
        #expect(try rewritten(&rewriter, other) == [slice(15, 0x01)])
        #expect(try rewritten(&rewriter, complete) == [slice(0, 0x65)])
        // One that reads headers in another way is refused.
        let entropy = BitString.joined([
            .ue(0), .ue(0), BitString("1 1"), .ue(0), .ue(0), .ue(0), BitString("0 00"), .ue(0), .ue(0), .ue(0),
            BitString("1 0 0"),
        ]).unit([0x68])
        #expect(throws: CopyRefusal.self) { try role(&parser, Self.packet(entropy, slice(0, 0x01))) }
    }
}

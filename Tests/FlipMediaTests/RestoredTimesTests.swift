import FlipMedia
import Testing

/// PTS that a file leaves out, in streams that show a reference frame when the next one is decoded (ITU-T H.262 6.1.1.11).
@Suite struct RestoredTimesTests {
    private func index(_ packets: [(presentation: Int?, decoding: Int?)]) -> PacketIndex {
        var index = PacketIndex()
        index.entries = packets.map {
            PacketIndex.Entry(
                presentation: $0.presentation, decoding: $0.decoding, duration: 10, position: nil, isKey: false,
                isHidden: false,
                isDiscarded: false, isCorrupt: false, changesHeader: false)
        }
        index.restoreTimes()
        return index
    }

    /// I P B B P B B, of which a demuxer knows the PTS of B frames only: they are shown when they are decoded.
    @Test func referenceFramesAreShownWhenTheNextOneIsDecoded() {
        let restored = index([(nil, 0), (nil, 10), (20, 20), (30, 30), (nil, 40), (50, 50), (60, 60)])
        #expect(restored.entries.map(\.presentation) == [10, 40, 20, 30, 70, 50, 60])
        #expect(restored.restored == [0: 10, 1: 40, 4: 70])
    }

    /// A single PTS that is missing in the middle.
    @Test func aHoleIsFilled() {
        let restored = index([
            (10, 0), (40, 10), (20, 20), (30, 30), (nil, 40), (50, 50), (60, 60), (100, 70), (80, 80), (90, 90),
        ])
        #expect(restored.entries[4].presentation == 70 && restored.restored == [4: 70])
    }

    /// Without a DTS for each packet, and where no PTS is known, nothing tells when frames are shown.
    @Test func nothingIsMadeUp() {
        #expect(index([(10, 0), (nil, nil), (20, 20)]).restored.isEmpty)
        #expect(index([(nil, 0), (nil, 10)]).restored.isEmpty)
        #expect(index([(10, 0), (nil, 0), (20, 20)]).restored.isEmpty)
    }
}

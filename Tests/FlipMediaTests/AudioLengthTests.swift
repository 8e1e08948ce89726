import FlipBase
import FlipMedia
import Testing

@Suite struct AudioLengthTests {
    private func length(_ packets: [(time: Int?, duration: Int?)], from origin: Int) -> Rational {
        var length = AudioLength(timeBase: Rational(1, 10))
        for packet in packets { length.add(packet.time, duration: packet.duration) }
        return length.seconds(from: Rational(origin, 10))
    }

    @Test func endsWithTheLatestPacket() {
        #expect(length([(0, 5), (5, 5), (10, nil)], from: 0) == Rational(1))
        #expect(length([(20, 5), (10, 5)], from: 5) == Rational(2))
    }

    @Test func packetsWithoutTimesFollowOnTheOnesBefore() {
        #expect(length([(nil, 5), (nil, 5)], from: 30) == Rational(1))
        #expect(length([(0, 5), (nil, 5), (nil, 5)], from: 0) == Rational(3, 2))
        // The second packet begins before the first one ends, which is counted from the origin.
        #expect(length([(nil, 20), (5, 5), (nil, 5)], from: 0) == Rational(5, 2))
    }

    @Test func isNothingWhereAllLiesBeforeTheOrigin() {
        #expect(length([(0, 5)], from: 30) == .zero)
        #expect(length([], from: 30) == .zero)
    }
}

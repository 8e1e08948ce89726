/// A stretch of packets that an encoder of its own makes, on the grid of copied ones.
package struct SoundStretch: Sendable, Hashable {
    /// Numbers of the packets on the grid.
    package let packets: Range<Int>
    /// The output's sample at which packet 0 begins.
    package let grid: Int

    /// Packets that are encoded before those wanted, and thrown away: the first wanted one overlaps with the one before it as
    /// it would in the whole stream, and the encoder has found its feet.
    private static let preroll = 4

    package init(packets: Range<Int>, grid: Int) {
        self.packets = packets
        self.grid = grid
    }

    /// The output's samples that the encoder gets. A packet reaches over the next one as well.
    package var samples: Range<Int> {
        let first = grid + (packets.lowerBound - SoundStretch.preroll) * CodedSound.packetSamples
        return first..<grid + (packets.upperBound + 1) * CodedSound.packetSamples
    }

    /// Gives a packet, whose time counts from the first of `samples`, its time in the output; false where it is not wanted.
    func place(_ packet: Packet) -> Bool {
        guard let time = packet.presentationTime, packets.lowerBound < packets.upperBound else { return false }
        let place = samples.lowerBound + time
        let first = grid + packets.lowerBound * CodedSound.packetSamples
        guard place >= first, place < first + packets.count * CodedSound.packetSamples else { return false }
        packet.pointer.pointee.pts = Int64(place)
        packet.pointer.pointee.dts = Int64(place)
        return true
    }
}

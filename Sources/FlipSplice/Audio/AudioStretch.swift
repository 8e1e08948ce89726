import FlipBase
import FlipBitstream
import FlipMedia

/// A stretch of audio packets that is made by an encoder of its own, on the grid of the copied packets.
package struct AudioStretch: Sendable, Hashable {
    /// The packets' numbers on the grid.
    package let packets: Range<Int>
    /// The output sample at which packet 0 begins.
    package let grid: Int

    /// The number of packets that are encoded before the wanted ones and discarded, so that the first wanted packet
    /// overlaps with the one before it as in a continuous stream, and the encoder has settled.
    private static let preroll = 4

    package init(packets: Range<Int>, grid: Int) {
        self.packets = packets
        self.grid = grid
    }

    /// The output samples that the encoder gets. A packet's window also covers the samples of the next one.
    package var samples: Range<Int> {
        let first = grid + (packets.lowerBound - AudioStretch.preroll) * CodedAudio.packetSamples
        return first..<grid + (packets.upperBound + 1) * CodedAudio.packetSamples
    }

    /// Changes the time stamps of a packet, which count from the first of `samples`, to times in the output. Returns
    /// false if the packet is not wanted.
    func place(_ packet: Packet) -> Bool {
        guard let time = packet.presentationTime, packets.lowerBound < packets.upperBound else { return false }
        let sample = samples.lowerBound + time
        let first = grid + packets.lowerBound * CodedAudio.packetSamples
        guard sample >= first, sample < first + packets.count * CodedAudio.packetSamples else { return false }
        packet.setTimes(presentation: sample, decoding: sample, duration: packet.duration ?? 0)
        return true
    }
}

import FlipBase
import FlipBitstream

/// The AAC packets of a clip's file: 1024 samples each, without gaps.
package struct CodedAudio: Sendable {
    /// The number of samples per packet.
    package static let packetSamples = 1024

    package let header: AACHeader
    /// The start of the first packet in seconds of stream time. Since packet times are rounded, it is counted back from
    /// the first packet that is heard, whose time decoding goes by.
    package let start: Rational
    /// The number of packets.
    package let count: Int
    /// The time base of the packets' time stamps, in seconds per tick.
    package let timeBase: Rational

    /// The start of packet number `packet` in seconds of stream time.
    package func time(of packet: Int, _ sampleRate: Int) -> Rational {
        start + Rational(packet * CodedAudio.packetSamples, sampleRate)
    }
}

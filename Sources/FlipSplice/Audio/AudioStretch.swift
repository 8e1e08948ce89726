import FlipBase
import FlipMedia

/// How an output's encoder makes the packets between copied ones.
package struct AudioSeams: Sendable, Hashable {
    package let form: AudioForm
    /// The number of samples by which the encoder's first packet begins before the first sample that it gets.
    let padding: Int

    package init(form: AudioForm, padding: Int) { (self.form, self.padding) = (form, padding) }

    /// Returns nil if the packets of the stream that `encoding` makes can't be copied.
    package init?(of encoding: AudioEncoding, in container: Container) throws(MediaError) {
        let name = encoding.codec ?? container.defaultAudioCodec ?? ""
        guard let codec = Encoders.codec(of: name), let row = AudioForm(codec: codec), row.isPlain(in: container) else {
            return nil
        }
        let encoder = try StreamEncoder(audio: encoding, in: container, hasGlobalHeader: true)
        guard let form = AudioForm(codec: codec, header: encoder.header), encoder.frameSamples == form.samples
        else { return nil }
        self.init(form: form, padding: encoder.priming)
    }

    /// The output sample at which packet 0 begins where the output's audio begins as the encoder makes it:
    /// 1 - `form.samples`...0.
    package func naturalGrid(in container: Container) -> Int {
        container.storesPriming(of: form.codec) ? -(padding % form.samples) : 0
    }
}

/// A stretch of audio packets that is made by an encoder of its own, on the grid of the copied packets.
package struct AudioStretch: Sendable, Hashable {
    /// The packets' numbers on the grid.
    package let packets: Range<Int>
    /// The output sample at which packet 0 begins.
    package let grid: Int
    private let seams: AudioSeams

    /// The number of packets that are encoded before the wanted ones and discarded, so that the first wanted packet
    /// overlaps with the one before it as in a continuous stream, and the encoder has settled.
    private static let preroll = 4

    package init(packets: Range<Int>, grid: Int, _ seams: AudioSeams) {
        (self.packets, self.grid, self.seams) = (packets, grid, seams)
    }

    /// The output samples that the encoder gets. A packet's window also covers samples of the next one.
    package var samples: Range<Int> {
        let step = seams.form.samples
        let first = grid + (packets.lowerBound - AudioStretch.preroll) * step + seams.padding % step
        return first..<grid + (packets.upperBound + 1) * step
    }

    /// The output sample in the middle of the packets.
    var middle: Int { grid + (packets.lowerBound + packets.upperBound) * seams.form.samples / 2 }

    /// Changes the time stamps of a packet, which count from the first of `samples`, to times in the output. Returns
    /// false if the packet is not wanted.
    func place(_ packet: Packet) -> Bool {
        guard let time = packet.presentationTime, packets.lowerBound < packets.upperBound else { return false }
        let sample = samples.lowerBound + time
        let first = grid + packets.lowerBound * seams.form.samples
        guard sample >= first, sample < first + packets.count * seams.form.samples else { return false }
        packet.setTimes(presentation: sample, decoding: sample, duration: packet.duration ?? 0)
        return true
    }
}

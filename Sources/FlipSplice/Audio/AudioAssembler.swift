import FlipBase
import FlipBitstream
import FlipFiles
import FlipMedia

/// A receiver of audio as planar samples.
package protocol AudioSink: AnyObject {
    /// Takes the next `count` samples of every channel.
    func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError)
}

/// Makes the packets of an output's audio by encoding samples or copying packets of clips. It is called by one thread
/// at a time, which need not be the one that writes the packets to a file.
package final class AudioAssembler: AudioSink, @unchecked Sendable {
    /// Receives each packet, in order; it may keep the packet.
    package typealias Emit = (AudioPacket) throws(MediaError) -> Void

    /// The encoder that describes the stream to the container; it is also the first one used.
    package let model: StreamEncoder
    private let makeTrack: () throws(MediaError) -> AudioEncoder
    /// The track that is encoded; nil between two stretches.
    private var track: AudioEncoder?
    /// Which of the track's packets are wanted; nil if it is encoded as a whole.
    private var stretch: AudioStretch?
    /// What the packet copied last said of its loudness, and what the one after the stretch will say.
    private var levels: (before: DolbyLevels?, behind: DolbyLevels?)
    private let clock: StageClock
    private let emit: Emit

    /// Opens the encoder. Throws the errors of `MediaWriter.init`.
    /// - Parameter clock: measures the time spent on encoding and copying.
    package init(
        _ encoding: AudioEncoding, in container: Container, clock: StageClock = StageClock(), emit: @escaping Emit
    ) throws(MediaError) {
        let hasGlobalHeader = try container.wantsGlobalHeaders
        makeTrack = { () throws(MediaError) in
            try AudioEncoder(encoding, in: container, hasGlobalHeader: hasGlobalHeader)
        }
        let track = try clock.measure(makeTrack)
        self.track = track
        model = track.encoder
        self.clock = clock
        self.emit = emit
    }

    package func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError) {
        guard let track, count > 0 else { return }
        let blocks = try clock.measure { () throws(MediaError) in try track.blocks(adding: channels, count: count) }
        for block in blocks { try encode(block, on: track) }
    }

    /// Begins a stretch of encoded audio between copied packets: of the packets made from the samples until `end`, only
    /// those that `stretch` wants are kept.
    /// - Parameter levels: what the packet copied after it says of its loudness. Like the packet before, it tells those of
    ///   the stretch that are nearer to it how loud they are played.
    package func begin(_ stretch: AudioStretch, before levels: DolbyLevels? = nil) throws(MediaError) {
        if track == nil { track = try clock.measure(makeTrack) }
        self.stretch = stretch
        self.levels.behind = levels
    }

    /// Drains the encoder, after the last sample or the last one of a stretch.
    package func end() throws(MediaError) {
        guard let track else { return }
        for block in try track.lastBlocks() { try encode(block, on: track) }
        try encode(nil, on: track)
        self.track = nil
    }

    /// Copies the next packet of a clip's audio.
    /// - Parameter time: the packet's PTS, in samples of the output.
    package func copy(_ copier: AudioCopier, at time: Int) throws(MediaError) {
        let packet = try clock.measure { () throws(MediaError) in try copier.read() }
        if copier.sound.form.statesLevels { levels.before = DolbyLevels(packet.bytes) }
        packet.setTimes(presentation: time, decoding: time, duration: copier.sound.form.samples)
        try emit(AudioPacket(packet: packet, isCopied: true))
    }

    private func encode(_ block: Frame?, on track: AudioEncoder) throws(MediaError) {
        let encoder = track.encoder
        if let stretch, let time = block?.presentationTime {
            let isEarly = stretch.samples.lowerBound + time < stretch.middle
            if let levels = isEarly ? levels.before ?? levels.behind : levels.behind ?? levels.before {
                encoder.apply(levels)
            }
        }
        try clock.measure { () throws(MediaError) in try encoder.send(block) }
        while let packet = try clock.measure({ () throws(MediaError) in try encoder.receive() }) {
            guard stretch?.place(packet) ?? track.isWanted(packet) else { continue }
            try emit(AudioPacket(packet: try packet.moved(), isCopied: false))
        }
    }
}

/// A packet of an output's audio.
package struct AudioPacket: Sendable {
    let packet: Packet
    /// Whether the packet was copied from a clip rather than encoded.
    let isCopied: Bool

    /// The PTS, in samples of the output; `.min` if the encoder gave none.
    package var time: Int { packet.presentationTime ?? .min }
}

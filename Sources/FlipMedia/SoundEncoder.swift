import CLibav

/// What takes sound as planar samples.
package protocol SoundSink: AnyObject {
    /// Takes the next `count` samples of every channel.
    func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError)
}

/// The packets of an output's sound, made from samples or taken over from clips. One thread at a time calls it, which need not be
/// the one that writes them into a file.
package final class SoundEncoder: SoundSink, @unchecked Sendable {
    /// What is done with each packet, in order; the packet may be kept.
    package typealias Emit = (SoundPacket) throws(MediaError) -> Void

    /// The encoder that the container knows of, and the first that is used.
    let model: StreamEncoder
    private let makeTrack: () throws(MediaError) -> AudioTrack
    /// Nil between two stretches.
    private var track: AudioTrack?
    /// What of the track's packets is wanted, where only some of them are.
    private var stretch: SoundStretch?
    private let clock: StageClock
    private let emit: Emit

    /// Opens the encoder. Throws like `MediaWriter`.
    /// - Parameter clock: what encoding is charged to.
    package init(
        _ encoding: AudioEncoding, in container: Container, clock: StageClock = StageClock(), emit: @escaping Emit
    ) throws(MediaError) {
        let hasGlobalHeader = try container.wantsGlobalHeaders
        makeTrack = { () throws(MediaError) in
            try AudioTrack(encoding, in: container, hasGlobalHeader: hasGlobalHeader)
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

    /// Begins a stretch of encoded sound among copied ones: of the samples written until `end` it keeps the packets that
    /// `stretch` wants.
    package func begin(_ stretch: SoundStretch) throws(MediaError) {
        if track == nil { track = try clock.measure(makeTrack) }
        self.stretch = stretch
    }

    /// After the last sample, or the last of a stretch: drains the encoder.
    package func end() throws(MediaError) {
        guard let track else { return }
        for block in try track.lastBlocks() { try encode(block, on: track) }
        try encode(nil, on: track)
        self.track = nil
    }

    /// Takes over the next packet of a clip's sound.
    /// - Parameter time: in samples of the output.
    package func copy(_ copier: SoundCopier, at time: Int) throws(MediaError) {
        let packet = try Packet()
        try clock.measure { () throws(MediaError) in try copier.read(into: packet) }
        packet.pointer.pointee.pts = Int64(time)
        packet.pointer.pointee.dts = Int64(time)
        packet.pointer.pointee.duration = Int64(CodedSound.packetSamples)
        try emit(SoundPacket(packet: packet, isCopied: true))
    }

    private func encode(_ block: Frame?, on track: AudioTrack) throws(MediaError) {
        let encoder = track.encoder
        try clock.measure { () throws(MediaError) in try encoder.send(block) }
        while let packet = try clock.measure({ () throws(MediaError) in try encoder.receive() }) {
            guard stretch?.place(packet) ?? track.isWanted(packet) else { continue }
            try emit(SoundPacket(packet: try packet.moved(), isCopied: false))
        }
    }
}

/// A packet of an output's sound.
package struct SoundPacket: Sendable {
    let packet: Packet
    /// Whether it is a clip's, and was not encoded.
    let isCopied: Bool

    /// When it is heard, in samples of the output, or as near as its encoder says.
    package var time: Int { packet.presentationTime ?? .min }
}

extension Packet {
    /// What it holds, in a packet of its own; this one is then empty.
    fileprivate func moved() throws(MediaError) -> Packet {
        let other = try Packet()
        av_packet_move_ref(other.pointer, pointer)
        return other
    }
}

import FlipBase
import FlipBitstream
import FlipMedia

/// Reads the audio packets of a clip one after another to copy them.
package final class AudioCopier {
    private let file: InputFile
    private let stream: Int
    let sound: CodedAudio
    private let sampleRate: Int
    private var next: Int
    /// The packet that was read to learn its levels.
    private var ahead: Packet?

    /// How many seconds before the first packet reading begins, since times are rounded.
    private static let margin = Rational(1, 100)
    /// The same where libav has to find the packets' marks first.
    private static let splitMargin = Rational(1)

    /// - Parameters:
    ///   - info: describes a clip whose audio has `coded` packets.
    ///   - first: the number of the packet to begin with.
    package init(_ info: MediaInfo, from first: Int) throws(MediaError) {
        guard let audio = info.audio, let sound = audio.coded else {
            throw MediaError(.internalFault, "'\(info.name)' has no audio to copy")
        }
        self.sound = sound
        sampleRate = audio.sampleRate
        stream = audio.streamIndex
        next = first
        let open = { () throws(MediaError) -> InputFile in
            var file = try InputFile(path: info.path, opening: .headersOnly)
            if !file.keepsPackets { file = try InputFile(path: info.path) }
            file.readOnly([audio.streamIndex])
            return file
        }
        var fresh = try open()
        let margin = fresh.keepsPackets ? Self.margin : Self.splitMargin
        let ticks = ((sound.time(of: first, sampleRate) - margin) / sound.timeBase).rounded()
        if first > 8, fresh.canSeek, !fresh.seek(audio.streamIndex, to: ticks) { fresh = try open() }
        file = fresh
    }

    /// What the next packet says of its loudness; nil if it says nothing.
    package func nextLevels() throws(MediaError) -> DolbyLevels? {
        guard sound.form.statesLevels else { return nil }
        let packet = try read()
        ahead = packet
        return DolbyLevels(packet.bytes)
    }

    /// Reads the next packet. Its time stamps are still the clip's.
    func read() throws(MediaError) -> Packet {
        if let ahead {
            self.ahead = nil
            return ahead
        }
        let packet = try Packet()
        try read(into: packet)
        return packet
    }

    private func read(into packet: Packet) throws(MediaError) {
        while case .packet = try file.read(into: packet, stream: stream) {
            let offset = packet.presentationTime.map {
                ((sound.timeBase.scaled(count: $0) - sound.time(of: next, sampleRate)) * Rational(sampleRate)).rounded()
            }
            guard let offset, offset < sound.form.samples / 2 else { break }
            if offset < -sound.form.samples / 2 { continue }
            next += 1
            packet.removeSideData()
            packet.setFlags(isKey: true)
            return
        }
        throw MediaError(.badInput, "'\(file.path)' was changed while it was read, or its disk fails")
    }
}

import FlipBase
import FlipBitstream
import FlipMedia

extension AACHeader {
    /// The header of the stream that `encoding` makes; nil if that is not such an AAC stream.
    package init?(of encoding: AudioEncoding, in container: Container) throws(MediaError) {
        guard Encoders.codec(of: encoding.codec ?? container.defaultAudioCodec ?? "") == "aac" else { return nil }
        self.init(try StreamEncoder(audio: encoding, in: container, hasGlobalHeader: true).header)
    }
}

/// Reads the AAC packets of a clip one after another to copy them.
package final class AudioCopier {
    private let file: InputFile
    private let stream: Int
    private let sound: CodedAudio
    private let sampleRate: Int
    private var next: Int

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
            let file = try InputFile(path: info.path, opening: .headersOnly)
            file.readOnly([audio.streamIndex])
            return file
        }
        var fresh = try open()
        // Seek to a little earlier, since times are rounded.
        let ticks = ((sound.time(of: first, sampleRate) - Rational(1, 100)) / sound.timeBase).rounded()
        if first > 8, fresh.canSeek, !fresh.seek(audio.streamIndex, to: ticks) { fresh = try open() }
        file = fresh
    }

    /// Reads the next packet into `packet`, replacing its contents. Its time stamps are still the clip's.
    func read(into packet: Packet) throws(MediaError) {
        while case .packet = try file.read(into: packet, stream: stream) {
            let offset = packet.presentationTime.map {
                ((sound.timeBase.scaled(count: $0) - sound.time(of: next, sampleRate)) * Rational(sampleRate)).rounded()
            }
            guard let offset, offset < CodedAudio.packetSamples / 2 else { break }
            if offset < -CodedAudio.packetSamples / 2 { continue }
            next += 1
            packet.removeSideData()
            packet.setFlags(isKey: true)
            return
        }
        throw MediaError(.badInput, "'\(file.path)' was changed while it was read, or its disk fails")
    }
}

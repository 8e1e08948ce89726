import CLibav

/// What an AAC stream's header says (AudioSpecificConfig, ISO/IEC 14496-3 1.6.2.1), as far as packets depend on it.
package struct AACHeader: Sendable, Hashable {
    /// Codes of the rate and of the channels.
    package let rate: Int
    package let channels: Int

    /// Nil for anything but AAC-LC in frames of 1024 samples and channels in a usual order.
    package init?(_ bytes: [UInt8]) {
        var reader = BitReader(bytes)
        // AAC-LC; a rate and channels that have codes; frames of 1024; no core coder; no extension.
        guard reader.bits(5) == 2, let rate = reader.bits(4), rate < 15, let channels = reader.bits(4), channels > 0,
            reader.bits(3) == 0
        else { return nil }
        self.rate = rate
        self.channels = channels
    }

    /// The header that `encoding` gives; nil where that is no AAC.
    package init?(of encoding: AudioEncoding, in container: Container) throws(MediaError) {
        let name = encoding.codec ?? container.defaultAudioCodec ?? ""
        guard avcodec_find_encoder_by_name(name)?.pointee.id == AV_CODEC_ID_AAC else { return nil }
        self.init(try StreamEncoder(audio: encoding, in: container, hasGlobalHeader: true).header)
    }
}

/// A clip's AAC as it lies in its file: packets of 1024 samples, one after another.
package struct CodedSound: Sendable {
    /// Samples of a packet.
    package static let packetSamples = 1024

    package let header: AACHeader
    /// Seconds of stream time at which the first packet begins, counted back from the first one that is heard: as decoding
    /// places it, where the packets' times are rounded.
    package let start: Rational
    /// Packets; none is missing between them.
    package let count: Int
    /// Seconds of a tick of the packets' times.
    let timeBase: Rational

    /// Seconds of stream time at which a packet begins.
    func time(of packet: Int, _ sampleRate: Int) -> Rational {
        start + Rational(packet * CodedSound.packetSamples, sampleRate)
    }
}

/// Watches the times of a stream's packets go by.
struct SoundScan {
    private let stream: UnsafeMutablePointer<AVStream>
    private let header: AACHeader?
    private let timeBase: Rational
    private let sampleRate: Int
    private var count = 0
    /// How far packets lie from where even packets from 0 on would, in parts of `unit` a second.
    private var least = Int.max
    private var most = Int.min
    /// The same of the first packet that is heard.
    private var heard: Int?
    private var hasAllTimes = true

    init(_ stream: UnsafeMutablePointer<AVStream>) {
        self.stream = stream
        let parameters = stream.pointee.codecpar.pointee
        let bytes = UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size))
        header = parameters.codec_id == AV_CODEC_ID_AAC ? AACHeader(Array(bytes)) : nil
        timeBase = Rational(stream.pointee.time_base)
        sampleRate = Int(parameters.sample_rate)
    }

    private var unit: Int { timeBase.denominator &* sampleRate }

    /// Whether the packets have to be read to know their times; false where an index has them, or none is wanted.
    mutating func needsPackets() -> Bool {
        guard header != nil else { return false }
        let entries = Int(avformat_index_get_entries_count(stream))
        // An index that grows as the file is read does not have them all, nor does one that an edit list has changed.
        guard entries > 0, entries == Int(stream.pointee.nb_frames) else { return true }
        for index in 0..<entries {
            // The count promises that it is there.
            add(avformat_index_get_entry(stream, Int32(index)).map { Int($0.pointee.timestamp) })
        }
        return false
    }

    mutating func add(_ time: Int?) {
        guard let time else {
            hasAllTimes = false
            return
        }
        let meant = count &* CodedSound.packetSamples &* timeBase.denominator
        let place = time &* timeBase.numerator &* sampleRate &- meant
        (least, most) = (min(least, place), max(most, place))
        if heard == nil, time >= 0 { heard = place }
        count += 1
    }

    /// Nil where packets can't be taken over: it is no AAC-LC, or its times have gaps.
    var sound: CodedSound? {
        // Times are rounded to a tick one way or another.
        guard let header, hasAllTimes, count > 0, most &- least <= timeBase.numerator &* sampleRate else { return nil }
        let start = Rational(heard ?? least, unit)
        guard start.magnitude <= InputLimits.latestTime else { return nil }
        return CodedSound(header: header, start: start, count: count, timeBase: timeBase)
    }
}

/// Takes over the packets of a clip's sound one after another.
package final class SoundCopier {
    private let file: InputFile
    private let stream: Int
    private let sound: CodedSound
    private let sampleRate: Int
    private var next: Int

    /// - Parameters:
    ///   - info: of a clip whose sound is `coded`.
    ///   - first: the packet to begin with.
    package init(_ info: MediaInfo, from first: Int) throws(MediaError) {
        guard let audio = info.audio, let sound = audio.coded else {
            throw MediaError(.internalFault, "'\(info.name)' has no sound to be copied")
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
        // A little early, since times are rounded.
        let ticks = ((sound.time(of: first, sampleRate) - Rational(1, 100)) / sound.timeBase).rounded()
        if first > 8, fresh.canSeek,
            av_seek_frame(fresh.context, Int32(audio.streamIndex), Int64(ticks), AVSEEK_FLAG_BACKWARD) < 0
        {
            fresh = try open()
        }
        file = fresh
    }

    /// The next packet, without a time. It has to be given away before the next call.
    func read(into packet: Packet) throws(MediaError) {
        while case .packet = try file.read(into: packet, stream: stream) {
            let offset = packet.presentationTime.map {
                ((sound.timeBase.scaled(count: $0) - sound.time(of: next, sampleRate)) * Rational(sampleRate)).rounded()
            }
            guard let offset, offset < CodedSound.packetSamples / 2 else { break }
            if offset < -CodedSound.packetSamples / 2 { continue }
            next += 1
            av_packet_free_side_data(packet.pointer)
            packet.pointer.pointee.flags = AV_PKT_FLAG_KEY
            return
        }
        throw MediaError(.badInput, "'\(file.path)' was changed while it was read, or its disk fails")
    }
}

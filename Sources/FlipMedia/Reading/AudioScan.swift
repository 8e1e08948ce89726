import CLibav
import FlipBase
import FlipBitstream

/// Collects the packet times of an audio stream to find out whether its AAC can be copied.
package struct AudioScan {
    /// Nil for a stream that is not AAC that can be copied.
    private let header: AACHeader?
    /// The seconds of a tick of the packets' times.
    private let timeBase: Rational
    private let sampleRate: Int
    private var count = 0
    /// The least and the greatest deviation of packet times from an even grid that starts at 0, in 1/`unit` seconds.
    private var least = Int.max
    private var most = Int.min
    /// The deviation of the first packet that is heard: the first whose time is not negative.
    private var heard: Int?
    private var hasAllTimes = true

    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        header = parameters.codec_id == AV_CODEC_ID_AAC ? AACHeader(parameters.header) : nil
        timeBase = Rational(stream.pointee.time_base)
        sampleRate = Int(parameters.sample_rate)
    }

    /// Whether the stream may be copied, as far as its header tells.
    package var isCandidate: Bool { header != nil }

    private var unit: Int { timeBase.denominator &* sampleRate }

    /// Adds a packet with its PTS in ticks; nil if it has none.
    package mutating func add(_ time: Int?) {
        guard let time else {
            hasAllTimes = false
            return
        }
        let meant = count &* CodedAudio.packetSamples &* timeBase.denominator
        let deviation = time &* timeBase.numerator &* sampleRate &- meant
        (least, most) = (min(least, deviation), max(most, deviation))
        if heard == nil, time >= 0 { heard = deviation }
        count += 1
    }

    /// The packets that were added; nil if they can't be copied because they aren't AAC-LC or their times have gaps.
    package var sound: CodedAudio? {
        // Times are rounded to a tick, up or down.
        guard let header, hasAllTimes, count > 0, most &- least <= timeBase.numerator &* sampleRate else { return nil }
        let start = Rational(heard ?? least, unit)
        guard start.magnitude <= InputLimits.latestTime else { return nil }
        return CodedAudio(header: header, start: start, count: count, timeBase: timeBase)
    }

    /// Takes the times from the index of `stream` if it lists all packets. Returns whether the packets have to be read
    /// instead; false also if the stream is not AAC that can be copied.
    mutating func needsPackets(of stream: UnsafeMutablePointer<AVStream>) -> Bool {
        guard isCandidate else { return false }
        let entries = Int(avformat_index_get_entries_count(stream))
        // An index that grows while the file is read is incomplete, and so is one that an edit list has changed.
        guard entries > 0, entries == Int(stream.pointee.nb_frames) else { return true }
        for index in 0..<entries {
            // Entries below the count are never nil.
            add(avformat_index_get_entry(stream, Int32(index)).map { Int($0.pointee.timestamp) })
        }
        return false
    }
}

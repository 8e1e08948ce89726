import CLibav
import FlipBase
import FlipBitstream

/// Collects the packet times of an audio stream to find out whether its packets can be copied.
package struct AudioScan {
    /// Nil for a stream whose packets can't be copied.
    private let form: AudioForm?
    /// The seconds of a tick of the packets' times.
    private let timeBase: Rational
    private let sampleRate: Int
    private var runs: [CodedAudio.Run] = []
    /// The number of the first packet since the latest gap, and the number of packets since then.
    private var first = 0
    private var count = 0
    /// The least and the greatest deviation of packet times since the latest gap from an even grid that starts at 0, in
    /// 1/`unit` seconds.
    private var least = Int.max
    private var most = Int.min
    /// The deviation of the first packet that is heard: the first whose time is not negative.
    private var heard: Int?
    /// Whether nothing was found so far that rules copying out.
    private var isEven = true

    /// The maximum number of gaps. A stream with more of them has no reliable times.
    private static let maxGaps = 1000

    init(_ stream: UnsafeMutablePointer<AVStream>) {
        let parameters = stream.pointee.codecpar.pointee
        timeBase = Rational(stream.pointee.time_base)
        sampleRate = Int(parameters.sample_rate)
        form =
            parameters.sample_rate > 0
            ? AudioForm(codec: MediaProbe.codecName(parameters), header: parameters.header) : nil
    }

    /// Whether the stream may be copied, as far as its header tells.
    package var isCandidate: Bool { form != nil }

    private var unit: Int { timeBase.denominator &* sampleRate }

    /// Adds a packet with its PTS in ticks; nil if it has none.
    package mutating func add(_ time: Int?) {
        guard let form, isEven else { return }
        guard let time else {
            isEven = false
            return
        }
        let step = form.samples &* timeBase.denominator
        let place = time &* timeBase.numerator &* sampleRate
        var deviation = place &- count &* step
        // Times are rounded to a tick, up or down.
        if count > 0, max(most, deviation) &- min(least, deviation) > timeBase.numerator &* sampleRate {
            // Where recordings were joined, the priming of the second lies over the end of the first. Packets that overlap
            // by more would have the times of others.
            isEven = runs.count < Self.maxGaps && deviation &+ step &+ step / 2 > least
            endRun()
            deviation = place
        }
        (least, most) = (min(least, deviation), max(most, deviation))
        if heard == nil, time >= 0 { heard = deviation }
        count += 1
    }

    /// Ends the packets before a gap.
    private mutating func endRun() {
        let start = Rational(heard ?? least, unit)
        if start.magnitude > InputLimits.latestTime { isEven = false }
        runs.append(CodedAudio.Run(first: first, count: count, start: start))
        first += count
        (count, least, most, heard) = (0, .max, .min, nil)
    }

    /// The packets that were added; nil if they can't be copied because of their codec or because not all have times.
    package var sound: CodedAudio? {
        guard let form, count > 0 else { return nil }
        var ended = self
        ended.endRun()
        guard ended.isEven else { return nil }
        return CodedAudio(form: form, runs: ended.runs, timeBase: timeBase)
    }

    /// Takes the times from the index of `stream` if it lists all packets. Returns whether the packets have to be read
    /// instead; false also if the stream can't be copied.
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

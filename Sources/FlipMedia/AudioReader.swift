import CLibav

/// What all audio is turned into: planar Float samples.
package struct AudioConform: Sendable, Equatable {
    /// Samples a second.
    package var sampleRate: Int
    /// libav's name, such as "stereo".
    package var layout: String

    package init(sampleRate: Int, layout: String = "stereo") {
        self.sampleRate = sampleRate
        self.layout = layout
    }

    /// Channels of the layout; 0 when there is no layout of that name.
    package var channels: Int { ChannelLayout.named(layout).map { Int($0.nb_channels) } ?? 0 }
}

/// The sound of a file, sample by sample, placed by its timestamps: it cannot drift away from the picture.
package final class AudioReader: @unchecked Sendable {
    private let reader: StreamReader
    private let conform: AudioConform
    private let origin: Rational
    private let channelCount: Int
    private var resampler: Resampler?
    private var hasEnded = false
    /// Index of the sample that `read` gives next.
    private var position = 0
    /// Decoded and not read yet, in order; between runs there is silence.
    private var runs: [AudioRun] = []

    /// After a seek: seconds of stream time at which a frame begins, as counted from the file's start.
    private var grid: Rational?

    /// Seconds into the clip from which on going there beats decoding all that comes before.
    private static let worthSeeking = Rational(4)
    /// Seconds that are decoded before the first sample wanted, since codecs build on what was before; at the very least
    /// Opus' 80 ms (RFC 7845 4.6).
    private static let preroll = Rational(1)
    private static let leastPreroll = Rational(1, 10)

    /// Timestamps further than this from where the samples before them end are believed: a gap or an overlap.
    private static let tolerance = Rational(1, 100)

    /// - Parameters:
    ///   - info: of a file with audio.
    ///   - origin: stream time in seconds of sample 0, usually `VideoInfo.start`.
    package init(info: MediaInfo, conform: AudioConform, origin: Rational) throws(MediaError) {
        guard let audio = info.audio else { throw MediaError(.badInput, "'\(info.name)' has no audio") }
        guard conform.channels > 0 else { throw MediaError(.usage, "there is no channel layout '\(conform.layout)'") }
        self.conform = conform
        self.origin = origin
        channelCount = conform.channels
        let open = { () throws(MediaError) -> StreamReader in
            try StreamReader(
                path: info.path, live: info.live, streamIndex: audio.streamIndex, jumps: info.jumps, threads: 1)
        }
        let fresh = try open()
        let skipped = origin - info.audioOrigin
        // Vorbis has blocks of two sizes, so that a coarse time does not tell which sample one begins with.
        let hasEvenFrames = fresh.stream.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_VORBIS
        guard skipped > Self.worthSeeking, info.jumps == nil, fresh.file.canSeek, hasEvenFrames,
            let ends = try fresh.firstFrameEnd()
        else {
            reader = fresh
            return
        }
        let ticks = { (time: Rational) in (time / fresh.timeBase).rounded() }
        if try fresh.seek(to: ticks(origin - Self.preroll), latest: ticks(origin - Self.leastPreroll)) {
            reader = fresh
            grid = ends
        } else {
            reader = try open()
        }
    }

    /// Damaged packets and frames so far, which were skipped.
    package var decodeErrors: Int { reader.errorCount }

    /// Gives the next `count` samples of every channel; silence before the sound starts, in gaps and after its end.
    /// - Parameter channels: as many as the conform has, each with room for `count` samples.
    package func read(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(MediaError) {
        precondition(channels.count == channelCount, "\(channels.count) channels for \(channelCount)")
        var done = 0
        while done < count {
            try fill()
            guard let run = runs.first else {
                for channel in channels { (channel + done).update(repeating: 0, count: count - done) }
                position += count - done
                return
            }
            let silence = min(max(0, run.start - position), count - done)
            for channel in channels { (channel + done).update(repeating: 0, count: silence) }
            position += silence
            done += silence
            let taken = runs[0].take(from: position, atMost: count - done, into: channels.map { $0 + done })
            position += taken
            done += taken
        }
    }

    /// Decodes until the first run has a sample at or after `position`, the file ends, or a live one is silent for now.
    private func fill() throws(MediaError) {
        var isSilent = false
        while true {
            while let run = runs.first, run.end <= position, runs.count > 1 || resampler == nil { runs.removeFirst() }
            if hasEnded || isSilent { return }
            if let run = runs.first, run.end > position { return }
            if let frame = try reader.next() {
                try append(frame)
                continue
            }
            try finishRun()
            if reader.isQuiet { isSilent = true } else { hasEnded = true }
        }
    }

    private func append(_ frame: Frame) throws(MediaError) {
        guard let format = AudioFormat(frame), frame.pointer.pointee.nb_samples > 0 else { return }
        let stamped = reader.start(of: frame)
        // A time at which no clip can be is none. What has no time follows on what was before.
        let time = stamped.flatMap { ($0 - origin).magnitude <= InputLimits.duration ? onGrid($0, frame) : nil }
        if let resampler, resampler.format == format,
            time.map({ ($0 - resampler.end).magnitude <= Self.tolerance }) ?? true
        {
            runs[runs.count - 1].append(try resampler.convert(frame))
            return
        }
        let start = time ?? resampler?.end ?? origin
        try finishRun()
        let fresh = try Resampler(from: format, to: conform, start: start)
        resampler = fresh
        let index = ((start - origin) * Rational(conform.sampleRate)).rounded()
        runs.append(AudioRun(start: index, channelCount: channelCount))
        runs[runs.count - 1].append(try fresh.convert(frame))
    }

    /// `time`, or where the frame lies when frames of its length are counted from the file's start: a container's ticks may
    /// be coarser than samples.
    private func onGrid(_ time: Rational, _ frame: Frame) -> Rational {
        guard let grid else { return time }
        let step = Rational(Int(frame.pointer.pointee.nb_samples), Int(frame.pointer.pointee.sample_rate))
        let counted = grid + Rational(((time - grid) / step).rounded()) * step
        return (counted - time).magnitude <= reader.timeBase * Rational(3, 2) ? counted : time
    }

    private func finishRun() throws(MediaError) {
        guard let resampler else { return }
        runs[runs.count - 1].append(try resampler.finish())
        self.resampler = nil
    }
}

extension StreamReader {
    /// Seconds of stream time at which the first frame ends; nil where the file does not say.
    fileprivate func firstFrameEnd() throws(MediaError) -> Rational? {
        guard let frame = try peek(), let time = start(of: frame), frame.pointer.pointee.sample_rate > 0 else {
            return nil
        }
        return time + Rational(Int(frame.pointer.pointee.nb_samples), Int(frame.pointer.pointee.sample_rate))
    }

    /// Seconds of stream time at which an audio frame begins; nil where it has no time. Matroska counts in milliseconds, but the
    /// codec delay that it states says to the sample where the first frame begins.
    fileprivate func start(of frame: Frame) -> Rational? {
        guard let ticks = frame.timestamp else { return nil }
        let time = timeBase.scaled(count: ticks)
        let parameters = stream.pointee.codecpar.pointee
        guard time < .zero, parameters.initial_padding > 0, parameters.sample_rate > 0 else { return time }
        let padding = Rational(Int(parameters.initial_padding), Int(parameters.sample_rate))
        return (time + padding).magnitude <= timeBase ? .zero - padding : time
    }
}

/// Samples without a gap.
private struct AudioRun {
    /// Index of the first sample, counted from the origin.
    private(set) var start: Int
    private var channels: [[Float]]
    /// Samples at the front that were taken already.
    private var consumed = 0

    init(start: Int, channelCount: Int) {
        self.start = start
        channels = Array(repeating: [], count: channelCount)
    }

    var end: Int { start + channels[0].count - consumed }

    mutating func append(_ frames: [Frame]) {
        for frame in frames {
            let count = Int(frame.pointer.pointee.nb_samples)
            for index in channels.indices {
                guard let data = frame.pointer.pointee.extended_data[index] else { continue }
                data.withMemoryRebound(to: Float.self, capacity: count) { samples in
                    channels[index].append(contentsOf: UnsafeBufferPointer(start: samples, count: count))
                }
            }
        }
    }

    /// Moves up to `limit` samples from index `position` on, which is at or after `start`, and forgets those before.
    mutating func take(from position: Int, atMost limit: Int, into targets: [UnsafeMutablePointer<Float>]) -> Int {
        guard position >= start else { return 0 }
        let skipped = min(position - start, channels[0].count - consumed)
        let first = consumed + skipped
        let count = min(limit, channels[0].count - first)
        for (channel, target) in zip(channels, targets) {
            channel.withUnsafeBufferPointer { samples in
                if count > 0, let base = samples.baseAddress { target.update(from: base + first, count: count) }
            }
        }
        consumed = first + count
        start += skipped + count
        // Seldom enough that moving the rest to the front costs nothing.
        if consumed > 65536 || consumed == channels[0].count {
            for index in channels.indices { channels[index].removeFirst(consumed) }
            consumed = 0
        }
        return count
    }
}

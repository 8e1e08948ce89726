import CLibav
import FlipBase

extension AudioConform {
    /// The number of channels in the layout; 0 when there is no layout of that name.
    package var channels: Int { ChannelLayout.named(layout).map { Int($0.nb_channels) } ?? 0 }
}

/// Reads the audio of a file, sample by sample. Samples are placed by their time stamps, so the audio can't drift away
/// from the video.
package final class AudioReader: @unchecked Sendable {
    private let reader: StreamReader
    private let conform: AudioConform
    /// The stream time of sample 0, in seconds.
    private let origin: Rational
    private let limits: Range<Rational>?
    private let channelCount: Int
    private var resampler: Resampler?
    private var hasEnded = false
    /// The index of the sample that `read` gives next, counted from the origin.
    private var position = 0
    /// Runs of samples that are decoded and not read yet, in order of time. Between runs there is silence.
    private var runs: [AudioRun] = []

    /// The largest number of decoded samples per channel that were held at a time.
    package private(set) var mostSamplesHeld = 0

    /// After a seek, the stream time in seconds at which the file's first frame ends, from which the frames after it
    /// are counted. Nil where no seek took place.
    private var grid: Rational?

    /// How many seconds of audio have to be skipped for a seek to be faster than decoding them.
    private static let worthSeeking = Rational(4)
    /// How many seconds are decoded before the first sample wanted, since codecs depend on earlier packets.
    private static let preroll = Rational(1)
    /// The minimum preroll in seconds that a seek must give, above Opus' 80 ms (RFC 7845 4.6).
    private static let minPreroll = Rational(1, 10)

    /// By how many seconds a time stamp may differ from the end of the samples before it. One that differs by more is
    /// taken for a gap or an overlap.
    private static let tolerance = Rational(1, 100)

    /// - Parameters:
    ///   - info: describes a file with audio.
    ///   - origin: the stream time of sample 0 in seconds, normally `VideoInfo.start`.
    ///   - live: the input if the file is still coming in.
    ///   - limits: the stream times in seconds of frames that are read, from one gap in the time stamps to another; others
    ///     are decoded, but not heard. Nil reads all.
    package init(
        info: MediaInfo, live: LiveInput? = nil, conform: AudioConform, origin: Rational, limits: Range<Rational>? = nil
    ) throws(MediaError) {
        guard let audio = info.audio else { throw MediaError(.badInput, "'\(info.name)' has no audio") }
        guard conform.channels > 0 else { throw MediaError(.usage, "there is no channel layout '\(conform.layout)'") }
        (self.conform, self.origin, self.limits) = (conform, origin, limits)
        channelCount = conform.channels
        let path = try info.made?.file().location ?? info.path
        let open = { () throws(MediaError) -> StreamReader in
            try StreamReader(path: path, live: live, streamIndex: audio.streamIndex, jumps: info.jumps, threads: 1)
        }
        let fresh = try open()
        let skipped = origin - info.audioOrigin
        // Vorbis has blocks of two sizes, so a coarse time stamp doesn't tell the sample with which a block begins.
        let hasEvenFrames = fresh.stream.pointee.codecpar.pointee.codec_id != AV_CODEC_ID_VORBIS
        guard skipped > Self.worthSeeking, info.jumps == nil, fresh.file.canSeek, hasEvenFrames,
            let ends = try fresh.firstFrameEnd()
        else {
            reader = fresh
            return
        }
        let ticks = { (time: Rational) in (time / fresh.timeBase).rounded() }
        if try fresh.seek(to: ticks(origin - Self.preroll), latest: ticks(origin - Self.minPreroll)) {
            reader = fresh
            grid = limits.flatMap { $0.lowerBound > ends ? $0.lowerBound : nil } ?? ends
        } else {
            reader = try open()
        }
    }

    /// The number of damaged packets and frames so far, which were skipped.
    package var decodeErrors: Int { reader.errorCount }

    /// Gives the next `count` samples of every channel, with silence before the audio starts, in gaps and after its
    /// end.
    /// - Parameter channels: one buffer for each channel of the conform, each with room for `count` samples.
    package func read(_ count: Int, into channels: [UnsafeMutablePointer<Float>]) throws(MediaError) {
        precondition(channels.count == channelCount, "\(channels.count) channels for \(channelCount)")
        var done = 0
        while done < count {
            try fill(upTo: position + count - done)
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

    /// Decodes until the first run has a sample at or after `position`, the file ends, or a live clip's audio is known
    /// to be silent up to sample `end`.
    private func fill(upTo end: Int) throws(MediaError) {
        reader.horizon = origin + Rational(end, conform.sampleRate)
        var isSilent = false
        while true {
            while let run = runs.first, run.end <= position, runs.count > 1 || resampler == nil { runs.removeFirst() }
            if hasEnded || isSilent { return }
            if let run = runs.first, run.end > position { return }
            let next = try reader.next()
            if let frame = next, !isBehindLimits(frame) {
                try append(frame)
                // Where the reader can't seek, everything before the first wanted sample passes through here.
                if !runs.isEmpty { runs[runs.count - 1].drop(before: position) }
                mostSamplesHeld = max(mostSamplesHeld, runs.reduce(0) { $0 + $1.held })
                continue
            }
            try finishRun()
            if next == nil, reader.isQuiet { isSilent = true } else { hasEnded = true }
        }
    }

    /// Whether neither a frame nor any that follows it is heard.
    private func isBehindLimits(_ frame: Frame) -> Bool {
        guard let limits, let time = reader.start(of: frame) else { return false }
        return time >= limits.upperBound
    }

    private func append(_ frame: Frame) throws(MediaError) {
        guard let format = AudioFormat(frame), frame.pointer.pointee.nb_samples > 0 else { return }
        let stamped = reader.start(of: frame)
        if let limits, let stamped, !limits.contains(stamped) { return }
        // A time stamp further from the origin than a clip may last is ignored. A frame without a time stamp follows on
        // the one before it.
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

    /// The exact time of a frame whose time stamp is `time`, in seconds. A container's ticks may be coarser than
    /// samples, so frames of this one's length are counted from the start of the file; where that misses `time` by more
    /// than 1.5 ticks, `time` is returned.
    private func onGrid(_ time: Rational, _ frame: Frame) -> Rational {
        guard let grid else { return time }
        let step = Rational(Int(frame.pointer.pointee.nb_samples), Int(frame.pointer.pointee.sample_rate))
        let counted = grid + Rational(((time - grid) / step).rounded()) * step
        return (counted - time).magnitude <= reader.timeBase * Rational(3, 2) ? counted : time
    }

    /// Takes the samples that the resampler still holds, and ends the run.
    private func finishRun() throws(MediaError) {
        guard let resampler else { return }
        runs[runs.count - 1].append(try resampler.finish())
        self.resampler = nil
    }
}

extension StreamReader {
    /// The stream time in seconds at which the first frame ends; nil where the file doesn't say.
    fileprivate func firstFrameEnd() throws(MediaError) -> Rational? {
        guard let frame = try peek(), let time = start(of: frame), frame.pointer.pointee.sample_rate > 0 else {
            return nil
        }
        return time + Rational(Int(frame.pointer.pointee.nb_samples), Int(frame.pointer.pointee.sample_rate))
    }

    /// The stream time in seconds at which an audio frame begins; nil where the frame has no time stamp. Matroska
    /// counts in milliseconds, but the codec delay that it states gives the start of the first frame to the sample.
    fileprivate func start(of frame: Frame) -> Rational? {
        guard let ticks = frame.timestamp else { return nil }
        let time = timeBase.scaled(count: ticks)
        let parameters = stream.pointee.codecpar.pointee
        guard time < .zero, parameters.initial_padding > 0, parameters.sample_rate > 0 else { return time }
        let padding = Rational(Int(parameters.initial_padding), Int(parameters.sample_rate))
        return (time + padding).magnitude <= timeBase ? .zero - padding : time
    }
}

extension AudioRun {
    /// Appends the samples of `frames`.
    fileprivate mutating func append(_ frames: [Frame]) {
        for frame in frames {
            let data = frame.pointer.pointee
            append(count: Int(data.nb_samples)) { channel in
                data.extended_data[channel].map { UnsafeRawPointer($0).assumingMemoryBound(to: Float.self) }
            }
        }
    }
}

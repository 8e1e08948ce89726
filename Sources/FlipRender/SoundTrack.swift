import FlipMedia

/// The audio of the output on the timeline: each clip's, from its first video frame used to its last, faded over at the
/// transitions. At most the clips that sound at one time are open.
final class SoundTrack {
    private let plan: RenderPlan
    private let encoding: AudioEncoding
    private let conform: AudioConform
    private let clock: StageClock
    private var readers: [Int: AudioReader] = [:]
    private var position = 0
    /// The output samples of each clip, and those over which each join fades; nil where nothing overlaps.
    private let places: [Range<Int>]
    private let fades: [Range<Int>?]
    /// The first clip that has not ended. Clips end in their order.
    private var first = 0
    /// For each clip, errors in its audio that were skipped.
    private(set) var concealedErrors: [Int]
    private let mixed: SampleBlock
    private let own: SampleBlock

    /// Samples mixed at a time.
    private static let block = 4096

    /// Charges reading and mixing to `clock`.
    init(_ plan: RenderPlan, _ encoding: AudioEncoding, clock: StageClock) {
        self.plan = plan
        self.clock = clock
        self.encoding = encoding
        concealedErrors = plan.clips.map { _ in 0 }
        conform = AudioConform(sampleRate: encoding.sampleRate, layout: encoding.layout)
        let samples = { (start: Int, end: Int) in
            plan.sample(atFrame: start, of: encoding)..<plan.sample(atFrame: end, of: encoding)
        }
        places = plan.timeline.clips.map { samples($0.start, $0.end) }
        fades = plan.timeline.joins.map { join in
            join.frames > 0 && join.overlap == .play ? samples(join.start, join.start + join.frames) : nil
        }
        mixed = SampleBlock(channels: conform.channels, count: SoundTrack.block)
        own = SampleBlock(channels: conform.channels, count: SoundTrack.block)
    }

    /// Writes the audio up to where output frame `frame` begins.
    func write(toFrame frame: Int, into writer: MediaWriter) throws(MediaError) {
        let end = plan.sample(atFrame: frame, of: encoding)
        while position < end {
            let count = min(SoundTrack.block, end - position)
            try clock.measure { () throws(MediaError) in try mix(position..<(position + count)) }
            try writer.write(audio: mixed.channels.map { UnsafePointer($0) }, count: count)
            position += count
        }
    }

    /// A sentence for each clip whose audio was damaged.
    var warnings: [String] {
        zip(plan.clips, concealedErrors).filter { $1 > 0 }.map { clip, count in
            "\(clip.info.path): \(count) audio decoding errors were skipped"
        }
    }

    /// Adds up what the clips sound in `range`.
    private func mix(_ range: Range<Int>) throws(MediaError) {
        for channel in mixed.channels { channel.update(repeating: 0, count: range.count) }
        while first < places.count, places[first].upperBound <= range.lowerBound {
            readers[first] = nil
            first += 1
        }
        for index in places.indices[first...] {
            if places[index].lowerBound >= range.upperBound { break }
            let part = range.clamped(to: places[index])
            guard !part.isEmpty, try read(index, part.count) else { continue }
            add(index, part, at: part.lowerBound - range.lowerBound)
        }
    }

    /// Reads the next `count` samples of a clip into `own`; false where it has no audio.
    private func read(_ index: Int, _ count: Int) throws(MediaError) -> Bool {
        let clip = plan.clips[index]
        if clip.info.audio == nil { return false }
        let reader: AudioReader
        if let open = readers[index] {
            reader = open
        } else {
            reader = try AudioReader(info: clip.info, conform: conform, origin: clip.video.usedStart)
            readers[index] = reader
        }
        try reader.read(count, into: own.channels)
        concealedErrors[index] = reader.decodeErrors
        if plan.isStrict, reader.decodeErrors > 0 {
            throw MediaError(.badInput, "\(clip.info.path): the audio is damaged (--strict stops at that)")
        }
        return true
    }

    /// Adds clip `index` over output samples `part` to the mix from its sample `offset` on.
    private func add(_ index: Int, _ part: Range<Int>, at offset: Int) {
        let fadeIn = index > 0 ? fades[index - 1] : nil
        let fadeOut = index < fades.count ? fades[index] : nil
        for (sum, source) in zip(mixed.channels, own.channels) {
            if (fadeIn?.upperBound ?? 0) <= part.lowerBound, (fadeOut?.lowerBound ?? .max) >= part.upperBound {
                for place in 0..<part.count { sum[offset &+ place] += source[place] }
                continue
            }
            for sample in part {
                let place = sample - part.lowerBound
                sum[offset + place] += gain(at: sample, fadeIn, fadeOut) * source[place]
            }
        }
    }

    /// How loud a clip is at an output sample.
    private func gain(at sample: Int, _ fadeIn: Range<Int>?, _ fadeOut: Range<Int>?) -> Float {
        let curve = plan.audioCurve
        var gain: Float = 1
        if let fadeIn, sample < fadeIn.upperBound { gain *= curve.gain(SoundTrack.through(fadeIn, sample)) }
        if let fadeOut, sample >= fadeOut.lowerBound { gain *= curve.gain(1 - SoundTrack.through(fadeOut, sample)) }
        return gain
    }

    /// How far through `range` the middle of `sample` lies, 0...1.
    private static func through(_ range: Range<Int>, _ sample: Int) -> Double {
        (Double(sample - range.lowerBound) + 0.5) / Double(range.count)
    }
}

/// Planar samples in memory of their own.
private final class SampleBlock {
    let channels: [UnsafeMutablePointer<Float>]

    init(channels count: Int, count samples: Int) {
        channels = (0..<count).map { _ in
            let channel = UnsafeMutablePointer<Float>.allocate(capacity: samples)
            channel.initialize(repeating: 0, count: samples)
            return channel
        }
    }

    deinit { for channel in channels { channel.deallocate() } }
}

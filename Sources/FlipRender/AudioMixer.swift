import FlipBase
import FlipBitstream
import FlipFiles
import FlipMedia
import FlipSamples
import FlipSplice

/// The output's audio, mixed from all sounds in blocks of samples. Only sounds that are currently heard are open.
package final class AudioMixer {
    private var plan: RenderPlan
    private let encoding: AudioEncoding
    private let conform: AudioConform
    private let clock: StageClock
    /// All sounds, in the order in which they begin.
    private var voices: [Voice]
    /// The number of voices that have begun.
    private var begun = 0
    /// The voices that have begun but not ended.
    private var sounding: [Voice] = []
    /// The output sample that is mixed next.
    private var position = 0
    /// The index of the current stretch of `plan.audioCopying`, whether its encoding has begun, and its copier with the
    /// number of the output packet that is copied next.
    private var stretch = 0
    private var hasBegun = false
    private var copier: (copier: AudioCopier, next: Int)?
    private let mixed: SampleBlock
    private let own: SampleBlock
    /// The bed on its own, and the audio under which it is ducked; nil if there is no bed.
    private let bed: (sum: SampleBlock, key: SampleBlock)?
    private var ducker: Ducker?

    /// Brings the mix to the loudness asked for; nil before the first sample, and if none is.
    private var leveler: Leveler?
    /// Whether the work has to end; it ends with an error.
    private let cancellation = Cancellation()

    /// The number of samples mixed at a time.
    package static let block = 4096

    /// The time for reading and mixing is charged to `clock`.
    /// - Parameter start: the output sample at which mixing begins.
    package init(_ plan: RenderPlan, _ encoding: AudioEncoding, from start: Int = 0, clock: StageClock) {
        self.plan = plan
        position = start
        (self.clock, self.encoding) = (clock, encoding)
        conform = AudioConform(sampleRate: encoding.sampleRate, layout: encoding.layout)
        voices = Voice.all(of: plan, sampleRate: encoding.sampleRate)
        mixed = SampleBlock(channels: conform.channels, count: AudioMixer.block)
        own = SampleBlock(channels: conform.channels, count: AudioMixer.block)
        let blocks = { [conform] in SampleBlock(channels: conform.channels, count: AudioMixer.block) }
        bed = plan.sounds.contains { $0.role == .bed } ? (blocks(), blocks()) : nil
    }

    /// Makes all audio packets of the output, copying those that the plan says to copy.
    /// - Parameter afterStep: called after the audio of each output frame; an error that it throws ends the work.
    func write(into encoder: AudioAssembler, afterStep: () throws -> Void) throws {
        for frame in 1...plan.timeline.frames {
            try write(toFrame: frame, into: encoder)
            try afterStep()
        }
    }

    /// Makes the packets of the audio before output frame `frame`, or all the rest if `frame` is the number of frames.
    func write(toFrame frame: Int, into encoder: AudioAssembler) throws(MediaError) {
        let isLast = frame == plan.timeline.frames
        let end = plan.sample(atFrame: frame, of: encoding)
        if let copying = plan.audioCopying {
            try write(copying, before: isLast ? .max : end, into: encoder)
        } else {
            try write(toSample: end, into: try leveled(encoder))
            if isLast {
                try leveler?.finish()
                try encoder.end()
            }
        }
    }

    /// What passes samples on to `encoder`, at the loudness asked for.
    private func leveled(_ encoder: AudioAssembler) throws(MediaError) -> any AudioSink {
        guard plan.measuresLoudness else { return encoder }
        if let leveler { return leveler }
        let measuring = Leveler.Measuring(encoding, clock: clock) { [self] () throws(MediaError) in
            if cancellation.isCancelled { throw MediaError(.io, "writing '\(plan.path)' was cancelled") }
        }
        let (sounds, levels) = try measuring.leveled(plan.sounds, in: plan)
        let leveled = plan.playing(sounds)
        let made = try Leveler(leveled, target: plan.loudness, levels, measuring, into: encoder)
        voices = Voice.all(of: leveled, sampleRate: encoding.sampleRate)
        leveler = made
        return made
    }

    /// Ends the work of another thread soon.
    func stop() { cancellation.cancel() }

    /// What was measured and done to reach the loudness asked for; nil if none was.
    var loudness: Leveler.Outcome? { leveler?.outcome }

    /// Continues with `plan`, which differs from the previous one only in audio that has not been mixed yet.
    package func follow(_ plan: RenderPlan) {
        let before = sounding
        self.plan = plan
        voices = Voice.all(of: plan, sampleRate: encoding.sampleRate)
        begun = voices.prefix { $0.samples.lowerBound < position }.count
        sounding = Array(voices[..<begun])
        for voice in sounding {
            if let same = before.first(where: { $0.sound.clip == voice.sound.clip }) { voice.takeOver(same) }
        }
    }

    private func open(_ sound: Int, _ packets: Range<Int>, _ first: Int) throws(MediaError) {
        if copier == nil { copier = (try AudioCopier(plan.sounds[sound].info, from: first), packets.lowerBound) }
    }

    /// What the first packet that is copied after stretch `number` says of its loudness; nil if none says anything.
    private func levels(of copying: AudioPlan, after number: Int) throws(MediaError) -> DolbyLevels? {
        guard number + 1 < copying.stretches.count,
            case .copied(let sound, let packets, let first) = copying.stretches[number + 1],
            plan.sounds[sound].info.audio?.coded?.form.statesLevels == true
        else { return nil }
        try open(sound, packets, first)
        return try copier?.copier.nextLevels()
    }

    /// Copies and encodes what begins before output sample `end`, as planned.
    private func write(_ copying: AudioPlan, before end: Int, into encoder: AudioAssembler) throws(MediaError) {
        while stretch < copying.stretches.count {
            switch copying.stretches[stretch] {
            case .encoded(let part):
                if !hasBegun {
                    try encoder.begin(part, before: try levels(of: copying, after: stretch))
                    resume(at: part.samples.lowerBound)
                    hasBegun = true
                }
                try write(toSample: min(end, part.samples.upperBound), into: encoder)
                if position < part.samples.upperBound { return }
                try encoder.end()
            case .copied(let sound, let packets, let first):
                try open(sound, packets, first)
                guard let (copier, from) = copier else { return }
                var next = from
                while next < packets.upperBound, copying.start(of: next) < end {
                    try encoder.copy(copier, at: copying.start(of: next))
                    next += 1
                }
                self.copier = (copier, next)
                if next < packets.upperBound { return }
                self.copier = nil
            }
            hasBegun = false
            stretch += 1
        }
    }

    /// Continues mixing at output sample `position`, whatever was mixed last.
    private func resume(at position: Int) {
        for voice in sounding { voice.close() }
        (sounding, begun) = ([], 0)
        self.position = position
    }

    /// Mixes up to output sample `end`, and writes the samples into `sink`.
    package func write(toSample end: Int, into sink: any AudioSink) throws(MediaError) {
        while position < end {
            let count = min(AudioMixer.block, end - position)
            try clock.measure { () throws(MediaError) in
                try mix(position..<(position + count))
                fade(position..<(position + count))
            }
            try sink.write(audio: mixed.channels.map { UnsafePointer($0) }, count: count)
            position += count
        }
    }

    /// Fades output samples `range` in `mixed` where the film fades in or out.
    private func fade(_ range: Range<Int>) {
        if plan.fades.isEmpty { return }
        let steady = plan.steadySamples(of: encoding)
        if range.clamped(to: steady) == range { return }
        let end = plan.sample(atFrame: plan.timeline.frames, of: encoding)
        mixed.multiply(range.count) { plan.fadeGain(atSample: range.lowerBound + $0, steady: steady, end: end) }
    }

    /// A sentence for each damaged sound.
    var warnings: [String] {
        voices.filter { $0.concealedErrors > 0 }.map { voice in
            let errors = voice.concealedErrors
            let count = errors == 1 ? "1 audio decoding error was" : "\(errors) audio decoding errors were"
            return "\(voice.sound.name): \(count) skipped"
        }
    }

    /// For each clip, the number of errors in its audio that were skipped.
    var concealedErrors: [Int] {
        var errors = plan.clips.map { _ in 0 }
        for voice in voices { voice.sound.clip.map { errors[$0] += voice.concealedErrors } }
        return errors
    }

    /// Mixes all that is heard in output samples `range` into `mixed`.
    private func mix(_ range: Range<Int>) throws(MediaError) {
        for block in [mixed, bed?.sum, bed?.key] { block?.clear(range.count) }
        while begun < voices.count, voices[begun].samples.lowerBound < range.upperBound {
            sounding.append(voices[begun])
            begun += 1
        }
        for voice in sounding {
            let part = range.clamped(to: voice.samples)
            if part.isEmpty { continue }
            try voice.read(part, conform, into: own.channels)
            if plan.isStrict, voice.concealedErrors > 0 {
                throw MediaError(.badInput, "\(voice.sound.name): the audio is damaged (--strict stops at that)")
            }
            let offset = part.lowerBound - range.lowerBound
            if let bed, voice.sound.role == .bed {
                bed.sum.add(own, part, at: offset, voice.gain)
                continue
            }
            mixed.add(own, part, at: offset, voice.gain)
            if let bed, voice.sound.role == .voice || voice.sound.clip != nil {
                bed.key.add(own, part, at: offset, voice.gain)
            }
        }
        if let bed { try addBed(bed.sum, under: bed.key, range.count) }
        sounding.removeAll { voice in
            let hasEnded = voice.samples.upperBound <= range.upperBound
            if hasEnded { voice.close() }
            return hasEnded
        }
    }

    /// Adds the bed to the mix, ducked under `key`.
    private func addBed(_ bed: SampleBlock, under key: SampleBlock, _ count: Int) throws(MediaError) {
        let ducker: Ducker
        if let open = self.ducker {
            ducker = open
        } else {
            ducker = try Ducker(conform)
            self.ducker = ducker
        }
        try ducker.duck(bed.channels, under: key.channels, count: count)
        mixed.add(bed, 0..<count, at: 0, SoundGain(gain: 1))
    }
}

/// One sound while it is being mixed. Its times are in output samples.
private final class Voice {
    let sound: PlacedSound
    /// The output samples in which it is heard.
    let samples: Range<Int>
    /// How loud it is when.
    let gain: SoundGain
    private var reader: AudioReader?
    /// The number of decoding errors that were skipped.
    private(set) var concealedErrors = 0

    init(_ sound: PlacedSound, _ curve: AudioCurve, sampleRate: Int) {
        self.sound = sound
        samples = sound.span.samples(sampleRate)
        gain = SoundGain(
            gain: sound.gain, fadeIn: sound.fadeIn?.samples(sampleRate), fadeOut: sound.fadeOut?.samples(sampleRate),
            curve: curve)
    }

    /// The voices of all sounds of `plan`, in the order in which they begin.
    static func all(of plan: RenderPlan, sampleRate: Int) -> [Voice] {
        plan.sounds.map { Voice($0, plan.audioCurve, sampleRate: sampleRate) }
            .sorted { $0.samples.lowerBound < $1.samples.lowerBound }
    }

    /// Reads the sound's samples for output samples `part`. These have to be the next ones, except after `close`.
    func read(
        _ part: Range<Int>, _ conform: AudioConform, into channels: [UnsafeMutablePointer<Float>]
    ) throws(MediaError) {
        let reader: AudioReader
        if let open = self.reader {
            reader = open
        } else {
            let skipped = Rational(part.lowerBound - samples.lowerBound, conform.sampleRate)
            reader = try AudioReader(
                info: sound.info, live: sound.live, conform: conform, origin: sound.origin + skipped,
                limits: sound.limits)
            self.reader = reader
        }
        try reader.read(part.count, into: channels)
        concealedErrors = max(concealedErrors, reader.decodeErrors)
    }

    func close() { reader = nil }

    /// Continues reading where `other` stopped.
    func takeOver(_ other: Voice) { (reader, concealedErrors) = (other.reader, other.concealedErrors) }
}

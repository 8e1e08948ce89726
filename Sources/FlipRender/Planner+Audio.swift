import FlipBase
import FlipMedia
import FlipSplice

/// Decides which audio need not be encoded again.
extension Planner {
    /// Which packets of `sounds` are copied, and why no more. For that, `sounds` are moved if settings allow it, and
    /// divided where their packets have gaps. What doesn't fit is encoded, which is not an error.
    /// - Parameters:
    ///   - encoding: the encoding of the output's audio; nil if it has none, or none is to be copied.
    func audioCopying(
        _ sounds: inout [PlacedSound], _ encoding: AudioEncoding?, _ container: Container,
        _ timeline: Timeline, _ fades: FilmFades
    ) throws(MediaError) -> (plan: AudioPlan?, refusals: [String]) {
        guard let encoding else { return (nil, []) }
        if let refusal = copyRefusal(of: sounds) { return (nil, ["all is encoded: \(refusal)"]) }
        guard let seams = try AudioSeams(of: encoding, in: container) else {
            let codec = encoding.codec ?? container.defaultAudioCodec ?? "none"
            let reason =
                Encoders.isLossy(codec: codec)
                ? ", not AAC, AC-3, E-AC-3, MP2 or Opus" : ", which keeps every sample that isn't mixed"
            return (nil, ["all is encoded: the output's is \(codec)\(reason)"])
        }
        let (runs, refusals) = runs(of: sounds, encoding, seams.form)
        let sample = { timeline.times.sample(atFrame: $0, sampleRate: encoding.sampleRate) }
        let plan = AudioPlan(
            sounds, runs: runs, seams, rate: encoding.sampleRate, total: sample(timeline.frames),
            steady: sample(fades.steady.lowerBound)..<sample(fades.steady.upperBound), settings.audioCopy,
            natural: seams.naturalGrid(in: container), isFree: container.allowsEarlyAudio)
        let unaligned = sounds.indices.filter { !runs[$0].isEmpty && plan?.sounds.contains($0) != true }.map {
            "\(sounds[$0].info.name) has packets that aren't aligned with those of the output, or too few of them"
        }
        for (index, moves) in plan?.moves.sorted(by: { $0.key < $1.key }) ?? [] {
            let parts = parts(of: sounds[index], runs[index], moves, rate: encoding.sampleRate)
            sounds[index] = parts[0]
            sounds += parts.dropFirst()
        }
        return (plan, (refusals + unaligned).reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }

    /// Why no audio can be copied, whatever its codec, as a clause; nil if some may be.
    private func copyRefusal(of sounds: [PlacedSound]) -> String? {
        if settings.loudness != nil { return "--loudness changes its level" }
        if sounds.contains(where: { $0.loudness != nil }) { return "the loudness of clips is changed" }
        if sounds.contains(where: { $0.role == .bed }) {
            return "the level of a ducked sound depends on the audio before it"
        }
        return nil
    }

    /// For each sound, its packets in the output; none if they can't be copied, with the reasons.
    private func runs(
        of sounds: [PlacedSound], _ encoding: AudioEncoding, _ form: AudioForm
    ) -> (runs: [[AudioPlan.Run]], refusals: [String]) {
        var runs: [[AudioPlan.Run]] = []
        var refusals: [String] = []
        for sound in sounds {
            // A transition's sound is always mixed with others.
            if sound.join != nil {
                runs.append([])
                continue
            }
            let refusal = sound.gain == 1 ? refusal(sound.info, encoding, form) : "has another volume"
            if let refusal { refusals.append("\(sound.info.name) \(refusal)") }
            guard refusal == nil, let coded = sound.info.audio?.coded else {
                runs.append([])
                continue
            }
            let first = sound.span.samples(encoding.sampleRate).lowerBound
            runs.append(
                coded.runs.map { run in
                    let ahead = (run.start - sound.origin) * Rational(encoding.sampleRate)
                    return AudioPlan.Run(first: run.first, count: run.count, start: first + ahead.rounded())
                })
        }
        return (runs, refusals)
    }

    /// The parts of a sound, one for each of its runs that is heard, each of which is moved by as many samples.
    private func parts(
        of sound: PlacedSound, _ runs: [AudioPlan.Run], _ moves: [Int], rate: Int
    ) -> [PlacedSound] {
        let move = { Rational(moves[$0], rate) }
        guard let coded = sound.info.audio?.coded, runs.count > 1 else { return [sound.moved(by: move(0))] }
        let span = sound.span.samples(rate)
        let first = min(sound.origin, coded.runs[0].start) - Rational(1)
        let last = max(sound.origin, coded.runs[runs.count - 1].start) + InputLimits.duration
        return runs.indices.compactMap { index in
            let lower = index > 0 ? runs[index].start + moves[index] : span.lowerBound
            let upper = index + 1 < runs.count ? runs[index + 1].start + moves[index + 1] : span.upperBound
            let (start, end) = (max(lower, span.lowerBound), min(upper, span.upperBound))
            guard start < end else { return nil }
            let own = index > 0 ? coded.runs[index].start : first
            let next = index + 1 < runs.count ? coded.runs[index + 1].start : last
            return sound.part(start..<end, rate: rate, limits: own..<next).moved(by: move(index))
        }
    }

    /// Why a file's audio can't be copied, as the end of a sentence that begins with its name; nil if it can.
    private func refusal(_ info: MediaInfo, _ encoding: AudioEncoding, _ form: AudioForm) -> String? {
        guard let audio = info.audio else { return nil }
        if audio.codec != form.codec { return "has \(audio.codec), not \(form.codec)" }
        if audio.sampleRate != encoding.sampleRate || !form.equates(audio.layout, encoding.layout) {
            return "has \(audio.sampleRate) Hz \(audio.layout), not \(encoding.sampleRate) Hz \(encoding.layout)"
        }
        guard let coded = audio.coded else { return "has \(audio.codec) of another kind, or packets without a time" }
        return coded.form == form ? nil : "has another header than the output"
    }
}

/// Which codec the output's audio has if no other is asked for.
extension Planner {
    /// The encoding of the audio with which most of `sounds` can be kept as they are: libav's name of an encoder, and the
    /// highest bit rate of the sounds where that is stated. Nil for the container's default.
    /// - Parameters:
    ///   - rate: the output's sample rate in Hz.
    ///   - layout: its channel layout.
    func keptEncoding(
        _ sounds: [PlacedSound], rate: Int, layout: String, _ container: Container
    ) -> (encoder: String, bitrate: Int?)? {
        guard copyRefusal(of: sounds) == nil else { return nil }
        var lengths: [String: Rational] = [:]
        var best: String?
        for sound in sounds where sound.clip != nil && sound.gain == 1 {
            guard let audio = sound.info.audio, Self.keeps(audio, rate: rate, layout: layout, container) else {
                continue
            }
            let length = lengths[audio.codec, default: .zero] + sound.span.duration
            lengths[audio.codec] = length
            if length > best.flatMap({ lengths[$0] }) ?? .zero { best = audio.codec }
        }
        guard let best, let encoder = Encoders.defaultEncoder(of: best) else { return nil }
        // The default is better than what cameras write, and the packets of AAC may have any length.
        let form = best == "aac" ? nil : AudioForm(codec: best)
        let stated = sounds.compactMap { $0.info.audio }.filter { $0.codec == best }.compactMap(\.bitRate).max()
        return (encoder, form.flatMap { form in stated.map(form.bitRate) })
    }

    /// Whether audio may be kept as it is in `container`: packets that are copied, or samples that are written again.
    private static func keeps(_ audio: AudioInfo, rate: Int, layout: String, _ container: Container) -> Bool {
        guard audio.sampleRate == rate, container.takes(codec: audio.codec) else { return false }
        if let form = audio.coded?.form {
            return form.equates(audio.layout, layout) && container.timesAudio && form.isPlain(in: container)
                && !oddities.contains([form.codec, container.name])
        }
        // FLAC in MP4 is an experiment in some versions of libav.
        if audio.codec == "flac", container.priming == .editList { return false }
        return audio.layout == layout && exactCodecs.contains(audio.codec)
    }

    /// Codecs in containers that hold them if asked to: MP4 files don't tell MP2 from MP3, and MOV files take Opus in none
    /// but new versions of libav.
    private static let oddities: Set<[String]> = [["mp2", "mp4"], ["opus", "mov"]]

    /// Lossless codecs whose samples the mixer's floats hold.
    private static let exactCodecs: Set<String> = [
        "flac", "alac", "pcm_u8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_f32le", "pcm_f32be",
    ]
}

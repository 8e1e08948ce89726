import FlipBase
import FlipBitstream
import FlipMedia
import FlipSplice

/// Decides which audio need not be encoded again.
extension Planner {
    /// Which packets of `sounds` are copied, and why no more; `sounds` are moved for that if settings allow it. What
    /// doesn't fit is encoded, which is not an error.
    /// - Parameters:
    ///   - encoding: the encoding of the output's audio; nil if it has none, or none is to be copied.
    func audioCopying(
        _ sounds: inout [PlacedSound], _ encoding: AudioEncoding?, _ container: Container,
        _ timeline: Timeline, _ fades: FilmFades
    ) throws(MediaError) -> (plan: AudioPlan?, refusals: [String]) {
        guard let encoding else { return (nil, []) }
        guard let header = try AACHeader(of: encoding, in: container) else {
            return (nil, ["all is encoded: the output's is \(encoding.codec ?? "none"), not AAC"])
        }
        if settings.loudness != nil { return (nil, ["all is encoded: --loudness changes its level"]) }
        if sounds.contains(where: { $0.loudness != nil }) {
            return (nil, ["all is encoded: the loudness of clips is changed"])
        }
        if sounds.contains(where: { $0.role == .bed }) {
            return (nil, ["all is encoded: the level of a ducked sound depends on the audio before it"])
        }
        var starts: [Int?] = []
        var refusals: [String] = []
        for sound in sounds {
            // A transition's sound is always mixed with others.
            if sound.join != nil {
                starts.append(nil)
                continue
            }
            let refusal = sound.gain == 1 ? refusal(sound.info, encoding, header) : "has another volume"
            if let refusal { refusals.append("\(sound.info.name) \(refusal)") }
            guard refusal == nil, let coded = sound.info.audio?.coded else {
                starts.append(nil)
                continue
            }
            let ahead = (coded.start - sound.origin) * Rational(encoding.sampleRate)
            starts.append(sound.span.samples(encoding.sampleRate).lowerBound + ahead.rounded())
        }
        let sample = { timeline.times.sample(atFrame: $0, sampleRate: encoding.sampleRate) }
        let steady = sample(fades.steady.lowerBound)..<sample(fades.steady.upperBound)
        let plan = AudioPlan(
            sounds, starts: starts, rate: encoding.sampleRate,
            total: sample(timeline.frames), steady: steady,
            settings.audioCopy,
            allowing: { container.allowsEarlyAudio || $0 == 0 })
        for (index, sound) in sounds.enumerated() where starts[index] != nil && plan?.sounds.contains(index) != true {
            refusals.append(
                "\(sound.info.name) has packets that aren't aligned with those of the output, or too few of them")
        }
        for (index, samples) in plan?.moves ?? [:] {
            sounds[index] = sounds[index].moved(by: Rational(samples, encoding.sampleRate))
        }
        return (plan, refusals.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
    }

    /// Why a file's audio can't be copied, as the end of a sentence that begins with its name; nil if it can.
    private func refusal(_ info: MediaInfo, _ encoding: AudioEncoding, _ header: AACHeader) -> String? {
        guard let audio = info.audio else { return nil }
        if audio.codec != "aac" { return "has \(audio.codec), not AAC" }
        if audio.sampleRate != encoding.sampleRate || audio.layout != encoding.layout {
            return "has \(audio.sampleRate) Hz \(audio.layout), not \(encoding.sampleRate) Hz \(encoding.layout)"
        }
        guard let coded = audio.coded else { return "is not AAC-LC without gaps in mp4, mov or mkv" }
        return coded.header == header ? nil : "has another AAC header than the output"
    }
}

import FlipBase
import FlipFiles
import FlipMedia
import FlipSamples

/// A transition's sound as measured.
struct MarkedSound {
    /// The index of the join.
    var join: Int
    let info: MediaInfo
    /// The length of the file's audio, in seconds.
    let duration: Rational
    /// The marked moment, in seconds from the audio's start; nil if the sound begins with its transition.
    let mark: Rational?
    /// The gain in dB.
    let gain: Double
    /// What the user knows the sound by, and the file that holds it, if the program has made that file.
    var title: String?
    var made: NamelessFile?
}

/// Finds the sounds besides the clips' own audio, and places them on the timeline.
extension Planner {
    /// The sounds besides the clips' own audio, those of films over the frames included.
    private var allSounds: [SoundSpec] {
        composition.sounds + settings.overlays.compactMap { $0.sound(loudness: settings.clipLoudness) }
    }

    /// The sounds besides the clips' own audio, placed on the timeline.
    func extraSounds(_ timeline: Timeline) throws(MediaError) -> [PlacedSound] {
        var known: [String: (info: MediaInfo, duration: Rational)] = [:]
        var sounds: [PlacedSound] = []
        for spec in allSounds {
            let file: (info: MediaInfo, duration: Rational)
            if let made = spec.made {
                file = (made.info, made.duration)
            } else if let same = known[spec.path] {
                file = same
            } else {
                guard let measured = try MediaProbe.probeAudio(path: spec.path, isCancelled: isCancelled) else {
                    throw MediaError(.badInput, "\(MediaInfo.name(of: spec.path)) has no audio")
                }
                file = measured
                known[spec.path] = file
            }
            let start: Rational
            switch spec.start {
            case .time(let time): start = time
            case .clip(let index, let offset): start = timeline.times[timeline.clips[index].start] + offset
            }
            let length = timeline.seconds
            let sound = PlacedSound(spec, file.info, duration: file.duration, start: start, length: length)
            if let sound { sounds.append(sound) }
        }
        return sounds
    }

    /// The sounds of the transitions that are drawn, in order, examined but not placed yet.
    func markedSounds(_ timeline: Timeline) throws(MediaError) -> [MarkedSound] {
        guard settings.hasAudio, !settings.isStill else { return [] }
        var known: [SoundKey: MarkedSound] = [:]
        var sounds: [MarkedSound] = []
        for (index, join) in timeline.joins.enumerated() where join.frames > 0 {
            let spec = composition.transition(afterClip: index)
            guard let asked = spec.sound else { continue }
            let turn = timeline.times[join.start..<join.start + join.frames].duration
            let key = SoundKey(asked, spec, turn)
            var sound: MarkedSound
            if let same = known[key] { sound = same } else { sound = try marked(asked, spec, turn) }
            known[key] = sound
            sound.join = index
            sounds.append(sound)
        }
        return sounds
    }

    /// What a sound is the same for: one that is made follows the movement of its transition.
    private struct SoundKey: Hashable {
        let sound: TransitionSound
        let turn: Rational?
        let movement: String?

        init(_ sound: TransitionSound, _ spec: TransitionSpec, _ turn: Rational) {
            self.sound = sound
            if case .made = sound.source {
                (self.turn, movement) = (turn, spec.gesture?.path ?? spec.look?.look.easing.name)
            } else {
                (self.turn, movement) = (nil, nil)
            }
        }
    }

    /// - Parameter turn: how long the transition takes, in seconds.
    private func marked(
        _ sound: TransitionSound, _ spec: TransitionSpec, _ turn: Rational
    ) throws(MediaError) -> MarkedSound {
        switch sound.source {
        case .made(let kind):
            // Of a turn that takes minutes, the end is heard.
            let heard = min(turn, TransitionSound.longest)
            let part = (heard / turn).doubleValue
            let made = PageSound(kind, seconds: heard.doubleValue) { spec.progress(at: 1 - (1 - $0) * part) }
            let mark = Rational(made.landing, PageSound.sampleRate)
            return try marked(made: made.file(), title: kind.rawValue, mark: mark, gain: sound.gain)
        case .stored(let file, let name): return try marked(made: file, title: name, mark: nil, gain: sound.gain)
        case .file(let path): return try marked(sound, file: path)
        }
    }

    private func marked(
        made: NamelessFile, title: String, mark: Rational?, gain: Double
    ) throws(MediaError) -> MarkedSound {
        guard let (info, duration) = try MediaProbe.probeAudio(path: made.location, isCancelled: isCancelled) else {
            throw MediaError(.internalFault, "the sound '\(title)' can't be read")
        }
        return MarkedSound(join: 0, info: info, duration: duration, mark: mark, gain: gain, title: title, made: made)
    }

    private func marked(_ sound: TransitionSound, file path: String) throws(MediaError) -> MarkedSound {
        let name = MediaInfo.name(of: path)
        guard let (info, duration) = try MediaProbe.probeAudio(path: path, isCancelled: isCancelled), duration > .zero
        else { throw MediaError(.badInput, "'\(name)' has no audio, so it can't be the sound of a transition") }
        guard duration <= TransitionSound.longest else {
            throw MediaError(
                .badInput,
                "'\(name)' lasts \(duration.decimalText) s, and the sound of a transition may last "
                    + "\(TransitionSound.longest) s (cut it)")
        }
        if let mark = sound.mark {
            guard mark < duration else {
                throw MediaError(
                    .badInput,
                    "'\(name)' ends at \(duration.decimalText) s, before the time given for its landing, "
                        + "\(mark.decimalText) s (give an earlier one)")
            }
            return MarkedSound(join: 0, info: info, duration: duration, mark: mark, gain: sound.gain)
        }
        guard let loudest = try info.loudestMoment(duration: duration) else {
            throw MediaError(
                .badInput, "'\(name)' is silent throughout, so it has no loudest moment (give another sound)")
        }
        return MarkedSound(join: 0, info: info, duration: duration, mark: loudest, gain: sound.gain)
    }

    /// `sounds` where they are heard in an output whose audio has `rate` samples per second.
    func placed(_ sounds: [MarkedSound], _ timeline: Timeline, rate: Int) -> [PlacedSound] {
        sounds.compactMap { sound in
            let join = timeline.joins[sound.join]
            let span = timeline.times[join.start..<join.start + join.frames]
            return PlacedSound(sound, start: span.start, landing: span.end, length: timeline.seconds, rate: rate)
        }
    }
}

import FlipBase
import FlipMedia
import FlipRender

/// The audio of a deck besides that of its films and its transitions: narration and music.
struct DeckSounds {
    private(set) var sounds: [SoundSpec] = []

    /// The length of the music's fade-in at the start and of its fade-out at the end, in seconds.
    private static let fade = Rational(2)
    /// The limit for how often the music may be played.
    private static let maxRepetitions = 10_000

    /// - Parameter tracks: the narration, and that of each further audio track.
    init(_ spec: DeckSpec, _ tracks: [Narration.Voices], _ timeline: DeckTimeline, rate: Rational) throws(MediaError) {
        let start = { (slide: Int) in Rational(timeline.starts[slide]) / rate }
        for (track, voices) in tracks.enumerated() {
            switch voices {
            case .none: break
            case .whole(let voice): add(voice, at: .zero, spec)
            case .slides(let voices):
                for (slide, voice) in voices.sorted(by: { $0.key < $1.key }) where voice.step.index == 0 {
                    add(voice, at: start(slide), spec)
                }
            }
            for index in sounds.indices where sounds[index].translation == nil && tracks.count > 1 {
                sounds[index].translation = track
            }
        }
        if let path = spec.music { try addMusic(path, gain: spec.musicGain, length: start(timeline.starts.count - 1)) }
    }

    private mutating func add(_ voice: Narration.Voice, at time: Rational, _ spec: DeckSpec) {
        var sound =
            voice.stored.map { SoundSpec(stored: $0, part: voice.part, start: .time(time)) }
            ?? SoundSpec(path: voice.path, part: voice.part, start: .time(time))
        sound.role = .voice
        sound.loudness = spec.output.clipLoudness
        sounds.append(sound)
        for piece in voice.further {
            var next = SoundSpec(path: piece.path, part: piece.part, start: .time(time + piece.start))
            (next.role, next.loudness) = (sound.role, sound.loudness)
            sounds.append(next)
        }
    }

    /// Adds the music from the start to `length`, in seconds, repeating it if it is shorter.
    private mutating func addMusic(_ path: String, gain: Double, length: Rational) throws(MediaError) {
        guard let (_, duration) = try MediaProbe.probeAudio(path: path), duration > .zero else {
            throw MediaError(.badInput, "'\(path)' has no audio")
        }
        var time = Rational.zero
        var count = 0
        while time < length {
            var sound = SoundSpec(path: path, start: .time(time))
            sound.part.end = min(duration, length - time)
            sound.gain = gain
            sound.role = .bed
            let fade = min(Self.fade, (sound.part.end ?? duration) / Rational(2))
            if time == .zero { sound.fadeIn = fade }
            if time + duration >= length { sound.fadeOut = fade }
            sounds.append(sound)
            time = time + duration
            count += 1
            guard count < Self.maxRepetitions else {
                throw MediaError(.usage, "the music '\(path)' is too short to be repeated for \(length.decimalText) s")
            }
        }
    }
}

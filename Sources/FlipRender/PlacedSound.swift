import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// Audio placed on the timeline: a clip's own, or another sound.
package struct PlacedSound: Sendable {
    /// The file, which has audio.
    package let info: MediaInfo
    /// The input, if the file is still coming in; nil otherwise.
    package fileprivate(set) var live: LiveInput?
    /// The stream time in the file, in seconds, from which the sound is read.
    package private(set) var origin: Rational
    /// By how many seconds the sound is heard later than asked for, or earlier if negative.
    package private(set) var shift = Rational.zero
    /// The span of the output in which the sound is heard, in seconds.
    package private(set) var span: TimeSpan
    /// The stream times in seconds of the file's audio that belongs to it; nil if all of it does.
    package private(set) var limits: Range<Rational>?
    /// The spans of the output in which the sound fades in and out, in seconds; nil if it begins or ends abruptly.
    package var fadeIn: TimeSpan?
    package var fadeOut: TimeSpan?
    /// The factor for the sound's amplitude.
    package var gain: Float = 1
    /// The integrated loudness in LUFS to which the sound is brought before `gain`; nil to leave it as it is.
    package var loudness: Double?
    package var role = SoundSpec.Role.plain
    /// In which audio tracks the sound is heard, as `SoundSpec.translation` says.
    private(set) var translation: Int?
    /// The index of the clip whose own audio this is; nil for other sounds.
    package var clip: Int?
    /// The length of the file's audio from `audioOrigin` on, in seconds; nil for a clip's own audio.
    package private(set) var available: Rational?
    /// The index of the join whose transition's sound this is; nil for other sounds.
    package private(set) var join: Int?
    /// The time in the output at which the marked moment of a transition's sound lies, in seconds; nil if it has none.
    package private(set) var landing: Rational?
    /// What the user knows the sound by, if it isn't the file's path.
    private var title: String?
    /// The file at `info.path` if it exists only as long as this object.
    private var made: NamelessFile?
    /// What a document stores as the sound; nil for others.
    private var stored: StoredMedia?

    package init(info: MediaInfo, origin: Rational, span: TimeSpan) {
        (self.info, self.origin, self.span) = (info, origin, span)
    }

    /// The same sound in the same span, heard `seconds` later, or earlier if negative.
    func moved(by seconds: Rational) -> PlacedSound {
        var copy = self
        copy.origin = origin - seconds
        copy.shift = shift + seconds
        return copy
    }

    /// The part of the sound in output samples `samples`, `rate` of them per second, to which only the audio with the
    /// stream times `limits` belongs.
    func part(_ samples: Range<Int>, rate: Int, limits: Range<Rational>) -> PlacedSound {
        let whole = span.samples(rate)
        var copy = self
        // Its ends stay where they are between two samples.
        let start = samples.lowerBound == whole.lowerBound ? span.start : Rational(samples.lowerBound, rate)
        let end = samples.upperBound == whole.upperBound ? span.end : Rational(samples.upperBound, rate)
        copy.span = TimeSpan(start: start, duration: end - start)
        copy.origin = origin + Rational(samples.lowerBound - whole.lowerBound, rate)
        copy.limits = limits
        return copy
    }

    /// The same sound with another loudness to which it is brought.
    func with(loudness: Double?) -> PlacedSound {
        var copy = self
        copy.loudness = loudness
        return copy
    }

    /// The sound as it is in its file: at its own level, and without fades.
    var asItIs: PlacedSound {
        var copy = with(loudness: nil)
        (copy.gain, copy.fadeIn, copy.fadeOut) = (1, nil, nil)
        return copy
    }

    /// The factor for the amplitude of a sound that is made louder by so many decibels; exactly 1 for 0.
    fileprivate static func factor(ofDecibels gain: Double) -> Float { Float(pow(10, gain / 20)) }

    /// The sound's path, or its name if it has no file.
    package var path: String { title ?? info.path }

    /// Whether a document stores the sound.
    var isStored: Bool { stored != nil }

    /// The sound's name in messages.
    var name: String { title ?? info.name }

    /// A sentence for each thing that is missing of the file.
    var complaints: [String] {
        info.complaints().map { sentence in
            title.map { sentence.replacingOccurrences(of: info.name, with: $0) } ?? sentence
        }
    }
}

extension PlacedSound {
    /// The part of `spec` that is heard within the output's `length` seconds; nil if none is.
    /// - Parameters:
    ///   - info: the sound's file, which has audio.
    ///   - duration: the length of the file's audio, in seconds.
    ///   - start: the time in the output at which the sound begins, in seconds; what lies before 0 is not heard.
    init?(_ spec: SoundSpec, _ info: MediaInfo, duration: Rational, start: Rational, length: Rational) {
        let first = spec.part.start ?? .zero
        let end = start + min(spec.part.end ?? duration, duration) - first
        let (heard, heardEnd) = (max(start, .zero), min(end, length))
        guard heard < heardEnd else { return nil }
        self.init(
            info: info, origin: info.audioOrigin + first + heard - start,
            span: TimeSpan(start: heard, duration: heardEnd - heard))
        if spec.fadeIn > .zero { fadeIn = TimeSpan(start: start, duration: spec.fadeIn) }
        if spec.fadeOut > .zero { fadeOut = TimeSpan(start: heardEnd - spec.fadeOut, duration: spec.fadeOut) }
        gain = Self.factor(ofDecibels: spec.gain)
        loudness = spec.loudness
        available = duration
        (role, translation) = (spec.role, spec.translation)
        (stored, title) = (spec.stored, spec.stored?.name)
    }

    /// `sound` as far as it is heard within the output's `length` seconds; nil if it isn't.
    /// - Parameters:
    ///   - start: the time of the transition's first frame in the output, in seconds.
    ///   - landing: that of its landing frame.
    ///   - rate: the output's samples per second.
    init?(_ sound: MarkedSound, start: Rational, landing: Rational, length: Rational, rate: Int) {
        let sample = { (time: Rational) in (time * Rational(rate)).rounded() }
        var spec = SoundSpec(path: sound.info.path, start: .time(.zero))
        spec.gain = sound.gain
        // The mark lies on the sample at which the landing frame begins.
        let first = sound.mark.map { sample(landing) - sample($0) } ?? sample(start)
        self.init(spec, sound.info, duration: sound.duration, start: Rational(first, rate), length: length)
        join = sound.join
        self.landing = sound.mark.map { _ in landing }
        (title, made) = (sound.title, sound.made)
    }
}

extension Timeline {
    /// The clips' own audio, each from its first used frame to its last, crossfaded at the transitions.
    /// - Parameter tracks: for each clip, the index of its audio track that is heard; nil if none is.
    func sounds(of clips: [RenderPlan.Clip], tracks: [Int?]) -> [PlacedSound] {
        let fades = joins.map { join in
            join.frames > 0 && !join.overlap.isFrozen ? times[join.start..<join.start + join.frames] : nil
        }
        return clips.indices.compactMap { index in
            let clip = clips[index]
            guard clip.isHeard, let track = tracks[index], let info = clip.info?.hearing(track) else { return nil }
            var sound = PlacedSound(
                info: info, origin: (info.video?.start ?? .zero) + clip.use.firstShown,
                span: times[self.clips[index].start..<self.clips[index].end])
            sound.fadeIn = index > 0 ? fades[index - 1] : nil
            sound.fadeOut = index < fades.count ? fades[index] : nil
            sound.clip = index
            sound.gain = PlacedSound.factor(ofDecibels: clip.gain)
            sound.loudness = clip.loudness
            sound.live = clip.input.source.live
            return sound
        }
    }
}

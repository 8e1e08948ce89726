import FlipMedia
import Foundation

/// Audio in its place on the timeline.
package struct PlacedSound: Sendable {
    /// Of a file with audio.
    package let info: MediaInfo
    /// Seconds of the file's stream time with which it begins.
    package let origin: Rational
    /// Seconds of the output over which it sounds.
    package let span: TimeSpan
    /// Seconds of the output over which it comes and goes; nil where it does so at once.
    package var fadeIn: TimeSpan?
    package var fadeOut: TimeSpan?
    /// Factor of its amplitude.
    package var gain: Float = 1
    package var role = SoundSpec.Role.plain
    /// The clip whose own it is.
    package var clip: Int?
    /// Seconds of audio that the file has, from `audioOrigin` on, where it is none of a clip's own.
    package private(set) var available: Rational?

    package init(info: MediaInfo, origin: Rational, span: TimeSpan) {
        self.info = info
        self.origin = origin
        self.span = span
    }
}

extension PlacedSound {
    /// What of `spec` sounds within the output's `length` seconds; nil where nothing does.
    /// - Parameters:
    ///   - info: of its file, which has audio.
    ///   - duration: of its audio, in seconds.
    ///   - start: seconds of the output at which it begins; what lies before 0 is not heard.
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
        gain = Float(pow(10, spec.gain / 20))
        available = duration
        role = spec.role
    }
}

extension Timeline {
    /// The audio of the clips, each from the first frame used to its last, faded over at the transitions.
    func sounds(of clips: [RenderPlan.Clip], frameRate: Rational) -> [PlacedSound] {
        let span = { (start: Int, frames: Int) in
            TimeSpan(start: Rational(start) / frameRate, duration: Rational(frames) / frameRate)
        }
        let fades = joins.map { join in
            join.frames > 0 && join.overlap == .play ? span(join.start, join.frames) : nil
        }
        return clips.indices.compactMap { index in
            let clip = clips[index]
            if clip.info.audio == nil || clip.isMuted || !clip.video.runsAtSpeed { return nil }
            var sound = PlacedSound(
                info: clip.info, origin: clip.video.start + clip.video.firstShown,
                span: span(self.clips[index].start, self.clips[index].frames))
            sound.fadeIn = index > 0 ? fades[index - 1] : nil
            sound.fadeOut = index < fades.count ? fades[index] : nil
            sound.clip = index
            return sound
        }
    }
}

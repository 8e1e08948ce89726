import FlipBase
import FlipMedia
import FlipGeometry

/// How a film begins and ends: it fades in from a color and out to it (EFFECTS 8). Counted in output frames.
package struct FilmFades: Sendable, Equatable {
    /// The number of frames that fade in.
    package let fadeIn: Int
    /// The number of frames that fade out.
    package let fadeOut: Int
    package let color: Color
    /// The number of frames of the output.
    private let total: Int

    /// The fades that `settings` ask for in an output of `total` frames. If they don't fit, both are shortened in
    /// proportion.
    init(_ settings: OutputSettings, total: Int, rate: Rational) {
        let asked = [settings.fadeIn, settings.fadeOut].map { $0?.frames(at: rate) ?? 0 }
        let sum = max(asked[0] + asked[1], total)
        fadeIn = asked[0] * total / sum
        fadeOut = asked[1] * total / sum
        color = settings.fadeColor
        self.total = total
    }

    /// Whether frames `fadeIn` and `fadeOut` are fewer than `settings` ask for.
    func isShortened(_ settings: OutputSettings, rate: Rational) -> Bool {
        fadeIn < settings.fadeIn?.frames(at: rate) ?? 0 || fadeOut < settings.fadeOut?.frames(at: rate) ?? 0
    }

    /// No fades at all.
    var none: FilmFades { FilmFades(OutputSettings(path: ""), total: total, rate: Rational(1)) }

    package var isEmpty: Bool { fadeIn == 0 && fadeOut == 0 }

    /// The frames that are shown as they are.
    var steady: Range<Int> { fadeIn..<total - fadeOut }

    /// The weight of the film in front of the color in output frame `index`: that of frame i of n is (i + 1) / (n + 1)
    /// while it fades in, and the reverse while it fades out.
    func weight(ofFrame index: Int) -> Double {
        if index < fadeIn { return TransitionTime.ofFrame(index, in: fadeIn) }
        if index >= total - fadeOut { return Double(total - index) / Double(fadeOut + 1) }
        return 1
    }

    /// `frames` in parts that are either a single frame that fades, or a range of frames that don't.
    func parts(of frames: Range<Int>) -> [Range<Int>] {
        let kept = frames.clamped(to: steady)
        if kept.isEmpty { return frames.map { $0..<$0 + 1 } }
        return (frames.lowerBound..<kept.lowerBound).map { $0..<$0 + 1 } + [kept]
            + (kept.upperBound..<frames.upperBound).map { $0..<$0 + 1 }
    }
}

extension RenderPlan {
    /// The output samples at which the film fades neither in nor out.
    func steadySamples(of audio: AudioEncoding) -> Range<Int> {
        sample(atFrame: fades.steady.lowerBound, of: audio)..<sample(atFrame: fades.steady.upperBound, of: audio)
    }

    /// The gain of output sample `index`, which rises evenly from 0 to 1 over the frames that fade in, and falls over
    /// those that fade out.
    func fadeGain(atSample index: Int, steady: Range<Int>, end: Int) -> Float {
        if index < steady.lowerBound { return Float((Double(index) + 0.5) / Double(steady.lowerBound)) }
        if index < steady.upperBound { return 1 }
        return Float(max((Double(end - index) - 0.5) / Double(end - steady.upperBound), 0))
    }
}

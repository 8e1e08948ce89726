import FlipBase
import FlipFiles
import FlipMedia
import FlipSamples
import FlipSplice
import Foundation

/// Brings the audio of an output to a loudness: mixes it once to measure it, and amplifies what is then mixed.
///
/// If the true peak would be too high, a limiter lowers the peaks. That takes loudness away, and sudden peaks pass it a
/// little too high; so the limited audio is measured, too, until both are right. Where only sounds are brought to a loudness
/// of their own, nothing is amplified, and peaks are limited all the same.
package final class Leveler: AudioSink {
    /// What was measured and done, in the report.
    package struct Outcome: Encodable, Sendable {
        /// The loudness asked for, in LUFS; nil if none was asked for the whole.
        package let target: Double?
        /// The loudness of the mix, in LUFS; nil if it is silent.
        package let measured: Double?
        /// The amplification in dB.
        package let gain: Double
        /// Whether peaks are limited.
        package let isLimited: Bool
        /// What was measured and done of sounds that have a loudness of their own.
        package let sounds: [Level]
    }

    /// What was measured and done of a sound.
    package struct Level: Encodable, Sendable {
        /// The input whose audio this is, counted from 0; nil for other sounds.
        package let input: Int?
        package let path: String
        /// The loudness asked for and that of the part that is heard, in LUFS; `measured` is nil if it is silent.
        package let target: Double
        package let measured: Double?
        /// The amplification in dB.
        package let gain: Double
    }

    package let outcome: Outcome
    private let sink: any AudioSink
    private let limiter: PeakLimiter?
    private let factor: Float
    /// The amplified samples of one block; without a limiter.
    private let amplified: SampleBlock

    /// The greatest true peak: -1 dBTP (EBU R 128), and a little less, since it is measured to a thousandth.
    private static let limit = pow(10, -1.05 / 20)
    /// By how many LU the output may miss its loudness before it is measured once more, and how often that is done.
    private static let tolerance = 0.05
    private static let attempts = 8

    /// Measures the audio of `plan`.
    /// - Parameters:
    ///   - target: the loudness of the whole, in LUFS; nil to limit peaks only.
    ///   - levels: what was done of sounds before.
    package init(
        _ plan: RenderPlan, target: Double?, _ levels: [Level], _ measuring: Measuring, into sink: any AudioSink
    ) throws(MediaError) {
        self.sink = sink
        amplified = SampleBlock(channels: measuring.conform.channels, count: AudioMixer.block)
        let end = plan.sample(atFrame: plan.timeline.frames, of: measuring.encoding)
        let mix = try measuring.measure(plan, 0..<end)
        guard let loudness = mix.loudness else {
            (limiter, factor) = (nil, 1)
            outcome = Outcome(target: target, measured: nil, gain: 0, isLimited: false, sounds: levels)
            return
        }
        var (gain, ceiling) = (target.map { $0 - loudness } ?? 0, Leveler.limit)
        let isLimited = mix.peak * Leveler.factor(gain) > Leveler.limit
        if isLimited {
            for _ in 0..<Leveler.attempts {
                let limiter = try PeakLimiter(measuring.conform, gain: Leveler.factor(gain), limit: ceiling)
                let limited = try measuring.measure(plan, 0..<end, through: limiter)
                guard let reached = limited.loudness else { break }
                let missing = target.map { $0 - reached } ?? 0
                if abs(missing) <= Leveler.tolerance && limited.peak <= Leveler.limit { break }
                gain += missing
                if limited.peak > Leveler.limit { ceiling *= Leveler.limit / limited.peak }
            }
        }
        factor = Float(Leveler.factor(gain))
        limiter = isLimited ? try PeakLimiter(measuring.conform, gain: Leveler.factor(gain), limit: ceiling) : nil
        outcome = Outcome(target: target, measured: loudness, gain: gain, isLimited: isLimited, sounds: levels)
    }

    private static func factor(_ gain: Double) -> Double { pow(10, gain / 20) }

    // MARK: Amplifying

    package func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError) {
        if let limiter { return try limiter.write(audio: channels, count: count, into: sink.write) }
        amplified.set(channels, count, times: factor)
        try sink.write(audio: amplified.channels.map { UnsafePointer($0) }, count: count)
    }

    /// Passes on what the limiter still holds.
    package func finish() throws(MediaError) { try limiter?.finish(into: sink.write) }
}

extension Leveler {
    /// Measures what an output's audio, or a part of it, would be.
    package struct Measuring {
        let encoding: AudioEncoding
        let conform: AudioConform
        private let clock: StageClock
        private let check: () throws(MediaError) -> Void

        /// - Parameter check: called after each second of audio; an error that it throws ends the work.
        package init(_ encoding: AudioEncoding, clock: StageClock, check: @escaping () throws(MediaError) -> Void) {
            (self.encoding, self.clock, self.check) = (encoding, clock, check)
            conform = AudioConform(sampleRate: encoding.sampleRate, layout: encoding.layout)
        }

        /// `all` sounds, those with a loudness of their own amplified to it, and what was done of these.
        /// - Parameter plan: the plan in which each of them is measured alone.
        package func leveled(
            _ all: [PlacedSound], in plan: RenderPlan
        ) throws(MediaError) -> (sounds: [PlacedSound], levels: [Level]) {
            var sounds = all
            var levels: [Level] = []
            for (index, sound) in sounds.enumerated() {
                guard let target = sound.loudness else { continue }
                let alone = plan.playing([sound.asItIs], fades: false)
                let measured = try measure(alone, sound.span.samples(encoding.sampleRate)).loudness
                let gain = measured.map { target - $0 } ?? 0
                sounds[index].gain *= Float(Leveler.factor(gain))
                levels.append(
                    Level(input: sound.clip, path: sound.path, target: target, measured: measured, gain: gain))
            }
            return (sounds, levels)
        }

        /// Measures output samples `range` of a plan with nothing to measure (`RenderPlan.playing`), through a limiter if
        /// there is one.
        func measure(
            _ plan: RenderPlan, _ range: Range<Int>, through limiter: PeakLimiter? = nil
        ) throws(MediaError) -> LoudnessMeter.Reading {
            let meter = try LoudnessMeter(conform)
            let mixer = AudioMixer(plan, encoding, from: range.lowerBound, clock: clock)
            let tap = Tap(meter, limiter)
            var sample = range.lowerBound
            while sample < range.upperBound {
                sample = min(sample + encoding.sampleRate, range.upperBound)
                try mixer.write(toSample: sample, into: tap)
                try check()
            }
            try limiter?.finish(into: meter.write)
            return try meter.finish()
        }
    }

    /// Passes samples to a meter, through a limiter if there is one.
    private final class Tap: AudioSink {
        private let meter: LoudnessMeter
        private let limiter: PeakLimiter?

        init(_ meter: LoudnessMeter, _ limiter: PeakLimiter?) { (self.meter, self.limiter) = (meter, limiter) }

        func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError) {
            guard let limiter else { return try meter.write(audio: channels, count: count) }
            try limiter.write(audio: channels, count: count, into: meter.write)
        }
    }
}

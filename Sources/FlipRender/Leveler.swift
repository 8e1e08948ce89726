import FlipBase
import FlipClip
import FlipFiles
import FlipMedia
import FlipSplice
import Foundation

/// Brings the audio of an output to a loudness: mixes it once to measure it, and amplifies what is then mixed.
///
/// If the true peak would be too high, a limiter lowers the peaks. That takes loudness away, and sudden peaks pass it a
/// little too high; so the limited audio is measured, too, until both are right.
final class Leveler: AudioSink {
    /// What was measured and done, in the report.
    package struct Outcome: Encodable, Sendable {
        /// The loudness asked for, and that of the mix, in LUFS; nil if it is silent.
        let target: Double
        let measured: Double?
        /// The amplification in dB.
        let gain: Double
        /// Whether peaks are limited.
        let isLimited: Bool
    }

    let outcome: Outcome
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

    /// Measures the audio of `plan`, which is to have a loudness of `target` LUFS.
    ///
    /// - Parameter check: called after each second of audio; an error that it throws ends the work.
    init(
        _ plan: RenderPlan, _ encoding: AudioEncoding, target: Double, clock: StageClock, into sink: any AudioSink,
        check: () throws(MediaError) -> Void
    ) throws(MediaError) {
        self.sink = sink
        let conform = AudioConform(sampleRate: encoding.sampleRate, layout: encoding.layout)
        amplified = SampleBlock(channels: conform.channels, count: AudioMixer.block)
        let mix = try Leveler.measure(plan, encoding, conform, clock, through: nil, check)
        guard let loudness = mix.loudness else {
            (limiter, factor) = (nil, 1)
            outcome = Outcome(target: target, measured: nil, gain: 0, isLimited: false)
            return
        }
        var (gain, ceiling) = (target - loudness, Leveler.limit)
        let isLimited = mix.peak * Leveler.factor(gain) > Leveler.limit
        if isLimited {
            for _ in 0..<Leveler.attempts {
                let limiter = try PeakLimiter(conform, gain: Leveler.factor(gain), limit: ceiling)
                let limited = try Leveler.measure(plan, encoding, conform, clock, through: limiter, check)
                guard let reached = limited.loudness else { break }
                if abs(target - reached) <= Leveler.tolerance && limited.peak <= Leveler.limit { break }
                gain += target - reached
                if limited.peak > Leveler.limit { ceiling *= Leveler.limit / limited.peak }
            }
        }
        factor = Float(Leveler.factor(gain))
        limiter = isLimited ? try PeakLimiter(conform, gain: Leveler.factor(gain), limit: ceiling) : nil
        outcome = Outcome(target: target, measured: loudness, gain: gain, isLimited: isLimited)
    }

    private static func factor(_ gain: Double) -> Double { pow(10, gain / 20) }

    private static func measure(
        _ plan: RenderPlan, _ encoding: AudioEncoding, _ conform: AudioConform, _ clock: StageClock,
        through limiter: PeakLimiter?, _ check: () throws(MediaError) -> Void
    ) throws(MediaError) -> LoudnessMeter.Reading {
        let meter = try LoudnessMeter(conform)
        let mixer = AudioMixer(plan.withoutLoudness, encoding, clock: clock)
        let end = plan.sample(atFrame: plan.timeline.frames, of: encoding)
        let tap = Tap(meter, limiter)
        for sample in stride(from: encoding.sampleRate, to: end + encoding.sampleRate, by: encoding.sampleRate) {
            try mixer.write(toSample: min(sample, end), into: tap)
            try check()
        }
        try limiter?.finish(into: meter.write)
        return try meter.finish()
    }

    /// Passes samples to a meter, through a limiter if there is one.
    private final class Tap: AudioSink {
        private let meter: LoudnessMeter
        private let limiter: PeakLimiter?

        init(_ meter: LoudnessMeter, _ limiter: PeakLimiter?) {
            self.meter = meter
            self.limiter = limiter
        }

        func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError) {
            guard let limiter else { return try meter.write(audio: channels, count: count) }
            try limiter.write(audio: channels, count: count, into: meter.write)
        }
    }

    // MARK: Amplifying

    func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError) {
        if let limiter { return try limiter.write(audio: channels, count: count, into: sink.write) }
        for (target, source) in zip(amplified.channels, channels) {
            for sample in 0..<count { target[sample] = source[sample] * factor }
        }
        try sink.write(audio: amplified.channels.map { UnsafePointer($0) }, count: count)
    }

    /// Passes on what the limiter still holds.
    func finish() throws(MediaError) { try limiter?.finish(into: sink.write) }
}

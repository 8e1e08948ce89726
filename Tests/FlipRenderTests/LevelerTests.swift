import FlipBase
import FlipFiles
import FlipMedia
import FlipRender
import TestSupport
import Testing

/// Loudness against ITU-R BS.1770-4, by which a sine of 997 Hz at full scale in one channel has -3.01 LUFS.
@Suite struct LevelerTests {
    private static let fullScale = -3.01

    private func tone(_ amplitude: Double) throws -> MediaInfo {
        try MixedSound.make("\(amplitude)*sin(2*PI*997*t)", samples: 192_000)
    }

    private func decibels(_ factor: Double) -> Double { 20 * log10(factor) }

    private func measuring(_ check: @escaping () throws(MediaError) -> Void = {}) -> Leveler.Measuring {
        Leveler.Measuring(MixedSound.encoding, clock: StageClock(), check: check)
    }

    /// What becomes of the mix of `plan`, and what was done.
    private func level(
        _ plan: RenderPlan, target: Double?, samples: Int = 192_000
    ) throws -> (samples: [Float], outcome: Leveler.Outcome) {
        let sink = MixedSound.Sink()
        let leveler = try Leveler(plan, target: target, [], measuring(), into: sink)
        try AudioMixer(plan, MixedSound.encoding, clock: StageClock()).write(toSample: samples, into: leveler)
        try leveler.finish()
        return (sink.samples, leveler.outcome)
    }

    /// 0.1 is 20 dB below full scale, so the mix has -23.01 LUFS, and what is missing is added.
    @Test(arguments: [-16.0, -23.01, -40, -70, -5]) func theMixIsBroughtToItsTarget(target: Double) throws {
        let plan = try MixedSound.plan([MixedSound.place(tone(0.1), 0..<192_000)])
        let (samples, outcome) = try level(plan, target: target)
        let gain = target - (Self.fullScale - 20)
        #expect(outcome.target == target && abs((outcome.measured ?? 0) - (Self.fullScale - 20)) < 0.05, "\(outcome)")
        #expect(abs(outcome.gain - gain) < 0.05 && !outcome.isLimited && outcome.sounds.isEmpty, "\(outcome)")
        let factor = Float(pow(10, outcome.gain / 20))
        let isAmplified = try samples == MixedSound.mix(plan, to: 192_000).map { $0 * factor }
        #expect(isAmplified)
    }

    /// A sine of -3.01 LUFS would have a peak of 0 dBTP, more than the -1 dBTP of EBU R 128.
    @Test func peaksAreLimited() throws {
        let plan = try MixedSound.plan([MixedSound.place(tone(0.1), 0..<192_000)])
        let (samples, outcome) = try level(plan, target: -3.01)
        #expect(outcome.isLimited && samples.count == 192_000, "\(outcome)")
        let peak = samples.map(abs).max() ?? 0
        #expect(decibels(Double(peak)) <= -1 && decibels(Double(peak)) > -3, "\(peak)")
        // No sample is early or late: the tone changes its sign where it did, within the 1.5 samples in which it is below a
        // fifth of its amplitude.
        let source = try MixedSound.mix(plan, to: 192_000)
        let isInTime = (9600..<182_400).allSatisfy { abs(source[$0]) < 0.02 || (source[$0] > 0) == (samples[$0] > 0) }
        #expect(isInTime)
    }

    /// Without a target nothing is amplified, and only peaks above -1 dBTP are lowered.
    @Test func withoutATargetOnlyPeaksAreLowered() throws {
        for (amplitude, isLimited) in [(0.1, false), (0.88, false), (0.95, true)] {
            let plan = try MixedSound.plan([MixedSound.place(tone(amplitude), 0..<192_000)])
            let (samples, outcome) = try level(plan, target: nil)
            #expect(outcome.target == nil && outcome.gain == 0 && outcome.isLimited == isLimited, "\(outcome)")
            let isSame = try samples == MixedSound.mix(plan, to: 192_000)
            #expect(isSame != isLimited, "\(amplitude)")
            #expect(decibels(Double(samples.map(abs).max() ?? 9)) <= -1)
        }
    }

    /// What has no loudness stays as it is: silence, what lies below the gate at -70 LUFS, and what is too short for a block
    /// of 400 ms.
    @Test func whatHasNoLoudnessStaysAsItIs() throws {
        let cases = try [
            ([], 100), ([MixedSound.place(tone(0.0001), 0..<192_000)], 100),
            ([MixedSound.place(tone(0.5), 0..<9600)], 5), ([MixedSound.place(tone(0.5), 0..<1920)], 1),
        ]
        for (sounds, frames) in cases {
            let plan = try MixedSound.plan(sounds, frames: frames)
            let (samples, outcome) = try level(plan, target: -16, samples: frames * 1920)
            #expect(outcome.measured == nil && outcome.gain == 0 && !outcome.isLimited, "\(frames): \(outcome)")
            let isSame = try samples == MixedSound.mix(plan, to: frames * 1920)
            #expect(isSame && samples.count == frames * 1920)
        }
    }

    // MARK: Sounds

    /// Each sound is measured on its own, without fades, in its span; its gain comes on top.
    @Test func soundsAreBroughtToTheirOwn() throws {
        let tone = try tone(0.1)
        let loud = MixedSound.place(tone, 0..<96_000, gain: 0.5) { sound in
            (sound.loudness, sound.clip) = (-13.01, 3)
            sound.fadeIn = MixedSound.times(0..<96_000)
        }
        let plain = MixedSound.place(tone, 0..<192_000, gain: 0.25)
        let silent = MixedSound.place(try MixedSound.make("0"), 0..<48_000, gain: 2) { $0.loudness = -20 }
        let quiet = MixedSound.place(tone, 96_000..<192_000) { $0.loudness = -43.01 }
        let (sounds, levels) = try measuring().leveled([loud, plain, silent, quiet], in: MixedSound.plan([]))
        let gains = sounds.map { decibels(Double($0.gain)) }
        let expected = [10 + decibels(0.5), decibels(0.25), decibels(2), -20]
        for (gain, expected) in zip(gains, expected) { #expect(abs(gain - expected) < 0.05, "\(gains)") }
        #expect(levels.map(\.input) == [3, nil, nil] && levels.map(\.target) == [-13.01, -20, -43.01])
        #expect(levels[1].measured == nil && levels[1].gain == 0)
        for index in [0, 2] { #expect(abs((levels[index].measured ?? 0) + 23.01) < 0.05, "\(levels[index])") }
        #expect(sounds[0].fadeIn == loud.fadeIn && sounds[0].span == loud.span)
    }

    /// Work can be ended after each second of audio.
    @Test func measuringCanBeEnded() throws {
        let plan = try MixedSound.plan([MixedSound.place(tone(0.1), 0..<192_000)])
        var count = 0
        _ = try Leveler(plan, target: -16, [], measuring { count += 1 }, into: MixedSound.Sink())
        #expect(count == 4)
        let ending = measuring { () throws(MediaError) in
            count += 1
            if count == 6 { throw MediaError(.io, "ended") }
        }
        #expect(throws: MediaError.self) { try Leveler(plan, target: -16, [], ending, into: MixedSound.Sink()) }
        #expect(count == 6)
    }
}

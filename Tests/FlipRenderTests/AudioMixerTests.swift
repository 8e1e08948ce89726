import FlipBase
import FlipMedia
import FlipFiles
import FlipRender
import FlipSamples
import TestSupport
import Testing

/// The mix sample for sample, against sums by hand.
@Suite struct AudioMixerTests {
    /// Sample n is n / 2^20, so that every sample says which one it is, and sums of a few are exact in a Float.
    private func ramp() throws -> MediaInfo { try MixedSound.make("n/1048576") }
    private func one() throws -> MediaInfo { try MixedSound.make("1") }
    private func step(_ number: Int) -> Float { Float(number) / 1_048_576 }

    // MARK: Sums

    @Test func soundsAreAddedWhereTheyLie() throws {
        let ramp = try ramp()
        let plan = try MixedSound.plan([
            MixedSound.place(ramp, 1001..<6004, origin: 100, gain: 0.5), MixedSound.place(ramp, 4000..<4001, gain: 4),
            MixedSound.place(ramp, 5000..<9000, gain: 0), MixedSound.place(ramp, 0..<8192, origin: 7),
        ])
        let expected = (0..<9000).map { sample in
            var sum: Float = 0
            if (1001..<6004).contains(sample) { sum += 0.5 * step(sample - 1001 + 100) }
            if sample < 8192 { sum += step(sample + 7) }
            return sum
        }
        let mixed = try MixedSound.mix(plan, to: 9000)
        // Sample 0 of the ramp is 0, however loud.
        let isSum = mixed == expected
        #expect(isSum)
        // It makes no difference how many samples are asked for at a time.
        let inPieces = try MixedSound.mix(plan, to: 0, 1, 2, 4095, 4097, 4097, 6003, 9000) == expected
        #expect(inPieces)
    }

    /// Samples are passed on in blocks of 4096, and no more than was asked for.
    @Test func silenceIsMixedOfNothing() throws {
        let sink = MixedSound.Sink()
        let mixer = AudioMixer(try MixedSound.plan([]), MixedSound.encoding, clock: StageClock())
        for end in [0, 1, 1, 9000] { try mixer.write(toSample: end, into: sink) }
        #expect(sink.counts == [1, 4096, 4096, 807])
        #expect(sink.samples.count == 9000 && sink.samples.allSatisfy { $0 == 0 })
    }

    /// Nothing is clipped while it is mixed: the sum of two sounds may be above full scale, and another may bring it back.
    @Test func sumsBeyondFullScaleAreKept() throws {
        let one = try one()
        let plan = try MixedSound.plan([
            MixedSound.place(one, 0..<30, gain: 1000), MixedSound.place(one, 10..<30),
            MixedSound.place(one, 20..<30, gain: -1000),
        ])
        let expected = (0..<30).map { $0 < 10 ? Float(1000) : $0 < 20 ? 1001 : 1 }
        #expect(try MixedSound.mix(plan, to: 30) == expected)
    }

    /// A span begins and ends at the samples nearest to its times; one that is too short for any is not heard.
    @Test func timesBetweenSamplesAreRounded() throws {
        let one = try one()
        let span = { (tenths: Range<Int>) in
            TimeSpan(start: Rational(tenths.lowerBound, 480_000), duration: Rational(tenths.count, 480_000))
        }
        let sounds = [104..<106, 206..<214, 304..<324].map { tenths in
            PlacedSound(info: one, origin: one.audioOrigin, span: span(tenths))
        }
        let mixed = try MixedSound.mix(MixedSound.plan(sounds), to: 50)
        #expect(mixed.indices.filter { mixed[$0] != 0 } == [10, 30, 31])
    }

    @Test func aSoundThatEndsEarlyIsFollowedBySilence() throws {
        let plan = try MixedSound.plan([MixedSound.place(try ramp(), 0..<6000, origin: 95_000)])
        let isRest = try MixedSound.mix(plan, to: 6000) == (0..<6000).map { $0 < 1000 ? step(95_000 + $0) : 0 }
        #expect(isRest)
    }

    /// A part of an output has the samples that the whole has there.
    @Test(arguments: [1, 4096, 5000, 6003, 6004]) func mixingMayBeginAnywhere(start: Int) throws {
        let ramp = try ramp()
        let plan = try MixedSound.plan([
            MixedSound.place(ramp, 1001..<6004, origin: 100) { $0.fadeIn = MixedSound.times(1001..<5500) },
            MixedSound.place(ramp, 5200..<7000),
        ])
        let isSame = try MixedSound.mix(plan, from: start, to: 8000) == Array(MixedSound.mix(plan, to: 8000)[start...])
        #expect(isSame)
    }

    // MARK: Fades

    /// The gain of a sound that fades in. Sample i of n of a fade is (i + 1/2) / n through it; see `--audio-curve`.
    private func gain(_ curve: AudioCurve, _ through: Double) -> Double {
        switch curve {
        case .equalPower: sin(through * .pi / 2)
        case .linear: through
        case .none: through < 0.5 ? 0 : 1
        }
    }

    @Test(arguments: AudioCurve.allCases, [1, 2, 7, 5000])
    func fadesFollowTheirCurve(curve: AudioCurve, length: Int) throws {
        let (rise, fall) = (3000..<3000 + length, 9000..<9000 + length)
        let sound = MixedSound.place(try one(), 3000..<9000 + length, gain: 0.5) { sound in
            (sound.fadeIn, sound.fadeOut) = (MixedSound.times(rise), MixedSound.times(fall))
        }
        let mixed = try MixedSound.mix(MixedSound.plan([sound]) { $0.audioCurve = curve }, to: 15_000)
        for (sample, found) in mixed.enumerated() {
            var expected = (3000..<fall.upperBound).contains(sample) ? 0.5 : 0
            let through = { (fade: Range<Int>) in (Double(sample - fade.lowerBound) + 0.5) / Double(fade.count) }
            if rise.contains(sample) { expected *= gain(curve, through(rise)) }
            // A hard cut gives the sample in its very middle to what comes in.
            if fall.contains(sample) {
                expected *= curve == .none ? 1 - gain(curve, through(fall)) : gain(curve, 1 - through(fall))
            }
            guard abs(Double(found) - expected) > 1e-6 else { continue }
            Issue.record("sample \(sample): \(found), not \(expected)")
            return
        }
    }

    /// Where one sound takes over from another, their amplitudes or their powers have the same sum throughout.
    @Test(arguments: AudioCurve.allCases) func oneSoundTakesOverFromAnother(curve: AudioCurve) throws {
        let one = try one()
        let join = MixedSound.times(4000..<4999)
        let sounds = [
            MixedSound.place(one, 0..<4999) { $0.fadeOut = join },
            MixedSound.place(one, 4000..<9000) { $0.fadeIn = join },
        ]
        let alone = try sounds.map { sound in
            try MixedSound.mix(MixedSound.plan([sound]) { $0.audioCurve = curve }, to: 9000)
        }
        let both = try MixedSound.mix(MixedSound.plan(sounds) { $0.audioCurve = curve }, to: 9000)
        let isSum = zip(both, zip(alone[0], alone[1])).allSatisfy { $0 == $1.0 + $1.1 }
        #expect(isSum)
        let sums = zip(alone[0], alone[1]).map { curve == .equalPower ? $0 * $0 + $1 * $1 : $0 + $1 }
        #expect(sums.allSatisfy { abs($0 - 1) < 1e-6 })
        // In the middle of the transition both are as loud as each other, unless one is cut off there.
        let middle = 4000 + 499
        #expect(abs(alone[0][middle] - alone[1][middle]) == (curve == .none ? 1 : 0))
    }

    /// The fades of a short sound that lie over each other are multiplied, and one that began before is continued.
    @Test func fadesOverlap() throws {
        let sound = MixedSound.place(try one(), 0..<100) { sound in
            (sound.fadeIn, sound.fadeOut) = (MixedSound.times(-100..<100), MixedSound.times(0..<100))
        }
        let mixed = try MixedSound.mix(MixedSound.plan([sound]) { $0.audioCurve = .linear }, to: 100)
        for (index, found) in mixed.enumerated() {
            let expected = (Double(index) + 100.5) / 200 * (99.5 - Double(index)) / 100
            #expect(abs(Double(found) - expected) < 1e-6, "\(index)")
        }
    }

    /// A film of 100 frames of 1920 samples fades in over two of them and out over three.
    @Test func theFilmFadesEvenly() throws {
        let plan = try MixedSound.plan([
            MixedSound.place(try one(), 0..<96_000), MixedSound.place(one(), 96_000..<192_000),
        ]) { output in
            (output.fadeIn, output.fadeOut) = (.frames(2), .frames(3))
        }
        let mixed = try MixedSound.mix(plan, to: 192_000)
        for (index, found) in mixed.enumerated() {
            let (rise, fall) = ((Double(index) + 0.5) / 3840, (191_999.5 - Double(index)) / 5760)
            guard abs(Double(found) - min(1, rise, fall)) > 1e-6 else { continue }
            Issue.record("sample \(index): \(found)")
            return
        }
    }

    // MARK: Following and ducking

    /// When a clip turns out to end, what follows it is planned, and the sound that is heard goes on.
    @Test func aNewPlanIsFollowedFromHereOn() throws {
        let ramp = try ramp()
        let clip = { (index: Int, span: Range<Int>, origin: Int) in
            MixedSound.place(ramp, span, origin: origin) { $0.clip = index }
        }
        let first = try MixedSound.plan([clip(0, 0..<90_000, 3)])
        let whole = try MixedSound.plan([clip(0, 0..<8000, 3), clip(1, 7000..<20_000, 50)])
        for place in [1, 4096, 5000, 7000] {
            let (sink, mixer) = (MixedSound.Sink(), AudioMixer(first, MixedSound.encoding, clock: StageClock()))
            try mixer.write(toSample: place, into: sink)
            mixer.follow(whole)
            try mixer.write(toSample: 12_000, into: sink)
            let isWhole = try sink.samples == MixedSound.mix(whole, to: 12_000)
            #expect(isWhole, "from \(place) on")
        }
    }

    /// ffmpeg's sidechaincompress: so many decibels above the threshold of 0.01 as the other sound is, all but a twentieth of
    /// them are taken away from the bed. Voices and the clips' own audio do that, and other sounds don't.
    @Test func theBedIsLoweredUnderSpeech() throws {
        let (one, gain) = (try one(), Float(pow(50, -0.95)))
        for (isKey, change) in [
            (true, { $0.role = .voice }), (true, { $0.clip = 0 }), (false, { $0.role = .plain }),
        ] as [(Bool, (inout PlacedSound) -> Void)] {
            let bed = MixedSound.place(one, 0..<96_000, gain: 0.25) { $0.role = .bed }
            let mixed = try MixedSound.mix(
                MixedSound.plan([bed, MixedSound.place(one, 24_000..<90_000, gain: 0.5, change)]), to: 96_000)
            #expect(mixed[..<24_000].allSatisfy { abs($0 - 0.25) < 1e-6 })
            #expect(abs(mixed[89_999] - (0.5 + 0.25 * (isKey ? gain : 1))) < 1e-4, "\(mixed[89_999])")
            // It comes back slowly, within some seconds.
            #expect(isKey ? mixed[90_100] < 0.05 : abs(mixed[90_100] - 0.25) < 1e-6)
        }
    }
}

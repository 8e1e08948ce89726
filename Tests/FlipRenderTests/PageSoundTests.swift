import FlipGeometry
import FlipSamples
import TestSupport
import Testing

@Suite struct PageSoundTests {
    private static func sound(_ kind: PageSound.Kind, seconds: Double, easing: String = "page-turn") throws -> PageSound
    {
        let easing = try Easing(parsing: easing)
        return PageSound(kind, seconds: seconds) { easing($0) }
    }

    /// The loudness of a part of a sound: its root mean square, as a part of full scale.
    private static func level(_ samples: ArraySlice<Int16>) -> Double {
        (samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)).squareRoot() / 32768
    }

    /// The copies for listeners are what the program makes, byte by byte.
    @Test(arguments: PageSound.Kind.allCases) func theFilesInMediaAreCopies(kind: PageSound.Kind) throws {
        let file = try Data(contentsOf: Places.package + "/Media/\(kind.rawValue)-turn.wav")
        #expect(try Array(file) == Self.sound(kind, seconds: 0.4).wav)
    }

    /// The page lands at the loudest sample, also when the sound is resampled: the next peak is clearly lower.
    @Test(arguments: PageSound.Kind.allCases, [0.2, 0.6, 3]) func theLandingIsTheLoudestMoment(
        kind: PageSound.Kind, seconds: Double
    ) throws {
        let sound = try Self.sound(kind, seconds: seconds)
        let magnitudes = sound.samples.map { abs(Int($0)) }
        #expect(sound.landing == Int(seconds * 48000) && magnitudes.count == sound.landing + 12000)
        // What still rustles then may move the peak by a sample or two.
        let loudest = try #require(magnitudes.firstIndex(of: magnitudes.max() ?? 0))
        #expect((sound.landing...sound.landing + 4).contains(loudest), "\(loudest)")
        let others = magnitudes.enumerated().filter { abs($0.offset - sound.landing) > 100 }.map(\.element)
        #expect((others.max() ?? 0) * 10 < magnitudes[sound.landing] * 9)
        // It begins and ends in silence.
        #expect(magnitudes.prefix(48).allSatisfy { $0 < 33 } && magnitudes.suffix(48).allSatisfy { $0 < 33 })
    }

    @Test(arguments: PageSound.Kind.allCases) func slowTurnsAreQuiet(kind: PageSound.Kind) throws {
        let levels = try [0.6, 2, 6].map { seconds in
            let sound = try Self.sound(kind, seconds: seconds)
            let samples = sound.samples
            return (turn: Self.level(samples[..<sound.landing]), landing: abs(Int(samples[sound.landing])))
        }
        for (fast, slow) in zip(levels, levels.dropFirst()) {
            #expect(slow.turn < 0.6 * fast.turn && slow.landing * 10 < fast.landing * 8, "\(levels)")
        }
    }

    /// While the page stands still, nothing is heard: here between a quarter and three quarters of the time.
    @Test func aPageThatRestsIsSilent() throws {
        let sound = PageSound(.page, seconds: 1) { time in
            time < 0.25 ? 2 * time : time < 0.75 ? 0.5 : 0.5 + 2 * (time - 0.75)
        }
        let samples = sound.samples
        let (turns, rests) = (Self.level(samples[6000..<12000]), Self.level(samples[18000..<36000]))
        #expect(rests < turns / 100 && turns > 0.001, "\(rests), \(turns)")
    }
}

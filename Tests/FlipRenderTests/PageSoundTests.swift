import FlipRender
import FlipSamples
import TestSupport
import Testing

@Suite struct PageSoundTests {
    /// The copy for listeners is what the program makes, byte by byte.
    @Test func theFileInMediaIsItsCopy() throws {
        let samples = try Data(contentsOf: Places.package + "/Media/page-turn.wav")
        #expect(Array(samples) == PageSound.wav)
    }

    /// The page lands at the loudest sample, also when the sound is resampled: the next peak is clearly lower.
    @Test func theLandingIsTheLoudestMoment() {
        let magnitudes = PageSound.samples.map { abs(Int($0)) }
        #expect(magnitudes.count == PageSound.count)
        #expect(magnitudes.max() == magnitudes[PageSound.landing])
        let others = magnitudes.enumerated().filter { abs($0.offset - PageSound.landing) > 100 }.map(\.element)
        #expect((others.max() ?? 0) * 10 < magnitudes[PageSound.landing] * 9)
        // It begins and ends in silence.
        #expect(magnitudes.prefix(48).allSatisfy { $0 < 33 } && magnitudes.suffix(48).allSatisfy { $0 < 33 })
    }
}

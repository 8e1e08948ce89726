import FlipBase
import FlipFiles
import FlipMedia
import FlipRender
import FlipSplice
import TestSupport
import Testing

/// Sounds for tests of the audio mixer, at 48 kHz and mono. Times are in samples.
enum MixedSound {
    static let rate = 48_000
    static let encoding = AudioEncoding(sampleRate: rate, layout: "mono")

    /// A sound that follows `expression`, whose variables are ffmpeg's `n`, the sample's number, and `t`, its time.
    static func make(_ expression: String, samples: Int = 96_000) throws -> MediaInfo {
        let name = "mixer-\(samples)-" + expression.map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
        let path = try Clips.shared.get().make(
            name + ".wav", "-f lavfi -i aevalsrc='\(expression)':s=\(rate):d=\(Double(samples) / Double(rate))",
            "-c:a pcm_f32le")
        let probed = try MediaProbe.probeAudio(path: path)
        return try #require(probed).info
    }

    /// `info` from its sample `origin` on, heard in the output's samples `span`.
    static func place(
        _ info: MediaInfo, _ span: Range<Int>, origin: Int = 0, gain: Float = 1,
        _ change: (inout PlacedSound) -> Void = { _ in }
    ) -> PlacedSound {
        var sound = PlacedSound(info: info, origin: info.audioOrigin + Rational(origin, rate), span: times(span))
        sound.gain = gain
        change(&sound)
        return sound
    }

    static func times(_ samples: Range<Int>) -> TimeSpan {
        TimeSpan(start: Rational(samples.lowerBound, rate), duration: Rational(samples.count, rate))
    }

    /// A plan of `frames` frames of 1920 samples, in which `sounds` are all that is heard.
    static func plan(
        _ sounds: [PlacedSound], frames: Int = 100, _ change: (inout OutputSettings) -> Void = { _ in }
    ) throws -> RenderPlan {
        let clip = try Clips.shared.get().make(
            "mixer-\(frames).mkv", "-f lavfi -i color=s=64x36:r=25 -f lavfi -i anullsrc=r=\(rate):cl=mono",
            "-frames:v \(frames) -c:v ffv1 -c:a pcm_s16le -shortest")
        var output = OutputSettings(path: "none.mkv")
        change(&output)
        let plan = try Planner.plan(Composition(inputs: [ClipSpec(path: clip)], transitions: [], output: output))
        return plan.playing(sounds)
    }

    /// Takes samples, and notes how many come at a time.
    final class Sink: AudioSink {
        private(set) var samples: [Float] = []
        private(set) var counts: [Int] = []

        func write(audio channels: [UnsafePointer<Float>], count: Int) throws(MediaError) {
            samples += UnsafeBufferPointer(start: channels[0], count: count)
            counts.append(count)
        }
    }

    /// The mix of `plan` from sample `start` on, up to each of `ends` in turn.
    static func mix(_ plan: RenderPlan, from start: Int = 0, to ends: Int...) throws -> [Float] {
        let (sink, mixer) = (Sink(), AudioMixer(plan, encoding, from: start, clock: StageClock()))
        for end in ends { try mixer.write(toSample: end, into: sink) }
        return sink.samples
    }
}

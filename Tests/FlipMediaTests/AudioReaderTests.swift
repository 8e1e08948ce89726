import FlipBase
import FlipMedia
import TestSupport
import Testing

@Suite(.enabled(if: Places.media != nil, Comment(rawValue: Places.mediaIsMissing))) struct AudioReaderTests {
    /// The first channel of the first `count` samples, read in pieces of different sizes.
    private func read(_ path: String, _ conform: AudioConform, count: Int, origin: Rational? = nil) throws -> [Float] {
        let info = try MediaProbe.probe(path: path)
        let start = try #require(origin ?? info.video?.start ?? info.audio?.start ?? .zero)
        let reader = try AudioReader(info: info, conform: conform, origin: start)
        var result = [Float](repeating: .nan, count: count)
        var rest = [Float](repeating: 0, count: 4096 * conform.channels)
        var done = 0
        while done < count {
            let piece = min(count - done, 1 + done % 3001)
            try result.withUnsafeMutableBufferPointer { first in
                try rest.withUnsafeMutableBufferPointer { others in
                    let unused = (1..<conform.channels).map { others.baseAddress! + $0 * 4096 }
                    try reader.read(piece, into: [first.baseAddress! + done] + unused)
                }
            }
            done += piece
        }
        return result
    }

    @Test func givesTheDecodersSamples() throws {
        let path = Places.medium("h264-mp3-in-mp4-640x360-chaplin.mp4")
        let expected = try Judge.samples(path, channel: 0)
        let samples = try read(path, AudioConform(sampleRate: 44100), count: expected.count)
        let areSame = samples == expected
        #expect(areSame)
    }

    @Test func startsWithSilenceWhenSoundIsLate() throws {
        // MEDIA.md: the audio starts 0.044 s after the video with a packet of 1024 samples that the decoder drops as
        // priming, so ffprobe gives the first audio frame the time 0.067211 s.
        let path = Places.medium("h264-aac-mono-1080x720-edit-list-bframes.mp4")
        let samples = try read(path, AudioConform(sampleRate: 44100, layout: "mono"), count: 44100)
        let expected = try Judge.samples(path, channel: 0)
        let silence = (Rational(44, 1000) * Rational(44100)).rounded() + 1024
        // The file states the time in milliseconds, which is a tolerance of 44 samples.
        let late = (silence - 44...silence + 44).first { late in
            (0..<30000).allSatisfy { samples[late + $0] == expected[$0] }
        }
        #expect(late != nil)
        #expect(samples[..<(late ?? 0)].allSatisfy { $0 == 0 })
    }

    @Test func dropsSoundBeforeTheOriginAndPadsTheEnd() throws {
        let path = Places.medium("wav-float32-mono-44khz.wav")
        let expected = try Judge.samples(path, channel: 0)
        let conform = AudioConform(sampleRate: 44100, layout: "mono")
        let samples = try read(path, conform, count: expected.count, origin: Rational(1, 2))
        let isShifted = Array(samples[..<(expected.count - 22050)]) == Array(expected[22050...])
        #expect(isShifted)
        #expect(samples[(expected.count - 22050)...].allSatisfy { $0 == 0 })
    }

    @Test func resamplesToTheLengthOfTheTime() throws {
        let path = Places.medium("aac-mono-8khz.m4a")
        let expected = try Judge.samples(path, channel: 0)
        let samples = try read(path, AudioConform(sampleRate: 48000, layout: "mono"), count: expected.count * 6 + 4800)
        let last = samples.lastIndex { $0 != 0 } ?? 0
        #expect(abs(last - expected.count * 6) < 480)
    }

    /// What is decoded before a late origin isn't held, whatever the container: not where the reader seeks, and not
    /// where it can't (Vorbis).
    @Test(arguments: [("webm", "libvorbis"), ("ogg", "libvorbis"), ("mkv", "libopus"), ("mp4", "aac"), ("ts", "aac")])
    func holdsNothingBeforeTheOrigin(kind: (suffix: String, codec: String)) throws {
        let path = try Clips.shared.get().make(
            "late-origin.\(kind.suffix)", "-f lavfi -i sine=r=48000:d=40 -c:a \(kind.codec) -ac 2")
        let info = try MediaProbe.probe(path: path)
        let start = info.audio?.start ?? .zero
        let reader = try AudioReader(
            info: info, conform: AudioConform(sampleRate: 48000, layout: "mono"), origin: start + Rational(30))
        var samples = [Float](repeating: 0, count: 4800)
        try samples.withUnsafeMutableBufferPointer { try reader.read(4800, into: [$0.baseAddress!]) }
        #expect(samples.contains { abs($0) > 0.05 })
        // A second is far more than any packet, and far less than the 30 s before the origin.
        #expect(reader.mostSamplesHeld > 0 && reader.mostSamplesHeld < 48000)
    }

    /// Nothing behind the limits is decoded, not even to find that the file has nothing more within them.
    @Test func endsAtTheLimits() throws {
        let path = try Clips.shared.get().make(
            "damaged-behind.mka", "-f lavfi -i sine=r=48000:d=20 -c:a aac -bsf:a noise=amount=gt(n\\,100)*5")
        let info = try MediaProbe.probe(path: path)
        let conform = AudioConform(sampleRate: 48000, layout: "mono")
        var samples = [Float](repeating: 1, count: 96000)
        for (limits, isWhole) in [(Rational(0)..<Rational(1), true), (Rational(0)..<Rational(20), false)] {
            let reader = try AudioReader(info: info, conform: conform, origin: .zero, limits: limits)
            try samples.withUnsafeMutableBufferPointer {
                for _ in 0..<5 { try reader.read(96000, into: [$0.baseAddress!]) }
            }
            #expect((reader.decodeErrors == 0) == isWhole, "\(limits): \(reader.decodeErrors)")
        }
    }
}

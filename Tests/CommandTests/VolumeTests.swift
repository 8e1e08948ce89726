import TestSupport
import Testing

extension CommandTests {
    /// The volume of a clip's own audio (`clip.mp4#volume=0.5`).
    @Suite(.serialized) struct VolumeTests {
        let folder = TemporaryFolder.make()

        /// A clip of two seconds at 25 frames a second with noise, whose samples are known.
        private func noise(_ seed: Int, codec: String = "flac") throws -> String {
            try clips().make(
                "volume-\(seed)-\(codec).mkv", "-f lavfi -i testsrc2=s=96x54:r=25:d=2 -f lavfi -i",
                "anoisesrc=a=0.5:r=48000:d=2:seed=\(seed),aformat=s16 -c:v libx264 -g 10 -bf 0 -c:a \(codec)")
        }

        /// The samples of a file's audio, decoded by ffmpeg: 48,000 a second, -32768...32767.
        private func samples(_ path: String) throws -> [Int16] {
            let run = try Tool.run("ffmpeg", "-v error -i \(path) -f s16le -ac 1 -ar 48000 -")
            return run.output.withUnsafeBytes { Array($0.bindMemory(to: Int16.self)) }
        }

        /// Outside the transition each sample is the clip's own times its factor, rounded; a clip that says nothing keeps
        /// its samples to the bit.
        @Test(arguments: [
            ("#volume=0.5", 0.5), ("#volume=-6dB", 0.501187), ("#t=0,2&volume=1.25", 1.25), ("#volume=0dB&t=0", 1),
            ("#volume=0", 0), ("", 1),
        ])
        func samplesAreMultiplied(words: String, factor: Double) throws {
            let out = folder / "out.mkv"
            try succeed("\(noise(1) + words) \(noise(2)) \(out) --duration 10f --audio-codec pcm_s16le")
            let (first, second, found) = try (samples(noise(1)), samples(noise(2)), samples(out))
            // 50 + 50 - 10 frames of 1920 samples; the transition takes frames 40 to 49.
            try #require(found.count == 90 * 1920 && first.count == 96000 && second.count == 96000)
            let difference = (0..<(40 * 1920)).map { abs(Double(found[$0]) - min(Double(first[$0]) * factor, 32767)) }
            #expect(difference.allSatisfy { $0 <= (factor == 1 ? 0 : 1) }, "\(difference.max() ?? 0)")
            #expect(found[(50 * 1920)...].elementsEqual(second[(10 * 1920)...]))
        }

        /// A project says the same in its own words, and gets the same bytes.
        @Test func aProjectSaysTheSame() throws {
            let text =
                "clips:\n  - {file: \(try noise(1)), volume: -6dB}\n  - {file: \(try noise(2)), volume: 0.25, end: 1.5}\n"
            try text.write(to: folder / "p.yaml")
            try succeed(["render", folder / "p.yaml", folder / "p.mkv"])
            try succeed([noise(1) + "#volume=-6dB", noise(2) + "#volume=0.25&t=,1.5", folder / "j.mkv"])
            #expect(try Data(contentsOf: folder / "p.mkv") == Data(contentsOf: folder / "j.mkv"))
        }

        /// Packets of a clip with another volume are not copied, and the plan and the report say why.
        @Test func whatIsChangedIsNotCopied() throws {
            let clip = try noise(3, codec: "aac")
            let arguments = [clip + "#volume=0.5", clip, folder / "o.mp4", "--render", "smart"]
            let inputs = try planRows("inputs", arguments)
            let gain = try #require(inputs[0]["audioGain"] as? Double)
            #expect(abs(gain + 6.0206) < 0.0001 && inputs[1]["audioGain"] == nil)
            let text = try succeed(["plan"] + arguments).text
            #expect(text.contains("has another volume") && text.contains("volume -6.0 dB"), "\(text)")
        }

        @Test(arguments: [
            "#volume=x", "#volume=-1", "#volume=101", "#volume=41dB", "#volume=", "#t=1&t=2", "#t=1&loud=2",
            "#volume=nan",
        ])
        func otherWordsAreRefused(words: String) throws {
            let run = try CommandTests.run(["plan", noise(1) + words, noise(2), "o.mkv"])
            #expect(run.status == 64 && run.messages.contains("invalid") && run.output.isEmpty, "\(run.story)")
        }
    }
}

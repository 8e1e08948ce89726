import TestSupport
import Testing

/// A format of audio of which most packets must be copied.
struct CodedTones: CustomTestStringConvertible, Sendable {
    var rate: Int
    var channels: Int
    var container: String
    /// The trim of the first clip, as written after its name, and the start of that in seconds.
    var part = ""
    var start = 0.0
    var testDescription: String { "\(rate) Hz, \(channels) channels, \(container)\(part)" }

    static let all: [CodedTones] = [
        CodedTones(rate: 48000, channels: 2, container: "mp4"),
        CodedTones(rate: 44100, channels: 1, container: "mov"),
        CodedTones(rate: 48000, channels: 6, container: "mp4"),
        // The output begins within a packet: 15 and 7 frames are 24000 and 11200 samples, not multiples of 1024.
        CodedTones(rate: 48000, channels: 1, container: "mp4", part: "#t=0.5", start: 0.5),
        CodedTones(rate: 44100, channels: 2, container: "mp4", part: "#t=0.2333", start: 7.0 / 30),
    ]
}

extension CommandTests {
    @Suite(.serialized) struct SmartSoundTests {
        /// The duration of each clip in seconds.
        private static let seconds = 5.0

        /// A clip with a keyframe every second and a tone that rises from `frequency` Hz, in AAC unless `codec` says
        /// otherwise.
        private func clip(
            _ name: String, frequency: Int, rate: Int = 48000, channels: Int = 2, _ codec: [String] = ["-c:a", "aac"]
        ) throws -> String {
            let tone = "0.3*sin(2*PI*(\(frequency)+40*t)*t)"
            let all = Array(repeating: tone, count: channels).joined(separator: "|")
            return try clips().make(
                name,
                [
                    "-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=\(Self.seconds)", "-f", "lavfi", "-i",
                    "aevalsrc='\(all)':s=\(rate):d=\(Self.seconds)", "-c:v", "libx264", "-g", "30", "-pix_fmt",
                    "yuv420p",
                ] + codec + ["-b:a", "192k"])
        }

        private func count(_ key: String, _ report: String) throws -> Int {
            let json = try JSONValue(Data(contentsOf: report))
            return Int(try #require(json.numbers(under: key).first))
        }

        /// Most packets are the clips' own, and the output sounds like a lossless mix, seams included.
        @Test(arguments: Places.some(CodedTones.all, every: 6)) func mostPacketsAreCopied(tones: CodedTones) throws {
            let folder = try TemporaryFolder()
            let suffix = "\(tones.rate)-\(tones.channels)"
            let a = try clip("tones-a-\(suffix).mp4", frequency: 300, rate: tones.rate, channels: tones.channels)
            let b = try clip("tones-b-\(suffix).mkv", frequency: 900, rate: tones.rate, channels: tones.channels)
            let out = folder / "out.\(tones.container)"
            let inputs = [a + tones.part, b, "--duration", "0.5", "--audio-bitrate", "\(tones.channels * 120)k"]
            let smart = ["--render", "smart", "--audio-copy", "exact"]
            try succeed(inputs + smart + ["-y", "--report", folder / "report.json", out])
            try succeed(inputs + ["--audio-codec", "pcm_f32le", "--preset", "ultrafast", folder / "lossless.mkv"])

            let (own, made) = try (Judge.audioPacketHashes(a), Judge.audioPacketHashes(out))
            let known = try Set(own).union(Judge.audioPacketHashes(b))
            let copied = made.filter(known.contains).count
            #expect(try count("audioPacketsCopied", folder / "report.json") == copied)
            #expect(try count("audioPacketsEncoded", folder / "report.json") == made.count - copied)
            // All but the transition, the packets that reach into it, and what is trimmed.
            let alone = (Self.seconds - 0.5 - tones.start) * Double(tones.rate) / 1024
            #expect(copied >= Int(alone) - 3)

            // The samples are decoded in sequence, regardless of the packets' time stamps.
            let (heard, meant) = try (Judge.samples(out), Judge.samples(folder / "lossless.mkv"))
            #expect(abs(heard.count - meant.count) <= 1024 * tones.channels)
            let window = 256 * tones.channels
            var worst: Float = 0
            // Skips the start, since the encoder takes a moment to adapt to a tone that begins at once.
            for start in stride(from: 8 * window, to: min(heard.count, meant.count) - 8 * window, by: window) {
                let error = zip(heard[start..<start + window], meant[start..<start + window])
                    .reduce(Float(0)) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }
                worst = max(worst, (error / Float(window)).squareRoot())
            }
            // The tone's RMS level is 0.21. An offset of one sample would make a difference of 0.01 to 0.03, a gap or a
            // click one of 0.1.
            #expect(worst < 0.02, "\(worst)")
        }

        /// Clicks stay at their times, also after a clip without audio and in a clip that is used twice.
        @Test(arguments: ["mp4", "mkv"]) func clicksStayWhereTheyAre(container: String) throws {
            let folder = try TemporaryFolder()
            let settings = ["-c:v", "libx264", "-g", "30", "-c:a", "aac", "-b:a", "256k"]
            let click = try clips().flashAndClick(
                "copied-click.mp4", seconds: 3, events: [0.5, 1, 2], codecs: settings)
            let silent = try clips().make(
                "copied-silent.mp4", "-f lavfi -i color=c=0x202020:s=160x90:r=30:d=2 -c:v libx264 -pix_fmt yuv420p")
            let out = folder / "out.\(container)"
            try succeed([
                click, silent, click + "#t=0.1", "--duration", "0.5", "--render", "auto", "--audio-copy", "exact",
                "--audio-codec", "aac", "-y", "--report", folder / "report.json", out,
            ])
            // 90 + 60 + 87 - 2 * 15 frames; the last clip starts at frame 75 + 45, and its events come 3 frames
            // earlier.
            let frames = [15, 30, 60] + [15, 30, 60].map { 120 + $0 - 3 }
            try expectClicks(Sound(out), frames.map { Double($0) / 30 }, within: 0.001)
            #expect(try count("audioPacketsCopied", folder / "report.json") > 90)
            #expect(try Judge.complaints(out) == "")
        }

        /// What can't be copied is encoded, and the plan says why.
        @Test(.turn(1, of: 2)) func whatIsEncodedIsNamed() throws {
            let folder = try TemporaryFolder()
            let a = try clip("tones-a-48000-2.mp4", frequency: 300)
            let slow = try clip("tones-slow.mp4", frequency: 500, rate: 44100)
            let layer = try clip("tones-mp3.mp4", frequency: 500, ["-c:a", "libmp3lame"])
            for (second, name, codec, reason) in [
                (slow, "out.mp4", "aac", "44100"), (layer, "out.mp4", "aac", "mp3"),
                (a, "out.mkv", "libopus", "not opus"), (a, "out.mkv", "libvorbis", "libvorbis"),
                (a, "out.mkv", "ac3", "aac"),
            ] {
                let arguments = [
                    a, second, "--duration", "0.5", "--render", "smart", "--audio-codec", codec, folder / name,
                ]
                let refusals = try #require(planJSON(arguments)["audioCopyRefusals"] as? [String])
                #expect(refusals.count == 1 && refusals[0].contains(reason), "\(refusals)")
            }
            let report = folder / "report.json"
            try succeed("\(a) \(slow) --duration 0.5 --render smart -y --report \(report) \(folder / "out.mp4")")
            #expect(try count("audioPacketsCopied", report) > 200)
            try succeed([a, a, "--duration", "0.5", "-y", "--report", report, folder / "full.mp4"])
            #expect(try count("audioPacketsCopied", report) == 0)
            #expect(try count("audioPacketsEncoded", report) == Judge.audioPacketHashes(folder / "full.mp4").count)
            try succeed([a, a, "--segments", "3s", "-y", "--report", report, folder / "segments.mp4"])
            #expect(try count("audioPacketsEncoded", report) == Judge.audioPacketHashes(folder / "segments.mp4").count)
        }
    }
}

import TestSupport
import Testing

/// A film whose sound is kept: how its clips are made, and where they are joined.
struct KeptSound: CustomTestStringConvertible, Sendable {
    /// libav's name of the codec of each audio track.
    var codecs: [String]
    var channels = 2
    var rate = 48000
    /// The bit rate of each track.
    var bitRate = 256_000
    /// The number of samples in a packet of the first track.
    var step: Int
    /// The containers of the clips and of the output.
    var clip: String
    var output: String
    /// How long the recordings are, in seconds, of which ffmpeg's concat demuxer makes a clip.
    var parts = [5.0]
    var video: Words = "-c:v libx264 -g 15 -bf 0"

    var testDescription: String {
        "\(codecs.joined(separator: "+")) \(channels)x\(rate) \(parts.count > 1 ? "with gaps " : "")\(clip) to \(output)"
    }

    static let all: [KeptSound] = [
        KeptSound(codecs: ["ac3"], step: 1536, clip: "mkv", output: "mp4"),
        KeptSound(codecs: ["ac3"], channels: 6, bitRate: 448_000, step: 1536, clip: "ts", output: "mkv"),
        KeptSound(codecs: ["ac3"], channels: 1, rate: 44100, step: 1536, clip: "mp4", output: "ts"),
        KeptSound(codecs: ["ac3"], step: 1536, clip: "ts", output: "mpg", video: "-c:v mpeg2video -g 15 -q:v 4"),
        KeptSound(codecs: ["eac3"], channels: 6, bitRate: 512_000, step: 1536, clip: "mp4", output: "mov"),
        KeptSound(codecs: ["eac3"], step: 1536, clip: "ts", output: "m2ts"),
        KeptSound(codecs: ["mp2"], step: 1152, clip: "ts", output: "ts"),
        KeptSound(codecs: ["mp2"], channels: 1, rate: 44100, bitRate: 160_000, step: 1152, clip: "mkv", output: "mkv"),
        KeptSound(codecs: ["aac", "aac"], step: 1024, clip: "mp4", output: "mp4"),
        KeptSound(codecs: ["ac3", "ac3"], bitRate: 192_000, step: 1536, clip: "mkv", output: "mkv"),
        KeptSound(codecs: ["aac"], step: 1024, clip: "mp4", output: "mp4", parts: [4.1, 5.3, 3.7]),
        KeptSound(
            codecs: ["aac"], channels: 6, bitRate: 512_000, step: 1024, clip: "mkv", output: "mp4", parts: [4.13, 3.77]),
        KeptSound(codecs: ["aac"], rate: 44100, step: 1024, clip: "mov", output: "mkv", parts: [3.21, 3.37]),
        KeptSound(codecs: ["ac3"], step: 1536, clip: "mkv", output: "mp4", parts: [4.1, 3.7]),
        KeptSound(codecs: ["mp2"], step: 1152, clip: "mkv", output: "mkv", parts: [4.1, 3.7]),
        KeptSound(codecs: ["libopus"], step: 960, clip: "mkv", output: "mkv"),
        KeptSound(codecs: ["libopus"], channels: 6, bitRate: 512_000, step: 960, clip: "mkv", output: "mp4"),
        KeptSound(codecs: ["libopus"], channels: 1, bitRate: 128_000, step: 960, clip: "mp4", output: "mkv"),
        KeptSound(codecs: ["libopus"], step: 960, clip: "mkv", output: "mkv", parts: [4.1, 5.3, 3.7]),
        KeptSound(codecs: ["libopus"], step: 960, clip: "mp4", output: "mp4", parts: [4.13, 3.77]),
        KeptSound(
            codecs: ["libopus"], channels: 6, bitRate: 512_000, step: 960, clip: "mkv", output: "mp4",
            parts: [4.13, 3.77]),
        KeptSound(
            codecs: ["libopus"], step: 960, clip: "webm", output: "webm", parts: [3.21, 3.37],
            video: "-c:v libvpx -g 15 -auto-alt-ref 0 -deadline realtime"),
    ]
}

extension CommandTests {
    /// Sound that is copied in its own codec where nothing is mixed.
    @Suite(.serialized) struct KeptSoundTests {
        let folder = TemporaryFolder.make()

        /// A sound that is at no two times the same.
        private static func tone(_ time: Double) -> Double { sin(2 * .pi * (300 + 40 * time) * time) }

        /// The recordings, with that tone in all channels.
        private func parts(_ film: KeptSound) throws -> [String] {
            try film.parts.map { seconds in
                let name = "kept-\(film.codecs.joined())-\(film.channels)-\(film.rate)-\(film.bitRate)-\(seconds)"
                let tone = Array(repeating: "0.3*sin(2*PI*(300+40*t)*t)", count: film.channels).joined(separator: "|")
                return try clips().make(
                    "\(name)\(film.output == "mpg" ? "-m2v" : "").\(film.clip)",
                    "-f lavfi -i testsrc2=s=160x96:r=30:d=\(seconds) -f lavfi -i",
                    "aevalsrc='\(tone)':s=\(film.rate):d=\(seconds) -map 0:v \(film.video.list) -pix_fmt yuv420p",
                    "\(film.codecs.flatMap { _ in ["-map", "1:a"] })",
                    "\(film.codecs.enumerated().flatMap { ["-c:a:\($0.offset)", $0.element] }) -b:a \(film.bitRate)")
            }
        }

        /// The recordings as one clip.
        private func clip(_ film: KeptSound) throws -> String {
            let parts = try parts(film)
            guard parts.count > 1 else { return parts[0] }
            let list = folder / "parts.txt"
            try parts.map { "file '\($0)'\n" }.joined().write(to: list)
            try Tool.ffmpeg("-y -f concat -safe 0 -i \(list) -c copy \(folder / "clip.\(film.clip)")")
            return folder / "clip.\(film.clip)"
        }

        /// How closely `heard` follows the tone from `range` of seconds on that begins at `start`, window by window: 1 where
        /// it is the tone at any level, 0 where it is something else.
        private func likeness(_ heard: Sound, _ range: ClosedRange<Double>, start: Double) -> [Double] {
            let window = 480
            let first = Int((range.lowerBound - heard.start) * heard.rate)
            let last = min(Int((range.upperBound - heard.start) * heard.rate), heard.samples.count) - window
            return stride(from: max(0, first), through: last, by: window / 2).map { place in
                var (product, own, meant) = (0.0, 0.0, 0.0)
                for index in place..<place + window {
                    let sample = Double(heard.samples[index])
                    let tone = Self.tone(heard.start + Double(index) / heard.rate - start)
                    product += sample * tone
                    own += sample * sample
                    meant += tone * tone
                }
                return product <= 0 ? 0 : product * product / (own * meant)
            }
        }

        /// Checks that within `range` of seconds the tone is heard without a break, from `start` or at most half a packet
        /// beside it. Returns when it begins.
        private func expectTone(
            _ heard: Sound, _ range: ClosedRange<Double>, from start: Double, within tolerance: Double
        ) throws -> Double {
            let samples = Int((tolerance * heard.rate).rounded(.up)) + 1
            let best = try #require(
                (-samples...samples).max { one, other in
                    // A tone of almost the same frequency everywhere would look the same a period later.
                    func sum(_ shift: Int) -> Double {
                        (0..<8).reduce(0) { sum, spot in
                            let place = range.lowerBound + (range.upperBound - range.lowerBound) * Double(spot) / 8
                            return sum
                                + likeness(heard, place...place + 0.015, start: start + Double(shift) / heard.rate)
                                .reduce(0, +)
                        }
                    }
                    return sum(one) < sum(other)
                })
            #expect(abs(best) <= samples, "\(best) samples")
            let found = start + Double(best) / heard.rate
            let values = likeness(heard, range, start: found)
            #expect(values.count > 100)
            for (index, value) in values.enumerated() where value < 0.98 {
                Issue.record("\(range.lowerBound + Double(index) * 240 / heard.rate) s: \(value)")
                break
            }
            return found
        }

        /// Most packets are the clips' own, and what is heard is the clips' sound, seams included, at most half a packet
        /// beside its place.
        @Test(arguments: Places.some(KeptSound.all, every: 20)) func soundIsKept(film: KeptSound) throws {
            let clip = try clip(film)
            let out = folder / "out.\(film.output)"
            let inputs = [clip, clip + "#t=1.1", clip, "--duration", "0.5", "--render", "smart"]
            let plan = try planJSON(inputs + [out])
            #expect((plan["audioCopyRefusals"] as? [String]) == [])
            try succeed(inputs + ["-y", "--report", folder / "report.json", out])
            #expect(try Judge.complaints(out) == "")

            let used = try #require(plan["inputs"] as? [[String: Any]])
            // Joined recordings have frames at their own times.
            let frames = try times(out, "v:0").sorted()
            let places = used.map { input in
                let frame = input["start"] as? Int ?? 0
                return (
                    film.parts.count > 1 ? frames[frame] - frames[0] : Double(frame) / 30,
                    input["usedStart"] as? Double ?? 0
                )
            }
            let ends =
                places.dropFirst().map { $0.0 } + [
                    try #require((plan["output"] as? [String: Any])?["seconds"] as? Double)
                ]
            let starts = try self.starts(of: film, clip)
            let tolerance = Double(film.step) / Double(film.rate) / 2
            // Decoders of Opus need 80 ms to settle.
            let margin = max(4 * tolerance, film.codecs[0] == "libopus" ? 0.09 : 0)
            // Matroska's times, by which the recordings behind gaps are placed, are rounded to a millisecond.
            let tick = ["mkv", "webm"].contains(film.clip) ? 0.001 : 0
            for track in film.codecs.indices {
                let known = try Set(Judge.audioPacketHashes(clip, track: track))
                let made = try Judge.audioPacketHashes(out, track: track)
                let alone =
                    zip(places, ends).reduce(0) { $0 + $1.1 - $1.0.0 - 0.5 } * Double(film.rate) / Double(film.step)
                let seams = 3 * 8 * film.parts.count
                #expect(made.filter(known.contains).count > Int(alone) - seams)
                #expect(
                    try Judge.streams(out, "a:\(track)").first?["codec_name"] as? String
                        == film.codecs[track].replacing("lib", with: ""))

                let heard = try Sound(out, track: track)
                for (index, (place, skipped)) in places.enumerated() {
                    for (part, start) in starts.enumerated() {
                        let end = part + 1 < starts.count ? starts[part + 1] : .infinity
                        // Where the next recording begins, its first packet takes the place of what it overlaps with.
                        let lower = max(place + (index > 0 ? 0.5 : 0), place - skipped + start) + margin
                        let upper = min(ends[index], place - skipped + end) - margin
                        try #require(lower < upper)
                        let found = try expectTone(
                            heard, lower...upper, from: place - skipped + start, within: tolerance + tick)
                        if film.parts.count == 1, track == 0 {
                            let shift = used[index]["audioShift"] as? Double ?? 0
                            #expect(abs(found - place + skipped - start - shift) < 0.0006)
                        }
                    }
                }
            }
        }

        /// The lossless codecs, each with the container of clips and output.
        private static let lossless: [(codec: Words, container: String)] = [
            ("-c:a pcm_s16le", "mov"), ("-c:a pcm_s24le", "mov"), ("-c:a pcm_f32le", "mkv"),
            ("-c:a flac -sample_fmt s32", "mkv"), ("-c:a alac", "mov"),
            ("-c:a pcm_s16be", "mov"), ("-c:a pcm_s24le", "mkv"),
        ]

        /// The bytes of a track's packets, one after another.
        private func bytes(_ path: String) throws -> Data {
            try Tool.ffmpeg("-y -i \(path) -map 0:a -c copy -f data \(folder / "bytes")")
            return try Data(contentsOf: folder / "bytes")
        }

        /// Every sample of lossless sound that isn't mixed is the clip's, in its place.
        @Test(arguments: Places.some(Array(lossless.indices), every: 3)) func samplesAreKept(index: Int) throws {
            let (codec, container) = Self.lossless[index]
            let clip = try clips().make(
                "lossless-\(index).\(container)", "-f lavfi -i testsrc2=s=160x96:r=30:d=4 -f lavfi -i",
                "anoisesrc=r=48000:d=4:a=0.8:seed=7,aformat=channel_layouts=stereo -c:v libx264 -g 15 -bf 0",
                "-pix_fmt yuv420p \(codec.list)")
            let out = folder / "out.\(container)"
            try succeed([clip, clip + "#t=0.7", "--duration", "0.5", "--render", "smart", out])
            let name = { try Judge.streams($0, "a:0").first?["codec_name"] as? String }
            #expect(try name(out) == name(clip))
            let (own, made) = try (Judge.samples(clip), Judge.samples(out))
            // Two channels of 1600 samples a frame: 105 frames are of the first clip alone, 84 of the second.
            let frame = 2 * 1600
            #expect(made.count == (120 + 99 - 15) * frame)
            #expect(made[..<(105 * frame)] == own[..<(105 * frame)])
            #expect(Array(made[(120 * frame)...]) == Array(own[(36 * frame)...]))
            guard codec.list[1].hasPrefix("pcm") else { return }
            // Of what isn't compressed, the bytes are the clip's.
            let (stored, written) = try (bytes(clip), bytes(out))
            let step = stored.count / 120
            #expect(written.count == 204 * step)
            #expect(written.prefix(105 * step) == stored.prefix(105 * step))
            #expect(written.dropFirst(120 * step) == stored.dropFirst(36 * step))
        }

        /// The times of a stream's packets in seconds.
        private func times(_ path: String, _ stream: String) throws -> [Double] {
            try Judge.rows(path, "packets", "-select_streams \(stream) -show_entries packet=pts_time").compactMap {
                ($0["pts_time"] as? String).flatMap(Double.init)
            }
        }

        /// When the tone of each part begins in the clip, in seconds after its first frame. The first packet of a part holds
        /// the encoder's priming, and its time may have been changed.
        private func starts(of film: KeptSound, _ clip: String) throws -> [Double] {
            let priming = ["aac": 1024, "ac3": 256, "eac3": 256, "mp2": 481, "libopus": 312][film.codecs[0]] ?? 0
            let times = try times(clip, "a:0")
            let video = try #require(try Judge.firstTime(clip, "v:0"))
            var second = 1
            var starts: [Double] = []
            for part in try parts(film) {
                starts.append(times[second] - video + Double(priming - film.step) / Double(film.rate))
                second += try Judge.audioPacketHashes(part).count
            }
            return starts
        }
    }
}

import FlipMedia
import TestSupport
import Testing

/// A preset, and what ffprobe must find in its output of the clips in Media/, as docs/OUTPUT.md says.
struct PresetKind: CustomTestStringConvertible, Sendable {
    var name: String
    var ending: String
    var codec: String
    /// ffprobe's name of the profile; nil for a codec without profiles.
    var profile: String?
    var pixelFormat: String
    var audioCodec: String
    /// Bits per second; nil for lossless codecs.
    var audioBitrate: Double?

    var testDescription: String { name }

    /// The presets whose files have a limit.
    static let limited = ["discord", "whatsapp", "email"]

    static let all =
        [
            PresetKind(
                name: "web", ending: "mp4", codec: "h264", profile: "High", pixelFormat: "yuv420p", audioCodec: "aac",
                audioBitrate: 160_000),
            PresetKind(
                name: "archive", ending: "mkv", codec: "ffv1", profile: nil, pixelFormat: "yuv420p", audioCodec: "flac",
                audioBitrate: nil),
            PresetKind(
                name: "edit", ending: "mov", codec: "prores", profile: "HQ", pixelFormat: "yuv422p10le",
                audioCodec: "pcm_s24le", audioBitrate: nil),
            PresetKind(
                name: "youtube", ending: "mp4", codec: "h264", profile: "High", pixelFormat: "yuv420p",
                audioCodec: "aac", audioBitrate: 384_000),
        ]
        + limited.map { name in
            PresetKind(
                name: name, ending: "mp4", codec: "h264", profile: "High", pixelFormat: "yuv420p", audioCodec: "aac",
                audioBitrate: 160_000)
        }

    /// ffprobe's fields of a stream.
    static func stream(_ path: String, _ kind: String) throws -> [String: Any] {
        try #require(try Judge.streams(path, "\(kind):0").first)
    }

    /// The type of each frame, and whether it is a keyframe, in order of time.
    static func frames(_ path: String) throws -> [(type: String, isKey: Bool)] {
        let object = try Judge.probe(path, ["-select_streams", "v:0", "-show_frames"])
        return try #require(object["frames"] as? [[String: Any]]).map {
            ($0["pict_type"] as? String ?? "", $0["key_frame"] as? Int == 1)
        }
    }
}

extension CommandTests {
    /// `--preset-for`: what each preset makes, judged by ffprobe and ffmpeg.
    @Suite(.serialized) struct PresetTests {
        let folder = TemporaryFolder.make()
        private static let film =
            ["bunny", "flower"].map { Places.package + "/Media/\($0).mp4" } + ["--duration", "0.6"]

        /// Two clips with noise that differs between the channels, of which no encoder can make less than its bit rate.
        private func noise() throws -> [String] {
            let make = { (name: String, seed: Int) in
                let sources = [seed, seed + 2].flatMap {
                    ["-f", "lavfi", "-i", "anoisesrc=r=48000:a=0.3:seed=\($0):d=3"]
                }
                return try clips().make(
                    name, "-f lavfi -i testsrc2=s=320x180:r=30:d=3 \(sources) -filter_complex [1:a][2:a]amerge[a]",
                    "-map 0:v -map [a] -pix_fmt yuv420p -c:v ffv1 -c:a pcm_s16le")
            }
            return try [make("preset-noise-1.mkv", 1), make("preset-noise-2.mkv", 2), "--duration", "0.5"]
        }

        @Test func thereIsATestForEach() {
            // The size of animations is a matter of TargetSizeTests.
            #expect(Set(PresetKind.all.map(\.name) + ["gif"]) == Set(OutputPreset.all.map(\.name)))
        }

        /// docs/OUTPUT.md has a row for each preset, with its files and what it is for, and for each kind of hardware.
        @Test func thePageHasEveryRow() throws {
            let page = try String(contentsOf: Places.package + "/docs/OUTPUT.md")
            let rows = page.split(separator: "\n")
            for preset in OutputPreset.all {
                let row = try #require(rows.first { $0.hasPrefix("| `\(preset.name)` | ") })
                #expect(row.hasSuffix(" | \(preset.summary) |"), "\(row)")
                for container in preset.containers.compactMap(Container.named) {
                    for ending in container.extensions { #expect(row.contains(".\(ending)"), "\(row)") }
                }
            }
            for family in HardwareFamily.all {
                let qualities = family.qualities.map { "`\($0)`" }.joined(separator: ", ")
                let cells = ["`\(family.ending)`", family.needs, qualities].filter { !$0.isEmpty }
                #expect(rows.contains { $0.hasPrefix("| " + cells.joined(separator: " | ") + " |") }, "\(cells)")
            }
        }

        @Test(arguments: Places.some(PresetKind.all, every: 8)) func thePresetMakesWhatItSays(kind: PresetKind) throws {
            let out = folder / "out.\(kind.ending)"
            try succeed(Self.film + ["--preset-for", kind.name, out])
            #expect(try folder.names == ["out.\(kind.ending)"])
            #expect(try Judge.complaints(out) == "")
            let video = try Judge.video(out)
            // 75 frames of 3 s at 25 fps in each clip, less the transition's 15.
            #expect(video.frameCount == 135 && video.isEven(atRate: 25) && video.width == 640 && video.height == 360)
            #expect(video.codec == kind.codec && video.pixelFormat == kind.pixelFormat)
            let profile = try PresetKind.stream(out, "v")["profile"] as? String
            #expect(kind.profile == nil || profile == kind.profile, "\(profile ?? "none")")
            let audio = try #require(try Judge.audio(out))
            #expect(audio.codec == kind.audioCodec && audio.sampleRate == 48_000 && audio.channels == 2)
        }

        @Test(arguments: PresetKind.all.filter { $0.audioBitrate != nil })
        func theAudioHasItsBitRate(kind: PresetKind) throws {
            let out = folder / "out.\(kind.ending)"
            try succeed(noise() + ["--preset-for", kind.name, "--preset", "ultrafast", out])
            let rate = try Double(#require(PresetKind.stream(out, "a")["bit_rate"] as? String)) ?? 0
            #expect(abs(rate / (kind.audioBitrate ?? 0) - 1) < 0.05, "\(rate)")
        }

        @Test func webHasItsQuality() throws {
            try succeed(Self.film + ["--preset-for", "web", folder / "out.mp4"])
            // x264 states its settings in the stream.
            let text = String(decoding: try Data(contentsOf: folder / "out.mp4"), as: UTF8.self)
            #expect(text.contains(" crf=21.0 ") && text.contains(" cabac=1 "))
        }

        /// At 30 fps, GOPs have 15 frames; at 29.97 the nearest number to 14.985.
        @Test(arguments: Places.some([("30", 15), ("30000/1001", 15), ("50", 25), ("24", 12)], every: 2))
        func youtubeHasItsGroups(rate: String, group: Int) throws {
            let out = folder / "out.mp4"
            try succeed(noise() + ["--preset-for", "youtube", "--fps", rate, out])
            let frames = try PresetKind.frames(out)
            let keys = frames.indices.filter { frames[$0].isKey }
            let lengths = zip(keys.dropFirst(), keys).map(-)
            #expect(keys.first == 0 && lengths.max() == group, "\(lengths)")
            // In closed GOPs, each I-frame can be decoded from.
            #expect(keys == frames.indices.filter { frames[$0].type == "I" })
            let runs = frames.map(\.type).joined().split { $0 != "B" }.map(\.count)
            #expect(runs.max() == 2, "\(runs)")
            let headers = try Tool.run(
                "ffmpeg", "-nostdin -v info -i \(out) -map 0:v -c copy -bsf:v trace_headers -f null -"
            ).messages
            #expect(headers.firstMatch(of: /entropy_coding_mode_flag +1 = 1/) != nil)
            #expect(try Judge.audio(out)?.sampleRate == 48_000)
        }

        @Test func youtubeAudioIsStereoOf48Kilohertz() throws {
            let clip = try clips().make(
                "preset-surround.mkv", "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -f lavfi -i sine=r=44100:d=1 -ac 6",
                "-c:v ffv1 -c:a flac")
            try succeed([clip, clip, "--duration", "5f", "--preset-for", "youtube", folder / "out.mp4"])
            let audio = try #require(try Judge.audio(folder / "out.mp4"))
            #expect(audio.sampleRate == 48_000 && audio.channels == 2)
            // Others keep the rate, and an editor or an archive all channels.
            try succeed([clip, clip, "--duration", "5f", "--preset-for", "edit", folder / "out.mov"])
            let kept = try #require(try Judge.audio(folder / "out.mov"))
            #expect(kept.sampleRate == 44_100 && kept.channels == 6)
        }

        /// Damage to a slice is noticed, since it has a CRC: without one, FFV1 decodes it to other pixels in silence.
        @Test func archivesNoticeDamage() throws {
            let out = folder / "out.mkv"
            try succeed(Self.film + ["--preset-for", "archive", out])
            let packets = try Judge.probe(out, "-select_streams v:0 -show_entries packet=pos,size,flags")["packets"]
            let rows = try #require(packets as? [[String: Any]])
            #expect(rows.allSatisfy { ($0["flags"] as? String)?.hasPrefix("K") == true })
            let place = try #require(Int(rows[40]["pos"] as? String ?? ""))
            let size = try #require(Int(rows[40]["size"] as? String ?? ""))
            var bytes = try Data(contentsOf: out)
            bytes[place + size / 2] ^= 0xff
            try bytes.write(to: out)
            #expect(try Judge.complaints(out).contains("CRC mismatch"))
        }

    }
}

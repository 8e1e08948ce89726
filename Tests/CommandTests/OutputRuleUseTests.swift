import FlipBase
import TestSupport
import Testing

extension CommandTests {
    /// What decides an output, as plans say it, and the warnings of what is reduced.
    @Suite(.serialized) struct OutputRuleUseTests {
        let folder = TemporaryFolder.make()

        private func clip(
            _ name: String, size: String = "160x90", rate: Int = 25, format: String = "yuv420p",
            sound: (rate: Int, channels: Int)? = nil, seconds: Double = 1.2
        ) throws -> String {
            let tones = sound.map { sound in
                [
                    "-f", "lavfi", "-i",
                    "aevalsrc='\(Array(repeating: "0.1*sin(400*t)", count: sound.channels).joined(separator: "|"))'"
                        + ":s=\(sound.rate):d=\(seconds)",
                ]
            }
            return try clips().make(
                "rule-\(name).mkv", "-f lavfi -i testsrc2=s=\(size):r=\(rate):d=\(seconds) \(tones ?? [])",
                "-vf format=\(format) -c:v ffv1 -c:a pcm_s16le")
        }

        /// What these tests read of `plan --json`.
        private struct Plan: Decodable {
            struct Output: Decodable {
                struct Audio: Decodable {
                    var sampleRate: Int
                    var layout: String
                }

                struct Decider: Decodable {
                    var by: String
                    var input: Int?
                }

                var width: Int
                var height: Int
                var frameRate: String
                var pixelFormat: String
                var videoCodec: String
                var audio: Audio?
                var decidedBy: [String: Decider]
            }

            var output: Output
            var warnings: [String]
        }

        private func plan(_ arguments: [String]) throws -> Plan {
            try JSONDecoder().decode(
                Plan.self, from: succeed(["plan", "--json"] + arguments + ["--duration", "5f"]).output)
        }

        @Test func theBestVoiceDecidesTheAudioRate() throws {
            let memo = try clip("memo", sound: (8000, 1))
            let talk = try clip("talk", sound: (48000, 2))
            let plan = try plan([memo, talk, "out.mp4"])
            let audio = try #require(plan.output.audio)
            #expect(audio.sampleRate == 48000 && audio.layout == "stereo")
            #expect(plan.output.decidedBy["audioRate"]?.input == 1)
            #expect(plan.output.decidedBy["size"]?.input == 0)
            #expect(plan.output.decidedBy["videoCodec"]?.by == "default")
            let text = try succeed(["plan", memo, talk, "out.mp4", "--duration", "5f", "--fps", "50"]).text
            #expect(
                text.contains(
                    "decided by input 1: size, pixel format, color; by options: frame rate; by default: "
                        + "codec; by input 2: audio rate, audio channels"), "\(text)")
        }

        /// `archive` keeps every bit, whichever clip comes first.
        @Test func anArchiveHasTheBestOfAllClips() throws {
            let small = try clip("archive-8", sound: (44100, 2))
            let deep = try clip("archive-10", format: "yuv422p10le", sound: (96000, 6))
            for inputs in [[small, deep], [deep, small]] {
                let plan = try plan(inputs + ["out.mkv", "--preset-for", "archive"])
                #expect(plan.output.pixelFormat == "yuv422p10le" && plan.warnings.isEmpty, "\(plan.warnings)")
                let audio = try #require(plan.output.audio)
                #expect(audio.sampleRate == 96000 && audio.layout == "5.1", "\(audio)")
            }
            // An option is what the user wants.
            let asked = try plan([
                deep, small, "out.mkv", "--preset-for", "archive", "--pix-fmt", "yuv420p", "--audio-layout", "stereo",
            ])
            #expect(asked.output.pixelFormat == "yuv420p" && asked.warnings.isEmpty, "\(asked.warnings)")
        }

        @Test func reductionsAreWarnedOf() throws {
            let first = try clip("first", sound: (48000, 2))
            let better = try clip("better", size: "320x180", rate: 50, format: "yuv420p10le", sound: (48000, 6))
            let told = try plan([first, better, "out.mp4"]).warnings
            for words in [
                "(320x180): reduced to 160x90 pixels (--size", "(50): reduced to 25 frames per second (--fps",
                "(10): reduced to 8 bits per component (--pix-fmt",
                "the audio is reduced from 5.1 to stereo (--audio-layout",
            ] { #expect(told.contains { $0.contains("rule-better.mkv") && $0.contains(words) }, "\(words): \(told)") }
            #expect(told.count == 4, "\(told)")
            // Nothing is lost the other way round, nor said of what an option asks for, or of less than a second.
            #expect(try plan([better, first, "out.mp4"]).warnings.isEmpty)
            let options = ["--size", "160x90", "--fps", "25", "--pix-fmt", "yuv420p", "--audio-layout", "stereo"]
            #expect(try plan([first, better, "out.mp4"] + options).warnings.isEmpty)
            #expect(try plan([first, better + "#t=0,0.8", "out.mp4"]).warnings.isEmpty)
        }

        /// Transparency that the output can't have is no small loss.
        /// Pairs of frames 4 ms apart, which no rate up to 120 frames a second tells apart: one of each pair may be left out.
        @Test func framesThatAreLeftOutAtTheirOwnRateAreWarnedOf() throws {
            let pairs = try clips().make(
                "rule-pairs.mkv", "-f lavfi -i testsrc2=s=160x90:r=10:d=4 -vf",
                "settb=1/1000,setpts='floor(N/2)*200+mod(N,2)*4' -fps_mode passthrough -enc_time_base 1:1000",
                "-c:v ffv1")
            let told = try plan([pairs, pairs, "--fps", "10", "out.mkv"]).warnings
            #expect(told.isEmpty, "\(told)")
            let own = try plan([pairs, pairs, "out.mkv"])
            let counts = own.warnings.first?.firstMatch(of: /rule-pairs.mkv \((\d+) of (\d+)\): frames are left out/)
            let found = try #require(counts, "\(own)")
            let (dropped, all) = try (#require(Int(found.1)), #require(Int(found.2)))
            #expect(all == 40 && (1...20).contains(dropped) && own.warnings.count == 1, "\(own)")
        }

        @Test func lostTransparencyIsWarnedOf() throws {
            let clear = try clip("clear", format: "yuva444p10le")
            let told = try plan([clear, clear, "out.mov"]).warnings
            #expect(told.count == 1 && told[0].contains("rule-clear.mkv: transparent parts become black"), "\(told)")
            #expect(try plan([clear, clear, "out.mov", "--background", "white"]).warnings.isEmpty)
            #expect(try plan([clear, clear, "out.mov", "--preset-for", "edit"]).warnings.isEmpty)
        }

        /// HDR is written as players expect it.
        @Test func highDynamicRangeIsHEVC() throws {
            let hdr = try clips().make(
                "rule-hdr.mkv", "-f lavfi -i testsrc2=s=160x90:r=25:d=1.2 -vf format=yuv420p10le -c:v ffv1",
                "-colorspace bt2020nc -color_primaries bt2020 -color_trc smpte2084")
            try succeed([hdr, hdr, folder / "out.mp4", "--duration", "5f", "--preset", "ultrafast"])
            let video = try Judge.video(folder / "out.mp4")
            #expect(video.codec == "hevc" && video.pixelFormat == "yuv420p10le")
            #expect(video.color["color_transfer"] == "smpte2084")
            #expect(try plan([hdr, hdr, "out.mp4", "--render", "auto"]).output.videoCodec == "libx265")
            let asked = try plan([hdr, hdr, "out.mp4", "--video-codec", "libx264"])
            #expect(asked.output.videoCodec == "libx264" && asked.warnings.isEmpty)
        }

        /// A GIF among photos, or beside a document, decides neither size nor rate.
        @Test func photosOutrankAnimations() throws {
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=60x104:r=1:d=3 \(folder / "a.gif")")
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=1600x1200 -frames:v 1 \(folder / "b.png")")
            let output = try JSONDecoder().decode(
                Plan.self,
                from: succeed(["plan", "deck", folder / "a.gif", folder / "b.png", folder / "out.mp4", "--json"]).output
            ).output
            #expect(output.width == 1440 && output.height == 1080 && output.frameRate == "25")
            #expect(output.decidedBy["size"]?.input == 1 && output.decidedBy["frameRate"]?.by == "default")
        }

        /// Two passes are refused where users look for them.
        @Test(arguments: [["--two-pass"], ["--pass", "1"], ["--bitrate", "300k", "--video-options", "flags=+pass1"]])
        func severalPassesAreRefused(options: [String]) throws {
            let clip = try clip("first", sound: (48000, 2))
            try expectExit([clip, clip, folder / "out.mp4"] + options, 64, saying: "there is one pass only")
        }

        /// A bit rate on the command line takes the place of a project's quality.
        @Test func anOptionReplacesTheOtherOfAProject() throws {
            let clip = try clip("first", sound: (48000, 2))
            try "clips: [\(clip), \(clip)]\noutput: {crf: 20, language: de}\n".write(to: folder / "p.yaml")
            try succeed("render \(folder / "p.yaml") \(folder / "out.mkv") --bitrate 300k --preset ultrafast")
            #expect(try Judge.languagesBesideVideo(folder / "out.mkv") == ["deu"])
            let both = try CommandTests.run("render \(folder / "p.yaml") \(folder / "no.mkv") --bitrate 300k --crf 20")
            #expect(both.status == 64 && both.messages.contains("give --crf or --bitrate"), "\(both.story)")
        }

        /// The language is that of tracks without one; captions that were asked for are the default in every container.
        @Test(arguments: ["mp4", "mov", "mkv", "webm"]) func tracksHaveALanguage(ending: String) throws {
            let clip = try clip("first", sound: (48000, 2))
            try "1\n00:00:00,100 --> 00:00:00,500\nHallo\n".write(to: folder / "lines.srt")
            try "1\n00:00:00,100 --> 00:00:00,500\nBonjour\n".write(to: folder / "lines.fr.srt")
            let out = folder / "out.\(ending)"
            try succeed(
                "\(clip) \(clip) --duration 5f --captions \(folder / "lines.srt") --captions \(folder / "lines.fr.srt")",
                "--language de \(out)")
            #expect(
                try Judge.languagesBesideVideo(out).map { ["ger": "deu", "fre": "fra"][$0] ?? $0 } == [
                    "deu", "deu", "fra",
                ])
            let marks = try Judge.streams(out, "s").map { ($0["disposition"] as? [String: Any])?["default"] as? Int }
            #expect(marks == [1, 0])
        }
    }
}

import TestSupport
import Testing

/// Two clips whose packets are copied into one file.
struct PlaybackCase: CustomTestStringConvertible, Sendable {
    enum Source: Sendable {
        /// 100 frames by x264 with these settings, at 30 frames per second, each with its number in its pixels.
        case made([String])
        /// The packets of a clip of the media folder, without rotation and at an even 30 frames per second.
        case real(String)
    }

    var testDescription: String
    var first: Source
    var second: Source
    var containers = ["mp4"]
    var arguments = ["--duration", "15f"]
    /// The number of frames of the output less that of both clips.
    var added = -15
    /// Whether it runs only if FLIPTRANSITION_SLOW is 1.
    var isSlow = false

    private static let phone = Source.real("h264-aac-rotate90-720p-android.mp4")
    private static let otherPhone = Source.real("h264-aac-1080p-phone-gap-in-timestamps.mp4")
    private static let recorder = Source.real("h264-vfr-screen-recording-3026x1386.mp4")

    static let all: [PlaybackCase] =
        [
            PlaybackCase(
                testDescription: "B-pyramid after no B-frames", first: .made(["-bf", "0"]),
                second: .made(["-bf", "3", "-x264-params", "b-pyramid=normal"])),
            PlaybackCase(
                testDescription: "High, 8 references, keyframes each 25, after Main with 1 and 60",
                first: .made(["-profile:v", "main", "-refs", "1", "-g", "60"]),
                second: .made(["-profile:v", "high", "-preset", "veryslow", "-refs", "8", "-g", "25"])),
            PlaybackCase(
                testDescription: "Baseline after 8 B-frames", first: .made(["-bf", "8", "-b_strategy", "2"]),
                second: .made(["-profile:v", "baseline"])),
            PlaybackCase(
                testDescription: "phone", first: phone, second: phone,
                arguments: ["--overlap", "freeze", "--duration", "9f"], added: 9),
            PlaybackCase(testDescription: "screen recorder", first: recorder, second: recorder),
            PlaybackCase(
                testDescription: "another phone, cut", first: otherPhone, second: otherPhone,
                arguments: ["--transition", "cut"], added: 0, isSlow: true),
            PlaybackCase(
                testDescription: "x264 after another phone", first: otherPhone,
                second: .made(["-s", "1920x1080", "-color_range", "tv"]), isSlow: true),
        ]
        + CodecPair.usual.map {
            PlaybackCase(
                testDescription: $0.testDescription, first: .made($0.first), second: .made($0.second),
                containers: ["mp4", "mov", "mkv"], isSlow: true)
        }

    /// The cases that run here: those with clips of the media folder, or those without.
    static func enabled(isReal: Bool) -> [PlaybackCase] {
        Places.some(all.filter { $0.isReal == isReal && (Places.runsSlowTests || !$0.isSlow) }, every: 2)
    }

    private var isReal: Bool { isMade.contains(false) }

    /// Whether the first and the second clip are made by x264, and so have numbers in their pixels.
    var isMade: [Bool] { [first, second].map { if case .made = $0 { true } else { false } } }
}

extension CommandTests {
    /// The output of `--render smart` plays in a strict ffmpeg and in a browser.
    @Suite(.serialized, .enabled(if: Browser.path != nil || Places.runsSlowTests, Comment(rawValue: Browser.isMissing)))
    struct PlaybackTests {
        /// The number in the pixels of the second made clip's first frame; the first clip counts from 0.
        private static let secondNumber = 128

        /// A stretch of the output that is copied from a clip.
        private struct Copied {
            var output: Range<Int>
            var input: Int
            var firstFrame: Int
        }

        /// The path of a clip of `source`.
        private func clip(_ source: PlaybackCase.Source, counting first: Int) throws -> String {
            switch source {
            case .made(let settings): try made(settings, counting: first)
            case .real(let name):
                // The container's time stamps and rotation are dropped; the encoder's packets stay.
                try clips().make(
                    "playback-\(name).mp4", "-i",
                    "\(clips().make("playback-\(name).h264", ["-i", medium(name), "-map", "0:v:0", "-c", "copy"]))",
                    "-c copy -bsf:v setts=pts=N*3000:dts=N*3000:duration=3000:time_base=1/90000",
                    "-video_track_timescale 90000")
            }
        }

        /// A clip of 100 frames of a test pattern. The sum of `first` and the frame's index is shown in binary by eight
        /// squares at the top, with the lowest bit at the left.
        private func made(_ settings: [String], counting first: Int) throws -> String {
            let squares = (0..<8).map {
                "drawbox=x=\(40 * $0):y=0:w=40:h=30:c=white:t=fill:enable='bitand(n+\(first),\(1 << $0))'"
            }
            let filters =
                ["hue=h=\(first)", "drawbox=x=0:y=0:w=320:h=30:c=black:t=fill"] + squares + ["format=yuv420p"]
            return try clips().make(
                "playback-\(first)-\(settings.joined(separator: "-").filter { $0 != "/" }).mp4",
                "-f lavfi -i testsrc2=s=320x180:r=30:d=1000 -f lavfi -i sine=f=440:r=48000:d=1000 -frames:v 100",
                "-vf \(filters.joined(separator: ",")) -c:v libx264 -g 30 -sc_threshold 0 -colorspace bt709",
                "-color_primaries bt709 -color_trc bt709 -c:a aac -shortest \(settings)")
        }

        /// The number that the squares show; nil unless all of them are clearly black or white.
        private func number(_ picture: GrayCells) -> Int? {
            let bits = (0..<8).map { picture[x: 4 * $0 + 1, y: 1] }
            guard bits.allSatisfy({ $0 < 60 || $0 > 195 }) else { return nil }
            return bits.enumerated().reduce(0) { $0 + ($1.element > 128 ? 1 << $1.offset : 0) }
        }

        /// The stretches that the plan copies, and the two frames on each side of where segments of the output meet.
        private func planned(_ arguments: [String]) throws -> (copied: [Copied], seams: [Int]) {
            let plan = try planJSON(arguments)
            let starts = try #require(plan["segments"] as? [[String: Any]]).compactMap { $0["start"] as? Int }
            return (
                try copies(plan).map { Copied(output: $0.place, input: $0.clip, firstFrame: $0.first) },
                starts.filter { $0 > 0 }.flatMap { $0 - 2..<$0 + 2 }
            )
        }

        @Test(arguments: PlaybackCase.enabled(isReal: false)) func madeClipsPlay(test: PlaybackCase) throws {
            try expectPlays(test)
        }

        @Test(.needsMedia, .turn(0, of: 3), arguments: PlaybackCase.enabled(isReal: true))
        func realClipsPlay(test: PlaybackCase) throws { try expectPlays(test) }

        private func expectPlays(_ test: PlaybackCase) throws {
            let folder = try TemporaryFolder()
            let sources = try [clip(test.first, counting: 0), clip(test.second, counting: Self.secondNumber)]
            let own = try sources.map { try strictHashes($0, threads: [2]) }
            for container in test.containers {
                let out = folder / "out.\(container)"
                let arguments = sources + test.arguments + ["--render", "smart", out]
                let (copied, seams) = try planned(arguments)
                #expect(Set(copied.map(\.input)) == [0, 1], "both clips are copied in part")
                #expect(try succeed(arguments).messages == "")
                let hashes = try strictHashes(out, threads: [1, 4])
                for stretch in copied {
                    let frames = own[stretch.input][stretch.firstFrame...].prefix(stretch.output.count)
                    #expect(frames == hashes[stretch.output], "frames \(stretch.output) of \(container)")
                }
                let video = try Judge.video(out)
                #expect(video.isEven(atRate: 30) && video.times.first == 0 && video.frameCount == hashes.count)
                #expect(hashes.count == own[0].count + own[1].count + test.added)
                try expectSeeks(out, hashes)
                try expectBrowserShows(out, hashes, copied, seams, isMade: test.isMade)
            }
        }

        /// A file that has only the first clip's parameter sets must fail these checks.
        @Test(.turn(0, of: 2)) func aBrokenSeamIsNoticed() throws {
            let folder = try TemporaryFolder()
            let sources = try [
                made(["-bf", "0", "-profile:v", "main"], counting: 0),
                made(["-bf", "0", "-profile:v", "high", "-preset", "veryslow"], counting: Self.secondNumber),
            ]
            let list = sources.map { "file '\($0)'\n" }.joined()
            try list.write(to: folder / "list.txt")
            try Tool.ffmpeg(
                "-f concat -safe 0 -auto_convert 0 -i \(folder / "list.txt") -an -c copy \(folder / "broken.mp4")")
            let own = try strictHashes(sources[0], threads: [2])
            #expect(try Judge.complaints(folder / "broken.mp4") != "")
            let times = [50, 150].map { (Double($0) + 0.5) / 30 }
            let whole = try Browser.view(folder / "broken.mp4", times: [times[0]])
            // It may be any frame of the clip, since ffmpeg shifts the time stamps.
            #expect(own.contains(whole.frames[0].sha256))
            #expect(throws: ToolError.self) { try Browser.view(folder / "broken.mp4", times: times) }
        }

        /// The SHA-256 of each frame, from a decoder that stops at the first error and outputs no corrupt frames. The
        /// hashes must be the same with each number of `threads`.
        private func strictHashes(_ path: String, threads: [Int]) throws -> [String] {
            let runs = try threads.map {
                try Tool.succeed(
                    "ffmpeg", "-nostdin -v warning -xerror -err_detect explode -hwaccel none -flags -output_corrupt",
                    "-threads \($0) -i \(path) -map 0:v:0 -fps_mode passthrough -f framehash -hash sha256 -")
            }
            #expect(runs.allSatisfy { $0.messages == "" && $0.output == runs[0].output }, "\(runs[0].messages)")
            return runs[0].text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { String($0.suffix(64)) }
        }

        /// Checks that ffmpeg finds the right frame when it seeks to random times.
        private func expectSeeks(_ path: String, _ hashes: [String]) throws {
            var random = SplitMix64(seed: 50)
            for _ in 0..<(Places.runsSlowTests ? 50 : 4) {
                let index = Int.random(in: 1..<hashes.count, using: &random)
                let run = try Tool.succeed(
                    "ffmpeg", "-nostdin -v warning -xerror -flags -output_corrupt -ss \((Double(index) - 0.5) / 30)",
                    "-i \(path) -map 0:v:0 -frames:v 1 -f framehash -hash sha256 -")
                let line = run.text.split(separator: "\n").last { !$0.hasPrefix("#") }
                #expect(line?.hasSuffix(hashes[index]) == true && run.messages == "", "frame \(index): \(run.messages)")
            }
        }

        /// Checks what the browser shows after seeks to the seams and to random frames (to all if slow tests run), and
        /// in playback.
        private func expectBrowserShows(
            _ path: String, _ hashes: [String], _ copied: [Copied], _ seams: [Int], isMade: [Bool]
        ) throws {
            var random = SplitMix64(seed: 7)
            let count = Places.runsSlowTests ? hashes.count : isMade.contains(false) ? 12 : 24
            let picked = hashes.indices.shuffled(using: &random).prefix(count)
            let indexes = Set(picked + seams.filter(hashes.indices.contains) + [0, hashes.count - 1]).sorted().shuffled(
                using: &random)
            let view = try Browser.view(path, times: indexes.map { (Double($0) + 0.5) / 30 }, speed: 4)
            let meant = try GrayCells.all(path)
            try #require(view.frames.count == indexes.count && meant.count == hashes.count)
            for (index, frame) in zip(indexes, view.frames) {
                #expect(frame.format == "I420" && frame.sha256 == hashes[index], "frame \(index) of \(path)")
                // Matroska rounds time stamps to 1 ms.
                #expect(abs((frame.mediaTime ?? -1) - Double(index) / 30) < 0.001, "frame \(index)")
                let psnr = frame.picture.psnr(meant[index])
                #expect(psnr > 35, "frame \(index)")
                for other in [index - 1, index + 1] where meant.indices.contains(other) {
                    guard meant[index].psnr(meant[other]) < psnr - 6 else { continue }
                    #expect(frame.picture.psnr(meant[other]) < psnr - 3, "frame \(index) rather than \(other)")
                }
                guard let stretch = copied.first(where: { $0.output.contains(index) }), isMade[stretch.input] else {
                    continue
                }
                let own = stretch.firstFrame + index - stretch.output.lowerBound
                #expect(number(frame.picture) == own + stretch.input * Self.secondNumber, "frame \(index)")
            }
            try expectPlaying(view, frames: hashes.count)
        }

        /// Checks that playback has no error, no damaged frame, and no frame out of order or off its time.
        private func expectPlaying(_ view: BrowserView, frames: Int) throws {
            let playing = try #require(view.playing)
            #expect(abs(view.duration - Double(frames) / 30) < 0.05 && abs(playing.end - view.duration) < 0.05)
            let indexes = playing.times.map { ($0 * 30).rounded() }
            #expect(zip(playing.times, indexes).allSatisfy { abs($0 - $1 / 30) < 0.001 } && playing.damaged == 0)
            #expect(zip(indexes, indexes.dropFirst()).allSatisfy { $0 < $1 } && indexes.count > 3, "\(indexes)")
            #expect(indexes.allSatisfy { $0 < Double(frames) })
        }
    }
}

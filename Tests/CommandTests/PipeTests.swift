import TestSupport
import Testing

extension CommandTests {
    /// First clips that come through a pipe and are passed on before they have ended.
    @Suite(.serialized) struct PipeTests {
        let folder = TemporaryFolder.make()

        /// The codecs and format in which the first clip is piped in, and ffmpeg's input for the second clip.
        static let kinds: [(name: String, coding: [String], format: String, second: [String])] = {
            let b25 = ["-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=2"]
            let b30 = ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=30:d=2"]
            let pcm = ["-c:v", "rawvideo", "-c:a", "pcm_s16le"]
            return [
                ("raw", pcm, "nut", b25),
                ("ffv1-flac", ["-c:v", "ffv1", "-c:a", "flac"], "nut", b30),
                ("b-frames", ["-c:v", "libx264", "-bf", "3", "-c:a", "aac"], "matroska", b25),
                ("ts", ["-c:v", "libx264", "-bf", "2", "-c:a", "aac"], "mpegts", b25),
                ("vp9", ["-c:v", "libvpx-vp9", "-cpu-used", "8", "-c:a", "libopus"], "matroska", b25),
                ("y4m", ["-an"], "yuv4mpegpipe", b25),
            ]
        }()

        /// A clip of `seconds` s at `rate` frames per second with a rising tone, unless `sound` says otherwise, as a
        /// file of `format`.
        func first(
            _ name: String, _ coding: [String], _ format: String, rate: String = "25", seconds: String = "3",
            sound: String = "aevalsrc=0.4*sin(200*t*t):s=48000:d=3"
        ) throws -> String {
            try clips().make(
                "live-\(name)", "-f lavfi -i testsrc2=s=192x108:r=\(rate):d=\(seconds) -f lavfi -i \(sound)",
                "-pix_fmt yuv420p -map 0:v -map 1:a \(coding) -f \(format)")
        }

        func second(_ name: String, _ input: [String]) throws -> String {
            try clips().make(
                "live-second-\(name).mkv", "\(input) -f lavfi -i sine=f=700:r=48000:d=2 -c:v ffv1 -pix_fmt yuv420p",
                "-c:a flac")
        }

        func shell(_ script: String, _ arguments: [String]) throws -> ToolRun {
            try Tool.run("/bin/sh", ["-c", script, Places.program()] + arguments)
        }

        /// ffmpeg's hashes and times of each frame and of each 960 samples of audio.
        func content(_ path: String) throws -> [String] {
            let run = try Tool.ffmpeg("-i \(path) -map 0 -c:a pcm_f32le -af asetnsamples=n=960 -f framemd5 -")
            let lines = run.text.split(separator: "\n").map(String.init)
            try #require(lines.count { !$0.hasPrefix("#") } > 20)
            return lines
        }

        static let lossless = ["--video-codec", "ffv1", "--audio-codec", "flac", "-f", "nut"]

        /// Joins `a` with `others`, once from a file and once from a pipe. The decoded frames, samples, times and
        /// warnings must be the same.
        /// - Parameter live: whether the pipe is to be passed on as it comes.
        func expectSame(_ a: String, _ others: [String], _ options: [String] = lossless, live: Bool = true) throws {
            let folder = try TemporaryFolder()
            let (file, piped) = (folder / "file", folder / "piped")
            let run = try succeed([a] + others + options + ["-y", file])
            let pipe = try shell(
                "cat \"$1\" | { shift; \"$0\" - \"$@\"; } > \"$OUT\"".replacingOccurrences(of: "$OUT", with: piped),
                [a] + others + options + ["--verbose", "-"])
            #expect(pipe.status == 0, "\(pipe.story)")
            #expect(pipe.messages.contains("passed on as it comes") == live, "\(pipe.messages)")
            #expect(pipe.messages.contains("read to its end first") != live, "\(pipe.messages)")
            let (expected, found) = try (content(file), content(piped))
            // Only the first difference is printed, since all of them fill pages.
            let isSame = found == expected
            let other = zip(found, expected).first { $0 != $1 }
            #expect(
                isSame,
                "\(a) \(others) \(options): \(found.count), \(expected.count) lines, \(String(describing: other))")
            let warned = { (run: ToolRun) in
                CommandTests.warnings(run).map { $0.replacingOccurrences(of: a, with: "standard input") }
            }
            #expect(warned(pipe) == warned(run))
        }

        @Test(arguments: Places.some(Array(kinds.indices), every: 3)) func pipesGiveWhatFilesGive(row: Int) throws {
            let kind = Self.kinds[row]
            try expectSame(first(kind.name, kind.coding, kind.format), [second(kind.name, kind.second)])
        }

        static let options: [[String]] = [
            ["--transition", "cut"], ["--overlap", "freeze", "--duration", "7f"], ["--fps", "50"], ["--fps", "12.5"],
            ["--size", "128x96", "--duration", "1.7"], ["--no-audio"], ["--audio-curve", "linear", "--style", "fold"],
            ["--transition", "flip=duration=9f", "--transition", "card=duration=4f"],
        ]

        @Test(arguments: Places.some(Array(options.indices), every: 4)) func whateverIsAsked(row: Int) throws {
            let a = try first("raw", Self.kinds[0].coding, "nut")
            let b = try second("raw", Self.kinds[0].second)
            try expectSame(a, row == Self.options.count - 1 ? [b, a, b] : [b], Self.lossless + Self.options[row])
        }

        @Test(arguments: Places.some(["24000/1001", "30000/1001", "60", "10"], every: 4))
        func ratesAreKnownByTheFirstFrames(rate: String) throws {
            for (format, coding) in [("nut", "ffv1"), ("matroska", "ffv1"), ("mpegts", "libx264")] {
                let name = "rate-\(rate.replacingOccurrences(of: "/", with: "-"))-\(format)"
                let a = try first(name, ["-c:v", coding, "-c:a", "aac"], format, rate: rate)
                try expectSame(a, [second("raw", Self.kinds[0].second)])
            }
        }

        /// A clip of 10 frames is shorter than its transition of 15.
        @Test func clipsShorterThanTheirTransition() throws {
            let a = try first("short", Self.kinds[0].coding, "nut", seconds: "0.4")
            try expectSame(a, [second("raw", Self.kinds[0].second)])
        }

        /// Audio that ends early, comes late or has another sample rate stays in sync.
        @Test func soundKeepsItsPlace() throws {
            let b = try second("raw", Self.kinds[0].second)
            for (name, sound) in [
                ("early", "sine=f=400:r=44100:d=1"), ("rate", "sine=f=400:r=22050:d=6"),
                ("late", "sine=f=400:r=48000:d=1,asetpts=PTS+4/TB"),
            ] {
                let a = try first("sound-\(name)", Self.kinds[0].coding, "nut", rate: "25", seconds: "6", sound: sound)
                try expectSame(a, [b])
            }
        }

        @Test(.turn(0, of: 2)) func whatCannotBePassedOnIsKept() throws {
            let b = try second("raw", Self.kinds[0].second)
            let a = try first("raw", Self.kinds[0].coding, "nut")
            let mp4 = try first("kept.mp4", ["-c:v", "libx264", "-c:a", "aac"], "mp4")
            try expectSame(mp4, [b], live: false)
            try expectSame(a, [b], Self.lossless + ["--chapters"], live: false)
            try expectSame(a, [b], Self.lossless + ["--segments", "1"], live: false)
            let tiny = try first("tiny", Self.kinds[0].coding, "nut", seconds: "0.2")
            try expectSame(tiny, [b], live: false)
            let uneven = try clips().make(
                "live-uneven.nut", "-f lavfi -i testsrc2=s=192x108:r=25:d=3 -vf",
                "settb=1/1000,setpts='N*40+if(mod(N,3),13,0)' -fps_mode passthrough -enc_time_base 1:1000 -c:v ffv1",
                "-pix_fmt yuv420p")
            try expectSame(uneven, [b], live: false)
            try expectSame(uneven, [b], Self.lossless + ["--fps", "25"])
        }

        // MARK: Streaming

        /// Output appears while input is missing: the producer goes on only when it sees some.
        @Test func theOutputBeginsBeforeTheInputHasEnded() throws {
            let a = try first("raw", Self.kinds[0].coding, "nut")
            let b = try second("raw", Self.kinds[0].second)
            let run = try shell(
                """
                { head -c 2000000 "$1"; n=0; while [ ! -s "$3" ] && [ $n -lt 300 ]; do sleep 0.1; n=$((n+1)); done
                [ -s "$3" ] && touch "$4"; tail -c +2000001 "$1"; } | "$0" - "$2" --video-codec ffv1 -f nut - > "$3"
                """, [a, b, folder / "out.nut", folder / "flag"])
            #expect(run.status == 0, "\(run.story)")
            #expect(try folder.names == ["flag", "out.nut"])
            #expect(try Judge.frameHashes(folder / "out.nut").count == 75 + 50 - 15)
        }

        @Test func ffmpegAtBothEnds() throws {
            let b = try second("raw", Self.kinds[0].second)
            for format in ["nut", "yuv4mpegpipe"] {
                let out = folder / "\(format).mkv"
                let run = try shell(
                    """
                    ffmpeg -v error -f lavfi -i testsrc=s=192x108:r=25:d=1 -f lavfi -i sine=r=48000:d=1 -pix_fmt yuv420p \
                        $(if [ $2 = nut ]; then echo -c:v rawvideo -c:a pcm_s16le; else echo -an; fi) -f $2 - |
                        "$0" - "$1" -f $2 $([ $2 = nut ] && echo --video-codec rawvideo) --duration 15f - |
                        ffmpeg -v error -i - -c:v ffv1 -y "$3"
                    """, [b, format, out])
                #expect(run.status == 0 && run.messageLines.isEmpty, "\(run.story)")
                #expect(try Judge.frameHashes(out).count == 25 + 50 - 15)
            }
        }

        /// A run can be interrupted while the producer sends nothing but keeps the pipe open.
        @Test(.turn(1, of: 2)) func interruptedWhileItWaits() throws {
            let a = try first("raw", Self.kinds[0].coding, "nut")
            let b = try second("raw", Self.kinds[0].second)
            let run = try Tool.run(
                "bash",
                [
                    "-c",
                    """
                    cd "$3"; mkfifo pipe
                    { head -c 1500000 "$1"; exec sleep 60; } > pipe & producer=$!
                    "$0" pipe "$2" -f nut out.nut & program=$!
                    sleep 4; kill $program; wait $program; code=$?
                    kill $producer && rm pipe && exit $code
                    """, Places.program(), a, b, folder.path,
                ], timeout: 50)
            #expect(run.status == 130, "\(run.story)")
            #expect(try folder.names == [])
        }

        /// The documented command works as written, and frames outside the transition are unchanged.
        @Test func theDocumentedPipeLosesNothing() throws {
            let page = try String(contentsOf: Places.package + "/docs/READING.md")
            let part = try #require(page.components(separatedBy: "## Pipes\n\n").last)
            let command = part.components(separatedBy: "\n").prefix(2).joined(separator: "\n")
            try #require(command.contains("fliptransition - b.mp4") && command.hasSuffix("ffmpeg -i - out.mp4"))
            for name in ["a", "b"] {
                let clip = try clips().make(
                    "readme-\(name).mp4", "-f lavfi -i testsrc2=s=192x108:r=25:d=1.6 -f lavfi -i sine=d=1.6",
                    "-pix_fmt yuv420p -vf hue=h=\(name == "a" ? 0 : 90)")
                try folder.add(clip, as: "\(name).mp4")
            }
            let script = """
                cd "$1"; program=$0
                fliptransition() { "$program" "$@"; }
                ffmpeg() { command ffmpeg -v error "$@"; }
                \(command.replacingOccurrences(of: "out.mp4", with: "-map 0 -c:v ffv1 -c:a pcm_s16le out.mkv"))
                """
            let run = try shell(script, [folder.path])
            #expect(run.status == 0, "\(run.story)")
            let (before, after) = try (Judge.frameHashes(folder / "a.mp4"), Judge.frameHashes(folder / "out.mkv"))
            #expect(after.count == 65 && Array(after.prefix(25)) == Array(before.prefix(25)))
        }

        @Test func aReaderThatGoesAwayEndsItQuietly() throws {
            let b = try second("raw", Self.kinds[0].second)
            let run = try Tool.run(
                "bash",
                [
                    "-c",
                    """
                    ffmpeg -v quiet -f lavfi -i testsrc=s=192x108:r=25 -pix_fmt yuv420p -f yuv4mpegpipe - |
                        TMPDIR="$2" "$0" - "$1" --video-codec rawvideo -f nut - | head -c 500000 >/dev/null
                    exit "${PIPESTATUS[1]}"
                    """, Places.program(), b, folder.path,
                ])
            #expect(run.status == 74 && run.messageLines.isEmpty, "\(run.story)")
            #expect(try folder.names == [])
        }
    }
}

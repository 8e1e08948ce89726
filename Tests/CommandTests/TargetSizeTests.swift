import TestSupport
import Testing

extension CommandTests {
    /// Outputs of a size that is asked for.
    @Suite(.serialized) struct TargetSizeTests {
        private let folder = try? TemporaryFolder()

        private func clip(_ name: String, seconds: Int, sound: Bool) throws -> String {
            let audio = ["-f", "lavfi", "-i", "sine=d=\(seconds)", "-c:a", "aac"]
            return try clips().make(
                "sized-\(name).mp4", "-f lavfi -i testsrc2=s=320x180:r=25:d=\(seconds),noise=alls=12:allf=t",
                "\(sound ? audio : []) -c:v libx264 -preset ultrafast -pix_fmt yuv420p")
        }

        /// The file is never larger, at most 2 % smaller, and has every frame.
        @Test(
            arguments: Places.some(
                [
                    ("mp4", 2, true, "libx264"), ("mkv", 3, false, "libx264"), ("mov", 6, true, "libx264"),
                    ("mp4", 3, true, "libx265"), ("ts", 4, true, "libx264"),
                ], every: 6))
        func theSizeIsReached(ending: String, seconds: Int, sound: Bool, codec: String) throws {
            let folder = try #require(folder)
            let out = folder / "out.\(ending)"
            let clip = try clip("\(seconds)-\(sound)", seconds: seconds, sound: sound)
            for size in [600_000, 1_000_000] {
                let run = try succeed(
                    "\(clip) \(clip) \(out) -y --target-size \(size) --video-codec \(codec) --preset veryfast")
                let bytes = try Data(contentsOf: out).count
                #expect(!run.messages.contains("asked for"), "\(run.story)")
                #expect(bytes <= size && Double(bytes) >= 0.98 * Double(size), "\(bytes) of \(size): \(run.story)")
                #expect(try Judge.frameHashes(out).count == 2 * seconds * 25 - 15)
            }
            #expect(try folder.names == ["out.\(ending)"])
        }

        /// Progress says which pass it is of.
        @Test func progressNamesThePass() throws {
            let folder = try #require(folder)
            let clip = try clip("2-false", seconds: 2, sound: false)
            let run = try succeed([clip, folder / "out.mp4", "--target-size", "600k", "--progress", "json"])
            let passes = run.messageLines.filter { $0.contains(#""progress""#) }.map { line in
                line.firstMatch(of: #/"pass":(\d)/#).flatMap { Int($0.1) } ?? 0
            }
            #expect(Set(passes) == [1, 2] && passes.first == 1 && passes.last == 2, "\(run.story)")
            let once = try succeed([clip, folder / "once.mp4", "--progress", "json"])
            #expect(once.messages.contains(#""progress""#) && !once.messages.contains("pass"), "\(once.story)")
        }

        /// A picture that needs less than the size is said to; it is as good as lossless then.
        @Test func aPictureThatNeedsLessIsSaid() throws {
            let folder = try #require(folder)
            let (clip, out) = (folder / "still.mkv", folder / "out.mp4")
            try Tool.ffmpeg("-f lavfi -i testsrc=s=320x180:r=25:d=0.04,loop=49:1:0 -pix_fmt yuv420p -c:v ffv1 \(clip)")
            let run = try succeed([clip, out, "--target-size", "2M", "--preset", "veryfast"])
            #expect(run.messages.contains("kB of the 2 MB asked for, since its picture needs no more"), "\(run.story)")
            #expect(try Judge.frameHashes(out).count == 50)
            let (wanted, made) = try (
                Judge.frames(clip, filter: "null", format: "yuv420p"),
                Judge.frames(out, filter: "null", format: "yuv420p")
            )
            let worst = zip(wanted, made).lazy.map { abs(Int($0) - Int($1)) }.max() ?? 255
            #expect(wanted.count == made.count && worst <= 4, "\(worst)")
            // It is no failure.
            try succeed([clip, out, "-y", "--target-size", "2M", "--preset", "veryfast", "--strict"])
        }

        /// Audio takes a quarter of the size at most where its bit rate is left to the program, and not too little.
        @Test(
            .turn(1, of: 2),
            arguments: [
                ("out.mp4", "stereo", "aac", 140_000, 64), ("out.mp4", "mono", "aac", 60_000, 32),
                ("out.mkv", "stereo", "libopus", 140_000, 64), ("out.mkv", "5.1", "ac3", 280_000, 160),
            ])
        func audioYields(name: String, layout: String, codec: String, size: Int, rate: Int) throws {
            let folder = try #require(folder)
            let (clip, out) = (folder / "clip.mkv", folder / name)
            try Tool.ffmpeg(
                "-f lavfi -i testsrc2=s=160x90:r=25:d=4 -f lavfi -i",
                "anoisesrc=d=4:r=48000,aformat=channel_layouts=\(layout) -pix_fmt yuv420p -c:v ffv1",
                "-c:a flac \(clip)")
            let words = [clip, out, "--target-size", "\(size)", "--audio-codec", codec]
            let note = "the audio gets \(rate) kbit/s rather than 192"
            #expect(try succeed(["plan"] + words).text.contains(note))
            let run = try succeed(words + ["--strict"])
            #expect(run.messages.contains(note), "\(run.story)")
            let bytes = try Data(contentsOf: out).count
            #expect(bytes <= size && Double(bytes) >= 0.98 * Double(size), "\(bytes) of \(size)")
            #expect(try Judge.frameHashes(out).count == 100)
            let sound = try audioBytes(out)
            #expect(abs(Double(sound) / Double(rate * 500) - 1) < 0.25, "\(sound) bytes in 4 s")
            #expect(abs(Double(try Judge.samples(out, channel: 0).count) / 48000 - 4) < 0.1)
            // One that is asked for stays.
            #expect(try !succeed(["plan"] + words + ["--audio-bitrate", "64k"]).text.contains("rather than"))
        }

        /// What a picture doesn't need, audio gets back.
        @Test func audioGetsWhatIsLeft() throws {
            let folder = try #require(folder)
            let (clip, out) = (folder / "talk.mkv", folder / "out.mp4")
            try Tool.ffmpeg(
                "-f lavfi -i testsrc=s=320x180:r=25:d=0.04,loop=249:1:0 -f lavfi -i",
                "anoisesrc=d=10:r=48000,aformat=channel_layouts=stereo -pix_fmt yuv420p -c:v ffv1 -c:a flac \(clip)")
            let run = try succeed([clip, out, "--target-size", "375k", "--preset", "veryfast"])
            #expect(run.messages.contains("the audio gets 64 kbit/s rather than 192"), "\(run.story)")
            #expect(run.messages.contains("the audio gets 192 kbit/s after all"), "\(run.story)")
            #expect(run.messages.contains("of the 375 kB asked for, since its picture needs no more"), "\(run.story)")
            #expect(try Data(contentsOf: out).count <= 375_000)
            #expect(abs(Double(try audioBytes(out)) / 240_000 - 1) < 0.1)
            #expect(try Judge.frameHashes(out).count == 250)
        }

        private func audioBytes(_ path: String) throws -> Int {
            let packets = try Tool.succeed(
                "ffprobe", "-v error -select_streams a -show_entries packet=size -of csv=p=0 \(path)"
            ).text
            return packets.split(separator: "\n").compactMap { Int($0.filter(\.isNumber)) }.reduce(0, +)
        }

        /// The limit of a preset makes audio yield only where the file would be too large.
        @Test(.turn(3, of: 4)) func audioYieldsToALimit() throws {
            let folder = try #require(folder)
            let (clip, out) = (folder / "clip.mp4", folder / "out.mp4")
            try Tool.ffmpeg(
                "-f lavfi -i testsrc2=s=480x270:r=5:d=140,noise=alls=30:allf=t -f lavfi -i anoisesrc=d=140:r=48000",
                "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac \(clip)")
            let run = try succeed([clip, out, "--preset-for", "discord", "--preset", "ultrafast"])
            #expect(run.messages.contains("the audio gets 128 kbit/s rather than 160"), "\(run.story)")
            let bytes = try Data(contentsOf: out).count
            #expect(bytes <= 10_000_000 && bytes >= 9_800_000, "\(bytes)")
            #expect(try Judge.frameHashes(out).count == 700)
        }

        /// An output whose size is limited is encoded as a whole, so that its size can be corrected.
        @Test(arguments: PresetKind.limited) func aLimitIsKeptByOneEncoder(preset: String) throws {
            let clip = try clip("3-true", seconds: 3, sound: true)
            let plan = { (options: [String]) in
                try succeed("plan \(clip) \(clip) out.mp4 --segments 1s --preset-for \(options)").text
            }
            #expect(try plan(["web"]).contains("rendered in"))
            #expect(try !plan([preset]).contains("rendered in"))
            #expect(try !plan([preset, "--render", "auto", "--transition", "cut"]).contains("copied"))
            // A quality that is asked for counts for more than the limit.
            #expect(try plan([preset, "--crf", "21"]).contains("rendered in"))
        }

        /// Jobs that know nothing of each other can't reach a size together.
        @Test(arguments: [["--target-size", "900k"], ["--preset-for", "discord"], ["--preset-for", "gif"]])
        func jobsAreRefused(options: [String]) throws {
            let folder = try #require(folder)
            let clip = try clip("3-true", seconds: 3, sound: true)
            let out = folder / (options[1] == "gif" ? "jobs.gif" : "jobs.mp4")
            try expectExit([clip, clip, out, "--engine", "local"] + options, 64, saying: "encoded more than once")
            #expect(!FileManager.default.fileExists(atPath: out))
        }

        @Test func whatCannotBeReachedIsSaid() throws {
            let folder = try #require(folder)
            let clip = try clip("2-true", seconds: 2, sound: true)
            for (options, answer) in [
                (["--target-size", "20k"], "--audio-bitrate"), (["--target-size", "44k"], "needs some"),
                (["--target-size", "1M", "--crf", "20"], "--crf can't be combined"),
                (["--target-size", "1M", "--render", "auto"], "leave out --render"),
                (["--target-size", "1M", "--video-codec", "mpeg4"], "needs the encoder libx264"),
                (["--target-size", "ten"], "invalid target-size"),
            ] {
                let run = try CommandTests.run([clip, clip, folder / "out.mp4"] + options)
                #expect(run.status == 64 && run.messages.contains(answer), "\(options): \(run.story)")
                #expect(try folder.names == [])
            }
        }

        /// A limit lowers the quality only where it has to be.
        @Test func presetsLimitTheSize() throws {
            let folder = try #require(folder)
            let clip = try clip("2-true", seconds: 2, sound: true)
            try succeed([clip, clip, folder / "web.mp4", "--preset-for", "web"])
            try succeed([clip, clip, folder / "discord.mp4", "--preset-for", "discord"])
            let videos = try ["web.mp4", "discord.mp4"].map { try Judge.frameHashes(folder / $0) }
            #expect(videos[0] == videos[1] && !videos[0].isEmpty)
        }

        /// An animation for chats is small, and its frames share one palette.
        @Test func anAnimationIsSmall() throws {
            let folder = try #require(folder)
            let clip = try clips().make(
                "sized-wide.mp4", "-f lavfi -i testsrc2=s=1280x720:r=30:d=1 -c:v libx264 -preset ultrafast")
            try succeed([clip, clip, folder / "out.gif", "--preset-for", "gif", "--duration", "0.4"])
            let stream = try #require(try Judge.streams(folder / "out.gif").first)
            #expect(stream["width"] as? Int == 480 && stream["height"] as? Int == 270)
            #expect(stream["r_frame_rate"] as? String == "15/1")
            let colors = try Tool.ffmpeg("-i \(folder / "out.gif") -pix_fmt rgb24 -f rawvideo -").output
            var seen: Set<Int> = []
            for index in stride(from: 0, to: colors.count - 2, by: 3) {
                seen.insert(Int(colors[index]) << 16 | Int(colors[index + 1]) << 8 | Int(colors[index + 2]))
            }
            #expect(seen.count <= 128 && seen.count > 16, "\(seen.count) colors")
        }
    }
}

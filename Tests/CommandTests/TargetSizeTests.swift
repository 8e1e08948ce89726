import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// Outputs of a size that is asked for.
    @Suite(.serialized) struct TargetSizeTests {
        private let folder = try? TemporaryFolder()

        private func clip(_ name: String, seconds: Int, sound: Bool) throws -> String {
            let audio = ["-f", "lavfi", "-i", "sine=d=\(seconds)", "-c:a", "aac"]
            return try clips().make(
                "sized-\(name).mp4",
                ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=\(seconds),noise=alls=12:allf=t"]
                    + (sound ? audio : [])
                    + ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"])
        }

        /// The file is never larger, at most 2 % smaller, and has every frame.
        @Test(
            .timeLimit(.minutes(5)),
            arguments: [
                ("mp4", 2, true, "libx264"), ("mkv", 3, false, "libx264"), ("mov", 6, true, "libx264"),
                ("mp4", 3, true, "libx265"),
                ("ts", 4, true, "libx264"),
            ])
        func theSizeIsReached(ending: String, seconds: Int, sound: Bool, codec: String) throws {
            let folder = try #require(folder)
            let out = folder / "out.\(ending)"
            let clip = try clip("\(seconds)-\(sound)", seconds: seconds, sound: sound)
            for size in [600_000, 1_000_000] {
                let run = try succeed([
                    clip, clip, out, "-y", "--target-size", "\(size)", "--video-codec", codec, "--preset", "veryfast",
                ])
                let bytes = try Data(contentsOf: URL(fileURLWithPath: out)).count
                #expect(!run.messages.contains("asked for"), "\(run.story)")
                #expect(bytes <= size && Double(bytes) >= 0.98 * Double(size), "\(bytes) of \(size): \(run.story)")
                #expect(try Judge.frameHashes(out).count == 2 * seconds * 25 - 15)
            }
            #expect(try folder.names == ["out.\(ending)"])
        }

        /// A picture that needs less than the size is said to; it is as good as lossless then.
        @Test(.timeLimit(.minutes(2))) func aPictureThatNeedsLessIsSaid() throws {
            let folder = try #require(folder)
            let (clip, out) = (folder / "still.mkv", folder / "out.mp4")
            try Tool.succeed(
                "ffmpeg",
                [
                    "-v", "error", "-f", "lavfi", "-i", "testsrc=s=320x180:r=25:d=0.04,loop=49:1:0", "-pix_fmt",
                    "yuv420p", "-c:v", "ffv1", clip,
                ])
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

        /// An output whose size is limited is encoded as a whole, so that its size can be corrected.
        @Test(arguments: ["discord", "whatsapp", "email"]) func aLimitIsKeptByOneEncoder(preset: String) throws {
            let clip = try clip("3-true", seconds: 3, sound: true)
            let plan = { (options: [String]) in
                try succeed(
                    ["plan", clip, clip, "out.mp4", "--segments", "1s", "--preset-for"] + options
                ).text
            }
            #expect(try plan(["web"]).contains("rendered in"))
            #expect(try !plan([preset]).contains("rendered in"))
            #expect(try !plan([preset, "--render", "auto", "--transition", "cut"]).contains("copied"))
            // A quality that is asked for counts for more than the limit.
            #expect(try plan([preset, "--crf", "21"]).contains("rendered in"))
        }

        @Test func whatCannotBeReachedIsSaid() throws {
            let folder = try #require(folder)
            let clip = try clip("2-true", seconds: 2, sound: true)
            for (options, answer) in [
                (["--target-size", "20k"], "--audio-bitrate"), (["--target-size", "110k"], "needs some"),
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
        @Test(.timeLimit(.minutes(2))) func presetsLimitTheSize() throws {
            let folder = try #require(folder)
            let clip = try clip("2-true", seconds: 2, sound: true)
            try succeed([clip, clip, folder / "web.mp4", "--preset-for", "web"])
            try succeed([clip, clip, folder / "discord.mp4", "--preset-for", "discord"])
            let videos = try ["web.mp4", "discord.mp4"].map { try Judge.frameHashes(folder / $0) }
            #expect(videos[0] == videos[1] && !videos[0].isEmpty)
        }

        /// An animation for chats is small, and its frames share one palette.
        @Test(.timeLimit(.minutes(2))) func anAnimationIsSmall() throws {
            let folder = try #require(folder)
            let clip = try clips().make(
                "sized-wide.mp4",
                ["-f", "lavfi", "-i", "testsrc2=s=1280x720:r=30:d=1", "-c:v", "libx264", "-preset", "ultrafast"])
            try succeed([clip, clip, folder / "out.gif", "--preset-for", "gif", "--duration", "0.4"])
            let streams = try Judge.probe(folder / "out.gif", ["-show_streams"])["streams"] as? [[String: Any]]
            let stream = try #require(streams?.first)
            #expect(stream["width"] as? Int == 480 && stream["height"] as? Int == 270)
            #expect(stream["r_frame_rate"] as? String == "15/1")
            let colors = try Tool.succeed(
                "ffmpeg", ["-v", "error", "-i", folder / "out.gif", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]
            ).output
            var seen: Set<Int> = []
            for index in stride(from: 0, to: colors.count - 2, by: 3) {
                seen.insert(Int(colors[index]) << 16 | Int(colors[index + 1]) << 8 | Int(colors[index + 2]))
            }
            #expect(seen.count <= 128 && seen.count > 16, "\(seen.count) colors")
        }
    }
}

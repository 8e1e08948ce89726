import TestSupport
import Testing

extension CommandTests {
    /// The commands of docs/cookbook/short-recipes.md do what the page says, on small clips.
    @Suite(.serialized) struct ShortRecipeTests {
        let folder = TemporaryFolder.make()

        /// Runs the commands under the heading `title` in `folder`, with other words for some of theirs.
        private func follow(
            _ title: String, in folder: TemporaryFolder, _ replacements: [String: String] = [:]
        ) throws {
            let page = try String(contentsOf: Places.package + "/docs/cookbook/short-recipes.md")
            let part = try #require(
                page.components(separatedBy: "\n## ").first { $0.hasPrefix(title + "\n") }, "\(title)")
            var commands = part.split(separator: "\n").filter { $0.hasPrefix("    ") }.joined(separator: "\n")
            try #require(!commands.isEmpty)
            for (word, other) in replacements {
                try #require(commands.contains(word), "\(word)")
                commands = commands.replacing(word, with: other)
            }
            try CommandTests.follow(commands, in: folder)
        }

        /// Makes a clip in `folder` with a tone of `hertz`.
        private func make(
            _ name: String, _ size: String, rate: Int = 25, seconds: Int, hertz: Int, _ options: [String] = [],
            in folder: TemporaryFolder
        ) throws {
            try Tool.ffmpeg(
                "-f lavfi -i testsrc2=s=\(size):r=\(rate):d=\(seconds) -f lavfi -i",
                "aevalsrc='0.4*sin(2*PI*\(hertz)*t)':s=48000:d=\(seconds) -pix_fmt yuv420p -c:a aac -c:v libx264",
                "-preset ultrafast \(options) \(folder / name)")
        }

        private func picture(_ name: String, _ source: String, in folder: TemporaryFolder) throws {
            let path = folder / name
            try FileManager.default.createDirectory(
                at: URL(fileURLWithPath: path).deletingLastPathComponent(), withIntermediateDirectories: true)
            try Tool.ffmpeg("-f lavfi -i \(source) -frames:v 1 \(path)")
        }

        /// The least and the greatest sample of each frame's alpha, as whole shares of the scale.
        private func alpha(_ path: String, decoder: [String] = []) throws -> [ClosedRange<Int>] {
            let size = 160 * 90
            let data = try Tool.ffmpeg("\(decoder) -i \(path) -vf format=yuva444p,extractplanes=a -f rawvideo -").output
            return try stride(from: 0, to: data.count, by: size).map { start in
                let frame = data[data.startIndex + start..<data.startIndex + start + size]
                return Int(try #require(frame.min()))...Int(try #require(frame.max()))
            }
        }

        @Test func aStinger() throws {
            try picture("clear.png", "color=black@0:s=160x90,format=rgba", in: folder)
            try picture("cover.png", "testsrc=s=160x90,format=rgb24", in: folder)
            try follow("A stinger for OBS", in: folder)
            try CommandTests.follow(
                "fliptransition 'clear.png#t=0.7' 'cover.png#t=1.5' 'clear.png#t=0.7' stinger.webm --duration 0.6 --fps 60 "
                    + "--video-codec libvpx-vp9", in: folder)
            for (name, decoder) in [("stinger.mov", []), ("stinger.webm", ["-c:v", "libvpx-vp9"])] {
                let frames = try alpha(folder / name, decoder: decoder)
                #expect(frames.count == 102, "\(name)")
                #expect(frames.first == 0...0 && frames.last == 0...0, "\(name)")
                // The transition point of 850 ms lies within what is covered.
                for frame in 42..<60 { #expect(frames[frame] == 255...255, "\(name) \(frame)") }
                for frame in [20, 80] { #expect(frames[frame].lowerBound == 0 && frames[frame].upperBound > 0) }
            }
        }

        @Test func appending() throws {
            try make(
                "monday.mp4", "160x90", seconds: 2, hertz: 440, ["-profile:v", "baseline", "-crf", "28"], in: folder)
            try make(
                "tuesday.mp4", "160x90", seconds: 2, hertz: 880,
                ["-preset", "slow", "-bf", "3", "-g", "10", "-x264-params", "b-pyramid=normal:ref=5"], in: folder)
            try follow("Appending files without encoding", in: folder)
            let days = try ["monday.mp4", "tuesday.mp4"].flatMap { try Judge.frameHashes(folder / $0) }
            #expect(try Judge.frameHashes(folder / "week.mp4") == days)
            #expect(Set(days).count == 100)
            try Tool.ffmpeg("-xerror -i \(folder / "week.mp4") -f null -")
            let sound = try Sound(folder / "week.mp4")
            #expect(sound.amplitude(of: 440, from: 0.5, length: 1) > 0.3)
            #expect(sound.amplitude(of: 880, from: 2.5, length: 1) > 0.3)
        }

        @Test(.turn(1, of: 3)) func anAlbum() throws {
            for (index, source) in ["testsrc", "testsrc2", "smptebars"].enumerated() {
                try picture("photos/\(index + 1).png", "\(source)=s=320x180", in: folder)
            }
            try Tool.ffmpeg(
                "-f lavfi -i aevalsrc='0.5*sin(2*PI*440*t)':s=48000:d=5 -c:a libmp3lame \(folder / "waltz.mp3")")
            try follow("An album on music", in: folder)
            let video = try Judge.video(folder / "album.mp4")
            #expect(video.frameCount == 225 && video.isEven(atRate: 25))
            // Each photo moves while it is shown.
            let frames = try Judge.frameHashes(folder / "album.mp4")
            #expect(Set(frames[20..<50]).count == 30)
            let sound = try Sound(folder / "album.mp4")
            let level = { sound.amplitude(of: 440, from: $0, length: 0.25) }
            // It is repeated after 5 s, and fades out over the last 2 s.
            #expect(level(3) > 0.45 && level(6) > 0.45)
            #expect(abs(level(7.9) / level(6) - 0.5) < 0.2 && level(8.7) < 0.1, "\(level(7.9)), \(level(8.7))")
        }

        @Test func anIntroAndAnOutro() throws {
            for name in ["intro.mp4", "outro.mp4"] {
                try make(name, "160x90", rate: 30, seconds: 2, hertz: 440, in: folder)
            }
            try make("talk.mp4", "480x270", seconds: 12, hertz: 880, ["-g", "25"], in: folder)
            try follow("An intro and an outro around a talk", in: folder)
            let video = try Judge.video(folder / "out.mp4")
            #expect(video.width == 480 && video.height == 270 && video.isEven(atRate: 25))
            #expect(video.frameCount == 50 + 300 + 50 - 30)
            // All but the transitions, and what is between these and the nearest keyframes.
            let talk = try Judge.frameHashes(folder / "talk.mp4")
            let out = try Judge.frameHashes(folder / "out.mp4")
            #expect(Array(talk[25..<275]) == Array(out[60..<310]))
        }

        @Test(.turn(0, of: 3)) func subtitles() throws {
            try make("talk.mp4", "160x90", rate: 5, seconds: 110, hertz: 440, in: folder)
            try "1\n00:00:02,000 --> 00:00:05,000\nHello to all of you\n".write(to: folder / "lines.srt")
            try follow("Subtitles drawn for social media", in: folder, ["1080x1920": "270x480 --preset ultrafast"])
            #expect(try Judge.streams(folder / "social.mp4").map { $0["codec_name"] as? String } == ["h264", "aac"])
            let video = try Judge.video(folder / "social.mp4")
            #expect(video.width == 270 && video.height == 480 && video.frameCount == 45 * 5)
            // The brightest luma where the box with the white text is, and where the picture's copy is without it.
            let plain = folder / "plain.mp4"
            try succeed(
                "\(folder / "talk.mp4#t=60,105") \(plain) --size 270x480 --fit blur --preset-for web --preset ultrafast"
            )
            func isDrawn(_ frame: Int) throws -> Bool {
                let rows = try [folder / "social.mp4", plain].map {
                    try Judge.frames($0, filter: "select=eq(n\\,\(frame)),crop=iw:ih/4:0:3*ih/4", format: "gray")
                }
                return zip(rows[0], rows[1]).contains { abs(Int($0) - Int($1)) > 60 }
            }
            for (frame, isShown) in [(5, false), (12, true), (23, true), (30, false)] {
                #expect(try isDrawn(frame) == isShown, "\(frame)")
            }
        }

        @Test(.turn(2, of: 3)) func aFolderEveryNight() throws {
            for name in ["monday/1.png", "monday/2.png", "course/tuesday/1.png", "course/tuesday/2.png"] {
                try picture("lectures/" + name, "testsrc2=s=160x90", in: folder)
            }
            let night = { try follow("A folder, every night", in: folder) }
            let marks = {
                try ["videos/monday.mp4", "videos/course/tuesday.mp4"].map {
                    try Tool.succeed("stat", ["-c", "%i %y", folder / $0]).text
                }
            }
            try night()
            #expect(try Judge.video(folder / "videos/monday.mp4").frameCount == 200)
            let first = try marks()
            try night()
            #expect(try marks() == first)
            try picture("lectures/monday/3.png", "testsrc=s=160x90", in: folder)
            try night()
            #expect(try Judge.video(folder / "videos/monday.mp4").frameCount == 300)
            #expect(try marks()[1] == first[1] && marks()[0] != first[0])
        }

        @Test(.turn(2, of: 3)) func aFileForAChat() throws {
            try make("a.mp4", "640x360", rate: 30, seconds: 2, hertz: 440, in: folder)
            try make("b.mp4", "640x360", rate: 30, seconds: 2, hertz: 440, in: folder)
            try follow("A file for a chat", in: folder, ["8M": "800k", "discord": "discord\nmv out.mp4 discord.mp4"])
            for (name, most) in [("discord.mp4", 10_000_000), ("out.mp4", 800_000), ("out.gif", 3_000_000)] {
                #expect(try Data(contentsOf: folder / name).count <= most, "\(name)")
            }
            #expect(try Judge.frameHashes(folder / "out.mp4").count == 102)
            #expect(try Judge.frameHashes(folder / "out.gif").count == 51)
        }
    }
}

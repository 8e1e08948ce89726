import TestSupport
import Testing

/// A trim of a clip of the media folder, and the clip's frames that it holds, as ffmpeg counts them.
struct Trim: CustomTestStringConvertible, Sendable {
    var clip: String
    var fragment: String
    var frames: Range<Int>

    var testDescription: String { clip + fragment }

    private init(_ clip: String, _ fragment: String, _ frames: Range<Int>) {
        self.clip = clip
        self.fragment = fragment
        self.frames = frames
    }

    static let all: [Trim] = [
        // 30 frames per second, with keyframes far apart.
        Trim("h264-aac-long-363s-1080p-lowbitrate.mp4", "#t=350,351", 10500..<10530),
        Trim("h264-aac-640x480-30fps-bw-film.mp4", "#t=5.1,5.5", 153..<165),
        Trim("h264-aac51-1080p60-bunny.mp4", "#t=1.5", 90..<120),
        Trim("hevc-854x480-1s.ts", "#t=0.5,0.8", 15..<24),
        Trim("mjpeg-pcm-320x240-15fps-camera.avi", "#t=2,2.4", 30..<36),
        Trim("mpeg1-80x60-elementary.mpg", "#t=npt:10,11", 250..<275),
        Trim("vp9-square-642x642-30fps.webm", "#t=00:02,0:00:02.5", 60..<75),
        Trim("h264-edit-list-video-starts-1s.mp4", "#t=5,5.5", 150..<165),
        Trim("mpeg2-odd-height-720x405-city.mpg", "#t=6,6.4", 150..<160),
        Trim("h264-444-edit-list-bframes-1fps.mp4", "#t=9,11", 9..<11),
        Trim("h264-aac-1080x720.flv", "#t=,0.3", 0..<9),
    ]
}

extension CommandTests {
    @Suite(.serialized) struct TrimTests {
        let folder = TemporaryFolder.make()

        @Test(.needsMedia, arguments: Places.some(Trim.all, every: 11))
        func trimsHoldTheFramesOfTheWholeClip(trim: Trim) throws {
            let clip = try medium(trim.clip)
            let part = clip + trim.fragment
            try succeed("\(part) \(part) --transition cut --video-codec ffv1 --no-audio \(folder / "out.mkv")")
            let frames = try Judge.frameHashes(clip, frames: trim.frames)
            #expect(frames.count == trim.frames.count)
            #expect(try Judge.frameHashes(folder / "out.mkv") == frames + frames)
        }

        /// Audio begins at the trim's first frame, in containers whose ticks are one sample, 1 ms or 1/90000 s.
        @Test(arguments: Places.some(["mp4", "mkv", "mov", "ts", "avi"], every: 3))
        func soundStartsAtTheFirstFrameOfTheTrim(container: String) throws {
            let codecs = ["-c:v", "libx264", "-g", "60", "-c:a", container == "avi" ? "pcm_s16le" : "aac"]
            let clip = try clips().flashAndClick(
                "trim-clicks.\(container)", seconds: 12, events: [1, 7, 8.52, 11], rate: "25", codecs: codecs)
            let whole = try clips().flashAndClick("trim-tail.mp4", seconds: 1, events: [0.4], rate: "25")
            try succeed("\(clip + "#t=6.6,9") \(whole) --transition cut --audio-codec pcm_s16le \(folder / "out.mov")")
            #expect(try Judge.video(folder / "out.mov").frameCount == 60 + 25)
            #expect(try Judge.flashes(folder / "out.mov", width: 160, height: 90) == [10, 48, 70])
            try expectClicks(Sound(folder / "out.mov"), [0.4, 1.92, 2.8])
        }

        /// The audio of a trim has exactly the samples of the whole clip.
        @Test(
            arguments: Places.some(
                [
                    "mp4 aac", "mkv aac", "mov pcm_s16le", "webm libopus", "webm libvorbis", "ts aac", "flv aac",
                    "avi libmp3lame",
                ], every: 4))
        func soundIsThatOfTheWholeClipToTheSample(kind: String) throws {
            let words = kind.split(separator: " ").map(String.init)
            let (container, codec) = (words[0], words[1])
            let clip = try clips().make(
                "trim-noise-\(codec).\(container)", "-f lavfi -i color=c=gray:s=64x36:r=25:d=12",
                "-f lavfi -i anoisesrc=seed=3:r=48000:d=12:a=0.3 -g 25 -c:v",
                "\(container == "webm" ? "libvpx" : "libx264") -c:a \(codec) -ac 1")
            let join = { (first: String, out: String) throws in
                try succeed([first, clip + "#t=,0.2", "--transition", "cut", "--audio-codec", "pcm_s16le", out])
                return try Judge.samples(out)
            }
            let whole = try join(clip, folder / "whole.mov")
            let part = try join(clip + "#t=9.2,10", folder / "part.mov")
            let start = 92 * 4800
            try #require(part.count == 48000 && whole.count > start + 38400)
            #expect(Array(part[..<38400]) == Array(whole[start..<start + 38400]))
        }

        @Test func unevenClipsBeginWithTheFrameOnShow() throws {
            // Frames at 0, 0.1, 0.3, 0.8 and 0.9 s.
            let clip = try clips().make(
                "trim-uneven.mkv", "-f lavfi -i testsrc2=s=64x36:r=10:d=1 -vf",
                "select='eq(n,0)+eq(n,1)+eq(n,3)+eq(n,8)+eq(n,9)',format=yuv420p -fps_mode passthrough -c:v ffv1")
            let still = try clips().pattern("trim-uneven-tail", frames: 2, rate: "10", size: "64x36")
            try succeed(
                "\(clip + "#t=0.5,0.9") \(still) --fps 10 --transition cut --video-codec ffv1 \(folder / "out.mkv")")
            let source = try Judge.frameHashes(clip)
            #expect(
                try Judge.frameHashes(folder / "out.mkv").dropLast(2) == [source[2], source[2], source[2], source[3]])
        }

        @Test func picturesThatStayLongAreUsedInPart() throws {
            let slow = try clips().pattern("trim-slow", frames: 4, rate: "1", size: "64x36")
            let tail = try clips().pattern("trim-uneven-tail", frames: 2, rate: "10", size: "64x36")
            try succeed(
                "\(slow + "#t=0.7,1.2") \(tail) --fps 10 --transition cut --video-codec ffv1 \(folder / "out.mkv")")
            let source = try Judge.frameHashes(slow)
            #expect(
                try Judge.frameHashes(folder / "out.mkv").dropLast(2)
                    == [source[0], source[0], source[0], source[1], source[1]])
        }

        @Test func aFileThatIsReallyCalledSoWins() throws {
            let clip = try clips().pattern("trim-name", frames: 10)
            let odd = folder / "clip.mkv#t=0.2"
            try FileManager.default.copyItem(atPath: clip, toPath: odd)
            try succeed([odd, clip, "--transition", "cut", "--video-codec", "ffv1", folder / "out.mkv"])
            #expect(try Judge.frameHashes(folder / "out.mkv").count == 20)
        }

        @Test func aTrimThatEndsAfterItsClipIsSaid() throws {
            let clip = try clips().pattern("trim-name", frames: 10)
            let run = try succeed([clip + "#t=0.2,9", clip, "--transition", "cut", folder / "out.mkv"])
            #expect(warnings(run).count == 1 && run.messages.contains("9 s"))
            #expect(try Judge.video(folder / "out.mkv").frameCount == 5 + 10)
        }

        @Test func stillsShowAsLongAsTheyAreAsked() throws {
            let photo = try clips().make("trim-photo.png", ["-f", "lavfi", "-i", "testsrc2=s=64x36", "-frames:v", "1"])
            let clip = try clips().pattern("trim-still", frames: 20, rate: "10", size: "64x36", pixelFormat: "gbrp")
            let join = ["--transition", "cut", "--video-codec", "ffv1", "-y", folder / "out.mkv"]
            let picture = try Judge.frameHashes(photo, pixelFormat: "gbrp")[0]
            let film = try Judge.frameHashes(clip, pixelFormat: "gbrp")
            // The video clip's rate is the output's, even after a picture.
            for (arguments, count) in [
                ([photo], 30), ([photo + "#t=4"], 40), ([photo + "#t=,0.7"], 7), ([photo + "#t=1,3"], 20),
                ([photo, "--still-duration", "1.5"], 15), ([photo, "--still-duration", "4f"], 4),
            ] {
                try succeed(arguments + [clip] + join)
                let found = try Judge.frameHashes(folder / "out.mkv", pixelFormat: "gbrp")
                #expect(found == Array(repeating: picture, count: count) + film, "\(arguments)")
            }
        }

        @Test func planAndProbeSayWhatIsUsed() throws {
            let clip = try clips().pattern("trim-name", frames: 10)
            let plan = try JSONValue(succeed(["plan", clip + "#t=0.2,0.28", clip, "--json", folder / "o.mkv"]).output)
            #expect(plan.numbers(under: "usedStart").contains(0.2) && plan.numbers(under: "usedSeconds").contains(0.08))
            #expect(try succeed(["probe", clip + "#t=0.2,0.28"]).text.contains("used from 0.2 to 0.28 s"))
        }
    }
}

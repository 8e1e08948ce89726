import TestSupport
import Testing

extension CommandTests {
    /// Good joins in which it is hard to tell what is shown, and of which `check` has nothing to say.
    @Suite(.serialized) struct GoodJoinTests {
        private static let encoded: Words = "-c:v libx264 -g 10 -bf 0 -preset veryfast -pix_fmt yuv420p"
        let folder = TemporaryFolder.make()

        private func film(_ name: String, _ source: String, _ words: Words...) throws -> String {
            try clips().make(name, "-f lavfi -i \(source) \(words.list)")
        }

        /// Copies the packets of `paths`, one after another, for which `lines` are added to ffmpeg's list.
        private func joined(_ paths: [String], _ ending: String, lines: String = "") throws -> String {
            try paths.map { "file '\($0)'\n\(lines)" }.joined(separator: "\n").write(to: folder / "list.txt")
            let out = folder / "joined.\(ending)"
            try Tool.ffmpeg("-y -f concat -safe 0 -i \(folder / "list.txt") -c copy \(out)")
            return out
        }

        private func expectGood(
            _ film: String, _ sources: [String], sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let run = try CommandTests.run(["check", film] + sources)
            #expect(
                run.status == 0 && run.text.contains("nothing wrong"), "\(run.story)", sourceLocation: sourceLocation)
        }

        /// Parts that begin and end while a picture stands, the later one first.
        @Test(arguments: ["full", "auto"]) func partsBeginWithinPictures(way: String) throws {
            let uneven = try film(
                "uneven.mp4", "testsrc2=s=320x180:r=25:d=4", "-vf select=not(between(mod(n\\,20)\\,3\\,11))",
                "-fps_mode passthrough", Self.encoded)
            let parts = ["\(uneven)#t=1.23,3.1", "\(uneven)#t=0,2.29"]
            let out = folder / "out.mp4"
            try succeed(parts + [out, "--render", way, "--duration", "0.4"])
            try expectGood(out, parts)
        }

        /// A slide that stands for long: most of its packets are the same, wherever they lie.
        @Test(arguments: [["--transition", "cut"], ["--duration", "0.4"]]) func slidesStand(options: [String]) throws {
            let slide = try film(
                "slide.mp4", "testsrc2=s=320x180:r=25:d=1", "-vf select=eq(n\\,3),loop=200:1,setpts=N/25/TB",
                "-c:v libx264 -g 25 -bf 0 -preset veryfast -pix_fmt yuv420p")
            let parts = ["\(slide)#t=2.1,4.3", "\(slide)#t=2.6,5.1"]
            let out = folder / "out.mp4"
            try succeed(parts + [out, "--render", "auto"] + options)
            try expectGood(out, parts)
        }

        /// The last picture of a part stands longer than others.
        @Test func lastPicturesStand() throws {
            let still = try film(
                "stands.mp4", "testsrc2=s=320x180:r=25:d=6", "-vf select=not(between(t\\,2\\,4.9))",
                "-fps_mode passthrough", Self.encoded)
            let other = try film("mandelbrot.mp4", "mandelbrot=s=320x180:r=25", "-t 3", Self.encoded)
            let graph = "[1:v]trim=0:4.5,fps=25[b];[0:v]fps=25[a];[a][b]concat"
            let out = folder / "out.mp4"
            try Tool.ffmpeg("-i \(other) -i \(still) -filter_complex \(graph) -c:v libx264 -preset veryfast \(out)")
            try expectGood(out, [other, "\(still)#t=0,4.5"])
        }

        /// Slow motion that turns round, in a film with one line less.
        @Test(.turn(0, of: 3)) func slowMotionTurnsRound() throws {
            let cells = "life=s=1440x1620:r=25:ratio=0.4:seed=3,select=eq(n\\,3),loop=-1:1,setpts=N/25/TB,gblur=2"
            let moves = ["+", "-"].map { "crop=1440:810:0:300\($0)n,scale=720:405,trim=end_frame=60" }
            let films = try moves.enumerated().map {
                try film("cells-\($0).mkv", "\(cells),\($1)", "-c:v ffv1 -pix_fmt yuv420p")
            }
            let other = try film("mandelbrot.mp4", "mandelbrot=s=320x180:r=25", "-t 3", Self.encoded)
            let turning = try joined(films, "mkv")
            let out = folder / "out.mp4"
            try succeed([other, turning, out, "--render", "full", "--size", "720x404", "--transition", "cut"])
            try expectGood(out, [other, turning])
        }

        /// A container that marks each packet as a keyframe, and files that begin with the same packets.
        @Test func packetsAreMarkedWrongly() throws {
            let phone = try film("h263.3gp", "testsrc2=s=176x144:r=15:d=4", "-c:v h263 -g 200")
            let parts = try [3, 2].map { try clips().make("h263-\($0).mkv", "-i \(phone) -c copy -t \($0)") }
            try expectGood(joined(parts, "mkv"), parts)
        }

        /// A film of which each frame is shown as several, and one that rests for minutes, whose short packets are those of any other.
        @Test(
            .turn(1, of: 3),
            .needsMedia,
            arguments: Places.some(
                [
                    ("h264-aac-rotate-and-mirror.mp4", "h264-aac-12-5fps-720p.mp4", ["--transition", "cut"]),
                    (
                        "av1-aac-hdr10-mastering-metadata-59-94fps.mp4", "h264-aac-long-363s-1080p-lowbitrate.mp4",
                        ["--duration", "0.6"]
                    ),
                ], every: 2))
        func realClipsAreJoinedWell(first: String, second: String, options: [String]) throws {
            let clips = try [CommandTests.medium(first), CommandTests.medium(second)]
            let out = folder / "out.mp4"
            try succeed(clips + [out, "--render", "auto"] + options)
            try expectGood(out, clips)
        }

        /// A source whose sound is longer than its picture leaves its last frame standing, but not longer than that.
        @Test func soundOutlastsPictures() throws {
            let long = try clips().make(
                "long-sound.mp4", "-f lavfi -i testsrc2=s=320x180:r=25:d=2 -f lavfi -i anoisesrc=d=2.3:r=48000:a=0.1",
                Self.encoded, "-c:a aac")
            try expectGood(joined([long, long], "mp4"), [long, long])
            let run = try CommandTests.run(["check", joined([long, long], "mp4", lines: "duration 3"), long, long])
            #expect(run.status == 65 && run.text.contains("times: frame 50 follows"), "\(run.story)")
        }
    }
}

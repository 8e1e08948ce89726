import FlipGeometry
import FlipRaster
import TestSupport
import Testing

extension CommandTests {
    /// The commands that `export --as ffmpeg` prints, run by the stock ffmpeg and compared with the program's own joins.
    @Suite(.serialized) struct FilterGraphTests {
        let folder = TemporaryFolder.make()
        private static let lossless = ["--video-codec", "ffv1", "--audio-codec", "pcm_s16le", "-y"]

        /// Runs the printed command in a shell and joins the same inputs. Returns both outputs' paths and the indices
        /// of the frames that lie in overlaps, by the plan.
        private func both(_ arguments: [String], in folder: TemporaryFolder) throws -> (
            graph: String, join: String, overlaps: Set<Int>
        ) {
            let (graph, join) = (folder / "graph.mkv", folder / "join.mkv")
            let command = try succeed(["export", "--as", "ffmpeg"] + arguments + [graph] + Self.lossless).text
            try PluginTests.host(["sh", "-c", command])
            try succeed(arguments + [join] + Self.lossless)
            let overlaps = try planRows("joins", arguments + [join, "-y"]).flatMap { join in
                let start = try #require(join["start"] as? Int)
                return try Array(start..<start + #require(join["frames"] as? Int))
            }
            return (graph, join, Set(overlaps))
        }

        /// Expects the same audio and, except for rounding to 8-bit R'G'B' in the overlaps, the same frames in both.
        private func expectAlike(
            _ arguments: [String], size: (width: Int, height: Int), pixelFormat: String = "yuv420p"
        ) throws {
            let folder = try TemporaryFolder()
            let (graph, join, overlaps) = try both(arguments, in: folder)
            let (theirs, ours) = (try Judge.frameHashes(graph), try Judge.frameHashes(join))
            try #require(theirs.count == ours.count && !overlaps.isEmpty)
            let differing = ours.indices.filter { theirs[$0] != ours[$0] }
            #expect(Set(differing).isSubset(of: overlaps), "frames outside the overlaps differ: \(differing)")
            let pictures = try [graph, join].map {
                try Judge.pictures($0, pixelFormat: pixelFormat, width: size.width, height: size.height)
            }
            for index in overlaps {
                let difference = PictureDifference(pictures[0][index], pictures[1][index])
                #expect(difference.psnr >= 40, "frame \(index): \(difference)")
            }
            let samples = try [graph, join].map { try Judge.samples($0) }
            #expect(samples[0].count == samples[1].count && !samples[0].isEmpty)
            let worst = zip(samples[0], samples[1]).map { abs($0 - $1) }.max() ?? 0
            #expect(worst <= 4 / 32768, "sound differs by \(worst)")
        }

        private func medium(_ name: String) -> String { "\(Places.package)/Media/\(name).mp4" }

        @Test(.turn(1, of: 2), .enabled(if: Places.plugins != nil, Comment(rawValue: Places.pluginsAreMissing)))
        func ffmpegMakesTheSameJoin() throws {
            try expectAlike(
                [
                    medium("bunny"), medium("flower"), medium("bunny"), medium("flower"), "--transition", "flip",
                    "--transition", "fold=mode=cubic:easing=cubic-bezier(0.2,0.1,0.3,1):duration=1", "--transition",
                    "curl=mode=book:duration=0.5", "--size", "320x180",
                ], size: (320, 180))
        }

        /// Clips of another size or rate, a clip without audio, a trimmed one, a still picture and a rotated clip are
        /// conformed as in a join. At this width, the rows of a frame are padded in memory.
        @Test(.enabled(if: Places.plugins != nil, Comment(rawValue: Places.pluginsAreMissing)))
        func clipsThatDifferAreConformed() throws {
            let clips = try clips()
            let made = { (name: String, source: String, options: [String]) in
                try clips.make("graph-" + name, ["-i", medium(source)] + options)
            }
            let silent = try made(
                "silent.mkv", "bunny", ["-an", "-frames:v", "40", "-vf", "fps=30,scale=128:72", "-c:v", "ffv1"])
            let tall = try made(
                "tall.mp4", "flower",
                ["-frames:v", "36", "-vf", "scale=90:160,setsar=1", "-c:v", "libx264", "-preset", "ultrafast"])
            let turned = try clips.make("graph-turned.mp4", "-i \(tall) -c copy -bsf:v h264_metadata=rotate=90")
            let photo = try made("%3d-photo.png", "bunny", ["-frames:v", "1", "-vf", "scale=200:100", "-update", "1"])
            let sounding = try made(
                "sound.mkv", "flower", ["-t", "2.4", "-vf", "fps=25,scale=160:90", "-c:v", "ffv1", "-c:a", "pcm_s16le"])
            try expectAlike(
                [
                    sounding, silent, turned, photo + "#t=1.5", sounding + "#t=0.4,2", "--style", "card", "--duration",
                    "0.32", "--background", "#203040", "--size", "154x90",
                ], size: (154, 90))
        }

        @Test(
            .enabled(if: Places.plugins != nil, Comment(rawValue: Places.pluginsAreMissing)),
            arguments: Places.some(["linear", "none"], every: 2))
        func frozenTransitionsAndOtherCurvesKeepTheirLengths(curve: String) throws {
            let clips = try clips()
            let tones = try [440, 660].map {
                try clips.tone("graph-\($0)", frequency: $0, seconds: 1.6, rate: "30000/1001")
            }
            for overlap in ["play", "freeze", "handles"] {
                let folder = try TemporaryFolder()
                let parts = overlap == "handles" ? [tones[0] + "#t=0.2,1", tones[1] + "#t=0.6,1.4"] : tones
                let (graph, join, _) = try both(
                    parts + ["--overlap", overlap, "--audio-curve", curve, "--style", "unfold"], in: folder)
                #expect(try Judge.video(graph).frameCount == Judge.video(join).frameCount)
                let samples = try [graph, join].map { try Judge.samples($0) }
                #expect(samples[0].count == samples[1].count)
                // A hard cut may fall a sample earlier or later.
                let differing = zip(samples[0], samples[1]).filter { abs($0 - $1) > 4 / 32768 }.count
                #expect(differing <= (curve == "none" ? 8 : 0), "\(overlap): \(differing) samples differ")
            }
        }

        @Test func theGraphAloneIsPartOfTheCommand() throws {
            let arguments = [medium("bunny"), medium("flower"), "out's $HOME.mp4"]
            let command = try succeed(["export", "--as", "ffmpeg"] + arguments).text
            let graph = try succeed(["export", "--as", "graph"] + arguments).text
            #expect(graph.contains("frei0r=filter_name=fliptransition_stack") && graph.hasSuffix("[a]\n"))
            #expect(command.contains(graph.trimmingCharacters(in: .newlines)))
            #expect(command.contains("-n") && command.hasSuffix("'out'\\''s $HOME.mp4'\n"))
            #expect(try succeed(["export", "--as", "ffmpeg"] + arguments + ["-y"]).text.contains("ffmpeg -y "))
        }

        /// Clips of full range and of limited range keep their levels, also in versions of FFmpeg that convert frames by
        /// themselves where two formats meet.
        @Test func fullRangeStaysFull() throws {
            let clips = try clips()
            let full = try clips.make(
                "graph-full.mp4", "-f lavfi -i testsrc2=s=160x90:r=25:d=1 -vf scale=out_range=full,format=yuvj420p",
                "-c:v libx264")
            let limited = try clips.make(
                "graph-limited.mp4", "-f lavfi -i testsrc=s=160x90:r=25:d=1 -pix_fmt yuv420p -c:v libx264")
            let (graph, join) = (folder / "graph.mkv", folder / "join.mkv")
            let arguments = [full, limited, "--transition", "cut"] + Self.lossless
            try Tool.succeed("sh", ["-c", succeed(["export", "--as", "ffmpeg"] + arguments + [graph]).text])
            try succeed(arguments + [join])
            let hashes = try Judge.frameHashes(graph)
            #expect(hashes.count == 50)
            #expect(try hashes == Judge.frameHashes(join))
        }

        @Test func subtitlesOfClipsAreLeftOut() throws {
            let captions = folder / "a.srt"
            try "1\n00:00:00,100 --> 00:00:01,000\nA\n".write(to: captions)
            let film = try Clips.addSubtitles(
                [(captions, "eng")], to: medium("bunny"), codec: "srt", as: "film.mkv", in: folder)
            let run = try CommandTests.run(["export", "--as", "ffmpeg", film, medium("flower"), folder / "out.mkv"])
            #expect(run.status == 0 && run.messages.contains("subtitles are left out"), "\(run.story)")
            let asked = try CommandTests.run(
                "export --as ffmpeg \(medium("bunny")) \(medium("flower")) --captions \(captions) \(folder / "out.mkv")"
            )
            #expect(asked.status == 64 && asked.messages.contains("--captions"), "\(asked.story)")
        }

        /// ffmpeg's filter `pad` knows one matrix and one range, so what it would draw in another color is refused; what is not
        /// refused has the program's bars.
        @Test(.turn(0, of: 2)) func barsAreTheProgramsOrRefused() throws {
            let clips = try clips()
            let film = { (name: String, size: String, format: String) in
                try clips.make(
                    name, "-f lavfi -i testsrc=s=\(size):r=25:d=0.4 -vf scale=out_range=auto,format=\(format)",
                    "-c:v libx264")
            }
            let (narrow, full) = (
                try film("graph-narrow.mp4", "90x90", "yuv420p"), try film("graph-wide-full.mp4", "160x90", "yuvj420p")
            )
            let wide = try film("graph-wide.mp4", "160x90", "yuv420p")
            let (graph, join) = (folder / "graph.mkv", folder / "join.mkv")
            for (first, size, color, isPrinted) in [
                (wide, "320x180", "black", true), (wide, "1280x720", "black", true), (wide, "1280x720", "white", true),
                (wide, "320x180", "#e01020", true), (wide, "1280x720", "#e01020", false),
                (full, "320x180", "black", false),
            ] {
                let arguments =
                    [first, narrow, "--transition", "cut", "--size", size, "--background", color, "-y"] + Self.lossless
                let printed = try CommandTests.run(["export", "--as", "ffmpeg"] + arguments + [graph])
                #expect(printed.status == (isPrinted ? 0 : 64), "\(size) \(color): \(printed.story)")
                guard isPrinted else {
                    #expect(printed.messages.contains("--background"))
                    continue
                }
                try Tool.succeed("sh", ["-c", printed.text])
                try succeed(arguments + [join])
                let corners = try [graph, join].map { path in
                    let run = try Tool.ffmpeg("-i \(path) -vf crop=4:4:0:0 -f framemd5 -")
                    return run.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
                }
                #expect(corners[0].count == 20 && corners[0] == corners[1], "\(size) \(color)")
            }
        }

        @Test func whatAGraphCannotDoIsRefused() throws {
            let transparent = try clips().make(
                "graph-transparent.png", "-f lavfi -i color=c=red@0.5:s=160x90,format=rgba -frames:v 1")
            for (arguments, word) in [
                ([transparent, medium("flower"), "out.mp4"], "transparent"),
                ([medium("bunny"), medium("flower"), "out.mp4", "--fit", "blur", "--size", "90x90"], "blurred copy"),
                (
                    [medium("bunny"), medium("flower"), "out.mp4", "--style", "card", "--perspective", "0.3"],
                    "perspective"
                ),
            ] {
                let run = try CommandTests.run(["export", "--as", "ffmpeg"] + arguments)
                #expect(run.status == 64 && run.messages.contains(word) && run.output.isEmpty, "\(run.story)")
            }
        }
    }
}

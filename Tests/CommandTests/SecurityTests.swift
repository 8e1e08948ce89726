import TestSupport
import Testing

extension CommandTests {
    /// Malicious files are refused with one message, and nothing but the file itself is opened.
    @Suite(.serialized) struct SecurityTests {
        let folder = TemporaryFolder.make()

        /// Expects that `content`, written as `name`, is refused as the first and as the second input beside a good
        /// clip.
        private func expectRefused(
            _ name: String, _ content: Data, saying words: String, arguments: [String] = [],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let folder = try TemporaryFolder()
            let path = folder / name
            try content.write(to: path)
            try expectRefused(path, in: folder, saying: words, arguments, sourceLocation)
        }

        private func expectRefused(
            _ path: String, in folder: TemporaryFolder, saying words: String, _ arguments: [String],
            _ sourceLocation: SourceLocation
        ) throws {
            let before = try folder.names
            let good = try clips().pattern("security", frames: 20)
            for inputs in [[path, good], [good, path]] {
                let run = try CommandTests.run(inputs + arguments + [folder / "out.mp4"], timeout: 20)
                #expect(run.status == 65 && run.messageLines.count == 1, "\(run.story)", sourceLocation: sourceLocation)
                let name = URL(fileURLWithPath: path).lastPathComponent
                #expect(run.messages.contains(name), "\(run.messages)", sourceLocation: sourceLocation)
                #expect(run.messages.contains(words), "\(run.messages)", sourceLocation: sourceLocation)
                #expect(run.peakMemory < 1500 << 20, "\(run.peakMemory >> 20) MiB", sourceLocation: sourceLocation)
            }
            #expect(try folder.names == before, sourceLocation: sourceLocation)
        }

        /// Playlists are refused under their own extension and under that of a clip. An ffconcat list is an input under
        /// its own, so it is only tested as a clip.
        @Test(arguments: ["m3u8", "mpd", "sdp", "ffconcat"]) func listsAreNotFollowed(kind: String) throws {
            let listener = try Listener()
            let url = "http://127.0.0.1:\(listener.port)/clip"
            let content: [String: [Data]] = [
                "m3u8": [
                    HostileFiles.hls([url + ".ts"]), HostileFiles.hls(["file:///etc/passwd"]),
                    HostileFiles.hls(["/etc/passwd"]), HostileFiles.hls(["concat:/etc/passwd|\(url)"]),
                ],
                "mpd": [HostileFiles.dash(url + ".mp4"), HostileFiles.dash("file:///etc/passwd")],
                "sdp": [HostileFiles.sdp],
                "ffconcat": [HostileFiles.concatenation("/etc/passwd"), HostileFiles.concatenation(url)],
            ]
            for content in content[kind] ?? [] {
                for name in kind == "ffconcat" ? ["list.mp4"] : ["list.\(kind)", "list.mp4"] {
                    // What libav doesn't recognize is refused as damaged: since FFmpeg 7.1 an HLS playlist with another
                    // extension, and in a portable program the lists that need XML or a network.
                    let isOld = Places.usesSystemLibraries && !Judge.isFFmpeg71
                    let isKnown =
                        switch kind {
                        case "m3u8": name == "list.m3u8" || isOld
                        case "ffconcat": true
                        default: Places.usesSystemLibraries
                        }
                    try expectRefused(name, content, saying: isKnown ? "which is not followed" : "cannot read '")
                }
            }
            #expect(!listener.wasCalled)
        }

        /// A name that libav would take for a URL is the name of a file here.
        @Test func namesAreNamesAndNotURLs() throws {
            let listener = try Listener()
            let good = try clips().pattern("security", frames: 20)
            for name in [
                "http://127.0.0.1:\(listener.port)/clip.mp4", "concat:\(good)|\(good)",
                "subfile,,start,0,end,9999,,:\(good)",
                "data:video/mp4;base64,AAAA", "async:\(good)", "cache:\(good)", "crypto:\(good)", "pipe:0",
            ] {
                let run = try CommandTests.run([good, name, folder / "out.mp4"], timeout: 20)
                #expect(run.status == 66 && run.messageLines.count == 1, "\(run.story)")
            }
            #expect(!listener.wasCalled)
            #expect(try folder.names == [])
        }

        @Test func picturesOfImpossibleSizeAreRefused() throws {
            try expectRefused("bomb.png", HostileFiles.png(width: 65535, height: 65535), saying: "make them smaller")
            try expectRefused("wide.png", HostileFiles.png(width: 20000, height: 14000), saying: "make them smaller")
            try expectRefused("large.png", HostileFiles.png(width: 16000, height: 16000), saying: "--max-pixels")
        }

        @Test func theLimitOfPixelsIsTheUsers() throws {
            let small = try clips().pattern("security", frames: 20)
            let large = try clips().pattern("security-large", frames: 2, size: "1280x720")
            // 1280 x 720 = 921600
            for (limit, status) in [("921600", Int32(0)), ("921599", 65)] {
                try expectExit(
                    [small, large, "--max-pixels", limit, "--duration", "1f", folder / "\(limit).mp4"], status)
            }
            let output = try CommandTests.run(
                [small, small, "--size", "1280x720", "--max-pixels", "100000", folder / "out.mp4"])
            #expect(output.status == 64 && output.messages.contains("--max-pixels"), "\(output.story)")
            for limit in ["0", "-1", "many", "999999999999"] {
                try expectExit([small, large, "--max-pixels", limit, folder / "out.mp4"], 64, saying: "max-pixels")
            }
            #expect(try folder.names == ["921600.mp4"])
        }

        @Test(arguments: Places.some(["mp4", "mkv", "png", "mpg", "ts", "h264", "mp3", ""], every: 4))
        func twoGigabytesOfNothingAreRefused(ending: String) throws {
            let path = folder / (ending.isEmpty ? "zeros" : "zeros.\(ending)")
            try Data().write(to: path)
            try #require(truncate(path, 2 << 30) == 0)
            let words = ending == "png" ? "no picture could be decoded from stream 0" : "as video or audio: "
            try expectRefused(path, in: folder, saying: words, [], #_sourceLocation)
        }

        /// A movie whose samples lie in another file is refused, although ffmpeg reads them if it is told to follow
        /// references.
        @Test func samplesInOtherFilesAreNotRead() throws {
            let whole = try clips().make(
                "whole.mov", "-f lavfi -i testsrc2=s=64x48:r=25:d=1 -c:v mpeg4 -metadata title=secret")
            let movie = try Data(contentsOf: whole)
            // Of the movie itself only the index is kept; its samples become zeros.
            var hollow = HostileFiles.movie(movie, withSamplesIn: whole)
            let start = try #require(hollow.range(of: Data("mdat".utf8))).upperBound
            let end = try #require(hollow.range(of: Data("moov".utf8))).lowerBound - 4
            hollow.replaceSubrange(start..<end, with: Data(count: end - start))
            let path = folder / "reference.mov"
            try hollow.write(to: path)
            let followed = try Tool.ffmpeg("-enable_drefs 1 -use_absolute_path 1 -i \(path) -f framemd5 -")
            #expect(followed.text.split(separator: "\n").filter { !$0.hasPrefix("#") }.count == 25)
            try expectRefused(
                path, in: folder, saying: "no picture could be decoded from stream 0 (mpeg4)", [], #_sourceLocation)
        }

        /// A file of a few kilobytes that claims to have millions of frames, or to last for days, is refused.
        @Test(.turn(0, of: 2)) func endlessFilmsAreRefused() throws {
            let short = try clips().make("short.mov", "-f lavfi -i testsrc2=s=64x48:r=25:d=0.2 -c:v mjpeg")
            let movie = try Data(contentsOf: short)
            for count: UInt32 in [0x100_0000, 0x200_0000, 0x400_0000, 0x7fff_ffff, 0xffff_ffff] {
                try expectRefused(
                    "many.mov", HostileFiles.movie(movie, withSamples: count), saying: "no picture could be decoded")
            }
            for (name, factor) in [("long.nut", "1e9"), ("shorter.nut", "1e8")] {
                let clip = try clips().make(
                    name, "-f lavfi -i testsrc2=s=64x48:r=25:d=0.2 -vf setpts=PTS*\(factor) -fps_mode vfr",
                    "-enc_time_base 1/25 -c:v ffv1")
                try expectRefused(clip, in: TemporaryFolder(), saying: "days", [], #_sourceLocation)
            }
        }

        @Test func filesOfCountlessStreamsAreRefused() throws {
            let path = folder / "streams.mov"
            try Tool.ffmpeg(
                "-f lavfi -i color=s=16x16:r=1:d=1 \(Array(repeating: ["-map", "0"], count: 300).flatMap { $0 })",
                "-c:v mpeg4 \(path)")
            #expect(try Judge.streams(path).count == 300)
            try expectRefused(path, in: folder, saying: "error reading header", [], #_sourceLocation)
        }
    }
}

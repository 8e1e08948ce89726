import TestSupport
import Testing

extension CommandTests {
    /// Numbered pictures as one clip, compared with what ffmpeg reads of them.
    @Suite(.serialized) struct PictureFilesTests {
        private let folder = try? TemporaryFolder()

        /// Pictures of 16 bits a sample, numbered from `first`.
        private func pictures(_ pattern: String, from first: Int) throws -> TemporaryFolder {
            let folder = try #require(folder)
            try Tool.ffmpeg(
                "-f lavfi -i testsrc2=s=96x54:r=24:d=0.5,format=rgb48be -start_number \(first) \(folder / pattern)")
            return folder
        }

        private static let lossless = ["--video-codec", "ffv1", "--pix-fmt", "gbrp16le"]

        private func hashes(_ path: String) throws -> [String] { try Judge.frameHashes(path, pixelFormat: "gbrp16le") }

        /// Every picture is a frame of its depth, in the order of its number, wherever the numbers begin.
        @Test(arguments: [("p%04d.png", 7), ("%d.png", 1), ("p%d-left.png", 98)])
        func numberedPicturesAreAClip(pattern: String, first: Int) throws {
            let folder = try pictures(pattern, from: first)
            let run = try succeed([folder / pattern, folder / "out.mkv"] + Self.lossless)
            #expect(run.messages == "", "\(run.story)")
            try Tool.ffmpeg(
                "-start_number \(first) -i \(folder / pattern) -c:v ffv1 -pix_fmt gbrp16le \(folder / "judge.mkv")")
            let frames = try hashes(folder / "out.mkv")
            #expect(frames.count == 12 && Set(frames).count == 12)
            #expect(try frames == hashes(folder / "judge.mkv"))
            #expect(try Judge.video(folder / "out.mkv").isEven(atRate: 25))
        }

        /// What is missing is said, and nothing behind it is lost. Patterns of the shell find the same pictures.
        @Test func gapsAreSaidAndPassed() throws {
            let folder = try pictures("p%04d.png", from: 1)
            try succeed([folder / "p%04d.png", folder / "whole.mkv"] + Self.lossless)
            let whole = try hashes(folder / "whole.mkv")
            for number in [3, 4, 9] { try folder.remove("p000\(number).png") }
            let run = try succeed([folder / "p%04d.png#fps=12", folder / "gaps.mkv"] + Self.lossless)
            #expect(run.messages.contains("the pictures 3, 4, 9 are missing"), "\(run.story)")
            let kept = whole.enumerated().filter { ![2, 3, 8].contains($0.offset) }.map(\.element)
            #expect(try hashes(folder / "gaps.mkv") == kept)
            #expect(try Judge.video(folder / "gaps.mkv").isEven(atRate: 12))
            try succeed([folder / "p*.png#fps=12&t=0.25", folder / "part.mkv"] + Self.lossless)
            #expect(try hashes(folder / "part.mkv") == Array(kept.dropFirst(3)))
        }

        @Test func whatCannotBeReadIsSaid() throws {
            let folder = try pictures("%d.png", from: 1)
            try folder.remove("5.png")
            let before = try folder.names
            for (words, status, answer) in [
                ([folder / "%d.png", folder / "o.mkv"], 64, "picture 5 is missing"),
                ([folder / "%04d.png", folder / "o.mkv"], 66, "no picture is called"),
                ([folder / "*.png", folder / "%d.png", "-y"], 64, "is also an input"),
                ([folder / "1.png#fps=24", folder / "o.mkv"], 64, "#fps= is for numbered pictures"),
            ] {
                try expectExit(words, Int32(status), saying: answer)
                #expect(try folder.names == before)
            }
        }

        /// Light in floating point has no curve, so it isn't shown as if it had one.
        @Test func floatingPointIsRefused() throws {
            let folder = try #require(folder)
            try Tool.ffmpeg("-f lavfi -i testsrc2=s=64x36:d=0.2,format=gbrpf32le \(folder / "%d.exr")")
            for name in ["%d.exr", "1.exr"] {
                try expectExit([folder / name, folder / "o.mp4"], 65, saying: "-apply_trc")
            }
        }

        /// A folder that is watched: what comes is made, in folders of the same names, and the end is an orderly one.
        @Test(.turn(0, of: 3)) func aFolderIsWatched() throws {
            let folder = try #require(folder)
            let decks = folder / "decks"
            try FileManager.default.createDirectory(atPath: decks + "/one", withIntermediateDirectories: true)
            try DeckFiles.pdf(pages: ["", ""]).write(to: decks + "/one/a.pdf")
            let script = """
                "$0" batch "$1/decks" --output-dir "$1/videos" --recursive --watch --progress json --set hold=0.2 2>"$1/log" & p=$!
                wait_for() { n=0; until [ -e "$1" ]; do n=$((n+1)); [ $n -lt 400 ] || exit 9; sleep 0.1; done; }
                wait_for "$1/videos/one/a.mp4"; cp "$1/decks/one/a.pdf" "$1/decks/b.pdf"
                wait_for "$1/videos/b.mp4"; kill $p; wait $p
                """
            let run = try Tool.run("bash", ["-c", script, Places.program(), folder.path])
            let log = try String(contentsOf: folder / "log")
            #expect(run.status == 0, "\(run.story) \(log)")
            for name in ["one/a.mp4", "b.mp4"] {
                #expect(try Judge.frameHashes(folder / "videos/\(name)").count == 10)
                #expect(log.contains("videos/\(name)\",\"schema\":1,\"state\":\"done\""), "\(log)")
            }
        }
    }
}

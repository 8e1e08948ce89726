import TestSupport
import Testing

extension CommandTests {
    /// Files that a run writes of its slides and chapters.
    @Suite(.serialized) struct CueSheetTests {
        let folder = TemporaryFolder.make()

        private func text(_ path: String) throws -> String { try String(contentsOf: path) }

        private func lines(_ path: String) throws -> [String] {
            try text(path).split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
        }

        private static let deck = ["--transition", "cut", "--preset", "ultrafast", "--crf", "0", "--size", "320x180"]

        @Test(arguments: Places.some(["25", "30000/1001"], every: 2))
        func aDeckIsTheSameByItsCueSheet(rate: String) throws {
            let slides = try TemporaryFolder()
            try DeckTests.pictures(5, slides)
            let film = try clips().flashAndClick("deck-film.mp4", seconds: 3, events: [1])
            let inputs = [slides.path, film, slides / "003.png#t=1.25", "--fps", rate, "--hold", "0.77"] + Self.deck
            let run = { (name: String, more: [String]) in
                let (out, inputs) = (folder / "\(name).mkv", inputs)
                try succeed(["deck"] + inputs.prefix(3) + [out] + more + inputs.dropFirst(3))
                try succeed("export deck \(inputs.prefix(3)) \(folder / "\(name).txt") \(more) \(inputs.dropFirst(3))")
            }
            try run("first", [])
            try run("second", ["--timings", folder / "first.txt"])
            #expect(try text(folder / "first.txt") == text(folder / "second.txt"))
            #expect(try Judge.frameHashes(folder / "first.mkv") == Judge.frameHashes(folder / "second.mkv"))
            let rows = try lines(folder / "first.txt")
            #expect(rows.count == 7 && rows[0].contains("# 1  001  starts 0:00.000"), "\(rows)")
            // A film keeps its own time. At 25 fps it begins at 3.85 s, in frame 96, and has 75 frames.
            #expect(rows[5].hasPrefix("-"), "\(rows)")
            if rate == "25" { #expect(rows[6].hasSuffix("# 7  003  starts 0:06.840"), "\(rows)") }

            // The third slide stays longer by 10 frames, and the others as long as before.
            let old = try DeckTests.changes(folder / "first.mkv")
            var edited = try lines(folder / "first.txt")
            edited[2] = "\(old[2] - old[1] + 10)f"
            try edited.joined(separator: "\n").write(to: folder / "edited.txt")
            try run("third", ["--timings", folder / "edited.txt"])
            let new = try DeckTests.changes(folder / "third.mkv")
            // The pictures of the film aside, which change by themselves.
            #expect(Array(new.prefix(5)) == old.prefix(2) + old[2..<5].map { $0 + 10 })
            let changed = zip(try lines(folder / "first.txt"), try lines(folder / "third.txt"))
            let words = changed.filter { $0.split(separator: " ")[0] != $1.split(separator: " ")[0] }
            #expect(words.count == 1, "\(words)")
        }

        /// Start times stay start times.
        @Test func startsStayStarts() throws {
            let slides = try TemporaryFolder()
            try DeckTests.pictures(4, slides)
            try DeckTests.write("@0\n@1.5\n0.3333\n@4.0666667\n", folder / "in.txt")
            let export = { (file: String, out: String) in
                try succeed(["export", slides.path, folder / out, "--timings", folder / file] + Self.deck)
            }
            _ = try export("in.txt", "one.txt")
            let words = try lines(folder / "one.txt").map { String($0.split(separator: " ")[0]) }
            #expect(words.count == 4 && words[0] == "@0" && words[1] == "@1.5" && words[3] == "@4.0666667", "\(words)")
            _ = try export("one.txt", "two.txt")
            #expect(try text(folder / "one.txt") == text(folder / "two.txt"))
        }

        @Test func filesAreReplacedOnlyIfThatIsAllowed() throws {
            let slides = try TemporaryFolder()
            try DeckTests.pictures(2, slides)
            try DeckTests.write("kept", folder / "there.txt")
            let deck = { (options: [String]) in
                try run(["deck", slides.path, folder / "o.mp4", "--hold", "0.4"] + options + Self.deck)
            }
            #expect(try deck(["--chapters-out", folder / "there.txt"]).status == 73)
            #expect(try deck(["--chapters-out", folder / "o.mp4"]).status == 64)
            #expect(try deck(["--chapters-out", slides / "001.png", "-y"]).status == 64)
            #expect(try deck(["--chapters-out", folder / "x", "--report", folder / "x"]).status == 64)
            let export = { (words: [String]) in try run(["export", slides.path] + words + Self.deck) }
            #expect(try export([folder / "there.txt"]).status == 73)
            #expect(try export([slides / "001.png", "--as", "timings", "-y"]).status == 64)
            #expect(try export([folder / "x.txt", "-o", folder / "x.txt", "-f", "mp4"]).status == 64)
            #expect(try text(folder / "there.txt") == "kept" && folder.names == ["there.txt"])
            #expect(try deck(["--chapters-out", folder / "there.txt", "-y"]).status == 0)
            #expect(try lines(folder / "there.txt") == ["0:00 001", "0:00 002"])
            #expect(try export([folder / "there.txt", "-y"]).status == 0)
            #expect(try lines(folder / "there.txt").count == 2)
        }

        // MARK: Chapters

        /// The chapters in a text for YouTube: the second and the title of each.
        private func listed(_ path: String) throws -> [(second: Int, title: String)] {
            try lines(path).map { line in
                let words = line.split(separator: " ", maxSplits: 1)
                let second = words[0].split(separator: ":").reduce(0) { 60 * $0 + (Int($1) ?? -99999) }
                return (second, String(words[1]))
            }
        }

        @Test func chaptersAreListedAsTheyAre() throws {
            let slides = try TemporaryFolder()
            try DeckTests.pictures(4, slides)
            try DeckTests.write("12.5\n3601\n15\n11\n", folder / "times.txt")
            let run = try succeed(
                "deck \(slides.path) \(folder / "o.mp4") --timings \(folder / "times.txt") --fps 1",
                "--chapters-out \(folder / "list.txt") \(Self.deck)")
            #expect(run.messages.isEmpty, "\(run.story)")
            let (meant, found) = (try Judge.chapters(folder / "o.mp4"), try listed(folder / "list.txt"))
            #expect(meant.count == 4 && found.map(\.second) == meant.map { Int($0.start) }, "\(meant) \(found)")
            #expect(found.map(\.title) == meant.map(\.title))
            // 12.5 s are 13 frames, and 3613.5 s 3614 frames.
            #expect(try text(folder / "list.txt") == "0:00 001\n0:13 002\n1:00:14 003\n1:00:29 004\n")
        }

        @Test func joinsAndProjectsListThem() throws {
            let clip = try clips().pattern("cue-clip", frames: 50)
            let join = [clip, clip, clip, folder / "o.mp4", "--duration", "4f", "--preset", "ultrafast"]
            try expectExit(join + ["--chapters-out", folder / "list.txt"], 64, saying: "--chapters")
            try expectExit("\(join) --chapters --chapters-out \(folder / "list.txt") --strict", 65, saying: "10 s")
            #expect(try folder.names.isEmpty)
            let made = try succeed(join + ["--chapters", "--chapters-out", folder / "list.txt"])
            #expect(warnings(made).count == 1 && made.messages.contains("10 s"), "\(made.story)")
            let meant = try Judge.chapters(folder / "o.mp4")
            #expect(try meant.count == 3 && listed(folder / "list.txt").map(\.second) == meant.map { Int($0.start) })
            let project = "clips:\n" + (0..<2).map { _ in "  - file: \(clip)\n" }.joined()
            try DeckTests.write(project, folder / "p.yaml")
            let render = ["render", folder / "p.yaml", folder / "p.mp4", "--chapters", "--preset", "ultrafast"]
            try succeed(render + ["--chapters-out", folder / "p.txt"])
            #expect(
                try listed(folder / "p.txt").map(\.second) == Judge.chapters(folder / "p.mp4").map { Int($0.start) })
            let engine = try CommandTests.run(
                "render \(folder / "p.yaml") \(folder / "q.mp4") --engine local --chapters-out \(folder / "q.txt")")
            #expect(engine.status == 64 && engine.messages.contains("--engine"), "\(engine.story)")
        }

        /// ffmpeg reads the other format.
        @Test func ffmpegReadsTheMetadata() throws {
            let clip = try clips().pattern("cue-clip", frames: 50)
            for name in ["a=b;c#d.mkv", "back\\slash.mkv"] {
                try folder.add(clip, as: name)
            }
            try succeed(
                "\(folder / "a=b;c#d.mkv") \(folder / "back\\slash.mkv") \(folder / "o.mkv") --chapters",
                "--preset ultrafast --chapters-out \(folder / "o.ffmeta")")
            try Tool.ffmpeg("-i \(clip) -i \(folder / "o.ffmeta") -map_chapters 1 -c copy \(folder / "copy.mkv")")
            let (meant, found) = (try Judge.chapters(folder / "o.mkv"), try Judge.chapters(folder / "copy.mkv"))
            #expect(found.map(\.title) == ["a=b;c#d", "back\\slash"] && meant.map(\.title) == found.map(\.title))
            #expect(zip(meant, found).allSatisfy { abs($0.start - $1.start) < 0.0015 }, "\(meant) \(found)")
        }
    }
}

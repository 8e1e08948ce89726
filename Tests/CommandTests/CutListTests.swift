import TestSupport
import Testing

/// A cut list that keeps frames 10..<30, 50..<70 and 80..<100 of a film of 100 frames at 25 fps.
struct CutListCase: CustomTestStringConvertible, Sendable {
    var name: String
    /// Whether the list names no film, so that it is given with one.
    var needsFilm: Bool
    var text: String
    /// The titles of the parts; nil where the list has none.
    var titles: [String]?

    var testDescription: String { name }

    private init(_ name: String, needsFilm: Bool = false, titles: [String]? = nil, _ text: String) {
        self.name = name
        self.needsFilm = needsFilm
        self.text = text
        self.titles = titles
    }

    static let all: [CutListCase] = [
        CutListCase(
            "losslesscut.csv", needsFilm: true, titles: ["first, of all", "a \"middle\"", "last"],
            "0.4,1.2,\"first, of all\"\r\n0:02,00:00:02.800,\"a \"\"middle\"\"\"\r\n3.2000000001,,last\r\n"),
        CutListCase(
            "header.csv", needsFilm: true, titles: ["one", "two", "three"],
            "Start,End,Name,Tag\n0.4,1.2,one,x\n2,2.8,two,\n\n3.2,4,three"),
        CutListCase(
            "semicolons.csv", needsFilm: true, titles: ["one, two", "a; b", "three"],
            "0,4;1,2;one, two\r\n0:02;00:00:02,800;\"a; b\"\r\n3,2000000001;;three\r\n"),
        CutListCase(
            "semicolons-points.csv", needsFilm: true, titles: ["one", "two", "three"],
            "Start;End;Name\n0.4;1.2;one\n2;2.8;two\n3.2;4;three\n"),
        CutListCase(
            "label.csv", needsFilm: true, titles: ["one; two", "two", "three"],
            "0.4,1.2,one; two\n2,2.8,two\n3.2,,three\n"),
        CutListCase(
            "tabs.tsv", needsFilm: true, titles: ["one, two", "two", "three"],
            "0.4\t1.2\tone, two\n2\t2.8\ttwo\n3.2\t\tthree\n"),
        CutListCase(
            "table.csv", titles: ["one", "two", "three"],
            "\u{FEFF}title,Out,source,In\none,1.2,film.mkv,0.4\ntwo,2.8,DIR/film.mkv,2\nthree,,\"film.mkv\",3.2\n"),
        CutListCase(
            "project.llc", titles: ["it's \"one\"", "two", "three"],
            """
            {
              version: 2,
              mediaFileName: 'film.mkv',
              cutSegments: [
                {
                  start: 0.4,
                  end: 1.2,
                  name: 'it\\'s "one"',
                  tags: {
                    a: '1',
                  },
                },
                {
                  start: 1.5,
                  name: 'a marker',
                },
                {
                  start: 2,
                  end: 2.8,
                  name: "two",
                  selected: true,
                },
                {
                  start: 3,
                  end: 3.1,
                  name: '',
                  selected: false,
                },
                {
                  start: 3.2,
                  end: 4,
                  name: 'three',
                },
              ],
            }
            """),
        CutListCase(
            "old.llc", titles: ["one", "two", "three"],
            """
            {"version": 1, "mediaFileName": "film.mkv", "cutSegments": [ // the parts
              {"end": 1.2, "start": 0.4, "name": "one"}, {"start": 2, "end": 2.8, "name": "two"},
              /* to the end */ {"start": 3.2, "name": "three"}]}
            """),
        CutListCase(
            "chunks.v1",
            """
            {"version": "1", "source": "film.mkv", "timebase": "25/1", "chunks": [[0, 10, 99999.0], [10, 20, 1.0],
             [20, 30, 1], [30, 50, 0], [50, 70, 1], [70, 80, 0.0], [80, 100, 1]]}
            """),
        CutListCase(
            "untimed.json",
            """
            {"version": "1", "source": "film.mkv",
             "chunks": [[0, 10, 0], [10, 30, 1], [30, 50, 0], [50, 70, 1], [70, 80, 0], [80, 100, 1], ], }
            """),
        CutListCase(
            "clips.v2",
            """
            {"version": "2", "source": "film.mkv", "tb": "50/1", "effects": [[], ["cut"]],
             "clips": [[20, 60, 0], [60, 100, 1], [100, 140, 0], [160, 200, 0]]}
            """),
        CutListCase(
            "layers.v3",
            """
            {"version": "3", "timebase": "25/1", "background": "#000", "resolution": [160, 90], "samplerate": 48000,
             "layout": "mono", "langs": ["und", "und"], "v": [[
               {"src": "film.mkv", "start": 0, "dur": 20, "offset": 10, "stream": 0},
               {"src": "film.mkv", "start": 20, "dur": 20, "offset": 50, "stream": 0, "effects": []},
               {"src": "film.mkv", "start": 40, "dur": 20, "offset": 80, "stream": 0}]],
             "a": [[{"src": "film.mkv", "start": 0, "dur": 60, "offset": 10, "stream": 0}]]}
            """),
    ]
}

extension CommandTests {
    /// Cut lists of editors and silence removers as inputs.
    @Suite(.serialized) struct CutListTests {
        let folder = TemporaryFolder.make()

        /// A film of 100 frames with flashes and clicks in frames 20, 33, 60 and 90.
        private func film() throws -> String {
            try clips().flashAndClick(
                "cuts-film.mkv", seconds: 4, events: [0.8, 1.32, 2.4, 3.6], rate: "25",
                codecs: ["-c:v", "ffv1", "-c:a", "pcm_s16le"])
        }

        private func pattern() throws -> String { try clips().pattern("cuts-pattern", frames: 100, sound: true) }

        /// A folder with `film.mkv` and the list.
        private func stage(_ list: CutListCase, _ film: String) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try folder.add(film, as: "film.mkv")
            try list.text.replacingOccurrences(of: "DIR", with: folder.path)
                .write(to: folder / list.name)
            return folder
        }

        private func word(_ list: CutListCase, _ folder: TemporaryFolder) -> String {
            (list.needsFilm ? folder / "film.mkv#cuts=" : "") + (folder / list.name)
        }

        @Test(arguments: Places.some(CutListCase.all, every: 4))
        func listsShowTheirPartsExactly(list: CutListCase) throws {
            let source = try Judge.frameHashes(pattern())
            try #require(Set(source).count == 100)
            let folder = try stage(list, pattern())
            let out = folder / "out.mkv"
            let arguments = [word(list, folder), "--video-codec", "ffv1", "--audio-codec", "pcm_s16le", "-y"]
            try succeed(arguments + ["--transition", "cut", "--chapters", out])
            let kept = Array(source[10..<30]) + source[50..<70] + source[80..<100]
            #expect(try Judge.frameHashes(out) == kept)
            if let titles = list.titles { #expect(try Judge.chapters(out).map(\.title) == titles) }
            // The transitions lie over what was cut out, and cost nothing.
            try succeed(arguments + ["--duration", "8f", out])
            let hashes = try Judge.frameHashes(out)
            try #require(hashes.count == 60)
            #expect(hashes[..<16] == source[10..<26])
            #expect(hashes[24..<36] == source[54..<66])
            #expect(hashes[44...] == source[84..<100])
            #expect(Set(hashes[16..<24]).isDisjoint(with: source))
        }

        @Test(arguments: Places.some(CutListCase.all, every: 8)) func soundStaysWithItsFrames(list: CutListCase) throws
        {
            let folder = try stage(list, film())
            let out = folder / "out.mkv"
            for transition in [["--transition", "cut"], ["--duration", "4f"]] {
                try succeed("\(word(list, folder)) --video-codec ffv1 --audio-codec pcm_s16le -y \(out) \(transition)")
                #expect(try Judge.flashes(out, width: 160, height: 90) == [10, 30, 50])
                try expectClicks(Sound(out), [0.4, 1.2, 2.0])
            }
        }

        /// A film that is given with a list takes the place of the one that the list names.
        @Test(arguments: Places.some(CutListCase.all, every: 4))
        func aFilmGivenWithAListIsShown(list: CutListCase) throws {
            let folder = try stage(list, pattern())
            let other = try clips().pattern("cuts-other", frames: 100, hue: 120)
            try folder.remove("film.mkv")
            let source = try Judge.frameHashes(other)
            try succeed(
                "\(other + "#cuts=" + (folder / list.name) + "&volume=0.5") --overlap play --duration 8f",
                "--video-codec ffv1 \(folder / "out.mkv")")
            // With play, each of the two transitions takes 8 frames.
            let hashes = try Judge.frameHashes(folder / "out.mkv")
            try #require(hashes.count == 44)
            #expect(hashes[..<12] == source[10..<22])
            #expect(hashes[20..<24] == source[58..<62])
            #expect(hashes[32...] == source[88..<100])
        }

        @Test func whatIsLeftOutIsSaid() throws {
            let list = try #require(CutListCase.all.first { $0.name == "project.llc" })
            let folder = try stage(list, pattern())
            let run = try succeed(["plan", folder / list.name, folder / "out.mkv"])
            for words in ["1 marker is left out", "1 segment is left out"] {
                #expect(run.text.contains(words), "\(run.text)")
            }
        }

        @Test func aListMayHaveOnePart() throws {
            let film = try pattern()
            try "0.4,1.2,one\n".write(to: folder / "one.csv")
            try succeed([film + "#cuts=" + (folder / "one.csv"), "--video-codec", "ffv1", folder / "out.mkv"])
            #expect(try Judge.frameHashes(folder / "out.mkv") == Array(Judge.frameHashes(film)[10..<30]))
        }

        /// Chapters of the same name can't be told apart.
        @Test func partsWithoutLabelsAreNumbered() throws {
            let film = folder / "film.mkv"
            try FileManager.default.copyItem(atPath: pattern(), toPath: film)
            try "0.4,1.2\n2,2.8,two\n3.2,\n".write(to: folder / "list.csv")
            try succeed([film + "#cuts=" + (folder / "list.csv"), "--chapters", folder / "out.mkv"])
            let titles = try Judge.chapters(folder / "out.mkv").map(\.title)
            #expect(titles == ["film, part 1", "two", "film, part 2"])
        }

        @Test func listsStandAmongClips() throws {
            let list = try #require(CutListCase.all.first { $0.name == "table.csv" })
            let folder = try stage(list, pattern())
            let source = try Judge.frameHashes(pattern())
            try succeed(
                "\(folder / "film.mkv#t=0,0.4") \(folder / list.name) \(folder / "film.mkv#t=0.4,0.8")",
                "--root \(folder.path) --duration 4f --video-codec ffv1 \(folder / "out.mkv")")
            // Only the joins within the list lie over what was cut out; the other two take 4 frames each.
            let hashes = try Judge.frameHashes(folder / "out.mkv")
            try #require(hashes.count == 72)
            #expect(hashes[..<6] == source[..<6])
            #expect(hashes[10..<24] == source[14..<28])
            #expect(hashes[66...] == source[14..<20])
        }

        /// The frames that a list shows of a film whose own name the list doesn't have to know.
        private func shown(_ film: String, _ list: String, _ options: [String]) throws -> [String] {
            let folder = try TemporaryFolder()
            try list.write(to: folder / "list.v3")
            try succeed(
                [film + "#cuts=" + (folder / "list.v3"), "--video-codec", "ffv1", "--no-audio", folder / "out.mkv"]
                    + options)
            return try Judge.frameHashes(folder / "out.mkv")
        }

        /// auto-editor says where a transition lies: at the end of it, the second part begins early.
        @Test func transitionsOfATimelineHaveTheirLengthAndPlace() throws {
            let source = try Judge.frameHashes(pattern())
            let timeline = """
                {"version": "3", "timebase": "25", "v": [[{"src": "x", "start": 0, "dur": 20, "offset": 0, "stream": 0},
                {"src": "x", "start": 20, "dur": 20, "offset": 50, "stream": 0}]],
                "transitions": {"v": [[{"kind": "dissolve", "at": 20, "dur": 6, "alignment": "end"}]], "a": []}}
                """
            let out = try shown(pattern(), timeline, ["--duration", "10f"])
            try #require(out.count == 40)
            #expect(out[..<14] == source[..<14])
            #expect(out[20...] == source[50..<70])
            #expect(Set(out[14..<20]).isDisjoint(with: source))
        }

        @Test func gapsAreBlack() throws {
            let source = try Judge.frameHashes(pattern())
            let timeline = """
                {"version": "3", "timebase": "25/1", "v": [[{"src": "x", "start": 0, "dur": 10, "offset": 0, "stream": 0},
                {"src": "x", "start": 20, "dur": 10, "offset": 25, "stream": 0}]]}
                """
            let out = try shown(pattern(), timeline, ["--transition", "cut"])
            try #require(out.count == 30)
            #expect(out[..<10] == source[..<10])
            #expect(out[20...] == source[25..<35])
            #expect(Set(out[10..<20]).count == 1)
            #expect(!source.contains(out[10]))
        }
    }
}

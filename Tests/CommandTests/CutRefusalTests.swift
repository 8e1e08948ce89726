import TestSupport
import Testing

extension CommandTests {
    /// Cut lists that are wrong or hostile: one sentence that names the file and the place in it.
    @Suite(.serialized) struct CutRefusalTests {
        let folder = TemporaryFolder.make()

        private func film() throws -> String { try clips().pattern("cuts-pattern", frames: 100, sound: true) }

        /// What a list contains, what the message has to say, and the exit status. A name with a `#` is a list that is
        /// given with a film.
        private static let refused: [(name: String, text: String, words: [String], status: Int32)] = [
            ("a.csv", "0.4,1.2,x\n", ["a.csv", "line 1", "film.mp4#cuts="], 65),
            ("a.csv", "start,end\n0.4,1.2\n", ["line 1", "film.mp4#cuts="], 65),
            ("#a.csv", "0.4,1.2\n2,1\n", ["a.csv", "line 2", "ends before it begins"], 65),
            ("#a.csv", "0.4,1.2\n1,1\n", ["line 2", "ends before it begins"], 65),
            ("#a.csv", ",0\n", ["line 1", "ends before it begins"], 65),
            ("#a.csv", "0.4,1.2\n-1,2\n", ["line 2", "'-1'"], 65),
            ("#a.csv", "0.4,1.2\nNaN,2\n", ["line 2", "'NaN'"], 65),
            ("#a.csv", "0.4,1.2\n1,1e300\n", ["line 2", "'1e300'"], 65),
            ("#a.csv", "0.4,1.2\n1,99999999999999999999\n", ["line 2", "invalid time"], 65),
            ("#a.csv", "0.4,1.2\n1,999999999\n", ["line 2", "30 days"], 65),
            ("#a.csv", "0.4,1.2\n1:75,2:00\n", ["line 2", "'1:75'"], 65),
            ("#a.csv", "0.4,1.2\n\"1\n2", ["line 2", "not closed"], 65),
            ("#a.csv", "0.4,1.2\n\"1\"x,2\n", ["line 2"], 65),
            ("#a.csv", "\n\n", ["a.csv", "no part"], 65),
            ("#a.csv", "0.4,1.2\n9,10\n", ["cuts-pattern.mkv", "9"], 65),
            ("a.csv", "file,start\nno.mkv,1\nFILM,2\n", ["no.mkv"], 66),
            ("a.csv", "file,start\n,1\n", ["line 2", "no film"], 65),
            ("a.csv", "file,start\na.csv,1\n", ["line 2", "a.csv", "list itself"], 65),
            ("a.csv", "file,start\nhttp://localhost/film.mkv,1\nFILM,1\n", ["http:"], 66),
            ("#a.txt", "0.4,1.2\n", ["a.txt", "not a cut list"], 65),
            ("#a.llc", "{version: 2}", ["a.llc:1:1", "LosslessCut"], 65),
            ("#a.llc", "{version: 3, cutSegments: []}", ["version 3"], 65),
            ("#a.llc", "{version: 2, cutSegments: [\n{start: -1, end: 2}]}", ["a.llc:2:", "start"], 65),
            ("#a.llc", "{version: 2, cutSegments: [\n{start: 1e300, end: 2}]}", ["a.llc:2:", "start"], 65),
            ("#a.llc", "{version: 2, cutSegments: [{start: NaN, end: 2}]}", ["a.llc:1:", "start"], 65),
            ("#a.llc", "{version: 2, cutSegments: [\n{start: 2, end: 1}]}", ["line 2", "ends before"], 65),
            ("a.llc", "{version: 2, cutSegments: [{start: 1, end: 2}]}", ["no film"], 65),
            ("#a.llc", "{version: 2, cutSegments: [{start: 1}]}", ["no part"], 65),
            ("#a.llc", "{version: 2, 'x", ["a.llc:1:", "not closed"], 65),
            ("#a.json", "{}", ["a.json:1:1", "auto-editor"], 65),
            ("#a.json", "[1, 2]", ["auto-editor"], 65),
            ("#a.json", #"{"version": "4"}"#, ["version 4"], 65),
            ("#a.v1", #"{"version": "1", "chunks": [[0, 10, 1], [10, 20, 2.5]]}"#, ["2.5", "speed"], 65),
            ("#a.v1", #"{"version": "1", "chunks": [[10, 0, 1]]}"#, ["a.v1:1:", "chunk"], 65),
            ("#a.v1", #"{"version": "1", "chunks": [[0, 1.5, 1]]}"#, ["chunk"], 65),
            ("#a.v1", #"{"version": "1", "timebase": "0/1", "chunks": []}"#, ["timebase"], 65),
            (
                "#a.v2", #"{"version": "2", "tb": "25", "effects": [["speed:2.0"]], "clips": [[0, 9, 0]]}"#,
                ["speed:2.0"], 65
            ),
            ("#a.v2", #"{"version": "2", "tb": "25", "effects": [[]], "clips": [[0, 9, 1]]}"#, ["clip"], 65),
            ("#a.v2", #"{"version": "2", "effects": [[]], "clips": [[0, 9, 0]]}"#, ["tb"], 65),
            (
                "#a.v3",
                #"{"version": "3", "timebase": "25", "v": [[{"start": 0, "dur": 9, "offset": 0}], [{"start": 0, "dur": 9, "offset": 0}]]}"#,
                ["layer"], 65
            ),
            (
                "#a.v3",
                #"{"version": "3", "timebase": "25", "v": [[{"start": 0, "dur": 9, "offset": 0, "effects": ["zoom:2"]}]]}"#,
                ["zoom:2"], 65
            ),
            (
                "#a.v3",
                #"{"version": "3", "timebase": "25", "v": [[{"start": 0, "dur": 9, "offset": 0}, {"start": 5, "dur": 9, "offset": 20}]]}"#,
                ["before"], 65
            ),
            ("a.edl", "TITLE: A film\n", ["is an EDL", "otioconvert"], 65),
        ]

        /// Runs the program on a list of this content, and expects one sentence.
        private func expectRefusal(
            _ name: String, _ content: Data, _ words: [String], _ status: Int32, _ options: [String] = [],
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let folder = try TemporaryFolder()
            let isGiven = name.hasPrefix("#")
            let list = folder / String(name.drop { $0 == "#" })
            try content.write(to: list)
            let word = isGiven ? try film() + "#cuts=" + list : list
            let run = try CommandTests.run([word, folder / "out.mkv"] + options)
            #expect(run.status == status && run.messageLines.count == 1, "\(run.story)", sourceLocation: sourceLocation)
            for word in words {
                #expect(run.messages.contains(word), "\(word): \(run.messages)", sourceLocation: sourceLocation)
            }
            #expect(run.messages.utf8.count < 500, sourceLocation: sourceLocation)
            #expect(!FileManager.default.fileExists(atPath: folder / "out.mkv"), sourceLocation: sourceLocation)
        }

        @Test(arguments: Places.some(Array(refused.indices), every: 3)) func badListsAreOneSentence(row: Int) throws {
            let (name, text, words, status) = Self.refused[row]
            try expectRefusal(name, Data(text.replacingOccurrences(of: "FILM", with: film()).utf8), words, status)
        }

        @Test(.turn(1, of: 3)) func hostileListsAreOneSentence() throws {
            let endless = Data(repeating: UInt8(ascii: "1"), count: 100 << 20)
            for name in ["#a.csv", "a.csv", "#a.llc", "#a.json"] { try expectRefusal(name, endless, ["16 MiB"], 65) }
            let line = Data(repeating: UInt8(ascii: "1"), count: 15 << 20)
            for name in ["#a.csv", "#a.llc", "#a.json"] { try expectRefusal(name, line, [], 65) }
            try expectRefusal("#a.csv", Data("0,1\n2,\0003\n".utf8), ["UTF-8"], 65)
            try expectRefusal("#a.csv", Data([0x30, 0x2C, 0x31, 0xFF, 0x0A]), ["UTF-8"], 65)
            let deep = String(repeating: "[", count: 100_000)
            try expectRefusal("#a.llc", Data(deep.utf8), ["deep"], 65)
            try expectRefusal("#a.v3", Data(#"{"version": "3", "v": \#(deep)"#.utf8), ["deep"], 65)
            let rows = (0..<1_000_000).map { "\($0),\($0).5\n" }.joined()
            try expectRefusal("#a.csv", Data(rows.utf8), ["line 10001", "10000 parts"], 65)
            try expectRefusal("#a.csv", Data(String(repeating: ",", count: 1 << 20).utf8), ["columns"], 65)
        }

        @Test func filmsOutsideTheRootAreRefused() throws {
            try folder.makeFolder("in")
            try folder.add(film(), as: "film.mkv")
            try folder.add(film(), as: "in/film.mkv")
            try folder.link("in/link.mkv", to: folder / "film.mkv")
            for (path, status) in [
                ("film.mkv", 0), ("../in/film.mkv", 0), ("../film.mkv", 65), ("link.mkv", 65),
                (folder / "film.mkv", 65), ("missing.mkv", 66),
            ] as [(String, Int32)] {
                for (name, text) in [
                    ("a.csv", "file,start,end\n\(path),0,1\n\(path),2,3\n"),
                    (
                        "a.llc",
                        "{version: 2, mediaFileName: '\(path)', cutSegments: [{start: 0, end: 1}, {start: 2, end: 3}]}"
                    ),
                    (
                        "a.v1",
                        #"{"version": "1", "source": "\#(path)", "chunks": [[0, 10, 1], [10, 20, 0], [20, 30, 1]]}"#
                    ),
                ] {
                    try text.write(to: folder / "in/\(name)")
                    let run = try run("plan \(folder / "in/\(name)") --root \(folder / "in") \(folder / "out.mkv")")
                    #expect(run.status == status, "\(name) \(path): \(run.story)")
                    if status != 0 { #expect(run.messageLines.count == 1) }
                    if status == 65 { #expect(run.messages.contains("--root")) }
                }
            }
        }

        @Test func wordsThatCantBeCombinedAreRefused() throws {
            try "0,1\n2,3\n".write(to: folder / "a.csv")
            let film = try film()
            let list = film + "#cuts=" + (folder / "a.csv")
            for (inputs, words, status) in [
                ([list + "&t=1,2"], ["t=1,2", "#cuts="], 64), ([list + "&zoom=2"], ["zoom=2"], 64),
                ([list + "&volume=loud"], ["loud"], 64), ([film + "#cuts="], ["#cuts="], 64),
                ([film + "#cuts=no.csv"], ["no.csv"], 66), ([film, folder / "no.csv"], ["no.csv"], 66),
                (["no.mkv#cuts=" + (folder / "a.csv")], ["no.mkv"], 66),
                ([list, "--overlap", "hold"], ["hold", "handles"], 64),
                ([list, "--cut-below", "-1"], ["cut-below", "-1"], 64),
                ([list, "--cut-below", "never"], ["cut-below", "never"], 64),
            ] as [([String], [String], Int32)] {
                let run = try expectExit(inputs + [folder / "out.mkv"], status, lines: 1)
                for word in words { #expect(run.messages.contains(word), "\(run.messages)") }
            }
            try expectExit(["probe", list], 64, saying: "#t=")
            try "\(list)\n".write(to: folder / "list.txt")
            try expectExit(["@" + (folder / "list.txt"), film, folder / "out.mkv"], 65, saying: "list itself")
        }

        /// The output must not replace a list or a film that it is made from.
        @Test func outputsDontReplaceLists() throws {
            try "0,1\n2,3\n".write(to: folder / "a.csv")
            try folder.add(film(), as: "film.mkv")
            for output in ["a.csv", "film.mkv"] {
                let run = try run(
                    "\(folder / "film.mkv#cuts=" + (folder / "a.csv")) -y --format matroska \(folder / output)")
                #expect(run.status == 64 && run.messageLines.count == 1, "\(run.story)")
            }
        }
    }
}

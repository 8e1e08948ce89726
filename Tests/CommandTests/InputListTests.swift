import TestSupport
import Testing

extension CommandTests {
    /// Inputs other than plain files: lists of clips, standard input, pipes.
    @Suite(.serialized) struct InputListTests {
        let folder = TemporaryFolder.make()

        private func clip(_ letter: String) throws -> String {
            try clips().pattern("list-\(letter)", frames: 20, hue: letter == "a" ? 0 : 120)
        }

        /// A folder with `outside.mkv` and a subfolder `clips`, which holds two clips, one with a space in its name,
        /// and `list` in a file called `name`.
        private func stage(_ name: String, _ list: String) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try folder.makeFolder("clips")
            try folder.add(clip("a"), as: "clips/a clip.mkv")
            try folder.add(clip("b"), as: "clips/b.mkv")
            try folder.add(clip("b"), as: "outside.mkv")
            let text = list.replacingOccurrences(of: "DIR", with: folder.path)
            try text.write(to: folder / "clips/\(name)")
            return folder
        }

        private func join(_ inputs: [String], _ folder: TemporaryFolder) throws -> [String] {
            try succeed(inputs + ["--transition", "cut", "--video-codec", "ffv1", "-y", folder / "out.mkv"])
            return try Judge.frameHashes(folder / "out.mkv")
        }

        @Test func listsNameClips() throws {
            let (a, b) = try (Judge.frameHashes(clip("a")), Judge.frameHashes(clip("b")))
            let folder = try stage(
                "list.txt", "# the clips\n\na clip.mkv#t=0.2,0.4\r\n  b.mkv\n#b.mkv\nDIR/outside.mkv#t=0.4\n")
            #expect(try join(["@" + (folder / "clips/list.txt")], folder) == Array(a[5..<10]) + b + b[10...])
            // A list may stand among other clips, and its relative paths start at its own folder.
            #expect(
                try join([clip("b"), "@" + (folder / "clips/list.txt"), clip("a")], folder)
                    == b + Array(a[5..<10]) + b + b[10...] + a)
            let root = try join(["@" + (folder / "clips/list.txt"), "--root", folder.path], folder)
            #expect(root.count == 35)
            let plan = try JSONValue(
                succeed(["plan", "@" + (folder / "clips/list.txt"), "--json", folder / "p.mkv"]).output)
            #expect(plan.numbers(under: "usedStart").contains(0.2) && plan.strings.contains { $0.hasSuffix("/b.mkv") })
        }

        @Test(arguments: ["@", ""]) func scriptsNamePartsOfClips(mark: String) throws {
            let (a, b) = try (Judge.frameHashes(clip("a")), Judge.frameHashes(clip("b")))
            let folder = try stage(
                "list.ffconcat",
                """
                ffconcat version 1.0
                # a comment
                file 'a clip.mkv'
                inpoint 0.2
                outpoint 00:00:00.4
                file a\\ clip.mkv
                inpoint 200ms
                duration 0.08
                file DIR/outside.mkv

                """)
            let expected = Array(a[5..<10]) + Array(a[5..<7]) + b
            #expect(try join([mark + (folder / "clips/list.ffconcat")], folder) == expected)
        }

        static let refused: [(list: String, names: [String], status: Int32)] = [
            ("ffconcat version 1.0\nfile b.mkv\nstream\n", ["line 3", "stream"], 65),
            ("ffconcat version 1.0\nfile b.mkv\noption k v\n", ["line 3"], 65),
            ("ffconcat version 1.0\nfile b.mkv\nfile_packet_metadata a=b\n", ["line 3", "file_packet_metadata"], 65),
            ("ffconcat version 1.0\ninpoint 2\n", ["line 2", "inpoint"], 65),
            ("ffconcat version 1.0\nfile 'b.mkv\n", ["line 2"], 65),
            ("ffconcat version 1.0\nfile b.mkv\n\ninpoint soon\n", ["line 4", "soon"], 65),
            ("ffconcat version 1.0\nfile b.mkv\ninpoint 2\noutpoint 1\n", ["line 2", "b.mkv"], 65),
            ("ffconcat version 2.0\nfile b.mkv\n", ["version 1.0"], 65),
            ("ffconcat version 1.0\nfile list\n", ["line 2", "list"], 65),
            ("ffconcat version 1.0\n", ["no clip"], 65), ("# nothing\n\n", ["no clip"], 65),
            ("b.mkv\nb.mkv#t=3,2\n", ["line 2", "#t=3,2"], 65), ("b.mkv\n@other.txt\n", ["line 2", "@other.txt"], 65),
            ("b.mkv\nmissing.mkv\n", ["missing.mkv"], 66), ("b.mkv\0\n", ["not a list"], 65),
            ("http://localhost/b.mkv\nb.mkv\n", ["http:"], 66),
        ]

        @Test(arguments: refused.indices) func badListsAreOneSentence(row: Int) throws {
            let (list, names, status) = Self.refused[row]
            let folder = try stage("list", list)
            let run = try expectExit(["@" + (folder / "clips/list"), clip("a"), folder / "out.mkv"], status, lines: 1)
            for name in names { #expect(run.messages.contains(name), "\(run.messages)") }
            #expect(!FileManager.default.fileExists(atPath: folder / "out.mkv"))
        }

        @Test func noListLeavesItsRoot() throws {
            for (list, isInside) in [
                ("b.mkv\n", true), ("../clips/b.mkv\n", true), ("../outside.mkv\n", false),
                ("DIR/outside.mkv\n", false),
                ("link.mkv\n", false), ("ffconcat version 1.0\nfile ../outside.mkv\n", false),
            ] {
                let folder = try stage("list", list)
                try folder.link("clips/link.mkv", to: folder / "outside.mkv")
                let arguments = try ["@" + (folder / "clips/list"), clip("a"), "--root"]
                let run = try CommandTests.run(arguments + [folder / "clips", folder / "out.mkv"])
                #expect(run.status == (isInside ? 0 : 65), "\(list): \(run.story)")
                if !isInside { #expect(run.messageLines.count == 1 && run.messages.contains("--root")) }
                try expectExit(arguments + [folder / "nowhere", folder / "no.mkv"], 66, lines: 1)
            }
        }

        @Test func missingListsAreMissing() throws {
            try expectExit(["@" + (folder / "no.txt"), clip("a"), folder / "out.mkv"], 66, saying: "no.txt", lines: 1)
        }

        /// Runs a shell script with the program as $0.
        private func shell(_ script: String, _ arguments: [String]) throws -> ToolRun {
            try Tool.run("/bin/sh", ["-c", script, Places.program()] + arguments)
        }

        @Test(arguments: Places.some(["nut", "matroska", "mpegts", "mp4", "yuv4mpegpipe"], every: 3))
        func standardInputIsAnInput(format: String) throws {
            let hasSound = format != "yuv4mpegpipe"
            let source = try clips().flashAndClick("piped.mp4", seconds: 2, events: [0.4, 1.2])
            let muxing = format == "mp4" ? " -movflags frag_keyframe+delay_moov" : ""
            let run = try shell(
                "ffmpeg -v error -i \"$1\" \(hasSound ? "-c copy" : "-an") -f \(format)\(muxing) - | "
                    + "\"$0\" - \"$1\" --transition cut --audio-codec pcm_s16le \"$2\"",
                [source, folder / "out.mov"])
            #expect(run.status == 0, "\(run.story)")
            #expect(try Judge.flashes(folder / "out.mov", width: 160, height: 90) == [12, 36, 72, 96])
            try expectClicks(Sound(folder / "out.mov"), hasSound ? [0.4, 1.2, 2.4, 3.2] : [2.4, 3.2], within: 0.003)
        }

        @Test func pipesAndRedirectionsAreInputsToo() throws {
            let (a, b) = try (clip("a"), clip("b"))
            let expected = try Judge.frameHashes(b)[5...] + Judge.frameHashes(a)
            let options = "--transition cut --video-codec ffv1 -y \"$3\""
            for script in [
                "\"$0\" /dev/stdin#t=0.2 \"$1\" \(options) < \"$2\"",
                "cat \"$2\" | \"$0\" /dev/stdin#t=0.2 \"$1\" \(options)",
                "mkfifo \"$4\"; cat \"$2\" > \"$4\" & \"$0\" \"$4#t=0.2\" \"$1\" \(options)",
            ] {
                let run = try shell(script, [a, b, folder / "out.mkv", folder / "pipe"])
                #expect(run.status == 0, "\(run.story)")
                #expect(try Judge.frameHashes(folder / "out.mkv") == Array(expected))
            }
            #expect(try folder.names == ["out.mkv", "pipe"])
        }

        @Test func emptyAndUnreadableStandardInputIsOneSentence() throws {
            for script in [": | \"$0\" - \"$1\" \"$2\"", "echo text | \"$0\" - \"$1\" \"$2\""] {
                let run = try shell(script, [clip("a"), folder / "out.mkv"])
                #expect(run.status == 65 && run.messageLines.count == 1, "\(run.story)")
                #expect(run.messages.contains("standard input"))
            }
            #expect(try folder.names == [])
        }
    }
}

import TestSupport
import Testing

/// A user's mistake, the exit code that CLI.md gives it, and what the error message must contain.
struct Mistake: CustomTestStringConvertible, Sendable {
    var name: String
    /// The arguments: "A" and "B" stand for good clips, "OUT" for the output, "DIR" for the folder.
    var arguments: [String]
    var code: Int32
    var names: String

    var testDescription: String { name }

    private init(_ name: String, _ arguments: [String], _ code: Int32, naming names: String) {
        self.name = name
        self.arguments = arguments
        self.code = code
        self.names = names
    }

    static let all: [Mistake] = [
        Mistake("missing file", ["A", "DIR/missing.mp4", "OUT"], 66, naming: "missing.mp4"),
        Mistake("missing first file", ["DIR/missing.mp4", "B", "OUT"], 66, naming: "missing.mp4"),
        Mistake("empty folder as input", ["A", "DIR/folder.mp4", "OUT"], 65, naming: "folder.mp4' has no pictures"),
        Mistake("address as input", ["A", "https://example.org/a.mp4", "OUT"], 66, naming: "only files are read"),
        Mistake("numbered pictures", ["A", "DIR/f%03d.png", "OUT"], 66, naming: "f%03d.png"),
        Mistake("project beside a clip", ["A", "DIR/p.yaml", "OUT"], 64, naming: "make a video of each"),
        Mistake("look of a project", ["DIR/p.yaml", "OUT", "--style", "fold"], 64, naming: "--style"),
        Mistake(
            "option of slides for clips", ["A", "B", "OUT", "--engine", "local", "--hold", "2"], 64, naming: "--hold"),
        Mistake(
            "project as a project", ["export", "DIR/p.yaml", "DIR/q.yaml"], 64,
            naming: "is a project or timeline itself"),
        Mistake("timings of clips", ["export", "A", "B", "DIR/t.txt"], 64, naming: "only slides have timings"),
        Mistake("export as nothing known", ["export", "A", "B", "DIR/t.mp4"], 64, naming: "--as"),
        Mistake("pages of a document", ["deck", "DIR/talk.pdf#pages=1-2", "OUT"], 64, naming: "#page="),
        Mistake("progress of a still", ["still", "--at", "2", "A", "B", "DIR/a.png"], 64, naming: "invalid --at '2'"),
        Mistake("text as mp4", ["A", "DIR/text.mp4", "OUT"], 65, naming: "text.mp4"),
        Mistake("photo of a phone", ["A", "DIR/photo.HEIC", "OUT"], 65, naming: "photo.HEIC"),
        Mistake("empty file", ["DIR/empty.mp4", "B", "OUT"], 65, naming: "empty.mp4' is empty"),
        Mistake("sound without picture", ["A", "DIR/sound.wav", "OUT"], 65, naming: "has audio but no video"),
        Mistake("one file", ["A"], 64, naming: "an output is needed"),
        Mistake("an option alone", ["-y"], 64, naming: "an input and an output"),
        Mistake("unknown option", ["A", "B", "OUT", "--frobnicate"], 64, naming: "--frobnicate"),
        Mistake("unknown style", ["A", "B", "OUT", "--style", "flap"], 64, naming: "flap"),
        Mistake("unknown color", ["A", "B", "OUT", "--background", "blackish"], 64, naming: "blackish"),
        Mistake("unknown fit", ["A", "B", "OUT", "--fit", "squash"], 64, naming: "squash"),
        Mistake("unknown overlap", ["A", "B", "OUT", "--overlap", "hold"], 64, naming: "invalid overlap 'hold'"),
        Mistake("loudness out of range", ["A", "B", "OUT", "--loudness", "3"], 64, naming: "-70...-5"),
        Mistake("unknown audio copying", ["A", "B", "OUT", "--audio-copy", "far"], 64, naming: "far"),
        Mistake("unknown audio curve", ["A", "B", "OUT", "--audio-curve", "steep"], 64, naming: "steep"),
        Mistake("spine out of range", ["A", "B", "OUT", "--spine", "1.5"], 64, naming: "invalid spine '1.5'"),
        Mistake(
            "mode means nothing for flip", ["A", "B", "OUT", "--mode", "cubic"], 64,
            naming: "mode means nothing for style flip"),
        Mistake("bad spec", ["A", "B", "OUT", "--transition", "flip=spine=2"], 64, naming: "invalid spine '2'"),
        Mistake("unknown style in a spec", ["A", "B", "OUT", "--transition", "flap"], 64, naming: "flap"),
        Mistake("unknown option in a spec", ["A", "B", "OUT", "--transition", "flip=wobble=2"], 64, naming: "wobble"),
        Mistake("duration 0", ["A", "B", "OUT", "--duration", "0"], 64, naming: "invalid duration '0'"),
        Mistake("negative duration", ["A", "B", "OUT", "--duration=-1"], 64, naming: "invalid duration '-1'"),
        Mistake(
            "duration that is no time", ["A", "B", "OUT", "--duration", "soon"], 64, naming: "invalid duration 'soon'"),
        Mistake("duration nan", ["A", "B", "OUT", "--duration", "nan"], 64, naming: "invalid duration 'nan'"),
        Mistake("trim that ends before it starts", ["DIR/copy.mkv#t=2,1", "B", "OUT"], 64, naming: "#t=2,1"),
        Mistake("trim without a time", ["A", "DIR/copy.mkv#t=", "OUT"], 64, naming: "#t="),
        Mistake("trim that is no time", ["A", "DIR/copy.mkv#t=soon", "OUT"], 64, naming: "soon"),
        Mistake("length that is no time", ["-t", "soon", "A", "B", "OUT"], 64, naming: "soon"),
        Mistake(
            "trim after the clip's end", ["DIR/copy.mkv#t=500", "B", "OUT"], 65,
            naming: "has no frame from 500 s on: it is"),
        Mistake("trim of a missing file", ["A", "DIR/missing.mp4#t=1", "OUT"], 66, naming: "missing.mp4"),
        Mistake(
            "unknown deinterlacing", ["A", "B", "OUT", "--deinterlace", "on"], 64, naming: "invalid deinterlace 'on'"),
        Mistake(
            "still duration 0", ["A", "B", "OUT", "--still-duration", "0"], 64, naming: "invalid still-duration '0'"),
        Mistake("strict", ["A", "B", "OUT", "--duration", "60", "--strict"], 65, naming: "too few frames"),
        Mistake(
            "strict about a transition too many",
            ["A", "B", "OUT", "--transition", "flip", "--transition", "fold", "--strict"], 65, naming: "1 join"),
        Mistake("size without height", ["A", "B", "OUT", "--size", "640"], 64, naming: "640"),
        Mistake("size 0", ["A", "B", "OUT", "--size", "0x0"], 64, naming: "0x0"),
        Mistake("rate 0", ["A", "B", "OUT", "--fps", "0"], 64, naming: "invalid fps '0'"),
        Mistake("threads 0", ["A", "B", "OUT", "--threads", "-1"], 64, naming: "invalid threads '-1'"),
        Mistake("unknown video codec", ["A", "B", "OUT", "--video-codec", "nosuch264"], 69, naming: "nosuch264"),
        Mistake("unknown audio codec", ["A", "B", "OUT", "--audio-codec", "nosuchaac"], 69, naming: "nosuchaac"),
        Mistake("unknown pixel format", ["A", "B", "OUT", "--pix-fmt", "yuv9"], 64, naming: "yuv9"),
        Mistake("unknown container", ["A", "B", "DIR/out.xyz"], 64, naming: "xyz"),
        Mistake("no container", ["A", "B", "DIR/out"], 64, naming: "out: no container has that ending"),
        Mistake(
            "codec that the container does not take", ["A", "B", "DIR/out.webm", "--video-codec", "libx264"],
            64, naming: "libx264"),
        Mistake("missing output folder", ["A", "B", "DIR/nowhere/out.mp4"], 73, naming: "nowhere"),
        Mistake("output in a file", ["A", "B", "DIR/text.mp4/out.mp4"], 73, naming: "there is no folder"),
        Mistake("output in a folder that takes none", ["A", "B", "/proc/out.mp4"], 73, naming: "/proc"),
        Mistake("output is a folder", ["A", "B", "-y", "DIR/folder.mp4"], 73, naming: "folder.mp4 is a directory"),
        Mistake(
            "output is an input", ["A", "DIR/copy.mkv", "-y", "DIR/copy.mkv"], 64, naming: "copy.mkv is also an input"),
        Mistake("standard output without a format", ["A", "B", "-"], 64, naming: "standard output needs a format"),
        Mistake(
            "report is an input", ["A", "DIR/copy.mkv", "-y", "OUT", "--report", "DIR/copy.mkv"], 64,
            naming: "copy.mkv is also an input (write to another file)"
        ),
        Mistake(
            "report is the output", ["A", "B", "OUT", "-y", "--report", "OUT"], 64,
            naming: "both the output and the report"),
        Mistake(
            "report exists", ["A", "B", "DIR/new.mp4", "--report", "DIR/text.mp4"], 73,
            naming: "text.mp4' exists already"),
        Mistake("report in no folder", ["A", "B", "OUT", "--report", "DIR/nowhere/r.json"], 73, naming: "nowhere"),
        Mistake("report is a folder", ["A", "B", "OUT", "--report", "DIR/folder.mp4"], 73, naming: "folder.mp4"),
        Mistake(
            "report and film on standard output", ["A", "B", "-", "--format", "nut", "--report", "-"], 64,
            naming: "- is both the output and the report"),
        Mistake(
            "report is the list", ["@DIR/list.txt", "OUT", "-y", "--report", "DIR/list.txt"], 64, naming: "list.txt"),
        Mistake(
            "output is the list", ["@DIR/list.txt", "DIR/list.txt", "-y", "--format", "mp4"], 64, naming: "list.txt"),
        Mistake(
            "output is a project's", ["render", "DIR/p.yaml", "DIR/p.yaml", "-y", "-f", "mp4"], 64, naming: "p.yaml"),
        Mistake(
            "timeline is the list", ["export", "@DIR/list.txt", "-y", "DIR/list.txt", "--as", "otio"], 64,
            naming: "list.txt"),
        Mistake("name taken for help", ["deck", "-dash.png", "OUT"], 64, naming: "./-dash.png"),
    ]
}

extension CommandTests {
    @Suite(.serialized) struct ErrorTests {
        /// A folder with an existing output and every kind of bad input.
        private func stage() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            let write = { (name: String, text: String) in try text.write(to: folder / name) }
            try write("out.mp4", "precious")
            try write("photo.HEIC", "....ftypheic")
            try write("text.mp4", "This is a text that somebody called a film.\n")
            try write("empty.mp4", "")
            try write("p.yaml", "clips: [copy.mkv, copy.mkv]\n")
            try write("list.txt", "copy.mkv\ncopy.mkv\n")
            try folder.makeFolder("folder.mp4")
            let (clip, _) = try inputs()
            try folder.add(clip, as: "copy.mkv")
            let sound = try clips().make("sound.wav", ["-f", "lavfi", "-i", "sine=d=1"])
            try folder.add(sound, as: "sound.wav")
            return folder
        }

        private func inputs() throws -> (String, String) {
            try (clips().pattern("error-a", frames: 20, sound: true), clips().pattern("error-b", frames: 20, hue: 90))
        }

        private func contents(_ folder: TemporaryFolder) throws -> [String: Data] {
            try Dictionary(
                uniqueKeysWithValues: folder.names.map {
                    ($0, FileManager.default.contents(atPath: folder / $0) ?? Data())
                })
        }

        private func expectUnchanged(
            _ now: [String: Data], _ before: [String: Data], sourceLocation: SourceLocation = #_sourceLocation
        ) {
            #expect(now == before, "the folder holds \(now.keys.sorted())", sourceLocation: sourceLocation)
        }

        private func run(_ mistake: Mistake, in folder: TemporaryFolder, out: String) throws -> ToolRun {
            let (a, b) = try inputs()
            let arguments = mistake.arguments.map { word in
                switch word {
                case "A": a
                case "B": b
                case "OUT": folder / out
                default: word.replacingOccurrences(of: "DIR", with: folder.path)
                }
            }
            return try CommandTests.run(arguments, timeout: 30)
        }

        @Test(arguments: Places.some(Mistake.all, every: 4)) func aMistakeIsOneSentenceAndChangesNothing(
            mistake: Mistake
        ) throws {
            let folder = try stage()
            let before = try contents(folder)
            // Once with an old output that may be replaced, and once without one.
            let isOutputGiven = mistake.arguments.contains("OUT")
            for out in isOutputGiven ? ["out.mp4", "new.mp4"] : [""] {
                var allowed = mistake
                if out == "out.mp4" { allowed.arguments.append("-y") }
                let run = try run(allowed, in: folder, out: out)
                #expect(run.status == mistake.code, "\(run.story)")
                let lines = run.messageLines
                #expect(
                    lines.count == 1 && lines.first?.hasPrefix("fliptransition: error: ") == true, "\(run.messages)")
                #expect(run.messages.contains(mistake.names), "\(run.messages)")
                for leak in ["Optional(", "Error(", "Error Domain", "Swift.", "0x"] {
                    #expect(!run.messages.contains(leak) || mistake.name == "size 0", "\(run.messages)")
                }
                #expect(run.output.isEmpty)
                expectUnchanged(try contents(folder), before)
            }
        }

        @Test func anExistingOutputStaysWithoutLeave() throws {
            let folder = try stage()
            let (a, b) = try inputs()
            let before = try contents(folder)
            try expectExit([a, b, folder / "out.mp4"], 73, saying: "out.mp4", lines: 1)
            expectUnchanged(try contents(folder), before)
            for leave in ["-y", "--overwrite"] {
                try "precious".write(to: folder / "out.mp4")
                try succeed([a, b, leave, folder / "out.mp4"])
                #expect(try Judge.video(folder / "out.mp4").frameCount == 25)
            }
            #expect(try folder.names == before.keys.sorted())
        }

        /// A join that is stopped by a signal leaves the old file whole and no partial file beside it.
        @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func beingStoppedLeavesTheOldFile(signal: Int32) throws {
            let folder = try stage()
            let long = try clips().long()
            let before = try contents(folder)
            let run = try CommandTests.run(
                "\(long) \(long) -y --preset veryslow --progress json \(folder / "out.mp4")",
                watch: Tool.signalAtFirstFrame(signal))
            #expect(run.status == 130 && CommandTests.sentences(run).count == 1, "\(run.story)")
            expectUnchanged(try contents(folder), before)
        }

        @Test func beingKilledLeavesTheOldFile() throws {
            let folder = try stage()
            let long = try clips().long()
            let run = try CommandTests.run(
                "\(long) \(long) -y --preset veryslow --progress json \(folder / "out.mp4")",
                watch: Tool.signalAtFirstFrame(SIGKILL))
            #expect(run.status == 128 + SIGKILL)
            #expect(FileManager.default.contents(atPath: folder / "out.mp4") == Data("precious".utf8))
        }

        @Test(.needsMedia) func filesThatAreNoVideosAreNamed() throws {
            let folder = try TemporaryFolder()
            let (a, _) = try inputs()
            for name in ["bad-not-a-video.mp4", "mp3-stereo-44khz-roar.mp3", "aac-mono-8khz.m4a"] {
                try expectExit([a, medium(name), folder / "out.mp4"], 65, saying: name, lines: 1)
                #expect(try folder.names == [])
            }
        }

        /// Swift's runtime reads the arguments from /proc, which a sandbox may lack. (Linked statically, it ends the program itself,
        /// with a sentence of its own.)
        @Test(.enabled(if: SmallDisk.canBeMade, "needs root and Linux"), .usesSystemLibraries)
        func withoutProcThereIsASentence() throws {
            let script = "mount --make-rprivate / && umount -l /proc && exec \"$0\" --version"
            let run = try Tool.run("unshare", ["-m", "sh", "-c", script, Places.program()])
            #expect(run.status == 69 && run.output.isEmpty, "\(run.story)")
            #expect(run.messages.contains("/proc") && run.messages.split(separator: "\n").count == 1, "\(run.story)")
        }
    }
}

import TestSupport
import Testing

extension CommandTests {
    /// Every subcommand, interrupted at moments that are spread over its run, ends soon and leaves nothing unfinished.
    /// Most cases are slow and run only if FLIPTRANSITION_SLOW is 1.
    @Suite(.serialized) struct InterruptionTests {
        /// A run of the program in a folder that `stage` has filled.
        struct Case: Sendable, CustomTestStringConvertible {
            /// The subcommand and its arguments, as a shell reads them.
            let command: String
            /// Commands of the program that must have been run before.
            var preparation: [String] = []
            /// The job directory, which keeps what is complete and a record of each attempt.
            var jobs: String?
            /// How an interrupted run may end. Before the program handles signals, a signal has its default effect, which
            /// counts as 130 here; 0 means that the run was done.
            var exits: Set<Int32> = [0, 130]
            /// What a run that does not end by itself prints once it has done its work.
            var sign: String?
            var isQuick = false

            var testDescription: String { command }
        }

        private static let project = "join p.yaml o.mkv --segments 20f --plan-only --job-dir jobs"

        /// Jobs end with 75 where they have to be tried again.
        private static let again: Set<Int32> = [0, 75, 130]

        static let cases = [
            Case(command: "join a.mp4 b.mp4 o.mp4 --size 160x90", isQuick: true),
            Case(command: "join a.mp4 b.mp4 o.mp4 --render smart --video-codec libx264"),
            Case(command: "join a.mp4 b.mp4 o.mp4 --segments 20f"),
            Case(command: "join a.mp4 b.mp4 o.mp4 --loudness -16"),
            Case(command: "join a.mp4 b.mp4 o.mkv --video-codec ffv1 --report report.json"),
            Case(command: "join a.mp4 b.mp4 p%03d.png"), Case(command: "join a.mp4 b.mp4 o.gif --size 160x90"),
            Case(command: "join a.mp4 b.mp4 - --format matroska"),
            Case(command: "join - b.mp4 o.mp4 < <(cat a.mkv)"),
            Case(command: "deck s.pdf o.mp4 --size 320x180 --hold 1"),
            Case(command: "deck p.png p.png o.mkv --hold 60 --video-codec ffv1"),
            Case(command: "join p.yaml o.mp4"), Case(command: "join t.otio o.mp4"),
            Case(command: "join p.yaml o.mp4 --engine local --segments 20f", jobs: "o.jobs"),
            Case(command: "still a.mp4 b.mp4 o.png", isQuick: true), Case(command: "sheet a.mp4 b.mp4 o.png"),
            Case(command: "preview a.mp4 b.mp4", sign: "http://"),
            Case(command: "preview a.mp4 b.mp4 --export page.html"), Case(command: "plan a.mp4 b.mp4 o.mp4"),
            Case(command: "plan s.pdf o.mp4"), Case(command: project, jobs: "jobs"),
            Case(command: "export --as ffmpeg a.mp4 b.mp4 o.mp4"), Case(command: "probe a.mp4 b.mp4"),
            Case(command: "check a.mp4 a.mp4 b.mp4"),
            Case(command: "styles --json"), Case(command: "doctor "),
            Case(command: "batch m.yaml --jobs 2", jobs: "m.jobs"),
            Case(
                command: "jobs run m.jobs 0-2", preparation: ["batch m.yaml --plan-only"], jobs: "m.jobs", exits: again),
            Case(command: "jobs run jobs 0-5", preparation: [project], jobs: "jobs", exits: again),
            Case(
                command: "jobs assemble jobs", preparation: [project, "jobs run jobs 0-7"], jobs: "jobs", exits: again),
            Case(command: "jobs assemble jobs --patience 2", preparation: [project], jobs: "jobs", exits: again),
            Case(command: "jobs status jobs", preparation: [project], jobs: "jobs", exits: again),
            Case(command: "jobs gc jobs --older 0", preparation: [project, "jobs run jobs 0-1"], jobs: "jobs"),
            Case(command: "serve --stdio --root . < <(tail -n +1 -s 0.1 --pid=$$ -f talk)", sign: #""id":9"#),
        ]

        /// The parser's own subcommand `help` prints a text, and is not among these.
        @Test func everySubcommandHasACase() throws {
            for command in try HelpTests.commands() {
                let words = command.words.joined(separator: " ") + " "
                #expect(Self.cases.contains { $0.command.hasPrefix(words) }, "\(words)")
            }
        }

        /// A folder with all that the cases read, and a folder `tmp` for temporary files.
        private func stage(_ item: Case) throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            try folder.makeFolder("tmp")
            for name in ["a.mp4", "b.mp4", "a.mkv"] {
                let clip = try clips().make(
                    "interrupted-" + name, "-f lavfi -i testsrc2=s=320x180:r=25:d=3 -f lavfi -i sine=f=500:r=48000:d=3",
                    "-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac")
                try folder.add(clip, as: name)
            }
            try DeckTests.pictures(1, folder)
            try FileManager.default.moveItem(atPath: folder / "001.png", toPath: folder / "p.png")
            try DeckFiles.pdf(pages: Array(repeating: "", count: 8)).write(to: folder / "s.pdf")
            try DeckTests.write("clips: [a.mp4, b.mp4]\n", folder / "p.yaml")
            let jobs = (0..<3).map { "  - {output: o\($0).mp4, join: [a.mp4, b.mp4], crf: \(20 + $0)}\n" }
            try DeckTests.write("jobs:\n" + jobs.joined(), folder / "m.yaml")
            let call = try AgentTalk.call(9, "join", ["inputs": ["a.mp4", "b.mp4"], "output": "o.mp4"])
            try DeckTests.write([AgentTalk.hello, AgentTalk.ready, call, ""].joined(separator: "\n"), folder / "talk")
            for command in ["export a.mp4 b.mp4 t.otio"] + item.preparation {
                let run = try run(command, folder)
                try #require(run.status == 0, "\(run.story)")
            }
            return folder
        }

        /// Runs a command of the program in the folder. What it prints is among its messages.
        private func run(
            _ command: String, _ folder: TemporaryFolder, after seconds: Double? = nil, watch: ToolWatch? = nil
        ) throws -> ToolRun {
            let script = "cd '\(folder.path)' && exec '\(try Places.program())' \(command) 1>&2"
            return try Tool.run(
                "bash", ["-c", script], interruption: seconds.map { ($0, SIGINT) }, watch: watch,
                environment: ["TMPDIR": folder / "tmp"])
        }

        /// The sizes of the files and folders in the folder, by path.
        private func files(_ folder: TemporaryFolder) throws -> [String: Int] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            return try Dictionary(
                uniqueKeysWithValues: paths.map { path in
                    let attributes = try FileManager.default.attributesOfItem(atPath: folder / path)
                    let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
                    return (path, isFolder ? 0 : attributes[.size] as? Int ?? 0)
                })
        }

        /// Removes what is not in `before`, and returns it.
        private func takeNew(_ folder: TemporaryFolder, beside before: [String: Int]) throws -> [String: Int] {
            let new = try files(folder).filter { before[$0.key] == nil }
            for path in new.keys.sorted().reversed() { try folder.remove(path) }
            return new
        }

        /// How long an undisturbed run takes, and the files that it leaves. The first run only fills the system's caches.
        private func undisturbed(
            _ item: Case, _ folder: TemporaryFolder, beside before: [String: Int]
        ) throws -> (seconds: Double, whole: [String: Int]) {
            var result: (seconds: Double, whole: [String: Int]) = (0, [:])
            for _ in 0..<2 {
                let watch = item.sign.map { sign in Tool.signal(SIGINT) { $0.messages.contains(sign) } }
                let run = try run(item.command, folder, watch: watch)
                #expect(item.exits.contains(run.status) && (run.status != 130 || item.sign != nil), "\(run.story)")
                result = (run.seconds, try takeNew(folder, beside: before))
                #expect(!result.whole.keys.contains { $0.hasPrefix("tmp/") }, "\(run.story)")
            }
            return result
        }

        @Test(arguments: cases.filter { $0.isQuick || Places.runsSlowTests })
        func anInterruptedRunLeavesNothing(item: Case) throws {
            let folder = try stage(item)
            let before = try files(folder)
            let (seconds, whole) = try undisturbed(item, folder, beside: before)
            var interrupted = 0
            for moment in 0..<10 {
                let due = seconds * (Double(moment) + 0.3) / 10
                let run = try run(item.command, folder, after: due)
                let note: Comment = "moment \(moment) of 10 in \(seconds) s: \(run.story)"
                #expect(item.exits.contains(run.status), note)
                // A helper program may take 5 s to end, and a job that is told to stop 20 s. The rest is for a busy machine.
                #expect(run.seconds < due + (item.jobs == nil && item.sign == nil ? 10 : 25), note)
                #expect(try SignalTests.processes(using: folder) == [], note)
                try expectNothingUnfinished(takeNew(folder, beside: before), whole, item, run, note)
                if run.status != 0 || item.sign != nil { interrupted += 1 }
            }
            // A run that is long enough is met by several of ten signals.
            #expect(interrupted >= 2 || seconds < 0.5, "\(interrupted) of 10 runs of \(seconds) s were interrupted")
        }

        /// - Parameter whole: what an undisturbed run leaves.
        private func expectNothingUnfinished(
            _ new: [String: Int], _ whole: [String: Int], _ item: Case, _ run: ToolRun, _ note: Comment
        ) throws {
            let isKept = { (path: String) in item.jobs.map { path == $0 || path.hasPrefix($0 + "/") } ?? false }
            let outside = { (files: [String: Int]) in files.filter { !isKept($0.key) && $0.key != "report.json" } }
            // The signal may come when the outputs are in their places already, or some of several jobs' outputs.
            let isWhole = outside(new) == outside(whole)
            let isPart = outside(new).allSatisfy { item.jobs != nil && whole[$0.key] == $0.value }
            #expect(isWhole || (isPart && (run.status != 0 || item.sign != nil)), "\(outside(new)); \(note)")
            for (path, size) in new where isKept(path) {
                let name = path.split(separator: "/").last ?? ""
                #expect(!name.hasPrefix(".") || whole[path] != nil, "\(path) is left; \(note)")
                if path.contains("/outputs/"), let complete = whole[path] { #expect(size == complete, note) }
            }
        }
    }
}

import FlipBase
import FlipBatch
import FlipFiles
import TestSupport
import Testing

/// A job directory's names, plans, locks and ownership of files, without a program that renders.
@Suite struct JobDirectoryTests {
    let folder = TemporaryFolder.make()
    private static let program = JobPlan.Program(name: "fliptransition", version: "1", build: "b")

    private func job(
        _ index: Int, _ arguments: [String] = ["join", "--", "a", "b"], inputs: [FileIdentity] = [],
        output: String = "/o.mp4"
    ) -> Job {
        Job(
            index: index, arguments: arguments, ending: "mp4", inputs: inputs, output: output, overwrites: false,
            threads: 1, source: "m.yaml:1:1")
    }

    private func plan(
        _ jobs: [Job], program: JobPlan.Program = program, libraries: [String: String] = ["x": "1"]
    ) throws -> JobPlan {
        var plan = JobPlan(program: program, libraries: libraries, inputFolder: "/", jobs: jobs)
        try plan.nameJobs()
        return plan
    }

    private func write(_ text: String, _ path: String) throws { try text.write(to: path) }

    // MARK: Names

    /// A job's name depends on everything that its output's bytes depend on, and on nothing else.
    @Test func jobsAreNamedByWhatTheyMake() throws {
        try write("x", folder / "in")
        let input = try #require(FileIdentity(path: folder / "in"))
        let name = try plan([job(0, inputs: [input])]).jobs[0].name
        #expect(name.count == 20 && name.allSatisfy(\.isHexDigit))
        let same = try plan([job(0, ["join", "--", "x", "y"]), job(1, inputs: [input], output: "/other.mp4")])
        #expect(same.jobs[1].name == name, "neither its place nor its output's counts")
        var changed = input
        changed.modified += 1
        let others = try [
            plan([job(0, ["join", "--crf=3", "--", "a", "b"], inputs: [input])]), plan([job(0, inputs: [changed])]),
            plan([job(0)]),
            plan([job(0, inputs: [input])], program: JobPlan.Program(name: "fliptransition", version: "2", build: "b")),
            plan(
                [job(0, inputs: [input])],
                program: JobPlan.Program(name: "fliptransition", version: "1", build: "b", processor: "x86-64-v2")),
            plan([job(0, inputs: [input])], libraries: ["x": "2"]),
        ].map { $0.jobs[0].name }
        #expect(Set(others + [name]).count == 7)
        // Compiling the same version again changes no output.
        let rebuilt = JobPlan.Program(name: "fliptransition", version: "1", build: "c")
        #expect(try plan([job(0, inputs: [input])], program: rebuilt).jobs[0].name == name)
    }

    /// Parts are named by what they show, wherever their inputs lie and whatever the command line was.
    @Test func partsAreNamedByTheirContent() throws {
        var segment = job(0)
        segment.kind = .segment
        segment.content = "a"
        var other = segment
        (other.arguments, other.inputs) = (["render", "--", "p"], [.missing("x")])
        var changed = segment
        changed.content = "b"
        var audio = segment
        audio.kind = .audio
        let names = try plan([segment, other, changed, audio]).jobs.map(\.name)
        #expect(names[0] == names[1] && Set(names).count == 3)
    }

    @Test func partsAreKnownByTheirNames() throws {
        let part = try #require(PartName(".part-3-node.a-17-123456.mp4"))
        #expect(part.mark == ".part-3-node.a-17-123456" && part.host == "node.a")
        for name in [
            ".part-3-node.a-17-123456.d", ".part-3-node.a-17-123456.lock", "..part-3-node.a-17-123456.mp4.part-1-z",
        ] {
            #expect(PartName(name)?.mark == part.mark, "\(name)")
        }
        for name in ["part-3-h-1-2", ".part-x-h-1-2.mp4", ".part-3-h-x-2.mp4", ".part-3-h-1", "0123.mp4", ""] {
            #expect(PartName(name) == nil, "\(name)")
        }
    }

    // MARK: Plans

    @Test func aPlanStaysUnderItsHash() throws {
        let directory = JobDirectory(folder.path)
        try directory.create()
        let first = try directory.write(plan([job(0)]))
        let second = try directory.write(plan([job(0), job(1, ["join", "--", "c", "d"])]))
        #expect(first != second)
        #expect(try directory.readPlan().jobs.count == 2)
        let kept = JobDirectory(at: first)
        #expect(kept.path == folder.path)
        #expect(try kept.readPlan().jobs.count == 1)
        #expect(JobDirectory(at: folder / "plan.json").path == folder.path)
        #expect(JobDirectory(at: folder.path).planPath == folder / "plan.json")
        #expect(try directory.write(plan([job(0)])) == first, "the same plan again")
    }

    /// A plan is JSON, and its jobs can be read one by one.
    @Test func jobsAreReadOneByOne() throws {
        let directory = JobDirectory(folder.path)
        try directory.create()
        let made = try plan((0..<5).map { job($0, ["join", "--", "line\nbreak, \"quote\"", "]}", "\($0 % 4)"]) })
        _ = try directory.write(made)
        #expect(try directory.readPlan("3,1-2").jobs.map(\.index) == [3, 1, 2])
        #expect(try directory.readPlan(made.jobs[0].hash).jobs.map(\.index) == [0, 4], "equal jobs")
        #expect(try directory.readPlan().jobs.map(\.arguments) == made.jobs.map(\.arguments))
        for text in ["5", "x", String(repeating: "0", count: 20)] {
            #expect(throws: MediaError.self, "\(text)") { try directory.readPlan(text) }
        }
        let data = try #require(FileManager.default.contents(atPath: directory.planPath))
        let json = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect((json["jobs"] as? [Any])?.count == 5 && json["roots"] != nil)
        for damaged in [data.prefix(data.count / 2), data.dropLast(3), Data("{}".utf8), Data(), data + data] {
            try damaged.write(to: directory.planPath)
            #expect(throws: MediaError.self) { try directory.readPlan() }
        }
    }

    @Test func oneBatchAtATime() throws {
        let directory = JobDirectory(folder.path)
        var first = directory.lock(within: 0)
        #expect(first != nil && directory.lock(within: 0) == nil)
        first = nil
        #expect(directory.lock(within: 0) != nil)
    }

    /// A plan's folders can be elsewhere on another machine: outputs in the root `outputs` follow it, others don't.
    @Test func rootsMove() throws {
        let directory = JobDirectory(folder / "jobs")
        try directory.create()
        let real = RealPath(folder.path).path
        var made = JobPlan(
            program: Self.program, libraries: [:], inputFolder: "/in", outputFolder: real + "/out", confinedTo: "/in",
            jobs: [
                job(0, ["join", JobPlan.confinement, "--", "a"], output: real + "/out/a.mp4"), job(1, output: "/b.mp4"),
            ])
        try made.nameJobs()
        _ = try directory.write(made)
        let stored = String(
            decoding: try #require(FileManager.default.contents(atPath: directory.planPath)), as: UTF8.self)
        #expect(stored.contains(#""output":"a.mp4""#) && stored.contains(#""output":"/b.mp4""#))
        #expect(try directory.readPlan().jobs.map(\.output) == [real + "/out/a.mp4", "/b.mp4"])
        let moved = try directory.readPlan(roots: ["outputs": "/mnt/o", "confined": "/mnt/i", "inputs": "/mnt/i"])
        #expect(moved.jobs.map(\.output) == ["/mnt/o/a.mp4", "/b.mp4"] && moved.inputFolder == "/mnt/i")
        #expect(moved.arguments(of: moved.jobs[0]) == ["join", "--root=/mnt/i", "--", "a"])
        #expect(moved.jobs.map(\.hash) == made.jobs.map(\.hash))
        #expect(throws: MediaError.self) { try directory.readPlan(roots: ["other": "/x"]) }
    }

    /// A difference that may change bytes is named, and a rebuild is none.
    @Test func onlyDifferencesThatMatterAreFound() throws {
        let made = JobPlan(
            program: JobPlan.Program(name: "f", version: "1", build: "a", processor: "v3"), libraries: ["x264": "164"],
            inputFolder: "/", jobs: [])
        let same = JobPlan.Program(name: "f", version: "1", build: "b", processor: "v3")
        #expect(made.difference(from: same, ["x264": "164"]) == nil)
        #expect(made.difference(from: same, ["x264": "165"])?.contains("x264 164") == true)
        #expect(made.difference(from: same, [:])?.contains("missing here") == true)
        var older = same
        older.processor = "v2"
        #expect(made.difference(from: older, ["x264": "164"])?.contains("v2") == true)
        var tolerant = made
        tolerant.program.processor = nil
        #expect(tolerant.difference(from: older, ["x264": "164"]) == nil)
    }

    /// An input that is identified by its contents may be a copy with another time, but no other file.
    @Test func contentsIdentifyInputs() throws {
        try write("film", folder / "a")
        let identity = try #require(FileIdentity(path: folder / "a")).identified(by: .sha256)
        // printf film | sha256sum
        #expect(identity.sha256 == "d0607f7ad2628b2af9158dfba06ce87166e66b15bf68f8f358f9aa27ccb7c321")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder / "a")
        #expect(identity.isCurrent)
        try write("fil2", folder / "a")
        #expect(!identity.isCurrent)
        try write("films", folder / "a")
        #expect(!identity.isCurrent)
    }

    // MARK: Attempts

    /// While an attempt lives, no other one begins; a dead one's claim is taken over.
    @Test func theLivingHaveTheirClaims() throws {
        let directory = JobDirectory(folder.path)
        let job = try plan([job(0)]).jobs[0]
        var first = try Attempt(job, in: directory)
        #expect(first != nil && directory.isClaimed(job))
        #expect(try Attempt(job, in: directory) == nil)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.outputs).count == 2, "a lock and a folder")
        #expect(directory.attemptLines(of: job).count == 1, "what did not begin is no attempt")
        first = nil
        #expect(!directory.isClaimed(job))
        let second = try #require(try Attempt(job, in: directory))
        #expect(directory.isClaimed(job))
        second.clean()
        #expect(!directory.isClaimed(job))
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.claims) == [])
    }

    @Test func anAttemptIsAliveUntilItsOwnerIsGone() throws {
        let directory = JobDirectory(folder.path)
        let plan = try plan([job(0)])
        var attempt: Attempt? = try Attempt(plan.jobs[0], in: directory)
        let line = try #require(directory.attemptLines(of: plan.jobs[0]).first)
        #expect(line.state == .running && directory.isAlive(line.part))
        try write("half", try #require(attempt).part)
        // Neither a batch nor gc removes it, no matter what minimum age they are given.
        directory.removeDeadParts(of: Attempt.host)
        #expect(directory.collect(plan, olderThan: 0, removing: true).isEmpty)
        #expect(FileManager.default.fileExists(atPath: try #require(attempt).part))
        #expect(FileManager.default.fileExists(atPath: try #require(attempt).scratch))
        attempt = nil
        #expect(!directory.isAlive(line.part))
        let removed = directory.collect(plan, olderThan: 0, removing: true)
        let (claims, parts) = (
            removed.filter { $0.path.contains("/claims/") }, removed.filter { $0.path.contains("/.part-0-") }
        )
        // A folder with all that the attempt wrote, and the lock.
        #expect(claims.count == 1 && parts.count == 2 && removed.count == 3, "\(removed)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.outputs) == [])
    }

    @Test func anAttemptCleansUpBehindItself() throws {
        let directory = JobDirectory(folder.path)
        let attempt = try #require(try Attempt(plan([job(0)]).jobs[0], in: directory))
        try write("half", attempt.part)
        try write("x", directory.outputs + "/.part-0-elsewhere-1-2.mp4")
        attempt.clean()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.outputs) == [".part-0-elsewhere-1-2.mp4"])
    }

    /// If another machine's lock can't be seen, its heartbeat counts.
    @Test func otherMachinesLiveAsLongAsTheirHeartsBeat() throws {
        let directory = JobDirectory(folder.path)
        try directory.create()
        let mark = ".part-0-elsewhere-1-2"
        #expect(!directory.isAlive(mark))
        try write("", "\(directory.outputs)/\(mark).lock")
        #expect(directory.isAlive(mark))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -120)], ofItemAtPath: "\(directory.outputs)/\(mark).lock")
        #expect(!directory.isAlive(mark))
    }

    @Test func whatFailedTooOftenIsExhausted() throws {
        let directory = JobDirectory(folder.path)
        let job = try plan([job(0)]).jobs[0]
        try #require(try Attempt(job, in: directory)).end(.again, message: "interrupted", wasInterrupted: true)
        #expect(directory.exhaustion(of: job, after: 1) == nil, "an interruption is nobody's failure")
        try #require(try Attempt(job, in: directory)).end(.again, message: "no space")
        #expect(directory.exhaustion(of: job, after: 1)?.contains("no space") == true)
        #expect(directory.exhaustion(of: job, after: 2) == nil)
        // An attempt that was killed counts as a failure.
        _ = try Attempt(job, in: directory)
        #expect(directory.exhaustion(of: job, after: 2) != nil)
    }

    // MARK: Outputs

    @Test func onlyWhatCameOutOfItIsItsOwn() throws {
        let directory = JobDirectory(folder / "jobs")
        try directory.create()
        let made = directory.outputs + "/0123.mp4"
        try write("film", made)
        try FileManager.default.linkItem(atPath: made, toPath: folder / "link.mp4")
        try Tool.succeed("cp", ["-p", made, folder / "copy.mp4"])
        try write("book", folder / "other.mp4")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder / "other.mp4")
        let file = try #require(FileIdentity(path: made))
        let hash = String(try Tool.succeed("sha256sum", [made]).text.prefix(64))
        let record = JobRecord(bytes: 4, modified: file.modified, sha256: hash, frames: 1)
        try JSONEncoder().encode(["output": record]).write(to: directory.reports + "/0123.json")
        #expect(directory.isOwn(folder / "link.mp4") && directory.isOwn(folder / "copy.mp4"))
        #expect(!directory.isOwn(folder / "other.mp4") && !directory.isOwn(folder / "missing.mp4"))
        // Another time alone changes nothing, but other contents do, which a program writes into the same inode.
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: folder / "link.mp4")
        #expect(directory.isOwn(folder / "link.mp4"))
        let handle = try #require(FileHandle(forWritingAtPath: folder / "link.mp4"))
        try handle.write(contentsOf: Data("mine".utf8))
        try handle.close()
        #expect(!directory.isOwn(folder / "link.mp4"))
    }

    @Test func publishedOnceAndPlacedWithoutReplacing() throws {
        for name in ["part1", "part2"] { try write(name, folder / name) }
        #expect(try Publishing.publish(folder / "part1", as: folder / "film"))
        #expect(try !Publishing.publish(folder / "part2", as: folder / "film"), "another was first")
        #expect(FileManager.default.contents(atPath: folder / "film") == Data("part1".utf8))
        #expect(try folder.names == ["film"])
        try write("precious", folder / "taken")
        #expect(throws: (any Error).self) {
            try Publishing.place(folder / "film", at: folder / "taken", replacing: false)
        }
        #expect(FileManager.default.contents(atPath: folder / "taken") == Data("precious".utf8))
        try Publishing.place(folder / "film", at: folder / "taken", replacing: true)
        try Publishing.place(folder / "film", at: folder / "new/place", replacing: false)
        // The file is already there, so nothing is replaced.
        try Publishing.place(folder / "film", at: folder / "new/place", replacing: false)
        for name in ["taken", "new/place"] {
            #expect(FileManager.default.contents(atPath: folder / name) == Data("part1".utf8))
        }
        #expect(try folder.names == ["film", "new", "taken"])
    }

    /// An exit status maps to whether another attempt may help. A user has to fix the cause of 73; a scheduler would
    /// retry it forever.
    @Test(arguments: [
        (Int32(0), JobExit.done), (64, .refused), (65, .refused), (66, .refused), (69, .refused), (73, .unplaced),
        (70, .again), (74, .again), (75, .again), (130, .again), (137, .again), (139, .again),
    ]) func statusesStandForWhatMayHelp(status: Int32, exit: JobExit) { #expect(JobExit(status: status) == exit) }
}

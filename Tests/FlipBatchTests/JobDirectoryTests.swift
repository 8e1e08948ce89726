import FlipBatch
import FlipFiles
import Foundation
import TestSupport
import Testing

/// A job directory's names, plans, locks and ownership of files, without a program that renders.
@Suite struct JobDirectoryTests {
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

    private func write(_ text: String, _ path: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    // MARK: Names

    /// A job's name depends on everything that its output's bytes depend on, and on nothing else.
    @Test func jobsAreNamedByWhatTheyMake() throws {
        let folder = try TemporaryFolder()
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
            plan([job(0, inputs: [input])], program: JobPlan.Program(name: "fliptransition", version: "1", build: "c")),
            plan([job(0, inputs: [input])], libraries: ["x": "2"]),
        ].map { $0.jobs[0].name }
        #expect(Set(others + [name]).count == 6)
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
        let folder = try TemporaryFolder()
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

    @Test func oneBatchAtATime() throws {
        let folder = try TemporaryFolder()
        let directory = JobDirectory(folder.path)
        var first = directory.lock()
        #expect(first != nil && directory.lock() == nil)
        first = nil
        #expect(directory.lock() != nil)
    }

    // MARK: Attempts

    @Test func anAttemptIsAliveUntilItsOwnerIsGone() throws {
        let folder = try TemporaryFolder()
        let directory = JobDirectory(folder.path)
        let plan = try plan([job(0)])
        var attempt: Attempt? = try Attempt(plan.jobs[0], in: directory)
        let line = try #require(directory.attemptLines().first)
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
        #expect(removed.count == 3 && removed.allSatisfy { $0.path.contains("/.part-0-") }, "\(removed)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.outputs) == [])
    }

    @Test func anAttemptCleansUpBehindItself() throws {
        let folder = try TemporaryFolder()
        let directory = JobDirectory(folder.path)
        let attempt = try Attempt(plan([job(0)]).jobs[0], in: directory)
        try write("half", attempt.part)
        try write("x", directory.outputs + "/.part-0-elsewhere-1-2.mp4")
        attempt.clean()
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.outputs) == [".part-0-elsewhere-1-2.mp4"])
    }

    /// If another machine's lock can't be seen, its heartbeat counts.
    @Test func otherMachinesLiveAsLongAsTheirHeartsBeat() throws {
        let folder = try TemporaryFolder()
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
        let folder = try TemporaryFolder()
        let directory = JobDirectory(folder.path)
        let job = try plan([job(0)]).jobs[0]
        try Attempt(job, in: directory).end(.again, message: "interrupted", wasInterrupted: true)
        #expect(directory.exhaustion(of: job, after: 1) == nil, "an interruption is nobody's failure")
        try Attempt(job, in: directory).end(.again, message: "no space")
        #expect(directory.exhaustion(of: job, after: 1)?.contains("no space") == true)
        #expect(directory.exhaustion(of: job, after: 2) == nil)
        // An attempt that was killed counts as a failure.
        _ = try Attempt(job, in: directory)
        #expect(directory.exhaustion(of: job, after: 2) != nil)
    }

    // MARK: Outputs

    @Test func onlyWhatCameOutOfItIsItsOwn() throws {
        let folder = try TemporaryFolder()
        let directory = JobDirectory(folder / "jobs")
        try directory.create()
        let made = directory.outputs + "/0123.mp4"
        try write("film", made)
        try FileManager.default.linkItem(atPath: made, toPath: folder / "link.mp4")
        try FileManager.default.copyItem(atPath: made, toPath: folder / "copy.mp4")
        let time = try #require(FileManager.default.attributesOfItem(atPath: made)[.modificationDate] as? Date)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: folder / "copy.mp4")
        try write("book", folder / "other.mp4")
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder / "other.mp4")
        #expect(directory.isOwn(folder / "link.mp4"))
        #expect(!directory.isOwn(folder / "other.mp4") && !directory.isOwn(folder / "missing.mp4"))
    }

    @Test func publishedOnceAndPlacedWithoutReplacing() throws {
        let folder = try TemporaryFolder()
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
        (Int32(0), JobExit.done), (64, .refused), (65, .refused), (66, .refused), (69, .refused), (73, .refused),
        (70, .again), (74, .again), (75, .again), (130, .again), (137, .again), (139, .again),
    ]) func statusesStandForWhatMayHelp(status: Int32, exit: JobExit) { #expect(JobExit(status: status) == exit) }
}

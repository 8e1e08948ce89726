import FlipBase
import FlipBatch
import TestSupport
import Testing

/// What Slurm is given, without Slurm: scripts/slurm-selftest runs a real cluster.
@Suite struct SlurmTests {
    private func plan(_ count: Int, seconds: Double? = nil, hash: (Int) -> String = { "\($0)" }) throws -> JobPlan {
        let jobs = (0..<count).map { index in
            var job = Job(
                index: index, arguments: ["join", "--", hash(index)], ending: "mp4", inputs: [],
                output: "/\(index).mp4", overwrites: false, threads: 1, source: "m:1:1")
            job.estimate = seconds.map { Job.Estimate(seconds: $0, memory: 1, cores: 1) }
            return job
        }
        var plan = JobPlan(
            program: JobPlan.Program(name: "f", version: "1", build: "b"), libraries: [:], inputFolder: "/", jobs: jobs)
        try plan.nameJobs()
        return plan
    }

    @Test func jobsAreSelectedByNumberRangeAndHash() throws {
        let plan = try plan(10, hash: { $0 == 9 ? "3" : "\($0)" })
        #expect(try JobSelection.parse("0", in: plan) == [0])
        #expect(try JobSelection.parse("7-9,2,8", in: plan) == [7, 8, 9, 2])
        #expect(try JobSelection.parse(plan.jobs[5].hash, in: plan) == [5])
        // Jobs that make the same have one hash and places of their own.
        #expect(try JobSelection.parse(plan.jobs[3].hash + ",0", in: plan) == [3, 9, 0])
        for text in ["", ",", "10", "-1", "2-1", "0-10", "x", "0-1-2", "0,,1", "99999999999999999999"] {
            #expect(throws: MediaError.self, "\(text)") { try JobSelection.parse(text, in: plan) }
        }
        #expect(JobSelection.text([7, 0, 1, 2, 9, 8]) == "0-2,7-9")
        #expect(JobSelection.text([4]) == "4" && JobSelection.text([Int]()) == "")
    }

    @Test func rootsAreNamesAndFolders() throws {
        #expect(try RootMap.parse(["inputs=/mnt/b", "outputs=/x=y"]) == ["inputs": "/mnt/b", "outputs": "/x=y"])
        for word in ["inputs", "=/x", "inputs=x", "inputs="] {
            #expect(throws: MediaError.self, "\(word)") { try RootMap.parse([word]) }
        }
    }

    /// Many short jobs are grouped to two minutes, a few are not grouped, and a long one stands alone.
    @Test func elementsLastTwoMinutes() throws {
        let many = try plan(4000, seconds: 10)
        let elements = JobDirectory.elements(of: many.jobs)
        #expect(elements.allSatisfy { $0.count <= 12 } && elements.count >= 4000 / 12 && elements.count <= 4000 / 11)
        #expect(elements.flatMap(\.self) == many.jobs.map(\.hash))
        #expect(JobDirectory.elements(of: try plan(20, seconds: 10).jobs).count == 20)
        #expect(JobDirectory.elements(of: try plan(500, seconds: 300).jobs).count == 500)
        #expect(JobDirectory.elements(of: try plan(10, hash: { _ in "same" }).jobs).count == 1)
        #expect(JobDirectory.elements(of: []).isEmpty)
    }

    @Test(
        arguments: [
            ("5", 300), ("0:30", 30), ("1:00:00", 3600), ("2-0", 172800), ("1-02:03:04", 93784), ("0", nil), ("", nil),
            ("x", nil), ("1:2:3:4", nil), ("-5", nil), ("1.5", nil),
        ] as [(String, Int?)])
    func timesAreSlurms(text: String, seconds: Int?) { #expect(Slurm.seconds(text) == seconds) }

    /// Runs an element's script with a stand-in for `jobs run` that ends with `status`.
    private func element(_ status: Int, restarts: Int, task: Int = 1, in folder: TemporaryFolder) throws -> (
        Int32, String
    ) {
        for (name, text) in [
            ("scontrol", "echo \"$@\" >> '\(folder / "requeued")'"),
            ("it's", "echo \"$@\" >> '\(folder / "ran")'; exit \(status)"),
        ] {
            // A shell writes the program: while this process had it open, another test might start a program that inherits the
            // open file, and a program that is open for writing can't run.
            try Tool.succeed(
                "sh",
                ["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" >\"$2\" && chmod 755 \"$2\"", "sh", text, folder / name])
        }
        try "a\nb,c\nd\n".write(to: folder / "list")
        try Slurm.script(list: folder / "list", offset: 1, command: [folder / "it's", "a b"], restarts: 2).write(
            to: folder / "script")
        let run = try Tool.run(
            "env", "PATH=\(folder.path):/usr/bin:/bin SLURM_ARRAY_TASK_ID=\(task) SLURM_RESTART_COUNT=\(restarts)",
            "SLURM_JOB_ID=17 sh \(folder / "script")")
        return (run.status, (try? String(contentsOf: folder / "requeued")) ?? "")
    }

    /// An element asks to be started again twice at most, and only if that may help.
    @Test func elementsAreStartedAgainWithinLimits() throws {
        for (status, restarts, isRequeued) in [
            (0, 0, false), (65, 0, false), (70, 0, false), (73, 0, false), (75, 0, true), (75, 1, true), (75, 2, false),
            (139, 0, true), (137, 2, false),
        ] {
            let folder = try TemporaryFolder()
            let (exit, requeued) = try element(status, restarts: restarts, in: folder)
            #expect((requeued == "requeue 17\n") == isRequeued, "\(status) \(restarts)")
            #expect(exit == ([0, 65, 70, 73].contains(status) ? Int32(status) : 75))
            #expect(try String(contentsOf: folder / "ran") == "a b d\n")
        }
        let folder = try TemporaryFolder()
        #expect(try element(0, restarts: 0, task: 5, in: folder).0 == 75, "a line that isn't there")
    }

    @Test func wordsComeBackFromAShell() throws {
        for word in ["plain-1.2/x", "", "a b", "it's", "$HOME `x` \"y\" \\", "*", "\u{fc}"] {
            #expect(try Tool.run("sh", ["-c", "printf %s " + ShellText.quoted(word)]).text == word)
        }
    }
}

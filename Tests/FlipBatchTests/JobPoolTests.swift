import FlipBatch
import Foundation
import Testing

/// The pool over shells, which say when they began and ended.
@Suite struct JobPoolTests {
    /// Runs `scripts` and returns the events as words: "0 started", "0 line", "0 ended 3".
    private func run(
        _ scripts: [String], memory: [Int]? = nil, slots: Int, budget: Int,
        decide: (Int, Int32) -> JobPool.Decision = { _, _ in .next }
    ) throws -> [String] {
        let tasks = scripts.enumerated().map { index, script in
            JobPool.Task(id: index, arguments: ["-c", script], memory: memory?[index] ?? 1)
        }
        var events: [String] = []
        try JobPool(program: "/bin/sh", slots: slots, budget: budget).run(tasks) { id, event in
            switch event {
            case .started: events.append("\(id) started")
            case .line(let line): events.append("\(id) \(line)")
            case .postponed: events.append("\(id) postponed")
            case .tooLarge: events.append("\(id) too large")
            case .ended(let status):
                events.append("\(id) ended \(status)")
                return decide(id, status)
            }
            return .next
        }
        return events
    }

    @Test func endsAreTold() throws {
        let events = try run(
            ["echo one >&2; printf two >&2", "exit 75", "kill -SEGV $$"], slots: 1, budget: .max)
        #expect(
            events == [
                "0 started", "0 one", "0 two", "0 ended 0", "1 started", "1 ended 75", "2 started", "2 ended 139",
            ])
    }

    /// The tasks that run at each moment, at most.
    private func most(_ events: [String]) -> Int {
        var (now, most) = (0, 0)
        for event in events {
            now += event.hasSuffix("started") ? 1 : event.contains("ended") ? -1 : 0
            most = max(most, now)
        }
        return most
    }

    @Test func slotsAndMemoryBoundWhatRunsAtATime() throws {
        let scripts = Array(repeating: "sleep 0.2", count: 4)
        #expect(try most(run(scripts, slots: 3, budget: .max)) == 3)
        let gigabyte = 1 << 30
        let large = Array(repeating: 4 * gigabyte, count: 4)
        #expect(try most(run(scripts, memory: large, slots: 4, budget: 9 * gigabyte)) == 2)
        // One that doesn't fit at all runs alone.
        #expect(try most(run(scripts, memory: large, slots: 4, budget: gigabyte)) == 1)
    }

    @Test func whatIsTriedAgainRunsAgainAndAStopEndsTheRest() throws {
        var tries = 0
        let again = try run(["exit 75"], slots: 2, budget: .max) { _, _ in
            tries += 1
            return tries < 3 ? .again(0.01) : .next
        }
        #expect(again == Array(repeating: ["0 started", "0 ended 75"], count: 3).flatMap(\.self))
        let stopped = try run(["sleep 0.1; exit 65", "sleep 60", "echo never"], slots: 2, budget: .max) { id, _ in
            id == 0 ? .stop : .next
        }
        #expect(stopped == ["0 started", "1 started", "0 ended 65", "1 ended 143"])
    }

    /// Two that together take more than there is: the second gives way and comes again.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/statm"), "needs Linux's /proc"))
    func theYoungestGivesWayWhereMemoryRunsOut() throws {
        let hog = "exec python3 -c 'import time; x = bytearray(150 << 20); time.sleep(1.5)'"
        let events = try run([hog, hog], slots: 2, budget: 250 << 20)
        #expect(
            events == [
                "0 started", "1 started", "1 postponed", "0 ended 0", "1 started", "1 ended 0",
            ])
        #expect(try run([hog], slots: 1, budget: 100 << 20) == ["0 started", "0 too large"])
    }
}

import FlipFiles
import TestSupport
import Testing

@Suite struct ChildTests {
    private func start(_ script: String, output: Int32? = nil) throws -> Child {
        var launch = Launch("/bin/sh", words: ["sh", "-c", script])
        launch.output = output
        launch.hasOwnGroup = true
        return try launch.start()
    }

    @Test func everyEndIsTold() throws {
        #expect(try start("exit 0").wait() == .exited(0))
        #expect(try start("exit 217").wait() == .exited(217))
        #expect(try start("kill -TERM $$").wait() == .killed(SIGTERM))
        #expect(try start("kill -XCPU $$").wait() == .killed(SIGXCPU))
        let child = try start("exit 5")
        #expect(child.wait() == .exited(5))
        // It is known from then on; nobody is waited for twice.
        #expect(child.wait(until: .now) == .exited(5) && child.hasEnded() && child.ending == .exited(5))
    }

    /// A program that reads standard input to its end runs until then.
    @Test func waitingEndsAtTheDeadline() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var launch = Launch("/bin/cat", words: ["cat"])
        launch.input = ends[0]
        let child = try launch.start()
        let start = SuspendingClock.now
        #expect(child.wait(until: start + .milliseconds(30)) == nil)
        #expect(SuspendingClock.now >= start + .milliseconds(30))
        #expect(child.wait(until: start) == nil && !child.hasEnded())
        close(ends[1])
        #expect(child.wait() == .exited(0))
        close(ends[0])
    }

    @Test func theDescriptorTellsOfTheEnd() throws {
        let child = try start("exec sleep 100")
        var ended = pollfd(fd: child.descriptor, events: Int16(POLLIN), revents: 0)
        #expect(poll(&ended, 1, 0) == 0)
        child.send(SIGKILL)
        // Without the descriptor, `poll` would wait for nothing.
        if child.descriptor >= 0 { #expect(poll(&ended, 1, 60_000) == 1 && child.hasEnded()) }
        #expect(child.wait() == .killed(SIGKILL))
    }

    /// What the program started ends with it, even if it outlives the program itself.
    @Test(.timeLimit(.minutes(60))) func theWholeGroupIsKilled() throws {
        let folder = try TemporaryFolder()
        try Data().write(to: folder / "ids")
        let output = try #require(FileHandle(forWritingAtPath: folder / "ids"))
        let child = try start("sleep 300 & echo $!; wait", output: output.fileDescriptor)
        var text = ""
        while !text.hasSuffix("\n"), !child.hasEnded() { text = try String(contentsOf: folder / "ids") }
        let id = try #require(Int32(text.dropLast()))
        child.killGroup()
        #expect(child.ending == .killed(SIGKILL))
        // The other process may take a moment to end. It is reaped by yet another, and has no command line until then.
        while kill(id, 0) == 0, FileManager.default.contents(atPath: "/proc/\(id)/cmdline") != Data() { usleep(1000) }
    }

    @Test func ignoredSignalsDiscardTheStatus() async {
        await #expect(processExitsWith: .exitCode(7)) {
            signal(SIGCHLD, SIG_IGN)
            let child = try Launch("/bin/sh", words: ["sh", "-c", "exit 3"]).start()
            exit(child.wait() == .unknown ? 7 : 8)
        }
    }

    /// Helper programs are started by the threads that read inputs, and count.
    @Test(.timeLimit(.minutes(1))) func memoryIncludesWhatThreadsHaveStarted() throws {
        // The inner one lives until its standard input, which it shares with the outer one, is closed.
        let inner = "import sys; x = b'x' * (200 << 20); print('ready', file=sys.stderr, flush=True); sys.stdin.read()"
        let outer =
            "import subprocess, sys, threading; words = [sys.executable, '-c', sys.argv[1]]; "
            + "threading.Thread(target=lambda: subprocess.run(words)).start()"
        let child = try ChildProcess("/usr/bin/python3", ["-c", outer, inner])
        var lines: [String] = []
        while lines.isEmpty, !child.hasEnded() {
            lines = child.readLines()
            usleep(10_000)
        }
        #expect(lines == ["ready"] && child.memory > 200 << 20, "\(lines) \(child.memory)")
        // The thread with which swift-testing watches its own processes spins for as long as another one that has ended isn't
        // waited for, and takes half of the machine from all tests that follow.
        child.send(SIGKILL)
        while !child.hasEnded() { usleep(1000) }
    }
}

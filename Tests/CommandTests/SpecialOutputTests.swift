import TestSupport
import Testing

extension CommandTests {
    /// Named pipes, devices and open descriptors as outputs are written into, and not replaced.
    @Suite(.serialized) struct SpecialOutputTests {
        let folder = TemporaryFolder.make()

        private func inputs() throws -> [String] {
            try [clips().pattern("special-a", frames: 20), clips().pattern("special-b", frames: 20, hue: 90)]
        }

        /// 20 + 20 frames less the overlap of 15.
        private static let frames = 25

        private func isPipe(_ path: String) -> Bool {
            var status = stat()
            return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
        }

        private func isDevice(_ path: String) -> Bool {
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
        }

        /// Runs the program while `cat` copies the pipe at `pipe` into the file at `copy`.
        private func run(_ arguments: [String], reading pipe: String, into copy: String) throws -> ToolRun {
            #expect(mkfifo(pipe, 0o600) == 0)
            let script = #"cat "$PIPE" > "$COPY" & "$@"; code=$?; wait; exit $code"#
            return try Tool.run(
                "bash", ["-c", script, "bash", Places.program()] + arguments, timeout: 60,
                environment: ["PIPE": pipe, "COPY": copy])
        }

        @Test(arguments: [("mkv", []), ("mkv", ["-y"]), ("mp4", []), ("nut", ["--segments", "10f"])])
        func aNamedPipeGetsTheFilm(kind: String, more: [String]) throws {
            let pipe = folder / "pipe.\(kind)"
            let run = try run(
                inputs() + more + ["--video-codec", "ffv1"].filter { _ in kind != "mp4" } + [pipe], reading: pipe,
                into: folder / "copy")
            #expect(run.status == 0, "\(run.story)")
            #expect(isPipe(pipe))
            #expect(try Judge.complaints(folder / "copy") == "")
            #expect(try Judge.frameHashes(folder / "copy").count == Self.frames)
            #expect(try folder.names == ["copy", "pipe.\(kind)"])
        }

        @Test func aNamedPipeGetsPicturesReportsAndTimelines() throws {
            let still = try run(
                ["still"] + inputs() + [folder / "pipe.png"], reading: folder / "pipe.png", into: folder / "still.png")
            #expect(still.status == 0 && isPipe(folder / "pipe.png"), "\(still.story)")
            #expect(try Judge.frameHashes(folder / "still.png").count == 1)
            let report = try run(
                inputs() + [folder / "o.mp4", "--report", folder / "pipe.json"], reading: folder / "pipe.json",
                into: folder / "report.json")
            #expect(report.status == 0 && isPipe(folder / "pipe.json"), "\(report.story)")
            let json = try JSONValue(Data(contentsOf: folder / "report.json"))
            #expect(json.numbers(under: "framesEncoded") == [Double(Self.frames)])
            let plan = try run(
                ["export"] + inputs() + [folder / "pipe.otio"], reading: folder / "pipe.otio",
                into: folder / "plan.otio")
            #expect(plan.status == 0 && isPipe(folder / "pipe.otio"), "\(plan.story)")
            #expect(try String(contentsOf: folder / "plan.otio").contains("Timeline.1"))
        }

        /// A format whose muxer must seek back is refused for a named pipe, as for standard output.
        @Test func whatHasToGoBackIsRefused() throws {
            #expect(mkfifo(folder / "pipe", 0o600) == 0)
            let run = try CommandTests.run(inputs() + [folder / "pipe", "--format", "apng"], timeout: 20)
            #expect(run.status == 64 && run.messages.contains("not a regular file"), "\(run.story)")
        }

        @Test(arguments: ["mp4", "mkv", "nut", "png"]) func devicesStayDevices(format: String) throws {
            // A symbolic link, so that the machine's own device is not at risk.
            try folder.link("null", to: "/dev/null")
            for more in [[], ["-y"], ["-y", "--render", "auto"]] {
                try succeed(inputs() + [folder / "null", "--format", format] + more)
                #expect(try folder.names == ["null"] && isDevice(folder / "null") && isDevice("/dev/null"))
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder / "null") == "/dev/null")
            }
        }

        @Test func aFullDeviceIsAnError() throws {
            try expectExit(inputs() + ["/dev/full", "--format", "mp4", "-y"], 74, saying: "no space left")
            #expect(isDevice("/dev/full"))
        }

        @Test func openDescriptorsAreWrittenInto() throws {
            let script = #""$@" --report /dev/fd/3 3>"$REPORT" | cat > "$FILM"; exit "${PIPESTATUS[0]}""#
            let run = try Tool.run(
                "bash", ["-c", script, "bash", Places.program()] + inputs() + ["/dev/stdout", "--format", "mkv"],
                environment: ["REPORT": folder / "report.json", "FILM": folder / "film"])
            #expect(run.status == 0, "\(run.story)")
            #expect(try Judge.frameHashes(folder / "film").count == Self.frames)
            let json = try JSONValue(Data(contentsOf: folder / "report.json"))
            #expect(json.numbers(under: "framesEncoded") == [Double(Self.frames)])
            try expectExit(inputs() + [folder / "o.mp4", "--report", "/dev/fd/97"], 73, saying: "/dev/fd/97")
            #expect(try !folder.names.contains("o.mp4"))
            let printed = try CommandTests.run(inputs() + [folder / "o.mp4", "--report", "-"])
            #expect(try JSONValue(printed.output).numbers(under: "framesEncoded") == [Double(Self.frames)])
        }

        /// A run that waits for a reader of its pipe ends on SIGTERM.
        @Test func waitingForAReaderCanBeInterrupted() throws {
            #expect(mkfifo(folder / "pipe.mkv", 0o600) == 0)
            let run = try CommandTests.run(
                "\(inputs()) \(folder / "pipe.mkv") --verbose", timeout: 30,
                watch: Tool.signal(SIGTERM) { $0.messages.contains("pipe.mkv: ") })
            #expect(run.status == 130, "\(run.story)")
            #expect(isPipe(folder / "pipe.mkv"))
        }
    }
}

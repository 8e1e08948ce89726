import TestSupport
import Testing

extension CommandTests {
    /// The program and the processes that it has started end on a signal, and leave nothing behind.
    @Suite(.serialized) struct SignalTests {
        /// A folder with a presentation, a folder for temporary files and a fake LibreOffice that does not end. Like the real
        /// one, it has a temporary file. It writes its own process ID and its child's to `started`. If there is a file `fast`,
        /// it fails at once instead.
        private func stage() throws -> TemporaryFolder {
            let folder = try TemporaryFolder()
            for name in ["bin", "tmp"] {
                try folder.makeFolder(name)
            }
            let program = """
                #!/bin/sh
                touch "$TMPDIR/lu1.tmp"
                [ -e '\(folder / "fast")' ] && exit 1
                sleep 300 &
                echo $$ $! > '\(folder / "started.new")'
                mv '\(folder / "started.new")' '\(folder / "started")'
                wait
                """
            try program.write(to: folder / "bin/soffice")
            // bwrap must fail: bubblewrap would hide the fake LibreOffice, and process IDs inside it are not valid
            // outside.
            try "#!/bin/sh\nexit 1\n".write(to: folder / "bin/bwrap")
            for name in ["soffice", "bwrap"] { #expect(chmod(folder / "bin/\(name)", 0o755) == 0) }
            try "x".write(to: folder / "talk.fodp")
            return folder
        }

        private func environment(_ folder: TemporaryFolder) -> [String: String] {
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            return ["PATH": "\(folder / "bin"):\(path)", "TMPDIR": folder / "tmp"]
        }

        private func hasStarted(_ folder: TemporaryFolder) -> ToolWatch {
            { _ in FileManager.default.fileExists(atPath: folder / "started") }
        }

        /// Those of the processes named by the fake LibreOffice that still run, none of which ends by itself. One that was
        /// killed may take a moment on a busy machine.
        private func running(_ folder: TemporaryFolder) throws -> [Int32] {
            let text = try String(contentsOf: folder / "started")
            var left = text.split(whereSeparator: \.isWhitespace).compactMap { Int32($0) }
            for _ in 0..<20 {
                left = left.filter { isRunning($0) }
                if left.isEmpty { break }
                usleep(100_000)
            }
            return left
        }

        /// Whether `process` runs; a zombie does not.
        private func isRunning(_ process: Int32) -> Bool {
            guard let stat = try? String(contentsOf: "/proc/\(process)/stat") else { return false }
            return stat.split(separator: ")").last?.split(separator: " ").first != "Z"
        }

        /// The processes that have the folder's path in their arguments or their environment. Some end a moment after the
        /// program that has started them, and are waited for.
        static func processes(using folder: TemporaryFolder) throws -> [Int32] {
            var users: [Int32] = []
            for _ in 0..<20 {
                users = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter {
                    process in
                    ["cmdline", "environ"].contains { name in
                        let words = FileManager.default.contents(atPath: "/proc/\(process)/\(name)") ?? Data()
                        return words.firstRange(of: Data(folder.path.utf8)) != nil
                    }
                }
                if users.isEmpty { break }
                usleep(100_000)
            }
            return users
        }

        private func expectNothingLeft(
            _ folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let left = try FileManager.default.subpathsOfDirectory(atPath: folder / "tmp")
            #expect(left.isEmpty, "\(left.prefix(20))", sourceLocation: sourceLocation)
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func aConversionEndsWithTheProgram(signal: Int32) throws {
            let folder = try stage()
            let run = try CommandTests.run(
                "deck \(folder / "talk.fodp") \(folder / "o.mp4")", timeout: 60,
                watch: Tool.signal(signal, when: hasStarted(folder)), environment: environment(folder))
            #expect(run.status == 130 && run.messageLines.count == 1, "\(run.story)")
            #expect(try running(folder) == [])
            try expectNothingLeft(folder)
            #expect(try !folder.names.contains("o.mp4"))
        }

        @Test func nohupIsRespected() throws {
            let folder = try stage()
            let run = try Tool.run(
                "nohup", [Places.program(), "deck", folder / "talk.fodp", folder / "o.mp4"], timeout: 60,
                watch: { tool in
                    guard let text = try? String(contentsOf: folder / "started"),
                        let helper = text.split(separator: " ").first.flatMap({ Int32($0) })
                    else { return false }
                    kill(tool.process, SIGHUP)
                    // The run must survive SIGHUP and end by itself, when the conversion fails.
                    kill(-helper, SIGTERM)
                    return true
                }, environment: environment(folder))
            #expect(run.status == 65 && run.messages.contains("soffice cannot read"), "\(run.story)")
        }

        @Test func aJobEndsWithItsConversion() throws {
            let folder = try stage()
            try "jobs:\n  - {output: o.mp4, deck: talk.fodp}\n".write(to: folder / "m.yaml")
            try Data().write(to: folder / "fast")
            let planned = try CommandTests.run(
                ["batch", folder / "m.yaml", "--plan-only"], environment: environment(folder))
            #expect(planned.status == 0, "\(planned.story)")
            try folder.remove("fast")
            let run = try CommandTests.run(
                "jobs run \(folder / "m.jobs") 0", timeout: 60, watch: Tool.signal(SIGTERM, when: hasStarted(folder)),
                environment: environment(folder))
            #expect(run.status == 75, "\(run.story)")
            #expect(try running(folder) == [])
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder / "m.jobs/outputs") == [])
            let status = try CommandTests.run(["jobs", "status", folder / "m.jobs"])
            #expect(status.status == 75 && status.text.contains("job 0 interrupted"), "\(status.text)")
        }

        /// A run that was killed leaves a folder that only its owner can access, and the next run removes it.
        @Test func whatAKilledConversionLeftGoesWithTheNext() throws {
            let folder = try stage()
            let killed = try CommandTests.run(
                ["deck", folder / "talk.fodp", folder / "o.mp4"], timeout: 60,
                watch: { tool in
                    guard let text = try? String(contentsOf: folder / "started") else { return false }
                    kill(tool.process, SIGKILL)
                    for helper in text.split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) {
                        kill(helper, SIGKILL)
                    }
                    return true
                }, environment: environment(folder))
            #expect(killed.status == 128 + SIGKILL)
            let left = try FileManager.default.contentsOfDirectory(atPath: folder / "tmp")
            try #require(left.count == 1)
            var status = stat()
            #expect(stat(folder / "tmp/\(left[0])", &status) == 0 && status.st_mode & 0o777 == 0o700)
            try folder.makeFolder("tmp/\(left[0])/profile/user")
            try "x".write(to: folder / "tmp/\(left[0])/profile/user/settings")
            try Data().write(to: folder / "fast")
            let next = try CommandTests.run(
                ["deck", folder / "talk.fodp", folder / "o.mp4"], environment: environment(folder))
            #expect(next.status == 65, "\(next.story)")
            try expectNothingLeft(folder)
        }

        private static let hasOffice = ["/usr/bin", "/usr/local/bin"].contains {
            FileManager.default.isExecutableFile(atPath: $0 + "/soffice")
        }

        @Test(
            .enabled(if: hasOffice, "LibreOffice isn't installed"),
            arguments: Places.some(
                [["deck", "talk.fodp", "o.mp4"], ["batch", "m.yaml"], ["jobs", "run", "m.jobs", "0"]], every: 3))
        func theRealLibreOfficeEndsWithTheProgram(command: [String]) throws {
            let folder = try stage()
            for name in ["soffice", "bwrap"] { try folder.remove("bin/\(name)") }
            try slides.write(to: folder / "talk.fodp")
            try "jobs:\n  - {output: o.mp4, deck: talk.fodp}\n".write(to: folder / "m.yaml")
            if command[0] == "jobs" {
                let planned = try CommandTests.run(
                    ["batch", folder / "m.yaml", "--plan-only"], environment: environment(folder))
                #expect(planned.status == 0, "\(planned.story)")
            }
            // LibreOffice has started once there is something in its profile that the program does not write.
            let begun: ToolWatch = { _ in
                let found = FileManager.default.enumerator(atPath: folder.path)?.contains {
                    "\($0)".contains("/user/extensions")
                }
                return found == true
            }
            let run = try CommandTests.run(
                command.map { $0.contains(".") ? folder / $0 : $0 }, timeout: 100,
                watch: Tool.signal(SIGTERM, when: begun), environment: environment(folder))
            #expect(run.status == (command[0] == "jobs" ? 75 : 130), "\(run.story)")
            try expectNothingLeft(folder)
            let outputs = (try? FileManager.default.contentsOfDirectory(atPath: folder / "m.jobs/outputs")) ?? []
            #expect(outputs == [])
            #expect(try Self.processes(using: folder) == [])
        }

        /// A presentation of one empty slide (OpenDocument 1.2 part 1, 2.2.2).
        private let slides = """
            <?xml version="1.0" encoding="UTF-8"?>
            <office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" \
            xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" office:version="1.2" \
            office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>\
            <draw:page draw:name="one"/></office:presentation></office:body></office:document>
            """

        /// A batch runs even if its caller ignores SIGCHLD, as some old daemons do; child processes inherit that.
        @Test func aCallerThatIgnoresItsChildrenDoesNoHarm() throws {
            let folder = try TemporaryFolder()
            let clip = try clips().pattern("batch-0", frames: 20)
            try "jobs:\n  - {output: o.mkv, join: ['\(clip)', '\(clip)'], duration: 5f}\n".write(to: folder / "m.yaml")
            let run = try Tool.run(
                "python3",
                [
                    "-c",
                    "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); os.execv(sys.argv[1], sys.argv[1:])",
                    Places.program(), "batch", folder / "m.yaml",
                ], timeout: 60)
            #expect(run.status == 0, "\(run.story)")
            #expect(try Judge.frameHashes(folder / "o.mkv").count == 35)
        }
    }
}

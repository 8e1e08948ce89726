import TestSupport
import Testing

extension CommandTests {
    /// Inputs that are cut off, broken, or changed while they are read.
    @Suite(.serialized) struct DamageTests {
        let folder = TemporaryFolder.make()
        private static let frames = 75

        private func clip(_ kind: String) throws -> String {
            let codecs =
                switch kind {
                case "avi": ["-c:v", "mpeg4", "-c:a", "mp2"]
                case "webm": ["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus"]
                case "nut": ["-c:v", "ffv1", "-c:a", "pcm_s16le"]
                case "y4m": ["-an"]
                default: ["-c:v", "libx264", "-c:a", "aac"]
                }
            return try clips().make(
                "damage.\(kind)", "-f lavfi -i testsrc2=s=160x90:r=25:d=3 -f lavfi -i sine=f=440:d=3",
                "-pix_fmt yuv420p \(codecs) \(kind == "mp4" ? ["-movflags", "+faststart"] : [])")
        }

        private func plannedFrames(_ inputs: [String]) throws -> Int {
            let output = try planJSON(inputs + ["out.mp4"])["output"] as? [String: Any]
            return try #require(output?["frames"] as? Int)
        }

        /// The number of frames that ffmpeg decodes from a file, however damaged it is.
        private func decodableFrames(_ path: String) throws -> Int {
            let run = try Tool.run(
                "ffmpeg", "-nostdin -v quiet -i \(path) -map 0:v:0 -fps_mode passthrough -f framemd5 -")
            return run.text.split(separator: "\n").count { !$0.hasPrefix("#") }
        }

        /// A truncated input is used as far as it goes (to within 4 frames), with a warning; --strict refuses it.
        @Test(
            arguments: Places.some(["mp4", "mkv", "webm", "flv", "ts", "avi", "nut", "y4m"], every: 6),
            [0.3, 0.61, 0.9])
        func aCutOffInputIsUsedAsFarAsItGoes(kind: String, share: Double) throws {
            let whole = try Data(contentsOf: clip(kind))
            let good = try clips().pattern("damage-b", frames: 40)
            let cut = folder / "cut.\(kind)"
            // Not a multiple of a transport stream's packet size, 188 bytes.
            let size = Int(Double(whole.count) * share) / 188 * 188 + 77
            try whole.prefix(size).write(to: cut)
            let out = folder / "out.mp4"
            let arguments = ["--transition", "cut", "-y", "--preset", "ultrafast", out]
            let run = try succeed([cut, good] + arguments)
            let count = try decodableFrames(cut)
            #expect(count > Int(share * 75) - 12 && count < 75)
            let found = try Judge.frameHashes(out).count - 40
            #expect((count - 4...count + 4).contains(found), "\(found) of \(count) frames")
            #expect(try Judge.complaints(out) == "")
            #expect(warnings(run).contains { $0.contains("cut.\(kind)") }, "\(run.messages)")
            try FileManager.default.removeItem(atPath: out)
            try expectExit([cut, good, "--strict"] + arguments, 65, saying: "cut.\(kind)", lines: 1)
            let piped = try Tool.run(
                "/bin/sh",
                ["-c", "cat \"$1\" | { shift; \"$0\" - \"$@\"; }", Places.program(), cut, good, "--strict"] + arguments)
            #expect(piped.status == 65 && piped.messageLines.count == 1, "\(piped.story)")
            #expect(piped.messages.contains("standard input"), "\(piped.messages)")
            #expect(try folder.names == ["cut.\(kind)"])
        }

        /// An FLV file that ends anywhere but between two tags is recognized as cut off: within a tag, within the size
        /// field that follows it, or within the next tag's header.
        @Test func everyCutWithinATagIsSeen() throws {
            // As in an unfinished recording, the header doesn't state the duration.
            let clip = try clips().make("damage-live.flv", "-i \(clip("flv")) -c copy -flvflags no_duration_filesize")
            let whole = try Data(contentsOf: clip)
            let stream = ["-select_streams", "a:0", "-show_entries", "packet=pos"]
            let packets = try Judge.probe(clip, stream)["packets"] as? [[String: Any]] ?? []
            let begin = try #require(packets[packets.count / 2]["pos"].flatMap { Int("\($0)") })
            for cut in Places.some(Array(-4...15), every: 3) where cut != 0 {
                let path = folder / "cut\(cut).flv"
                try whole.prefix(begin + cut).write(to: path)
                let run = try CommandTests.run([path, path, "--strict", "--transition", "cut", folder / "out.mp4"])
                #expect(run.status == 65 && run.messages.contains("cut off"), "\(cut): \(run.story)")
            }
        }

        /// A transport stream that ends within one of its 188-byte packets is recognized as cut off, even at a distance
        /// from a frame's beginning that is a multiple of 192 or 204 bytes, the other packet sizes.
        @Test func everyCutWithinATransportPacketIsSeen() throws {
            let whole = try Data(contentsOf: clip("ts"))
            let good = try clips().pattern("damage-b", frames: 40)
            let starts = try Tool.succeed(
                "ffprobe", "-v error -show_entries packet=pos -of csv=p=0 \(clip("ts"))"
            ).text.split(whereSeparator: { !$0.isNumber }).compactMap { Int($0) }.sorted()
            let cuts = starts.dropFirst(40).prefix(30).flatMap { start in
                [192, 204].flatMap { size in (1...10).map { start + $0 * size } }.filter { ($0 - start) % 188 != 0 }
            }.filter { $0 < whole.count }
            try #require(cuts.count >= 3)
            for cut in [cuts[0], cuts[cuts.count / 2], cuts[cuts.count - 1]] {
                try whole.prefix(cut).write(to: folder / "cut.ts")
                let run = try CommandTests.run(
                    [folder / "cut.ts", good, "--strict", "--transition", "cut", "-y", folder / "out.mkv"])
                #expect(run.status == 65 && run.messages.contains("cut.ts"), "\(cut): \(run.story)")
            }
        }

        /// A file that is cut off before its first frame is refused, and a whole file is used without a message.
        @Test(arguments: Places.some(["mp4", "mkv", "webm", "flv", "ts", "avi", "nut", "y4m"], every: 4))
        func nothingIsRefusedAndAllIsFine(kind: String) throws {
            let good = try clips().pattern("damage-b", frames: 40)
            let cut = folder / "cut.\(kind)"
            try Data(contentsOf: clip(kind)).prefix(20).write(to: cut)
            try expectExit([cut, good, folder / "out.mp4"], 65, saying: "cut.\(kind)", lines: 1)
            #expect(try folder.names == ["cut.\(kind)"])
            let arguments = ["--strict", "--preset", "ultrafast", "-y", folder / "out.mp4"]
            let fine = try succeed([clip(kind), good] + arguments)
            #expect(fine.messages == "")
            let piped = try Tool.run(
                "/bin/sh",
                ["-c", "cat \"$1\" | { shift; \"$0\" - \"$@\"; }", Places.program(), clip(kind), good] + arguments)
            #expect(piped.status == 0 && piped.messages == "", "\(piped.story)")
        }

        /// A connection that breaks is an I/O error and not the clip's end, whichever error the system reports.
        @Test(arguments: ["nut", "mp4"]) func aBrokenConnectionIsNoEnd(kind: String) throws {
            let good = try clips().pattern("damage-b", frames: 40)
            let script = """
                import socket, struct, subprocess, sys
                data = open(sys.argv[2], "rb").read()
                server = socket.create_server(("127.0.0.1", 0))
                client = socket.create_connection(server.getsockname())
                reader, _ = server.accept()
                child = subprocess.Popen([sys.argv[1], "-"] + sys.argv[3:], stdin=reader, stdout=subprocess.DEVNULL)
                reader.close()
                client.sendall(data[:len(data) * 6 // 10])
                # All of it has arrived when nothing of it waits to be read on the other side; then the connection is reset.
                import array, fcntl, termios
                left = array.array("i", [1])
                while left[0]:
                    fcntl.ioctl(client, termios.TIOCOUTQ, left)
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
                sys.exit(child.wait())
                """
            let run = try Tool.run(
                "python3", "-c \(script) \(Places.program()) \(clip(kind)) \(good) --preset ultrafast",
                "-f nut \(folder / "out.nut")")
            #expect(run.status == 74 && run.messageLines.count == 1, "\(run.story)")
            #expect(try folder.names == [])
        }

        /// Decoding errors from overwritten bytes are counted in the report and warned of, and --strict stops at them.
        @Test func damageIsCountedAndStrictStopsAtIt() throws {
            let good = try clips().pattern("damage-b", frames: 40)
            var data = try Data(contentsOf: clip("mkv"))
            var numbers = SplitMix64(seed: 4)
            for _ in 0..<200 {
                data[numbers.integer(in: data.count / 3...data.count * 2 / 3)] = UInt8.random(
                    in: 0...255, using: &numbers)
            }
            let broken = folder / "broken.mkv"
            try data.write(to: broken)
            let out = folder / "out.mp4"
            let run = try succeed([broken, good, "--report", folder / "report.json", out])
            #expect(warnings(run).contains { $0.contains("broken.mkv") && $0.contains("decoding errors") })
            #expect(try Judge.complaints(out) == "")
            #expect(try Judge.frameHashes(out).count == plannedFrames([broken, good]))
            let report = try JSONValue(Data(contentsOf: folder / "report.json"))
            let counts = try #require((report.value as? [String: Any])?["concealedErrors"] as? [Int])
            #expect(counts.count == 2 && counts[0] > 0 && counts[1] == 0)
            let before = try Data(contentsOf: out)
            try expectExit([broken, good, "--strict", "-y", out], 65, saying: "broken.mkv", lines: 1)
            #expect(try Data(contentsOf: out) == before)
            let sound = try CommandTests.run([clip("mkv"), good, "--strict", "-y", out])
            #expect(sound.status == 0 && sound.messages == "", "\(sound.story)")
        }

        /// A clip that another program truncates during the run is named in a warning, and the output keeps its length.
        /// The output's reader keeps the run going: it takes the first bytes and then none until the clip is truncated.
        @Test func anInputThatChangesMeanwhileIsNamed() throws {
            let long = try clips().long()
            let good = try clips().pattern("damage-b", frames: 40)
            let copy = folder / "copy.mkv"
            try FileManager.default.copyItem(atPath: long, toPath: copy)
            let size = try Data(contentsOf: long).count
            let out = folder / "out.nut"
            let script =
                "\"$0\" \"$1\" \"$2\" --preset ultrafast -f nut - | { head -c 20000; truncate -s $4 \"$1\"; cat; } > \"$3\""
            let run = try Tool.run(
                "bash", ["-o", "pipefail", "-c", script, Places.program(), copy, good, out, "\(size / 2)"])
            #expect(run.status == 0, "\(run.story)")
            #expect(
                warnings(run).contains { $0.contains("copy.mkv: the file was changed while it was read") },
                "\(run.messages)")
            #expect(try Judge.frameHashes(out).count == Clips.longFrames + 40 - 15)
        }
    }
}

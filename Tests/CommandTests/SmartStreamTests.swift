import TestSupport
import Testing

extension CommandTests {
    /// The headers of joined H.264 streams conform to ITU-T H.264.
    @Suite(.serialized) struct SmartStreamTests {
        private static let total = 185

        /// A clip of 100 frames at 30 frames per second.
        private func clip(_ name: String, hue: Int = 0, size: String = "320x180", _ settings: [String]) throws -> String
        {
            try clips().make(
                name, "-f lavfi -i testsrc2=s=\(size):r=30:d=1000 -frames:v 100 -vf hue=h=\(hue),format=yuv420p",
                "-c:v libx264 -g 30 -sc_threshold 0 -colorspace bt709 -color_primaries bt709 -color_trc bt709",
                "\(settings)")
        }

        /// The header fields that have one of `names`, in the order in which ffmpeg's trace_headers filter reads them.
        private func headers(_ path: String, _ names: Set<String>) throws -> [(name: String, value: Int)] {
            let run = try Tool.succeed(
                "ffmpeg", "-nostdin -v verbose -i \(path) -map 0:v -c copy -bsf:v trace_headers -f null -")
            return run.messages.split(separator: "\n").compactMap { line in
                let words = line.split(separator: " ")
                guard words.first == "[trace_headers", let name = words.dropFirst(4).first,
                    names.contains(String(name)),
                    let value = words.last.flatMap({ Int($0) })
                else { return nil }
                return (String(name), value)
            }
        }

        /// Lossless H.264 has a profile of its own, so that nothing is copied, which is known before the run begins.
        @Test func losslessEncodingCopiesNothing() throws {
            let folder = try TemporaryFolder()
            let a = try clip("stream-plain.mp4", [])
            let arguments = [a, a, "--duration", "15f", "--crf", "0", "--preset", "ultrafast"]
            let run = try succeed(arguments + ["--render", "auto", folder / "auto.mp4"])
            #expect(run.messageLines.count == 1 && run.messages.contains("copied 0 of 185"), "\(run.messages)")
            #expect(run.messages.contains("--crf 0 is lossless"))
            try succeed(arguments + [folder / "full.mp4"])
            let files = try ["auto.mp4", "full.mp4"].map { try Data(contentsOf: folder / $0) }
            let isSame = files[0] == files[1]
            #expect(isSame)
            let smart = try CommandTests.run(arguments + ["--render", "smart", folder / "no.mp4"])
            #expect(smart.status == 64 && smart.messages.contains("lossless"), "\(smart.story)")
        }

        /// No seam changes the decoded picture buffer's size, and the level's limit on reference frames is kept: level
        /// 3.1 holds 18000 macroblocks, five frames of 1280x720 (ITU-T H.264 table A-1).
        @Test(arguments: Places.some([("slower", 5), ("medium", 5), ("slower", 2)], every: 3))
        func theBufferIsTheClipsAndTheLevels(preset: String, references: Int) throws {
            let folder = try TemporaryFolder()
            let a = try clip(
                "stream-level-\(references).mp4", size: "1280x720",
                ["-preset", "veryfast", "-level", "3.1", "-refs", "\(references)", "-bf", "0"])
            let out = folder / "out.mp4"
            try succeed([a, a, "--duration", "15f", "--render", "smart", "--preset", preset, "--no-audio", out])
            let own = try headers(a, ["max_dec_frame_buffering"]).map(\.value)
            let found = try headers(out, ["level_idc", "max_num_ref_frames", "max_dec_frame_buffering"])
            let levels = found.filter { $0.name == "level_idc" }.map(\.value)
            let buffers = found.filter { $0.name == "max_dec_frame_buffering" }.map(\.value)
            try #require(own.count == 1)
            #expect(Set(levels) == [31])
            #expect(Set(buffers) == Set(own), "no seam changes the size of the buffer")
            #expect(found.filter { $0.name == "max_num_ref_frames" }.allSatisfy { $0.value <= 5 }, "\(found)")
        }

        /// The numbers of the sync samples, counted from 1, that the file lists (ISO/IEC 14496-12 8.6.2).
        private func syncSamples(_ path: String) throws -> [Int] {
            let bytes = [UInt8](try Data(contentsOf: path))
            let name = Array("stss".utf8)
            let place = try #require(
                bytes.indices.dropLast(16).first { bytes[$0] == name[0] && Array(bytes[$0..<$0 + 4]) == name })
            let number = { (at: Int) in bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
            return (0..<number(place + 8)).map { number(place + 12 + 4 * $0) }
        }

        /// Decoding from a recovery point shows damage at first, so only IDR pictures are sync samples.
        @Test(
            arguments: Places.some(
                [
                    ("intra-refresh", ["-x264-params", "intra-refresh=1"]), ("open", ["-x264-params", "open-gop=1"]),
                ], every: 2))
        func onlyIDRPicturesAreSyncSamples(kind: String, settings: [String]) throws {
            let folder = try TemporaryFolder()
            let a = try clip("stream-\(kind).mp4", settings)
            let b = try clip("stream-closed.mp4", hue: 90, [])
            let out = folder / "out.mp4"
            try succeed([a, b, "--duration", "15f", "--render", "smart", "--no-audio", out])
            // The types of the slices' NAL units: 5 in IDR pictures, 1 in others.
            let types = try headers(out, ["nal_unit_type"]).map(\.value).filter { $0 == 1 || $0 == 5 }
            let pictures = try headers(out, ["nal_unit_type", "first_mb_in_slice"])
            var kinds: [Int] = []
            var latest = 0
            for (name, value) in pictures {
                if name == "nal_unit_type" { latest = value } else if value == 0 { kinds.append(latest) }
            }
            try #require(kinds.count == Self.total && !types.isEmpty)
            let meant = kinds.indices.filter { kinds[$0] == 5 }.map { $0 + 1 }
            #expect(try syncSamples(out) == meant)
            let own = try syncSamples(a)
            #expect(own.count > 1, "the clip calls its recovery points keyframes: \(own)")
            // Every seek decodes without errors.
            #expect(try Judge.complaints(out) == "")
            let hashes = try Judge.frameHashes(out)
            for frame in stride(from: 3, to: Self.total, by: 29) {
                let found = try Judge.frameHash(out, at: (Double(frame) - 0.5) / 30)
                #expect(found == (hashes[frame], ""), "frame \(frame)")
            }
        }

        /// Consecutive IDR pictures have different values of idr_pic_id (7.4.3), across seams as well.
        @Test(arguments: Places.some(["mp4", "ts"], every: 2))
        func neighboringIDRPicturesAreToldApart(container: String) throws {
            let folder = try TemporaryFolder()
            let a = try clip("stream-idr-a.mp4", ["-g", "1"])
            let b = try clip("stream-idr-b.mp4", hue: 90, ["-g", "1"])
            let c = try clip("stream-odd.mp4", hue: 40, ["-g", "1", "-frames:v", "41"])
            let out = folder / "out.\(container)"
            try succeed([a, c, b, a, "--transition", "cut", "--render", "smart", "--no-audio", out])
            let identities = try headers(out, ["idr_pic_id"]).map(\.value)
            try #require(identities.count == 341)
            #expect(zip(identities, identities.dropFirst()).allSatisfy { $0 != $1 })
            #expect(try Judge.complaints(out) == "")
            let own = try [a, c, b, a].flatMap { try Judge.frameHashes($0) }
            #expect(try Judge.frameHashes(out) == own)
        }

        /// A clip is not copied if its parameter sets change under the same ID in the middle of the stream.
        @Test func setsThatChangeOnTheWayAreNotCopied() throws {
            let folder = try TemporaryFolder()
            let parts = try [("high", "3"), ("main", "1")].map { profile, references in
                try clip("stream-change-\(profile).ts", ["-profile:v", profile, "-refs", references])
            }
            try "file '\(parts[0])'\nfile '\(parts[1])'\n".write(
                toFile: folder / "list", atomically: true, encoding: .utf8)
            let changing = folder / "changing.ts"
            try Tool.ffmpeg("-f concat -safe 0 -i \(folder / "list") -c copy \(changing)")
            let run = try CommandTests.run([changing, parts[0], "--render", "smart", folder / "no.mp4"])
            #expect(run.status == 65 && run.messages.contains("within the stream"), "\(run.story)")
            let auto = try succeed([changing, parts[0], "--duration", "15f", "--render", "auto", folder / "out.mp4"])
            #expect(auto.messages.contains("within the stream"), "\(auto.messages)")
            #expect(try Judge.video(folder / "out.mp4").frameCount == 285)
            #expect(try Judge.complaints(folder / "out.mp4") == "")
        }
    }
}

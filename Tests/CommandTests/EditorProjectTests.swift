import TestSupport
import Testing

extension CommandTests {
    /// Projects that Kdenlive 22.12, Shotcut 22.12 and Flowblade 2.8 saved after cutting, mixing and changing clips in their
    /// windows, rendered as melt renders them. The files that they name have the same names, sizes, rates and lengths as those
    /// in the editors; what they say of their contents was removed, and from all of Kdenlive's but cuts.kdenlive what only its
    /// window reads.
    @Suite(.serialized, .enabled(if: PluginTests.has("melt"), "needs melt")) struct EditorProjectTests {
        /// The projects with their media, made once.
        private static let stage = Result { try Stage() }

        private struct Stage {
            let folder = TemporaryFolder.make()

            init() throws {
                let saved = Places.package + "/Tests/Tools/mlt/"
                for name in try FileManager.default.contentsOfDirectory(atPath: saved) {
                    try folder.add(saved + name, as: name)
                }
                // What Kdenlive makes of a project when it shows smaller copies of a film.
                let resource = #"<property name="resource">c640.mp4</property>"#
                let proxy = "proxy/b070976e852620063034498d30340ff9.mkv"
                let cuts = try String(contentsOf: folder / "cuts.kdenlive")
                try #require(cuts.contains(resource))
                try cuts.replacing(
                    resource,
                    with: resource.replacing("c640.mp4", with: proxy)
                        + #"<property name="kdenlive:proxy">\#(proxy)</property>"#
                        + #"<property name="kdenlive:originalurl">c640.mp4</property>"#
                ).write(to: folder / "proxies.kdenlive")
                let films = [
                    ("a320", "bunny", 25, "320:180", 200, 440), ("b320", "flower", 25, "320:180", 150, 660),
                    ("c640", "flower", 25, "640:360", 125, 550), ("d320_30", "bunny", 30, "320:180", 150, 880),
                ]
                for (name, source, rate, size, frames, tone) in films {
                    let seconds = Double(frames) / Double(rate)
                    try Tool.ffmpeg(
                        "-stream_loop 9 -i \(Places.package)/Media/\(source).mp4 -f lavfi",
                        "-i sine=f=\(tone):r=48000:d=\(seconds) -map 0:v -map 1:a",
                        "-vf fps=\(rate),scale=\(size),format=yuv420p,eq=brightness=0.004*mod(n\\,40)-0.08:eval=frame",
                        "-frames:v \(frames) -c:v libx264 -g 25 -crf 16 -c:a aac -ac 2 -b:a 96k",
                        "-colorspace bt709 -color_primaries bt709 -color_trc bt709 -color_range tv \(folder / name).mp4"
                    )
                }
                try Tool.ffmpeg("-f lavfi -i sine=f=330:r=24000:d=6 -ac 1 \(folder / "e.wav")")
                try Tool.ffmpeg("-f lavfi -i testsrc2=s=320x180 -frames:v 1 \(folder / "pic.png")")
                for name in ["fb_5fff3aff9617f9984218a36f0dfc56e9.png", "fb_700e1ffaa57e62a90020a74a3fd28c32.png"] {
                    try Tool.ffmpeg("-f lavfi -i color=black:s=320x180 -frames:v 1 \(folder / name)")
                }
                for name in ["fb_wipe.pgm", "wipe_x.pgm"] {
                    try Tool.ffmpeg(
                        "-f lavfi -i gradients=s=320x180:c0=black:c1=white -frames:v 1 -pix_fmt gray \(folder / name)")
                }
            }

            /// What melt itself makes of a project, losslessly.
            func reference(_ name: String, frames: Int) throws -> String {
                let path = folder / "\(name).melt.mkv"
                if FileManager.default.fileExists(atPath: path) { return path }
                try MeltRun.succeed(
                    [
                        folder / name, "in=0", "out=\(frames - 1)", "-consumer", "avformat:\(path)", "f=matroska",
                        "vcodec=ffv1",
                        "acodec=pcm_f32le", "real_time=-1",
                    ], writing: path,
                    // With Debian's plugins for frei0r, which put Kdenlive's tracks together.
                    environment: [
                        "QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":none", "FREI0R_PATH": "/usr/lib/frei0r-1",
                    ])
                return path
            }

            func output(_ name: String, _ words: Words...) throws -> String {
                let path = folder / "out.mkv"
                try succeed("\(folder / name) \(path) -y --audio-codec pcm_f32le \(words.list)")
                return path
            }
        }

        private func plan(_ name: String, _ stage: Stage) throws -> [String: Any] {
            try planJSON([stage.folder / name, stage.folder / "out.mkv", "--render", "auto"])
        }

        /// How much the sound of `path` differs from that of `reference`, which has as many samples.
        private func checkSound(_ path: String, _ reference: String, within limit: Float) throws {
            let (own, other) = (try Judge.samples(path), try Judge.samples(reference))
            try #require(own.count == other.count && !own.isEmpty)
            let worst = zip(own, other).map { ($0 - $1).magnitude }.max() ?? 0
            #expect(worst <= limit, "\(worst)")
        }

        /// Rendered wholly by melt, frames and sound are melt's, bit for bit. For projects of Kdenlive, the background of 20
        /// minutes has no part in it.
        @Test(
            .turn(0, of: 2),
            arguments: Places.some(
                [
                    ("cuts.kdenlive", 235), ("mixes.kdenlive", 235), ("titles.kdenlive", 250), ("nested.kdenlive", 225),
                    ("compositions.kdenlive", 250), ("shotcut-effects.mlt", 225), ("shotcut-over.mlt", 225),
                    ("shotcut-speed.mlt", 251),
                    ("flowblade-cuts.mlt", 235), ("flowblade-compositions.mlt", 225),
                ], every: 7))
        func fullRenderingIsMelts(name: String, frames: Int) throws {
            let stage = try Self.stage.get()
            let reference = try stage.reference(name, frames: frames)
            let output = try stage.output(name, "--render full --video-codec ffv1")
            let hashes = try Judge.frameHashes(output)
            #expect(try hashes.count == frames && hashes == Judge.frameHashes(reference))
            try checkSound(output, reference, within: 0)
        }

        /// Plain ranges are copied, which keeps the sources' frames; all others are like melt's, and so is the sound.
        @Test(
            arguments: Places.some(
                [
                    ("shotcut-cuts.mlt", 235, 100), ("cuts.kdenlive", 235, 100), ("shotcut-mixes.mlt", 216, 30),
                    ("shotcut-over.mlt", 225, 40), ("titles.kdenlive", 250, 50), ("mixes.kdenlive", 235, 30),
                    ("flowblade-cuts.mlt", 235, 100),
                    ("proxies.kdenlive", 235, 100),
                ], every: 6))
        func plainRangesAreCopied(name: String, frames: Int, least: Int) throws {
            let stage = try Self.stage.get()
            let output = try stage.output(name, "--render auto --crf 1")
            let hashes = try Judge.frameHashes(output)
            #expect(hashes.count == frames)
            let plan = try plan(name, stage)
            let inputs = try #require(plan["inputs"] as? [[String: Any]])
            var copied: Set<Int> = []
            for segment in plan["segments"] as? [[String: Any]] ?? [] where segment["isCopied"] as? Bool == true {
                let start = try #require(segment["start"] as? Int)
                let count = try #require(segment["frames"] as? Int)
                let input = inputs[try #require(segment["input"] as? Int)]
                let path = try #require(input["path"] as? String)
                let first =
                    Int(((input["usedStart"] as? Double ?? 0) * 25).rounded()) + (segment["firstFrame"] as? Int ?? 0)
                #expect(
                    try Array(hashes[start..<start + count]) == Array(Judge.frameHashes(path)[first..<first + count]))
                copied.formUnion(start..<start + count)
            }
            #expect(copied.count >= least, "\(copied.count) frames are copied")
            let reference =
                name == "proxies.kdenlive"
                ? try stage.reference("cuts.kdenlive", frames: 235) : try stage.reference(name, frames: frames)
            try checkSound(output, reference, within: 1 / 4096)
            // Kdenlive 22.12 converts all frames to RGB and back, and other projects the chroma of plain ones.
            for (frame, psnr) in try Judge.psnr(output, reference).enumerated() {
                let isMelts = !copied.contains(frame)
                #expect(psnr >= (name.hasSuffix("kdenlive") ? 30 : isMelts ? 38 : 33), "frame \(frame): \(psnr) dB")
            }
        }

        /// What melt renders is encoded once, from frames that are melt's bit for bit.
        @Test(.turn(1, of: 2)) func whatMeltRendersIsLikeIts() throws {
            let stage = try Self.stage.get()
            let output = try stage.output("shotcut-effects.mlt", "--render auto --crf 2")
            let psnr = try Judge.psnr(output, stage.reference("shotcut-effects.mlt", frames: 225))
            #expect(psnr.count == 225 && psnr.min() ?? 0 >= 45, "\(psnr.min() ?? 0)")
        }

        /// `check` finds the clips' own packets where they were copied, and compares what was encoded.
        @Test func checkTellsCopiedFromEncoded() throws {
            let stage = try Self.stage.get()
            let output = try stage.output("shotcut-cuts.mlt", "--render auto")
            let parts = ["a320.mp4#t=1,3", "b320.mp4#t=2,4", "c640.mp4#t=0.4,2.44", "d320_30.mp4#t=0.44,3.04"]
            let run = try run(["check", output] + parts.map { stage.folder / $0 } + ["--json"])
            let report = try #require(try JSONSerialization.jsonObject(with: run.output) as? [String: Any])
            #expect(report["copied"] as? Int == 100 && report["encoded"] as? Int == 135)
            let copied = (report["parts"] as? [[String: Any]] ?? []).filter { $0["kind"] as? String == "copied" }
            #expect(copied.map { $0["sourceFrame"] as? Int } == [25, 50])
            #expect(copied.map { $0["count"] as? Int } == [50, 50])
            // What isn't a source's is said of the gap alone, and of frames that another rate shows again.
            let findings = report["findings"] as? [[String: Any]] ?? []
            #expect(findings.first?["frame"] as? Int == 100 && findings.first?["count"] as? Int == 20)
            #expect(findings.allSatisfy { ($0["frame"] as? Int ?? 0) >= 100 }, "\(findings)")
        }

        /// A project is a source of its own film: `check` then knows which parts are there, and which frames only the project has.
        @Test func projectsAreSourcesOfChecks() throws {
            let stage = try Self.stage.get()
            let (output, project) = (
                try stage.output("titles.kdenlive", "--render auto"), stage.folder / "titles.kdenlive"
            )
            let good = try run(["check", output, project, "--json"])
            let report = try #require(try JSONSerialization.jsonObject(with: good.output) as? [String: Any])
            #expect(good.status == 0 && (report["findings"] as? [Any])?.isEmpty == true, "\(good.story)")
            #expect((report["notes"] as? [String])?.contains { $0.contains("the project makes them") } == true)
            // The frames of the film that are, bit for bit, those of the file that the project's last clip shows from 1 s on.
            let (own, source) = (try Judge.frameHashes(output), try Judge.frameHashes(stage.folder / "b320.mp4"))
            let same = (0..<100).filter { own[150 + $0] == source[25 + $0] }
            #expect(report["copied"] as? Int == same.count && same.count >= 50, "\(same.count)")
            // A frame that is lost is found, wherever the project says where frames belong.
            let shorter = stage.folder / "shorter.mkv"
            try Tool.ffmpeg("-y -i \(output) -map 0 -c copy -bsf:v noise=drop='eq(n\\,240)' \(shorter)")
            let other = try run(["check", shorter, project])
            #expect(other.status == 65 && other.text.contains("b320.mp4"), "\(other.story)")
            let two = try run(["check", output, project, stage.folder / "b320.mp4"])
            #expect(two.status == 64 && two.messages.contains("only source"))
        }

        @Test func thePlanSaysWhatMeltRendersAndWhy() throws {
            let stage = try Self.stage.get()
            let inputs = try #require(try plan("shotcut-over.mlt", stage)["inputs"] as? [[String: Any]])
            let reasons = inputs.compactMap { $0["renderedReason"] as? String }
            #expect(reasons == ["filter dynamictext", "its size is not the project's 320x180"])
            #expect(inputs.compactMap { $0["renderedBy"] as? String } == ["melt", "melt"])
            let text = try succeed(
                "plan \(stage.folder / "shotcut-over.mlt") \(stage.folder / "out.mkv") --render auto"
            ).text
            #expect(text.contains("rendered by melt: filter dynamictext"))
        }

        @Test func mixesAreDrawnHere() throws {
            let stage = try Self.stage.get()
            let joins = try #require(try plan("shotcut-mixes.mlt", stage)["joins"] as? [[String: Any]])
            #expect(joins.contains { $0["style"] as? String == "dissolve" && $0["frames"] as? Int == 18 })
        }

        /// Nothing outside the project's folder is opened, whether a project is rendered or refused.
        @Test(
            .enabled(if: FileTrace.works, Comment(rawValue: FileTrace.isMissing)),
            arguments: ["titles.kdenlive", "hostile.mlt"])
        func onlyTheProjectsFilesAreOpened(name: String) throws {
            let stage = try Self.stage.get()
            let outside = TemporaryFolder.make()
            try Data("secret".utf8).write(to: outside / "secret.png")
            try String(contentsOf: stage.folder / "titles.kdenlive").replacing("pic.png", with: outside / "secret.png")
                .write(to: stage.folder / "hostile.mlt")
            let temporary = TemporaryFolder.make()
            let trace = FileTrace(in: outside)
            let words = trace.words + [try Places.program(), stage.folder / name, stage.folder / "traced.mp4", "-y"]
            let run = try Tool.run(
                words[0], Array(words.dropFirst()), timeout: 300,
                environment: ["TMPDIR": temporary.path, "HOME": temporary.path])
            #expect(run.status == (name == "hostile.mlt" ? 65 : 0), "\(run.story)")
            let real = { (path: String) in URL(fileURLWithPath: path).resolvingSymlinksInPath().path }
            // Bubblewrap's own folders, in which everything else is out of sight, are in /tmp.
            let strays = try FileTrace.strays(
                try trace.paths(from: stage.folder.path).filter {
                    !$0.hasPrefix("/newroot") && !$0.hasPrefix("/oldroot")
                },
                beside: [stage.folder.path, temporary.path, real(stage.folder.path), real(temporary.path)])
            #expect(!strays.contains { $0.hasPrefix(outside.path) || $0.hasSuffix("secret.png") }, "\(strays)")
        }

        /// Whether a process called melt has been started by the process or by one of those that it has started.
        private static func runsMelt(below process: Int32) -> Bool {
            // Each thread has children of its own.
            let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
            let children = threads.map { (try? String(contentsOf: "/proc/\(process)/task/\($0)/children")) ?? "" }
            return children.joined(separator: " ").split(separator: " ").compactMap { Int32($0) }.contains { child in
                (try? String(contentsOf: "/proc/\(child)/comm"))?.hasPrefix("melt") == true || runsMelt(below: child)
            }
        }

        /// Whoever ends the program ends melt, and leaves nothing behind.
        @Test func interruptionsEndMelt() throws {
            let stage = try Self.stage.get()
            let temporary = TemporaryFolder.make()
            var wasSeen = false
            let run = try run(
                "\(stage.folder / "compositions.kdenlive") \(stage.folder / "cut-short.mp4")",
                watch: { tool in
                    guard Self.runsMelt(below: tool.process) else { return false }
                    wasSeen = true
                    kill(tool.process, SIGTERM)
                    return true
                }, environment: ["TMPDIR": temporary.path])
            #expect(wasSeen, "melt has not been started")
            #expect(run.status == 130 && run.messageLines.count == 1, "\(run.story)")
            #expect(try SignalTests.processes(using: temporary) == [])
            #expect(!FileManager.default.fileExists(atPath: stage.folder / "cut-short.mp4"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
        }
    }
}

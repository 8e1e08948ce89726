import FlipTransition
import Synchronization
import TestSupport
import Testing

/// The Swift library's public interface; ffprobe, ffmpeg and the program's own output verify the results.
@Suite(.serialized) struct RenderTests {
    let folder = TemporaryFolder.make()

    /// Two clips of 20 and 15 frames at 25 frames per second.
    static func clips() throws -> (a: String, b: String) {
        let clips = try Clips.shared.get()
        return try (
            clips.pattern("library-a", frames: 20, sound: true), clips.pattern("library-b", frames: 15, hue: 120)
        )
    }

    static func lossless(_ path: String) -> Output {
        var output = Output(path)
        output.videoCodec = "ffv1"
        return output
    }

    @Test func whatIsRenderedIsThePlanAndTheProgramsOutput() async throws {
        let (a, b) = try Self.clips()
        let fold = try Transition(Styles.fold, .mode(.cubic), .easing("cubic-out"), length: .frames(7))
        let composition = Composition(
            [Clip(a), Clip(b, from: .milliseconds(200)), Clip(a)], transitions: [fold, .cut])
        var output = Self.lossless(folder / "out.mkv")
        output.threads = 2
        let plan = try await composition.plan(output)
        #expect(plan.frames == 20 + 10 - 7 + 20 && plan.transitions == [13..<20, 23..<23])
        #expect(plan.duration == .milliseconds(43 * 40) && plan.frameRate == 25)
        #expect(plan.size == Output.Size(width: 160, height: 90) && plan.warnings.isEmpty)
        #expect(plan.description.contains("fold=mode=cubic:easing=cubic-out"))

        let seen = Mutex<[RenderProgress]>([])
        let summary = try await plan.render { progress in seen.withLock { $0.append(progress) } }
        let steps = seen.withLock { $0 }
        #expect(steps.map(\.frames) == Array(1...43) && steps.allSatisfy { $0.total == 43 })
        #expect(steps.last?.fraction == 1)
        #expect(summary.framesEncoded == 43 && summary.framesCopied == 0 && summary.warnings.isEmpty)
        #expect(try Judge.video(folder / "out.mkv").frameCount == 43)
        let bytes = try FileManager.default.attributesOfItem(atPath: folder / "out.mkv")[.size] as? Int
        #expect(bytes == summary.bytes)

        try Tool.succeed(
            Places.program(), "\(a) \(b + "#t=0.2") \(a) --transition fold=mode=cubic:easing=cubic-out:duration=7f",
            "--transition cut --video-codec ffv1 --threads 2 \(folder / "program.mkv")")
        if Places.usesSystemLibraries {
            #expect(FileManager.default.contentsEqual(atPath: folder / "out.mkv", andPath: folder / "program.mkv"))
        } else {
            // A portable program names its own version of FFmpeg in what it writes.
            #expect(try Judge.frameHashes(folder / "out.mkv") == Judge.frameHashes(folder / "program.mkv"))
        }
    }

    /// With `.auto`, everything is encoded if copying fails: here a damaged clip can't be copied beside a join. With
    /// `.smart`, rendering fails.
    @Test func whereCopyingFailsAllIsEncoded() async throws {
        let clip = try Clips.shared.get().make(
            "library-copied.mp4", "-f lavfi -i testsrc2=s=320x180:r=30:d=1000 -frames:v 100 -c:v libx264",
            "-pix_fmt yuv420p -bf 0 -crf 10 -g 30 -sc_threshold 0")
        try Clips.damage(packet: 82, of: clip, from: 60, as: folder / "damaged.mp4")
        let turn = try Transition(Styles.flip, length: .frames(15))
        let composition = Composition([Clip(folder / "damaged.mp4"), Clip(clip)], transitions: [turn])
        var output = Output(folder / "out.mp4")
        output.rendering = .auto
        let plan = try await composition.plan(output)
        #expect(plan.copiedFrames > 0)
        let summary = try await plan.render()
        #expect(summary.framesCopied == 0 && summary.framesEncoded == 185)
        #expect(summary.warnings.contains { $0.hasPrefix("everything is encoded") }, "\(summary.warnings)")
        #expect(try Judge.complaints(folder / "out.mp4") == "")
        output.path = folder / "no.mp4"
        output.rendering = .smart
        let insisting = try await composition.plan(output)
        await #expect(throws: FlipError.self) { try await insisting.render() }
        #expect(try folder.names.sorted() == ["damaged.mp4", "out.mp4"])
    }

    @Test func stillsAreThePrograms() async throws {
        let (a, b) = try Self.clips()
        let card = try Transition(Styles.card, .pullBack(0.7), .shadow(.none))
        let composition = Composition([Clip(a), Clip(a), Clip(b)], transitions: [.cut, card])
        try await composition.writeStill(Output(folder / "still.png"), progress: 0.4, join: 1)
        try Tool.succeed(
            Places.program(), "still \(a) \(b) \(folder / "program.png") --at 0.4 --style card --pull-back 0.7",
            "--shadow none")
        #expect(try Judge.frameHashes(folder / "still.png") == Judge.frameHashes(folder / "program.png"))
        for (join, progress) in [(2, 0.5), (-1, 0.5), (1, 1.5), (1, .nan), (0, 0.5)] {
            await #expect(throws: FlipError.self) {
                try await composition.writeStill(Output(folder / "none.png"), progress: progress, join: join)
            }
        }
        #expect(try folder.names == ["program.png", "still.png"])
    }

    /// A named pipe is read anew each time, and its new content is used.
    @Test(.timeLimit(.minutes(60))) func aPipeIsReadAnewEachTime() async throws {
        let (a, b) = try Self.clips()
        let pipe = folder / "pipe"
        try #require(mkfifo(pipe, 0o600) == 0)
        for (source, count) in [(a, 20), (b, 15), (a, 20)] {
            let feeder = Process()
            feeder.executableURL = URL(fileURLWithPath: "/bin/sh")
            feeder.arguments = ["-c", "cat \"$1\" > \"$2\"", "sh", source, pipe]
            try feeder.run()
            var output = Self.lossless(folder / "out.mkv")
            output.overwrites = true
            _ = try await Composition([Clip(pipe), Clip(b)], .cut).render(output)
            feeder.waitUntilExit()
            #expect(try Judge.video(folder / "out.mkv").frameCount == count + 15)
            let found = try Judge.frameHashes(folder / "out.mkv").prefix(count)
            #expect(Array(found) == (try Judge.frameHashes(source)))
        }
    }

    /// Canceling a task ends its rendering early with a `CancellationError` and leaves the existing file unchanged.
    @Test(.timeLimit(.minutes(60))) func cancellingATaskEndsItsRendering() async throws {
        let (a, b) = try Self.clips()
        let path = folder / "out.mkv"
        try "precious".write(to: path)
        var output = Self.lossless(path)
        output.overwrites = true
        let plan = try await Composition(Array(repeating: Clip(a), count: 40) + [Clip(b)]).plan(output)
        let frames = Atomic(0)
        let (starts, start) = AsyncStream.makeStream(of: Void.self)
        // The rendering stops at its first frame until it is canceled.
        let gate = Gate()
        let task = Task {
            try await plan.render { progress in
                frames.store(progress.frames, ordering: .relaxed)
                start.finish()
                gate.pass()
            }
        }
        for await _ in starts {}
        task.cancel()
        gate.open()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(frames.load(ordering: .relaxed) < plan.frames)
        #expect(try folder.names == ["out.mkv"] && String(contentsOf: path) == "precious")

        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await plan.render()
        }
        late.cancel()
        await #expect(throws: CancellationError.self) { try await late.value }
        #expect(try folder.names == ["out.mkv"])
    }

    /// A transition's sound lands with its page, as in the program.
    @Test func aTransitionHasASound() async throws {
        let clips = try Self.clips()
        var transition = try Transition(Styles.flip, length: .frames(10))
        transition.sound = .page
        transition.sound?.gain = -6
        let plan = try await Composition([Clip(clips.a), Clip(clips.b)], transition).plan(
            Self.lossless(folder / "o.mkv"))
        #expect("\(plan)".contains("sound page: "))
        transition.sound = .file(folder / "gone.wav", mark: .milliseconds(250))
        await #expect(throws: FlipError.self) {
            try await Composition([Clip(clips.a), Clip(clips.b)], transition).plan(Output(folder / "o.mkv"))
        }
        transition.sound?.gain = 30
        let error = await #expect(throws: FlipError.self) {
            try await Composition([Clip(clips.a), Clip(clips.b)], transition).plan(Output(folder / "o.mkv"))
        }
        #expect(error?.kind == .usage)
    }

    /// Renderings must not block the threads of Swift's task pool. More of them run at once than the pool has threads,
    /// and all wait until another task releases them.
    @Test(.timeLimit(.minutes(60))) func renderingsHoldUpNoTask() async throws {
        let (a, b) = try Self.clips()
        let count = ProcessInfo.processInfo.activeProcessorCount + 2
        let gate = Gate()
        let composition = Composition([Clip(a), Clip(b)])
        var plans: [Plan] = []
        for index in 0..<count {
            var output = Self.lossless(folder / "\(index).mkv")
            output.threads = 1
            plans.append(try await composition.plan(output))
        }
        let summaries = try await withThrowingTaskGroup(of: Int.self) { group in
            for plan in plans { group.addTask { try await plan.render { _ in gate.pass() }.framesEncoded } }
            group.addTask {
                while gate.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
                gate.open()
                return 0
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(summaries.filter { $0 > 0 } == Array(repeating: plans[0].frames, count: count))
    }

    @Test func errorsSayWhoseFaultItIs() async throws {
        let (a, b) = try Self.clips()
        let text = folder / "text.mp4"
        try "no film".write(to: text)
        var unknown = Output(folder / "out.mp4")
        unknown.videoCodec = "nonsense"
        var fast = Output(folder / "out.mp4")
        fast.frameRate = Output.FrameRate(25, 0)
        var wide = Output(folder / "out.mp4")
        wide.size = Output.Size(width: 0, height: 90)
        var quality = Output(folder / "out.mp4")
        quality.crf = .infinity
        let out = Output(folder / "out.mp4")
        let cases: [(Composition, Output, FlipError.Kind, String)] = [
            (Composition([Clip(a), Clip(folder / "none.mp4")]), out, .missingInput, "none.mp4"),
            (Composition([Clip(a), Clip(text)]), out, .badInput, "text.mp4"),
            (Composition([Clip(a), Clip(b)]), Output(a), .usage, "input"),
            (Composition([Clip(a), Clip(b)]), Output(folder / "no/out.mp4"), .cannotCreate, "folder"),
            (Composition([Clip(a), Clip(b)]), Output(text), .cannotCreate, "exists"),
            (Composition([Clip(a), Clip(b)]), Output(folder / "out.xyz"), .usage, "out.xyz"),
            (Composition([]), out, .usage, "nothing"),
            (Composition([Clip(a), Clip(b)]), unknown, .missingCodec, "nonsense"),
            (Composition([Clip(a), Clip(b)]), fast, .usage, "frame rate"),
            (Composition([Clip(a), Clip(b)]), wide, .usage, "0x90"),
            (Composition([Clip(a), Clip(b)]), quality, .usage, "crf"),
            (Composition([Clip(a, from: .seconds(3), to: .seconds(2)), Clip(b)]), out, .usage, "ends"),
            (Composition([Clip(a, from: .seconds(-1)), Clip(b)]), out, .usage, "begins"),
        ]
        for (composition, output, kind, word) in cases {
            let error = await #expect(throws: FlipError.self) { _ = try await composition.plan(output) }
            #expect(error?.kind == kind && error?.message.contains(word) == true, "\(String(describing: error))")
            #expect(error?.message.contains("\n") == false)
        }
        #expect(try folder.names == ["text.mp4"])
    }

    /// Every property set on an output takes effect, as ffprobe shows.
    @Test func outputsAreAsAsked() async throws {
        let (a, b) = try Self.clips()
        var output = Output(folder / "out.bin")
        output.format = "matroska"
        output.size = Output.Size(width: 96, height: 96)
        output.frameRate = Output.FrameRate(30000, 1001)
        output.fit = .crop
        output.videoCodec = "libx264"
        output.preset = "ultrafast"
        output.crf = 30
        output.videoOptions = ["g": "1"]
        output.pixelFormat = "yuv444p"
        output.audioCodec = "flac"
        output.audioRate = 32_000
        output.audioLayout = "5.1"
        output.marksClips = true
        var first = Clip(a)
        first.title = "One"
        _ = try await Composition([first, Clip(b)], try Transition(length: .time(.milliseconds(100)))).render(output)
        let video = try Judge.video(folder / "out.bin")
        #expect(video.codec == "h264" && video.width == 96 && video.height == 96 && video.pixelFormat == "yuv444p")
        #expect(video.isEven(atRate: 30000 / 1001.0))
        let facts = try Judge.probe(folder / "out.bin", "-show_format -show_chapters -show_packets -select_streams v")
        let packets = try #require(facts["packets"] as? [[String: Any]])
        #expect(packets.allSatisfy { ($0["flags"] as? String)?.hasPrefix("K") == true })
        #expect((facts["format"] as? [String: Any])?["format_name"] as? String == "matroska,webm")
        let chapters = (facts["chapters"] as? [[String: Any]] ?? []).compactMap { $0["tags"] as? [String: Any] }
        #expect(chapters.first?["title"] as? String == "One" && chapters.count == 2)
        let audio = try #require(try Judge.audio(folder / "out.bin"))
        #expect(audio.codec == "flac" && audio.sampleRate == 32_000 && audio.channels == 6)

        output.path = folder / "silent.mkv"
        output.hasAudio = false
        output.videoBitrate = 1_000_000
        output.crf = nil
        _ = try await Composition([Clip(a), Clip(b)]).render(output)
        #expect(try Judge.audio(folder / "silent.mkv") == nil)

        var edited = Output(folder / "edit.mov")
        edited.presetFor = "edit"
        _ = try await Composition([Clip(a), Clip(b)]).render(edited)
        #expect(try Judge.video(folder / "edit.mov").codec == "prores")
        #expect(try Judge.audio(folder / "edit.mov")?.codec == "pcm_s24le")
    }
}

/// Blocks threads until it is opened.
private final class Gate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let count = Atomic(0)
    private let isOpen = Atomic(false)

    /// The number of threads that have arrived before the gate was opened.
    var waiting: Int { count.load(ordering: .sequentiallyConsistent) }

    func pass() {
        if isOpen.load(ordering: .sequentiallyConsistent) { return }
        count.add(1, ordering: .sequentiallyConsistent)
        semaphore.wait()
        semaphore.signal()
    }

    func open() {
        isOpen.store(true, ordering: .sequentiallyConsistent)
        semaphore.signal()
    }
}

import FlipBase
import FlipRender
import FlipSplice
import TestSupport
import Testing

/// Segments that are rendered one by one into files, as separate processes would do.
@Suite(.serialized) struct SegmentRendererTests {
    let folder = TemporaryFolder.make()

    private func plan(
        _ path: String, crf: Double = 20, overwrites: Bool = false, audioCodec: String? = nil, loudness: Double? = nil
    ) throws -> RenderPlan {
        let clips = try Clips.shared.get()
        var output = OutputSettings(path: path)
        output.crf = crf
        output.audioCodec = audioCodec
        output.loudness = loudness
        output.segments = .every(.frames(17))
        output.threads = 2
        output.overwrites = overwrites
        let inputs = try [
            clips.pattern("renderer-a", frames: 40, sound: true), clips.pattern("renderer-b", frames: 40, hue: 90),
        ]
        return try Planner.plan(
            Composition(
                inputs: inputs.map { ClipSpec(path: $0) },
                transitions: [try TransitionSpec(parsing: "flip=duration=20f")], output: output))
    }

    private func bytes(_ path: String) throws -> Data { try Data(contentsOf: path) }

    /// Renders all segments, the last one first, and the audio.
    private func render(_ plan: RenderPlan, in folder: TemporaryFolder) throws {
        let renderer = SegmentRenderer(plan)
        for index in plan.renderSegments.indices.reversed() { try renderer.render(index, to: folder / "\(index).part") }
        try renderer.renderAudio(to: folder / "sound.part")
    }

    private func join(_ plan: RenderPlan, _ folder: TemporaryFolder) throws {
        let files = try plan.renderSegments.indices.map { try PacketFile(reading: folder / "\($0).part") }
        _ = try plan.join(segments: files, sound: try PacketFile(reading: folder / "sound.part"))
    }

    @Test func segmentsByThemselvesMakeTheSameFile() throws {
        let (folder, parts) = try (TemporaryFolder(), TemporaryFolder())
        let plan = try plan(folder / "alone.mp4")
        // The output has 60 frames with the transition in 20..<40; the cut at 34 lies within the transition.
        #expect(plan.renderSegments == [0..<17, 17..<34, 34..<51, 51..<60])
        try render(plan, in: parts)
        #expect(try parts.names.sorted() == ["0.part", "1.part", "2.part", "3.part", "sound.part"])
        try join(plan, parts)
        _ = try Pipeline(self.plan(folder / "pool.mp4")).run { _ in }
        let areTheSame = try bytes(folder / "alone.mp4") == bytes(folder / "pool.mp4")
        #expect(areTheSame)
        #expect(try Judge.complaints(folder / "alone.mp4") == "")
        #expect(try Judge.frameHashes(folder / "alone.mp4").count == 60)
        #expect(try folder.names.sorted() == ["alone.mp4", "pool.mp4"])
    }

    /// Codecs whose packets are longer than a video frame, and whose last one reaches beyond the last frame.
    @Test(arguments: ["alac", "flac", "pcm_s16le", "libopus"]) func audioEndsWithItsLastPacket(codec: String) throws {
        let (folder, parts) = try (TemporaryFolder(), TemporaryFolder())
        let plan = try plan(folder / "alone.mkv", audioCodec: codec)
        try render(plan, in: parts)
        try join(plan, parts)
        _ = try Pipeline(self.plan(folder / "pool.mkv", audioCodec: codec)).run { _ in }
        let areTheSame = try bytes(folder / "alone.mkv") == bytes(folder / "pool.mkv")
        #expect(areTheSame)
    }

    /// What a segment is made from doesn't depend on where it lies, and changes with what it shows.
    @Test func segmentsAreKnownByTheirContent() throws {
        let first = PartContent(try plan(folder / "a.mp4")) { $0 }
        let second = PartContent(try plan(folder / "b.mp4")) { $0 }
        let other = PartContent(try plan(folder / "c.mp4", crf: 21)) { $0 }
        let changed = PartContent(try plan(folder / "d.mp4")) { $0.contains("renderer-b") ? "changed" : $0 }
        let texts = (0..<4).map { first.segment($0) }
        #expect(Set(texts).count == 4)
        for index in 0..<4 {
            #expect(second.segment(index) == texts[index] && other.segment(index) != texts[index])
            // The first segment, frames 0..<17, shows nothing of the second clip, whose transition begins at 20.
            #expect((changed.segment(index) == texts[index]) == (index == 0), "\(index)")
        }
        let louder = PartContent(try plan(folder / "e.mp4", loudness: -20)) { $0 }
        #expect(louder.segment(0) == texts[0] && louder.audio != first.audio)
        #expect(first.audio == second.audio && first.audio != nil && first.audio == changed.audio)
    }

    /// A segment that is rendered again has the same bytes.
    @Test func aSegmentIsRepeatable() throws {
        let renderer = SegmentRenderer(try plan(folder / "out.mp4"))
        for name in ["first", "second"] { try renderer.render(2, to: folder / name) }
        let areTheSame = try bytes(folder / "first") == bytes(folder / "second")
        #expect(areTheSame)
        #expect(throws: MediaError.self) { try renderer.render(2, to: folder / "second") }
        try renderer.render(2, to: folder / "second", overwrites: true)
        #expect(try folder.names.sorted() == ["first", "second"])
    }

    @Test func foreignAndBrokenSegmentsAreRefused() throws {
        let (folder, parts) = try (TemporaryFolder(), TemporaryFolder())
        let plan = try plan(folder / "out.mp4")
        try render(plan, in: parts)
        let whole = try bytes(parts / "1.part")
        let other = SegmentRenderer(try self.plan(folder / "other.mp4", crf: 30))
        try other.render(1, to: parts / "foreign")
        let broken = try [
            Data(), Data("flippkt1".utf8), whole.prefix(whole.count / 2), whole.dropLast(), whole + [0],
            bytes(parts / "foreign"), bytes(parts / "3.part"), bytes(parts / "sound.part"),
        ]
        for (index, data) in broken.enumerated() {
            try data.write(to: parts / "1.part")
            #expect(throws: MediaError.self, "\(index)") { try join(plan, parts) }
            #expect(try folder.names == [], "\(index)")
        }
        try whole.write(to: parts / "1.part")
        try join(plan, parts)
        #expect(try folder.names == ["out.mp4"])
    }
}

import FlipBase
import FlipFiles
import FlipMedia
import FlipSplice
import Foundation

/// Renders single parts of a plan, that is a segment or the audio, each into a packet file of its own. Where and in
/// which order the parts are rendered makes no difference to the file that they are joined into.
package struct SegmentRenderer: Sendable {
    private let plan: RenderPlan
    private let clocks: StageClocks
    /// Called after every video frame with the size of the segment's file so far, and after each frame's worth of audio
    /// with nil. An error that it throws ends the work.
    private let afterStep: @Sendable (_ bytes: Int?) throws -> Void

    package init(_ plan: RenderPlan) { self.init(plan, StageClocks(plan)) { _ in } }

    init(
        _ plan: RenderPlan, _ clocks: StageClocks, afterStep: @escaping @Sendable (_ bytes: Int?) throws -> Void
    ) {
        self.plan = plan
        self.clocks = clocks
        self.afterStep = afterStep
    }

    /// Renders segment `index` of `plan.renderSegments` into the file at `path`, which appears whole or not at all.
    package func render(_ index: Int, to path: String, overwrites: Bool = false) throws {
        try PacketFile.publish(at: path, overwrites: overwrites) { file in
            _ = try render(index, into: file, threads: plan.threads)
        }
    }

    /// Renders the audio of the whole output into the file at `path`, which appears whole or not at all.
    package func renderAudio(to path: String, overwrites: Bool = false) throws {
        try PacketFile.publish(at: path, overwrites: overwrites) { _ = try renderAudio(into: $0) }
    }

    /// - Parameter threads: the number of threads for decoding and drawing.
    /// - Returns: the damage found in the clips.
    func render(_ index: Int, into file: PacketFile, threads: Int) throws -> ClipDamage {
        let range = plan.renderSegments[index]
        let writer = try SegmentWriter(
            plan.video, in: plan.container, count: range.count, withHolds: plan.hasHolds, into: file,
            clocks: clocks.writing)
        let track = try VideoTrack(plan, clocks, threads: threads)
        try track.forEachPiece(in: range) { piece in
            switch piece {
            case .frame(let frame, let count):
                try writer.write(frame, count: count)
                for _ in 0..<count { try afterStep(file.byteCount) }
            case .copy: preconditionFailure("nothing is copied into segments")
            case .plan: preconditionFailure("segments are planned beforehand")
            }
        }
        try writer.finish()
        return track.damage
    }

    /// - Returns: the track, which knows of damage in the audio; nil if the output has no audio.
    func renderAudio(into file: PacketFile) throws -> AudioMixer? {
        guard let encoding = plan.audio else { return nil }
        let track = AudioMixer(plan, encoding, clock: clocks.writing.audio)
        let encoder = try AudioAssembler(
            encoding, in: plan.container, count: plan.audioSamples, into: file, clock: clocks.writing.audio)
        try track.write(into: encoder) { try afterStep(nil) }
        try file.finish()
        return track
    }
}

extension RenderPlan {
    /// What the video of an output that is rendered in one pass is put together from.
    var parts: TrackAssembler.Parts {
        if let copying { return .copies(copying.track) }
        return holds == .vfr ? .framesOfAnyTime : .holds
    }

    /// The number of samples of each audio channel of the output; 0 if it has no audio.
    var audioSamples: Int { audio.map { sample(atFrame: timeline.frames, of: $0) } ?? 0 }

    /// Whether a picture is shown for so long that only the beginning is encoded.
    var hasHolds: Bool { holds == .cfr && clips.contains { $0.input.isStill } }

    /// A writer of the output for segments that were rendered before.
    func segmentWriter(sound: StreamEncoder?, clocks: WritingClocks) throws -> MediaWriter {
        try MediaWriter(
            path: path, container: container, video: video, of: .stored(withHolds: hasHolds), sound: sound,
            chapters: chapters, overwrite: overwrites, clocks: clocks)
    }

    /// The audio for such a writer, whose file has to be opened yet; nil if the output has none.
    func storedAudio() throws(MediaError) -> StoredAudio? {
        try audio.map { encoding throws(MediaError) in try StoredAudio(encoding, in: container) }
    }

    /// Joins the packet files of all segments, in order, and of the audio into the output.
    /// - Returns: the output's size in bytes.
    package func join(segments: [PacketFile], sound file: PacketFile?) throws -> Int {
        let sound = try storedAudio()
        let writer = try segmentWriter(sound: sound?.model, clocks: WritingClocks())
        do {
            if let file { try sound?.open(file, count: audioSamples) }
            try join(writer, sound, segment: { segments[$0] }) {}
            return try writer.finish()
        } catch {
            writer.cancel()
            throw error
        }
    }

    /// Writes all segments and the audio.
    /// - Parameters:
    ///   - segment: returns the file of a segment, by its number.
    ///   - body: called after each frame.
    func join(
        _ writer: MediaWriter, _ sound: StoredAudio?, segment: (Int) throws -> PacketFile, _ body: () throws -> Void
    ) throws {
        var frames = 0
        var packets = DuePackets()
        for (index, range) in renderSegments.enumerated() {
            try writer.write(segment(index), count: range.count) {
                frames += 1
                try packets.write(before: audioEnd(ofFrame: frames), into: writer) { try sound?.next() }
                try body()
            }
        }
    }
}

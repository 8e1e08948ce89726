import FlipBase
import FlipMedia
import Foundation

/// Renders single parts of a plan, that is a segment or the audio, each into a packet file of its own. Where and in
/// which order the parts are rendered makes no difference to the file that a `SegmentJoiner` joins them into.
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
    package func renderSound(to path: String, overwrites: Bool = false) throws {
        try PacketFile.publish(at: path, overwrites: overwrites) { _ = try renderSound(into: $0) }
    }

    /// - Parameter threads: the number of threads for decoding and drawing.
    /// - Returns: the damage found in the clips.
    func render(_ index: Int, into file: PacketFile, threads: Int) throws -> ClipDamage {
        let range = plan.renderSegments[index]
        let writer = try SegmentWriter(
            plan.video, in: plan.container, count: range.count, into: file, clocks: clocks.writing)
        let track = try VideoTrack(plan, clocks, threads: threads)
        try track.forEachPiece(in: range) { piece in
            switch piece {
            case .frame(let frame, let count):
                for _ in 0..<count {
                    try writer.write(frame)
                    try afterStep(file.byteCount)
                }
            case .copy: preconditionFailure("nothing is copied into segments")
            case .plan: preconditionFailure("segments are planned beforehand")
            }
        }
        try writer.finish()
        return track.damage
    }

    /// - Returns: the track, which knows of damage in the audio; nil if the output has no audio.
    func renderSound(into file: PacketFile) throws -> SoundTrack? {
        guard let encoding = plan.audio else { return nil }
        let track = SoundTrack(plan, encoding, clock: clocks.writing.audio)
        let encoder = try SoundEncoder(
            encoding, in: plan.container, count: plan.soundSamples, into: file, clock: clocks.writing.audio)
        try track.write(into: encoder) { try afterStep(nil) }
        try file.finish()
        return track
    }
}

extension RenderPlan {
    /// The number of samples of each audio channel of the output; 0 if it has no audio.
    var soundSamples: Int { audio.map { sample(atFrame: timeline.frames, of: $0) } ?? 0 }

    /// A joiner that puts the plan's segments together into the output.
    package func joiner() throws(MediaError) -> SegmentJoiner { try joiner(clocks: WritingClocks()) }

    func joiner(clocks: WritingClocks) throws(MediaError) -> SegmentJoiner {
        try SegmentJoiner(
            path: path, container: container, video: video, audio: audio, chapters: chapters, overwrite: overwrites,
            clocks: clocks)
    }

    /// Joins the packet files of all segments, in order, and of the audio into the output.
    /// - Returns: the output's size in bytes.
    package func join(segments: [PacketFile], sound: PacketFile?) throws -> Int {
        let joiner = try joiner()
        do {
            if let sound { try joiner.setSound(sound, count: soundSamples) }
            for (file, range) in zip(segments, renderSegments) { try joiner.append(file, count: range.count) {} }
            return try joiner.finish()
        } catch {
            joiner.cancel()
            throw error
        }
    }
}

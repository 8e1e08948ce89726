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
    /// Called with each frame and the output frames for which it is shown, before it is encoded; may replace it.
    private let watch: FrameWatch?

    package init(_ plan: RenderPlan) { self.init(plan, StageClocks(plan), watch: nil) { _ in } }

    init(
        _ plan: RenderPlan, _ clocks: StageClocks, watch: FrameWatch?,
        afterStep: @escaping @Sendable (_ bytes: Int?) throws -> Void
    ) {
        (self.plan, self.clocks, self.watch, self.afterStep) = (plan, clocks, watch, afterStep)
    }

    /// Renders segment `index` of `plan.renderSegments` into the file at `path`, which appears whole or not at all.
    package func render(_ index: Int, to path: String, overwrites: Bool = false) throws {
        try PacketFile.publish(at: path, overwrites: overwrites) { file in
            _ = try render(index, into: file, threads: plan.threads)
        }
    }

    /// Writes segment `index`, rendered before into the file at `path`, as a video of its own to `output`, so that it can
    /// be decoded.
    package func unpack(_ index: Int, from path: String, to output: String) throws {
        let writer = try MediaWriter(
            path: output, container: plan.container, video: plan.video, of: .stored(withHolds: plan.hasHolds),
            overwrite: true)
        do {
            try writer.write(PacketFile(reading: path), count: plan.renderSegments[index].count) {}
            _ = try writer.finish()
        } catch {
            writer.cancel()
            throw error
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
        let further = plan.storedFrames(ofSegment: index) - range.count
        let writer = try SegmentWriter(
            plan.video, in: plan.container, count: range.count + further,
            of: plan.copying == nil ? .stored(withHolds: plan.hasHolds) : .storedBesideCopies, into: file,
            clocks: clocks.writing)
        let track = try VideoTrack(plan, clocks, threads: threads)
        var (index, done) = (range.lowerBound, 0)
        try track.forEachPiece(in: range) { piece in
            switch piece {
            case .frame(let frame, let count):
                let frame = try watch?.take(frame, at: index..<index + count) ?? frame
                index += count
                try writer.write(frame, count: count + (index == range.upperBound ? further : 0)) {
                    done += 1
                    if done <= range.count { try afterStep(file.byteCount) }
                }
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
        if holds == .vfr { return .framesOfAnyTime }
        return repeatsHolds ? .holds : .frames
    }

    /// The number of samples of each audio channel of the output; 0 if it has no audio.
    var audioSamples: Int { audio.map { sample(atFrame: timeline.frames, of: $0) } ?? 0 }

    /// A writer of the output for segments that were rendered before.
    func segmentWriter(
        sounds: [OutputAudio], subtitles: [OutputSubtitles], clocks: WritingClocks
    ) throws -> MediaWriter {
        try MediaWriter(
            path: path, container: container, video: video,
            of: copying.map { .copies($0.track) } ?? .stored(withHolds: hasHolds), sounds: sounds,
            subtitles: subtitles, chapters: chapters, metadata: metadata,
            overwrite: overwrites, clocks: clocks)
    }

    /// Joins the packet files of all segments, in order, and of the main audio track into the output. Further audio
    /// tracks are made meanwhile.
    /// - Returns: the output's size in bytes.
    package func join(segments: [PacketFile], sound file: PacketFile?) throws -> Int {
        let sound = try audio.map { try StoredAudio($0, in: container) }
        let main = zip([sound].compactMap { $0 }, audioTracks).map { OutputAudio(encoder: $0.model, tags: $1.tags) }
        let others = try SideTracks(self, from: 1, clock: StageClock())
        let writer = try segmentWriter(
            sounds: main + others.sounds, subtitles: others.subtitles, clocks: WritingClocks())
        others.start()
        defer { others.stop() }
        do {
            if let file { try sound?.open(file, count: audioSamples) }
            var packets = DuePackets()
            try join(writer, segment: { segments[$0] }) { frames, _ in
                try packets.write(before: audioEnd(ofFrame: frames), track: 0, into: writer) { try sound?.next() }
                try others.write(toFrame: frames, into: writer)
            }
            return try writer.finish(checking: SeamCheck(self, notesFrames: false).verify)
        } catch {
            writer.cancel()
            throw error
        }
    }

    /// Writes all segments, and copies the stretches between them.
    /// - Parameters:
    ///   - segment: returns the file of a segment, by its number.
    ///   - wasWritten: called after each frame, with the number of frames so far and whether this one was copied.
    func join(
        _ writer: MediaWriter, segment: (Int) throws -> PacketFile,
        wasWritten: (_ frames: Int, _ isCopied: Bool) throws -> Void
    ) throws {
        var frames = 0
        func step(_ isCopied: Bool) throws {
            frames += 1
            try wasWritten(frames, isCopied)
        }
        var copies = timeline.placedSegments.filter(\.segment.isCopied)[...]
        for (index, range) in renderSegments.enumerated() {
            while let copy = copies.first, copy.frames.lowerBound < range.lowerBound {
                try self.copy(copies.removeFirst().segment, at: copy.frames.lowerBound, into: writer) { try step(true) }
            }
            try writer.write(segment(index), count: range.count, stored: storedFrames(ofSegment: index)) {
                try step(false)
            }
        }
        for copy in copies { try self.copy(copy.segment, at: copy.frames.lowerBound, into: writer) { try step(true) } }
    }

    /// Copies the packets of a copied segment of the timeline.
    /// - Parameters:
    ///   - index: the output frame at which it begins.
    ///   - body: called after each packet.
    func copy(_ segment: Timeline.Segment, at index: Int, into writer: MediaWriter, _ body: () throws -> Void) throws {
        guard case .copy(let clip, let frames) = segment, let source = copying?.sources[clip] else {
            preconditionFailure("a copy has a source")
        }
        try writer.copy(source.whole(frames), of: source.clip, at: index, body)
    }
}

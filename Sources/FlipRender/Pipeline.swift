import FlipBase
import FlipFiles
import FlipMedia
import FlipSplice

import struct Synchronization.Atomic

/// Carries out a plan. Each open clip is decoded ahead in a thread of its own, the calling thread draws, another one
/// encodes and writes, and one more makes the audio. The queues between them are bounded, so memory does not grow with
/// the length or the number of clips.
package final class Pipeline: Sendable {
    /// How far a run has come; reported after every frame written.
    package struct Progress: Sendable {
        package let frames: Int
        /// The output's number of frames; nil until a live first clip has ended.
        package let total: Int?
        /// Elapsed time of the run.
        package let seconds: Double
        /// The output's frame rate, in frames per second.
        package let frameRate: Double
        /// Bytes written so far.
        package let bytes: Int
        /// 1 or 2 of an output that is encoded in two passes; nil of others.
        package var pass: Int?
    }

    let asked: RenderPlan
    private let cancellation = Cancellation()
    /// The tracks beside the video of the current run, which `cancel` ends, too; nil while there are none.
    private let sides = Mutex<SideTracks?>(nil)

    /// Replaces a frame before it is encoded, so that tests can check which faults are noticed.
    package typealias Distortion = @Sendable (_ frame: VideoFrame, _ index: Int) -> VideoFrame
    private let distortion: Distortion

    package init(_ plan: RenderPlan, distortion: @escaping Distortion = { frame, _ in frame }) {
        asked = plan
        self.distortion = distortion
    }

    /// The number of frames drawn ahead of the encoder, which has a lookahead of its own.
    private static let depth = 2

    /// Stops the run once the frames in progress are done, and the audio that is being measured or mixed at the next
    /// second of it. `run` then throws `CancellationError` and leaves no output.
    package func cancel() {
        cancellation.cancel()
        asked.unfinished?.input.stop()
        sides.withLock { $0?.cancel() }
    }

    /// Starts making the tracks beside the video, unless the run has been cancelled.
    private func begin(_ tracks: SideTracks) {
        tracks.start()
        sides.withLock { $0 = tracks }
        if cancellation.isCancelled { tracks.cancel() }
    }

    private func checkCancellation() throws {
        if cancellation.isCancelled { throw CancellationError() }
    }

    /// Renders, encodes and writes the whole output, which appears when it is complete.
    ///
    /// Throws `MediaError`, `CancellationError` after `cancel`, or `SpliceFailure` if copying fails and the plan does
    /// not allow for encoding everything instead.
    /// - Parameters:
    ///   - replanned: called if the output's parts can't be put together, with the plan that is going to be carried out
    ///     instead.
    ///   - progress: called from the encoding threads, one call at a time.
    package func run(
        replanned: (RenderPlan) -> Void = { _ in }, progress: @escaping @Sendable (Progress) -> Void
    ) throws -> RenderReport {
        do {
            return try asked.passes == .one ? run(asked, progress: progress) : runInPasses(progress: progress)
        } catch let failure as SpliceFailure {
            return try run(insteadOf: asked, since: failure, replanned, progress)
        }
    }

    /// Carries out what `plan` has for the case that its parts can't be put together.
    private func run(
        insteadOf plan: RenderPlan, since failure: SpliceFailure, _ replanned: (RenderPlan) -> Void,
        _ progress: @escaping @Sendable (Progress) -> Void
    ) throws -> RenderReport {
        guard let fallback = plan.fallback else { throw plan.error(of: failure) }
        let other = try fallback.plan(since: failure, copying: plan.copying != nil)
        replanned(other)
        do {
            return try run(other, progress: progress)
        } catch let failure as SpliceFailure {
            return try run(insteadOf: other, since: failure, replanned, progress)
        }
    }

    /// - Parameter accepts: whether an output of so many bytes gets its name; nil for any.
    func run(
        _ plan: RenderPlan, progress: @escaping @Sendable (Progress) -> Void, accepts: ((Int) -> Bool)? = nil
    ) throws -> RenderReport {
        if plan.renderSegments.count > 1 { return try runInSegments(plan, progress: progress) }
        let clocks = StageClocks(plan)
        let start = ContinuousClock.now
        let queue = BoundedQueue<VideoTrack.Piece>(limit: Pipeline.depth)
        let check = SeamCheck(plan)
        let watch = FrameWatch(check: check, distortion: distortion)
        let sides = try SideTracks(plan, clock: clocks.writing.audio)
        let writer = try MediaWriter(
            path: plan.path, container: plan.container, video: plan.video, of: plan.parts, sounds: sides.sounds,
            subtitles: sides.subtitles, chapters: plan.chapters, metadata: plan.metadata, overwrite: plan.overwrites,
            clocks: clocks.writing)
        let encoder = EncodingThread(
            plan, writer, queue, sides, watch, progress: progress,
            isCancelled: { [self] in cancellation.isCancelled })
        begin(sides)
        let making = MakingAhead(plan)
        defer {
            sides.stop()
            making.stop()
        }
        encoder.start()
        do {
            let track = try VideoTrack(plan, clocks)
            let put = { [self] (piece: VideoTrack.Piece) in
                try checkCancellation()
                if !queue.put(piece) { throw queue.failure ?? CancellationError() }
            }
            let passed = try track.passOn(put)
            let whole = track.plan
            try track.forEachPiece(in: passed..<whole.timeline.frames, put)
            queue.finish()
            try encoder.join()
            sides.stop()
            let warnings = track.damage.warnings(whole) + sides.warnings
            try Strictness.check(warnings, isStrict: plan.isStrict)
            try checkCancellation()
            let bytes = try writer.finish(checking: check.verify, accepts: accepts)
            let errors = sides.concealedErrors(clips: plan.clips.count)
            let damage = zip(track.damage.concealedErrors, errors).map(+)
            return RenderReport(
                plan: whole, clocks: clocks, warnings: whole.warnings + warnings,
                concealedErrors: damage, loudness: sides.loudness, audioPackets: writer.audioPackets, bytes: bytes,
                elapsed: ContinuousClock.now - start)
        } catch {
            queue.finish(.failure(error))
            plan.unfinished?.input.stop()
            // If the encoding thread failed, its error is the cause of this one.
            let cause: any Error
            do {
                try encoder.join()
                cause = error
            } catch let encoderError {
                cause = encoderError
            }
            writer.cancel()
            try checkCancellation()
            throw cause
        }
    }
}

extension Pipeline {
    /// Carries out a plan of several segments: renders them in parallel, and joins them in order as they are completed.
    private func runInSegments(
        _ plan: RenderPlan, progress: @escaping @Sendable (Progress) -> Void
    ) throws -> RenderReport {
        let clocks = StageClocks(plan)
        let start = ContinuousClock.now
        let cache = PartCache(plan)
        defer { cache?.finish() }
        let (total, rate) = (plan.timeline.frames, plan.video.frameRate.doubleValue)
        let report = { @Sendable (frames: Int, bytes: Int) in
            progress(
                Progress(
                    frames: frames, total: total, seconds: (ContinuousClock.now - start) / .seconds(1),
                    frameRate: rate, bytes: bytes))
        }
        if let bytes = try cache?.takeOutput() {
            report(total, bytes)
            return RenderReport(reusing: plan, clocks, bytes: bytes, elapsed: ContinuousClock.now - start)
        }
        let sides = try SideTracks(plan, clock: clocks.writing.audio)
        let writer = try plan.segmentWriter(sounds: sides.sounds, subtitles: sides.subtitles, clocks: clocks.writing)
        let check = SeamCheck(plan)
        let pool = SegmentPool(
            plan, path: writer.path ?? plan.path, watch: FrameWatch(check: check, distortion: distortion),
            cache: cache, progress: report,
            isCancelled: { [self] in cancellation.isCancelled })
        begin(sides)
        pool.start(clocks)
        do {
            try plan.join(writer, segment: pool.take) { [self] frames, isCopied in
                try checkCancellation()
                try sides.write(toFrame: frames, into: writer)
                if isCopied { pool.wasCopied() }
            }
            try checkCancellation()
            pool.stop()
            sides.stop()
            let warnings = pool.damage.warnings(plan) + sides.warnings
            try Strictness.check(warnings, isStrict: plan.isStrict)
            let bytes = try writer.finish(checking: check.verify)
            let errors = sides.concealedErrors(clips: plan.clips.count)
            if warnings.isEmpty { try cache?.putOutput() }
            return RenderReport(
                plan: plan, clocks: clocks, warnings: plan.warnings + warnings,
                concealedErrors: zip(pool.damage.concealedErrors, errors).map(+), loudness: sides.loudness,
                audioPackets: writer.audioPackets, bytes: bytes, workers: pool.workers, framesReused: pool.reused,
                elapsed: ContinuousClock.now - start)
        } catch {
            sides.stop()
            pool.stop()
            writer.cancel()
            try checkCancellation()
            throw error
        }
    }
}

extension RenderPlan {
    /// The error for a failure that can't be avoided by encoding everything in one pass.
    fileprivate func error(of failure: SpliceFailure) -> any Error {
        if copying != nil { return failure }
        return MediaError(
            .internalFault,
            "the video can't be put together: \(failure.reason) (--held-frames vfr avoids what may cause it)")
    }
}

/// What happens to every frame right before it is encoded.
struct FrameWatch: Sendable {
    let check: SeamCheck
    let distortion: Pipeline.Distortion

    /// Notes a frame that is shown as output frames `indices`. Returns the frame to encode.
    func take(_ frame: VideoFrame, at indices: Range<Int>) throws -> VideoFrame {
        try check.note(frame, at: indices)
        return distortion(frame, indices.lowerBound)
    }
}

/// The thread that encodes the frames of a queue, and writes them and the audio that belongs to them.
private final class EncodingThread: @unchecked Sendable {
    private var plan: RenderPlan
    private let writer: MediaWriter
    private let queue: BoundedQueue<VideoTrack.Piece>
    private let watch: FrameWatch
    private let progress: @Sendable (Pipeline.Progress) -> Void
    private let isCancelled: @Sendable () -> Bool
    private let sides: SideTracks
    /// Nil before `start`.
    private var work: Work?
    private var result: Result<Void, any Error> = .success(())

    init(
        _ plan: RenderPlan, _ writer: MediaWriter, _ queue: BoundedQueue<VideoTrack.Piece>, _ sides: SideTracks,
        _ watch: FrameWatch, progress: @escaping @Sendable (Pipeline.Progress) -> Void,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        (self.plan, self.writer, self.queue, self.watch) = (plan, writer, queue, watch)
        (self.progress, self.isCancelled, self.sides) = (progress, isCancelled, sides)
    }

    func start() {
        work = Work("encode") { [self] in
            result = Result { try encode() }
            if case .failure = result {
                queue.finish(result)
                // The rest of a live clip is not needed any more.
                plan.unfinished?.input.stop()
            }
        }
    }

    /// Waits until the thread has ended. Throws the error that ended it, if any.
    func join() throws {
        work?.join()
        try result.get()
    }

    private func encode() throws {
        let start = ContinuousClock.now
        var index = 0
        while let piece = try queue.take() {
            switch piece {
            case .frame(let frame, let count):
                try write(frame, index..<index + count) { end in
                    while index < end {
                        index += 1
                        try wasWritten(index, since: start)
                    }
                }
            case .plan(let whole):
                plan = whole
                sides.follow(whole)
            case .copy(let clip, let frames):
                try plan.copy(.copy(index: clip, frames: frames), at: index, into: writer) {
                    index += 1
                    try wasWritten(index, since: start)
                }
            }
        }
    }

    /// Encodes a frame that is shown as all output frames `indices`.
    /// - Parameter wasEncoded: called as frames are done, with the end of the range that is.
    private func write(_ frame: VideoFrame, _ indices: Range<Int>, _ wasEncoded: (_ end: Int) throws -> Void) throws {
        let frame = try watch.take(frame, at: indices)
        guard plan.holds == .vfr, indices.count > 1 else { return try writer.write(frame, at: indices, wasEncoded) }
        try writer.write(frame, at: indices.lowerBound, isKey: true)
        // The output's last frame is always written, since it tells where the output ends.
        if indices.upperBound == plan.timeline.frames { try writer.write(frame, at: indices.upperBound - 1) }
        try wasEncoded(indices.upperBound)
    }

    /// Writes the audio up to the end of output frame `index - 1`, and reports progress.
    private func wasWritten(_ index: Int, since start: ContinuousClock.Instant) throws {
        if isCancelled() { throw CancellationError() }
        try sides.write(toFrame: index, into: writer)
        let elapsed = (ContinuousClock.now - start) / .seconds(1)
        progress(
            Pipeline.Progress(
                frames: index, total: plan.unfinished == nil ? plan.timeline.frames : nil, seconds: elapsed,
                frameRate: plan.video.frameRate.doubleValue, bytes: writer.bytesWritten,
                pass: plan.video.pass.map { $0.isFirst ? 1 : 2 }))
    }
}

import FlipFiles
import FlipSplice
import Foundation

/// Renders the video of all segments of a plan with several workers, which begin them in order while the caller takes
/// the finished ones. Each worker has decoders, a renderer and an encoder of its own; packets wait in unnamed files.
final class SegmentPool: @unchecked Sendable {
    /// Reports how many frames were encoded and how many bytes were written so far, by all workers.
    typealias Progress = @Sendable (_ frames: Int, _ bytes: Int) -> Void

    private let plan: RenderPlan
    private let path: String
    let workers: Int
    private let progress: Progress
    private let isCancelled: @Sendable () -> Bool
    private let watch: FrameWatch
    private let cache: PartCache?
    private var threads: [Work] = []
    private let condition = NSCondition()

    // All properties below are guarded by `condition`.
    private var next = 0
    private var finished: [Int: PacketFile] = [:]
    private var failure: (any Error)?
    private var frames = 0
    /// The size of each segment's file so far, in bytes.
    private var sizes: [Int]
    private(set) var damage: ClipDamage
    /// The number of frames in segments that an earlier run has encoded.
    private(set) var reused = 0

    /// - Parameters:
    ///   - path: the path beside which the packet files are put.
    ///   - watch: sees every frame before it is encoded.
    ///   - cache: has segments of earlier runs, and keeps those of this one; nil for none.
    ///   - progress: called after every frame, one call at a time.
    init(
        _ plan: RenderPlan, path: String, watch: FrameWatch, cache: PartCache?, progress: @escaping Progress,
        isCancelled: @escaping @Sendable () -> Bool
    ) {
        (self.plan, self.path, self.watch, self.progress, self.cache) = (plan, path, watch, progress, cache)
        self.isCancelled = isCancelled
        damage = ClipDamage(plan)
        sizes = plan.renderSegments.map { _ in 0 }
        workers = SegmentPool.workers(plan, memory: UInt64(MachineMemory.limit))
    }

    /// The number of frames that a worker may hold at once: decoded frames, the encoder's lookahead and its reference
    /// frames, with the data it keeps for each.
    private static let framesHeld: UInt64 = 150

    /// The number of workers: one per thread, but at most one per segment, and only as many as half of `memory` (bytes)
    /// has room for.
    static func workers(_ plan: RenderPlan, memory: UInt64) -> Int {
        let format = plan.frames.pixelFormat
        let samples = (0..<format.planeCount).reduce(0) { sum, plane in
            let size = format.planeSize(plane, width: plan.video.width, height: plan.video.height)
            return sum + size.width * size.height
        }
        let worker = UInt64(max(samples * format.bytesPerSample, 1)) * framesHeld
        return max(1, min(plan.threads, plan.renderSegments.count, Int(clamping: memory / 2 / worker)))
    }

    func start(_ clocks: StageClocks) {
        threads = (0..<workers).map { _ in
            Work("segment") { [self] in
                do {
                    while let index = nextIndex() { try render(index, clocks) }
                } catch {
                    condition.withLock {
                        // The first error is the cause of the others.
                        failure = failure ?? error
                        condition.broadcast()
                    }
                }
            }
        }
    }

    /// Waits for the file of segment `index`; each can be taken only once. Throws the error that ended the work.
    func take(_ index: Int) throws -> PacketFile {
        condition.lock()
        defer { condition.unlock() }
        while true {
            if let failure { throw failure }
            if let file = finished.removeValue(forKey: index) { return file }
            condition.wait()
        }
    }

    /// Reports that a frame was copied rather than encoded.
    func wasCopied() {
        condition.withLock {
            frames += 1
            progress(frames, sizes.reduce(0, +))
        }
    }

    /// Tells the workers to stop, and waits until they have.
    func stop() {
        condition.withLock { failure = failure ?? CancellationError() }
        for thread in threads { thread.join() }
    }

    private func nextIndex() -> Int? {
        condition.withLock {
            guard failure == nil, next < plan.renderSegments.count else { return nil }
            next += 1
            return next - 1
        }
    }

    private func render(_ index: Int, _ clocks: StageClocks) throws {
        try checkStopped()
        let file = try PacketFile(besideOutput: path)
        let key = try cache?.key(ofSegment: index)
        if let key, cache?.take(key, into: file) == true { return reuse(file, as: index) }
        let renderer = SegmentRenderer(plan, clocks, watch: watch) { [self] bytes in
            try checkStopped()
            if let bytes { wasEncoded(index, bytes) }
        }
        let own = try renderer.render(index, into: file, threads: max(1, plan.threads / workers))
        if let key, own.warnings(plan).isEmpty { cache?.put(key, from: file) }
        condition.withLock {
            damage.add(own)
            finished[index] = file
            condition.broadcast()
        }
    }

    /// Takes the file of segment `index`, which an earlier run has made.
    private func reuse(_ file: PacketFile, as index: Int) {
        let range = plan.renderSegments[index]
        watch.check.skip(range)
        condition.withLock {
            finished[index] = file
            frames += range.count
            reused += range.count
            progress(frames, sizes.reduce(0, +))
            condition.broadcast()
        }
    }

    /// Reports one more frame, and the size of segment `index` so far, in bytes.
    private func wasEncoded(_ index: Int, _ bytes: Int) {
        condition.withLock {
            frames += 1
            sizes[index] = bytes
            progress(frames, sizes.reduce(0, +))
        }
    }

    private func checkStopped() throws {
        if isCancelled() { throw CancellationError() }
        if let failure = condition.withLock({ failure }) { throw failure }
    }
}

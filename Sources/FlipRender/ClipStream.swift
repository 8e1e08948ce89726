import FlipBase
import FlipFiles
import FlipMedia
import FlipRaster
import Synchronization

/// One clip's conformed frames, decoded ahead in a thread of its own, up to the last one that the timeline uses.
final class ClipStream {
    private let name: String
    /// The number of frames that the clip has to deliver; nil for a still, which is repeated as often as needed.
    private let promised: Int?
    private let queue: BoundedQueue<VideoFrame>
    private let concealed = ConcealedErrors()
    private var delivered = 0
    /// Frames taken from the queue but not returned yet.
    private var ahead: [VideoFrame] = []
    private var latest: VideoFrame?

    /// The number of frames decoded ahead: enough to even out decoding times, but few because frames may be large.
    private static let depth = 2

    /// Starts a thread that decodes `frames` of `clip`, counted at the output's rate, and charges its time to `clocks`.
    /// If `isStrict`, damage is an error.
    /// - Parameter total: the number of frames for which the clip is shown.
    init(
        _ clip: RenderPlan.Clip, frames: Range<Int>, of total: Int, threads: Int, isStrict: Bool, clocks: ReadingClocks
    ) {
        name = clip.name
        promised = clip.isUnmoved ? nil : frames.count
        let input = frames.count == total ? clip.input : clip.input.using(frames: frames, at: clip.conform.frameRate)
        let queue = BoundedQueue<VideoFrame>(limit: ClipStream.depth)
        self.queue = queue
        let concealed = concealed
        let isStill = input.isStill
        _ = Work("decode") {
            queue.finish(
                Result {
                    if case .gap = input.source {
                        let frame = try clip.conform.blankFrame()
                        for _ in frames where !queue.put(frame) { return }
                        return
                    }
                    let conform = clip.motion.map { clip.conform.enlarged(for: $0) } ?? clip.conform
                    let reader = try VideoReader(input, conform: conform, threads: threads, clocks: clocks)
                    let note = {
                        concealed.count.store(reader.decodeErrors, ordering: .relaxed)
                        concealed.hasChanged.store(reader.hasChanged, ordering: .relaxed)
                        concealed.isCutOff.store(reader.isCutOff, ordering: .relaxed)
                        if isStrict { try reader.checkIntact(clip.name) }
                    }
                    while let frame = try reader.next() {
                        try note()
                        if let page = try PlayingPage(frame, clip, frames, threads: threads, clocks: clocks) {
                            for index in frames {
                                let drawn = try page.frame(index)
                                concealed.count.store(page.decodeErrors, ordering: .relaxed)
                                concealed.isCutOff.store(page.isCutOff, ordering: .relaxed)
                                if isStrict { try page.checkIntact() }
                                if !queue.put(drawn) { return }
                            }
                            return
                        }
                        if let motion = clip.motion {
                            let still = try MovingStill(frame, motion, clip.conform, clocks)
                            for index in frames where !queue.put(try still.frame(index, of: total)) { return }
                            return
                        }
                        if !queue.put(frame) || isStill { return }
                    }
                    try note()
                })
        }
    }

    deinit { queue.close() }

    /// The number of decoding errors concealed up to the frame returned last, and perhaps in frames decoded ahead.
    var concealedErrors: Int { concealed.count.load(ordering: .relaxed) }

    /// Whether the file is known to have changed while it was read.
    var hasChanged: Bool { concealed.hasChanged.load(ordering: .relaxed) }

    /// Whether the file is known to have ended earlier than it should.
    var isCutOff: Bool { concealed.isCutOff.load(ordering: .relaxed) }

    /// The next frame; for a still, the same one each time.
    func next() throws -> VideoFrame {
        if promised == nil, let latest { return latest }
        precondition(promised.map { delivered < $0 } ?? true)
        delivered += 1
        let frame = try peek()
        if !ahead.isEmpty { ahead.removeFirst() }
        latest = frame
        return frame
    }

    /// Returns the next frame if at least `count` others follow it; nil if only `count` or fewer are left.
    func next(before count: Int) throws -> VideoFrame? {
        while ahead.count <= count {
            guard let frame = try queue.take() else { return nil }
            ahead.append(frame)
        }
        return try next()
    }

    /// The frame that `next` will return.
    func peek() throws -> VideoFrame {
        if let first = ahead.first { return first }
        if promised == nil, let latest { return latest }
        if let frame = try queue.take() {
            ahead.append(frame)
            return frame
        }
        throw MediaError(
            .badInput, "\(name): the video ended before the timeline did (has the file changed meanwhile?)")
    }

    /// The frame that `next` returned last; nil before the first one.
    var current: VideoFrame? { latest }
}

extension VideoReader {
    func checkIntact(_ name: String) throws(MediaError) {
        if decodeErrors > 0 { throw MediaError(.badInput, "\(name): the video is damaged (--strict stops at that)") }
        if isCutOff { throw MediaError(.badInput, "\(name): the video is cut off (--strict stops at that)") }
    }
}

extension VideoConform {
    /// The same conversion to the size that a moving still needs.
    fileprivate func enlarged(for motion: StillMotion) -> VideoConform {
        var conform = self
        (conform.width, conform.height) = motion.size(of: self)
        return conform
    }
}

/// Draws the frames of a still that moves.
private final class MovingStill {
    private let picture: VideoFrame
    private let motion: StillMotion
    private let zoom: PictureZoom
    private let pool: FramePool
    private let clocks: ReadingClocks

    init(
        _ picture: VideoFrame, _ motion: StillMotion, _ conform: VideoConform, _ clocks: ReadingClocks
    ) throws(MediaError) {
        (self.picture, self.motion, self.clocks) = (picture, motion, clocks)
        zoom = PictureZoom(
            PictureFormat(conform), picture: (picture.width, picture.height), frame: (conform.width, conform.height))
        pool = try FramePool(
            width: conform.width, height: conform.height, pixelFormat: conform.pixelFormat, color: conform.color)
    }

    /// Frame `index` of `total`.
    func frame(_ index: Int, of total: Int) throws(MediaError) -> VideoFrame {
        let target = try pool.make()
        let time = total > 1 ? Double(index) / Double(total - 1) : 0
        clocks.conforming.measure { zoom.draw(motion.part(at: time), of: picture.view, into: target.view) }
        return target
    }
}

/// The damage found in a clip, shared between the decoding thread and the stream's user.
private final class ConcealedErrors: Sendable {
    let count = Atomic(0)
    let hasChanged = Atomic(false)
    let isCutOff = Atomic(false)
}

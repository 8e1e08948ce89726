import FlipBase
import FlipFiles
import FlipMedia
import FlipSamples
import FlipSplice
import Foundation

/// Keeps samples of the frames near the seams of an output that is put together from several parts, and compares the
/// finished file with them. The samples are in a temporary file, so that memory doesn't grow with the number of seams.
final class SeamCheck: Sendable {
    private let plan: RenderPlan
    /// The ranges of output frames around the seams that are checked, in order and apart from each other.
    private let windows: [Range<Int>]
    /// Whether the frames that are encoded are noted; if not, the file is decoded, but nothing is compared.
    private let notesFrames: Bool
    /// The expected samples of the encoded frames in `windows`.
    private let meant = Mutex(SampleStore())
    /// The ranges of output frames that an earlier run has encoded, and compared.
    private let skipped = Mutex<[Range<Int>]>([])

    init(_ plan: RenderPlan, notesFrames: Bool = true) {
        (self.plan, self.notesFrames) = (plan, notesFrames)
        windows = plan.seamWindows
    }

    /// Keeps samples of a frame that is encoded as output frames `indices`, if one of them is going to be checked. May
    /// be called from several threads at a time.
    func note(_ frame: VideoFrame, at indices: Range<Int>) throws(MediaError) {
        let first = windows.partitioningIndex { $0.upperBound > indices.lowerBound }
        let checked = windows[first...].prefix { $0.lowerBound < indices.upperBound }.map { $0.clamped(to: indices) }
        if checked.isEmpty { return }
        let samples = PictureSamples(frame)
        let result: Result<Void, MediaError> = meant.withLock { meant in
            Result { () throws(MediaError) in try meant.store(samples, at: checked) }
        }
        try result.get()
    }

    /// Leaves output frames `range` out of the comparison, since this run doesn't draw them.
    func skip(_ range: Range<Int>) { skipped.withLock { $0.append(range) } }

    /// Decodes the file at `path` around its seams. Throws `SpliceFailure` if its frames are not the intended ones.
    func verify(_ path: String, _ video: SplicedVideo) throws {
        guard !windows.isEmpty else { return }
        guard video.frames == plan.timeline.frames else {
            throw SpliceFailure("\(video.frames) frames were written, not \(plan.timeline.frames)")
        }
        let output = try video.clip(of: path, as: plan.video)
        try video.checkPackets(of: path, at: plan.video.times, around: windows)
        let segments = plan.timeline.placedSegments
        // Windows are short, so that decoding several of them at a time takes less than decoding each with several threads.
        let workers = min(plan.threads, windows.count, Self.maxWorkers)
        _ = try Work.map(windows, workers: workers, name: "check") { [self] (window: Range<Int>) throws in
            let first = segments.partitioningIndex { $0.frames.upperBound > window.lowerBound }
            let part = segments[first...].prefix { $0.frames.lowerBound < window.upperBound }
            try verify(window, output, part, threads: max(1, plan.threads / workers))
        }
    }

    /// The maximum number of windows that are decoded at a time, each of which takes the memory of two decoders.
    private static let maxWorkers = 4

    /// - Parameters:
    ///   - segments: those that the window overlaps with.
    ///   - threads: the number of threads for each decoder.
    private func verify(
        _ window: Range<Int>, _ output: InputClip,
        _ segments: ArraySlice<(segment: Timeline.Segment, frames: Range<Int>)>, threads: Int
    ) throws {
        let isDrawn = notesFrames && !skipped.withLock { $0.contains { $0.overlaps(window) } }
        let reader = try VideoReader(output.using(frames: window), conform: plan.frames, threads: threads)
        var comparison = SeamComparison(minPSNR: plan.copying == nil ? Self.anyPSNR : Self.usablePSNR)
        for (segment, place) in segments {
            let part = place.clamped(to: window)
            switch segment {
            case .clip, .transition:
                for index in part {
                    let shown = PictureSamples(try frame(index, reader))
                    guard isDrawn else { continue }
                    guard let meant = try meant.withLock({ try $0.samples(at: index) }) else {
                        throw SpliceFailure("frame \(index) was not encoded")
                    }
                    try comparison.next(index, meant: meant, shown: shown)
                }
            case .copy(let index, let frames):
                let first = frames.lowerBound + part.lowerBound - place.lowerBound
                try verifyCopied(part, reader, index, first..<first + part.count, threads, &comparison)
            }
        }
        if reader.decodeErrors > 0 { throw SpliceFailure("frames near \(window.lowerBound) are damaged") }
        try comparison.finish()
    }

    /// The minimum PSNR of an encoded frame against its source, in dB, beside copied ones: any usable quality exceeds it.
    private static let usablePSNR = 20.0
    /// The same where nothing is copied, and encoding again would give no better quality: only another picture falls
    /// below it.
    private static let anyPSNR = 10.0

    private func frame(_ index: Int, _ reader: VideoReader) throws -> VideoFrame {
        guard let frame = try reader.next() else { throw SpliceFailure("frame \(index) is missing") }
        return frame
    }

    private func verifyCopied(
        _ part: Range<Int>, _ reader: VideoReader, _ index: Int, _ frames: Range<Int>, _ threads: Int,
        _ comparison: inout SeamComparison
    ) throws {
        let clip = plan.clips[index]
        let source = try VideoReader(clip.input.using(frames: frames), conform: clip.conform, threads: threads)
        for index in part {
            guard let frame = try reader.next(), let original = try source.next() else {
                throw SpliceFailure("frame \(index) is missing")
            }
            if !frame.hasSameSamples(as: original) {
                throw SpliceFailure("frame \(index) is not the one that was copied")
            }
            // Only the outermost ones are beside frames that were encoded.
            let isOutermost = index == part.lowerBound || index == part.upperBound - 1
            try comparison.next(index, meant: isOutermost ? PictureSamples(original) : nil, shown: nil)
        }
    }
}

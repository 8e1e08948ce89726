import FlipMedia
import FlipSplice
import Foundation

/// Keeps samples of the frames near the seams of a partly copied file, and compares the finished file with them.
final class SeamCheck: @unchecked Sendable {
    private let plan: RenderPlan
    /// The ranges of output frames around the seams that are checked.
    private let windows: [Range<Int>]
    /// By output frame, the expected samples of the encoded frames in `windows` and of the copied frames next to them.
    private var meant: [Int: PictureSamples] = [:]

    /// The number of frames checked on each side of a seam.
    private static let reach = 8
    /// Windows with at most this many frames between them are merged: decoding these is better than seeking past them.
    private static let gap = 48

    init(_ plan: RenderPlan) {
        self.plan = plan
        guard plan.copying != nil else {
            windows = []
            return
        }
        let total = plan.timeline.frames
        var windows: [Range<Int>] = []
        for (_, place) in plan.timeline.placedSegments.dropFirst() {
            let seam = place.lowerBound
            let window = max(0, seam - SeamCheck.reach)..<min(total, seam + SeamCheck.reach)
            if let last = windows.last, window.lowerBound <= last.upperBound + SeamCheck.gap {
                windows[windows.count - 1] = last.lowerBound..<window.upperBound
            } else {
                windows.append(window)
            }
        }
        self.windows = windows
    }

    /// Keeps samples of a frame that is encoded as output frame `index`, if it is going to be checked.
    func note(_ frame: VideoFrame, at index: Int) {
        if windows.contains(where: { $0.contains(index) }) { meant[index] = PictureSamples(frame) }
    }

    /// Decodes the file at `path` around its seams. Throws `SpliceFailure` if its frames are not the intended ones.
    func verify(_ path: String, _ video: SplicedVideo) throws {
        guard let clip = plan.copying?.sources.firstIndex(where: { $0 != nil }) else { return }
        let timeline = plan.timeline
        guard video.frames == timeline.frames else {
            throw SpliceFailure("\(video.frames) frames were written, not \(timeline.frames)")
        }
        guard let model = plan.clips[clip].info else { return }
        let output = try video.clip(of: path, like: model)
        try video.checkPackets(of: path, at: plan.video.frameRate, around: windows)
        for window in windows {
            let reader = try VideoReader(output.using(frames: window), conform: plan.frames, threads: plan.threads)
            var shown: [Int: PictureSamples] = [:]
            for (segment, place) in timeline.placedSegments where place.overlaps(window) {
                let part = place.clamped(to: window)
                switch segment {
                case .clip, .transition:
                    for index in part { shown[index] = PictureSamples(try frame(index, reader)) }
                case .copy(let index, let frames):
                    let first = frames.lowerBound + part.lowerBound - place.lowerBound
                    try verifyCopied(part, reader, index, first..<first + part.count)
                }
            }
            if reader.decodeErrors > 0 { throw SpliceFailure("frames near \(window.lowerBound) are damaged") }
            for (index, samples) in shown.sorted(by: { $0.key < $1.key }) {
                let neighbours = [meant[index - 1], meant[index + 1]].compactMap(\.self)
                guard let meant = meant[index] else { throw SpliceFailure("frame \(index) was not encoded") }
                if let fault = meant.fault(shown: samples, neighbours: neighbours) {
                    throw SpliceFailure("frame \(index) \(fault)")
                }
            }
        }
    }

    private func frame(_ index: Int, _ reader: VideoReader) throws -> VideoFrame {
        guard let frame = try reader.next() else { throw SpliceFailure("frame \(index) is missing") }
        return frame
    }

    private func verifyCopied(
        _ part: Range<Int>, _ reader: VideoReader, _ index: Int, _ frames: Range<Int>
    ) throws {
        let clip = plan.clips[index]
        let source = try VideoReader(
            clip.input.using(frames: frames), conform: clip.conform, threads: plan.threads)
        for index in part {
            guard let frame = try reader.next(), let original = try source.next() else {
                throw SpliceFailure("frame \(index) is missing")
            }
            if !frame.hasSameSamples(as: original) {
                throw SpliceFailure("frame \(index) is not the one that was copied")
            }
            if index == part.lowerBound || index == part.upperBound - 1 { meant[index] = PictureSamples(original) }
        }
    }
}

extension VideoFrame {
    /// Whether the frames are identical, bit for bit.
    fileprivate func hasSameSamples(as other: VideoFrame) -> Bool {
        guard (width, height, planeCount, depth) == (other.width, other.height, other.planeCount, other.depth) else {
            return false
        }
        let sampleSize = depth > 8 ? 2 : 1
        return (0..<planeCount).allSatisfy { index in
            let (size, mine, others) = (planeSize(index), plane(index), other.plane(index))
            return (0..<size.height).allSatisfy {
                memcmp(mine.base + $0 * mine.stride, others.base + $0 * others.stride, size.width * sampleSize) == 0
            }
        }
    }
}

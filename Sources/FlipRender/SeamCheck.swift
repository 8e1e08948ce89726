import FlipMedia
import Foundation

/// Holds what was meant near the seams of a file that is partly copied, and compares the finished file with it.
final class SeamCheck: @unchecked Sendable {
    private let plan: RenderPlan
    /// Output frames that are looked at, around the seams.
    private let windows: [Range<Int>]
    /// Some luma samples of the encoded ones among them.
    private var meant: [Int: [UInt8]] = [:]

    /// Frames looked at on each side of a seam.
    private static let reach = 8
    /// Frames between two windows that are better decoded than sought over.
    private static let gap = 48
    /// Of encoded frames against what was meant, in dB. What another frame or a broken one gives is below, what any usable
    /// quality gives above.
    private static let leastPSNR = 20.0

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

    /// Remembers a frame that is encoded as the output's frame `index`.
    func note(_ frame: VideoFrame, at index: Int) {
        if windows.contains(where: { $0.contains(index) }) { meant[index] = frame.someLuma }
    }

    /// Decodes the file at `path` around its seams. Throws `SpliceFailure` where it is not what was meant.
    func verify(_ path: String, _ video: SplicedVideo) throws {
        guard let clip = plan.copying?.sources.firstIndex(where: { $0 != nil }) else { return }
        let timeline = plan.timeline
        guard video.frames == timeline.frames else {
            throw SpliceFailure("\(video.frames) frames were written, not \(timeline.frames)")
        }
        let info = try video.info(of: path, like: plan.clips[clip].info)
        for window in windows {
            let reader = try VideoReader(info: info.using(frames: window), conform: plan.frames, threads: plan.threads)
            for (segment, place) in timeline.placedSegments where place.overlaps(window) {
                let part = place.clamped(to: window)
                switch segment {
                case .clip, .transition: try verifyEncoded(part, reader)
                case .copy(let index, let frames):
                    let first = frames.lowerBound + part.lowerBound - place.lowerBound
                    try verifyCopied(part, reader, index, first..<first + part.count)
                }
            }
            if reader.decodeErrors > 0 { throw SpliceFailure("frames near \(window.lowerBound) are damaged") }
        }
    }

    private func verifyEncoded(_ part: Range<Int>, _ reader: VideoReader) throws {
        for index in part {
            guard let frame = try reader.next(), let meant = meant[index] else {
                throw SpliceFailure("frame \(index) is missing")
            }
            let psnr = SeamCheck.psnr(frame.someLuma, meant)
            if psnr < SeamCheck.leastPSNR {
                throw SpliceFailure("frame \(index) is not what was encoded (\(Int(psnr)) dB)")
            }
        }
    }

    private func verifyCopied(
        _ part: Range<Int>, _ reader: VideoReader, _ index: Int, _ frames: Range<Int>
    ) throws {
        let clip = plan.clips[index]
        let source = try VideoReader(
            info: clip.info.using(frames: frames), conform: clip.conform, threads: plan.threads)
        for index in part {
            guard let frame = try reader.next(), let original = try source.next() else {
                throw SpliceFailure("frame \(index) is missing")
            }
            if !frame.hasSameSamples(as: original) {
                throw SpliceFailure("frame \(index) is not the one that was copied")
            }
        }
    }

    private static func psnr(_ samples: [UInt8], _ others: [UInt8]) -> Double {
        let sum = zip(samples, others).reduce(0) { sum, pair in
            let difference = Int(pair.0) - Int(pair.1)
            return sum + difference * difference
        }
        return 10 * log10(255 * 255 * Double(samples.count) / Double(max(sum, 1)))
    }
}

extension VideoFrame {
    /// About four thousand luma samples, evenly spread, the eight highest bits of each.
    fileprivate var someLuma: [UInt8] {
        let step = max(1, Int(Double(width * height / 4096).squareRoot()))
        let (base, stride) = plane(0)
        let (isWide, shift) = (depth > 8, UInt16(depth - 8))
        return Swift.stride(from: 0, to: height, by: step).flatMap { y in
            Swift.stride(from: 0, to: width, by: step).map { x in
                isWide
                    ? UInt8(truncatingIfNeeded: base.load(fromByteOffset: y * stride + 2 * x, as: UInt16.self) >> shift)
                    : base.load(fromByteOffset: y * stride + x, as: UInt8.self)
            }
        }
    }

    /// Whether the pictures are the same bit for bit.
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

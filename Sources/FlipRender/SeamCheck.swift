import FlipClip
import FlipMedia
import FlipSplice
import Foundation
import Synchronization

/// Keeps samples of the frames near the seams of an output that is put together from several parts, and compares the
/// finished file with them.
final class SeamCheck: Sendable {
    private let plan: RenderPlan
    /// The ranges of output frames around the seams that are checked.
    private let windows: [Range<Int>]
    /// Whether the frames that are encoded are noted; if not, the file is decoded, but nothing is compared.
    private let notesFrames: Bool
    /// By output frame, the expected samples of the encoded frames in `windows`.
    private let meant = Mutex<[Int: PictureSamples]>([:])

    init(_ plan: RenderPlan, notesFrames: Bool = true) {
        self.plan = plan
        self.notesFrames = notesFrames
        windows = plan.seamWindows
    }

    /// Keeps samples of a frame that is encoded as output frames `indices`, if one of them is going to be checked. May
    /// be called from several threads at a time.
    func note(_ frame: VideoFrame, at indices: Range<Int>) {
        let checked = windows.filter { $0.overlaps(indices) }.map { $0.clamped(to: indices) }
        if checked.isEmpty { return }
        let samples = PictureSamples(frame)
        meant.withLock { meant in
            for index in checked.joined() { meant[index] = samples }
        }
    }

    /// Decodes the file at `path` around its seams. Throws `SpliceFailure` if its frames are not the intended ones.
    func verify(_ path: String, _ video: SplicedVideo) throws {
        guard !windows.isEmpty else { return }
        guard video.frames == plan.timeline.frames else {
            throw SpliceFailure("\(video.frames) frames were written, not \(plan.timeline.frames)")
        }
        let output = try video.clip(of: path, as: plan.video)
        try video.checkPackets(of: path, at: plan.video.frameRate, around: windows)
        var meant = meant.withLock { $0 }
        for window in windows { try verify(window, output, &meant) }
    }

    /// - Parameter meant: by output frame, the expected samples of the encoded frames; those of the copied frames next to
    ///   them are added.
    private func verify(_ window: Range<Int>, _ output: InputClip, _ meant: inout [Int: PictureSamples]) throws {
        let reader = try VideoReader(output.using(frames: window), conform: plan.frames, threads: plan.threads)
        var shown: [Int: PictureSamples] = [:]
        for (segment, place) in plan.timeline.placedSegments where place.overlaps(window) {
            let part = place.clamped(to: window)
            switch segment {
            case .clip, .transition:
                for index in part { shown[index] = PictureSamples(try frame(index, reader)) }
            case .copy(let index, let frames):
                let first = frames.lowerBound + part.lowerBound - place.lowerBound
                try verifyCopied(part, reader, index, first..<first + part.count, &meant)
            }
        }
        if reader.decodeErrors > 0 { throw SpliceFailure("frames near \(window.lowerBound) are damaged") }
        guard notesFrames else { return }
        for (index, samples) in shown.sorted(by: { $0.key < $1.key }) {
            let neighbours = [meant[index - 1], meant[index + 1]].compactMap(\.self)
            guard let meant = meant[index] else { throw SpliceFailure("frame \(index) was not encoded") }
            if let fault = meant.fault(
                shown: samples, neighbours: neighbours, minPSNR: plan.copying == nil ? Self.anyPSNR : Self.usablePSNR)
            {
                throw SpliceFailure("frame \(index) \(fault)")
            }
        }
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
        _ part: Range<Int>, _ reader: VideoReader, _ index: Int, _ frames: Range<Int>,
        _ meant: inout [Int: PictureSamples]
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

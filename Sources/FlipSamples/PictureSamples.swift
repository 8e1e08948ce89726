import FlipMedia
import Foundation

/// A sparse set of a frame's samples, by which frames are compared: about 4096 samples of the first plane, and samples
/// of the other planes at the same distance from each other, each reduced to its eight highest bits.
package struct PictureSamples: Sendable {
    /// The samples of each plane, in libav's order.
    package let planes: [[UInt8]]

    package init(planes: [[UInt8]]) { self.planes = planes }

    package init(_ frame: VideoFrame) {
        let step = max(1, Int(Double(frame.width * frame.height / 4096).squareRoot()))
        let (isWide, shift) = (frame.depth > 8, UInt16(max(0, frame.depth - 8)))
        planes = (0..<frame.planeCount).map { index in
            let (base, stride) = frame.plane(index)
            let size = frame.planeSize(index)
            return Swift.stride(from: 0, to: size.height, by: step).flatMap { y in
                Swift.stride(from: 0, to: size.width, by: step).map { x in
                    isWide
                        ? UInt8(
                            truncatingIfNeeded: base.load(fromByteOffset: y * stride + 2 * x, as: UInt16.self) >> shift)
                        : base.load(fromByteOffset: y * stride + x, as: UInt8.self)
                }
            }
        }
    }

    /// The mean squared error of each plane, in squared 8-bit steps.
    private func errors(_ other: PictureSamples) -> [Double] {
        zip(planes, other.planes).map { mine, others in
            let sum = zip(mine, others).reduce(0) { sum, pair in
                let difference = Int(pair.0) - Int(pair.1)
                return sum + difference * difference
            }
            return Double(sum) / Double(max(1, mine.count))
        }
    }

    /// The mean difference of each plane, in 8-bit steps. Encoding coarsens a picture but hardly changes its overall
    /// brightness or color.
    private func shifts(_ other: PictureSamples) -> [Double] {
        zip(planes, other.planes).map { mine, others in
            let sum = zip(mine, others).reduce(0) { $0 + Int($1.0) - Int($1.1) }
            return Double(sum) / Double(max(1, mine.count))
        }
    }

    /// How many times smaller the error against a neighboring frame may be than that against the frame itself: where
    /// hardly anything moves, encoders repeat the previous picture.
    private static let maxAdvantage = 3.0
    /// An error too small to be seen, in squared 8-bit steps.
    private static let unseen = 4.0
    /// The maximum mean difference of a plane, in 8-bit steps.
    private static let maxShift = 6.0

    /// What is wrong with a decoded frame that should have these samples, as the end of a sentence; nil if it matches
    /// as closely as encoding allows.
    /// - Parameters:
    ///   - neighbors: the expected samples of the frames before and after.
    ///   - minPSNR: the minimum PSNR of a frame, in dB.
    package func fault(shown: PictureSamples, neighbors: [PictureSamples], minPSNR: Double) -> String? {
        guard shown.planes.map(\.count) == planes.map(\.count) else { return "differs in format from what was encoded" }
        let errors = errors(shown)
        let psnr = 10 * log10(255 * 255 / max(errors.max() ?? 0, 1e-3))
        if psnr < minPSNR { return "is not what was encoded (\(Int(psnr)) dB)" }
        if let shift = shifts(shown).max(by: { abs($0) < abs($1) }), abs(shift) > Self.maxShift {
            return "differs in color from what was encoded"
        }
        let own = errors.reduce(0, +)
        for neighbor in neighbors
        where own > Self.maxAdvantage * neighbor.errors(shown).reduce(0, +) + Self.unseen {
            return "shows the neighboring frame"
        }
        return nil
    }
}

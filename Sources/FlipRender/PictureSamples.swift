import FlipMedia
import Foundation

/// Some samples of a picture, by which it is told from others: about four thousand of the first plane and as close ones of the
/// others, the eight highest bits of each.
package struct PictureSamples: Sendable {
    /// In libav's order of planes.
    private let planes: [[UInt8]]

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

    /// The mean squared difference of each plane.
    private func errors(_ other: PictureSamples) -> [Double] {
        zip(planes, other.planes).map { mine, others in
            let sum = zip(mine, others).reduce(0) { sum, pair in
                let difference = Int(pair.0) - Int(pair.1)
                return sum + difference * difference
            }
            return Double(sum) / Double(max(1, mine.count))
        }
    }

    /// The mean of each plane's differences: coding makes a picture coarser, but hardly lighter or of another color.
    private func shifts(_ other: PictureSamples) -> [Double] {
        zip(planes, other.planes).map { mine, others in
            let sum = zip(mine, others).reduce(0) { $0 + Int($1.0) - Int($1.1) }
            return Double(sum) / Double(max(1, mine.count))
        }
    }

    /// Of encoded frames against what was meant, in dB. Any usable quality gives more.
    private static let leastPSNR = 20.0
    /// How many times better a neighbour may fit than the frame itself: where next to nothing moves, encoders repeat what was
    /// there before.
    private static let mostAdvantage = 3.0
    /// What such a difference is below, in squared steps of 8 bits, is not seen.
    private static let unseen = 4.0
    /// Steps of 8 bits by which a plane may be off as a whole.
    private static let mostShift = 6.0

    /// What is wrong with a frame that was shown where these samples were meant, as the end of a sentence; nil where it is
    /// that frame, as far as encoding allows.
    /// - Parameter neighbours: of the frames before and after.
    package func fault(shown: PictureSamples, neighbours: [PictureSamples]) -> String? {
        guard shown.planes.map(\.count) == planes.map(\.count) else { return "has another form than was encoded" }
        let errors = errors(shown)
        let psnr = 10 * log10(255 * 255 / max(errors.max() ?? 0, 1e-3))
        if psnr < Self.leastPSNR { return "is not what was encoded (\(Int(psnr)) dB)" }
        if let shift = shifts(shown).max(by: { abs($0) < abs($1) }), abs(shift) > Self.mostShift {
            return "has other colors than were encoded"
        }
        let own = errors.reduce(0, +)
        for neighbour in neighbours
        where own > Self.mostAdvantage * neighbour.errors(shown).reduce(0, +) + Self.unseen {
            return "is the one beside it"
        }
        return nil
    }
}

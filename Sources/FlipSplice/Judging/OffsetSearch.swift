import FlipBase

/// Looks for the place of an input in a stretch of the film, by thumbnails of both.
struct OffsetSearch {
    let source: Thumbnails
    /// The usual seconds between frames of the source.
    let step: Double
    let own: Thumbnails
    /// The usual seconds between frames of the film.
    let filmStep: Double
    /// The film's first frame that can show the input, counted from the start of the stretch.
    var begun: Int
    /// The times at which other inputs surely have no frames.
    var around: Range<Double>
    /// Whether no input comes behind this one in these times.
    let isLast: Bool
    /// Whether the same source comes again behind it.
    let isRepeated: Bool

    /// The number of frames by which a place is judged.
    private static let samples = 64
    /// By how much places may differ that look the same: 0...255, and as a part of the difference at the best one.
    private static let (doubt, relativeDoubt) = (0.1, 0.05)
    /// What a place costs for each frame away from the start, for each that another input has as well, and for each that no
    /// input would have.
    private static let (distant, taken, left) = (1e-3, 1e-2, 5e-2)

    /// How much a frame counts that another input has as well.
    private static let shared = 0.25

    /// How many times as different as usual a frame may be that shows nothing else.
    private static let plain = 1.5

    private struct Place {
        let score: Double
        let offset: Double
        let difference: Double
    }

    /// Where the input lies.
    struct Found {
        /// The seconds from the film's times to those of the source, and by how much they may be wrong.
        let (offset, slack): (Double, Double)
        /// The first frame of the film behind those that show the source and nothing else; nil if there are none.
        let end: Int?
    }

    /// Where the input lies; nil if the film doesn't seem to show it.
    func place() -> Found? {
        guard begun < own.count else { return nil }
        let (earliest, latest) = (own.times[begun], own.times[own.count - 1])
        let length = source.last - source.times[0]
        let shifts = -Int(length / filmStep)...Int(((latest - earliest) / filmStep).rounded(.up))
        var found: [Place] = []
        for shift in shifts {
            let offset = source.times[0] - earliest - Double(shift) * filmStep
            guard let (score, difference) = score(offset) else { continue }
            // Of places that look the same, the nearest is likeliest, but not where others are.
            let start = max(earliest, source.times[0] - offset)
            let end = min(latest, source.last - offset)
            let taken = max(0, min(end, around.lowerBound) - start) + max(0, end - max(start, around.upperBound))
            let left = isLast ? max(0, min(latest, around.upperBound) - max(end, around.lowerBound)) : 0
            let cost = Self.distant * Double(abs(shift)) + (Self.taken * taken + Self.left * left) / filmStep
            found.append(Place(score: score - cost, offset: offset, difference: difference))
        }
        guard var best = found.max(by: { $0.score < $1.score }),
            best.difference <= StretchFinder.maxDifference
        else { return nil }
        // Where the same source comes twice, the first place is meant.
        let first = found.filter { $0.offset > best.offset + length / 2 }.max { $0.score < $1.score }
        if isRepeated, let first, first.score >= 0.8 * best.score, first.difference <= best.difference + 1 {
            best = first
        }
        return Found(offset: best.offset, slack: doubt(best, found), end: end(best))
    }

    /// By how many seconds places beside the best one lie off that look the same.
    private func doubt(_ best: Place, _ found: [Place]) -> Double {
        let limit = best.difference + max(Self.doubt, Self.relativeDoubt * best.difference)
        let isSame = { (place: Place) in place.difference <= limit }
        let (behind, before) = (
            found.filter { $0.offset < best.offset }.prefix(while: isSame).last,
            found.filter { $0.offset > best.offset }.reversed().prefix(while: isSame).last
        )
        return max(best.offset - (behind?.offset ?? best.offset), (before?.offset ?? best.offset) - best.offset)
    }

    /// How much of the film shows the source if `offset` lies between their times, and the mean difference.
    private func score(_ offset: Double) -> (score: Double, difference: Double)? {
        let start = max(own.times[begun], source.times[0] - offset)
        let end = min(own.times[own.count - 1], source.last - offset)
        let count = Int((end - start) / filmStep) + 1
        guard end >= start, count >= min(StretchFinder.minRun, source.count) else { return nil }
        let first = own.times.partitioningIndex { $0 >= start - 1e-9 }
        let shown = own.times.partitioningIndex { $0 > end + 1e-9 } - first
        let samples = min(shown, Self.samples)
        var (sum, weights, compared) = (0.0, 0.0, 0)
        for sample in 0..<samples {
            let index = first + sample * shown / samples
            guard let other = source.index(at: own.times[index] + offset, step: step) else {
                continue
            }
            // What another input has as well may be its own.
            let weight = around.contains(own.times[index]) ? 1 : Self.shared
            sum += weight * own.difference(index, source, other, limit: StretchFinder.limit)
            weights += weight
            compared += 1
        }
        guard compared > 0 else { return nil }
        let mean = sum / weights
        return (Double(count) * weights / Double(compared) * (1 - mean / StretchFinder.limit), mean)
    }

    private func end(_ place: Place) -> Int? {
        let most = max(StretchFinder.maxDifference / 2, Self.plain * place.difference)
        return own.times.indices.last { index in
            guard let other = source.index(at: own.times[index] + place.offset, step: step) else { return false }
            return own.difference(index, source, other, limit: StretchFinder.limit) < most
        }.map { $0 + 1 }
    }
}

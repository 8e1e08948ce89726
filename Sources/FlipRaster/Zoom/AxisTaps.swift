/// The weights of a picture's samples in each sample of a frame, along one axis.
final class AxisTaps {
    /// For each sample of the frame, the picture's first sample with a weight.
    let first: UnsafeMutablePointer<Int>
    /// For each sample of the frame, `taps` weights, whose sum is 1.
    let weights: UnsafeMutablePointer<Float>
    /// The number of samples of the frame.
    let count: Int
    /// The number of samples of the picture.
    private let length: Int
    /// The number of weights for each sample, as many as the least reduction so far needs.
    private(set) var taps = 1
    private let maxTaps: Int

    /// - Parameters:
    ///   - length: the number of samples of the picture along the axis.
    ///   - count: that of the frame.
    init(length: Int, count: Int) {
        (self.length, self.count) = (length, count)
        maxTaps = min(length, (length + count - 1) / count + 2)
        first = .allocate(capacity: count)
        weights = .allocate(capacity: count * maxTaps)
    }

    deinit {
        first.deallocate()
        weights.deallocate()
    }

    /// Has sample i of the frame cover the picture from `start + i * step` to `start + (i + 1) * step`, in samples from
    /// the picture's edge. Beyond its edges, the picture goes on with its outermost samples.
    /// - Parameter step: at most `length / count`, apart from rounding.
    func cover(from start: Double, step: Double) {
        taps = min(maxTaps, Int(step.rounded(.up)) + 1)
        for index in 0..<count {
            let lower = start + Double(index) * step
            let upper = start + Double(index + 1) * step
            let begin = Int(lower.rounded(.down))
            let place = max(0, min(begin, length - taps))
            first[index] = place
            let own = weights + index * taps
            own.update(repeating: 0, count: taps)
            for sample in begin...max(begin, Int(upper.rounded(.up)) - 1) {
                let covered = min(upper, Double(sample + 1)) - max(lower, Double(sample))
                let tap = max(0, min(sample, length - 1)) - place
                if covered > 0, tap < taps { own[tap] += Float(covered / step) }
            }
        }
    }
}

/// The weights of a picture's samples in each sample of a frame, along one axis.
final class AxisTaps {
    /// For each sample of the frame, the picture's first sample with a weight.
    let first: UnsafeMutablePointer<Int>
    /// For each sample of the frame, `taps` weights with `Averages.weightBits` fractional bits, whose sum is 1.
    let weights: UnsafeMutablePointer<Int16>
    /// The number of samples of the frame.
    let count: Int
    /// The number of samples of the picture.
    let length: Int
    /// The number of weights for each sample of the frame.
    private(set) var taps = 1
    private let maxTaps: Int
    private let parts: UnsafeMutablePointer<Double>

    /// - Parameters:
    ///   - length: the number of samples of the picture along the axis.
    ///   - count: that of the frame, no more than `length`.
    init(length: Int, count: Int) {
        (self.length, self.count) = (length, count)
        maxTaps = min(length, 2 * ((length + count - 1) / count) + 1)
        first = .allocate(capacity: count)
        weights = .allocate(capacity: count * maxTaps)
        parts = .allocate(capacity: maxTaps)
    }

    deinit {
        first.deallocate()
        weights.deallocate()
        parts.deallocate()
    }

    /// Has the middle of sample i of the frame lie at `start + (i + 1/2) * step`, in samples from the picture's edge. The
    /// weights fall off linearly, to zero at a distance of `step`. Beyond its edges, the picture goes on with its outermost
    /// samples.
    /// - Parameter step: 1 to `length / count`, apart from rounding.
    func place(from start: Double, step: Double) {
        let reach = max(step, 1)
        taps = min(maxTaps, Int((2 * reach).rounded(.up)))
        for index in 0..<count {
            let middle = start + (Double(index) + 0.5) * step - 0.5
            let begin = Int((middle - reach).rounded(.down)) + 1
            let place = max(0, min(begin, length - taps))
            first[index] = place
            parts.update(repeating: 0, count: taps)
            var sum = 0.0
            for sample in begin...begin + taps {
                let part = 1 - abs(Double(sample) - middle) / reach
                if part <= 0 { continue }
                sum += part
                parts[min(max(0, min(sample, length - 1) - place), taps - 1)] += part
            }
            var rounding = Averages.Weights()
            for tap in 0..<taps { weights[index * taps + tap] = rounding.next(parts[tap] / sum) }
        }
    }
}

/// The means of a line of pixels over intervals that follow each other evenly: the filter across the motion.
struct FloatLine {
    /// Pixel 0 of the line, and the number of pixels; beyond its ends, the outermost ones repeat.
    let pixels: UnsafePointer<FloatPixel>
    let count: Int

    /// Writes the means over `means` intervals of `length`, the first of which begins at `start` and each further one
    /// `step` later, `stride` pixels apart.
    func filter(
        start: Double, length: Double, step: Double, means count: Int, into target: UnsafeMutablePointer<FloatPixel>,
        stride: Int
    ) {
        // An interval touches at most this many pixels.
        let taps = Int(length.rounded(.up)) + 1
        // The intervals in the middle of which all these pixels exist.
        let first = firstIndex(start, step, reaching: 0, count)
        let end = max(firstIndex(start, step, reaching: Double(self.count - taps), count), first)
        filterEnd(0..<first, start, length, step, target, stride)
        let (middle, inside) = (start + Double(first) * step, target + first * stride)
        switch taps {
        case 2: filterShort(middle, length, step, end - first, inside, stride)
        case 3: filterMedium(middle, length, step, end - first, inside, stride)
        default: filterLong(middle, length, step, end - first, taps, inside, stride)
        }
        filterEnd(end..<count, start, length, step, target, stride)
    }

    /// The first interval, of `count`, that begins at `position` or later.
    private func firstIndex(_ start: Double, _ step: Double, reaching position: Double, _ count: Int) -> Int {
        if start >= position { return 0 }
        let index = ((position - start) / step).rounded(.up)
        return index < Double(count) ? Int(index) : count
    }

    /// Writes what `mean` returns for each interval: its arguments are the number of the first pixel that the interval
    /// touches, and the length from the interval's start to that pixel's end, as a part of the interval's length.
    @inline(__always)
    private func forEach(
        _ start: Double, _ length: Double, _ step: Double, _ count: Int, _ target: UnsafeMutablePointer<FloatPixel>,
        _ stride: Int, mean: (_ sample: Int, _ before: Double) -> FloatPixel
    ) {
        let scale = 1 / length
        var target = target
        for index in 0..<count {
            let position = start + Double(index) * step
            let sample = Int(position)
            target.pointee = mean(sample, (Double(sample &+ 1) - position) * scale)
            target += stride
        }
    }

    @inline(__always)
    private func filterShort(
        _ start: Double, _ length: Double, _ step: Double, _ count: Int, _ target: UnsafeMutablePointer<FloatPixel>,
        _ stride: Int
    ) {
        forEach(start, length, step, count, target, stride) { sample, before in
            let weight = Float(min(before, 1))
            return pixels[sample] * weight + pixels[sample &+ 1] * (1 - weight)
        }
    }

    @inline(__always)
    private func filterMedium(
        _ start: Double, _ length: Double, _ step: Double, _ count: Int, _ target: UnsafeMutablePointer<FloatPixel>,
        _ stride: Int
    ) {
        let scale = 1 / length
        forEach(start, length, step, count, target, stride) { sample, before in
            let rest = 1 - before
            let middle = min(rest, scale)
            let near = pixels[sample] * Float(before) + pixels[sample &+ 1] * Float(middle)
            return near + pixels[sample &+ 2] * Float(rest - middle)
        }
    }

    private func filterLong(
        _ start: Double, _ length: Double, _ step: Double, _ count: Int, _ taps: Int,
        _ target: UnsafeMutablePointer<FloatPixel>, _ stride: Int
    ) {
        let scale = 1 / length
        forEach(start, length, step, count, target, stride) { sample, before in
            var rest = 1 - before
            var sum = pixels[sample] * Float(before)
            for tap in 1..<taps {
                let weight = min(rest, scale)
                rest -= weight
                sum += pixels[sample &+ tap] * Float(weight)
            }
            return sum
        }
    }

    /// Filters intervals that may reach beyond the line's ends.
    private func filterEnd(
        _ range: Range<Int>, _ start: Double, _ length: Double, _ step: Double,
        _ target: UnsafeMutablePointer<FloatPixel>, _ stride: Int
    ) {
        let last = count - 1
        for index in range {
            // Farther out, all pixels are the same.
            let position = min(max(start + Double(index) * step, -length - 1), Double(count))
            let sample = Int(position.rounded(.down))
            var weight = min((Double(sample + 1) - position) / length, 1)
            var rest = 1.0
            var sum = FloatPixel.zero
            var tap = sample
            while weight > 0 {
                sum += pixels[min(max(tap, 0), last)] * Float(weight)
                rest -= weight
                weight = min(rest, 1 / length)
                tap += 1
                if tap > last && rest > 0 {
                    sum += pixels[last] * Float(rest)
                    break
                }
            }
            target[index * stride] = sum
        }
    }
}

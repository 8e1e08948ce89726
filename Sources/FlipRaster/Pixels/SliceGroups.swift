/// Adjacent slices grouped by footprint; a footprint's sample is the weighted sum of its slices.
package final class SliceGroups {
    /// Footprints next to each other that have equally many slices.
    private struct Run: BitwiseCopyable {
        let slices: Int
        var footprints: Int
    }

    private var count = 0
    private var runCount = 0
    private let runs = Scratch<Run>()
    /// The index of the first slice's footprint, counted from the `first` of `plan`.
    private var start = 0
    private let weights = Scratch<UInt16>()
    private let products = Scratch<UInt32>()
    private let kernels: KernelTable

    package init(_ kernels: KernelTable) { self.kernels = kernels }

    /// Groups `slices`, which leave out no footprint; their footprints are counted from `first` on.
    package func plan(_ slices: UnsafeBufferPointer<Slice>, first: Int) {
        count = slices.count
        runCount = 0
        start = (slices.first?.footprint ?? first) - first
        let (weights, runs) = (weights.reserve(count), runs.reserve(count))
        products.reserve(count)
        var group = 0
        for (index, slice) in slices.enumerated() {
            weights[index] = UInt16(clamping: slice.weight)
            group += 1
            if index + 1 < count && slices[index + 1].footprint == slice.footprint { continue }
            if runCount > 0 && runs[runCount - 1].slices == group {
                runs[runCount - 1].footprints += 1
            } else {
                runs[runCount] = Run(slices: group, footprints: 1)
                runCount += 1
            }
            group = 0
        }
    }

    /// Adds a row of composed slices, each multiplied by its weight, to the row of sums that begins at `sums`.
    /// `Wide.narrow` turns the sums into samples.
    package func add(_ line: UnsafePointer<UInt16>, to sums: UnsafeMutablePointer<UInt32>) {
        let (products, runs) = (products.start, runs.start)
        var (line, weights, sums) = (line, UnsafePointer(weights.start), sums + start)
        for run in UnsafeBufferPointer(start: runs, count: runCount) {
            let count = run.slices &* run.footprints
            if run.slices == 2 {
                // Most footprints have two slices.
                kernels.addPairs(line, weights, run.footprints, sums)
            } else {
                for x in 0..<count { products[x] = UInt32(line[x]) &* UInt32(weights[x]) }
                SliceGroups.add(products, run, to: sums)
            }
            line += count
            weights += count
            sums += run.footprints
        }
    }

    private static func add(_ slices: UnsafePointer<UInt32>, _ run: Run, to sums: UnsafeMutablePointer<UInt32>) {
        switch run.slices {
        case 1: for x in 0..<run.footprints { sums[x] &+= slices[x] }
        // The compiler vectorizes short sums of a fixed length.
        case 3:
            for x in 0..<run.footprints { sums[x] &+= slices[3 &* x] &+ slices[3 &* x &+ 1] &+ slices[3 &* x &+ 2] }
        default:
            for x in 0..<run.footprints {
                var sum = sums[x]
                for index in 0..<run.slices { sum &+= slices[run.slices &* x &+ index] }
                sums[x] = sum
            }
        }
    }

    /// Adds the products of neighboring samples and their weights, two to each of `count` sums.
    package static func definePairs(
        _ line: UnsafePointer<UInt16>, _ weights: UnsafePointer<UInt16>, count: Int,
        onto sums: UnsafeMutablePointer<UInt32>
    ) {
        for x in 0..<count {
            sums[x] &+= UInt32(line[2 &* x]) &* UInt32(weights[2 &* x])
            sums[x] &+= UInt32(line[2 &* x &+ 1]) &* UInt32(weights[2 &* x &+ 1])
        }
    }
}

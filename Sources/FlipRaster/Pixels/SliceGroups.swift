/// Adjacent slices grouped by footprint; a footprint's sample is the weighted sum of its slices.
package final class SliceGroups {
    private var count = 0
    private var groups = 0
    private let weights = Scratch<UInt16>()
    private let products = Scratch<UInt32>()
    /// For each group, the index of its footprint counted from the `first` of `plan`, and the number of its slices.
    private let footprints = Scratch<Int>()
    private let counts = Scratch<Int>()

    package init() {}

    /// Groups `slices`; their footprints are counted from `first` on.
    package func plan(_ slices: UnsafeBufferPointer<Slice>, first: Int) {
        count = slices.count
        groups = 0
        let (weights, footprints, counts) = (weights.reserve(count), footprints.reserve(count), counts.reserve(count))
        products.reserve(count)
        for (index, slice) in slices.enumerated() {
            weights[index] = UInt16(clamping: slice.weight)
            if index == 0 || slice.footprint != slices[index - 1].footprint {
                footprints[groups] = slice.footprint - first
                counts[groups] = 0
                groups += 1
            }
            counts[groups - 1] += 1
        }
    }

    /// Adds a row of composed slices, each multiplied by its weight, to the row of sums that begins at `sums`.
    /// `Wide.narrow` turns the sums into samples.
    package func add(_ line: UnsafePointer<UInt16>, to sums: UnsafeMutablePointer<UInt32>) {
        let (weights, footprints, counts) = (weights.start, footprints.start, counts.start)
        let products = products.start
        for x in 0..<count { products[x] = UInt32(line[x]) &* UInt32(weights[x]) }
        var slice = UnsafePointer(products)
        for group in 0..<groups {
            var sum = sums[footprints[group]] &+ slice[0]
            // Most footprints have two or three slices.
            if counts[group] > 1 { sum &+= slice[1] }
            if counts[group] > 2 { sum &+= slice[2] }
            for index in stride(from: 3, to: counts[group], by: 1) { sum &+= slice[index] }
            sums[footprints[group]] = sum
            slice += counts[group]
        }
    }
}

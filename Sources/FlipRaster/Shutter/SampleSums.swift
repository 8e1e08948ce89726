/// Adds up the samples of frames in the same memory, one after the other, and writes their means, rounded to nearest.
///
/// Where something is transparent, the mean of colors is weighted with alpha, so that the color of what can't be seen doesn't
/// matter.
final class SampleSums: SharedWork {
    /// The greatest number of frames that can be added up. 64 samples of 8 bits fit into 16 bits.
    static let most = 64

    enum Task {
        /// The frame's samples become the sums.
        case begin
        case add
        case finish
    }

    /// Rows of a plane.
    private struct Part {
        let plane: Int
        let rows: Range<Int>
    }

    private static let rowsPerPart = 64

    let layout: PixelLayout
    let frame: PictureView
    /// The sums of each plane in memory, row after row as wide as the part that is added up.
    let sums: [Scratch<UInt8>]
    private(set) var bounds: [Job.Bounds]
    /// Whether colors are weighted with alpha. Then frames are added up as a whole.
    private var weighs = false
    private var parts: [Part] = []
    private var task = Task.begin
    /// The number of frames that have been added up.
    private(set) var added = 0
    private(set) var target: PictureView

    /// - Parameter frame: the frame in whose memory all are drawn, one after the other.
    init(_ frame: OwnPicture) {
        layout = frame.layout
        self.frame = frame.view
        target = frame.view
        sums = frame.layout.memory.map { _ in Scratch<UInt8>() }
        bounds = frame.layout.memory.map { _ in Job.Bounds(columns: 0..<0, rows: 0..<0) }
    }

    private var sumBytes: Int {
        weighs ? MemoryLayout<WeightedSum>.stride : layout.format.bytesPerSample == 1 ? 2 : 4
    }

    /// Begins anew with the part of each plane that `bounds` says; all of each plane if colors are weighted.
    func begin(isOpaque: Bool, _ bounds: (Int) -> Job.Bounds) {
        (added, weighs) = (0, !isOpaque)
        parts.removeAll(keepingCapacity: true)
        for plane in layout.memory.indices {
            let part = bounds(plane)
            self.bounds[plane] = part
            if part.columns.isEmpty { continue }
            sums[plane].reserve(part.rows.count * rowSamples(plane) * sumBytes)
            var start = part.rows.lowerBound
            while start < part.rows.upperBound {
                let end = min(start + SampleSums.rowsPerPart, part.rows.upperBound)
                parts.append(Part(plane: plane, rows: start..<end))
                start = end
            }
        }
    }

    /// Adds the frame.
    func add(_ crew: Crew) {
        task = added == 0 ? .begin : .add
        added += 1
        crew.perform(self)
    }

    /// Writes the means into `target`.
    func finish(into target: PictureView, _ crew: Crew) {
        (task, self.target) = (.finish, target)
        crew.perform(self)
    }

    private func rowSamples(_ plane: Int) -> Int { bounds[plane].columns.count * layout.memory[plane].count }

    var count: Int { parts.count }

    func perform(_ index: Int, _ worker: Worker) {
        let part = parts[index]
        if weighs { return weigh(part.rows, ofPlane: part.plane, task) }
        if layout.format.bytesPerSample == 1 {
            add(part, UInt8.self, UInt16.self, UInt32.self, shift: 20)
        } else {
            add(part, UInt16.self, UInt32.self, UInt64.self, shift: 32)
        }
    }

    /// Does the task for samples, sums and products of these types.
    ///
    /// Sums are divided by multiplying: with k = ceil(2^shift / n) = (2^shift + e) / n and e < n <= 64, the product is too
    /// large by sum e / (n 2^shift) < 1/n, so it is rounded down as the quotient is. Sums are at most 64 * 255 < 2^14 with a shift
    /// of 20, and at most 64 * 65535 < 2^22 with one of 32, so products fit.
    @inline(__always)
    private func add<
        Sample: FixedWidthInteger & UnsignedInteger, Sum: FixedWidthInteger & UnsignedInteger,
        Product: FixedWidthInteger & UnsignedInteger
    >(_ part: Part, _: Sample.Type, _: Sum.Type, _: Product.Type, shift: Int) {
        let (count, bounds) = (rowSamples(part.plane), bounds[part.plane])
        let first = bounds.columns.lowerBound * layout.pixelBytes(part.plane)
        let plane = task == .finish ? target[part.plane] : frame[part.plane]
        let start = UnsafeMutableRawPointer(sums[part.plane].start).assumingMemoryBound(to: Sum.self)
        let factor = Product(((1 << shift) + added - 1) / added)
        let half = Product(added / 2)
        for row in part.rows {
            let samples = (plane.base + (row * plane.stride + first)).assumingMemoryBound(to: Sample.self)
            let sums = start + (row - bounds.rows.lowerBound) * count
            switch task {
            case .begin: for x in 0..<count { sums[x] = Sum(truncatingIfNeeded: samples[x]) }
            case .add: for x in 0..<count { sums[x] &+= Sum(truncatingIfNeeded: samples[x]) }
            case .finish:
                for x in 0..<count {
                    let sum = Product(truncatingIfNeeded: sums[x]) &+ half
                    samples[x] = Sample(truncatingIfNeeded: (sum &* factor) &>> Product(shift))
                }
            }
        }
    }
}

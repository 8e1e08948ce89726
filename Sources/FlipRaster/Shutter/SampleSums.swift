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
        let (count, bounds) = (rowSamples(part.plane), bounds[part.plane])
        let first = bounds.columns.lowerBound * layout.pixelBytes(part.plane)
        let plane = task == .finish ? target[part.plane] : frame[part.plane]
        for row in part.rows {
            let samples = plane.base + (row * plane.stride + first)
            let sums =
                UnsafeMutableRawPointer(sums[part.plane].start)
                + (row - bounds.rows.lowerBound) * count * sumBytes
            if layout.format.bytesPerSample == 1 {
                let sums = sums.assumingMemoryBound(to: UInt16.self)
                let samples = samples.assumingMemoryBound(to: UInt8.self)
                switch task {
                case .begin: for x in 0..<count { sums[x] = UInt16(truncatingIfNeeded: samples[x]) }
                case .add: for x in 0..<count { sums[x] &+= UInt16(truncatingIfNeeded: samples[x]) }
                case .finish: SampleSums.divide(sums, by: added, into: samples, count: count)
                }
            } else {
                let sums = sums.assumingMemoryBound(to: UInt32.self)
                let samples = samples.assumingMemoryBound(to: UInt16.self)
                switch task {
                case .begin: for x in 0..<count { sums[x] = UInt32(truncatingIfNeeded: samples[x]) }
                case .add: for x in 0..<count { sums[x] &+= UInt32(truncatingIfNeeded: samples[x]) }
                case .finish: SampleSums.divide(sums, by: added, into: samples, count: count)
                }
            }
        }
    }

    /// Divides sums of at most 64 * 255 by multiplying: with k = ceil(2^20 / n) = (2^20 + e) / n and e < n <= 64, the
    /// product is too large by sum e / (n 2^20) < 1/n, so it is rounded down as the quotient is; it fits 32 bits.
    private static func divide(
        _ sums: UnsafePointer<UInt16>, by divisor: Int, into samples: UnsafeMutablePointer<UInt8>, count: Int
    ) {
        let factor = UInt32((1 << 20 + divisor - 1) / divisor)
        let half = UInt32(divisor / 2)
        for x in 0..<count {
            let sum = UInt32(truncatingIfNeeded: sums[x]) &+ half
            samples[x] = UInt8(truncatingIfNeeded: (sum &* factor) &>> 20)
        }
    }

    /// The same for sums of at most 64 * 65535 < 2^22, with 2^32 in the place of 2^20.
    private static func divide(
        _ sums: UnsafePointer<UInt32>, by divisor: Int, into samples: UnsafeMutablePointer<UInt16>, count: Int
    ) {
        let factor = UInt64((1 << 32 + divisor - 1) / divisor)
        let half = UInt64(divisor / 2)
        for x in 0..<count {
            let sum = UInt64(truncatingIfNeeded: sums[x]) &+ half
            samples[x] = UInt16(truncatingIfNeeded: (sum &* factor) &>> 32)
        }
    }
}

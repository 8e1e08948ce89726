import FlipBase
import FlipFiles
import FlipSamples
import FlipSplice

/// Compares decoded frames, one after another, with what was meant. It knows only the frame before and the one after.
struct SeamComparison {
    /// The minimum PSNR of an encoded frame, in dB.
    let minPSNR: Double
    /// The samples that were meant for the frame before `current`; nil if they aren't known.
    private var before: PictureSamples?
    /// The frame that waits for the next one; nil before the first. `shown` is nil if the frame was copied.
    private var current: (index: Int, meant: PictureSamples?, shown: PictureSamples?)?

    init(minPSNR: Double) { self.minPSNR = minPSNR }

    /// Takes the frame that follows the previous one.
    /// - Parameters:
    ///   - meant: the samples that it should have; nil if they aren't known.
    ///   - shown: the samples that it has; nil if it has been compared already.
    mutating func next(_ index: Int, meant: PictureSamples?, shown: PictureSamples?) throws(SpliceFailure) {
        try compare(after: meant)
        (before, current) = (current?.meant, (index, meant, shown))
    }

    /// Compares the last frame.
    func finish() throws(SpliceFailure) { try compare(after: nil) }

    private func compare(after: PictureSamples?) throws(SpliceFailure) {
        guard let current, let meant = current.meant, let shown = current.shown else { return }
        let neighbors = [before, after].compactMap(\.self)
        if let fault = meant.fault(shown: shown, neighbors: neighbors, minPSNR: minPSNR) {
            throw SpliceFailure("frame \(current.index) \(fault)")
        }
    }
}

/// Samples of output frames in a temporary file. In memory, there is only the place of each frame's.
struct SampleStore {
    private var file: NamelessFile?
    /// Where each frame's samples begin in the file, in bytes.
    private var offsets: [Int: Int] = [:]
    private var end = 0
    /// The number of samples of each plane, which is the same for all frames.
    private var counts: [Int] = []

    /// Keeps the same samples for all frames in `ranges`.
    mutating func store(_ samples: PictureSamples, at ranges: [Range<Int>]) throws(MediaError) {
        let file = if let open = self.file { open } else { try NamelessFile() }
        self.file = file
        counts = samples.planes.map(\.count)
        let bytes = samples.planes.flatMap(\.self)
        try file.append(bytes)
        for index in ranges.joined() { offsets[index] = end }
        end += bytes.count
    }

    /// The samples kept for frame `index`; nil if there are none.
    func samples(at index: Int) throws(MediaError) -> PictureSamples? {
        guard let file, let offset = offsets[index] else { return nil }
        let bytes = try file.bytes(in: offset..<offset + counts.reduce(0, +))
        var rest = bytes[...]
        return PictureSamples(
            planes: counts.map { count in
                defer { rest = rest.dropFirst(count) }
                return Array(rest.prefix(count))
            })
    }
}

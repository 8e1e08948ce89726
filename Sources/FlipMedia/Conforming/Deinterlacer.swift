import CLibav
import FlipBase

/// Turns interlaced frames into progressive ones, one for one, with a delay of one frame.
final class Deinterlacer {
    private let threads: Int
    private var graph: FilterGraph?
    private var shape: PictureShape?
    private var count = 0
    /// The times in seconds of the frames inside the filter.
    private var times: [Rational] = []
    private var ready: [(frame: Frame, time: Rational)] = []
    /// Whether to drop the next frame that comes out of the filter, since it was sent only as context for the one after
    /// it.
    private var skipsNext = false

    init(threads: Int) { self.threads = threads }

    /// Sends the frame before the first one, which the filter needs as context. It does not come out.
    func begin(after frame: Frame) throws(MediaError) {
        try pass(frame.newReference())
        skipsNext = true
    }

    func send(_ frame: Frame, time: Rational) throws(MediaError) {
        times.append(time)
        try pass(frame)
    }

    private func pass(_ frame: Frame) throws(MediaError) {
        // Only these properties need a new filter. All others pass through it, and may change between two frames.
        let arriving = PictureShape(frame, sampleAspectRatio: Rational(1)).map { picture in
            var shape = picture
            shape.color = ColorDescription(matrix: picture.color.matrix, isFullRange: picture.color.isFullRange)
            shape.peakLuminance = nil
            return shape
        }
        if arriving != shape || graph == nil, let arriving {
            try drain()
            graph = try FilterGraph(
                videoSources: [arriving.sourceArguments], chain: PictureFilters.deinterlacing, threads: threads)
            shape = arriving
        }
        frame.pointer.pointee.pts = Int64(count)
        count += 1
        try graph?.send(frame)
        try collect()
    }

    func receive() throws(MediaError) -> (frame: Frame, time: Rational)? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Drains the filter after the last frame was sent. Returns one frame at a time, and nil after the last.
    func finish() throws(MediaError) -> (frame: Frame, time: Rational)? {
        try drain()
        return try receive()
    }

    private func drain() throws(MediaError) {
        guard let graph else { return }
        try graph.send(nil)
        try collect()
        self.graph = nil
        skipsNext = false
    }

    private func collect() throws(MediaError) {
        while !times.isEmpty, let frame = try graph?.receive() {
            if !skipsNext { ready.append((frame, times.removeFirst())) }
            skipsNext = false
        }
    }
}

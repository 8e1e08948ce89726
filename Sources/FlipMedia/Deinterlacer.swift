import CLibav

/// Makes progressive frames of interlaced ones, one for one, a frame late.
final class Deinterlacer {
    /// As the ffmpeg command writes it.
    static let filter = "bwdif=mode=send_frame:deint=interlaced"

    private let threads: Int
    private var graph: FilterGraph?
    private var shape: PictureShape?
    private var count = 0
    /// Times of the frames inside.
    private var times: [Rational] = []
    private var ready: [(frame: Frame, time: Rational)] = []
    /// Whether the next frame that comes out is one that only its successor needed.
    private var skipsNext = false

    init(threads: Int) {
        self.threads = threads
    }

    /// Shows the filter the frame before the first that is sent, which does not come out.
    func begin(after frame: Frame) throws(MediaError) {
        try pass(frame.newReference())
        skipsNext = true
    }

    func send(_ frame: Frame, time: Rational) throws(MediaError) {
        times.append(time)
        try pass(frame)
    }

    private func pass(_ frame: Frame) throws(MediaError) {
        // Whatever else the frames say passes through the filter, and may change between two of them.
        let arriving = PictureShape(frame, sampleAspectRatio: Rational(1)).map { picture in
            var shape = picture
            shape.colour = ColorDescription(matrix: picture.colour.matrix, isFullRange: picture.colour.isFullRange)
            shape.peakLuminance = nil
            return shape
        }
        if arriving != shape || graph == nil, let arriving {
            try drain()
            graph = try FilterGraph(videoSource: arriving.sourceArguments, chain: Self.filter, threads: threads)
            shape = arriving
        }
        frame.pointer.pointee.pts = Int64(count)
        count += 1
        try graph?.send(frame)
        try collect()
    }

    func receive() throws(MediaError) -> (frame: Frame, time: Rational)? {
        ready.isEmpty ? nil : ready.removeFirst()
    }

    /// After the last frame was sent: what is left, one at a time.
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

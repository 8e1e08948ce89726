import FlipBatch

/// The extent of a job's output, reported by the process that has examined its inputs.
struct EstimateLine: Codable {
    var frames: Int
    var width: Int
    var height: Int

    /// The number of pixels that one core renders in a second.
    private static let pixelsASecond = 30e6
    /// The memory of the program and its libraries, in bytes.
    private static let baseMemory = 96 << 20
    /// The number of frames that decoders, queues and encoders hold, to which each thread adds four.
    private static let framesHeld = 72

    /// The number of frames of a size that one core renders in `seconds`.
    static func frames(in seconds: Double, width: Int, height: Int) -> Int {
        Int(seconds * pixelsASecond) / max(1, width * height)
    }

    /// The time and memory that the job is expected to take with `threads` cores.
    func estimate(threads: Int) -> Job.Estimate {
        let pixels = width * height
        return Job.Estimate(
            seconds: (Double(frames * pixels) / Self.pixelsASecond / Double(threads) * 10).rounded(.up) / 10,
            memory: Self.baseMemory + pixels * 3 / 2 * (Self.framesHeld + 4 * threads), cores: threads)
    }
}

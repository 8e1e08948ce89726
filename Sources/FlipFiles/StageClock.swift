import Synchronization

/// The wall-clock and CPU time that a stage of the work takes, summed over the threads that call it.
///
/// The CPU time is that of the calling threads, without a codec's own threads. Measurements must not be nested, or the
/// stages would add up to more than the total.
package final class StageClock: Sendable {
    private let wall = Atomic<Int64>(0)
    private let processor = Atomic<Int64>(0)
    private let items = Atomic(0)

    package init() {}

    package func measure<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        let (wallStart, processorStart) = (StageClock.now(CLOCK_MONOTONIC), StageClock.now(CLOCK_THREAD_CPUTIME_ID))
        defer {
            wall.wrappingAdd(StageClock.now(CLOCK_MONOTONIC) - wallStart, ordering: .relaxed)
            processor.wrappingAdd(StageClock.now(CLOCK_THREAD_CPUTIME_ID) - processorStart, ordering: .relaxed)
        }
        return try work()
    }

    /// Counts another frame or packet.
    package func countOne() { items.wrappingAdd(1, ordering: .relaxed) }

    package var wallSeconds: Double { Double(wall.load(ordering: .relaxed)) / 1e9 }
    package var processorSeconds: Double { Double(processor.load(ordering: .relaxed)) / 1e9 }
    package var count: Int { items.load(ordering: .relaxed) }

    /// The CPU time of the whole process so far, in seconds.
    package static var processSeconds: Double { Double(now(CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// The clocks that measure reading the frames of a stream.
package struct ReadingClocks: Sendable {
    /// Opening the file and reading packets; counts packets.
    package let demuxing = StageClock()
    /// Decoding; counts frames.
    package let decoding = StageClock()
    /// Deinterlacing and converting; counts frames. Those that need neither take next to no time.
    package let conforming = StageClock()

    package init() {}
}

/// The clocks that measure writing a file.
package struct WritingClocks: Sendable {
    package let encoding: StageClock
    package let audio: StageClock
    /// Writing packets and finishing the file; counts packets.
    package let muxing: StageClock

    package init(
        encoding: StageClock = StageClock(), audio: StageClock = StageClock(), muxing: StageClock = StageClock()
    ) {
        (self.encoding, self.audio, self.muxing) = (encoding, audio, muxing)
    }
}

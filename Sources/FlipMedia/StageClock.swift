import Synchronization

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// Time that a stage of the work took, summed over the threads that called it: by the clock and on the processor.
///
/// Processor time is that of the calling threads; what a codec's inner threads take is not in it. One measurement must not
/// lie within another, or the stages would add up to more than there was.
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

    /// Says that another frame, or packet, went through.
    package func countOne() { items.wrappingAdd(1, ordering: .relaxed) }

    package var wallSeconds: Double { Double(wall.load(ordering: .relaxed)) / 1e9 }
    package var processorSeconds: Double { Double(processor.load(ordering: .relaxed)) / 1e9 }
    package var count: Int { items.load(ordering: .relaxed) }

    /// Processor time of the whole process so far, in seconds.
    package static var processSeconds: Double { Double(now(CLOCK_PROCESS_CPUTIME_ID)) / 1e9 }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// What reading the frames of a stream is charged to.
package struct ReadingClocks: Sendable {
    /// Opening the file and reading packets, which are counted.
    package let demuxing = StageClock()
    package let decoding = StageClock()
    /// Deinterlacing and converting; frames that pass as they are take next to nothing, and are counted too.
    package let conforming = StageClock()

    package init() {}
}

/// What writing a file is charged to.
package struct WritingClocks: Sendable {
    package let encoding: StageClock
    package let audio: StageClock
    /// Writing packets, which are counted, and finishing the file.
    package let muxing: StageClock

    package init(
        encoding: StageClock = StageClock(), audio: StageClock = StageClock(), muxing: StageClock = StageClock()
    ) {
        self.encoding = encoding
        self.audio = audio
        self.muxing = muxing
    }
}

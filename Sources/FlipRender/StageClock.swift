import Foundation
import Synchronization

/// Time that a stage of the pipeline was at work, summed over its threads: by the clock and on the processor.
///
/// Processor time is that of the stage's own threads; a codec's inner threads are not in it.
final class StageClock: Sendable {
    private let wall = Atomic<Int64>(0)
    private let processor = Atomic<Int64>(0)

    func measure<Value, Failure: Error>(_ work: () throws(Failure) -> Value) throws(Failure) -> Value {
        let (wallStart, processorStart) = (StageClock.now(CLOCK_MONOTONIC), StageClock.now(CLOCK_THREAD_CPUTIME_ID))
        defer {
            wall.wrappingAdd(StageClock.now(CLOCK_MONOTONIC) - wallStart, ordering: .relaxed)
            processor.wrappingAdd(StageClock.now(CLOCK_THREAD_CPUTIME_ID) - processorStart, ordering: .relaxed)
        }
        return try work()
    }

    var wallSeconds: Double { Double(wall.load(ordering: .relaxed)) / 1e9 }
    var processorSeconds: Double { Double(processor.load(ordering: .relaxed)) / 1e9 }

    private static func now(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

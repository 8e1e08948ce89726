import FlipMedia
import Foundation

/// What a run did: the plan it followed, and what it took.
package struct RenderReport: Encodable, Sendable {
    let plan: PlanDocument
    package let framesEncoded: Int
    package let framesCopied: Int
    /// Packets of sound that were taken over as they are, and those that were encoded.
    package let audioPacketsCopied: Int
    package let audioPacketsEncoded: Int
    /// How many segments were rendered at a time; 1 where the output was encoded in one pass.
    let workers: Int
    package let bytes: Int
    package let seconds: Double
    /// Of the whole process, planning included.
    let processorSeconds: Double
    let peakMemoryBytes: Int
    let stages: StageTimes
    package let warnings: [String]
    /// Decoding errors of each input that were concealed or skipped, in video and audio.
    let concealedErrors: [Int]

    init(
        plan: RenderPlan, clocks: StageClocks, warnings: [String], concealedErrors: [Int],
        soundPackets: (copied: Int, encoded: Int), bytes: Int, workers: Int = 1, elapsed: Duration
    ) {
        (audioPacketsCopied, audioPacketsEncoded) = soundPackets
        self.workers = workers
        self.concealedErrors = concealedErrors
        self.plan = PlanDocument(plan)
        framesCopied = plan.timeline.copiedFrames
        framesEncoded = plan.timeline.frames - framesCopied
        self.bytes = bytes
        seconds = elapsed / .seconds(1)
        processorSeconds = StageClock.processSeconds
        stages = StageTimes(clocks, processorSeconds: processorSeconds)
        var usage = rusage()
        #if os(Linux)
            getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        #if os(Linux)
            peakMemoryBytes = usage.ru_maxrss * 1024
        #else
            peakMemoryBytes = usage.ru_maxrss
        #endif
        self.warnings = warnings
    }
}

extension RenderReport {
    /// What was copied, and why no more.
    package var copySentence: String {
        let refusals = plan.copyRefusals
        let counts = "copied \(framesCopied) of \(framesCopied + framesEncoded) frames"
        return refusals.isEmpty ? counts : counts + ": " + refusals.joined(separator: "; ")
    }
}

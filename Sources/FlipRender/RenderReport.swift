import FlipFiles
import Foundation

/// What a run did: the plan it carried out, and the time and memory it took.
package struct RenderReport: Encodable, Sendable {
    let plan: PlanDocument
    package let framesEncoded: Int
    package let framesCopied: Int
    /// The numbers of audio packets that were copied and that were encoded.
    package let audioPacketsCopied: Int
    package let audioPacketsEncoded: Int
    /// The number of segments rendered at a time; 1 if the output was encoded in one pass.
    let workers: Int
    package let bytes: Int
    /// Elapsed time of the run, without planning.
    package let seconds: Double
    /// Processor time of the whole process, planning included.
    let processorSeconds: Double
    let peakMemoryBytes: Int
    let stages: StageTimes
    package let warnings: [String]
    /// For each input, the number of decoding errors in video and audio that were concealed or skipped.
    let concealedErrors: [Int]
    /// What was measured and done to reach the loudness asked for; nil if none was.
    let loudness: Leveler.Outcome?

    init(
        plan: RenderPlan, clocks: StageClocks, warnings: [String], concealedErrors: [Int],
        loudness: Leveler.Outcome?, audioPackets: (copied: Int, encoded: Int), bytes: Int, workers: Int = 1,
        elapsed: Duration
    ) {
        (audioPacketsCopied, audioPacketsEncoded) = audioPackets
        self.workers = workers
        self.concealedErrors = concealedErrors
        self.loudness = loudness
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
    /// How many frames were copied, and why no more.
    package var copySentence: String {
        let refusals = plan.copyRefusals
        let counts = "copied \(framesCopied) of \(framesCopied + framesEncoded) frames"
        return refusals.isEmpty ? counts : counts + ": " + refusals.joined(separator: "; ")
    }
}

import FlipMedia
import Foundation

/// What a run did: the plan it followed, and what it took.
package struct RenderReport: Encodable, Sendable {
    /// One stage of the pipeline. Stages overlap, so their seconds add up to more than the run's.
    package struct Stage: Encodable, Sendable {
        let wallSeconds: Double
        let processorSeconds: Double

        init(_ clock: StageClock) {
            wallSeconds = clock.wallSeconds
            processorSeconds = clock.processorSeconds
        }
    }

    package struct Stages: Encodable, Sendable {
        let decoding: Stage
        let rendering: Stage
        let encoding: Stage
        /// Audio: decoding, mixing and encoding.
        let audio: Stage
    }

    struct Clocks: Sendable {
        let decoding = StageClock()
        let rendering = StageClock()
        let encoding = StageClock()
        let audio = StageClock()
    }

    let plan: PlanDocument
    package let framesEncoded: Int
    package let framesCopied: Int
    package let bytes: Int
    package let seconds: Double
    let processorSeconds: Double
    let peakMemoryBytes: Int
    let stages: Stages
    package let warnings: [String]
    /// Decoding errors of each input that were concealed or skipped, in video and audio.
    let concealedErrors: [Int]

    init(
        plan: RenderPlan, clocks: Clocks, warnings: [String], concealedErrors: [Int], bytes: Int, elapsed: Duration
    ) {
        self.concealedErrors = concealedErrors
        self.plan = PlanDocument(plan)
        framesCopied = plan.timeline.copiedFrames
        framesEncoded = plan.timeline.frames - framesCopied
        self.bytes = bytes
        seconds = elapsed / .seconds(1)
        stages = Stages(
            decoding: Stage(clocks.decoding), rendering: Stage(clocks.rendering), encoding: Stage(clocks.encoding),
            audio: Stage(clocks.audio))
        var usage = rusage()
        #if os(Linux)
            getrusage(RUSAGE_SELF.rawValue, &usage)
        #else
            getrusage(RUSAGE_SELF, &usage)
        #endif
        let part = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        processorSeconds = part(usage.ru_utime) + part(usage.ru_stime)
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
    package func copySentence(refusals: [String]) -> String {
        let counts = "copied \(framesCopied) of \(framesCopied + framesEncoded) frames"
        return refusals.isEmpty ? counts : counts + ": " + refusals.joined(separator: "; ")
    }
}

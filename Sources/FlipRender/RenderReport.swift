import FlipBase
import FlipFiles
import Foundation

/// What a run did: the plan it carried out, and the time and memory it took.
package struct RenderReport: Encodable, Sendable {
    private(set) var plan: PlanDocument
    package let framesEncoded: Int
    package let framesCopied: Int
    /// The number of frames that an earlier run has encoded (`--cache`).
    package let framesReused: Int
    /// The numbers of audio packets that were copied and that were encoded.
    package let audioPacketsCopied: Int
    package let audioPacketsEncoded: Int
    /// The number of segments rendered at a time; 1 if the output was encoded in one pass.
    let workers: Int
    package let bytes: Int
    /// Elapsed time of the run, without planning.
    package internal(set) var seconds: Double
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
        plan: RenderPlan, clocks: StageClocks, warnings: [String], concealedErrors: [Int], loudness: Leveler.Outcome?,
        audioPackets: (copied: Int, encoded: Int), bytes: Int, workers: Int = 1, framesReused: Int = 0,
        elapsed: Duration
    ) {
        (audioPacketsCopied, audioPacketsEncoded) = audioPackets
        (self.workers, self.concealedErrors, self.loudness) = (workers, concealedErrors, loudness)
        self.plan = PlanDocument(plan)
        framesCopied = plan.timeline.copiedFrames
        self.framesReused = framesReused
        framesEncoded = plan.timeline.frames - framesCopied - framesReused
        self.bytes = bytes
        seconds = elapsed / .seconds(1)
        processorSeconds = StageClock.processSeconds
        stages = StageTimes(clocks, processorSeconds: processorSeconds)
        var usage = rusage()
        #if os(Linux)
            getrusage(RUSAGE_SELF.rawValue, &usage)
            peakMemoryBytes = usage.ru_maxrss * 1024
        #else
            getrusage(RUSAGE_SELF, &usage)
            peakMemoryBytes = usage.ru_maxrss
        #endif
        self.warnings = warnings
    }

    /// The report of a run that found its whole output.
    init(reusing plan: RenderPlan, _ clocks: StageClocks, bytes: Int, elapsed: Duration) {
        self.init(
            plan: plan, clocks: clocks, warnings: plan.warnings, concealedErrors: plan.clips.map { _ in 0 },
            loudness: nil, audioPackets: (0, 0), bytes: bytes, framesReused: plan.timeline.frames, elapsed: elapsed)
    }
}

extension RenderReport {
    /// What there is to say of the output that is no warning, one sentence each.
    package var remarks: [String] { plan.remarks }

    /// Adds a remark that only the run could make.
    mutating func remark(_ sentence: String) { plan.remarks.append(sentence) }

    /// What was made, for people: `out.mp4: 12:31, 1920x1080, 84 MB; 60 of 22,540 frames encoded, the rest copied; 6.2 s`.
    package var summary: String {
        let output = plan.output
        let length =
            output.seconds < 60
            ? "\(Self.short(output.seconds)) s" : Rational(Int(output.seconds.rounded())).playTime(decimals: 0)
        let total = framesEncoded + framesCopied + framesReused
        let part = "\(Self.grouped(framesEncoded)) of \(Self.grouped(total)) frames encoded, the rest"
        let frames =
            switch (encoded: framesEncoded, copied: framesCopied, reused: framesReused) {
            case (_, 0, 0): "\(Self.grouped(total)) frames encoded"
            case (0, _, 0): "\(Self.grouped(total)) frames copied"
            case (_, _, 0): part + " copied"
            default: part + " kept from before"
            }
        return "\(output.path): \(length), \(output.width)x\(output.height), \(Self.size(bytes)); \(frames); "
            + "\(Self.short(seconds)) s"
    }

    /// How many frames were copied, and why no more.
    package var copySentence: String {
        let counts = "copied \(framesCopied) of \(framesCopied + framesEncoded) frames"
        return plan.copyRefusals.isEmpty ? counts : counts + ": " + plan.copyRefusals.joined(separator: "; ")
    }

    private static func short(_ number: Double) -> String {
        let digits = number < 10 ? 10.0 : 1
        let rounded = (number * digits).rounded() / digits
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    private static func grouped(_ count: Int) -> String {
        var digits = String(count)
        var position = digits.count - 3
        while position > 0 {
            digits.insert(",", at: digits.index(digits.startIndex, offsetBy: position))
            position -= 3
        }
        return digits
    }

    /// A number of bytes in powers of 1000, as file sizes are advertised.
    static func size(_ bytes: Int) -> String {
        for (unit, scale) in [("GB", 1e9), ("MB", 1e6), ("kB", 1e3)] where Double(bytes) >= scale {
            return "\(short(Double(bytes) / scale)) \(unit)"
        }
        return "\(bytes) bytes"
    }
}

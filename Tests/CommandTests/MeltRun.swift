import TestSupport
import Testing

/// Runs of melt, MLT's command-line program, that write a file.
enum MeltRun {
    /// Runs melt with the built plugins and `arguments`, which write to `path`.
    ///
    /// MLT 7's avformat consumer starts its thread before it sets "running", which the thread checks before its first
    /// frame. On a busy machine the thread therefore sometimes ends at once, whatever the mixer. melt then either
    /// succeeds and leaves an empty file, or waits forever. In both cases it is run again. That it waits shows in the
    /// processor time of all its threads: looking some 25 times a second whether it has ended takes a thousandth of a
    /// processor, and what draws or encodes far more, even beside other programs.
    static func succeed(_ arguments: [String], writing path: String, environment: [String: String] = [:]) throws {
        let plugins = ["FREI0R_PATH": try #require(Places.plugins)]
        for _ in 1...5 {
            var isWaiting = false
            var last: (ticks: Int, time: ContinuousClock.Instant)?
            let run = try Tool.run(
                "melt", ["-silent"] + arguments,
                watch: { tool in
                    if let last, .now - last.time < .seconds(15) { return false }
                    let ticks = processorTicks(tool.process)
                    // A fiftieth of a processor; a tick is a hundredth of a second.
                    isWaiting = last.map { ticks - $0.ticks < 30 } ?? false
                    last = (ticks, .now)
                    if isWaiting { kill(tool.process, SIGKILL) }
                    return isWaiting
                }, environment: plugins.merging(environment) { $1 })
            let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
            if isWaiting || run.status == 0 && size == 0 { continue }
            guard run.status == 0 else { throw ToolError(run.story) }
            return
        }
        throw ToolError("melt ended before its first frame, five times in a row")
    }

    /// The processor time of a process in the system's ticks, fields 14 and 15 of its stat file (proc_pid_stat(5)).
    private static func processorTicks(_ process: pid_t) -> Int {
        let text = (try? String(contentsOf: "/proc/\(process)/stat")) ?? ""
        // The second field is the name in parentheses, which may contain spaces.
        let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }
}

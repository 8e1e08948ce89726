import Foundation
import TestSupport
import Testing

/// Runs of melt, MLT's command-line program, that write a file.
enum MeltRun {
    /// Runs melt with the built plugins and `arguments`, which write to `path`.
    ///
    /// MLT 7's avformat consumer starts its thread before it sets "running", which the thread checks before its first
    /// frame. On a busy machine the thread therefore sometimes ends at once, whatever the mixer. melt then either
    /// succeeds and leaves an empty file, or waits forever with only its main thread. In both cases it is run again.
    static func succeed(
        _ arguments: [String], writing path: String, environment: [String: String] = [:]
    ) throws {
        let plugins = ["FREI0R_PATH": try #require(Places.plugins)]
        for _ in 1...5 {
            var isWaiting = false
            var aloneSince: ContinuousClock.Instant?
            let run = try Tool.run(
                "melt", ["-silent"] + arguments,
                watch: { tool in
                    let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(tool.process)/task")
                    let since = threads?.count == 1 ? aloneSince ?? .now : nil
                    aloneSince = since
                    isWaiting = since.map { .now - $0 > .seconds(10) } ?? false
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
}

import Foundation
import TestSupport
import Testing

/// Runs of MLT's program that write a file.
enum MeltRun {
    /// Runs melt with the built plugins and `arguments`, which write to `path`.
    ///
    /// MLT 7's avformat consumer starts its thread first and sets "running" afterwards, which the thread asks before its first frame.
    /// On a busy machine the thread therefore ends at once now and then, whatever the mixer: melt then succeeds and leaves an
    /// empty file, or waits for ever with no thread but its first. Either is tried again.
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

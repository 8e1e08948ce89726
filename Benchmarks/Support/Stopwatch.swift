import Foundation

/// Wall time and processor time, in milliseconds per frame.
package struct Cost {
    package var wall: Double
    package var processor: Double

    /// The median cost of `runs` runs of `frames` calls of `draw`, after one run that is not counted.
    package static func median(runs: Int, frames: Int, _ draw: (Int) -> Void) -> Cost {
        for index in 0..<frames { draw(index) }
        let costs = (0..<runs).map { _ in
            let (wall, processor) = (seconds(CLOCK_MONOTONIC), seconds(CLOCK_PROCESS_CPUTIME_ID))
            for index in 0..<frames { draw(index) }
            let each = 1000 / Double(frames)
            return Cost(
                wall: (seconds(CLOCK_MONOTONIC) - wall) * each,
                processor: (seconds(CLOCK_PROCESS_CPUTIME_ID) - processor) * each)
        }
        return Cost(wall: middle(costs.map(\.wall)), processor: middle(costs.map(\.processor)))
    }

    /// The median of an odd number of values.
    package static func middle(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    static func seconds(_ clock: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(clock, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Information about this machine and this process.
package enum Machine {
    /// The size of the last-level cache in bytes; 32 MiB if the system does not state it.
    package static var cacheBytes: Int {
        let sizes = (0...4).compactMap { level -> Int? in
            let path = "/sys/devices/system/cpu/cpu0/cache/index\(level)/size"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
            let digits = Int(text.prefix { $0.isNumber }) ?? 0
            return digits * (text.contains("M") ? 1 << 20 : 1 << 10)
        }
        return sizes.max() ?? 32 << 20
    }

    /// This process's memory in kilobytes: the resident set size now (`VmRSS`) or its peak (`VmHWM`).
    package static func memory(_ key: String) -> Int {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix(key + ":") })
        else { return 0 }
        return line.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }

    package static var name: String {
        guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8),
            let line = text.split(separator: "\n").first(where: { $0.hasPrefix("model name") })
        else { return "unknown processor" }
        return line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }
}

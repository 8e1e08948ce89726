import Foundation

/// What a process and its descendants use, as Linux tells in /proc.
enum ProcessTree {
    /// The resident memory, in bytes; 0 if the system doesn't tell.
    static func memory(of process: pid_t) -> Int {
        all(process).reduce(0) { sum, process in
            let pages = numbers(text(process, "statm"))
            return sum + (pages.count > 1 ? pages[1] : 0) * Int(getpagesize())
        }
    }

    /// The processor time of those that haven't ended, in ticks of 10 ms; nil if the system doesn't tell.
    static func ticks(of process: pid_t) -> Int? {
        let own = all(process).compactMap { process -> Int? in
            // The second field is the name in parentheses, which may contain spaces (proc_pid_stat(5)).
            let fields = text(process, "stat").split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : nil
        }
        return own.isEmpty ? nil : own.reduce(0, +)
    }

    /// The process and its descendants.
    private static func all(_ process: pid_t, depth: Int = 0) -> [pid_t] {
        // Each thread has its own list: helper programs are started by the threads that read inputs.
        let threads =
            depth < 8 ? (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? [] : []
        let children = threads.flatMap { numbers(text(process, "task/\($0)/children")) }
        return [process] + children.flatMap { all(pid_t($0), depth: depth + 1) }
    }

    private static func text(_ process: pid_t, _ name: String) -> String {
        (try? String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)) ?? ""
    }

    private static func numbers(_ text: String) -> [Int] {
        text.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    }
}

import Foundation

/// The memory that the processes of this machine may use together.
package enum MachineMemory {
    /// The machine's memory, or the limit of the control group that this process runs in if that is lower; in bytes.
    package static var limit: Int {
        limit(
            physical: Int(ProcessInfo.processInfo.physicalMemory),
            groups: (try? String(contentsOfFile: "/proc/self/cgroup", encoding: .utf8)) ?? "", root: "/sys/fs/cgroup")
    }

    /// - Parameters:
    ///   - groups: the text of /proc/self/cgroup, whose line `0::/path` names the group in cgroup v2.
    ///   - root: the folder in which cgroup v2 is mounted.
    package static func limit(physical: Int, groups: String, root: String) -> Int {
        guard let line = groups.split(separator: "\n").first(where: { $0.hasPrefix("0::") }) else { return physical }
        var names = line.dropFirst(3).split(separator: "/")
        var limit = physical
        // Each group is also limited by those around it. In a container the path may be the host's and not exist here,
        // and the limit is the root's.
        while true {
            let path = ([root] + names.map(String.init) + ["memory.max"]).joined(separator: "/")
            let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? "max"
            if let bytes = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), bytes > 0 {
                limit = min(limit, bytes)
            }
            if names.popLast() == nil { return limit }
        }
    }
}

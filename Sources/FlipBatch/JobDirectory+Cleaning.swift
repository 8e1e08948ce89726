import Foundation

/// What attempts left that ended without a word.
extension JobDirectory {
    /// Removes what attempts of this machine's dead processes were writing.
    package func removeParts(ofDeadProcessesOn host: String) {
        for name in names(outputs) {
            guard let part = PartName(name), part.host == host, kill(part.process, 0) != 0, errno == ESRCH else {
                continue
            }
            try? FileManager.default.removeItem(atPath: "\(outputs)/\(name)")
        }
    }

    /// Removes what nobody needs any more and nobody has touched for `age` seconds: files of attempts that are over, and
    /// outputs, reports and logs of jobs that the plan doesn't have. Outputs that still stand where they were asked for stay.
    /// - Returns: the removed paths, with their bytes.
    package func collect(_ plan: JobPlan, olderThan age: Double, removing: Bool) -> [(path: String, bytes: Int)] {
        var found: [(String, Int)] = []
        let known = Set(plan.jobs.map(\.name))
        for folder in [path, outputs, reports, attempts] {
            for name in names(folder) {
                let path = "\(folder)/\(name)"
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                let seconds = Date().timeIntervalSince1970 - Double(FileIdentity.nanoseconds(status)) / 1e9
                guard seconds >= age, isLeftOver(name, folder, status, known) else { continue }
                if removing { try? FileManager.default.removeItem(atPath: path) }
                found.append((path, Int(status.st_size)))
            }
        }
        return found
    }

    private func isLeftOver(_ name: String, _ folder: String, _ status: stat, _ known: Set<String>) -> Bool {
        // What an atomic write of a small file left.
        if name.hasPrefix(".dat.nosync") { return true }
        if folder == path { return false }
        if folder == outputs, PartName(name) != nil { return true }
        guard name.count > 26, name.prefix(26).dropFirst(5).first == "-" else { return false }
        if known.contains(String(name.prefix(26))) { return false }
        return folder != outputs || status.st_nlink == 1
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}

/// The name of an attempt's file: `.part-<job>-<host>-<process>-<nanoseconds>` and an ending.
struct PartName {
    let host: String
    let process: Int32

    init?(_ name: String) {
        // The writer hides its own temporary files by one dot more.
        let name = name.hasPrefix("..") ? name.dropFirst() : name[...]
        guard name.hasPrefix(".part-") else { return nil }
        let parts = name.dropFirst(".part-".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Int(parts[0]) != nil, let process = Int32(parts[2]), process > 0 else { return nil }
        host = String(parts[1])
        self.process = process
    }
}

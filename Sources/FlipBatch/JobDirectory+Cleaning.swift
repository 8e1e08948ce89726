import Foundation

/// What attempts left that ended without a word.
extension JobDirectory {
    /// Removes what attempts of this machine were writing whose processes are gone.
    package func removeDeadParts(of host: String) {
        for name in names(outputs) {
            guard let part = PartName(name), part.host == host, !isAlive(part.mark) else { continue }
            try? FileManager.default.removeItem(atPath: "\(outputs)/\(name)")
        }
    }

    /// Whether the process of the attempt whose files begin with `mark` lives: its lock is held. Process numbers say less,
    /// as the dead may keep theirs and others may get it.
    package func isAlive(_ mark: String) -> Bool {
        let descriptor = open("\(outputs)/\(mark).d", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_EX | LOCK_NB) != 0
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
    /// The name without the ending, which all files of the attempt have.
    let mark: String
    let host: String

    init?(_ name: String) {
        // The writer hides its own temporary files by one dot more.
        let name = name.hasPrefix("..") ? name.dropFirst() : name[...]
        guard name.hasPrefix(".part-") else { return nil }
        let parts = name.dropFirst(".part-".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Int(parts[0]) != nil, Int32(parts[2]) != nil else { return nil }
        host = String(parts[1])
        mark = ".part-" + parts[..<3].joined(separator: "-") + "-" + parts[3].prefix { $0.isNumber }
    }
}

import FlipFiles
import Foundation

/// Removing what dead attempts and old plans have left behind.
extension JobDirectory {
    /// Removes the files of attempts on the machine `host` whose processes are gone.
    package func removeDeadParts(of host: String) {
        let parts = names(outputs).compactMap { name in PartName(name).map { (name, $0) } }.filter { $0.1.host == host }
        let dead = Set(parts.map(\.1.mark)).filter { !isAlive($0) }
        for (name, part) in parts where dead.contains(part.mark) {
            try? FileManager.default.removeItem(atPath: "\(outputs)/\(name)")
        }
    }

    /// The time without a heartbeat, in seconds, after which an attempt on another machine is considered dead: six
    /// heartbeats.
    static let heartbeatTimeout = 60.0

    /// Whether the process of the attempt whose file names begin with `mark` is alive. For this machine, the lock
    /// tells. Locks of other machines may be invisible, as on some network file systems, so there the last heartbeat
    /// has to be recent. Process IDs are less reliable: zombies keep theirs, and an ID may be reused.
    package func isAlive(_ mark: String) -> Bool {
        let descriptor = open("\(outputs)/\(mark).lock", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        switch FileLock.take(descriptor) {
        case .held: return true
        case .taken where PartName(mark)?.host == Attempt.host: return false
        case .taken, .unsupported:
            var status = stat()
            return fstat(descriptor, &status) == 0 && Self.age(status) < Self.heartbeatTimeout
        }
    }

    /// The longest time for which an engine is expected to keep work in its queue, in seconds: 30 days.
    private static let longestQueue = 30.0 * 86400

    /// The time since the file was last modified, in seconds.
    private static func age(_ status: stat) -> Double {
        Date().timeIntervalSince1970 - Double(FileIdentity.nanoseconds(status)) / 1e9
    }

    /// Finds files that are no longer needed and have not been modified for `age` seconds, and removes them if
    /// `removing` is set: files of attempts that are over, other plans, and outputs, reports and logs of jobs that the
    /// plan doesn't have. Outputs that are also hard-linked elsewhere, as at the path requested for them, are kept, and
    /// so are the files of live attempts.
    /// - Returns: the paths found, with their sizes in bytes.
    package func collect(_ plan: JobPlan, olderThan age: Double, removing: Bool) -> [(path: String, bytes: Int)] {
        var found: [(String, Int)] = []
        let known = Set(plan.jobs.map(\.name))
        // The report of an output that stays tells whether the file elsewhere is still that output.
        let reported = known.union(names(outputs).filter { linkCount("\(outputs)/\($0)") > 1 }.compactMap(Self.jobName))
        let sourceNames = Set(plan.sources?.values.map(\.self) ?? [])
        // The names of what engines were given begin with the plan's.
        let submitted = Set(names(submissions).map { String($0.prefix { $0 != "-" }) })
        var liveness: [String: Bool] = [:]
        let latest = FileManager.default.contents(atPath: path + "/plan.json")
        for folder in [path, plans, outputs, reports, attempts, claims, sources, submissions] {
            for name in names(folder) {
                let path = "\(folder)/\(name)"
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                let wanted = folder == reports ? reported : known
                guard Self.age(status) >= age, isLeftOver(name, folder, status, wanted, sourceNames) else { continue }
                if folder == outputs, let part = PartName(name) {
                    let isAlive = liveness[part.mark] ?? isAlive(part.mark)
                    liveness[part.mark] = isAlive
                    if isAlive { continue }
                }
                if folder == claims, isLivingClaim(path) { continue }
                if folder == plans {
                    let isSubmitted = submitted.contains(String(name.prefix { $0 != "." }))
                    if isSubmitted || FileManager.default.contents(atPath: path) == latest { continue }
                }
                if removing { try? FileManager.default.removeItem(atPath: path) }
                found.append((path, Int(status.st_size)))
            }
        }
        return found
    }

    private func isLeftOver(
        _ name: String, _ folder: String, _ status: stat, _ known: Set<String>, _ sourceNames: Set<String>
    ) -> Bool {
        // A temporary file that an interrupted atomic write has left.
        if name.hasPrefix(".dat.nosync") { return true }
        // A plan for processes that have ended.
        if folder == path { return name.hasPrefix(Self.draftPrefix) }
        if folder == outputs, PartName(name) != nil { return true }
        if folder == plans { return name.hasSuffix(".json") }
        // Claims of the living are spared by the caller.
        if folder == claims { return true }
        // An engine may need what it was given for as long as its queue is.
        if folder == submissions { return Self.age(status) >= Self.longestQueue }
        if folder == sources { return !sourceNames.contains(name) }
        guard let job = Self.jobName(name), !known.contains(job) else { return false }
        return folder != outputs || status.st_nlink == 1
    }

    /// The name of the job that a file belongs to, which the file's name begins with.
    static func jobName(_ file: String) -> String? {
        let hash = file.prefix { $0 != "." && $0 != "-" }
        return hash.count == 20 && hash.allSatisfy(\.isHexDigit) ? String(hash) : nil
    }

    private func linkCount(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_nlink) : 0
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}

/// The name of an attempt's file: `.part-<job>-<host>-<process>-<nanoseconds>` and an extension.
package struct PartName {
    /// The name without the extension, which is the same for all files of the attempt.
    package let mark: String
    package let host: String
    /// When the attempt began, in nanoseconds since 1970.
    package let time: Int

    package init?(_ name: String) {
        // The names of the writer's own temporary files begin with an additional dot.
        let name = name.hasPrefix("..") ? name.dropFirst() : name[...]
        guard name.hasPrefix(".part-") else { return nil }
        let parts = name.dropFirst(".part-".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Int(parts[0]) != nil, Int32(parts[2]) != nil else { return nil }
        host = String(parts[1])
        let digits = parts[3].prefix { $0.isNumber }
        time = Int(digits) ?? 0
        mark = ".part-" + parts[..<3].joined(separator: "-") + "-" + digits
    }
}

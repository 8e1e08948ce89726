import FlipMedia
import Foundation

/// What attempts left that ended without a word.
extension JobDirectory {
    /// Removes what attempts of this machine were writing whose processes are gone.
    package func removeDeadParts(of host: String) {
        let parts = names(outputs).compactMap { name in PartName(name).map { (name, $0) } }.filter { $0.1.host == host }
        let dead = Set(parts.map(\.1.mark)).filter { !isAlive($0) }
        for (name, part) in parts where dead.contains(part.mark) {
            try? FileManager.default.removeItem(atPath: "\(outputs)/\(name)")
        }
    }

    /// Seconds after which an attempt on another machine is taken for dead that has said nothing: six of its heartbeats.
    static let patience = 60.0

    /// Whether the process of the attempt whose files begin with `mark` lives. Its lock says so on this machine. Locks of other
    /// machines may not be seen, as on some network file systems; there its last heartbeat has to be young. Process numbers
    /// say less, as the dead may keep theirs and others may get it.
    package func isAlive(_ mark: String) -> Bool {
        let descriptor = open("\(outputs)/\(mark).lock", O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        switch FileLock.take(descriptor) {
        case .held: return true
        case .taken where PartName(mark)?.host == Attempt.host: return false
        case .taken, .unsupported:
            var status = stat()
            return fstat(descriptor, &status) == 0 && Self.age(status) < Self.patience
        }
    }

    /// Seconds since the file was written.
    private static func age(_ status: stat) -> Double {
        Date().timeIntervalSince1970 - Double(FileIdentity.nanoseconds(status)) / 1e9
    }

    /// Removes what nobody needs any more and nobody has touched for `age` seconds: files of attempts that are over, other
    /// plans, and outputs, reports and logs of jobs that the plan doesn't have. Outputs that still stand where they were asked
    /// for stay, and so does whatever an attempt writes that lives.
    /// - Returns: the removed paths, with their bytes.
    package func collect(_ plan: JobPlan, olderThan age: Double, removing: Bool) -> [(path: String, bytes: Int)] {
        var found: [(String, Int)] = []
        let known = Set(plan.jobs.map(\.name))
        var living: [String: Bool] = [:]
        let latest = FileManager.default.contents(atPath: path + "/plan.json")
        for folder in [path, plans, outputs, reports, attempts] {
            for name in names(folder) {
                let path = "\(folder)/\(name)"
                var status = stat()
                guard lstat(path, &status) == 0 else { continue }
                guard Self.age(status) >= age, isLeftOver(name, folder, status, known) else { continue }
                if folder == outputs, let part = PartName(name) {
                    let isAlive = living[part.mark] ?? isAlive(part.mark)
                    living[part.mark] = isAlive
                    if isAlive { continue }
                }
                if folder == plans, FileManager.default.contents(atPath: path) == latest { continue }
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
        if folder == plans { return name.hasSuffix(".json") }
        guard let job = Self.jobName(name), !known.contains(job) else { return false }
        return folder != outputs || status.st_nlink == 1
    }

    /// The name of the job that a file is called after. Earlier versions put the job's index before it.
    private static func jobName(_ file: String) -> String? {
        let parts = file.prefix { $0 != "." }.split(separator: "-", omittingEmptySubsequences: false)
        let isNumbered = parts.count > 1 && parts[0].count == 5 && Int(parts[0]) != nil
        let hash = isNumbered ? parts[1] : parts[0]
        guard hash.count == 20, hash.allSatisfy(\.isHexDigit) else { return nil }
        return isNumbered ? "\(parts[0])-\(hash)" : String(hash)
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
    }
}

/// The name of an attempt's file: `.part-<job>-<host>-<process>-<nanoseconds>` and an ending.
package struct PartName {
    /// The name without the ending, which all files of the attempt have.
    package let mark: String
    package let host: String

    package init?(_ name: String) {
        // The writer hides its own temporary files by one dot more.
        let name = name.hasPrefix("..") ? name.dropFirst() : name[...]
        guard name.hasPrefix(".part-") else { return nil }
        let parts = name.dropFirst(".part-".count).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count >= 4, Int(parts[0]) != nil, Int32(parts[2]) != nil else { return nil }
        host = String(parts[1])
        mark = ".part-" + parts[..<3].joined(separator: "-") + "-" + parts[3].prefix { $0.isNumber }
    }
}

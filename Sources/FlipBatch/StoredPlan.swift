import FlipBase
import FlipFiles
import Foundation

/// A plan as it lies on the disk: JSON with a line for everything but the jobs, and one for each job. Jobs are decoded
/// when they are needed, because a process that makes one job of 10,000 needs only that one.
package struct StoredPlan {
    /// The plan without its jobs.
    let head: JobPlan
    private let lines: [Data]
    private let path: String

    var indices: Range<Int> { lines.indices }

    /// What stands before the first job.
    private static let opening = Data(#","jobs":["#.utf8)

    static func encode(_ plan: JobPlan) throws -> Data {
        let encoder = JSONEncoder.stable
        // The jobs' list is put at the end, where a line can follow it.
        var text = try encoder.encode(plan).dropLast() + opening
        for (index, job) in plan.jobs.enumerated() {
            text += Data((index == 0 ? "\n" : ",\n").utf8)
            text += try encoder.encode(job)
        }
        return text + Data("\n]}\n".utf8)
    }

    /// Reads the plan of `directory`.
    init(_ directory: JobDirectory) throws(MediaError) {
        path = directory.planPath
        guard let data = FileManager.default.contents(atPath: path) else {
            // `badInput`, because trying again can't help: a scheduler must not do so.
            let isKnown = FileManager.default.fileExists(atPath: directory.plans)
            throw MediaError(
                .badInput,
                isKnown
                    ? "there is no plan '\(path)' in the job directory (plan the batch again)"
                    : "cannot read '\(path)': '\(directory.path)' is not a job directory")
        }
        var parts = Self.lines(of: data)
        // The schema comes first, because the rest may differ between schemas.
        struct Version: Decodable { let schema: Int }
        let first = parts.isEmpty ? Data() : Data(parts.removeFirst())
        let whole =
            first.suffix(Self.opening.count) == Self.opening
            ? first.dropLast(Self.opening.count) + Data("}".utf8) : data
        guard let version = try? JSONDecoder().decode(Version.self, from: whole) else {
            throw MediaError(.badInput, "'\(path)' is not a plan of jobs")
        }
        guard version.schema == JobPlan.currentSchema else {
            throw MediaError(
                .badInput, "'\(path)' has schema \(version.schema), and this program reads \(JobPlan.currentSchema)")
        }
        guard let head = try? JSONDecoder().decode(JobPlan.self, from: whole), parts.popLast() == Data("]}".utf8) else {
            throw Self.damage(path)
        }
        self.head = head
        lines = parts.map { $0.last == UInt8(ascii: ",") ? $0.dropLast() : $0 }
    }

    /// The lines of `data` that aren't empty.
    private static func lines(of data: Data) -> [Data] {
        var ranges: [Range<Int>] = []
        data.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            var start = 0
            while start < bytes.count {
                let found = memchr(base + start, 10, bytes.count - start)
                let end = found.map { UnsafeRawPointer($0) - base } ?? bytes.count
                if end > start { ranges.append(start..<end) }
                start = end + 1
            }
        }
        return ranges.map { data[data.startIndex + $0.lowerBound..<data.startIndex + $0.upperBound] }
    }

    private static func damage(_ path: String) -> MediaError {
        MediaError(.badInput, "'\(path)' is damaged; run the batch again")
    }

    /// The jobs with the numbers `indices`, in that order.
    func jobs(_ indices: some Sequence<Int>) throws(MediaError) -> [Job] {
        let decoder = JSONDecoder()
        var jobs: [Job] = []
        for index in indices {
            guard let job = try? decoder.decode(Job.self, from: Data(lines[index])), job.index == index else {
                throw Self.damage(path)
            }
            jobs.append(job)
        }
        return jobs
    }

    /// The numbers of the jobs that are called `hash`.
    func indices(of hash: String) -> [Int] {
        let text = Data("\"hash\":\"\(hash)\"".utf8)
        return lines.indices.filter { lines[$0].range(of: text) != nil }
    }
}

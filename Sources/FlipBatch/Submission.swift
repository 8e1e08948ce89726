import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// Short names made of hashes.
enum SHA256Name {
    static func of(_ text: String) -> String { String(SHA256.hash(text.utf8).prefix(8)) }
}

/// What Slurm was given of one job directory: an array, or a job of its own.
package struct Submission: Codable, Sendable {
    /// Slurm's number.
    package var job: String
    /// The name of the list in `submissions`, in which each element has a line with the hashes of its jobs.
    package var list: String
    /// The line of the first element, from 0.
    package var offset: Int

    package init(job: String, list: String, offset: Int) { (self.job, self.list, self.offset) = (job, list, offset) }
}

extension JobDirectory {
    /// Cuts jobs into elements, each of about two minutes, or less if there are few jobs: starting an element costs less
    /// than a second, and a lost one costs what it had done of its current job.
    /// - Returns: the hashes of each element's jobs. Jobs with the same hash are named once.
    package static func elements(of jobs: [Job]) -> [[String]] {
        var known: Set<String> = []
        let jobs = jobs.filter { known.insert($0.hash).inserted }
        let given = jobs.compactMap { $0.estimate?.seconds }
        let mean = given.isEmpty ? usualSeconds : given.reduce(0, +) / Double(given.count)
        let total = jobs.reduce(0) { $0 + ($1.estimate?.seconds ?? mean) }
        let length = min(elementSeconds, total / leastElements)
        var elements: [[String]] = []
        var filled = 0.0
        for job in jobs {
            let seconds = job.estimate?.seconds ?? mean
            if elements.isEmpty || filled + seconds > length {
                elements.append([])
                filled = 0
            }
            elements[elements.count - 1].append(job.hash)
            filled += seconds
        }
        return elements
    }

    /// The length of an element, in seconds.
    private static let elementSeconds = 120.0
    /// Below this number of elements jobs are not grouped, so that a few of them still occupy many nodes.
    private static let leastElements = 200.0
    /// The time of a job that nothing is known of, in seconds.
    private static let usualSeconds = 30.0

    /// Writes a file of a submission.
    /// - Returns: its path.
    @discardableResult
    package func writeSubmission(_ name: String, _ text: String) throws(MediaError) -> String {
        let path = "\(submissions)/\(name)"
        try Files.replace(path, with: Data(text.utf8))
        return path
    }

    package func record(_ submission: Submission) throws(MediaError) {
        guard let data = try? JSONEncoder().encode(submission) else { return }
        let plan = submission.list.prefix { $0 != "-" }
        try writeSubmission("\(plan)-\(submission.job).json", String(decoding: data, as: UTF8.self) + "\n")
    }

    /// The hashes of the jobs of each element in `queue`, by the number of its Slurm job and its own.
    package func hashes(in queue: [Slurm.Element]) -> [(element: Slurm.Element, hashes: [String])] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: submissions)) ?? []
        let jobs = Set(queue.map(\.job))
        var lists: [String: [String]] = [:]
        var known: [String: Submission] = [:]
        for name in names where name.hasSuffix(".json") {
            guard let data = FileManager.default.contents(atPath: "\(submissions)/\(name)"),
                let submission = try? JSONDecoder().decode(Submission.self, from: data), jobs.contains(submission.job)
            else { continue }
            known[submission.job] = submission
            if lists[submission.list] == nil {
                let text = (try? String(contentsOfFile: "\(submissions)/\(submission.list)", encoding: .utf8)) ?? ""
                lists[submission.list] = text.split(separator: "\n").map(String.init)
            }
        }
        return queue.map { element in
            guard let submission = known[element.job], let lines = lists[submission.list],
                lines.indices.contains(submission.offset + element.task)
            else { return (element, []) }
            return (element, lines[submission.offset + element.task].split(separator: ",").map(String.init))
        }
    }
}

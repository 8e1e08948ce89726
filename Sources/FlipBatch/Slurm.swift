import FlipBase
import FlipFiles
import Foundation

/// The part of Slurm's commands that running jobs takes: sbatch, squeue, scancel and scontrol.
package struct Slurm: Sendable {
    /// What is passed to sbatch.
    package struct Settings: Sendable {
        package var partition: String?
        package var constraint: String?
        package var account: String?
        /// The wall-clock time of an element, as sbatch writes it.
        package var time: String?
        /// Further options of sbatch, each as one word.
        package var options: [String] = []

        package init() {}

        var arguments: [String] {
            let named = [("partition", partition), ("constraint", constraint), ("account", account), ("time", time)]
            return named.compactMap { name, value in value.map { "--\(name)=\($0)" } } + options
        }
    }

    /// An element of an array, or a job of its own, that is in Slurm's queue.
    package struct Element: Sendable, Equatable {
        /// The number of the array's job, or of the job.
        package var job: String
        /// The element's number in the array; 0 for a job of its own.
        package var task: Int
        /// Slurm's state, such as `PENDING` or `RUNNING`.
        package var state: String
        /// Why the element waits.
        package var reason: String

        /// Whether Slurm has put the element aside after it could not be started, and waits for someone to release it.
        package var isHeldByAccident: Bool {
            let reason = reason.lowercased()
            return reason.contains("held") && reason.contains("launch") || reason == "jobholdmaxrequeue"
        }

        /// The element as scontrol names it.
        package var name: String { "\(job)_\(task)" }

        /// - Parameter line: a line of squeue in the format `Slurm.format`.
        init?(_ line: Substring) {
            let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 4, !fields[0].isEmpty else { return nil }
            (job, task, state, reason) = (fields[0], Int(fields[1]) ?? 0, fields[2], fields[3])
        }
    }

    /// The name of all elements of one job directory.
    package let name: String

    package init(_ directory: JobDirectory) { name = "fliptransition-" + SHA256Name.of(directory.path) }

    /// The number of the array, the number in it, the state and the reason.
    private static let format = "%F|%K|%T|%r"

    /// The largest number of an array's element, plus 1.
    package func maximumArray() throws(MediaError) -> Int {
        let text = try call("scontrol", ["show", "config"])
        for line in text.split(separator: "\n") where line.hasPrefix("MaxArraySize") {
            if let number = line.split(separator: "=").last.flatMap({ Int($0.trimmingCharacters(in: .whitespaces)) }) {
                return max(number, 1)
            }
        }
        return 1001
    }

    /// Submits a script.
    /// - Parameters:
    ///   - count: the number of the array's elements; nil for a job of its own.
    ///   - arguments: further options of sbatch.
    /// - Returns: the job's number.
    package func submit(
        _ script: String, count: Int?, _ settings: Settings, _ arguments: [String]
    ) throws(MediaError) -> String {
        var words = ["--parsable", "--requeue", "--open-mode=append", "--job-name=\(name)"] + arguments
        if let count { words.append("--array=0-\(count - 1)") }
        let text = try call(HelperProgram.sbatch.name, words + settings.arguments + [script])
        // A cluster's name may follow after a semicolon.
        let number = text.prefix { $0.isNumber }
        guard !number.isEmpty else { throw MediaError(.io, "sbatch printed no job number: \(text.prefix(200))") }
        return String(number)
    }

    /// The elements of this job directory that are in the queue. One that is just ending counts, since
    /// it may be started again.
    package func queue() throws(MediaError) -> [Element] {
        try call("squeue", ["--noheader", "--array", "--name=\(name)", "--format=\(Self.format)"])
            .split(separator: "\n").compactMap { Element($0) }
    }

    package func release(_ element: Element) throws(MediaError) { _ = try call("scontrol", ["release", element.name]) }

    /// Takes all elements of this job directory out of the queue, and ends those that run.
    package func cancel() throws(MediaError) { _ = try call("scancel", ["--name=\(name)"]) }

    private func call(_ program: String, _ arguments: [String]) throws(MediaError) -> String {
        let result = try ToolRun.run(program, arguments)
        guard result.status == 0 else {
            let reason = result.messages.split(whereSeparator: \.isNewline).first.map(String.init) ?? "no reason given"
            throw MediaError(.io, "\(program) failed: \(reason.prefix(300))")
        }
        return result.output
    }

    // MARK: Scripts

    /// The script of an element, which runs the jobs in one line of a list.
    /// - Parameters:
    ///   - list: the path of the list.
    ///   - offset: the line of the array's first element, from 0.
    ///   - command: the words of `jobs run`, to which the line is appended.
    ///   - restarts: how often the element may ask Slurm to start it again.
    package static func script(list: String, offset: Int, command: [String], restarts: Int) -> String {
        """
        #!/bin/sh
        # An element of a batch of fliptransition. The list has a line of jobs for each element.
        jobs=$(sed -n "$((${SLURM_ARRAY_TASK_ID:-0} + \(offset + 1)))p" \(ShellText.quoted(list)))
        [ -n "$jobs" ] || { echo "there is no list of jobs here" >&2; exit 75; }
        \(command.map { ShellText.quoted($0) }.joined(separator: " ")) "$jobs"
        status=$?
        case $status in
        0 | 64 | 65 | 70 | 73) exit $status ;;
        esac
        # Another attempt may succeed. Slurm itself has no limit for that (RequeueExit), so that the element asks for it.
        if [ "${SLURM_RESTART_COUNT:-0}" -lt \(restarts) ]; then
            scontrol requeue "$SLURM_JOB_ID"
        fi
        exit 75

        """
    }

    /// The seconds of a time as sbatch takes it: minutes, minutes:seconds, hours:minutes:seconds, or with days before a
    /// hyphen; nil if it is none.
    package static func seconds(_ time: String) -> Int? {
        let parts = time.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let clock = parts.last else { return nil }
        let words = clock.split(separator: ":", omittingEmptySubsequences: false)
        let fields = words.compactMap { Int($0) }
        guard fields.count == words.count, (1...3).contains(fields.count),
            fields.allSatisfy({ (0...100_000).contains($0) })
        else { return nil }
        let total: Int
        if parts.count == 2 {
            guard let days = Int(parts[0]), (0...10_000).contains(days) else { return nil }
            total = days * 86400 + zip(fields, [3600, 60, 1]).reduce(0) { $0 + $1.0 * $1.1 }
        } else {
            let units = fields.count == 1 ? [60] : fields.count == 2 ? [60, 1] : [3600, 60, 1]
            total = zip(fields, units).reduce(0) { $0 + $1.0 * $1.1 }
        }
        return total > 0 ? total : nil
    }
}

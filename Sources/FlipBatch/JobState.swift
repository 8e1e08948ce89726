/// What is known about a job from the files of its directory.
package struct JobState: Sendable {
    package enum Name: String, Encodable, CaseIterable, Sendable {
        case done, running, failed
        /// The last attempt ended because it was asked to.
        case interrupted
        /// The last attempt's process is gone, or gives no sign of life.
        case lost
        /// There was no attempt yet, or its output has been removed.
        case waiting
    }

    package var name: Name
    /// The number of attempts at this job, with these inputs and options.
    package var attempts: Int
    /// The last attempt; nil if there was none, or if the job is done.
    package var last: AttemptLine?
}

extension JobDirectory {
    /// The states of the jobs `indices` of `plan`, by their indices. The logs of jobs that are done are counted and not
    /// read.
    package func states(of plan: JobPlan, _ indices: some Sequence<Int>) -> [Int: JobState] {
        let logs = Dictionary(grouping: attemptNames()) { Self.jobName($0) ?? "" }
        var states: [Int: JobState] = [:]
        for index in indices {
            let job = plan.jobs[index]
            let names = logs[job.name] ?? []
            if isDone(job) {
                states[index] = JobState(name: .done, attempts: names.count)
                continue
            }
            let last = attemptLines(in: names).last
            states[index] = JobState(name: state(after: last), attempts: names.count, last: last)
        }
        return states
    }

    /// The state of a job without an output, whose last attempt was `last`.
    private func state(after last: AttemptLine?) -> JobState.Name {
        switch last?.state {
        case .running: last.map { isAlive($0.part) } == true ? .running : .lost
        case .failed: last?.wasInterrupted == true ? .interrupted : .failed
        case .done, nil: .waiting
        }
    }
}

import FlipBase
import FlipFiles
import Foundation

/// A plan in the languages of other engines. All they do is call run-job with a job's number.
package struct JobEmission {
    package enum Engine: String, CaseIterable, Sendable {
        case openjd, slurm, parallel, kubernetes
    }

    private let plan: JobPlan
    /// The absolute path of the plan under its own hash, which never changes.
    private let path: String
    private let directory: JobDirectory

    /// The plan that `directory` reads. An engine is given the copy under its own hash.
    package init(_ directory: JobDirectory) throws(MediaError) {
        plan = try directory.readPlan()
        self.directory = directory
        path = try directory.keptPath()
        guard !plan.jobs.isEmpty else { throw MediaError(.badInput, "'\(directory.planPath)' has no jobs") }
    }

    /// The number of jobs that depend on no other.
    private var count: Int { plan.jobs.filter { $0.kind != .assemble }.count }
    /// The job that joins the others, which is the last one.
    private var last: Job? { plan.jobs.last { $0.kind == .assemble } }
    private var hash: String { URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent }
    private var memory: Int { plan.jobs.compactMap { $0.estimate?.memory }.max() ?? 400 << 20 }
    private var cores: Int { plan.jobs.map(\.threads).max() ?? 1 }

    package func text(for engine: Engine) throws -> String {
        switch engine {
        case .openjd: try json(openJobDescription)
        case .slurm: slurm
        case .parallel: parallel
        case .kubernetes: try kubernetes
        }
    }

    private func json(_ value: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(
            withJSONObject: value, options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self) + "\n"
    }

    // MARK: GNU Parallel

    private var parallel: String {
        let lines = (0..<count).map { "fliptransition run-job \(Slurm.quoted(path)) \($0)\n" }
        let rest = last == nil ? "" : "# When all of these have ended: fliptransition assemble \(Slurm.quoted(path))\n"
        return lines.joined() + rest
    }

    // MARK: Slurm

    private var slurm: String {
        let plan = Slurm.quoted(path)
        let assemble =
            last == nil
            ? ""
            : "# Then: sbatch --dependency=afterany:NUMBER --wrap \"fliptransition assemble --patience 90 \(plan)\"\n"
        return """
            #!/bin/sh
            #SBATCH --job-name=fliptransition
            #SBATCH --array=0-\(count - 1)
            #SBATCH --requeue
            #SBATCH --open-mode=append
            #SBATCH --cpus-per-task=\(cores)
            #SBATCH --mem=\(memory >> 20)M
            # An array has MaxArraySize elements at most: sbatch --array=$(fliptransition status --missing \(plan)) submits
            # what is missing, also after a failure.
            \(assemble)fliptransition run-job --attempts \(Self.attempts) --patience 90 \(plan) "$SLURM_ARRAY_TASK_ID"
            status=$?
            case $status in
            0 | 64 | 65 | 70 | 73) exit $status ;;
            esac
            if [ "${SLURM_RESTART_COUNT:-0}" -lt \(Self.attempts - 1) ]; then
                scontrol requeue "$SLURM_JOB_ID"
            fi
            exit 75

            """
    }

    /// How often a job may fail.
    private static let attempts = 3

    // MARK: Open Job Description

    /// A job template of revision 2023-09 without extensions (the specification's chapter "Template Schemas").
    private var openJobDescription: [String: Any] {
        func script(_ arguments: [String]) -> [String: Any] {
            ["actions": ["onRun": ["command": "{{Param.Program}}", "args": arguments]]]
        }
        let task: [String: Any] = ["name": "Job", "type": "INT", "range": "0-\(count - 1)"]
        var steps: [[String: Any]] = [
            [
                "name": "Jobs", "parameterSpace": ["taskParameterDefinitions": [task]],
                "script": script(["run-job", "{{Param.Plan}}", "{{Task.Param.Job}}"]),
            ]
        ]
        if last != nil {
            steps.append([
                "name": "Assemble", "dependencies": [["dependsOn": "Jobs"]],
                "script": script(["assemble", "{{Param.Plan}}"]),
            ])
        }
        return [
            "specificationVersion": "jobtemplate-2023-09", "name": "fliptransition \(hash)",
            "parameterDefinitions": [
                ["name": "Program", "type": "STRING", "default": "fliptransition"],
                ["name": "Plan", "type": "STRING", "default": path],
            ], "steps": steps,
        ]
    }

    // MARK: Kubernetes

    /// An Indexed Job (batch/v1), and a second Job that waits for its files if they are to be joined.
    private var kubernetes: String {
        get throws {
            // JSON is YAML, in which a line separates documents.
            try json(indexedJob) + (last == nil ? "" : "---\n" + json(joiningJob))
        }
    }

    /// Another try doesn't help after these exit codes.
    private static let finalCodes = [64, 65, 70, 73]

    private var indexedJob: [String: Any] {
        let command = "exec fliptransition run-job --patience 90 \(Slurm.quoted(path)) \"$JOB_COMPLETION_INDEX\""
        return kubernetesJob(
            "fliptransition-\(hash)", command,
            [
                "completions": count, "parallelism": min(count, Self.parallelism), "completionMode": "Indexed",
                "backoffLimitPerIndex": Self.attempts, "maxFailedIndexes": count,
                "podFailurePolicy": ["rules": [rule("FailIndex"), Self.disruption]],
            ])
    }

    private var joiningJob: [String: Any] {
        kubernetesJob(
            "fliptransition-\(hash)-assemble", "exec fliptransition assemble --patience 3600 \(Slurm.quoted(path))",
            ["backoffLimit": 24, "podFailurePolicy": ["rules": [rule("FailJob"), Self.disruption]]])
    }

    /// The number of pods that run at the same time; `kubectl patch` changes it.
    private static let parallelism = 100

    private func rule(_ action: String) -> [String: Any] {
        ["action": action, "onExitCodes": ["containerName": "job", "operator": "In", "values": Self.finalCodes]]
    }

    /// A pod that is moved off its node has not failed.
    private static var disruption: [String: Any] {
        [
            "action": "Ignore", "onPodConditions": [["type": "DisruptionTarget", "status": "True"]],
        ]
    }

    private func kubernetesJob(_ name: String, _ command: String, _ spec: [String: Any]) -> [String: Any] {
        var spec = spec
        var folders: [String] = []
        for folder in [directory.path, plan.inputFolder, plan.roots["outputs"] ?? ""]
        where !folder.isEmpty && !folders.contains(where: { folder == $0 || folder.hasPrefix($0 + "/") }) {
            folders.append(folder)
        }
        let mounts = folders.map { folder in
            ["name": "work", "mountPath": folder, "subPath": String(folder.drop { $0 == "/" })]
        }
        let container: [String: Any] = [
            "name": "job", "image": "fliptransition:\(plan.program.version)", "command": ["/bin/sh", "-c", command],
            "resources": [
                "requests": ["cpu": "\(cores)", "memory": "\(memory >> 20)Mi"],
                "limits": ["memory": "\((memory >> 20) * 2)Mi"],
            ], "volumeMounts": mounts,
        ]
        let volume: [String: Any] = ["name": "work", "persistentVolumeClaim": ["claimName": "fliptransition"]]
        spec["template"] = ["spec": ["restartPolicy": "Never", "containers": [container], "volumes": [volume]]]
        return ["apiVersion": "batch/v1", "kind": "Job", "metadata": ["name": name], "spec": spec]
    }
}

extension JobDirectory {
    /// The path of the plan that this reads under its own hash in `plans`.
    package func keptPath() throws(MediaError) -> String {
        if URL(fileURLWithPath: planPath).deletingLastPathComponent().lastPathComponent == "plans" { return planPath }
        guard let data = FileManager.default.contents(atPath: planPath) else {
            throw MediaError(.badInput, "cannot read '\(planPath)'")
        }
        return keptPath(of: data)
    }
}

import FlipBase
import FlipMedia
import FlipFiles
import FlipProject
import FlipRender
import Foundation

/// Turns requests into jobs, or reports what is wrong with them; nothing is written unless all of them are valid.
/// Relative paths start at the working directory.
package struct BatchPlanner {
    private let directory: JobDirectory
    /// The folder that all inputs and outputs must be in; nil for no restriction.
    private let root: RootFolder?
    private let overwrites: Bool
    /// The number of threads for jobs that don't specify it.
    private let threads: Int
    /// The files that a request's inputs refer to; throws if the inputs can't be read.
    private let references: (JobRequest) throws -> [String]

    private let identity: InputIdentity

    /// - Parameters:
    ///   - root: the folder that all inputs and outputs must be in; nil for no restriction.
    ///   - overwrites: whether files that are not outputs of this job directory may be replaced.
    ///   - threads: the number of threads for jobs that don't specify it.
    ///   - identity: how the jobs' inputs are identified.
    package init(
        directory: JobDirectory, root: String?, overwrites: Bool, threads: Int, identity: InputIdentity = .time,
        references: @escaping (JobRequest) throws -> [String]
    ) throws(MediaError) {
        (self.directory, self.overwrites, self.threads, self.references) = (directory, overwrites, threads, references)
        self.identity = identity
        self.root = try root.map { path throws(MediaError) in try RootFolder(path) }
    }

    /// The jobs for `requests`, in the same order, and the errors found.
    /// - Parameter manifest: the path of the manifest, which no output may replace.
    package func jobs(for requests: [JobRequest], manifest: String?) -> (jobs: [Job], errors: [any Error]) {
        var pairs: [(request: JobRequest, job: Job)] = []
        var errors: [any Error] = []
        var inputs = InputFiles()
        let own = directory.ownFiles()
        if let manifest { inputs.add(RealPath(manifest), "the manifest") }
        for request in requests {
            do {
                pairs.append((request, try job(request, pairs.count, &inputs)))
            } catch {
                errors.append(error)
            }
        }
        errors += check(pairs, inputs, own)
        return (pairs.map(\.job), errors)
    }

    private func job(_ request: JobRequest, _ index: Int, _ inputs: inout InputFiles) throws -> Job {
        try checkEncoderOptions(request)
        for setting in request.settings where isSecret(setting, request) {
            if let refusal = setting.value.flatMap({ root?.refusal(of: $0) }) { throw setting.location.error(refusal) }
        }
        try checkPrograms(request)
        var files: [FileIdentity] = []
        for (path, location) in try paths(of: request) {
            if let refusal = root?.refusal(of: path) { throw location.error(refusal) }
            inputs.add(RealPath(path), "'\(path)'")
            // A missing input makes only this job fail. Once the file exists, the job gets a different hash.
            files += FileIdentity.all(at: path) ?? [.missing(path)]
        }
        let container = try container(of: request)
        if container.isPicture {
            throw request.outputLocation.error(
                "'\(request.output)' is a sequence of pictures, and a job makes one file")
        }
        var arguments = request.arguments
        var threads = threads
        if let own = request.settings.first(where: { $0.name == "threads" }) {
            do {
                threads = try OutputValue.threads(own.value ?? "")
            } catch {
                throw own.location.error("\(error)")
            }
        } else {
            arguments.insert("--threads=\(threads)", at: 1)
        }
        if root != nil, request.command.options["root"] != nil { arguments.insert(JobPlan.confinement, at: 1) }
        return Job(
            index: index, arguments: arguments, ending: URL(fileURLWithPath: request.output).pathExtension,
            inputs: Array(Set(files)).sorted { $0.path < $1.path }.map { $0.identified(by: identity) },
            output: RealPath(request.output).path,
            overwrites: overwrites, threads: threads,
            source: "\(request.location.path):\(request.location.line):\(request.location.column)")
    }

    private func container(of request: JobRequest) throws(MediaError) -> Container {
        if request.output == "-" { throw request.outputLocation.error("a job can't write to standard output") }
        guard let container = Container.forPath(request.output) else {
            throw request.outputLocation.error(
                "the ending of '\(request.output)' is not known (expected .mp4, .mov, .mkv, .webm or another of `--format`)"
            )
        }
        return container
    }

    /// Every path that a job reads, as written, with the location in the manifest that names it.
    private func paths(of request: JobRequest) throws -> [(String, TextLocation)] {
        var paths: [(String, TextLocation)] = []
        for (word, location) in request.inputs {
            if word == "-" { throw location.error("a job can't read standard input") }
            do {
                let clips = try InputList.expand([word], root: root?.path)
                let files = clips.filter { $0.kind != .gap }.map(\.path) + clips.compactMap(\.captions)
                paths += InputList.files(behind: files).map { ($0, location) }
            } catch {
                throw location.error("\(error)")
            }
            // A list is read itself, as well as the files that it names.
            paths += InputList.files(behind: [word]).map { ($0, location) }
        }
        for setting in request.settings where request.command.options[setting.name]?.isPath == true {
            if let value = setting.value, !isSecret(setting, request) { paths.append((value, setting.location)) }
        }
        do {
            return paths + (try references(request)).map { ($0, request.location) }
        } catch {
            throw request.inputs[0].location.error("\(error)")
        }
    }

    private func isSecret(_ setting: JobRequest.Setting, _ request: JobRequest) -> Bool {
        request.command.options[setting.name]?.isSecret == true
    }

    /// Rejects options with which a manifest would make an encoder read or write files on its own.
    private func checkEncoderOptions(_ request: JobRequest) throws(MediaError) {
        for setting in request.settings where setting.name == "video-options" && !setting.isOverride {
            guard let options = setting.value.flatMap({ try? OutputValue.options($0) }) else { continue }
            if let name = EncoderFiles.firstOption(in: options) {
                throw setting.location.error(EncoderFiles.refusal(of: name))
            }
        }
    }

    /// Rejects options with which a manifest would run programs, or choose where and how much is kept.
    private func checkPrograms(_ request: JobRequest) throws(MediaError) {
        let refused = [
            "speak": "runs a program", "speech-cache": "says where a program writes",
            "cache": "says how much of the disk is used",
        ]
        for setting in request.settings where !setting.isOverride {
            guard let what = refused[setting.name] else { continue }
            throw setting.location.error(
                "'\(setting.name)' \(what), so it is accepted on the command line only (batch --set \(setting.name)=...)"
            )
        }
    }

    // MARK: Outputs

    private func check(
        _ pairs: [(request: JobRequest, job: Job)], _ inputs: InputFiles, _ own: OwnFiles
    ) -> [any Error] {
        var seen: [String: TextLocation] = [:]
        let jobFolder = RealPath(directory.path)
        return pairs.compactMap { request, job in
            let real = RealPath(request.output)
            if let other = seen.updateValue(request.outputLocation, forKey: real.path) {
                let name = other.path == request.outputLocation.path ? "line \(other.line)" : other.path
                return request.outputLocation.error("'\(request.output)' is the output of \(name) already")
            }
            do throws(MediaError) {
                try check(request, job, real, inputs, jobFolder, own)
                return nil
            } catch {
                return error
            }
        }
    }

    private func check(
        _ request: JobRequest, _ job: Job, _ real: RealPath, _ inputs: InputFiles, _ jobFolder: RealPath,
        _ own: OwnFiles
    ) throws(MediaError) {
        let (location, name) = (request.outputLocation, request.output)
        if let refusal = root?.refusal(of: name) { throw location.error(refusal) }
        if real.isInside(jobFolder.path) { throw location.error("'\(name)' is in the job directory") }
        if let input = inputs.name(whereReplacedBy: real) {
            throw location.error("'\(name)' would replace \(input), which is read")
        }
        if let folder = inputs.folder(around: real) {
            throw location.error("'\(name)' lies in \(folder), whose files are read; give it another folder")
        }
        var status = stat()
        guard stat(real.path, &status) == 0 else { return }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw location.error("'\(name)' is a folder")
        default: throw location.error("'\(name)' is not a regular file, and a job has to be able to check its output")
        }
        // A job that runs may have made it since the directory's own files were listed.
        guard !job.overwrites, own.origin(of: real.path) != .own else { return }
        switch directory.ownFiles().origin(of: real.path) {
        case .own: break
        case .changed:
            throw location.error(
                "'\(name)' was changed after the batch had made it; give -y to replace it, or move it away",
                kind: .cannotCreate)
        case .foreign:
            let error = MediaError.exists(name)
            throw location.error(error.message, kind: error.kind)
        }
    }
}

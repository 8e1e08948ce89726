import FlipMedia
import FlipProject
import FlipRender
import Foundation

/// Turns what was asked into jobs, or says what is wrong with it: nothing is written before all of it is right. Relative
/// paths are seen from the folder the program runs in.
package struct BatchPlanner {
    private let directory: JobDirectory
    /// No input and no output may be outside.
    private let root: String?
    private let overwrites: Bool
    /// Where jobs don't say.
    private let threads: Int
    /// Files that a request's inputs name in turn; throws where they can't be read.
    private let references: (JobRequest) throws -> [String]

    /// - Parameters:
    ///   - root: a folder that nothing may be outside of.
    ///   - overwrites: whether files that are no outputs of this job directory may be replaced.
    ///   - threads: of jobs that don't say.
    package init(
        directory: JobDirectory, root: String?, overwrites: Bool, threads: Int,
        references: @escaping (JobRequest) throws -> [String]
    ) throws(MediaError) {
        self.directory = directory
        self.overwrites = overwrites
        self.threads = threads
        self.references = references
        self.root = try root.map { path throws(MediaError) in
            guard let real = realpath(path, nil) else {
                throw MediaError(.missingInput, "there is no folder '\(path)'")
            }
            defer { free(real) }
            return String(cString: real)
        }
    }

    /// The jobs for `requests`, in their order.
    /// - Parameter manifest: the file that asks, which no output may replace.
    package func jobs(for requests: [JobRequest], manifest: String?) throws -> [Job] {
        var jobs: [Job] = []
        var inputs = InputFiles()
        if let manifest { inputs.add(RealPath(manifest), "the manifest") }
        for request in requests { jobs.append(try job(request, jobs.count, &inputs)) }
        try check(zip(requests, jobs), inputs)
        return jobs
    }

    private func job(_ request: JobRequest, _ index: Int, _ inputs: inout InputFiles) throws -> Job {
        var files: [FileIdentity] = []
        for (path, place) in try paths(of: request) {
            let real = RealPath(path)
            if let root, !real.isInside(root) {
                throw place.error("'\(path)' is outside \(root), where --root keeps it")
            }
            inputs.add(real, "'\(path)'")
            // What is missing fails alone, and is another job once it is there.
            files += FileIdentity.all(at: path) ?? [.missing(path)]
        }
        let container = try container(of: request)
        if container.isPicture {
            throw request.outputPlace.error("'\(request.output)' is a sequence of pictures, and a job makes one file")
        }
        var arguments = request.arguments
        var threads = threads
        if let own = request.settings.first(where: { $0.name == "threads" }) {
            guard let count = own.value.flatMap({ Int($0) }), (1...256).contains(count) else {
                throw own.place.error("invalid threads '\(own.value ?? "")' (expected 1...256)")
            }
            threads = count
        } else {
            arguments.insert("--threads=\(threads)", at: 1)
        }
        if let root, request.command.options["root"] != nil { arguments.insert("--root=\(root)", at: 1) }
        return Job(
            index: index, arguments: arguments, ending: URL(fileURLWithPath: request.output).pathExtension,
            inputs: Array(Set(files)).sorted { $0.path < $1.path }, output: RealPath(request.output).path,
            overwrites: overwrites || directory.isOwn(request.output), threads: threads,
            source: "\(request.place.path):\(request.place.line):\(request.place.column)")
    }

    private func container(of request: JobRequest) throws(MediaError) -> Container {
        if request.output == "-" { throw request.outputPlace.error("a job can't write to standard output") }
        guard let container = Container.forPath(request.output) else {
            throw request.outputPlace.error(
                "the ending of '\(request.output)' is not known (expected .mp4, .mov, .mkv, .webm or another of `--format`)"
            )
        }
        return container
    }

    /// Every path that a job reads from, as it is written, with the place that names it.
    private func paths(of request: JobRequest) throws -> [(String, YAMLPlace)] {
        var paths: [(String, YAMLPlace)] = []
        for (word, place) in request.inputs {
            if word == "-" { throw place.error("a job can't read standard input") }
            do {
                paths += try InputList.expand([word], root: root).map { (Self.withoutFragment($0.path), place) }
            } catch {
                throw place.error("\(error)")
            }
            if word.hasPrefix("@"), !FileManager.default.fileExists(atPath: word) {
                paths.append((String(word.dropFirst()), place))
            } else if FileManager.default.fileExists(atPath: word) {
                paths.append((word, place))
            }
        }
        for setting in request.settings where request.command.options[setting.name]?.isPath == true {
            if let value = setting.value { paths.append((value, setting.place)) }
        }
        do {
            return paths + (try references(request)).map { ($0, request.place) }
        } catch {
            throw request.inputs[0].place.error("\(error)")
        }
    }

    /// The file behind `deck.pdf#page=2-5`; one that is really called so is itself.
    private static func withoutFragment(_ path: String) -> String {
        guard let mark = path.lastIndex(of: "#"), !FileManager.default.fileExists(atPath: path) else { return path }
        return String(path[..<mark])
    }

    // MARK: Outputs

    private func check(_ pairs: Zip2Sequence<[JobRequest], [Job]>, _ inputs: InputFiles) throws(MediaError) {
        var seen: [String: YAMLPlace] = [:]
        let jobFolder = RealPath(directory.path)
        for (request, job) in pairs {
            let (place, name) = (request.outputPlace, request.output)
            let real = RealPath(name)
            if let root, !real.isInside(root) {
                throw place.error("'\(name)' is outside \(root), where --root keeps it")
            }
            if let other = seen.updateValue(place, forKey: real.path) {
                throw place.error("'\(name)' is the output of line \(other.line) already")
            }
            if real.isInside(jobFolder.path) { throw place.error("'\(name)' is in the job directory") }
            if let input = inputs.name(whereReplacedBy: real) {
                throw place.error("'\(name)' would replace \(input), which is read")
            }
            if let folder = inputs.folder(around: real) {
                throw place.error("'\(name)' lies in \(folder), whose files are read; give it another folder")
            }
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: real.path, isDirectory: &isFolder) else { continue }
            if isFolder.boolValue { throw place.error("'\(name)' is a folder") }
            if !job.overwrites {
                throw place.error("'\(name)' exists already; give -y to replace it", kind: .cannotCreate)
            }
        }
    }
}

extension FileIdentity {
    /// For a file that is not there.
    static func missing(_ path: String) -> FileIdentity { FileIdentity(path: path, bytes: -1, modified: 0) }

    private init(path: String, bytes: Int, modified: Int) {
        self.path = path
        self.bytes = bytes
        self.modified = modified
    }
}

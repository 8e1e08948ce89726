import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// The contents of a job directory's `plan.json`: everything to be made, and from what. It depends on the request, the
/// inputs and the program, but not on the machine.
package struct JobPlan: Codable, Sendable {
    /// The program that made the plan, as far as it determines the bytes of the outputs.
    package struct Program: Codable, Sendable, Equatable {
        package var name: String
        package var version: String
        /// The first digits of the program file's SHA-256. It is stored for people who look for a fault: compiling the
        /// same version again changes it, but no output. Nil where it isn't needed, because the file has to be read whole.
        package var build: String?
        /// The instruction set that the libraries use, such as `x86-64-v3`: scaling and encoding differ in their last
        /// bits between instruction sets. Nil if the user accepts such differences.
        package var processor: String?

        package init(name: String, version: String, build: String? = nil, processor: String? = nil) {
            (self.name, self.version, self.build, self.processor) = (name, version, build, processor)
        }
    }

    /// The version of the file's format.
    package static let currentSchema = 3

    package var schema = JobPlan.currentSchema
    package var program: Program
    /// The versions of the libraries that decode and encode, by name.
    package var libraries: [String: String]
    /// Folders by name, which `--root-map` can move. `inputs` is the working directory of jobs, at which their relative
    /// paths start; relative outputs start at `outputs`; with `--root`, `confined` is that folder.
    package var roots: [String: String]
    /// Copies of the files that describe a timeline, in the job directory's `sources`: names there by the files' paths.
    /// A plan stays what it was when the originals are edited.
    package var sources: [String: String]?
    package var jobs: [Job] = []

    /// The jobs are encoded one by one; see `StoredPlan`.
    private enum CodingKeys: String, CodingKey { case schema, program, libraries, roots, sources }

    package init(
        program: Program, libraries: [String: String], inputFolder: String, outputFolder: String? = nil,
        confinedTo root: String? = nil, jobs: [Job]
    ) {
        (self.program, self.libraries) = (program, libraries)
        roots = ["inputs": inputFolder, "outputs": outputFolder ?? inputFolder]
        roots["confined"] = root
        self.jobs = jobs
    }

    package var inputFolder: String { roots["inputs"] ?? "/" }

    /// Gives each job its name: a hash of everything that the output's bytes depend on, and of nothing else. The job's
    /// index is not included, so that inserting a job before it does not change its name.
    package mutating func nameJobs() throws {
        for index in jobs.indices {
            let job = jobs[index]
            let spec = Spec(
                schema: schema, kind: job.kind, name: program.name, version: program.version,
                processor: program.processor, libraries: libraries, ending: job.ending, content: job.content,
                arguments: job.content == nil ? job.arguments : nil, inputs: job.content == nil ? job.inputs : nil)
            jobs[index].hash = String(SHA256.hash(try JSONEncoder.stable.encode(spec)).prefix(20))
        }
    }

    /// The data that is hashed.
    private struct Spec: Encodable {
        let schema: Int
        let kind: Job.Kind
        let name: String
        let version: String
        let processor: String?
        let libraries: [String: String]
        let ending: String
        let content: String?
        let arguments: [String]?
        let inputs: [FileIdentity]?
    }

    // MARK: Roots

    /// The argument that stands for `--root=` and the root `confined`.
    package static let confinement = "--root={confined}"

    /// The command line of `job` up to the output, with the roots filled in.
    package func arguments(of job: Job) -> [String] {
        job.arguments.map { argument in argument == Self.confinement ? "--root=\(roots["confined"] ?? "/")" : argument }
    }

    /// The plan with other folders for its roots, and with absolute outputs.
    /// - Parameter map: folders by the roots' names.
    package func resolved(_ map: [String: String]) throws(MediaError) -> JobPlan {
        var plan = self
        for (name, path) in map {
            guard roots[name] != nil else {
                throw MediaError(
                    .usage,
                    "the plan has no root '\(name)' for --root-map (it has \(roots.keys.sorted().joined(separator: ", ")))"
                )
            }
            plan.roots[name] = path
        }
        let folder = plan.roots["outputs"] ?? "/"
        for index in jobs.indices where !jobs[index].output.hasPrefix("/") {
            plan.jobs[index].output = folder + "/" + jobs[index].output
        }
        return plan
    }

    /// The plan as it is stored: outputs are relative to the root `outputs` as far as they lie in it.
    package var portable: JobPlan {
        var plan = self
        let folder = RealPath(roots["outputs"] ?? "/").path
        let prefix = folder == "/" ? "/" : folder + "/"
        for index in jobs.indices where jobs[index].output.hasPrefix(prefix) {
            plan.jobs[index].output = String(jobs[index].output.dropFirst(prefix.count))
        }
        return plan
    }

    /// Why outputs made by `program` with `libraries` could differ from the planned ones, as a clause; nil if they can't.
    package func difference(from program: Program, _ libraries: [String: String]) -> String? {
        if program.name != self.program.name || program.version != self.program.version {
            return "with \(self.program.name) \(self.program.version), and this is \(program.name) \(program.version)"
        }
        if libraries != self.libraries {
            let names = Set(libraries.keys).union(self.libraries.keys).sorted()
            let name = names.first { libraries[$0] != self.libraries[$0] } ?? ""
            return "with \(name) \(self.libraries[name] ?? "missing"), which is \(libraries[name] ?? "missing") here"
        }
        if let processor = self.program.processor, processor != program.processor {
            return
                "for processors with \(processor), and this one has \(program.processor ?? "another instruction set")"
        }
        return nil
    }
}

/// One output and how it is made.
package struct Job: Codable, Sendable {
    /// What a job makes: a whole output, or one of the parts of a long one. Segments and the audio are packet files;
    /// assembling joins them.
    package enum Kind: String, Codable, Sendable {
        case output, segment, audio, assemble

        /// Whether the job's output also gets a place outside the job directory.
        package var isPlaced: Bool { self == .output || self == .assemble }
    }

    /// The resources that a job is expected to need.
    package struct Estimate: Codable, Sendable {
        package var seconds: Double
        /// The peak of resident memory, in bytes.
        package var memory: Int
        package var cores: Int

        package init(seconds: Double, memory: Int, cores: Int) {
            (self.seconds, self.memory, self.cores) = (seconds, memory, cores)
        }
    }

    /// The segment that a job makes.
    package struct Segment: Codable, Sendable {
        /// Its number among the timeline's segments, from 0.
        package var number: Int
        /// The output frame at which it begins.
        package var firstFrame: Int

        package init(number: Int, firstFrame: Int) { (self.number, self.firstFrame) = (number, firstFrame) }
    }

    /// The job's position in the request, from 0.
    package var index: Int
    package var kind = Kind.output
    /// A hash of everything that the output's bytes depend on: 20 hexadecimal digits.
    package var hash = ""
    /// A hash of what a part of an output shows or plays, which stands for `arguments` and `inputs` in the job's hash;
    /// nil for whole outputs.
    package var content: String?
    /// The segment that is rendered; nil for the other kinds.
    package var segment: Segment?
    /// The program's arguments up to the output, which is appended: a subcommand, options as `--name=value`, `--`,
    /// inputs.
    package var arguments: [String]
    /// The extension of the output's name, which determines the container.
    package var ending: String
    /// Every file that is read, as it was when the plan was made.
    package var inputs: [FileIdentity]
    /// The path at which the output has to appear: relative to the root `outputs` in a stored plan if it lies there,
    /// else absolute. For a part, the path of the whole output.
    package var output: String
    /// Whether another file at that path may be replaced.
    package var overwrites: Bool
    /// The number of threads that encode and decode. It is fixed, because encoders write different bytes with a
    /// different number.
    package var threads: Int
    /// The output's number of frames; nil before it is estimated, or if the inputs could not be read.
    package var frames: Int?
    /// The resources that the job is expected to need; nil as for `frames`.
    package var estimate: Estimate?
    /// Where the job was requested, as `file:line:column`.
    package var source: String

    package init(
        index: Int, kind: Kind = .output, arguments: [String], ending: String, inputs: [FileIdentity], output: String,
        overwrites: Bool, threads: Int, source: String
    ) {
        (self.index, self.kind, self.arguments, self.ending) = (index, kind, arguments, ending)
        (self.inputs, self.output, self.overwrites, self.threads) = (inputs, output, overwrites, threads)
        self.source = source
    }

    /// The base name of the job's files in the job directory. Jobs that make the same bytes share them.
    package var name: String { hash }

    /// What the job makes, for messages.
    package var title: String {
        switch kind {
        case .output, .assemble: output
        case .segment: "segment \(segment?.number ?? 0) of \(output)"
        case .audio: "the audio of \(output)"
        }
    }
}

import FlipFiles
import FlipMedia
import Foundation

/// The contents of a job directory's `plan.json`: everything to be made, and from what. It depends on the request, the
/// inputs and the program, but not on the machine.
package struct JobPlan: Codable, Sendable {
    /// The build of the program that made the plan; another build may write different bytes.
    package struct Program: Codable, Sendable, Equatable {
        package var name: String
        package var version: String
        /// The first digits of the program file's SHA-256.
        package var build: String

        package init(name: String, version: String, build: String) {
            self.name = name
            self.version = version
            self.build = build
        }
    }

    /// The version of the file's format.
    package static let currentSchema = 2

    package var schema = JobPlan.currentSchema
    package var program: Program
    /// The versions of the libraries that decode and encode, by name.
    package var libraries: [String: String]
    /// Folders by name. `inputs` is the working directory of jobs, at which their relative paths start.
    package var roots: [String: String]
    package var jobs: [Job]

    package init(program: Program, libraries: [String: String], inputFolder: String, jobs: [Job]) {
        self.program = program
        self.libraries = libraries
        roots = ["inputs": inputFolder]
        self.jobs = jobs
    }

    package var inputFolder: String { roots["inputs"] ?? "/" }

    /// Gives each job its name: a hash of everything that the output's bytes depend on, and of nothing else. The job's
    /// index is not included, so that inserting a job before it does not change its name.
    package mutating func nameJobs() throws {
        for index in jobs.indices {
            let job = jobs[index]
            let spec = Spec(
                schema: schema, kind: job.kind, program: program, libraries: libraries, arguments: job.arguments,
                ending: job.ending, inputs: job.inputs)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            jobs[index].hash = String(SHA256.hash(try encoder.encode(spec)).prefix(20))
        }
    }

    /// The data that is hashed.
    private struct Spec: Encodable {
        let schema: Int
        let kind: Job.Kind
        let program: Program
        let libraries: [String: String]
        let arguments: [String]
        let ending: String
        let inputs: [FileIdentity]
    }
}

/// One output and how it is made.
package struct Job: Codable, Sendable {
    /// What a job makes. Batches have only outputs; the other kinds are for an output that is made in pieces.
    package enum Kind: String, Codable, Sendable {
        case output, segment, audio, assemble
    }

    /// The resources that a job is expected to need.
    package struct Estimate: Codable, Sendable {
        package var seconds: Double
        /// The peak of resident memory, in bytes.
        package var memory: Int
        package var cores: Int

        package init(seconds: Double, memory: Int, cores: Int) {
            self.seconds = seconds
            self.memory = memory
            self.cores = cores
        }
    }

    /// The job's position in the request, from 0.
    package var index: Int
    package var kind = Kind.output
    /// A hash of everything that the output's bytes depend on: 20 hexadecimal digits.
    package var hash = ""
    /// The program's arguments up to the output, which is appended: a subcommand, options as `--name=value`, `--`,
    /// inputs.
    package var arguments: [String]
    /// The extension of the output's name, which determines the container.
    package var ending: String
    /// Every file that is read, as it was when the plan was made.
    package var inputs: [FileIdentity]
    /// The absolute path at which the output has to appear.
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
        index: Int, arguments: [String], ending: String, inputs: [FileIdentity], output: String, overwrites: Bool,
        threads: Int, source: String
    ) {
        self.index = index
        self.arguments = arguments
        self.ending = ending
        self.inputs = inputs
        self.output = output
        self.overwrites = overwrites
        self.threads = threads
        self.source = source
    }

    /// The base name of the job's files in the job directory. Jobs that make the same bytes share them.
    package var name: String { hash }
}

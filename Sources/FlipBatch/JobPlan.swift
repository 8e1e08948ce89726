import FlipMedia
import Foundation

/// What a job directory's `plan.json` says: all that has to be made, and from what. A value that depends on the request, the
/// inputs and the program, and on nothing of the machine.
package struct JobPlan: Codable, Sendable {
    /// The build that planned: another would write other bytes.
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

    /// Of this file's form.
    package static let currentSchema = 2

    package var schema = JobPlan.currentSchema
    package var program: Program
    /// Libraries that decode and encode, with their versions.
    package var libraries: [String: String]
    /// Folders by name. `inputs` is where jobs run, and what their relative paths are seen from.
    package var roots: [String: String]
    package var jobs: [Job]

    package init(program: Program, libraries: [String: String], inputFolder: String, jobs: [Job]) {
        self.program = program
        self.libraries = libraries
        roots = ["inputs": inputFolder]
        self.jobs = jobs
    }

    package var inputFolder: String { roots["inputs"] ?? "/" }

    /// Gives each job its name: a hash of all that its bytes depend on, and of nothing else. Its place among the others has no
    /// part in it, so that a job that is put before it changes nothing.
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

    /// What is hashed.
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
    /// What a job makes. Batches have outputs only; the other kinds are those of an output that is made in pieces.
    package enum Kind: String, Codable, Sendable {
        case output, segment, audio, assemble
    }

    /// What a job is expected to take.
    package struct Estimate: Codable, Sendable {
        package var seconds: Double
        /// Bytes resident at once.
        package var memory: Int
        package var cores: Int

        package init(seconds: Double, memory: Int, cores: Int) {
            self.seconds = seconds
            self.memory = memory
            self.cores = cores
        }
    }

    /// From 0, in the order of the request.
    package var index: Int
    package var kind = Kind.output
    /// Of all that its bytes depend on: 20 hexadecimal digits.
    package var hash = ""
    /// The program's own command line up to the output, which is added: a subcommand, options as `--name=value`, `--`, inputs.
    package var arguments: [String]
    /// Of the output's name, which says the container.
    package var ending: String
    /// Every file that is read, as it was when the plan was made.
    package var inputs: [FileIdentity]
    /// Where the output has to appear: an absolute path.
    package var output: String
    /// Whether what else lies there may be replaced.
    package var overwrites: Bool
    /// That encode and decode; fixed, since encoders write other bytes with another number.
    package var threads: Int
    /// Of the output; nil where the inputs could not be planned.
    package var frames: Int?
    package var estimate: Estimate?
    /// Where it was asked for, as `file:line:column`.
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

    /// What its files in the job directory are called. Jobs that make the same bytes share them.
    package var name: String { hash }
}

/// A file as it was seen: what is changed has another size or time.
package struct FileIdentity: Codable, Sendable, Hashable {
    package var path: String
    package var bytes: Int
    /// Nanoseconds since 1970.
    package var modified: Int

    /// Nil, with `errno`, where there is nothing.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.path = path
        bytes = status.st_mode & S_IFMT == S_IFDIR ? 0 : Int(status.st_size)
        modified = Self.nanoseconds(status)
    }

    static func nanoseconds(_ status: stat) -> Int {
        #if canImport(Darwin)
            status.st_mtimespec.tv_sec * 1_000_000_000 + status.st_mtimespec.tv_nsec
        #else
            status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
        #endif
    }

    /// Whether the file is still what it was.
    package var isCurrent: Bool { (FileIdentity(path: path) ?? .missing(path)) == self }

    /// The file, or the folder's files by name, at `path`; nil where there is nothing.
    package static func all(at path: String) -> [FileIdentity]? {
        guard let own = FileIdentity(path: path) else { return nil }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            return [own]
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { !$0.hasPrefix(".") }.sorted().compactMap { FileIdentity(path: "\(path)/\($0)") }
    }
}

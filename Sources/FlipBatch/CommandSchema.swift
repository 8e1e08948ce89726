import FlipBase
import Foundation

/// A subcommand that makes an output, and its options by their long names, as manifests write them.
package struct CommandSchema: Sendable {
    package struct Option: Sendable {
        package var isFlag: Bool
        package var isRepeating: Bool
        /// Whether the value names a file or a folder that is read.
        package var isPath: Bool
        /// Whether the file's contents are a secret, of which nothing may be stored, not even a hash.
        package var isSecret: Bool

        package init(isFlag: Bool, isRepeating: Bool, isPath: Bool, isSecret: Bool = false) {
            (self.isFlag, self.isRepeating, self.isPath, self.isSecret) = (isFlag, isRepeating, isPath, isSecret)
        }
    }

    package var name: String
    package var options: [String: Option]

    package init(name: String, options: [String: Option]) { (self.name, self.options) = (name, options) }

    /// Options that belong to the batch and not to its jobs.
    package static let reserved: Set<String> = [
        "help", "version", "overwrite", "no-overwrite", "progress", "report", "quiet", "verbose", "messages", "root",
        "jobs", "memory", "retries", "job-dir", "plan-only", "output", "engine", "follow", "cancel", "partition",
        "constraint", "account", "time",
        "slurm-options", "notes-out", "captions-out", "transcript", "root-map", "inputs-by", "any-processor",
        "source-copy",
    ]

    /// Options that jobs can't have, and why, as the ends of sentences.
    package static let refused: [String: String] = [
        "password": "would be stored in the job directory, where others may read it (give password-file)",
        "chapters-out": "isn't written by jobs, which may run several times (make the video by itself to write it)",
    ]
}

/// One output that a manifest requests, with the locations in the manifest for error messages.
package struct JobRequest: Sendable {
    /// An option for the job's command line.
    package struct Setting: Sendable {
        package var name: String
        /// The option's value; nil for a flag that is set.
        package var value: String?
        package var location: TextLocation
        /// Whether the option comes from the user's command line and not from the manifest.
        package var isOverride = false
    }

    package var command: CommandSchema
    package var inputs: [(word: String, location: TextLocation)]
    package var output: String
    package var outputLocation: TextLocation
    package var settings: [Setting]
    package var location: TextLocation

    /// The subcommand with its options and inputs, up to the output. `--name=value` and `--` keep values and inputs
    /// from being taken for options.
    package var arguments: [String] {
        [command.name] + settings.map { setting in "--\(setting.name)" + (setting.value.map { "=\($0)" } ?? "") } + [
            "--"
        ]
            + inputs.map(\.word)
    }

    /// What requests have in common whose options are valid, or not, for the same reason: the subcommand, the options, and
    /// how many inputs of which kind there are. Parsing a command line takes 5 ms, and most requests of a batch differ
    /// in nothing but names. Nil if the inputs themselves have to be looked at.
    package var kind: String? {
        let names = inputs.map(\.word) + [output]
        // Times, lists, patterns of pictures, and what begins like an option.
        guard !names.contains(where: { $0.contains { "#%*?[@".contains($0) } || $0.hasPrefix("-") }) else { return nil }
        let endings = names.map { URL(fileURLWithPath: $0).pathExtension }
        // A folder of pictures is a deck; without an ending, other commands may read anything.
        if command.name != "deck", endings.contains("") { return nil }
        // What such a file names has to be looked at.
        let describing: Set<String> = ["yaml", "yml", "otio", "txt", "ffconcat", "m3u", "m3u8"]
        guard !endings.contains(where: { describing.contains($0.lowercased()) }) else { return nil }
        return ([command.name] + settings.map { "\($0.name)=\($0.value ?? "")" } + endings).joined(separator: "\0")
    }

    /// The index of the first option that the error message `message` mentions; nil if there is none.
    package func setting(of message: String) -> Int? {
        settings.firstIndex { message.contains("\($0.name) ") || message.contains("--\($0.name)") }
    }
}

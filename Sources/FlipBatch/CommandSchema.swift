import FlipProject

/// A subcommand that makes an output, and its options by their long names, as manifests write them.
package struct CommandSchema: Sendable {
    package struct Option: Sendable {
        package var isFlag: Bool
        package var isRepeating: Bool
        /// Whether the value names a file or a folder that is read.
        package var isPath: Bool

        package init(isFlag: Bool, isRepeating: Bool, isPath: Bool) {
            self.isFlag = isFlag
            self.isRepeating = isRepeating
            self.isPath = isPath
        }
    }

    package var name: String
    package var options: [String: Option]

    package init(name: String, options: [String: Option]) {
        self.name = name
        self.options = options
    }

    /// Options that belong to the batch and not to its jobs.
    package static let reserved: Set<String> = [
        "help", "version", "overwrite", "no-overwrite", "progress", "report", "quiet", "verbose", "root", "jobs",
        "memory",
        "retries", "job-dir", "engine", "follow", "cancel", "partition", "constraint", "account", "time",
        "slurm-options", "root-map", "inputs-by", "any-processor", "source-copy",
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

    /// The index of the first option that the error message `message` mentions; nil if there is none.
    package func setting(of message: String) -> Int? {
        settings.firstIndex { message.contains("\($0.name) ") || message.contains("--\($0.name)") }
    }
}

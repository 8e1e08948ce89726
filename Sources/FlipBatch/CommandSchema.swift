import FlipProject

/// A subcommand that makes an output, as manifests name it: its options by their long names.
package struct CommandSchema: Sendable {
    package struct Option: Sendable {
        package var isFlag: Bool
        package var isRepeating: Bool
        /// Whether its value names a file or a folder that is read.
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

    /// Options that are the batch's own business.
    package static let reserved: Set<String> = [
        "help", "version", "overwrite", "progress", "report", "verbose", "root",
    ]
}

/// One output that a manifest asks for, with the places of what it says.
package struct JobRequest: Sendable {
    /// An option as it goes to the command line.
    package struct Setting: Sendable {
        package var name: String
        /// Nil for a flag that is set.
        package var value: String?
        package var place: YAMLPlace
        /// Whether the user's own command line says it, rather than the manifest.
        package var isOverride = false
    }

    package var command: CommandSchema
    package var inputs: [(word: String, place: YAMLPlace)]
    package var output: String
    package var outputPlace: YAMLPlace
    package var settings: [Setting]
    package var place: YAMLPlace

    /// The subcommand with its options and inputs, up to the output. Nothing in it can be taken for what it isn't.
    package var arguments: [String] {
        [command.name] + settings.map { setting in "--\(setting.name)" + (setting.value.map { "=\($0)" } ?? "") } + [
            "--"
        ]
            + inputs.map(\.word)
    }

    /// The index of the option that `message` is about.
    package func setting(of message: String) -> Int? {
        settings.firstIndex { message.contains("\($0.name) ") || message.contains("--\($0.name)") }
    }
}

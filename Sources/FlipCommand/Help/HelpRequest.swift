import ArgumentParser

/// Which help the command line asks for. Read from the unparsed command line, because the parser asks for the options'
/// visibility while it parses.
enum HelpRequest {
    private static let words = CommandLine.arguments.dropFirst().prefix { $0 != "--" }

    /// Whether the command line asks for help of any kind, as an empty one does; false for completions of such a command line.
    private static let isHelp =
        words.isEmpty
        || words.first?.hasPrefix("---") == false
            && (words.first == "help" || words.contains { ["-h", "--help", all, hidden].contains($0) })

    /// Whether only the options that are needed often are shown, which fit a screen.
    @TaskLocal static var isBrief = isHelp && !words.contains { [all, hidden].contains($0) }

    private static let all = "--help-all"
    /// The argument parser's name of `--help-all`.
    private static let hidden = "--help-hidden"

    /// `arguments` as the parser knows them.
    static func parsable(_ arguments: some Sequence<String>) -> [String] {
        var isOption = true
        return arguments.map { word in
            if word == "--" { isOption = false }
            return isOption && word == all ? hidden : word
        }
    }

    /// What follows the help: where more is to be found. Empty if no help was asked for.
    static var closing: String {
        guard isHelp else { return "" }
        let (command, name) = Self.command
        let more = isBrief && command.map(hasDetails) ?? true ? "All options: fliptransition \(name) --help-all\n" : ""
        let options = isBrief && command == nil ? "Options: fliptransition \(name) --help\n" : ""
        return "\n\(options)\(more)Documentation: \(Documents.path("README.md"))"
    }

    /// The subcommand whose help is shown, and what is typed for it; no subcommand for the program's own help. A command line
    /// without a subcommand joins.
    private static var command: (type: (any ParsableCommand.Type)?, name: String) {
        var type: any ParsableCommand.Type = FlipTransitionCommand.self
        var names: [String] = []
        let typed = words.first == "help" ? words.dropFirst() : words
        for word in typed {
            guard let next = type.configuration.subcommands.first(where: { $0.names.contains(word) }) else { break }
            type = next
            names.append(word)
        }
        if !names.isEmpty { return (type, names.joined(separator: " ")) }
        let others = typed.filter { !["-h", "--help", all, hidden].contains($0) }
        return (others.isEmpty || words.first == "help" ? nil : JoinCommand.self, "join")
    }

    /// Whether `command` has options that brief help leaves out.
    private static func hasDetails(_ command: any ParsableCommand.Type) -> Bool {
        command.helpMessage(includeHidden: true) != command.helpMessage(includeHidden: false)
    }
}

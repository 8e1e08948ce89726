import ArgumentParser
import Foundation

/// The parser's own description of a command: the part that manifests and the page of options read.
struct CommandDescription: Decodable {
    struct Argument: Decodable {
        struct Name: Decodable {
            let kind: String
            let name: String
        }

        /// One of positional, option and flag.
        let kind: String
        let shouldDisplay: Bool
        let names: [Name]?
        let isRepeating: Bool
        let valueName: String?
        /// The title of the group that the option belongs to; nil if it belongs to no group with a title.
        let sectionTitle: String?
        let abstract: String?
        /// What shells offer as values; nil if there is nothing to offer.
        let completionKind: Completion?

        /// The part of the parser's description of completions that says whether values are paths.
        struct Completion: Decodable {
            private struct Anything: Decodable {
                init(from decoder: any Decoder) {}
            }
            private let file: Anything?
            private let directory: Anything?

            var isPath: Bool { file != nil || directory != nil }
        }

        /// The first long name; nil if there is none.
        var longName: String? { names?.first { $0.kind == "long" }?.name }

        /// The names as they are typed, short ones first.
        var typedNames: [String] { (names ?? []).map { ($0.kind == "short" ? "-" : "--") + $0.name } }
    }

    let commandName: String
    let abstract: String?
    let arguments: [Argument]?

    /// The description of `type`.
    static func of(_ type: any ParsableCommand.Type) throws -> CommandDescription {
        struct Dump: Decodable { let command: CommandDescription }
        return try JSONDecoder().decode(Dump.self, from: Data(type._dumpHelp().utf8)).command
    }

    /// The description of `type` as `--help` shows it: the other options are not displayed.
    static func brief(_ type: any ParsableCommand.Type) throws -> CommandDescription {
        try HelpRequest.$isBrief.withValue(true) { try of(type) }
    }

    /// The options and flags, without those that every command has.
    var options: [Argument] {
        (arguments ?? []).filter { argument in
            argument.kind != "positional" && !argument.typedNames.contains { ["--help", "--version"].contains($0) }
        }
    }
}

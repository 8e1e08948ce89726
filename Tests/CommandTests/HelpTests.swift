import FlipGeometry
import TestSupport
import Testing

extension CommandTests {
    /// The help, as users read it and as the parser describes its options.
    @Suite(.serialized) struct HelpTests {
        /// The parser's description of a command.
        struct Command: Decodable {
            struct Option: Decodable {
                struct Name: Decodable {
                    let kind: String
                    let name: String
                }
                let kind: String
                let shouldDisplay: Bool
                let names: [Name]?
                let valueName: String?
                let abstract: String?
                let completionKind: [String: Anything]?

                var longNames: [String] { (names ?? []).filter { $0.kind == "long" }.map(\.name) }
            }
            struct Anything: Decodable {
                init(from decoder: any Decoder) throws {}
            }
            let commandName: String
            let arguments: [Option]?
            let subcommands: [Command]?
            /// The command whose subcommand this is, if not the program itself.
            var parent: String?

            /// What is typed for it.
            var words: [String] { [parent, commandName].compactMap(\.self) }
        }

        static func commands() throws -> [Command] {
            struct Dump: Decodable { let command: Command }
            let dump = try JSONDecoder().decode(Dump.self, from: succeed(["--experimental-dump-help"]).output)
            return try #require(dump.command.subcommands).filter { $0.commandName != "help" }.flatMap { command in
                let own = (command.subcommands ?? []).map { subcommand in
                    var subcommand = subcommand
                    subcommand.parent = command.commandName
                    return subcommand
                }
                return own.isEmpty ? [command] : own
            }
        }

        private static let names = [
            "join", "deck", "render", "still", "sheet", "plan", "export", "probe", "check", "styles", "batch",
            "preview", "serve", "doctor", "jobs", "jobs run", "jobs assemble", "jobs status", "jobs gc",
        ]

        /// A screen of 50 lines of 80 columns.
        @Test(arguments: Places.some([""] + names, every: 3)) func helpFitsAScreen(name: String) throws {
            let words = name.split(separator: " ").map(String.init)
            let run = try succeed(words + ["--help"])
            let lines = run.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            // A path is as long as the name of the folder with the documentation, and may need a line of its own.
            let shown = lines.filter { !$0.hasPrefix("/") }
            #expect(shown.count <= 50, "\(shown.count) lines")
            // Usage is not wrapped.
            for line in shown where !line.contains("fliptransition ") && !line.hasPrefix("Documentation: ") {
                #expect(line.count <= 80, "\(line)")
            }
            #expect(run.text.contains("USAGE: ") && run.messages == "")
            #expect(try succeed(["help"] + words).text == run.text)
        }

        /// Help names the command whose options it shows.
        @Test(
            arguments: [
                ([], "join"), (["--help"], "join"), (["help"], "join"), (["join", "-h"], "join"),
                (["a.mp4", "b.mp4", "--help"], "join"), (["plan", "deck", "a.pdf", "--help"], "plan"),
                (["help", "deck"], "deck"),
            ] as [([String], String)])
        func helpNamesItsCommand(arguments: [String], name: String) throws {
            let text = try succeed(arguments).text
            #expect(text.contains("\nAll options: fliptransition \(name) --help-all\n"), "\(text)")
            #expect(text.contains("SUBCOMMANDS") == (arguments.count < 2))
            #expect(text.contains("\nOptions: fliptransition join --help\n") == (arguments.count < 2))
        }

        @Test func allHelpHasEveryOption() throws {
            for command in try Self.commands() {
                let text = try succeed(command.words + ["--help-all"]).text
                let brief = try succeed(command.words + ["--help"]).text
                #expect(brief.contains("--help-all") == (brief.count < text.count), "\(command.commandName)")
                for option in command.arguments ?? [] where option.kind != "positional" {
                    for name in option.longNames {
                        let isThere =
                            text.contains("--\(name)\n") || text.contains("--\(name) ") || text.contains("--\(name),")
                        #expect(isThere == option.shouldDisplay, "\(command.commandName) --\(name)")
                    }
                }
            }
        }

        /// The documentation that help points to is there.
        @Test(arguments: ["", "join", "render", "deck"]) func helpNamesFilesThatExist(name: String) throws {
            for option in ["--help", "--help-all"] {
                let text = try succeed((name.isEmpty ? [] : [name]) + [option]).text
                let joined = text.split { $0.isWhitespace }.map { String($0).trimmingCharacters(in: ["."]) }
                let paths = joined.filter { $0.hasPrefix("/") && $0.hasSuffix(".md") }
                #expect(!paths.isEmpty && text.contains("Documentation: /"), "\(text)")
                for path in paths { #expect(FileManager.default.fileExists(atPath: path), "\(path)") }
            }
        }

        /// A program that is installed names what was installed with it, and one without documentation only its place.
        @Test func theInstalledProgramNamesInstalledPages() throws {
            let folder = try TemporaryFolder()
            let files = FileManager.default
            try files.createDirectory(atPath: folder / "bin", withIntermediateDirectories: false)
            try files.createDirectory(atPath: folder / "share/doc", withIntermediateDirectories: true)
            let program = folder / "bin/fliptransition"
            try files.copyItem(atPath: Places.program(), toPath: program)
            let bare = try Tool.succeed(program, ["--help"]).text
            #expect(bare.contains("\nDocumentation: share/doc/fliptransition/README.md"), "\(bare)")
            try files.copyItem(atPath: Places.package + "/docs", toPath: folder / "share/doc/fliptransition")
            let prefix = URL(fileURLWithPath: folder.path).resolvingSymlinksInPath().path
            for command in [["--help"], ["join", "--help-all"]] {
                let text = try Tool.succeed(program, command).text
                let place = prefix + "/share/doc/fliptransition/README.md"
                #expect(text.contains("\nDocumentation: \(place)") && files.fileExists(atPath: place), "\(text)")
            }
            // Man pages are made before there is a prefix.
            let dump = try Tool.succeed(program, ["--experimental-dump-help"]).text
            let plain = dump.replacing("\\/", with: "/")
            #expect(!plain.contains(prefix) && plain.contains("share/doc/fliptransition/PREVIEW.md"))
        }

        /// Values and defaults have one form everywhere: `Sentence. (values: a|b; default: a)`.
        @Test func defaultsHaveOneForm() throws {
            let form = /[^()]*(\([^()]*\)[^()]*)*\.( \((values: [^;]+|values: [^;]+; default: [^;]+|default: [^;]+)\))?/
            for command in try Self.commands() {
                for option in command.arguments ?? [] where option.shouldDisplay {
                    let text = try #require(option.abstract, "\(command.commandName) \(option.longNames)")
                    #expect(text.wholeMatch(of: form) != nil, "\(command.commandName) \(option.longNames): \(text)")
                    let sentence = text.prefix { $0 != "(" }.lowercased()
                    for word in ["default)", "by default", "the usual"] {
                        #expect(!sentence.contains(word), "\(command.commandName) \(option.longNames): \(text)")
                    }
                }
            }
        }

        /// Values that no list can offer: numbers, times and the like, by the names that help gives them.
        private static let free: Set<String> = [
            "b", "n", "n|n-m|hash", "name", "seconds", "time", "degrees", "r", "o", "dB", "p", "x,y", "s", "px", "k",
            "list", "lang=dir",
            "bytes", "hours", "code", "name=value", "key=value", "rate", "address", "LUFS", "text", "command",
        ]

        @Test func everyValueIsCompleted() throws {
            for command in try Self.commands() {
                for option in command.arguments ?? [] where option.kind != "flag" && option.shouldDisplay {
                    let value = try #require(option.valueName)
                    #expect(
                        option.completionKind != nil || Self.free.contains(value),
                        "\(command.commandName) \(option.longNames) <\(value)>")
                }
            }
        }

        /// Pairs that refuse each other's values (`OverlayUseTests`, `BookTests`, `SheetTests`).
        private static let similar = [["overlay", "overlap"], ["book", "look"], ["look", "looks"]].map(Set.init)

        /// No two options of a command are taken for each other because of one letter.
        @Test func optionsDifferByMoreThanALetter() throws {
            let names = try Self.commands().map { command in
                (command.arguments ?? []).filter(\.shouldDisplay).flatMap(\.longNames).map { Array($0) }
            }
            for (a, names) in names.flatMap({ names in names.map { ($0, names) } }) {
                let others = names.filter { !Self.similar.contains([String(a), String($0)]) }
                for b in others where a.count == b.count + 1 {
                    let isOneMore = a.indices.contains { index in Array(a[..<index] + a[(index + 1)...]) == b }
                    #expect(!isOneMore, "--\(String(a)) and --\(String(b))")
                }
                for b in others where a.count == b.count {
                    #expect(zip(a, b).count { $0 != $1 } != 1, "--\(String(a)) and --\(String(b))")
                }
            }
        }
    }
}

import ArgumentParser
import CSystem
import FlipBase
import FlipGeometry
import FlipMedia
import Foundation

/// The program: it makes a video of its inputs, or what a subcommand says.
@main
struct FlipTransitionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fliptransition",
        abstract: "Join clips and slides with page turns, and encode nothing else where you don't want to.",
        usage: "fliptransition <input>... <output> [options]\nfliptransition <subcommand> --help",
        discussion: """
            fliptransition a.mp4 b.mp4 out.mp4                a page turns
            fliptransition a.mp4 b.mp4 out.mp4 --render auto  copies all but the turn
            fliptransition slides.pdf talk.mp4 --hold 4       slides become a video
            fliptransition film.mp4#cuts=cuts.csv out.mp4     the parts in a cut list
            fliptransition preview a.mp4 b.mp4                try it in the browser
            """,
        version: DoctorCommand.version,
        subcommands: [
            JoinCommand.self, DeckCommand.self, PreviewCommand.self, PlanCommand.self, ExportCommand.self,
            StillCommand.self, SheetCommand.self, StylesCommand.self, ProbeCommand.self, CheckCommand.self,
            BatchCommand.self, JobsCommand.self, ServeCommand.self, DoctorCommand.self,
        ],
        defaultSubcommand: JoinCommand.self)

    /// Throws if an argument names an existing file and begins with a single dash: it would be parsed as options, such
    /// as the `h` for help in `-dash.jpg`.
    private static func checkNames(_ words: ArraySlice<String>) throws(OptionError) {
        for word in words.prefix(while: { $0 != "--" }) {
            guard word.hasPrefix("-"), !word.hasPrefix("--"), word.count > 2, word.contains("."), Double(word) == nil,
                FileManager.default.fileExists(atPath: word)
            else { continue }
            throw OptionError("'\(word)' begins with a dash, so it would be taken for options (write ./\(word))")
        }
    }

    /// All names of the subcommands.
    static var subcommandNames: [String] { configuration.subcommands.flatMap { $0.names } }

    /// Throws if the first argument is neither a subcommand nor a file, but nearly the name of a subcommand. It would be
    /// taken for a clip that can't be read.
    private static func checkSubcommand(_ word: String?) throws(OptionError) {
        guard let word, let first = word.first, first.isLetter, !word.contains("."), !word.contains("/") else { return }
        let names = subcommandNames + ["help"]
        guard !names.contains(word), let name = Suggestion.nearest(to: word, among: names),
            !FileManager.default.fileExists(atPath: word)
        else { return }
        throw OptionError("there is no file or subcommand '\(word)', did you mean '\(name)'?")
    }

    static func main() {
        flip_share_arenas()
        flip_look_names_up_inside()
        Descriptors.open()
        checkArguments()
        Interruption.prepare()
        if getenv(Interruption.following) != nil { Interruption.followStandardInput() }
        if Message.isJSON { MediaLog.redirect { Message.note($0) } }
        do {
            let words = TypedWords.all
            if words == [OptionsPage.argument] { return print(try OptionsPage.text(), terminator: "") }
            if words.isEmpty { throw CleanExit.helpRequest() }
            try ForeignWords.check(words)
            try checkNames(words[...])
            try checkSubcommand(words.first)
            var command = try parseAsRoot(HelpRequest.parsable(words))
            try command.run()
        } catch {
            if exitCode(for: error) == .success, let mistake = helpByMistake { Failure.exit(mistake) }
            // After an interruption any other error is only its consequence.
            Failure.exit(Interruption.hasHappened && !(error is ExitCode) ? CancellationError() : error)
        }
    }

    /// Ends the program where Swift's runtime can't read the arguments, the first of which is the program's own name. On
    /// Linux it reads them from /proc.
    private static func checkArguments() {
        guard CommandLine.arguments.isEmpty else { return }
        let sentence = "fliptransition: error: the arguments can't be read from /proc (mount it in the sandbox)\n"
        FileHandle.standardError.write(Data(sentence.utf8))
        Foundation.exit(69)
    }

    /// The error to report if the parser has taken letters of a file name for a request for help; nil if help was
    /// really asked for.
    private static var helpByMistake: MediaError? {
        let arguments = TypedWords.all.prefix { $0 != "--" }
        if arguments.contains(where: {
            ["-h", "help", "--version"].contains($0) || ["--help", "--gen", "--exp"].contains(where: $0.hasPrefix)
        }) {
            return nil
        }
        let isMistaken = { (word: String) in
            word.hasPrefix("-") && !word.hasPrefix("--") && word.count > 2 && word.contains("h")
        }
        return arguments.first(where: isMistaken).map { name in
            MediaError(.usage, "unknown option '\(name)' (give ./\(name) for a file of that name)")
        }
    }
}

/// The descriptors of standard input, output and error, in case the caller has closed them.
private enum Descriptors {
    /// Opens closed ones on /dev/null, so that no file gets their numbers and receives messages. The modes are the
    /// wrong way round, so that using them still fails.
    static func open() {
        for (number, mode) in [(STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY)]
        where fcntl(number, F_GETFD) == -1 {
            // open returns the lowest free number, which is this one.
            _ = Foundation.open("/dev/null", mode)
        }
    }
}

extension FlipTransitionCommand {
    /// The commands that do something, by what is typed for them: subcommands, and those of subcommands.
    static var allCommands: [(name: String, type: any ParsableCommand.Type)] {
        configuration.subcommands.flatMap { type in
            let own = type.configuration.subcommands
            return own.isEmpty
                ? [(type._commandName, type)] : own.map { ("\(type._commandName) \($0._commandName)", $0) }
        }
    }
}

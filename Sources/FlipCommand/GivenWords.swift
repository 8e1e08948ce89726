import ArgumentParser
import FlipProject
import FlipRender

/// A command line, taken apart into its options, by their long names, and the files. The parser has accepted it.
struct GivenWords {
    /// The options in the order in which they were given; a flag has no value.
    private(set) var options: [(name: String, value: String?)] = []
    private(set) var files: [String] = []

    /// - Parameters:
    ///   - words: the command line after the program's name.
    ///   - type: the subcommand, whose name may be among `words`.
    init(_ words: [String] = TypedWords.all, as type: any ParsableCommand.Type) throws {
        let arguments = try CommandDescription.of(type).arguments ?? []
        var flags: Set<String> = []
        var longNames: [String: String] = [:]
        for argument in arguments {
            let names = argument.names ?? []
            for name in names where name.kind == "long" {
                if argument.kind == "flag" { flags.insert(name.name) }
            }
            guard let long = names.first(where: { $0.kind == "long" })?.name else { continue }
            for name in names where name.kind == "short" { longNames["-" + name.name] = long }
        }
        var rest = words[...]
        if let name = rest.first, type.names.contains(name) { rest.removeFirst() }
        while let word = rest.popFirst() {
            if word == "--" {
                files += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                files.append(word)
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? String(parts[1]) : nil
            let names =
                word.hasPrefix("--")
                ? [String(parts[0].dropFirst(2))] : parts[0].dropFirst().map { longNames["-\($0)"] ?? "\($0)" }
            // Of several short names behind one hyphen, as in `-yf mp4`, only the last can have a value.
            options += names.dropLast().map { ($0, nil) }
            if let last = names.last {
                options.append((last, value ?? (flags.contains(last) ? nil : rest.popFirst())))
            }
        }
    }

    /// The options that projects have as well, as their keys.
    var projectOptions: ProjectText.Options {
        var values = ProjectText.Options()
        for (name, value) in options {
            switch name {
            case "no-audio": values.output.append(("audio", "false"))
            case "metadata": values.tags.append(value ?? "")
            case "chapters": break
            case _ where ProjectOutput.keys.contains(name): values.output.append((name, value ?? "true"))
            case "audio-track", "audio-tracks", "subtitle-tracks", "deinterlace", "cut-below", "still-duration":
                values.whole.append((name, value ?? ""))
            default: break
            }
        }
        return values
    }
}

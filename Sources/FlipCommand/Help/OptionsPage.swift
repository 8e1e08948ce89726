import ArgumentParser
import FlipGeometry

/// docs/OPTIONS.md: every option of every command, from the parser's descriptions and the catalogue of styles.
enum OptionsPage {
    /// What asks for the page on the command line, in the place of a subcommand.
    static let argument = "--generate-options-page"

    /// An option, and the commands that take it in this form.
    private struct Entry {
        let option: CommandDescription.Argument
        /// The title of the option's group; empty where it has none.
        var title: String
        var commands: [String]

        var text: OptionText { OptionText(option.abstract ?? "") }
    }

    static func text() throws -> String {
        let entries = try entries()
        let titles = entries.map(\.title).reduce(into: [String]()) { list, title in
            if !title.isEmpty, !list.contains(title) { list.append(title) }
        }
        var parts = [try introduction()]
        for title in titles { parts.append("## \(title)\n\n" + tables(entries.filter { $0.title == title })) }
        parts.append("## Other options\n\n" + tables(entries.filter { $0.title.isEmpty }))
        parts += [Self.lookOptions, Self.namedLooks, EasingTable.text]
        return parts.joined(separator: "\n\n") + "\n"
    }

    // MARK: Options

    private static func introduction() throws -> String {
        let rows = try FlipTransitionCommand.allCommands.map { name, type in
            let command = try CommandDescription.of(type)
            return [code(name), command.abstract ?? ""]
        }
        return """
            # Options

            Written by `scripts/options` from the program's own descriptions. `fliptransition COMMAND --help` shows the options \
            that are needed
            often, and `--help-all` shows all of them. Options may stand before, between and after the files. `--name=value` is the \
            same as
            `--name value`, and what follows `--` is taken for files even if it begins with a dash. Without a command, `join` is \
            meant.

            \(table(["command", "what it does"], rows))

            Every command has `--help` (`-h`), `--help-all` and `--version`.
            """
    }

    private static func entries() throws -> [Entry] {
        var entries: [Entry] = []
        for (name, type) in FlipTransitionCommand.allCommands {
            let command = try CommandDescription.of(type)
            for option in command.options where option.shouldDisplay {
                let title = option.sectionTitle ?? ""
                let index = entries.firstIndex { entry in
                    entry.option.typedNames == option.typedNames && entry.option.abstract == option.abstract
                }
                if let index {
                    entries[index].commands.append(name)
                    if entries[index].title.isEmpty { entries[index].title = title }
                } else {
                    entries.append(Entry(option: option, title: title, commands: [name]))
                }
            }
        }
        return entries
    }

    /// A table for each set of commands that take the same of these options.
    private static func tables(_ entries: [Entry]) -> String {
        var groups: [[Entry]] = []
        for entry in entries {
            if let index = groups.firstIndex(where: { $0[0].commands == entry.commands }) {
                groups[index].append(entry)
            } else {
                groups.append([entry])
            }
        }
        return groups.map { group in
            let rows = group.map { entry in
                [
                    names(of: entry.option), values(entry.text.values ?? ""), cell(entry.text.standard ?? ""),
                    cell(entry.text.meaning),
                ]
            }
            return "For " + list(group[0].commands.map(code)) + ":\n\n"
                + table(["option", "values", "default", "what it does"], rows)
        }.joined(separator: "\n\n")
    }

    private static func names(of option: CommandDescription.Argument) -> String {
        let value = option.kind == "flag" ? "" : " " + cell("<\(option.valueName ?? "")>", isCode: true)
        return option.typedNames.map(code).joined(separator: ", ") + value
    }

    // MARK: Looks

    private static var lookOptions: String {
        let rows = LookOption.allCases.map { option in
            let owners = Styles.all.filter { $0.options.contains(option) }
            var defaults: [(value: String, styles: [String])] = []
            for style in owners {
                let value = option.value(in: style.defaults)
                if let index = defaults.firstIndex(where: { $0.value == value }) {
                    defaults[index].styles.append(style.name)
                } else {
                    defaults.append((value, [style.name]))
                }
            }
            let cells = defaults.map { "`\($0.value)`: \($0.styles.joined(separator: ", "))" }
            return [code("--" + option.rawValue), values(option.acceptedValues), cells.joined(separator: "; ")]
        }
        return """
            ## Which styles take which options of looks

            An option that means nothing for the chosen style is an error. [STYLES.md](STYLES.md) shows the styles. In \
            `--transition` the same
            options are written without dashes: `fold=mode=cubic:creases=1`.

            \(table(["option", "values", "default: styles that have it"], rows))
            """
    }

    private static var namedLooks: String {
        let rows = Looks.all.map { look in
            let settings = look.options.map { code("--\($0.option.rawValue) \($0.value)") }
            return [
                code(look.name), code(look.style.name), cell(look.summary),
                settings.isEmpty ? "the style's defaults" : settings.joined(separator: ", "),
            ]
        }
        return "## Named looks\n\n" + table(["`--look`", "style", "what it shows", "the same as"], rows)
    }

    // MARK: Markdown

    static func table(_ heads: [String], _ rows: [[String]]) -> String {
        let lines = [heads, heads.map { _ in "---" }] + rows
        return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
            .replacing("|  |", with: "| |")
    }

    static func code(_ text: String) -> String { cell(text, isCode: true) }

    private static func cell(_ text: String, isCode: Bool = false) -> String {
        let escaped = text.replacing("|", with: "\\|")
        return isCode ? "`\(escaped)`" : escaped
    }

    /// Words separated by bars as code, and any other text as it is.
    private static func values(_ text: String) -> String {
        guard text.contains("|"), !text.contains(" ") else { return cell(text) }
        return text.split(separator: "|").map { code(String($0)) }.joined(separator: ", ")
    }

    private static func list(_ words: [String]) -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " and " + last
    }
}

import ArgumentParser
import FlipAgent
import FlipFiles
import FlipGeometry
import FlipRender

/// An option of a subcommand as a property of a tool's input, made from the parser's description and, for options of looks,
/// from the catalogue of styles.
struct ToolOption: Sendable {
    /// The long name.
    let name: String
    let isFlag: Bool
    let isRepeating: Bool
    /// Whether the value names a file or a folder.
    let isPath: Bool
    /// The names on a command line, such as `-y` and `--overwrite`.
    let typedNames: [String]
    private let words: [String]?
    private let text: OptionText

    /// Options that calls can't have: those about standard error and standard output, which the server reads itself, those
    /// that replace or restate what the server decides, a password that other users of the machine could see, and how much of
    /// what they make is kept.
    private static let left: Set<String> = [
        "help", "version", "progress", "report", "quiet", "verbose", "messages", "json", "kdenlive", "root",
        "no-overwrite", "output", "password", "cache",
    ]
    /// Those that have the program run another one.
    private static let programs: Set<String> = ["speak", "speech-cache"]

    /// Nil if calls don't have the option.
    init?(_ argument: CommandDescription.Argument, allowsPrograms: Bool) {
        guard argument.kind != "positional", argument.shouldDisplay, argument.sectionTitle != "Engine",
            let name = argument.longName, !Self.left.contains(name),
            allowsPrograms || !Self.programs.contains(name)
        else { return nil }
        self.name = name
        typedNames = argument.typedNames
        isFlag = argument.kind == "flag"
        isRepeating = argument.isRepeating
        isPath = argument.completionKind?.isPath ?? false
        text = OptionText(argument.abstract ?? "")
        // Some lists of values have placeholders in them, and some have words that are examples.
        let listed = (text.values ?? "").split(separator: "|", omittingEmptySubsequences: false).map(String.init)
        let areWords = listed.allSatisfy { word in
            !word.isEmpty && word.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" || $0 == "." }
        }
        words = listed.count > 1 && areWords ? listed : nil
    }

    /// Whether the option is called or described with `word`.
    func mentions(_ word: String) -> Bool {
        [name, text.text].contains { $0.lowercased().contains(word.lowercased()) }
    }

    /// The property's schema.
    var schema: JSON {
        let item: JSON = .object(value)
        var said = text
        if item.listsValues { said.values = nil }
        let description = (key: "description", value: JSON.text(said.text))
        if isRepeating { return .object([("type", "array"), ("items", item), description]) }
        return .object(value + [description])
    }

    /// The schema of one value.
    private var value: [(key: String, value: JSON)] {
        if isFlag { return [("type", "boolean")] }
        if isPath { return [("type", "string")] }
        let free: [(key: String, value: JSON)] = [("type", ["string", "number"])]
        switch LookOption(rawValue: name)?.kind {
        case .word(let words): return choice(words)
        case .number(let range): return number("number", range)
        case .wholeNumber(let range): return number("integer", range)
        case .color, .easing, .point: return [("type", "string")]
        case .flag, nil: return words.map(choice) ?? free
        }
    }

    private func choice(_ words: [String]) -> [(key: String, value: JSON)] {
        [("type", "string"), ("enum", .list(words.map { .text($0) }))]
    }

    private func number(_ type: JSON, _ range: ClosedRange<Double>) -> [(key: String, value: JSON)] {
        [("type", type), ("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound))]
    }

    // MARK: Values

    /// The words of a command line that give the option the value `value`.
    func arguments(_ value: JSONText) throws(OptionError) -> [String] {
        if isFlag {
            guard let flag = value.flag else { throw OptionError("invalid \(name) (expected true or false)") }
            return flag ? ["--\(name)"] : []
        }
        var words: [String] = []
        for item in isRepeating && value.text == nil ? value.items : [value] {
            words.append("--\(name)=\(try Self.word(item, of: name))")
        }
        return words
    }

    /// The text or number `value` as a word of a command line.
    static func word(_ value: JSONText, of name: String) throws(OptionError) -> String {
        if let text = value.text {
            guard !text.unicodeScalars.contains("\0") else { throw OptionError("invalid \(name): it has a NUL in it") }
            return text
        }
        guard let number = value.number else { throw OptionError("invalid \(name) (expected a text or a number)") }
        return number == number.rounded() && number.magnitude < 1e15 ? "\(Int(number))" : "\(number)"
    }

    /// The paths in the value `word`, none of which may lie outside of the root folder.
    func paths(in word: String) -> [String] {
        guard isPath else { return [] }
        guard name == "sound" else { return [word] }
        if TransitionSound.words.contains(word) { return [] }
        // thud.wav@0.2
        return [word] + (word.lastIndex(of: "@").map { [String(word[..<$0])] } ?? [])
    }
}

extension JSON {
    /// Whether this is the schema of a value that it lists, or whose range it gives.
    fileprivate var listsValues: Bool {
        guard case .object(let entries) = self else { return false }
        return entries.contains { ["enum", "minimum"].contains($0.key) }
    }
}

import ArgumentParser

/// What help says of an option: what it does, the values it takes and its default. All help has the form that the
/// argument parser itself uses: `Sentence. (values: a|b; default: a)`.
struct OptionText: Equatable {
    /// What the option does: a sentence with its period.
    var meaning: String
    /// The values that the option takes; nil for a flag, and if `meaning` says it.
    var values: String?
    /// What is used without the option; nil if there is nothing to say.
    var standard: String?

    private static let valuesMark = "values: "
    private static let standardMark = "default: "

    init(meaning: String, values: String? = nil, standard: String? = nil) {
        (self.meaning, self.values, self.standard) = (meaning, values, standard)
    }

    /// The inverse of `text`.
    init(_ text: String) {
        let opening = [" (" + Self.valuesMark, " (" + Self.standardMark].compactMap { text.firstRange(of: $0) }
            .min { $0.lowerBound < $1.lowerBound }
        guard let opening, text.last == ")" else {
            self.init(meaning: text)
            return
        }
        self.init(meaning: String(text[..<opening.lowerBound]))
        let facts = text[opening.lowerBound...].dropFirst(2).dropLast()
        let split = facts.firstRange(of: "; " + Self.standardMark)
        let first = facts[..<(split?.lowerBound ?? facts.endIndex)]
        if first.hasPrefix(Self.valuesMark) {
            values = String(first.dropFirst(Self.valuesMark.count))
            standard = split.map { String(facts[$0.upperBound...]) }
        } else {
            standard = String(facts.dropFirst(Self.standardMark.count))
        }
    }

    var text: String {
        let facts = [values.map { Self.valuesMark + $0 }, standard.map { Self.standardMark + $0 }].compactMap(\.self)
        return facts.isEmpty ? meaning : "\(meaning) (\(facts.joined(separator: "; ")))"
    }
}

extension ArgumentHelp {
    /// The help of an option that `--help` shows.
    static func option(
        _ meaning: String, values: String? = nil, default standard: String? = nil, _ valueName: String? = nil
    ) -> ArgumentHelp {
        ArgumentHelp(OptionText(meaning: meaning, values: values, standard: standard).text, valueName: valueName)
    }

    /// The help of an option that only `--help-all` shows.
    static func detail(
        _ meaning: String, values: String? = nil, default standard: String? = nil, _ valueName: String? = nil
    ) -> ArgumentHelp {
        var help = option(meaning, values: values, default: standard, valueName)
        help.visibility = .detail
        return help
    }
}

extension ArgumentVisibility {
    /// Of what only `--help-all` shows. Completions, man pages and suggestions have it, too. It depends on who asks, so
    /// it can't be stored.
    static var detail: ArgumentVisibility { HelpRequest.isBrief ? .hidden : .default }
}

import FlipGeometry

/// A style as programs and libraries describe it: its options with their values, and its named looks. docs/JSON.md
/// defines the fields.
package struct StyleEntry: Sendable {
    /// An option of the style.
    package struct Option: Sendable {
        package let name: String
        package let summary: String
        package let defaultValue: String
        /// What the option accepts, for people to read.
        package let values: String
        /// One of word, flag, number, integer, point, color and easing.
        package let type: String
        /// The range of a number or of a point's coordinates; nil for other types.
        package let range: ClosedRange<Double>?
        /// The words, or the names of the named easings; nil for other types.
        package let choices: [String]?
        package let unit: String?
    }

    /// A named look of the style.
    package struct NamedLook: Sendable {
        package let name: String
        package let summary: String
        package let options: [(name: String, value: String)]
    }

    package let name: String
    package let summary: String
    package let origin: String
    package let options: [Option]
    package let looks: [NamedLook]

    /// The catalog, an entry for each style.
    package static var all: [StyleEntry] { Styles.all.map(StyleEntry.init) }

    package init(_ style: any TransitionStyle) {
        name = style.name
        summary = style.summary
        origin = style.origin
        options = style.options.map { Option($0, of: style) }
        looks = Looks.all.filter { $0.style.name == style.name }.map { look in
            NamedLook(
                name: look.name, summary: look.summary, options: look.options.map { ($0.option.rawValue, $0.value) })
        }
    }
}

extension StyleEntry.Option {
    fileprivate init(_ option: LookOption, of style: any TransitionStyle) {
        name = option.rawValue
        summary = option.summary
        defaultValue = option.value(in: style.defaults)
        unit = option.unit
        values = option.acceptedValues(for: style)
        switch option.kind(for: style) {
        case .word(let words): (type, choices, range) = ("word", option.words(for: style) ?? words, nil)
        case .flag: (type, choices, range) = ("flag", nil, nil)
        case .number(let numbers): (type, choices, range) = ("number", nil, numbers)
        case .wholeNumber(let numbers): (type, choices, range) = ("integer", nil, numbers)
        case .point(let numbers): (type, choices, range) = ("point", nil, numbers)
        case .color: (type, choices, range) = ("color", nil, nil)
        case .easing: (type, choices, range) = ("easing", Easing.named.map(\.name), nil)
        }
    }
}

// MARK: JSON

extension StyleEntry {
    package var json: JSONNode {
        .object([
            ("name", .text(name)), ("summary", .text(summary)), ("origin", .text(origin)),
            ("options", .list(options.map(\.json))), ("looks", .list(looks.map(\.json))),
        ])
    }
}

extension StyleEntry.Option {
    fileprivate var json: JSONNode {
        var fields: [(name: String, value: JSONNode)] = [
            ("name", .text(name)), ("summary", .text(summary)), ("default", .text(defaultValue)),
            ("values", .text(values)), ("type", .text(type)),
        ]
        if let range { fields += [("minimum", .number(range.lowerBound)), ("maximum", .number(range.upperBound))] }
        if let choices { fields.append(("choices", .list(choices.map(JSONNode.text)))) }
        if let unit { fields.append(("unit", .text(unit))) }
        return .object(fields)
    }
}

extension StyleEntry.NamedLook {
    fileprivate var json: JSONNode {
        .object([
            ("name", .text(name)), ("summary", .text(summary)),
            ("options", .list(options.map { .object([("name", .text($0.name)), ("value", .text($0.value))]) })),
        ])
    }
}

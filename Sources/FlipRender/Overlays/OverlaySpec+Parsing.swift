import FlipBase
import FlipGeometry

extension OverlaySpec {
    /// The maximum number of characters of a text.
    static let longestText = 500
    /// The maximum number of overlays of an output.
    package static let limit = 64
    /// The keys of all overlays, of pictures and films, and of texts.
    package static let commonKeys = ["opacity", "margin", "from", "to", "layer"]
    package static let fileKeys = ["width", "height", "audio"]
    package static let textKeys = ["size", "color", "font", "box"]

    /// Parses `logo.png@top-right:opacity=0.6:width=10%`. `\:` is a colon in a value or in the file's name; of several
    /// `@`, the last one stands before the place.
    package init(parsingFile text: String) throws(OptionError) {
        try self.init(
            parsing: text, "overlay", expected: "FILE@PLACE:key=value, such as logo.png@top-right:opacity=0.6"
        ) {
            .file($0)
        }
        guard path != "" else { throw OptionError("invalid overlay '\(text)': there is no file before the @") }
    }

    /// Parses `TEXT@PLACE:key=value`, where `\n` begins a line, `\\` is a backslash and `\:` a colon.
    package init(parsingText text: String) throws(OptionError) {
        try self.init(
            parsing: text, "overlay-text",
            expected: "TEXT@PLACE:key=value, such as 'Ada Lovelace\\nMathematician@bottom-left:box=on', with \\: for a "
                + "colon in the text"
        ) { text throws(OptionError) in try Self.text(Self.unescaped(text)) }
    }

    /// Parses `PLACE:key=value` as the place of slides' numbers, which turn with the pages.
    package init(parsingNumbers text: String) throws(OptionError) {
        self.init(.text("{slide}"), at: .center)
        (layer, size) = (.page, .percent(3))
        try read(OutputValue.entries(of: text)[...], "slide-numbers")
    }

    private init(
        parsing text: String, _ option: String, expected: String, _ content: (String) throws(OptionError) -> Content
    ) throws(OptionError) {
        let entries = OutputValue.entries(of: text)
        guard let mark = entries[0].lastIndex(of: "@") else {
            if text.contains("@") {
                throw OptionError(
                    "invalid \(option) '\(text)': a colon before the @ has to be written as \\: (expected \(expected))")
            }
            throw OptionError("invalid \(option) '\(text)': there is no @ before a place (expected \(expected))")
        }
        self.init(try content(String(entries[0][..<mark])), at: .center)
        try read([String(entries[0][mark...].dropFirst())] + entries.dropFirst(), option)
    }

    /// Reads the name of a place, and `key=value` as often as there are more entries.
    private mutating func read(_ entries: ArraySlice<String>, _ option: String) throws(OptionError) {
        try setPlace(entries.first ?? "", of: option)
        var seen: Set<String> = []
        for entry in entries.dropFirst() {
            let parts = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw OptionError("invalid '\(entry)' in \(option) (expected key=value; a colon in a name is \\:)")
            }
            guard seen.insert(parts[0]).inserted else { throw OptionError("\(option) has '\(parts[0])' twice") }
            try set(parts[0], parts[1])
        }
        try check()
    }

    /// Sets the place that is called `name`.
    package mutating func setPlace(_ name: String, of option: String) throws(OptionError) {
        guard let place = FramePlace.named(name) else {
            let question = Suggestion.question(for: name, among: FramePlace.all.map(\.name))
            throw OptionError("invalid place '\(name)' of \(option)\(question) (expected \(FramePlace.names))")
        }
        self.place = place
    }

    /// A text to draw. Throws if it is empty or too long, has control characters, or an unknown word in braces.
    package static func text(_ text: String) throws(OptionError) -> Content {
        guard !text.allSatisfy(\.isWhitespace), text.count <= longestText,
            !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control && $0 != "\n" })
        else {
            throw OptionError(
                "invalid overlay-text (expected 1...\(longestText) characters without control characters)")
        }
        for part in text.split(separator: "{", omittingEmptySubsequences: false).dropFirst() {
            guard let end = part.firstIndex(of: "}") else { continue }
            let word = part[..<end]
            guard !word.isEmpty, word.allSatisfy(\.isLetter), OverlayWord(rawValue: String(word)) == nil else {
                continue
            }
            let names = OverlayWord.allCases.map { "{\($0.rawValue)}" }.joined(separator: ", ")
            throw OptionError("unknown word '{\(word)}' in overlay-text (expected \(names))")
        }
        return .text(text)
    }

    /// `text` with `\n` and `\\` replaced.
    private static func unescaped(_ text: String) -> String {
        var result = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch (character, rest.first) {
            case ("\\", "n"):
                result.append("\n")
                rest.removeFirst()
            case ("\\", "\\"):
                result.append("\\")
                rest.removeFirst()
            default: result.append(character)
            }
        }
        return result
    }

    /// Sets what `key` stands for.
    package mutating func set(_ key: String, _ value: String) throws(OptionError) {
        let keys = Self.commonKeys + (path == nil ? Self.textKeys : Self.fileKeys)
        guard keys.contains(key) else {
            let other = path == nil ? "text" : "picture or film"
            let question = Suggestion.question(for: key, among: keys)
            throw OptionError(
                "unknown key '\(key)' of an overlay that is a \(other)\(question) (expected \(keys.joined(separator: ", ")))"
            )
        }
        switch key {
        case "opacity": opacity = try OutputValue.number("opacity", value, in: 0...1)
        case "margin": margin = try Self.length(key, value, percents: 0...50, pixels: 0...Limits.sides.upperBound)
        case "width": width = try Self.length(key, value)
        case "height": height = try Self.length(key, value)
        case "from": start = try Self.time(key, value)
        case "to": end = try Self.time(key, value)
        case "layer": layer = try OutputValue.word("layer", value)
        case "audio": isHeard = try Self.flag(key, value)
        case "size": size = try Self.length(key, value, percents: 0.5...50, pixels: 4...2000)
        case "color": color = try Color(parsing: value)
        case "font": font = try Self.font(value)
        default: hasBox = try Self.flag(key, value)
        }
    }

    /// The keys whose values aren't the default, as `set` reads them.
    package var settings: [(key: String, value: String)] {
        let plain = OverlaySpec(content, at: place)
        let length = { (length: Length?) -> String? in
            switch length {
            case .pixels(let count): "\(count)px"
            case .percent(let share): "\(share)%"
            case nil: nil
            }
        }
        var settings: [(key: String, value: String)] = []
        let add = { (key: String, isChanged: Bool, value: String?) in
            if isChanged, let value { settings.append((key, value)) }
        }
        add("layer", layer != plain.layer, layer.rawValue)
        add("opacity", opacity != plain.opacity, "\(opacity)")
        add("margin", margin != plain.margin, length(margin))
        add("width", width != nil, length(width))
        add("height", height != nil, length(height))
        add("from", start != .zero, start.nanosecondText)
        add("to", end != nil, end?.nanosecondText)
        add("audio", isHeard, "on")
        add("size", size != plain.size, length(size))
        add("color", color != plain.color, color.description)
        add("font", font != nil, font)
        add("box", hasBox, "on")
        return settings
    }

    /// Throws if it ends before it begins.
    package func check() throws(OptionError) {
        guard let end, end <= start else { return }
        throw OptionError("an overlay can't end at \(end.decimalText) s if it begins at \(start.decimalText) s")
    }

    private static func time(_ key: String, _ text: String) throws(OptionError) -> Rational {
        guard let time = Rational(playTime: text) else {
            throw OptionError(
                "invalid \(key) '\(text)' of an overlay (expected seconds such as 2.5, or m:ss with \\: for the colon)")
        }
        return time
    }

    private static func flag(_ key: String, _ text: String) throws(OptionError) -> Bool {
        try OutputValue.choice(key, text, of: ["on", "off"]) == "on"
    }

    /// A font's name, without what would end it in the file that libass reads.
    private static func font(_ text: String) throws(OptionError) -> String {
        guard !text.isEmpty, text.count <= 100,
            text.allSatisfy({ $0.isLetter || $0.isNumber || " -_.+&'()".contains($0) })
        else { throw OptionError("invalid font '\(text)' (expected the name of a family, such as DejaVu Sans)") }
        return text
    }

    /// Parses `10%` or `200px`.
    private static func length(
        _ key: String, _ text: String, percents: ClosedRange<Double> = 0.1...100,
        pixels: ClosedRange<Int> = 1...Limits.sides.upperBound
    ) throws(OptionError) -> Length {
        if text.hasSuffix("%"), let share = Double(text.dropLast()), percents.contains(share) { return .percent(share) }
        if text.hasSuffix("px"), let count = Int(text.dropLast(2)), pixels.contains(count) { return .pixels(count) }
        throw OptionError(
            "invalid \(key) '\(text)' of an overlay (expected \(percents.lowerBound)...\(percents.upperBound)% or "
                + "\(pixels.lowerBound)...\(pixels.upperBound)px)")
    }
}

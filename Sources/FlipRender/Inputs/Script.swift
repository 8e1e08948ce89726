import FlipBase
import FlipMedia

/// An ffconcat script (ffmpeg-formats, "concat"). Only its files and the parts of them to use are supported.
struct Script {
    static let signature = "ffconcat version"
    private(set) var entries: [InputList.Entry] = []

    init(_ list: Lines) throws(MediaError) {
        guard let head = list.lines.first,
            head.text.split(whereSeparator: \.isWhitespace) == ["ffconcat", "version", "1.0"]
        else { throw list.error(list.lines.first?.number ?? 1, "only 'ffconcat version 1.0' is known") }
        var durations: [Int: Rational] = [:]
        for (number, line) in list.lines.dropFirst() {
            let keyword = String(line.prefix { !$0.isWhitespace })
            guard let value = Self.value(line.dropFirst(keyword.count)) else {
                throw list.error(number, "expected one value after '\(keyword)'")
            }
            if keyword == "file" {
                entries.append(InputList.Entry(line: number, clip: ClipSpec(path: list.resolve(value))))
                continue
            }
            guard ["inpoint", "outpoint", "duration"].contains(keyword) else {
                throw list.error(number, "'\(keyword)' is not supported (expected file, inpoint, outpoint or duration)")
            }
            let last = entries.count - 1
            guard last >= 0 else { throw list.error(number, "'\(keyword)' comes before the first file") }
            guard let time = Rational(scriptTime: value) else {
                throw list.error(number, "invalid time '\(value)' (expected seconds or h:mm:ss)")
            }
            switch keyword {
            case "inpoint": entries[last].clip.part.start = time
            case "outpoint": entries[last].clip.part.end = time
            default: durations[last] = time
            }
        }
        for index in entries.indices { try finish(&entries[index], durations[index], list) }
    }

    /// Completes an entry with its duration, which counts from the in point and is ignored if there is an out point.
    private func finish(_ entry: inout InputList.Entry, _ duration: Rational?, _ list: Lines) throws(MediaError) {
        let start = entry.clip.part.start ?? .zero
        if entry.clip.part.end == nil, let duration { entry.clip.part.end = start + duration }
        if let end = entry.clip.part.end, end <= start {
            throw list.error(entry.line, "nothing of '\(entry.clip.path)' is between its in point and its out point")
        }
    }

    /// Parses a single word with single quotes and backslashes as in the shell; nil if there is no word, more than one,
    /// or an unclosed quote.
    private static func value(_ text: Substring) -> String? {
        var value = ""
        var isQuoted = false
        var isEscaped = false
        for character in text.drop(while: \.isWhitespace) {
            if isEscaped {
                value.append(character)
                isEscaped = false
            } else if character == "'" {
                isQuoted.toggle()
            } else if character == "\\", !isQuoted {
                isEscaped = true
            } else if character.isWhitespace, !isQuoted {
                return nil
            } else {
                value.append(character)
            }
        }
        return isQuoted || isEscaped || value.isEmpty ? nil : value
    }
}

extension Rational {
    /// Parses a time in ffmpeg's syntax: a play time, or a number with the suffix `ms` or `us`.
    fileprivate init?(scriptTime text: String) {
        for (suffix, scale) in [("ms", 1000), ("us", 1_000_000)] where text.hasSuffix(suffix) {
            guard let value = TransitionDuration.decimal(String(text.dropLast(2))) else { return nil }
            self = value / Rational(scale)
            return
        }
        self.init(playTime: text)
    }
}

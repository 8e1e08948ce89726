import FlipBase

/// An EDL of mpv: the file, start and length of a part in each line.
enum MPVList {
    static func read(_ lines: [EDL.Line], into writer: CutWriter) throws(MediaError) {
        guard lines[0].text == "# mpv EDL v0" else {
            throw writer.file.error(lines[0].number, "only '# mpv EDL v0' is known")
        }
        for line in lines.dropFirst() where !line.text.hasPrefix("#") {
            if line.text.hasPrefix("!") {
                throw writer.file.error(line.number, "'\(line.text.prefix(40))' is not supported")
            }
            try add(line, to: writer)
        }
    }

    private static let names = ["file", "start", "length", "title"]

    private static func add(_ line: EDL.Line, to writer: CutWriter) throws(MediaError) {
        var values: [String: String] = [:]
        for (index, (name, value)) in try fields(line, writer.file).enumerated() {
            let key = name ?? (index < 3 ? names[index] : "")
            guard names.contains(key), values[key] == nil else {
                throw writer.file.error(line.number, "'\(name ?? value)' is not supported")
            }
            values[key] = value
        }
        let start = try writer.time(values["start"] ?? "", line: line.number)
        let length = try writer.time(values["length"] ?? "", line: line.number)
        try writer.add(
            writer.film(values["file"], line: line.number), from: start, to: length.map { (start ?? .zero) + $0 },
            title: values["title"], line: line.number)
    }

    /// The values of a line, with the names that they may have. `%5%a,b,c` is a value of so many bytes.
    private static func fields(
        _ line: EDL.Line, _ file: ListFile
    ) throws(MediaError) -> [(name: String?, value: String)] {
        var fields: [(name: String?, value: String)] = []
        var rest = Substring(line.text)
        while true {
            var name: String?
            let word = rest.prefix { $0 != "," && $0 != "=" && $0 != "%" }
            if rest.dropFirst(word.count).first == "=", names.contains(String(word)) || fields.count > 2 {
                name = String(word)
                rest = rest.dropFirst(word.count + 1)
            }
            var value = String(rest.prefix { $0 != "," })
            if rest.first == "%" {
                let digits = rest.dropFirst().prefix { $0 != "%" }
                let bytes = rest.utf8.dropFirst(digits.utf8.count + 2)
                guard let count = Int(digits), count >= 0, count <= bytes.count,
                    let text = String(bytes.prefix(count))
                else { throw file.error(line.number, "'%\(digits.prefix(20))%' is no length of what follows it") }
                value = text
                rest = Substring(bytes.dropFirst(count))
            } else {
                rest = rest.dropFirst(value.count)
            }
            fields.append((name, value))
            if rest.isEmpty { return fields }
            guard rest.first == "," else {
                throw file.error(line.number, "',' is expected after '\(value.prefix(40))'")
            }
            rest = rest.dropFirst()
        }
    }
}

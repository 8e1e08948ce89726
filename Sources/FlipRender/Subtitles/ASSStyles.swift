/// Combines the headers of ASS subtitles: what comes before the events, with the size of the script and its styles.
package enum ASSStyles {
    /// The header that suits the events of all files with `headers`: that of the first, with the other files' styles
    /// added. Nil if they contradict each other, because two different styles have the same name, or the sizes of the
    /// scripts differ.
    package static func merged(_ headers: [[UInt8]]) -> [UInt8]? {
        guard let first = headers.first else { return nil }
        let lines = lines(of: first)
        var styles = lines.filter(isStyle)
        for other in headers.dropFirst() where other != first {
            let others = Self.lines(of: other)
            guard others.filter(isSetting) == lines.filter(isSetting) else { return nil }
            for style in others.filter(isStyle) where !styles.contains(style) {
                if styles.contains(where: { name(of: $0) == name(of: style) }) { return nil }
                styles.append(style)
            }
        }
        guard let place = lines.firstIndex(where: isStyle) else { return first }
        let rest = lines.filter { !isStyle($0) }
        let result = rest[..<place] + styles + rest[place...]
        return Array(result.joined(separator: "\n").utf8)
    }

    private static func lines(of header: [UInt8]) -> [String] {
        String(decoding: header, as: UTF8.self).lines.map { String($0) }
    }

    private static func isStyle(_ line: String) -> Bool { line.hasPrefix("Style:") }

    private static func name(of style: String) -> Substring { style.dropFirst(6).prefix { $0 != "," } }

    /// Whether a line says how coordinates, styles or events are meant.
    private static func isSetting(_ line: String) -> Bool {
        ["PlayResX:", "PlayResY:", "ScaledBorderAndShadow:", "WrapStyle:", "ScriptType:", "Format:"]
            .contains { line.hasPrefix($0) }
    }
}

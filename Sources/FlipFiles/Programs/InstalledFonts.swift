/// The fonts that fontconfig knows, from which LibreOffice, poppler and libass take others in place of those that aren't
/// there, without saying so.
package enum InstalledFonts {
    private static let list = HelperProgram("fc-list", package: "fontconfig")
    private static let match = HelperProgram("fc-match", package: "fontconfig")
    private static let settings = HelperProgram("fc-conflist", package: "fontconfig")

    /// The programs that are asked.
    package static let helpers = [list, match, settings]

    /// The maximum number of fonts that are looked up.
    private static let most = 50

    /// All fonts, with their files and versions, and the files with fontconfig's settings; nil if its programs aren't there.
    static var all: (fonts: String, settings: [String])? {
        let fields = ["file", "family", "style", "fontversion"]
        guard let fonts = try? list.text([":"] + fields, for: "fonts", limit: 16 << 20),
            let lines = try? settings.text([], for: "fonts", limit: 1 << 20).split(separator: "\n")
        else { return nil }
        // "+ /etc/fonts/conf.d/10-hinting-slight.conf: Set hintslight to hintstyle"
        let paths = lines.compactMap { line -> Substring? in
            guard let start = line.firstIndex(of: "/") else { return nil }
            return line[start...].split(separator: ": ", maxSplits: 1).first
        }
        return (fonts.split(separator: "\n").sorted().joined(separator: "\n"), paths.map(String.init).sorted())
    }

    /// The names among `fonts` that fontconfig has neither a font nor a stand-in for, which it has for many by name.
    package static func missing(_ fonts: Set<String>) -> [String] {
        guard !fonts.isEmpty, let installed = try? list.text([":", "family"], for: "fonts", limit: 4 << 20),
            let any = family("no such font as this")
        else { return [] }
        let known = Set(installed.split { $0 == "\n" || $0 == "," }.map { key(String($0)) })
        return fonts.sorted().prefix(most).filter { !known.contains(key($0)) && family($0) == any }
    }

    /// The family that fontconfig offers for a name; nil if its program isn't there.
    private static func family(_ name: String) -> String? {
        // These characters have a meaning in fontconfig's patterns.
        let plain = name.map { "-:,\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
        return try? match.text(["-f", "%{family}", "--", plain], for: "fonts", limit: 1 << 16)
    }

    /// The letters and digits of a name, without what PostScript names have at the end.
    private static func key(_ name: String) -> String {
        var key = name.filter { $0.isLetter || $0.isNumber }
        for ending in ["MT", "PS"] where key.hasSuffix(ending) { key.removeLast(2) }
        return key.lowercased()
    }
}

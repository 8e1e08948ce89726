/// The fonts that fontconfig knows, from which LibreOffice, poppler and libass take others in place of those that aren't
/// there, without saying so.
package enum InstalledFonts {
    private static let list = HelperProgram("fc-list", package: "fontconfig")
    private static let match = HelperProgram("fc-match", package: "fontconfig")

    /// The programs that are asked.
    package static let helpers = [list, match]

    /// The maximum number of fonts that are looked up.
    private static let most = 50

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

/// Options by which an encoder reads or writes files of its own. Only the user may give them, not a project or a
/// manifest, which may come from anybody.
package enum EncoderFiles {
    /// The name of the first option that names a file, or that makes the encoder write one under a name of its own; nil
    /// where there is none.
    package static func firstOption(in options: [(key: String, value: String)]) -> String? {
        options.lazy.compactMap { first(in: $0.key, $0.value) }.first
    }

    /// The error message that refuses the option `name`.
    package static func refusal(of name: String) -> String {
        "the encoder's option '\(name)' can name a file, so it is accepted on the command line only (--video-options)"
    }

    /// Whether an option holds a list of the encoder library's own options, as `x264-params` and `x264opts` do.
    package static func isList(_ key: String) -> Bool {
        let name = key.lowercased()
        return name.hasSuffix("-params") || name.hasSuffix("opts")
    }

    /// The entries of such a list, with dashes for the underscores that x264 takes for the same.
    static func entries(of list: String) -> [(key: String, value: String)] {
        list.split(whereSeparator: { $0 == ":" || $0 == "," }).map { entry in
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            return ((parts.first ?? "").replacing("_", with: "-"), parts.count > 1 ? parts[1] : "")
        }
    }

    private static func first(in key: String, _ value: String) -> String? {
        if isList(key) {
            return entries(of: value).lazy.compactMap { first(in: $0.key, $0.value) }.first
        }
        if let words = harmless[key] { return words.contains(value) || Int(value) != nil ? nil : key }
        return namesFile(key) || looksLikePath(value) || key == "flags" && value.contains("pass") ? key : nil
    }

    /// Options that take a word, a number or a file name, with the words that are allowed. Numbers always are.
    private static let harmless = ["cqm": ["flat", "jvt"], "scaling-list": ["off", "default"], "film-grain": []]

    /// Whether an option names a file, judged by the names that libavcodec, x264, x265, SVT-AV1, libaom, libvpx,
    /// kvazaar, rav1e and VVenC give to such options. Options for passes count, too: where no file is named for the
    /// statistics, the encoder uses a name of its own.
    private static func namesFile(_ key: String) -> Bool {
        let name = key.lowercased().replacing("_", with: "-").replacing("profile", with: "")
        let words = [
            "file", "path", "csv", "stats", "dump", "recon", "table", "dhdr10-info", "dolby-vision-rpu",
            "analysis-save",
            "analysis-load", "analysis-reuse", "clbin", "errlog", "vmaf-model",
        ]
        return ["pass", "passes", "output", "two-pass-output"].contains(name) || words.contains { name.contains($0) }
    }

    /// Whether the value has a slash or backslash, unless it is a fraction of two whole numbers.
    private static func looksLikePath(_ value: String) -> Bool {
        guard value.contains(where: { $0 == "/" || $0 == "\\" }) else { return false }
        let parts = value.split(separator: "/", omittingEmptySubsequences: false)
        return parts.count != 2 || !parts.allSatisfy { Int($0) != nil }
    }
}

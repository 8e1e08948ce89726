import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// What LibreOffice has made of a document is kept by all that can change it: the parts of the document that it draws,
/// LibreOffice itself and its settings, and the fonts. Speaker notes are not among these, so that changing one converts
/// nothing.
extension OfficeDeck {
    /// The key of what LibreOffice makes of the document at `source` in its sandbox; nil if it isn't known what that depends on.
    static func key(_ source: String, _ format: String) -> String? {
        guard let program = Surroundings.text(of: .soffice, ["soffice.bin", "../share/registry"]),
            let fonts = Surroundings.fonts, let content = content(source)
        else { return nil }
        return WorkCache.key(["document", program, fonts, OfficeProfile.text, format] + content)
    }

    private static func content(_ source: String) -> [String]? {
        guard let parts = try? PackedParts.read(source, ["*"], largest: 1 << 30, total: 2 << 30) else {
            // An archive that can't be read here may show dates and times. Other documents are older ones, which are converted to
            // an archive first.
            return Files.start(of: source, 2) == Array("PK".utf8) ? nil : SHA256.hash(file: source).map { [$0] }
        }
        var content: [String] = []
        var hasDate = false
        for (name, data) in parts.sorted(by: { $0.key < $1.key }) where !isUnseen(name) {
            if name.hasSuffix(".xml") {
                let text = String(decoding: data, as: UTF8.self)
                if hasTime(text) { return nil }
                hasDate = hasDate || text.contains(/type=["']datetime/) || text.contains("<text:date")
                if name == "docProps/core.xml" {
                    content += [name, text.replacing(saving, with: "")]
                    continue
                }
            }
            content += [name, SHA256.hash(data)]
        }
        return content + (hasDate ? [today] : [])
    }

    /// Whether nothing in the part of a PowerPoint file called `name` is seen on slides: notes, what PowerPoint remembers of
    /// its windows and of saving, and a picture of the first slide.
    private static func isUnseen(_ name: String) -> Bool {
        name == "ppt/viewProps.xml" || name == "ppt/revisionInfo.xml" || name == "docProps/app.xml"
            || ["ppt/notesSlides/", "ppt/changesInfos/", "docProps/thumbnail."].contains { name.hasPrefix($0) }
    }

    /// What each saving changes of a document's properties.
    private static var saving: Regex<Substring> {
        /<(?:\w+:)?(?:modified|revision|lastModifiedBy|lastPrinted)(?: [^>]*)?>[^<]*<[^>]*>/
    }

    /// Whether `text` has a field that shows a time of day, or the name of the file.
    private static func hasTime(_ text: String) -> Bool {
        // ECMA-376 21.1.2.2.4.
        text.contains(/type=["']datetime(?:[89]|1[0-3])["']/)
            || ["<text:time", "\"current-date\"", "<text:file-name"].contains { text.contains($0) }
    }

    /// The day, which fields with dates show.
    private static var today: String {
        var (now, parts) = (time(nil), tm())
        localtime_r(&now, &parts)
        return "\(parts.tm_year) \(parts.tm_yday)"
    }
}

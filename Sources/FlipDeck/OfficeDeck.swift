import FlipMedia
import Foundation

/// Documents that LibreOffice turns into PDF.
enum OfficeDeck {
    /// Endings of their names.
    static let endings: Set<String> = ["pptx", "pptm", "ppsx", "ppt", "pps", "odp", "fodp", "key"]

    /// The document at `path` as PDF. It takes some seconds.
    static func convert(_ path: String) throws(MediaError) -> PDFDeck {
        // What a run that was killed left of its own is removed here, too.
        guard let place = TemporaryPlace(beside: NamelessFile.folder + "/fliptransition-slides", kind: .privateFolder)
        else { throw MediaError(.io, "cannot make a temporary folder in \(NamelessFile.folder)") }
        defer { place.remove() }
        let folder = URL(fileURLWithPath: place.path)
        var limits = HelperProgram.Limits()
        limits.seconds = 300
        limits.memory = nil
        // Beside what it says, it writes its profile.
        let source = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        try HelperProgram.soffice.run(
            [
                "-env:UserInstallation=" + folder.appendingPathComponent("profile").absoluteString, "--headless",
                "--norestore", "--nolockcheck", "--convert-to", "pdf:impress_pdf_Export", "--outdir", place.path,
                source,
            ], for: path, into: try NamelessFile(), limits: limits)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: place.path)) ?? []
        guard let name = names.first(where: { $0.hasSuffix(".pdf") }) else {
            throw MediaError(.badInput, "LibreOffice cannot read '\(path)' as slides")
        }
        let file = try NamelessFile()
        try file.fill(from: "\(place.path)/\(name)")
        return try PDFDeck(path: path, converted: file)
    }
}

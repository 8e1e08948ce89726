import FlipBase
import FlipFiles
import FlipMedia
import Foundation

/// Documents that are converted to PDF by LibreOffice.
enum OfficeDeck {
    /// The extensions of all such documents.
    static let endings: Set<String> = ["pptx", "pptm", "ppsx", "ppt", "pps", "odp", "fodp", "key"]

    /// The extensions of PowerPoint files, whose facts are read directly. Other documents are converted to OpenDocument
    /// first, to find their hidden slides.
    static let powerPoint: Set<String> = ["pptx", "pptm", "ppsx"]
    private static let openDocument = "odp"
    /// The option of LibreOffice's PDF export that includes hidden slides.
    private static let hiddenSlides = #":{"ExportHiddenSlides":{"type":"boolean","value":"true"}}"#

    /// A document as converted by LibreOffice.
    struct Conversion {
        var deck: PDFDeck
        /// The facts of all slides, hidden ones included; nil for PowerPoint files, which are read themselves.
        var facts: [SlideFacts]?
        /// The fonts that the document names; empty for PowerPoint files.
        var fonts: Set<String> = []
        /// The language of the text as a three-letter code; nil if it isn't known, and for PowerPoint files.
        var language: String?
        /// Whether there were too many steps for all slides to have them; false for PowerPoint files.
        var isCut = false
        /// Whether LibreOffice ran in a sandbox, where it could read no file but the document.
        var isConfined: Bool
    }

    /// Converts the document at `path` to PDF, which takes some seconds.
    /// - Parameters:
    ///   - showsHidden: whether the PDF has pages for hidden slides.
    ///   - media: which films and sounds are taken out of OpenDocument files.
    ///   - hasSteps: whether slides have pages for their steps; for PowerPoint files, `parts` has them.
    ///   - parts: what LibreOffice reads in place of the parts of the same names of a PowerPoint file.
    ///   - cache: keeps the results for further runs; nil to keep none.
    static func convert(
        _ path: String, ending: String, showsHidden: Bool, media: SlideMediaChoice, hasSteps: Bool,
        replacing parts: [String: Data], cache: WorkCache?
    ) throws(MediaError) -> Conversion {
        let place = try TemporaryPlace.privateFolder(named: "slides")
        defer { place.remove() }
        let folder = place.path
        try OfficeProfile.write(in: folder)
        let source = path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
        let pdf = "pdf:impress_pdf_Export" + (showsHidden ? hiddenSlides : "")
        if powerPoint.contains(ending) {
            var source = source
            if !parts.isEmpty {
                let copy = folder + "/slides.pptx"
                try PackedParts.replace(parts, of: source, as: copy, in: folder, for: path)
                source = copy
            }
            let (result, isConfined) = try run(source, pdf, folder, path, ending, cache)
            return Conversion(deck: try deck(result, path), isConfined: isConfined)
        }
        let open = ending == openDocument ? source : try run(source, openDocument, folder, path, ending, cache).result
        let own = try ODPDeck(path: open, name: path)
        var facts = try DocumentMedia.unpack(own.facts, from: open, path, media, showsHidden: showsHidden)
        var copy = open
        var isCut = false
        let shown = facts.map { showsHidden || !$0.isHidden }
        if hasSteps, facts.contains(where: \.isAnimated), let steps = try OpenSteps(own.parts, path, shown: shown) {
            for index in facts.indices {
                (facts[index].builds, facts[index].steps) = (steps.builds[index], steps.steps[index])
            }
            isCut = steps.isCut
            if !steps.parts.isEmpty {
                copy = folder + "/steps.odp"
                try PackedParts.replace(steps.parts, of: open, as: copy, in: folder, for: path)
            }
        }
        let (result, isConfined) = try run(copy, pdf, folder, path, ending, cache)
        return Conversion(
            deck: try deck(result, path), facts: facts, fonts: own.fonts, language: own.language, isCut: isCut,
            isConfined: isConfined)
    }

    private static func deck(_ result: String, _ path: String) throws(MediaError) -> PDFDeck {
        let file = try NamelessFile()
        try file.fill(from: result)
        return try PDFDeck(path: path, converted: file)
    }

    /// Converts `source` to `format` ("odp") in `folder`.
    /// - Returns: the path of the result, and whether LibreOffice ran in a sandbox.
    private static func run(
        _ source: String, _ format: String, _ folder: String, _ path: String, _ ending: String, _ cache: WorkCache?
    ) throws(MediaError) -> (result: String, isConfined: Bool) {
        let folder = Files.realPath(folder) ?? folder
        let results = folder + "/" + format.prefix { $0 != ":" }
        guard mkdir(results, 0o700) == 0 else { throw MediaError(.io, "cannot make a folder in \(folder)") }
        var limits = HelperProgram.Limits(seconds: 300, memory: nil)
        // LibreOffice writes its profile and its temporary files to the same folder, the only one that the sandbox lets it write
        // to. Without a sandbox, too: what it leaves when it is killed vanishes with the folder.
        let sandbox = Sandbox(readable: [Files.realPath(source) ?? source, Sandbox.users], folder: folder).words()
        // Outside of the sandbox, it may read files that the document links.
        let key = sandbox == nil || cache == nil ? nil : key(source, format)
        let kept = results + "/kept." + format.prefix { $0 != ":" }
        if let key, cache?.take(.documents, key, intoFile: kept) == true { return (kept, true) }
        limits.launcher = (sandbox ?? []) + ["env", "TMPDIR=" + folder]
        try HelperProgram.soffice.run(
            [
                "-env:UserInstallation=" + OfficeProfile.place(in: folder).absoluteString, "--headless", "--norestore",
                "--nolockcheck", "--convert-to", format, "--outdir", results, Files.realPath(source) ?? source,
            ], for: path, into: try NamelessFile(), limits: limits)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: results)) ?? []
        guard let name = names.first(where: { $0.hasSuffix("." + format.prefix { $0 != ":" }) }) else {
            let remedy = ending == "key" ? " (export it from Keynote as PDF or PowerPoint)" : ""
            throw MediaError(.badInput, "LibreOffice cannot read '\(path)' as slides\(remedy)")
        }
        if let key { cache?.put(.documents, key, fromFile: results + "/" + name) }
        return (results + "/" + name, sandbox != nil)
    }
}

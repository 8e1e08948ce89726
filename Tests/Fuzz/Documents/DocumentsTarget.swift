import FlipBase
import FlipDeck
import FlipProject
import FlipRender
import Foundation

/// The readers of all files that describe what to render; the first byte selects the reader. A reader may refuse its
/// input, but must not crash or exceed the limits that it documents.
enum DocumentsTarget {
    static func run(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let choice = bytes.first else { return }
        try? readers[Int(choice) % readers.count](Data(bytes.dropFirst()))
    }

    /// The readers in the order of the numbers in the names of `seeds`.
    private static let readers: [@Sendable (Data) throws -> Void] = [
        { data in _ = try YAMLDocument.parse(data, path: "a.yaml") },
        { data in _ = try Project(path: write(data, "project.yaml"), root: nil) },
        { data in
            let settings = OutputSettings(path: "out.mp4")
            _ = try OTIOTimeline(
                path: write(data, "timeline.otio"), root: nil, reading: InputSettings(), settings: settings)
        },
        { data in
            let file = try TimingsFile(data, path: "times.txt")
            let count = file.entries.count
            hold((try? file.check(slides: count)) != nil && (count == 0 || (try? file.check(slides: count - 1)) == nil))
        },
        { data in
            let facts = try PPTXDeck(parts: parts(slide: data), path: "a.pptx").facts
            hold(facts.count == 1 && facts.allSatisfy { ($0.title?.count ?? 0) <= 200 })
        },
        { data in hold(try PPTXDeck(parts: parts(main: data), path: "a.pptx").facts.count <= 10_000) },
        { data in _ = try PPTXDeck(parts: parts(relations: data), path: "a.pptx") },
        { data in hold(try ODPDeck(content: data, path: "a.odp").facts.count <= 10_000) },
        { data in
            let pages = PageFacts.pages(in: data) + ["3 0 R"]
            let objects = PageFacts.objects(in: data)
            _ = PageFacts.references(from: pages, objects, needsNotes: true)
            let facts = PageFacts.facts(of: pages, objects)
            hold(facts.count == pages.count && facts.allSatisfy { $0.seconds.map { $0 > .zero } ?? true })
        },
        { data in
            let pages = PageTitles.pages(in: String(decoding: data, as: UTF8.self))
            hold(PageTitles.titles(of: pages).count == pages.count)
        },
        { data in
            let parts = try PackedParts.parts(ofTar: data, "a.pptx")
            hold(parts.values.reduce(0) { $0 + $1.count } <= data.count)
        },
        { data in
            let title = ChapterTitle.text(String(decoding: data, as: UTF8.self))
            hold(title.map { !$0.isEmpty && !$0.contains(where: \.isNewline) } ?? true)
        },
        { data in
            let notes = try PPTXDeck(parts: parts(notes: data), path: "a.pptx").facts.compactMap(\.notes)
            hold(notes.allSatisfy { !$0.isEmpty && !$0.contains("\n\n") })
        },
        { data in hold((PDFPCFile.pages(in: data)?.notes ?? [:]).values.allSatisfy { !$0.isEmpty }) },
        { data in
            var captions = NoteCaptions()
            let text = String(decoding: data, as: UTF8.self)
            captions.add(text, slide: TimeSpan(start: Rational(1, 3), duration: Rational(1001, 30)))
            hold(captions.cues.allSatisfy { $0.span.duration > .zero && $0.text.split(separator: "\n").count <= 2 })
        },
        { data in
            var settings = OutputSettings(path: "out.mp4")
            settings.render = .auto
            let project = try MLTProject(path: write(data, "project.mlt"), settings: settings)
            hold(project.composition.inputs.allSatisfy { ($0.timing?.frames ?? 0) > 0 })
        },
    ]

    // MARK: Files that the readers need

    private static let relationships = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"

    private static func parts(
        main: Data? = nil, relations: Data? = nil, slide: Data? = nil, notes: Data? = nil
    ) -> [String: Data] {
        let order = #"<p xmlns:r="\#(relationships)"><sldId r:id="a"/></p>"#
        return [
            "ppt/presentation.xml": main ?? Data(order.utf8),
            "ppt/_rels/presentation.xml.rels": relations
                ?? Data(#"<r><Relationship Id="a" Target="slides/s.xml"/></r>"#.utf8),
            "ppt/slides/s.xml": slide ?? Data("<s/>".utf8),
            "ppt/slides/_rels/s.xml.rels": relations
                ?? Data(#"<r><Relationship Id="n" Type="x/notesSlide" Target="../notesSlides/n.xml"/></r>"#.utf8),
            "ppt/notesSlides/n.xml": notes ?? Data("<n/>".utf8),
        ]
    }

    /// A folder with a media file that projects and timelines may refer to.
    private static let folder: String = {
        let folder = NSTemporaryDirectory() + "/fuzz-documents-\(getpid())"
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        _ = FileManager.default.createFile(atPath: folder + "/a.mp4", contents: Data())
        return folder
    }()

    private static func write(_ data: Data, _ name: String) throws -> String {
        let path = folder + "/" + name
        try data.write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Stops the run if a reader violated its contract.
    private static func hold(_ isKept: Bool) { precondition(isKept) }
}

/// The entry point that libFuzzer calls with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> CInt {
    DocumentsTarget.run(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}

import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// The slides that the inputs of a deck stand for.
struct DeckInputs {
    private(set) var slides: [Slide] = []
    private(set) var warnings: [String] = []
    private var documents: [String: (deck: PDFDeck, facts: [SlideFacts])] = [:]
    private let audioTrack: Int?

    /// Slides of a deck: a day of one a second.
    static let maximumSlides = 86_400
    /// What is taken from a folder.
    private static let endings: Set<String> = OfficeDeck.endings.union([
        "pdf", "png", "jpg", "jpeg", "webp", "tif", "tiff", "bmp", "gif", "ppm", "avif", "mp4", "m4v", "mov", "mkv",
        "webm",
        "avi", "mpg", "ts", "ogv",
    ])

    init(_ spec: DeckSpec) throws {
        audioTrack = spec.reading.audioTrack
        for word in spec.inputs {
            if Self.isFolder(word) {
                for path in try Self.files(in: word) { try add(path, spec) }
            } else {
                try add(word, spec)
            }
        }
        guard !slides.isEmpty else { throw MediaError(.usage, "a deck needs a document, pictures or films to show") }
        guard slides.count <= Self.maximumSlides else {
            throw MediaError(.badInput, "the deck has \(slides.count) slides, more than \(Self.maximumSlides)")
        }
    }

    /// Whether `word` names what only a deck can show: a document or a folder.
    static func isDeck(_ word: String) -> Bool { isFolder(word) || isDocument(DocumentPart(word).path) }

    private static func isDocument(_ path: String) -> Bool { isPDF(path) || OfficeDeck.endings.contains(ending(path)) }

    private static func isFolder(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory.boolValue
    }

    private static func ending(_ path: String) -> String { URL(fileURLWithPath: path).pathExtension.lowercased() }

    /// By its name, or by how it begins (ISO 32000-1 7.5.2).
    private static func isPDF(_ path: String) -> Bool {
        if ending(path) == "pdf" { return true }
        var status = stat()
        // A pipe would be robbed of its first bytes.
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = FileHandle(forReadingAtPath: path)
        else { return false }
        return (try? file.read(upToCount: 5)) == Data("%PDF-".utf8)
    }

    /// What a folder has to show, "2.png" before "10.png".
    private static func files(in folder: String) throws(MediaError) -> [String] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw MediaError(.missingInput, "cannot read the folder '\(folder)'")
        }
        let shown = names.filter { !$0.hasPrefix(".") && endings.contains(ending($0)) }
        guard !shown.isEmpty else {
            throw MediaError(.badInput, "the folder '\(folder)' has no pictures, films or slides")
        }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        return shown.sorted { $0.compare($1, options: [.numeric, .caseInsensitive]) == .orderedAscending }.map {
            base + $0
        }
    }

    private mutating func add(_ word: String, _ spec: DeckSpec) throws {
        let part = DocumentPart(word)
        if Self.isDocument(part.path) {
            let (deck, facts) = try document(part.path)
            for page in try part.pages(of: deck) {
                slides.append(Slide(source: .page(deck, number: page), facts: facts[page - 1]))
            }
            return
        }
        for clip in try InputList.expand([word], root: spec.root) {
            if Self.isDocument(clip.path) {
                try add(clip.path, spec)
                continue
            }
            let info = try MediaProbe.probe(path: clip.path, audioTrack: audioTrack)
            guard let video = info.video else { throw MediaError(.badInput, "\(clip.path) has nothing to show") }
            var facts = SlideFacts(title: clip.title ?? info.title)
            if video.isStill {
                facts.seconds = clip.part.end.map { $0 - (clip.part.start ?? .zero) } ?? clip.part.start
            }
            slides.append(Slide(source: .file(clip, info), facts: facts))
        }
    }

    private mutating func document(_ path: String) throws(MediaError) -> (deck: PDFDeck, facts: [SlideFacts]) {
        if let known = documents[path] { return known }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw MediaError(.missingInput, "cannot read '\(path)' (is it there, and readable?)")
        }
        let isOffice = OfficeDeck.endings.contains(Self.ending(path))
        // What the slides say of themselves is read first: it costs little to see that it is no such file.
        let own =
            isOffice && ["pptx", "pptm", "ppsx"].contains(Self.ending(path)) ? try PPTXDeck(path: path).facts : nil
        let deck = isOffice ? try OfficeDeck.convert(path) : try PDFDeck(path: path)
        var facts = deck.facts()
        if let own, own.count == facts.count {
            facts = zip(own, facts).map { own, page in
                SlideFacts(title: own.title ?? page.title, seconds: own.seconds, transition: own.transition)
            }
        } else if let own {
            warnings.append(
                "\(path): \(own.count) slides became \(facts.count) pages, so their own times and transitions are left out"
            )
        }
        documents[path] = (deck, facts)
        return (deck, facts)
    }
}

/// A document and which of its pages are shown: `deck.pdf#page=3`, `#page=2-5`, `#page=4-`. A file that is really called so is
/// that file.
struct DocumentPart {
    let path: String
    private let pages: String?

    init(_ word: String) {
        guard let mark = word.range(of: "#page=", options: .backwards), !FileManager.default.fileExists(atPath: word)
        else {
            (path, pages) = (word, nil)
            return
        }
        (path, pages) = (String(word[..<mark.lowerBound]), String(word[mark.upperBound...]))
    }

    func pages(of deck: PDFDeck) throws(OptionError) -> ClosedRange<Int> {
        let all = 1...deck.sizes.count
        guard let pages else { return all }
        let ends = pages.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let first = Int(ends[0])
        let last = ends.count == 1 ? first : ends[1].isEmpty ? all.upperBound : Int(ends[1])
        guard let first, let last, all.contains(first), all.contains(last), first <= last else {
            throw OptionError(
                "invalid pages '#page=\(pages)' of \(path) (expected #page=n, #page=n-m or #page=n- within 1...\(all.upperBound))"
            )
        }
        return first...last
    }
}

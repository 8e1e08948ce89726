import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// The slides that a deck's inputs stand for.
struct DeckInputs {
    private(set) var slides: [Slide] = []
    private(set) var warnings: [String] = []
    private(set) var remarks = SlideRemarks()
    /// The number of slides so far, hidden ones included.
    private var count = 0
    /// The hidden slides that are left out, by their numbers in the deck.
    private(set) var hidden: [Int: HiddenSlide] = [:]
    private var documents: [String: SlideDocument] = [:]
    /// The slides of each document that the deck names, in order of the documents' first appearance.
    private var named: [(path: String, slides: Set<Int>)] = []
    private let audioTracks: TrackChoice

    /// The maximum number of slides of a deck: one a second for a day.
    static let maximumSlides = 86_400
    /// The extensions of the files that are taken from a folder.
    private static let endings: Set<String> = OfficeDeck.endings.union([
        "pdf", "png", "jpg", "jpeg", "webp", "tif", "tiff", "bmp", "gif", "ppm", "avif", "heic", "heif", "hif", "mp4",
        "m4v", "mov", "mkv", "webm", "avi", "mpg", "ts", "ogv", "apng", "svg",
    ])

    init(_ spec: DeckSpec) throws {
        audioTracks = spec.reading.audioTracks
        for (index, input) in spec.inputs.enumerated() {
            let (first, before) = (slides.count, count)
            do {
                try add(input, spec)
            } catch let error as OptionError {
                guard let location = input.location else { throw error }
                throw location.error(error.description)
            }
            for slide in first..<slides.count { slides[slide].inputs = [index] }
            try check(input, count: count - before)
        }
        warnings += named.flatMap { documents[$0.path]?.losses(in: $0.slides) ?? [] }
        if spec.password != nil, !documents.values.contains(where: \.deck.wasLocked) {
            warnings.append("a password was given, and no PDF needs one")
        }
        guard !slides.isEmpty else { throw MediaError(.usage, "a deck needs a document, pictures or films to show") }
        guard slides.count <= Self.maximumSlides else {
            throw MediaError(.badInput, "the deck has \(slides.count) slides, more than \(Self.maximumSlides)")
        }
    }

    /// The slides' numbers, and their indices in `slides`.
    var numbers: SlideNumbers {
        let indices = slides.enumerated().map { ($1.number, $0) }
        return SlideNumbers(count: count, hidden: Set(hidden.keys), indices: Dictionary(uniqueKeysWithValues: indices))
    }

    /// The language of all the documents, as a three-letter code; nil if they don't have one in common.
    var language: String? {
        let languages = Set(documents.values.map(\.language))
        return languages.count == 1 ? languages.first.flatMap { $0 } : nil
    }

    /// Whether the argument `word` names something that only a deck can show: a document or a folder.
    static func isDeck(_ word: String) -> Bool { isFolder(word) || isDocument(DocumentPart(word).path) }

    private static func isDocument(_ path: String) -> Bool {
        isPDF(path) || OfficeDeck.endings.union(HTMLDeck.endings).contains(ending(path))
    }

    static func isFolder(_ path: String) -> Bool { Files.isFolder(path) == true }

    private static func ending(_ path: String) -> String { URL(fileURLWithPath: path).pathExtension.lowercased() }

    /// Whether the file is a PDF, by its extension or its header (ISO 32000-1 7.5.2).
    private static func isPDF(_ path: String) -> Bool {
        if ending(path) == "pdf" { return true }
        // Files that may not be read are refused where they are used.
        return (try? Confinement.check(path)) != nil && Files.start(of: path, 5) == Array("%PDF-".utf8)
    }

    /// The files of a folder that can be shown, "2.png" before "10.png", without those that are drawn over the slides.
    /// Warns about all others, except those that the deck uses as music, sound, timings or narration.
    private mutating func files(in folder: String, _ spec: DeckSpec) throws(MediaError) -> [String] {
        try Confinement.check(folder)
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            throw MediaError(.missingInput, "cannot read the folder '\(folder)'")
        }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        let seen = names.filter { !$0.hasPrefix(".") && !Self.isClutter($0) }
            .sorted { $0.compare($1, options: [.numeric, .caseInsensitive]) == .orderedAscending }
        let drawn = Set(spec.output.overlays.compactMap(\.path).compactMap { Files.realPath($0) })
        let shown = seen.filter { name in
            Self.endings.contains(Self.ending(name)) && !Self.isFolder(base + name)
                && !(Files.realPath(base + name).map(drawn.contains) ?? false)
        }
        guard !shown.isEmpty else {
            throw MediaError(.badInput, "the folder '\(folder)' has no pictures, films or slides")
        }
        let used =
            [spec.music, spec.timings, spec.narration].compactMap(\.self) + spec.transitions.flatMap(\.files)
        let others = Set(used.compactMap { Files.realPath($0) }).union(drawn)
        let left = seen.filter { name in
            !shown.contains(name) && !(Files.realPath(base + name).map(others.contains) ?? false)
        }
        if !left.isEmpty {
            let words = left.prefix(10).map { "'\($0)'" } + (left.count > 10 ? ["\(left.count - 10) more"] : [])
            warnings.append(
                "\(folder): left out \(words.joined(separator: ", ")), which "
                    + (left.count == 1
                        ? "is not a picture, film or document of a kind"
                        : "are not pictures, films or documents of a kind")
                    + " that decks show")
        }
        return shown.map { base + $0 }
    }

    /// Whether the file is one that desktops leave in folders.
    private static func isClutter(_ name: String) -> Bool { ["thumbs.db", "desktop.ini"].contains(name.lowercased()) }

    private mutating func add(_ input: DeckInput, _ spec: DeckSpec) throws {
        switch input.source {
        case .word(let word):
            guard Self.isFolder(word) else { return try add(word, spec) }
            try add(try files(in: word, spec), of: word, root: input.root, spec)
        case .document(let path, let pages): try add(DocumentPart(path, pages: pages), spec)
        case .clips(let clips): try add(clips, input.name, spec)
        }
    }

    /// Adds the files of a folder. Those that can't be shown are all named at once, or left out if that was asked for.
    private mutating func add(_ paths: [String], of folder: String, root: RootFolder?, _ spec: DeckSpec) throws {
        var refused: [MediaError] = []
        for path in paths {
            if let refusal = root?.refusal(of: path) { throw MediaError(.badInput, refusal) }
            do {
                try add(path, spec)
            } catch let error as MediaError where error.kind == .badInput || error.kind == .missingInput {
                refused.append(error)
            }
        }
        guard let first = refused.first else { return }
        let files = refused.count == 1 ? "1 file" : "\(refused.count) files"
        if spec.skipsUnreadable, refused.count < paths.count {
            warnings.append("\(folder): left out \(files): \(refused.messages)")
            return
        }
        throw MediaError(
            first.kind,
            "\(files) in the folder '\(folder)' can't be shown (--unreadable skip leaves out such files): "
                + refused.messages)
    }

    /// The extensions of documents that decks don't read, which libav would call damaged films.
    private static let foreign: Set<String> = [
        "potx", "potm", "pot", "otp", "doc", "docx", "odt", "rtf", "xls", "xlsx", "ods", "eps", "ps", "ai", "md",
        "tex",
    ]

    /// Throws if something is asked of `input`, the last one so far, that its `count` slides can't have.
    private func check(_ input: DeckInput, count: Int) throws(MediaError) {
        if input.hold != nil, let film = slides.suffix(count).first(where: { $0.film != nil }) {
            throw error(
                in: input, "'hold' is for pictures and slides, and '\(film.name)' is a film (give 'start' and 'end')")
        }
        guard count > 1 else { return }
        for (key, isGiven) in [("title", input.title != nil), ("narration", input.narration != nil)] where isGiven {
            throw error(
                in: input, "\(input.name) has \(count) slides, and '\(key)' is for one (name one of them with 'pages')")
        }
    }

    private func error(in input: DeckInput, _ text: String) -> MediaError {
        input.location?.error(text) ?? MediaError(.badInput, text)
    }

    private mutating func add(_ word: String, _ spec: DeckSpec) throws {
        let part = DocumentPart(word)
        if Self.isDocument(part.path) { return try add(part, spec) }
        if let mark = word.range(of: "#pages=", options: .backwards), Self.isDocument(String(word[..<mark.lowerBound])),
            !FileManager.default.fileExists(atPath: word)
        {
            throw OptionError("pages of a document are named by #page=, not #pages= (as in deck.pdf#page=2-5)")
        }
        if Self.foreign.contains(Self.ending(word)), FileManager.default.fileExists(atPath: word) {
            throw MediaError(
                .badInput,
                "'\(word)' is not a kind of document that decks read (export it as PDF, or save it as pptx or odp)")
        }
        try add(InputList.expand([word], root: spec.root), word, spec)
    }

    /// Adds pictures and films, and documents among them.
    /// - Parameter name: what they come from, for messages.
    private mutating func add(_ clips: [ClipSpec], _ name: String, _ spec: DeckSpec) throws {
        for entry in clips {
            var clip = entry
            guard clip.kind != .gap else {
                throw MediaError(.badInput, "'\(name)' has black between its parts, which decks can't show")
            }
            if Self.isDocument(clip.path) {
                try add(clip.path, spec)
                continue
            }
            let info = try MediaProbe.probe(path: clip.path, audioTracks: audioTracks)
            guard let video = info.video else { throw MediaError(.badInput, "\(clip.path) has nothing to show") }
            warnings += clip.notes
            clip.notes = []
            clip.settle(at: video.frameRate)
            // A slide's time begins with the transition to it.
            clip.cut = nil
            var slide = Slide(source: .file(clip, info), facts: SlideFacts(title: clip.title ?? info.title))
            if video.isStill {
                let time = clip.part.end.map { $0 - (clip.part.start ?? .zero) } ?? clip.part.start
                slide.asked = time.map { .seconds($0) }
            }
            count += 1
            slide.number = count
            slides.append(slide)
        }
    }

    private mutating func add(_ part: DocumentPart, _ spec: DeckSpec) throws {
        let document = try document(part.path, spec)
        let range = try part.slides(of: document)
        if let place = named.firstIndex(where: { $0.path == part.path }) {
            named[place].slides.formUnion(range)
        } else {
            named.append((part.path, Set(range)))
        }
        for number in range {
            count += 1
            let entry = document.entries[number - 1]
            guard let page = entry.page else {
                hidden[count] = HiddenSlide(path: part.path, number: number)
                continue
            }
            remarks.add(entry.facts, number, of: part.path)
            var slide = Slide(source: .page(document.deck, page: page, number: number), facts: entry.facts)
            slide.number = count
            slide.steps = entry.steps
            slides.append(slide)
        }
    }

    private mutating func document(_ path: String, _ spec: DeckSpec) throws(MediaError) -> SlideDocument {
        if let known = documents[path] { return known }
        try Confinement.check(path)
        let document = try SlideDocument(
            path, ending: Self.ending(path), needsTimes: spec.usesOwnTransitions || spec.hold == nil,
            needsSounds: spec.usesOwnTransitions, needsNotes: spec.needsNotes, password: spec.password,
            media: spec.book == nil ? spec.slideMedia : .none, showsHidden: spec.showsHidden, hasSteps: spec.hasSteps,
            cache: spec.output.cache)
        warnings += document.warnings
        documents[path] = document
        return document
    }
}

/// A slide that its document hides.
struct HiddenSlide {
    /// The document's path.
    var path: String
    /// The slide's number in the document, from 1.
    var number: Int
}

/// A document and the range of its pages that is shown: `deck.pdf#page=3`, `#page=2-5`, `#page=4-`. If a file has
/// exactly this name, the word names that file.
struct DocumentPart {
    let path: String
    private let pages: String?
    /// Whether it may show nothing, because all that it names is hidden.
    private var allowsHidden = false

    /// - Parameter pages: what would follow `#page=`; nil for all.
    init(_ path: String, pages: String?) {
        (self.path, self.pages) = (path, pages)
        allowsHidden = true
    }

    init(_ word: String) {
        guard let mark = word.range(of: "#page=", options: .backwards), !FileManager.default.fileExists(atPath: word)
        else {
            (path, pages) = (word, nil)
            return
        }
        (path, pages) = (String(word[..<mark.lowerBound]), String(word[mark.upperBound...]))
    }

    /// The range of the document's slides, from 1, with hidden ones counted.
    func slides(of document: SlideDocument) throws(OptionError) -> ClosedRange<Int> {
        let all = 1...document.entries.count
        guard let pages else { return all }
        let ends = pages.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let first = Int(ends[0])
        let last = ends.count == 1 ? first : ends[1].isEmpty ? all.upperBound : Int(ends[1])
        guard let first, let last, all.contains(first), all.contains(last), first <= last else {
            throw OptionError(
                "invalid pages '#page=\(pages)' of \(path) (expected #page=n, #page=n-m or #page=n- within 1...\(all.upperBound))"
            )
        }
        guard allowsHidden || (first...last).contains(where: { document.entries[$0 - 1].page != nil }) else {
            throw OptionError(
                "\(path)#page=\(pages) shows nothing, since what it names is hidden in the document (give --hidden show "
                    + "to show it)")
        }
        return first...last
    }
}

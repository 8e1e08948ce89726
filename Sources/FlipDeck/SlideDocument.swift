import FlipBase
import FlipFiles
import FlipMedia
import FlipRender
import Foundation

/// A document with slides: the PDF that they are drawn from, and what the document says of them.
struct SlideDocument {
    /// One of the document's slides, hidden ones included.
    struct Entry {
        /// The PDF's page that shows the slide, from 1, with all that is on it in the end; nil if it is hidden.
        var page: Int?
        /// The pages that show it before the first click and after each; empty for slides of one picture.
        var steps: [Int] = []
        var facts: SlideFacts

        /// - Parameter pages: those that show the slide, from 1; nil if it is hidden.
        init(_ facts: SlideFacts, at pages: ClosedRange<Int>?) {
            self.facts = facts
            guard let pages else { return }
            page = pages.upperBound
            steps = facts.steps.map { pages.lowerBound + $0 }
        }
    }

    private(set) var path: String
    private(set) var deck: PDFDeck
    /// The slides in the document's order, so that slide n is `entries[n - 1]`.
    private(set) var entries: [Entry] = []
    private(set) var warnings: [String] = []
    /// The language of the document's text as a three-letter code; nil if it isn't known.
    private(set) var language: String?
    /// Whether the document was converted in a sandbox, where files that it links couldn't be read.
    private var isConfined = true
    /// Whether the sounds of transitions are used.
    private var usesSounds: Bool
    /// Which films and sounds are wanted.
    private var choice: SlideMediaChoice
    /// Whether slides have pages for their steps.
    private var hasSteps: Bool

    /// - Parameters:
    ///   - needsTimes: whether the pages' times and transitions are used.
    ///   - needsSounds: whether the transitions' sounds are used.
    ///   - needsNotes: whether the slides' notes are used.
    ///   - password: tried if a PDF needs one.
    ///   - media: which films and sounds of the slides are used.
    ///   - showsHidden: whether hidden slides are shown.
    ///   - hasSteps: whether slides have pages for their steps.
    ///   - cache: keeps what LibreOffice makes of the document; nil for nothing.
    init(
        _ path: String, ending: String, needsTimes: Bool, needsSounds: Bool, needsNotes: Bool,
        password: Password?, media: SlideMediaChoice, showsHidden: Bool, hasSteps: Bool, cache: WorkCache?
    ) throws(MediaError) {
        self.path = path
        self.hasSteps = hasSteps
        choice = media
        usesSounds = needsSounds
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw MediaError.unreadable("'\(path)'")
        }
        if HTMLDeck.endings.contains(ending) {
            let page = try HTMLDeck(path, hasSteps: hasSteps)
            (deck, language) = (page.deck, page.language)
            entries = try entries(of: page, needsNotes: needsNotes)
            if page.isUnfinished {
                warnings.append(
                    "\(path): reveal.js hasn't made slides of it; are its scripts on the network, or outside of the page's folder? "
                        + "(embed them, or put them beside the page)")
            }
            return
        }
        guard OfficeDeck.endings.contains(ending) else {
            deck = try PDFDeck(path: path, password: password)
            entries = try pages(needsTimes: needsTimes, needsNotes: needsNotes, isOwn: true)
            if !showsHidden {
                for index in entries.indices where entries[index].facts.isHidden { entries[index].page = nil }
                if entries.allSatisfy({ $0.page == nil }) { throw Self.allHidden(path) }
            }
            if let warning = deck.secondScreenWarning { warnings.append(warning) }
            if let warning = DocumentFonts.warning(path, pdf: deck.location) { warnings.append(warning) }
            return
        }
        // A PowerPoint file's own facts are read first, because that quickly shows whether it is such a file.
        let powerPoint =
            OfficeDeck.powerPoint.contains(ending)
            ? try PPTXDeck(path: path, needsNotes: needsNotes, hasSteps: hasSteps, showsHidden: showsHidden) : nil
        var own = powerPoint?.facts
        if let own, !own.isEmpty, own.allSatisfy(\.isHidden), !showsHidden { throw Self.allHidden(path) }
        if needsSounds, let facts = own { own = Self.unpackingSounds(of: facts, in: path) }
        if let facts = own { own = try DocumentMedia.unpack(facts, from: path, path, media, showsHidden: showsHidden) }
        let conversion = try OfficeDeck.convert(
            path, ending: ending, showsHidden: showsHidden, media: media, hasSteps: hasSteps,
            replacing: powerPoint?.replaced ?? [:], cache: cache)
        deck = conversion.deck
        language = powerPoint?.language ?? conversion.language
        isConfined = conversion.isConfined
        if let warning = DocumentFonts.warning(path, named: powerPoint?.fonts ?? conversion.fonts) {
            warnings.append(warning)
        }
        let facts = own ?? conversion.facts ?? []
        if !facts.isEmpty, facts.allSatisfy(\.isHidden), !showsHidden { throw Self.allHidden(path) }
        let isShown = { (facts: SlideFacts) in showsHidden || !facts.isHidden }
        let places = Self.places(facts.map { isShown($0) ? $0.pageCount : 0 })
        let pages = try pages(
            needsTimes: needsTimes && own == nil, needsNotes: false, titled: places.compactMap({ $0?.upperBound }))
        guard pages.count == places.reduce(0, { max($0, $1?.upperBound ?? 0) }) else {
            if hasSteps, facts.contains(where: { !$0.steps.isEmpty }) {
                self = try SlideDocument(
                    path, ending: ending, needsTimes: needsTimes, needsSounds: needsSounds, needsNotes: needsNotes,
                    password: password, media: media, showsHidden: showsHidden, hasSteps: false, cache: cache)
                return
            }
            warnings.append(
                "\(path): of its \(facts.count) slides LibreOffice shows \(pages.count), which are numbered as they come, without "
                    + "what the slides themselves say")
            entries = pages
            return
        }
        if needsNotes, own == nil, ending != "odp", facts.allSatisfy({ $0.notes == nil }) {
            warnings.append("\(path): LibreOffice passes on no notes of its slides (save it as .pptx or .odp)")
        }
        if powerPoint?.isCut ?? conversion.isCut {
            warnings.append(
                "\(path): it has more steps than can be shown, and all that is on its last slides is seen at once")
        }
        entries = zip(facts, places).map { facts, place in
            guard let place else { return Entry(facts, at: nil) }
            var facts = facts.completed(by: pages[place.upperBound - 1].facts)
            facts.refuseFilms(beyond: deck.sizes[place.upperBound - 1])
            return Entry(facts, at: place)
        }
    }

    /// The slides of a web page.
    private mutating func entries(of page: HTMLDeck, needsNotes: Bool) throws(MediaError) -> [Entry] {
        guard page.isKnown else { return try pages(needsTimes: false, needsNotes: false) }
        return zip(page.facts, Self.places(page.facts.map(\.pageCount))).map { facts, place in
            var facts = facts
            if !needsNotes { facts.notes = nil }
            return Entry(facts, at: place)
        }
    }

    /// The pages, from 1, of slides that have so many; nil for none.
    private static func places(_ counts: [Int]) -> [ClosedRange<Int>?] {
        var next = 1
        return counts.map { count in
            defer { next += count }
            return count == 0 ? nil : next...(next + count - 1)
        }
    }

    /// `facts` with files of the transitions' sounds, as far as these can be read and aren't too long.
    private static func unpackingSounds(of facts: [SlideFacts], in path: String) -> [SlideFacts] {
        let names = Set(facts.compactMap(\.sound?.part))
        guard !names.isEmpty, let parts = try? PackedParts.read(path, names.sorted()) else { return facts }
        var files: [String: NamelessFile] = [:]
        for (name, bytes) in parts where names.contains(name) {
            guard let file = try? NamelessFile(), (try? file.append(Array(bytes))) != nil,
                let (_, duration) = try? MediaProbe.probeAudio(path: file.location), duration > .zero,
                duration <= TransitionSound.longest
            else { continue }
            files[name] = file
        }
        return facts.map { facts in
            var facts = facts
            if let part = facts.sound?.part { facts.sound?.file = files[part] }
            return facts
        }
    }

    private static func allHidden(_ path: String) -> MediaError {
        MediaError(
            .badInput,
            "all slides of '\(path)' are hidden, so there is nothing to show (give --hidden show to show them)")
    }

    /// The pages with their titles, and with times, transitions and notes if these are needed and known.
    /// - Parameters:
    ///   - isOwn: whether the pages are all that says anything of the slides.
    ///   - titled: the pages, from 1, that have titles; nil for all.
    private mutating func pages(
        needsTimes: Bool, needsNotes: Bool, isOwn: Bool = false, titled: [Int]? = nil
    ) throws(MediaError) -> [Entry] {
        var facts = Array(repeating: SlideFacts(), count: deck.sizes.count)
        if needsTimes || needsNotes || isOwn {
            do throws(MediaError) {
                let read = try PageFacts.read(deck.location, for: path, needsNotes: needsNotes)
                // A converted document states LibreOffice's language rather than its own.
                if isOwn { language = read.language }
                if read.facts.count == facts.count {
                    facts = read.facts
                    deck = try deck.hiding(read.icons)
                } else {
                    throw MediaError(.badInput, "they were not found")
                }
            } catch {
                if needsNotes, error.kind == .missingCodec { throw error }
                let isNeeded = needsTimes || needsNotes
                let reason =
                    error.kind == .missingCodec ? "qpdf isn't installed (Debian's package qpdf has it)" : error.message
                if isNeeded {
                    warnings.append(
                        "\(path): times\(needsNotes ? ", notes" : "") and transitions that its pages may have are left out: "
                            + reason)
                }
            }
        }
        if isOwn { addPDFPCFile(to: &facts, needsNotes: needsNotes) }
        for (index, title) in deck.titles(of: titled).enumerated() where index < facts.count {
            facts[index].title = title
        }
        return facts.enumerated().map { Entry($1, at: ($0 + 1)...($0 + 1)) }
    }

    /// Adds what pdfpc keeps for the pages: which are hidden, and notes, which take the place of those in the document.
    private mutating func addPDFPCFile(to facts: inout [SlideFacts], needsNotes: Bool) {
        guard let pages = PDFPCFile.read(beside: path) else {
            guard needsNotes else { return }
            warnings.append(
                "\(PDFPCFile.path(beside: path) ?? path) is not a file of notes in pdfpc's present format (JSON)")
            return
        }
        for page in pages.hidden where page <= facts.count { facts[page - 1].isHidden = true }
        guard needsNotes else { return }
        for (page, text) in pages.notes where page <= facts.count { facts[page - 1].notes = text }
    }

    /// Sentences about what is not shown or heard of the slides with these numbers.
    func losses(in numbers: Set<Int>) -> [String] {
        let range = numbers.sorted()
        let hidden = range.filter { entries[$0 - 1].page == nil }
        var losses: [String] = []
        if !hidden.isEmpty {
            losses.append(
                "\(path): \(SlideNumbers.words(hidden)) \(hidden.count == 1 ? "is" : "are") hidden and left out")
        }
        for number in range where entries[number - 1].page != nil {
            for media in entries[number - 1].facts.media where isLost(media, of: entries[number - 1].facts) {
                guard let sentence = media.sentence else { continue }
                let isOfTransition = media.kind == .sound && media.name == entries[number - 1].facts.sound?.name
                let remedy =
                    isOfTransition && !usesSounds
                    ? " (it belongs to the transition: give --slide-transitions from-deck)" : ""
                losses.append("\(path): slide \(number) \(sentence)\(remedy)")
            }
        }
        let playing = range.filter { entries[$0 - 1].facts.hasMediaAnnotations }
        if !playing.isEmpty {
            losses.append(
                "\(path): \(SlideNumbers.words(playing)) \(playing.count == 1 ? "has" : "have") films or sounds as annotations of "
                    + "the PDF, which are not played")
        }
        return losses
            + animationLosses(range.filter { entries[$0 - 1].page != nil && entries[$0 - 1].facts.isAnimated })
    }

    /// Sentences about what is not shown of the effects on the slides with these numbers, which have some.
    private func animationLosses(_ numbers: [Int]) -> [String] {
        let sentence = { (numbers: [Int], what: String) in
            "\(path): \(SlideNumbers.words(numbers)) \(numbers.count == 1 ? "has" : "have") \(what)"
        }
        var losses: [String] = []
        let still = numbers.filter { entries[$0 - 1].steps.count < 2 }
        if !still.isEmpty {
            losses.append(sentence(still, "animations, which are left out: all that is on a slide is seen at once"))
        }
        for loss in Builds.Loss.allCases {
            let concerned = numbers.filter {
                !still.contains($0) && entries[$0 - 1].facts.builds?.losses.contains(loss) == true
            }
            if !concerned.isEmpty { losses.append(sentence(concerned, "\(loss.rawValue), which no step shows")) }
        }
        return losses
    }

    /// Whether the slide is shown without `media`. Links to the network are never followed, and links to files aren't
    /// if LibreOffice runs in a sandbox.
    private func isLost(_ media: SlideMedia, of facts: SlideFacts) -> Bool {
        // What the user doesn't want isn't lost.
        if media.use != nil, !choice.includes(media.kind) { return false }
        if media.kind == .sound, let sound = facts.sound, sound.file != nil { return media.name != sound.name }
        guard media.kind == .linkedPicture, !isConfined else { return true }
        return media.name.contains("://") && !media.name.lowercased().hasPrefix("file:")
    }
}

extension SlideFacts {
    /// The number of pages that show the slide.
    fileprivate var pageCount: Int { (steps.max() ?? 0) + 1 }

    /// The maximum number of films that play on a slide; each is a file that is decoded at the same time.
    private static let maximumFilms = 8

    /// Refuses films that can't be shown on a slide of `size` points, and those that are too many.
    fileprivate mutating func refuseFilms(beyond size: (width: Rational, height: Rational)) {
        var count = 0
        for index in media.indices where media[index].kind == .film && media[index].stored != nil {
            if media[index].use?.frame.place(on: size).isUsable != true {
                media[index].refuse("it lies outside of the slide, or is more than twice as large")
            } else if count == Self.maximumFilms {
                media[index].refuse("at most \(Self.maximumFilms) films play on a slide")
            } else {
                count += 1
            }
        }
    }

    /// These facts, with those of the slide's page where the slide itself has none.
    fileprivate func completed(by page: SlideFacts) -> SlideFacts {
        var facts = self
        facts.title = title ?? page.title
        facts.seconds = seconds ?? page.seconds
        facts.transition = transition ?? page.transition
        return facts
    }
}

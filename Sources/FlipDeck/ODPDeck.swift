import FlipBase
import FlipFiles
import Foundation

/// Reads what an OpenDocument presentation (ODF 1.2) says of its slides and LibreOffice doesn't pass on to PDF: which
/// slides are hidden, their transitions, media, animations and notes, and whether they have links and comments.
package struct ODPDeck {
    /// The facts of all slides in order, hidden ones included.
    package private(set) var facts: [SlideFacts] = []
    /// The fonts that styles of the slides' text name.
    package private(set) var fonts: Set<String> = []
    /// The language as a three-letter code; nil if the document names none, or if its styles name several.
    package private(set) var language: String?
    /// The parts with the slides and with styles.
    private(set) var parts: [String: Data] = [:]

    /// The classes of effects that change what is seen.
    static let effectClasses: Set<String> = ["entrance", "exit", "emphasis", "motion-path"]

    package init(path: String, name: String) throws(MediaError) {
        let parts = try PackedParts.read(path, ["content.xml", "styles.xml", "meta.xml"])
        try self.init(content: parts["content.xml"], others: parts, path: name)
        self.parts = parts
    }

    /// - Parameters:
    ///   - content: the archive's part content.xml; nil if there is none.
    ///   - others: further parts by name: those with styles and with what the document says of itself.
    package init(content: Data?, others parts: [String: Data] = [:], path: String) throws(MediaError) {
        guard let content else {
            throw MediaError(.badInput, "'\(path)' is no OpenDocument presentation: there is no content.xml in it")
        }
        let reader = PresentationReader()
        try XMLScan.read(content, path, reader)
        guard reader.slides.count <= PDFDeck.maximumPages else {
            throw MediaError(.badInput, "'\(path)' has more than \(PDFDeck.maximumPages) slides")
        }
        // The slides can be shown without what these parts say.
        let (about, styles) = (OpenLanguage(), OpenLanguage())
        for (name, other) in [("meta.xml", about), ("styles.xml", styles)] {
            if let part = parts[name] { try? XMLScan.read(part, path, other) }
        }
        let used = reader.languages.ofStyles.union(styles.ofStyles)
        language = about.stated ?? (used.count == 1 ? used.first : nil)
        fonts = Set(reader.fonts.map { reader.faces[$0] ?? $0 })
        facts = reader.slides.map { slide in
            var facts = slide.facts
            facts.isHidden = slide.style.map(reader.hiddenStyles.contains) ?? false
            facts.transition = facts.transition ?? slide.style.flatMap { reader.styleTransitions[$0] }
            facts.seconds = slide.style.flatMap { reader.styleTimes[$0] }
            if let sound = slide.style.flatMap({ reader.styleSounds[$0] }) {
                facts.media.append(SlideMedia(kind: .sound, name: sound))
            }
            return facts
        }
    }
}

private final class PresentationReader: XMLVisitor {
    var slides: [(style: String?, facts: SlideFacts)] = []
    /// The names of the styles of hidden slides.
    var hiddenStyles: Set<String> = []

    /// The transitions that styles of slides ask for, by the styles' names. The slides themselves say more exactly how long
    /// these last.
    var styleTransitions: [String: NamedTransition] = [:]
    /// The seconds after which the next slide comes by itself, by the names of the slides' styles.
    var styleTimes: [String: Rational] = [:]
    /// The sounds of the transitions that styles of slides ask for, by the styles' names.
    var styleSounds: [String: String] = [:]
    /// The fonts' families by the names that styles have for them, and those names of the fonts that text is set in.
    var faces: [String: String] = [:]
    var fonts: Set<String> = []
    /// The languages of the styles of text.
    let languages = OpenLanguage()
    private var frames = OpenFrameReader()

    /// The name of the style being read.
    private var style: String?
    /// The depth of the slide's element while it is read; nil outside of slides.
    private var slide: Int?
    /// The notes of that slide, and its title.
    private var notes = OpenText.notes
    private var title = OpenText.title

    func begin(_ element: XMLElement) {
        languages.begin(element)
        if slide != nil {
            notes.begin(element)
            title.begin(element)
        }
        switch element.name {
        case "style" where slide == nil: style = element.attribute("name", in: ":style:1.0")
        case "drawing-page-properties":
            if let style, element.attribute("visibility", in: ":presentation:1.0") == "hidden" {
                hiddenStyles.insert(style)
            }
            if let style, slide == nil {
                styleTransitions[style] = OpenTransition.named(element)
                styleTimes[style] = OpenTransition.stay(element)
            }
        case "font-face" where slide == nil && faces.count < 100:
            if let name = element.attribute("name", in: ":style:1.0"),
                let family = element.attribute("font-family", in: ":svg-compatible:1.0")
            {
                faces[name] = family.filter { !"'\"".contains($0) }
            }
        case "text-properties" where fonts.count < 100:
            if let name = element.attribute("font-name", in: ":style:1.0") { fonts.insert(name) }
        case "transitionFilter" where slide != nil && element.space.hasSuffix(":animation:1.0"):
            let last = slides.count - 1
            slides[last].facts.transition = slides[last].facts.transition ?? OpenTransition.named(element)
        case "page" where slide == nil && element.space.hasSuffix(":drawing:1.0"):
            guard slides.count <= PDFDeck.maximumPages else { return }
            slide = element.depth
            slides.append((element.attribute("style-name", in: ":drawing:1.0"), SlideFacts()))
        case "frame": frames.begin(element)
        case "param" where slide != nil && frames.isMute(element): muteLast()
        case "plugin": note(media: element, isPicture: false)
        case "image": note(media: element, isPicture: true)
        case "sound" where slide == nil && element.space.hasSuffix(":presentation:1.0"):
            if let style, let target = element.attribute("href", in: "/xlink") {
                styleSounds[style] = SlideMedia.lastName(target)
            }
        case "a" where slide != nil && !notes.isInNotes && element.attribute("href", in: "/xlink") != nil:
            slides[slides.count - 1].facts.hasLinks = true
        case "event-listener" where slide != nil && element.space.hasSuffix(":presentation:1.0"):
            if element.attribute("action", in: ":presentation:1.0") != "none" {
                slides[slides.count - 1].facts.hasLinks = true
            }
        case "annotation" where slide != nil && element.space.hasSuffix(":office:1.0"):
            slides[slides.count - 1].facts.hasComments = true
        case "audio" where element.space.hasSuffix(":animation:1.0"): note(media: element, isPicture: false)
        default: note(animation: element)
        }
    }

    private func note(media element: XMLElement, isPicture: Bool) {
        guard slide != nil, let link = element.attribute("href", in: "/xlink"), !link.isEmpty,
            slides[slides.count - 1].facts.media.count < PackedParts.maximumMedia
        else { return }
        let target = isPicture ? link : OpenFrameReader.part(link)
        // Files within the document have relative paths that don't leave it.
        let isOutside = target.contains(":") || target.hasPrefix("/") || target.hasPrefix("../")
        if isPicture, !isOutside { return }
        let kind: SlideMedia.Kind = isPicture ? .linkedPicture : SlideMedia.isSound(target) ? .sound : .film
        var item = SlideMedia(kind: kind, name: isPicture ? target : SlideMedia.lastName(target))
        if element.name == "plugin" {
            item.use = frames.use
            item.lies(in: isOutside || !PackedParts.isPlain(target) ? nil : target, isOutside: isOutside)
        }
        if !slides[slides.count - 1].facts.media.contains(item) { slides[slides.count - 1].facts.media.append(item) }
    }

    /// Mutes the film or sound that was read last.
    private func muteLast() {
        let last = slides[slides.count - 1].facts.media.count - 1
        if last >= 0 { slides[slides.count - 1].facts.media[last].use?.isMuted = true }
    }

    private func note(animation element: XMLElement) {
        guard slide != nil, let kind = element.attribute("preset-class", in: ":presentation:1.0"),
            ODPDeck.effectClasses.contains(kind)
        else { return }
        slides[slides.count - 1].facts.isAnimated = true
    }

    func text(_ text: String) {
        guard slide != nil else { return }
        notes.text(text)
        title.text(text)
    }

    func end(_ name: String, depth: Int) {
        guard let slide else { return }
        notes.end(depth: depth)
        title.end(depth: depth)
        guard slide == depth else { return }
        slides[slides.count - 1].facts.notes = notes.collected
        slides[slides.count - 1].facts.title = title.collected.flatMap(ChapterTitle.text)
        (notes, title) = (.notes, .title)
        self.slide = nil
    }
}

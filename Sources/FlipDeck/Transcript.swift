import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// A deck to read, search and print: each slide's picture, text and notes, with a link to its time in the film.
package struct Transcript: Sendable {
    /// A slide that is shown.
    struct Entry: Sendable {
        var number: Int
        var title: String
        /// The time in seconds at which the slide begins, with the transition to it.
        var start: Rational
        /// The time of the slide's last two frames before the next transition.
        var picture: ClipPart
        /// The paragraphs of the notes, and the lines of text on the slide.
        var notes: [String]
        var text: [String]
    }

    let entries: [Entry]
    /// The language as a three-letter code; nil if it isn't known.
    let language: String?

    /// - Parameter fadeOut: the number of frames at the end in which the film fades.
    init(
        _ slides: [Slide], titles: [String?], _ notes: DeckNotes, _ timeline: DeckTimeline, rate: Rational,
        fadeOut: Int,
        language: String?
    ) throws {
        var texts: [String: [[String]]] = [:]
        self.language = language
        entries = try slides.indices.map { index in
            let slide = slides[index]
            var text: [String] = []
            for case .page(let deck, let page, _) in Self.pages(of: slide) {
                let pages = try texts[deck.location] ?? deck.texts()
                texts[deck.location] = pages
                if pages.indices.contains(page - 1) { text += pages[page - 1] }
            }
            let isLast = index == slides.count - 1
            let end = max(timeline.starts[index + 1] - (isLast ? fadeOut : 0), timeline.starts[index] + 1)
            return Entry(
                number: slide.number, title: titles[index] ?? "Slide \(slide.number)",
                start: Rational(timeline.starts[index]) / rate,
                picture: ClipPart(start: Rational(max(end - 2, 0)) / rate, end: Rational(end) / rate),
                notes: notes.plain(index).map { $0.lines.map(String.init).filter { !$0.isEmpty } } ?? [], text: text)
        }
    }

    private static func pages(of slide: Slide) -> [Slide.Source] {
        guard case .spread(let pages) = slide.source else { return [slide.source] }
        return pages.sorted { $0.key < $1.key }.map(\.value.source)
    }
}

extension PDFDeck {
    /// The lines of text on each page, in reading order.
    fileprivate func texts() throws(MediaError) -> [[String]] {
        let text = try HelperProgram.pdftotext.text(["-q", location, "-"], for: path)
        return text.split(separator: "\u{c}", omittingEmptySubsequences: false).map { page in
            page.split(whereSeparator: \.isNewline).map(String.init).filter { $0.contains { !$0.isWhitespace } }
        }
    }
}

/// A page of HTML with a deck's transcript, in one file.
package struct TranscriptFile: DeckFile {
    private let output: SideOutput
    private let transcript: Transcript
    private let film: String
    private let path: String

    /// The pictures' largest width in pixels.
    private static let width = 960

    /// Checks everything that can be checked before the video is made.
    /// - Parameter outputs: the paths of the run's other outputs.
    package init(_ path: String, _ deck: Deck, overwrites: Bool, outputs: [String]) throws {
        film = deck.composition.output.path
        guard !OutputPlace(film).isStream, FrameNames(film) == nil else {
            throw OptionError("--transcript has links into the video and needs a file of it ('\(film)' isn't one)")
        }
        guard ["html", "htm"].contains(URL(fileURLWithPath: path).pathExtension.lowercased()) else {
            throw OptionError("'\(path)' is no name for a transcript (expected FILE.html)")
        }
        output = try SideOutput(
            path, name: "transcript", overwrites: overwrites, inputs: deck.composition.files, outputs: outputs)
        guard let transcript = deck.transcript else { throw MediaError(.internalFault, "a deck without a transcript") }
        (self.transcript, self.path) = (transcript, path)
    }

    /// Writes the page, once the video is there.
    package func write() throws { try output.write(Array(try page(try pictures()).utf8)) }

    /// A picture of each slide as a JPEG file, taken from the video.
    private func pictures() throws -> [[UInt8]] {
        let parts = transcript.entries.map(\.picture)
        // Pictures are drawn at joins.
        let clips = (parts.count == 1 ? parts + parts : parts).map { part in
            var clip = ClipSpec(path: film)
            clip.part = part
            return clip
        }
        let change = try TransitionSpec(parsing: "dissolve", duration: TransitionDuration(parsing: "1f"))
        let composition = Composition(inputs: clips, transitions: [change], output: OutputSettings(path: "-"))
        let plan = try SeamPlans(composition).plan(width: Self.width, .jpg)
        guard let look = change.look else { return [] }
        return try parts.indices.map { index in
            let isLast = index == clips.count - 1
            return try SeamPictures(plan, join: isLast ? index - 1 : index).picture(look, progress: isLast ? 1 : 0)
        }
    }

    // MARK: HTML

    private func page(_ pictures: [[UInt8]]) throws(MediaError) -> String {
        let title =
            try MediaProbe.probe(path: film).title
            ?? URL(fileURLWithPath: film).deletingPathExtension().lastPathComponent
        let lang = transcript.language.map { " lang=\"\(Locale.LanguageCode($0).identifier(.alpha2) ?? $0)\"" } ?? ""
        let sections = zip(transcript.entries, pictures).map { section($0, $1) }
        return """
            <!DOCTYPE html>
            <html\(lang)>
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>\(title.xmlEscaped)</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            <main>
            <h1 dir="auto">\(title.xmlEscaped)</h1>
            \(sections.joined(separator: "\n"))
            </main>
            </body>
            </html>

            """
    }

    private func section(_ entry: Transcript.Entry, _ picture: [UInt8]) -> String {
        let name = "slide-\(entry.number)"
        let link = "\(address)#t=\(entry.start.nanosecondText)".xmlEscaped
        let paragraphs = { (lines: [String]) in
            lines.map { "<p dir=\"auto\">\($0.xmlEscaped)</p>" }.joined(separator: "\n")
        }
        let text =
            entry.text.isEmpty
            ? "" : "<details>\n<summary>Text</summary>\n\(paragraphs(entry.text))\n</details>\n"
        return """
            <section aria-labelledby="\(name)">
            <h2 id="\(name)" dir="auto">\(entry.number). \(entry.title.xmlEscaped)</h2>
            <p><a href="\(link)">\(entry.start.playTime())</a></p>
            <a href="\(link)"><img alt="\(entry.title.xmlEscaped)" src="data:image/jpeg;base64,\(Data(picture).base64EncodedString())"></a>
            \(paragraphs(entry.notes))
            \(text)</section>
            """
    }

    /// The address of the video as seen from the page.
    private var address: String {
        let (page, video) = (URL(fileURLWithPath: path), URL(fileURLWithPath: film))
        let isBeside = page.deletingLastPathComponent().standardized == video.deletingLastPathComponent().standardized
        guard isBeside else { return video.standardized.absoluteString }
        return "./" + (video.lastPathComponent.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? "")
    }

    private static let style =
        "body{font:1.1em/1.5 sans-serif;margin:2em auto;max-width:60rem;padding:0 1em}img{max-width:100%;height:auto;"
        + "border:1px solid #ccc}section{margin:3em 0;break-inside:avoid}details{color:#555}"
}

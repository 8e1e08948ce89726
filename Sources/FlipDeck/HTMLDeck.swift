import FlipBase
import FlipFiles
import Foundation

/// Slides of a web page: reveal.js (4 and 5), Marp's export, or any page as a browser prints it.
struct HTMLDeck {
    /// The extensions of web pages.
    static let endings: Set<String> = ["html", "htm"]

    let deck: PDFDeck
    /// What the page says of its slides, in order. A slide of several steps has so many pages of the PDF.
    private(set) var facts: [SlideFacts]
    /// The language of the text as a three-letter code; nil if it isn't known.
    let language: String?
    /// Whether these are slides of reveal.js, which it hasn't laid out.
    let isUnfinished: Bool
    /// Whether `facts` are those of the PDF's pages.
    let isKnown: Bool

    /// Prints the page at `path`, which takes some seconds.
    /// - Parameter hasSteps: whether slides have pages for their fragments.
    init(_ path: String, hasSteps: Bool) throws(MediaError) {
        guard let file = Files.realPath(path) else { throw MediaError.system(.missingInput, "find", path) }
        let browser = try HeadlessBrowser(for: path)
        try browser.visit(
            URL(fileURLWithPath: file).absoluteString
                // Any option of reveal.js can be given in the address; other pages ignore them.
                + "?print-pdf&pdfSeparateFragments=\(hasSteps)&pdfMaxPagesPerSlide=1&showNotes=false")
        let said = try browser.evaluate(Self.script) as? [String: Any] ?? [:]
        if said["needsServer"] as? Bool == true {
            throw MediaError(
                .badInput,
                "'\(path)' shows nothing, because browsers load scripts such as its own from web servers only (make a PDF file "
                    + "of the slides, as with slidev export --with-clicks)")
        }
        var deck = try PDFDeck(path: path, converted: browser.printed())
        // Chromium gives the PDF of a page without a title its address as one.
        deck.tags = DocumentTags.tags(title: said["title"] as? String, author: said["author"] as? String)
        self.deck = deck
        language = (said["language"] as? String).flatMap { TextLanguages.code($0) }
        isUnfinished = said["isUnfinished"] as? Bool == true
        let pages = said["pages"] as? [[String: Any]] ?? []
        // reveal.js 4 may leave an empty page at the end.
        isKnown = !pages.isEmpty && [0, 1].contains(deck.sizes.count - pages.count)
        facts = []
        for page in isKnown ? pages : [] {
            if page["isNext"] as? Bool == true, !facts.isEmpty {
                facts[facts.count - 1].steps.append(facts[facts.count - 1].steps.count)
                continue
            }
            var slide = SlideFacts(title: (page["title"] as? String).flatMap(Self.line))
            slide.notes = (page["notes"] as? String).flatMap(Self.lines)
            slide.seconds = (page["milliseconds"] as? Double).flatMap(Self.seconds)
            slide.isAnimated = page["isAnimated"] as? Bool == true
            slide.steps = [0]
            facts.append(slide)
        }
        for index in facts.indices where facts[index].steps.count < 2 { facts[index].steps = [] }
    }

    /// The time of a slide; nil if there is none, or it makes no sense.
    private static func seconds(_ milliseconds: Double) -> Rational? {
        milliseconds >= 1 && milliseconds <= 86_400_000 ? Rational(Int(milliseconds), 1000) : nil
    }

    /// The text in one line; nil if there is none.
    private static func line(_ text: String) -> String? {
        let words = text.prefix(2000).split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The text with a line for each paragraph; nil if there is none.
    private static func lines(_ text: String) -> String? {
        let lines = text.prefix(1 << 20).split(whereSeparator: \.isNewline).compactMap { line(String($0)) }
        return lines.isEmpty ? nil : lines.joined(separator: "\n")
    }

    /// Waits until the page is ready to be printed, and tells of its slides, in order of the printed pages. reveal.js prints a
    /// slide once for each fragment; those pages differ in nothing but the fragments' classes.
    private static let script = #"""
        (async () => {
            const all = (selector, node = document) => [...node.querySelectorAll(selector)];
            const wait = time => new Promise(done => setTimeout(done, time));
            const isReveal = document.querySelector('.reveal .slides section') !== null;
            if (isReveal) {
                let count = 0;
                for (let tries = 0; tries < 100; tries++) {
                    await wait(100);
                    const pages = all('.pdf-page').length;
                    if (pages > 0 && pages == count) break;
                    count = pages;
                }
            }
            for (const image of all('img')) image.loading = 'eager';
            const images = all('img').map(image => image.decode().catch(() => 0));
            await Promise.race([Promise.all([document.fonts.ready, ...images]), wait(20000)]);
            const text = node => {
                if (!node) return '';
                const copy = node.cloneNode(true);
                const walker = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT);
                while (walker.nextNode()) walker.currentNode.data = walker.currentNode.data.replace(/\s+/g, ' ');
                for (const line of all('br', copy)) line.replaceWith('\n');
                for (const block of all('p, li, div, h1, h2, h3, h4, h5, h6, tr, pre', copy)) block.append('\n');
                return copy.textContent;
            };
            const headings = 'h1, h2, h3, h4, h5, h6';
            let pages = [], last;
            for (const page of all('.reveal .slides .pdf-page')) {
                const slide = page.querySelector('section');
                if (!slide) continue;
                const bare = slide.cloneNode(true);
                const notes = all('aside.notes', bare);
                notes.forEach(node => node.remove());
                for (const node of all('.fragment', bare)) node.classList.remove('visible', 'current-fragment');
                const content = bare.outerHTML;
                pages.push({
                    isNext: content === last && all('.fragment', bare).length > 0,
                    title: text(slide.querySelector(headings)),
                    notes: slide.dataset.notes || notes.map(text).join('\n'),
                    milliseconds: Number(slide.dataset.autoslide) || 0,
                    isAnimated: all('.fragment', bare).length > 0,
                });
                last = content;
            }
            if (!pages.length) {
                // Of a slide with fragments, a copy is added for each step before the last, without what comes later.
                const isSeparate = location.search.includes('pdfSeparateFragments=true');
                const step = node => Number(node.dataset.marpitFragment) || 0;
                pages = all('svg[data-marpit-svg]').flatMap((slide, index) => {
                    const fragments = all('[data-marpit-fragment]', slide);
                    const page = {
                        title: text(slide.querySelector(headings)),
                        notes: all('.bespoke-marp-note[data-index="' + index + '"]').map(text).join('\n'),
                        isAnimated: fragments.length > 0,
                    };
                    const steps = [...new Set(fragments.map(step))].sort((one, other) => one - other);
                    const added = (isSeparate ? steps : []).map((next, number) => {
                        const copy = slide.cloneNode(true);
                        for (const node of all('[data-marpit-fragment]', copy))
                            if (step(node) >= next) node.style.setProperty('visibility', 'hidden', 'important');
                        slide.before(copy);
                        return {...page, isNext: number > 0};
                    });
                    return [...added, {...page, isNext: added.length > 0}];
                });
            }
            const isUnfinished = isReveal && !pages.length;
            // Browsers load modules from servers only. Slidev's pages are empty without theirs.
            const modules = all('script[type="module"][src]');
            const isEmpty = !document.body.innerText.trim() && !document.body.querySelector('img, svg, canvas, video');
            const author = document.querySelector('meta[name="author"]')?.content;
            return {language: document.documentElement.lang, title: document.title, author, pages, isUnfinished,
                needsServer: modules.length > 0 && isEmpty};
        })()
        """#
}

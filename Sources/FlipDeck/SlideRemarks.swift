import FlipRender

/// What the slides of documents have and no video can have, for the plan: links and comments. A sentence of each kind names
/// all slides of a document.
struct SlideRemarks {
    private var rows: [(path: String, what: String, slides: [Int])] = []

    /// Adds what `facts` say of slide `number` of the document at `path`.
    mutating func add(_ facts: SlideFacts, _ number: Int, of path: String) {
        if facts.hasLinks { add("links, which a video can't have", number, path) }
        if facts.hasComments { add("comments, which are not shown", number, path) }
    }

    private mutating func add(_ what: String, _ number: Int, _ path: String) {
        guard let row = rows.firstIndex(where: { $0.path == path && $0.what == what }) else {
            return rows.append((path, what, [number]))
        }
        if !rows[row].slides.contains(number) { rows[row].slides.append(number) }
    }

    var sentences: [String] {
        rows.map { row in
            let verb = row.slides.count == 1 ? "has" : "have"
            return "\(row.path): \(SlideNumbers.words(row.slides.sorted())) \(verb) \(row.what)"
        }
    }
}

/// The word that a user probably meant instead of one that isn't known.
package enum Suggestion {
    /// The candidate nearest to `word`; nil if none is near enough to be a misspelling of it. Of several at the same
    /// distance it is the first. Upper and lower case count as the same.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        // Longer names would only cost time: no name of ours has so many characters.
        guard (1...64).contains(word.count) else { return nil }
        let typed = Array(word.lowercased())
        var best: (distance: Int, candidate: String)?
        for candidate in candidates {
            let letters = Array(candidate.lowercased())
            let distance = distance(typed, letters)
            guard distance <= farthest(for: min(typed.count, letters.count)) else { continue }
            if best.map({ distance < $0.distance }) ?? true { best = (distance, candidate) }
        }
        return best?.candidate
    }

    /// `, did you mean 'flip'?` for an error message, after the word that isn't known; empty if no candidate is near.
    package static func question(for word: some StringProtocol, among candidates: some Sequence<String>) -> String {
        nearest(to: String(word), among: candidates).map { ", did you mean '\($0)'?" } ?? ""
    }

    /// The largest distance between a misspelling and a word of `count` letters. In a shorter word, more changes than
    /// these would replace half of its letters.
    private static func farthest(for count: Int) -> Int {
        switch count {
        case ...2: 0
        case 3...4: 1
        case 5...8: 2
        default: 3
        }
    }

    /// The least number of letters to insert, delete, replace or swap with their neighbor that turns `a` into `b`, where
    /// no letter is changed twice (optimal string alignment).
    static func distance(_ a: [Character], _ b: [Character]) -> Int {
        // The rows of the table for the first i - 2, i - 1 and i letters of `a`.
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
                row.append(cost)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}

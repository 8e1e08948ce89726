import FlipBase
import Testing

@Suite struct SuggestionTests {
    /// One slip of the keyboard each, or as many as a word of that length allows.
    @Test(
        arguments: [
            ("flop", "flip"), ("flp", "flip"), ("flipp", "flip"), ("filp", "flip"), ("FLIP", "flip"),
            ("dissolv", "dissolve"), ("disolev", "dissolve"), ("spinefold", "spine-fold"), ("spien_fold", "spine-fold"),
        ])
    func aMisspelledWordHasItsSuggestion(typed: String, meant: String) {
        let words = ["fold", "card", "flip", "dissolve", "spine-fold"]
        #expect(Suggestion.nearest(to: typed, among: words) == meant)
        #expect(Suggestion.question(for: typed, among: words) == ", did you mean '\(meant)'?")
    }

    @Test(arguments: ["", "x", "zz", "flipping", "crossfade", "dxxsoxvx", String(repeating: "flip", count: 1000)])
    func anotherWordHasNone(typed: String) {
        #expect(Suggestion.nearest(to: typed, among: ["flip", "fold", "dissolve", "id"]) == nil)
        #expect(Suggestion.question(for: typed, among: ["flip", "fold", "dissolve", "id"]) == "")
    }

    @Test func theNearestWins() {
        #expect(Suggestion.nearest(to: "unfolt", among: ["infold", "unfolds", "unfold"]) == "unfold")
        #expect(Suggestion.nearest(to: "hold", among: ["bold", "fold"]) == "bold", "the first of two")
        #expect(Suggestion.nearest(to: "flip", among: [String]()) == nil)
    }
}

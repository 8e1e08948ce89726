import FlipMedia
import FlipGeometry
import FlipRender
import Testing

@Suite struct TrackMatchingTests {
    /// Tags of a track: a language, and a role after a dash.
    private func tracks(_ clips: [String]...) -> [[TrackTags]] {
        clips.map { clip in
            clip.map { text in
                let parts = text.split(separator: "-").map(String.init)
                return TrackTags(language: parts.first, dispositions: Array(parts.dropFirst()))
            }
        }
    }

    @Test func languagesComeBeforeOrder() {
        let matching = TrackMatching(tracks(["eng", "ger"], ["deu", "eng"], ["fra", "eng", "deu"]))
        #expect(matching.tracks == [[0, 1, 1], [1, 0, 2], [nil, nil, 0]])
    }

    @Test func tracksOfUnknownLanguageGoByOrder() {
        #expect(TrackMatching(tracks(["eng", "ger"], ["", ""])).tracks == [[0, 0], [1, 1]])
        #expect(TrackMatching(tracks(["", ""], ["ger", "eng"], ["eng"])).tracks == [[0, 0, nil], [1, 1, 0]])
    }

    @Test func aSingleTrackGoesToTheFirst() {
        #expect(TrackMatching(tracks(["eng", "ger"], ["spa"])).tracks == [[0, 0], [1, nil]])
        #expect(TrackMatching(tracks(["eng"], ["spa"])).tracks == [[0, 0]])
        #expect(TrackMatching(tracks([], ["spa"], ["eng", "spa"])).tracks == [[nil, 0, 1], [nil, nil, 0]])
    }

    @Test func rolesStayApart() {
        let matching = TrackMatching(tracks(["eng-forced", "eng"], ["eng"], ["eng", "eng-forced"]))
        #expect(matching.tracks == [[0, nil, 1], [1, 0, 0]])
    }
}

/// What a track of the output is called.
@Suite struct TrackTagsTests {
    /// A label that some of the clips lack would be wrong for these.
    @Test func aLabelIsOneThatAllHave() {
        let german = TrackTags(language: "ger", title: "Deutsch", dispositions: ["default"])
        let same = TrackTags(language: "deu", title: "Deutsch")
        #expect(TrackTags.common([german, same]) == german)
        #expect(TrackTags.common([TrackTags(language: "fre"), german]) == TrackTags())
        #expect(TrackTags.common([TrackTags(), german]) == TrackTags())
        #expect(TrackTags.common([german, TrackTags()]) == TrackTags(dispositions: ["default"]))
        #expect(TrackTags.common([]) == TrackTags())
    }

    @Test func aGivenLanguageIsForTracksWithoutOne() {
        #expect(TrackTags(title: "Kommentar").named("deu") == TrackTags(language: "deu", title: "Kommentar"))
        #expect(TrackTags(language: "fra").named("deu").language == "fra")
        #expect(TrackTags().named(nil) == TrackTags())
    }

    @Test(arguments: [("de", "deu"), ("deu", "deu"), ("ger", "deu"), ("pt-BR", "por"), ("EN", "eng")])
    func languagesAreWrittenInManyWays(text: String, code: String) throws {
        #expect(try OutputValue.language(text) == code)
    }

    @Test(arguments: ["", "d", "deutsch", "1a", "qq"]) func otherWordsAreNoLanguages(text: String) {
        #expect(throws: OptionError.self) { try OutputValue.language(text) }
    }
}

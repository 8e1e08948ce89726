import FlipDeck
import TestSupport
import Testing

/// The pages that stand for the steps of PowerPoint's slides in the copy that LibreOffice draws.
@Suite struct SlidePagesTests {
    private static let talk = "pptx-apachecon-talk-48slides.pptx"
    private static let tools = Places.package + "/Tests/Tools/"

    /// What is on each page is what an independent reading of the standard has visible after each click.
    @Test(
        .enabled(if: Places.has("python3"), "needs Python"), .enabled(if: Places.has("bsdtar"), "needs bsdtar"),
        arguments: (Places.media == nil ? [] : [talk]) + Places.some((201...230).map(String.init), every: 5))
    func pagesHaveWhatTheStandardSays(deck: String) throws {
        let folder = TemporaryFolder.make()
        var path = Places.medium(deck)
        if deck != Self.talk {
            path = folder / "deck.pptx"
            try Tool.succeed("python3", [Self.tools + "slide_builds.py", "make", deck, path])
        }
        let facts = try PPTXDeck(path: path, needsNotes: false, hasSteps: true, showsHidden: true)
        for (name, part) in facts.replaced {
            let place = URL(fileURLWithPath: folder / name)
            try FileManager.default.createDirectory(
                at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
            try part.write(to: place)
        }
        let steps = facts.facts.map(\.steps)
        #expect(steps.contains { $0.count > 1 })
        try JSONEncoder().encode(steps).write(to: folder / "steps.json")
        let result = try Tool.run("python3", [Self.tools + "slide_pages.py", path, folder.path])
        #expect(result.status == 0, "\(result.text)")
    }

    /// A chart or diagram comes with its first part and goes with its last.
    @Test(arguments: [("entr", [0, 1, 1, 1]), ("exit", [0, 0, 0, 1])])
    func partsOfChartsComeWithTheFirstAndGoWithTheLast(kind: String, steps: [Int]) throws {
        let groups = (0..<3).map { part in
            let effect = DeckFiles.effect(on: 2, node: "clickEffect", kind: kind).replacing(
                #"<p:spTgt spid="2"/>"#,
                with: """
                    <p:spTgt spid="2"><p:graphicEl><a:chart seriesIdx="\(part)" categoryIdx="-3" bldStep="series"/></p:graphicEl>\
                    </p:spTgt>
                    """)
            return """
                <p:par><p:cTn><p:stCondLst><p:cond delay="indefinite"/></p:stCondLst><p:childTnLst>\(effect)</p:childTnLst>\
                </p:cTn></p:par>
                """
        }
        let slide = DeckFiles.builtSlide(colors: ["ff0000"], clicks: [], more: groups.joined())
        let parts = DeckFiles.parts(DeckFiles.powerPoint([slide]))
        var deck = try PPTXDeck(parts: parts, path: "deck.pptx")
        try deck.addSteps(parts, "deck.pptx", showsHidden: false)
        #expect(deck.facts[0].steps == steps)
    }
}

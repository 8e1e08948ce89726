import FlipBase
import FlipDeck
import TestSupport
import Testing

@Suite struct PPTXDeckTests {
    private func deck(_ members: [DeckFiles.Member]) throws -> [SlideFacts] {
        try PPTXDeck(parts: DeckFiles.parts(members), path: "deck.pptx").facts
    }

    private func title(_ text: String) -> String {
        #"<p:cSld><p:spTree><p:sp><p:nvPr><p:ph type="body"/></p:nvPr><a:t>no</a:t></p:sp><p:sp><p:nvPr><p:ph type="title"/>"#
            + "</p:nvPr><p:txBody><a:p><a:r><a:t>\(text)</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld>"
    }

    @Test func slidesSayTheirTitleTimeAndTransition() throws {
        let curl = """
            <mc:AlternateContent><mc:Choice Requires="p15"><p:transition spd="slow" advTm="2500" p14:dur="1250">
            <p15:prstTrans prst="pageCurlDouble" invX="1"/></p:transition></mc:Choice>
            <mc:Fallback><p:transition spd="slow" advTm="9000"><p:fade/></p:transition></mc:Fallback></mc:AlternateContent>
            """
        let facts = try deck(
            DeckFiles.powerPoint([
                title("Hello &amp;\n welcome") + curl, "HIDDEN" + title("Secret"),
                title("Push") + #"<p:transition advTm="0"><p:sndAc/><p:push dir="u"/></p:transition>"#, "<p:cSld/>",
            ]))
        var secret = SlideFacts(title: "Secret")
        secret.isHidden = true
        #expect(
            facts == [
                SlideFacts(
                    title: "Hello & welcome", seconds: Rational(5, 2),
                    transition: NamedTransition(name: "pageCurlDouble", duration: Rational(5, 4), direction: .right)),
                secret,
                SlideFacts(
                    title: "Push", transition: NamedTransition(name: "push", duration: Rational(1, 4), direction: .up)),
                SlideFacts(),
            ])
    }

    @Test(arguments: [("<p:fade/>", "fade"), (#"<p:fade thruBlk="1"/>"#, "fadeThroughBlack")])
    func fadesMayGoThroughBlack(element: String, name: String) throws {
        let facts = try deck(DeckFiles.powerPoint(["<p:cSld/><p:transition>\(element)</p:transition>"]))
        #expect(facts.first?.transition?.name == name)
    }

    /// What PowerPoint shows as transitions of their own are attributes; an axis is no direction.
    @Test(arguments: [
        ("<p14:prism/>", NamedTransition(name: "prism", duration: Rational(1, 4), direction: .left)),
        (
            #"<p14:prism dir="u" isInverted="true"/>"#,
            NamedTransition(name: "box", duration: Rational(1, 4), direction: .up)
        ),
        (
            #"<p14:prism isContent="1" isInverted="0"/>"#,
            NamedTransition(name: "rotate", duration: Rational(1, 4), direction: .left)
        ),
        (
            #"<p:split orient="vert" dir="in"/>"#,
            NamedTransition(name: "splitIn", duration: Rational(1, 4), axis: .horizontal)
        ),
        ("<p:blinds/>", NamedTransition(name: "blinds", duration: Rational(1, 4), axis: .vertical)),
        (#"<p:zoom dir="out"/>"#, NamedTransition(name: "zoom", duration: Rational(1, 4))),
        (#"<p:strips dir="rd"/>"#, NamedTransition(name: "strips", duration: Rational(1, 4), direction: .right)),
    ]) func kindsAndAxesAreAttributes(element: String, expected: NamedTransition) throws {
        let facts = try deck(DeckFiles.powerPoint(["<p:cSld/><p:transition>\(element)</p:transition>"]))
        #expect(facts.first?.transition == expected)
    }

    /// A transition's sound is a part among the media, of a plain name; nothing else is unpacked.
    @Test(arguments: [
        ("../media/audio1.wav", "ppt/media/audio1.wav"), ("/ppt/media/my sound.wav", "ppt/media/my sound.wav"),
        ("../media/*", nil), ("../media/../../secret", nil), ("../../media/a.wav", nil), ("../media/", nil),
        ("http://example.org/a.wav", nil),
    ]) func transitionsMayHaveASound(target: String, part: String?) throws {
        let slide = """
            <p:cSld/><p:transition><p:fade/><p:sndAc><p:stSnd><p:snd r:embed="rId9" name="a.wav"/></p:stSnd></p:sndAc>
            </p:transition>
            """
        let relation = #"<Relationship Id="rId9" Type="\#(DeckFiles.relationType("audio"))" Target="\#(target)"/>"#
        let facts = try deck(DeckFiles.powerPoint([slide, "<p:cSld/>"], relations: [1: relation]))
        #expect(facts[0].transition?.name == "fade" && facts[0].sound?.part == part && facts[1].sound == nil)
        #expect(try deck(DeckFiles.powerPoint([slide]))[0].sound == nil)
    }

    @Test func whatCanNotBeDrawnIsNoted() throws {
        let relation = { (id: String, type: String, target: String, more: String) in
            #"<Relationship Id="\#(id)" Type="\#(type)" Target="\#(target)" \#(more)/>"#
        }
        let newer = "http://schemas.microsoft.com/office/2007/relationships/media"
        let type = DeckFiles.relationType
        let animated = #"<p:timing><p:cTn presetClass="entr"/></p:timing>"#
        let played = #"<p:timing><p:cTn presetClass="mediacall"/><p:audio isNarration="1"/></p:timing>"#
        let facts = try deck(
            DeckFiles.powerPoint(
                [animated, played, ""],
                relations: [
                    1: relation("a", type("video"), "../media/media1.mp4", "")
                        + relation("b", newer, "../media/media1.mp4", "")
                        + relation("c", type("image"), "../media/image1.png", "")
                        + relation("d", type("image"), "http://example.org/a.png", #"TargetMode="External""#)
                        + relation("e", type("hyperlink"), "http://example.org", #"TargetMode="External""#),
                    2: relation("a", newer, "../media/media2.m4a", ""),
                    3: relation("a", type("audio"), "../media/ding.wav", ""),
                ]))
        #expect(
            facts.map(\.media) == [
                [
                    SlideMedia(kind: .film, name: "media1.mp4"),
                    SlideMedia(kind: .linkedPicture, name: "http://example.org/a.png"),
                ], [SlideMedia(kind: .narration, name: "media2.m4a")], [SlideMedia(kind: .sound, name: "ding.wav")],
            ])
        #expect(facts.map(\.isAnimated) == [true, false, false])
    }

    // MARK: Hostile files

    private func parts(main: String = "", rels: String = "", slide: Data) -> [String: Data] {
        let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
        let main = main.isEmpty ? #"<sldId r:id="a"/>"# : main
        return [
            "ppt/presentation.xml": Data(#"<p xmlns:r="\#(office)">\#(main)</p>"#.utf8),
            "ppt/_rels/presentation.xml.rels": Data(
                #"<r><Relationship Id="a" Target="slides/s.xml"/>\#(rels)</r>"#.utf8),
            "ppt/slides/s.xml": slide,
        ]
    }

    /// Many placeholders in a slide take time in proportion to their text only. Comparing each with all text before it
    /// would take hours for a compressed file of 20 kB.
    @Test(.timeLimit(.minutes(60))) func manyPlaceholdersCostNoMoreThanTheirText() throws {
        let spaces = String(repeating: " ", count: 2 << 20)
        let places = String(repeating: "<ph/>", count: 400_000)
        let slide = #"<s><sp><ph type="title"/><a><t>\#(spaces)</t></a>\#(places)</sp></s>"#
        #expect(try PPTXDeck(parts: parts(slide: Data(slide.utf8)), path: "x").facts == [SlideFacts()])
    }

    /// A slide that occurs 10,000 times in the order is read only once.
    @Test(.timeLimit(.minutes(60))) func slidesThatComeAgainAreReadOnce() throws {
        let slide = #"<s><sp><ph type="title"/><a><t>One</t></a></sp>\#(String(repeating: "<a/>", count: 200_000))</s>"#
        let order = String(repeating: #"<sldId r:id="a"/>"#, count: 10_000)
        let facts = try PPTXDeck(parts: parts(main: order, slide: Data(slide.utf8)), path: "x").facts
        #expect(facts.count == 10_000 && facts.allSatisfy { $0.title == "One" })
        #expect(throws: MediaError.self) {
            try PPTXDeck(parts: parts(main: order + #"<sldId r:id="a"/>"#, slide: Data(slide.utf8)), path: "x")
        }
    }

    private static let entities = #"<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><s>&b;</s>"#

    /// Little-endian UTF-16 without a byte order mark.
    private static func wide(_ text: String) -> Data { Data(text.utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }) }

    /// Slides that are refused, and a word from the error message.
    private static let hostile: [(Data, String)] = {
        let crowded = (0...10_000).map { "a\($0)=''" }.joined(separator: " ")
        let deep = String(repeating: "<a>", count: 5000) + String(repeating: "</a>", count: 5000)
        var cases: [(Data, String)] = []
        cases.append((Data(entities.utf8), "document type"))
        cases.append((wide(#"<?xml version="1.0" encoding="UTF-16"?>"# + entities), "zero bytes"))
        cases.append((Data([0xff, 0xfe]) + wide(entities), "document type"))
        cases.append((wide(entities), "zero bytes"))
        let hidden = #"<?xml version="1.0" encoding="UTF-7"?>+ADwAIQ-DOCTYPE x+AFs-+AF0APg-<s/>"#
        cases.append((Data(hidden.utf8), "neither UTF-8 nor UTF-16"))
        cases.append((Data("<?xml version='1.0' encoding = 'IBM037'?><s/>".utf8), "neither UTF-8 nor UTF-16"))
        cases.append((Data([0x3c, 0x73, 0xff, 0x2f, 0x3e]), "neither UTF-8 nor UTF-16"))
        cases.append((Data(deep.utf8), "not well-formed XML"))
        cases.append((Data("<s \(crowded)/>".utf8), "attributes"))
        cases.append((Data("<s>".utf8), "not well-formed XML"))
        cases.append((Data(), "not well-formed XML"))
        return cases
    }()

    @Test(arguments: 0..<11) func partsThatCouldHideSomethingAreRefused(index: Int) throws {
        let (slide, word) = Self.hostile[index]
        let error = #expect(throws: MediaError.self) { try PPTXDeck(parts: parts(slide: slide), path: "x.pptx") }
        #expect(error?.kind == .badInput && error?.message.contains(word) == true, "\(error?.message ?? "")")
        #expect(error?.message.contains("'x.pptx'") == true)
    }

    @Test func otherWritersOfUnicodeAreRead() throws {
        let slide = #"<?xml version="1.0" encoding="utf-16"?><s><sp><ph type="title"/><a><t>Größe</t></a></sp></s>"#
        let wide = Data([0xfe, 0xff]) + Data(slide.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] })
        #expect(try PPTXDeck(parts: parts(slide: wide), path: "x").facts.map(\.title) == ["Größe"])
    }
}

@Suite struct ODPDeckTests {
    @Test func slidesSayWhatIsHiddenAndWhatIsMoreThanAPicture() throws {
        let animation = #"<anim:par xmlns:anim="a" presentation:preset-class="entrance"/>"#
        let members = DeckFiles.openDocument([
            DeckFiles.picture(at: "Pictures/a.png") + animation, "HIDDEN",
            DeckFiles.picture(at: "http://example.org/a.png") + DeckFiles.picture(at: "../b.png")
                + #"<draw:frame><draw:plugin xlink:href="../../films/c.mp4"/></draw:frame>"#,
        ])
        let facts = try ODPDeck(content: DeckFiles.parts(members)["content.xml"], path: "x.odp").facts
        #expect(facts.map(\.isHidden) == [false, true, false])
        #expect(facts.map(\.isAnimated) == [true, false, false])
        #expect(facts[0].media.isEmpty && facts[1].media.isEmpty)
        #expect(facts[2].media.map(\.name) == ["http://example.org/a.png", "../b.png", "c.mp4"])
        #expect(facts[2].media.map(\.kind) == [.linkedPicture, .linkedPicture, .film])
        #expect(facts[2].media.map(\.part) == [nil, nil, nil])
        #expect(throws: MediaError.self) { try ODPDeck(content: nil, path: "x.odp") }
    }
}

import FlipBase
import FlipDeck
import TestSupport
import Testing

/// What documents say of the films and sounds on their slides.
@Suite struct SlideMediaTests {
    /// The media of a PowerPoint slide with `shapes`, and `more` after its tree of shapes.
    private func media(_ shapes: String, more: String = "", relations: String) throws -> [SlideMedia] {
        let members = DeckFiles.powerPoint(
            [DeckFiles.slide(color: "ffffff", shapes: shapes, more: more)], relations: [1: relations])
        return try PPTXDeck(parts: DeckFiles.parts(members), path: "deck.pptx").facts[0].media
    }

    private func film(shape: Int = 4, attributes: String = "", trim: String = "", crop: String = "") -> String {
        DeckFiles.mediaPicture(
            shape: shape, isFilm: true, x: 1_270_000, y: 635_000, width: 2_540_000, height: 1_905_000,
            attributes: attributes, trim: trim, crop: crop)
    }

    private let relations = DeckFiles.mediaRelations("media1.mp4", isFilm: true)

    @Test func filmsHaveAPlace() throws {
        let media = try media(
            film(trim: #"<p14:trim st="1500.5" end="250"/>"#, crop: #"<a:srcRect l="0" t="5000"/>"#),
            relations: relations)
        #expect(media.count == 1 && media[0].kind == .film && media[0].name == "media1.mp4")
        #expect(media[0].part == "ppt/media/media1.mp4")
        let use = try #require(media[0].use)
        // A point has 12700 EMU.
        #expect(use.frame == MediaUse.Frame(x: 100, y: 50, width: 200, height: 150))
        #expect(use.head == Rational(15005, 10000) && use.tail == Rational(1, 4))
        #expect(use.isCropped && !use.isTurned && !use.isMuted && use.slides == 1)
        for attributes in [#"rot="60000""#, #"flipH="1""#, #"flipV="true""#] {
            #expect(try self.media(film(attributes: attributes), relations: relations)[0].use?.isTurned == true)
        }
        #expect(try self.media(film(attributes: #"rot="21600000""#), relations: relations)[0].use?.isTurned == false)
    }

    /// A group maps the rectangle of its children to its own (ECMA-376 20.1.7.5).
    @Test func groupsMoveAndScaleTheirFilms() throws {
        let group = { (inner: String) in
            """
            <p:grpSp><p:nvGrpSpPr><p:cNvPr id="9" name=""/></p:nvGrpSpPr><p:grpSpPr><a:xfrm><a:off x="127000" y="254000"/>\
            <a:ext cx="1270000" cy="2540000"/><a:chOff x="1270000" y="635000"/><a:chExt cx="2540000" cy="1270000"/></a:xfrm>\
            </p:grpSpPr>\(inner)</p:grpSp>
            """
        }
        // Half as wide, twice as high, and moved to the group's corner at (10, 20).
        let media = try media(group(film()), relations: relations)
        #expect(media[0].use?.frame == MediaUse.Frame(x: 10, y: 20, width: 100, height: 300))
        // Once more: (10 - 100) / 2 + 10, (20 - 50) * 2 + 20.
        let twice = try self.media(group(group(film())), relations: relations)
        #expect(twice[0].use?.frame == MediaUse.Frame(x: -35, y: -40, width: 50, height: 600))
    }

    /// A sound is a narration if PowerPoint calls it that, or if it starts by itself and has no icon.
    @Test(arguments: [
        (#"isNarration="1""#, #"vol="80000""#, "clickEffect", true),
        ("", #"showWhenStopped="0""#, "afterEffect", true), ("", #"showWhenStopped="0""#, "withEffect", true),
        ("", #"showWhenStopped="0""#, "clickEffect", false), ("", #"vol="80000""#, "afterEffect", false),
        ("", #"showWhenStopped="0" numSld="999""#, "afterEffect", false),
    ]) func narrationIsToldFromSounds(audio: String, node: String, start: String, isNarration: Bool) throws {
        let picture = DeckFiles.mediaPicture(shape: 7, isFilm: false, x: 0, y: 0, width: 12700, height: 12700)
        let timing = DeckFiles.soundTiming(shape: 7, audio: audio, node: node, start: start)
        let media = try media(picture, more: timing, relations: DeckFiles.mediaRelations("a.m4a", isFilm: false))
        #expect(media.map(\.kind) == [isNarration ? .narration : .sound])
        #expect(media[0].use?.slides == (node.contains("999") ? 999 : 1))
    }

    @Test func mutedAndLinkedMediaAreTold() throws {
        let mute = DeckFiles.soundTiming(shape: 4, audio: "", node: #"mute="1""#)
        #expect(try media(film(), more: mute, relations: relations)[0].use?.isMuted == true)
        let outside = relations.replacingOccurrences(
            of: #"Target="../media/media1.mp4""#, with: #"Target="http://example.org/a.mp4" TargetMode="External""#)
        let linked = try media(film(), relations: outside)
        #expect(linked.count == 1 && linked[0].part == nil && linked[0].reason == "it lies outside of the document")
        // The same file twice on one slide.
        let pair = try media(film() + film(shape: 5), relations: relations)
        #expect(pair.map(\.part) == ["ppt/media/media1.mp4", "ppt/media/media1.mp4"])
    }

    /// Frames of OpenDocument slides, with lengths in several units.
    @Test func openDocumentsHaveFramesWithFilms() throws {
        let frame = { (attributes: String, link: String, more: String) in
            """
            <draw:frame svg:width="2in" svg:height="25.4mm" svg:x="36pt" svg:y="1.27cm" \(attributes)><draw:plugin \
            xlink:href="\(link)" xlink:type="simple">\(more)</draw:plugin></draw:frame>
            """
        }
        let members = DeckFiles.openDocument([
            frame("", "Media/my%20film.mp4", #"<draw:param draw:name="Mute" draw:value="true"/>"#)
                + frame(#"draw:transform="rotate (1)""#, "vnd.sun.star.Package:Media/b.webm", "")
                + frame("", "../c.mp4", "")
        ])
        let media = try ODPDeck(content: DeckFiles.parts(members)["content.xml"], path: "x.odp").facts[0].media
        #expect(media.map(\.part) == ["Media/my film.mp4", "Media/b.webm", nil])
        #expect(media.map { $0.use?.isMuted } == [true, false, false])
        #expect(media.map { $0.use?.isTurned } == [false, true, false])
        let place = try #require(media[0].use?.frame)
        for (value, expected) in [(place.x, 36.0), (place.y, 36), (place.width, 144), (place.height, 72)] {
            #expect(abs(value - expected) < 1e-9)
        }
    }

    /// Sounds of transitions and animations, which no picture stands for, are not played, but noted.
    @Test func otherSoundsOfOpenDocumentsAreNoted() throws {
        let oasis = "urn:oasis:names:tc:opendocument:xmlns"
        let spaces = ["office", "style", "presentation"].map { #"xmlns:\#($0)="\#(oasis):\#($0):1.0""# }
        let content = """
            <office:document-content \(spaces.joined(separator: " ")) xmlns:draw="\(oasis):drawing:1.0" \
            xmlns:anim="\(oasis):animation:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:automatic-styles>\
            <style:style style:name="a"><style:drawing-page-properties><presentation:sound xlink:href="../gallery/apert.wav"/>\
            </style:drawing-page-properties></style:style></office:automatic-styles><office:body><office:presentation>\
            <draw:page draw:style-name="a"/><draw:page draw:style-name="b"><anim:par><anim:audio \
            xlink:href="Media/ding.wav"/></anim:par></draw:page></office:presentation></office:body>\
            </office:document-content>
            """
        let facts = try ODPDeck(content: Data(content.utf8), path: "x.odp").facts
        #expect(facts.map { $0.media.map(\.name) } == [["apert.wav"], ["ding.wav"]])
        #expect(facts.flatMap(\.media).allSatisfy { $0.kind == .sound && $0.use == nil && $0.part == nil })
    }
}

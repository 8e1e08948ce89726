import TestSupport
import Testing

extension CommandTests {
    /// Every transition that the standards of documents have, as DECKS.md says that it is drawn.
    @Suite(.serialized) struct DeckTransitionTests {
        let folder = TemporaryFolder.make()

        /// A transition in a document, and the spec that draws it; nil for a cut. `name` is that of a warning if there
        /// is no counterpart.
        private typealias Row = (text: String, spec: String?, name: String?)

        /// ECMA-376 19.5 (p), [MS-PPTX] 2.2 (p14 of 2010, p15 of 2012) and morph (2015).
        private static let powerPoint: [Row] = [
            ("<p:blinds/>", "blinds=orientation=vertical:stagger=0.0", nil),
            (#"<p:blinds dir="vert"/>"#, "blinds=stagger=0.0", nil),
            ("<p:checker/>", "blinds=orientation=vertical:stagger=0.0", "checker"), ("<p:circle/>", "doors", "circle"),
            (#"<p:comb dir="vert"/>"#, "blinds=stagger=0.0", "comb"),
            (#"<p:cover dir="u"/>"#, "slide=orientation=vertical", nil), ("<p:cut/>", nil, nil),
            (#"<p:cover dir="ld"/>"#, "slide", "coverCorner"),
            (#"<p:cut thruBlk="1"/>"#, "dip", "cutThroughBlack"), ("<p:diamond/>", "doors", "diamond"),
            ("<p:dissolve/>", "dissolve", "dissolve"), ("<p:fade/>", "dissolve", nil),
            (#"<p:fade thruBlk="1"/>"#, "dip", nil), ("<p:newsflash/>", "card", "newsflash"),
            ("<p:plus/>", "doors", "plus"),
            (#"<p:pull dir="r"/>"#, "slide=direction=backward:mode=uncover", nil),
            (#"<p:pull dir="ru"/>"#, "slide=direction=backward:mode=uncover", "pullCorner"),
            ("<p:push/>", "push", nil),
            (#"<p:push dir="d"/>"#, "push=direction=backward:orientation=vertical", nil),
            ("<p:random/>", "spine-fold", nil), (#"<p:randomBar dir="vert"/>"#, "blinds=stagger=0.0", "randomBar"),
            ("<p:split/>", "doors=orientation=vertical", "split"), (#"<p:split orient="vert"/>"#, "doors", "split"),
            (#"<p:split orient="vert" dir="in"/>"#, "fold=orientation=horizontal", "splitIn"),
            (#"<p:strips dir="ru"/>"#, "wipe=direction=backward", "strips"),
            ("<p:wedge/>", "dissolve", "wedge"), (#"<p:wheel spokes="4"/>"#, "dissolve", "wheel"),
            ("<p:wipe/>", "wipe", nil),
            (#"<p:wipe dir="u"/>"#, "wipe=orientation=vertical", nil),
            ("<p:zoom/>", "doors", "zoom"), (#"<p:zoom dir="in"/>"#, "fold", "zoomIn"),
            ("<p14:vortex/>", "dissolve", "vortex"), (#"<p14:switch dir="r"/>"#, "card=direction=backward", "switch"),
            (#"<p14:flip dir="l"/>"#, "card", nil), (#"<p14:flip dir="r"/>"#, "card=direction=backward", nil),
            ("<p14:ripple/>", "dissolve", "ripple"), ("<p14:honeycomb/>", "dissolve", "honeycomb"),
            ("<p14:prism/>", "cube", nil),
            (#"<p14:prism dir="u"/>"#, "cube=orientation=vertical", nil),
            (#"<p14:prism dir="r" isInverted="1"/>"#, "box=direction=backward", nil),
            (#"<p14:prism isContent="1"/>"#, "cube", "rotate"),
            (#"<p14:prism isContent="1" isInverted="1"/>"#, "box", "orbit"),
            ("<p14:doors/>", "doors=orientation=vertical", nil), (#"<p14:doors dir="vert"/>"#, "doors", nil),
            (#"<p14:window dir="vert"/>"#, "doors", "window"), ("<p14:ferris/>", "push", "ferris"),
            ("<p14:gallery/>", "push", "gallery"), ("<p14:conveyor/>", "push", "conveyor"),
            (#"<p14:pan dir="u"/>"#, "push=orientation=vertical", "pan"),
            ("<p14:glitter/>", "dissolve", "glitter"), (#"<p14:warp dir="in"/>"#, "dissolve", "warp"),
            (#"<p14:flythrough dir="out"/>"#, "doors", "flythrough"), ("<p14:flash/>", "dip=through=#ffffff", "flash"),
            (#"<p14:shred dir="in"/>"#, "blinds=stagger=0.0", "shred"),
            ("<p14:reveal/>", "slide=mode=uncover", "reveal"),
            ("<p14:wheelReverse/>", "dissolve", "wheelReverse"),
            (preset("fallOver"), "swing", "fallOver"), (preset("drape"), "curl=angle=0.0", "drape"),
            (preset("curtains"), "doors", "curtains"), (preset("wind"), "dissolve", "wind"),
            (preset("prestige"), "dissolve", "prestige"), (preset("fracture"), "dissolve", "fracture"),
            (preset("crush"), "dissolve", "crush"), (preset("peelOff"), "curl", nil),
            (preset("pageCurlDouble"), "curl=mode=book", nil),
            (preset("pageCurlSingle", #"invX="1""#), "curl=direction=backward", nil),
            (preset("airplane"), "dissolve", "airplane"), (preset("origami"), "fold=orientation=horizontal", "origami"),
            (#"<p159:morph option="byObject"/>"#, "dissolve", "morph"),
        ]

        private static func preset(_ name: String, _ more: String = "") -> String {
            #"<p15:prstTrans prst="\#(name)" \#(more)/>"#
        }

        /// ISO 32000-1 12.4.4, table 162: every style with each of its entries.
        private static let pdf: [Row] = [
            ("/S /Split", "fold", "SplitIn"), ("/S /Split /Dm /V /M /O", "doors", "Split"),
            ("/S /Split /M /O", "doors=orientation=vertical", "Split"),
            ("/S /Split /Dm /V /M /I", "fold=orientation=horizontal", "SplitIn"),
            ("/S /Blinds", "blinds=orientation=vertical:stagger=0.0", nil),
            ("/S /Blinds /Dm /V", "blinds=stagger=0.0", nil), ("/S /Box", "fold", "BoxIn"),
            ("/S /Box /M /O", "doors", "Box"),
            ("/S /Wipe", "wipe=direction=backward:softness=0.0", nil),
            ("/S /Wipe /Di 90", "wipe=orientation=vertical:softness=0.0", nil),
            ("/S /Wipe /Di 180", "wipe=softness=0.0", nil),
            ("/S /Dissolve", "dissolve", "Dissolve"), ("/S /Glitter /Di 315", "dissolve", "Glitter"),
            ("/S /R", nil, nil),
            ("/S /Fly /Di /None", "slide", "Fly"), ("/S /Fly /Di 180 /M /O", "slide=mode=uncover", "FlyOut"),
            ("/S /Push /Di 270", "push=direction=backward:orientation=vertical", nil),
            ("/S /Push", "push=direction=backward", nil),
            ("/S /Cover /Di 180", "slide", nil),
            ("/S /Uncover /Di 270", "slide=direction=backward:orientation=vertical:mode=uncover", nil),
            ("/S /Fade", "dissolve", nil),
        ]

        /// LibreOffice's own list (simpress/transitions.xml and transitions-ogl.xml), one of each kind.
        private static let openDocument: [Row] = [
            (kind("barWipe", "leftToRight"), "wipe=direction=backward", nil),
            (kind("barWipe", "topToBottom", isReversed: true), "wipe=orientation=vertical", nil),
            (kind("pinWheelWipe", "oneBlade"), "dissolve", "pinWheelWipe"),
            (
                kind("slideWipe", "fromTop", isReversed: true),
                "slide=direction=backward:orientation=vertical:mode=uncover", nil
            ),
            (kind("slideWipe", "fromTopRight", isReversed: true), "slide=mode=uncover", "slideWipeOutCorner"),
            (kind("randomBarWipe", "vertical"), "blinds=stagger=0.0", "randomBarWipe"),
            (kind("checkerBoardWipe", "across"), "blinds=orientation=vertical:stagger=0.0", "checkerBoardWipe"),
            (kind("fourBoxWipe", "cornersOut"), "doors", "fourBoxWipe"),
            (kind("irisWipe", "diamond"), "doors", "irisWipe"),
            (kind("irisWipe", "rectangle", isReversed: true), "fold", "irisWipeIn"),
            (kind("ellipseWipe", "circle"), "doors", "ellipseWipe"),
            (kind("fanWipe", "centerTop"), "dissolve", "fanWipe"),
            (kind("blindsWipe", "vertical"), "blinds=stagger=0.0", nil),
            (kind("fade", "fadeOverColor", ##"smil:fadeColor="#000000""##), "dip", nil),
            (kind("fade", "fadeOverColor", ##"smil:fadeColor="#FFFFFF""##), "dip=through=#ffffff", nil),
            (kind("fade", "fadeOverColor", ##"smil:fadeColor="#00ff00""##), "dip", "fadeThroughColor"),
            (kind("barWipe", "fadeOverColor", ##"smil:fadeColor="#000000""##), "dip", "cutThroughBlack"),
            (kind("slideWipe", "fromRight"), "slide", nil),
            (kind("slideWipe", "fromBottomLeft"), "slide=direction=backward", "slideWipeCorner"),
            (kind("dissolve", "default"), "dissolve", "dissolve"),
            (kind("clockWipe", "clockwiseTwelve"), "dissolve", "clockWipe"),
            (kind("random", ""), "spine-fold", nil),
            (kind("pushWipe", "combHorizontal"), "blinds=orientation=vertical:stagger=0.0", "pushWipeComb"),
            (kind("fade", "crossfade"), "dissolve", nil),
            (kind("pushWipe", "fromTop"), "push=direction=backward:orientation=vertical", nil),
            (kind("barnDoorWipe", "vertical", isReversed: true), "fold=orientation=horizontal", "barnDoorWipeIn"),
            (kind("waterfallWipe", "horizontalRight"), "wipe", "waterfallWipe"),
            (kind("miscShapeWipe", "across"), "blinds=stagger=0.0", "miscShapeWipe-across"),
            (kind("miscShapeWipe", "cornersOut"), "cube", nil), (kind("miscShapeWipe", "cornersIn"), "box", nil),
            (kind("miscShapeWipe", "topToBottom"), "card", nil),
            (kind("miscShapeWipe", "vertical"), "dissolve", "miscShapeWipe"),
            (kind("zoom", "rotateIn"), "doors", "zoom"),
        ]

        private static func kind(
            _ type: String, _ subtype: String, _ more: String = "", isReversed: Bool = false
        ) -> String {
            #"smil:type="\#(type)" \#(subtype.isEmpty ? "" : #"smil:subtype="\#(subtype)""#) \#(more) "#
                + (isReversed ? #"smil:direction="reverse""# : "")
        }

        private static let options = ["--hold", "0.4", "--fps", "25", "--size", "128x72"]

        /// `plan` prints what the table says, warnings name what has no counterpart, and the frames are those of the
        /// same specs given on the command line.
        private func expectTable(_ rows: [Row], _ deck: String, _ folder: TemporaryFolder) throws {
            let own = ["--slide-transitions", "from-deck", "--style", "spine-fold", "--duration", "0.2"]
            let plan = try succeed(["plan", deck, folder / "o.mkv"] + Self.options + own)
            var found: [Int: String] = [:]
            for line in plan.text.split(separator: "\n") {
                guard let match = line.firstMatch(of: /frames \d+\.\.\.\d+: (\S+) from input (\d+) to/) else {
                    continue
                }
                found[try #require(Int(match.2))] = String(match.1)
            }
            for (index, row) in rows.enumerated() {
                #expect(found[index + 1] == row.spec, "\(row.text): \(found[index + 1] ?? "a cut")")
            }
            let said = plan.text.split(separator: "\n").filter { $0.hasPrefix("warning: ") }
            let nearest = try #require(said.first { $0.contains("comes nearest") })
            for row in rows {
                let style = row.spec.map { $0.prefix { $0 != "=" } } ?? ""
                if let name = row.name {
                    #expect(nearest.contains(" \(name) as \(style) ("), "\(row.text): \(nearest)")
                }
            }
            let names = Set(rows.compactMap(\.name))
            #expect(nearest.components(separatedBy: " as ").count - 2 == names.count, "\(nearest)")
            let isRandom = rows.contains { $0.text.contains("random/") || $0.text.contains(#""random""#) }
            #expect(said.count == (isRandom ? 2 : 1), "\(said)")

            let raw = ["--video-codec", "rawvideo", "--pix-fmt", "yuv444p"]
            try succeed(["deck", deck, folder / "own.nut"] + Self.options + own + raw)
            let specs = rows.flatMap { row in
                ["--transition", row.spec.map { $0 + ($0.contains("=") ? ":" : "=") + "duration=0.2" } ?? "cut"]
            }
            try succeed(["deck", deck, folder / "said.nut"] + Self.options + specs + raw)
            let frames = try Judge.frameHashes(folder / "own.nut")
            #expect(frames.count == (rows.count + 1) * 10)
            #expect(try frames == Judge.frameHashes(folder / "said.nut"))
        }

        @Test(
            .turn(0, of: 4),
            .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
        func everyTransitionOfPowerPointIsDrawn() throws {
            let slides = ["<p:fade/>"] + Self.powerPoint.map(\.text)
            let members = DeckFiles.powerPoint(
                slides.enumerated().map { index, kind in
                    let color = ["c03020", "20a040", "3050c0", "e0d040"][index % 4]
                    let own = #"<p:transition p14:dur="200">\#(kind)</p:transition>"#
                    let older = #"<mc:Fallback><p:transition spd="slow"><p:wheel/></p:transition></mc:Fallback>"#
                    let prefix = kind.dropFirst().prefix { $0 != ":" }
                    return DeckFiles.slide(color: color)
                        + (prefix == "p"
                            ? own
                            : "<mc:AlternateContent><mc:Choice Requires=\"\(prefix)\">\(own)</mc:Choice>\(older)"
                                + "</mc:AlternateContent>")
                })
            try DeckFiles.zip(members).write(to: folder / "deck.pptx")
            try expectTable(Self.powerPoint, folder / "deck.pptx", folder)
        }

        /// Where the document has no transition there is none, although others are drawn.
        @Test(.enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
        func slidesWithoutATransitionAreCuts() throws {
            let fade = #"<p:transition p14:dur="200"><p:fade/></p:transition>"#
            let members = DeckFiles.powerPoint([
                DeckFiles.slide(color: "c03020"), DeckFiles.slide(color: "20a040") + fade,
                DeckFiles.slide(color: "3050c0"),
            ])
            try DeckFiles.zip(members).write(to: folder / "deck.pptx")
            let own = ["--slide-transitions", "from-deck", "--json"]
            let plan = try succeed(["plan", folder / "deck.pptx", folder / "o.mkv"] + Self.options + own)
            let joins = (try JSONValue(plan.output).value as? [String: Any])?["joins"] as? [[String: Any]] ?? []
            #expect(joins.map { $0["style"] as? String } == ["dissolve", "cut"])
            // 0.2 s at 25 fps.
            #expect(joins.map { ($0["frames"] as? NSNumber)?.intValue } == [5, 0])
        }

        @Test(
            .turn(1, of: 2),
            .enabled(if: Places.has("soffice"), "needs LibreOffice: scripts/setup --tests installs it"))
        func everyTransitionOfOpenDocumentIsDrawn() throws {
            let slides = [#"smil:type="fade""#] + Self.openDocument.map(\.text)
            let pages = slides.enumerated().map { index, kind in
                """
                <draw:frame svg:width="\(3 + index % 5)cm" svg:height="4cm" svg:x="\(1 + index % 7)cm" svg:y="\(1 + index % 3)cm">\
                <draw:text-box><text:p>Slide \(index) of many</text:p></draw:text-box></draw:frame>\
                <anim:par><anim:transitionFilter smil:dur="0.2s" \(kind)/></anim:par>
                """
            }
            try DeckFiles.zip(DeckFiles.openDocument(pages)).write(to: folder / "deck.odp")
            try expectTable(Self.openDocument, folder / "deck.odp", folder)
        }

        @Test func everyTransitionOfPDFIsDrawn() throws {
            let content = "0.8 0.2 0.1 rg 0 0 160 90 re f 0.1 0.3 0.7 rg 160 90 160 90 re f"
            let pages = [""] + Self.pdf.map { "/Trans << /Type /Trans \($0.text) /D 0.2 >>" }
            let turned = pages.enumerated().map { $1 + ($0 % 2 == 1 ? " /Rotate 180" : "") }
            try DeckFiles.pdf(pages: turned, content: content).write(to: folder / "deck.pdf")
            try expectTable(Self.pdf, folder / "deck.pdf", folder)
        }
    }
}

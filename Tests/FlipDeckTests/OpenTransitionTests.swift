import FlipBase
import FlipDeck
import FlipGeometry
import TestSupport
import Testing

/// Every transition that the standards of documents name is in the table.
@Suite struct OpenTransitionTests {
    /// The types of SMIL 2.0's transitions (section 12.8), and those that OpenDocument adds (ODF 1.2 19.485).
    private static let types = """
        barWipe boxWipe fourBoxWipe barnDoorWipe diagonalWipe bowTieWipe miscDiagonalWipe veeWipe barnVeeWipe zigZagWipe \
        barnZigZagWipe irisWipe triangleWipe arrowHeadWipe pentagonWipe hexagonWipe ellipseWipe eyeWipe roundRectWipe starWipe \
        miscShapeWipe clockWipe pinWheelWipe singleSweepWipe fanWipe doubleFanWipe doubleSweepWipe saloonDoorWipe \
        windshieldWipe snakeWipe spiralWipe parallelSnakesWipe boxSnakesWipe waterfallWipe pushWipe slideWipe fade \
        randomBarWipe checkerBoardWipe blindsWipe dissolve zoom
        """.split(separator: " ")

    /// The subtypes that LibreOffice and the standards give to several of them.
    private static let subtypes = """
        leftToRight topToBottom topLeft topRight bottomLeft bottomRight topCenter rightCenter bottomCenter cornersIn cornersOut \
        vertical horizontal across down circle rectangle diamond heart fanOutHorizontal fromTop fromLeft fromRight fromBottom \
        fromTopLeft fromTopRight fromBottomLeft fromBottomRight combVertical combHorizontal crossfade fadeToColor \
        fadeFromColor fadeOverColor oneBlade clockwiseTwelve centerTop default rotateIn
        """.split(separator: " ")

    /// The values of presentation:transition-style (ODF 1.2 19.492), but none and random.
    private static let styles = """
        fade-from-left fade-from-top fade-from-right fade-from-bottom fade-from-upperleft fade-from-upperright \
        fade-from-lowerleft fade-from-lowerright move-from-left move-from-top move-from-right move-from-bottom \
        move-from-upperleft move-from-upperright move-from-lowerright move-from-lowerleft uncover-to-left uncover-to-top \
        uncover-to-right uncover-to-bottom uncover-to-upperleft uncover-to-upperright uncover-to-lowerright \
        uncover-to-lowerleft fade-to-center fade-from-center vertical-stripes horizontal-stripes clockwise counterclockwise \
        open-vertical open-horizontal close-vertical close-horizontal wavyline-from-left wavyline-from-top \
        wavyline-from-right wavyline-from-bottom spiralin-left spiralin-right spiralout-left spiralout-right roll-from-top \
        roll-from-left roll-from-right roll-from-bottom stretch-from-left stretch-from-top stretch-from-right \
        stretch-from-bottom vertical-lines horizontal-lines dissolve vertical-checkerboard horizontal-checkerboard \
        interlocking-horizontal-left interlocking-horizontal-right interlocking-vertical-top interlocking-vertical-bottom \
        fly-away open close melt
        """.split(separator: " ")

    /// The transition of a slide whose style has these attributes.
    private func transition(_ attributes: String, filter: String = "") throws -> NamedTransition? {
        let page = filter.isEmpty ? "" : "<anim:par><anim:transitionFilter \(filter)/></anim:par>"
        let members = DeckFiles.openDocument([page])
        let content = String(decoding: try #require(DeckFiles.parts(members)["content.xml"]), as: UTF8.self)
        let styled = content.replacing(
            #"style:name="a" style:family="drawing-page"><style:drawing-page-properties "#,
            with: #"style:name="a" style:family="drawing-page"><style:drawing-page-properties \#(attributes) "#)
        return try ODPDeck(content: Data(styled.utf8), path: "x.odp").facts[0].transition
    }

    @Test func everyTypeOfSMILHasARow() throws {
        for type in Self.types {
            for subtype in [""] + Self.subtypes {
                for direction in ["forward", "reverse"] {
                    let attributes =
                        "smil:type=\"\(type)\" smil:direction=\"\(direction)\""
                        + (subtype.isEmpty ? "" : " smil:subtype=\"\(subtype)\"")
                    let name = try #require(try transition(attributes)?.name, "\(attributes)")
                    #expect(TransitionNames.document(name) != nil, "\(attributes) is \(name)")
                }
            }
        }
    }

    @Test func everyOlderStyleHasARow() throws {
        for style in Self.styles {
            let name = try #require(try transition("presentation:transition-style=\"\(style)\"")?.name, "\(style)")
            #expect(TransitionNames.document(name) != nil, "\(style) is \(name)")
        }
        #expect(try transition(#"presentation:transition-style="none""#) == nil)
        #expect(try transition("") == nil)
        // It has no counterpart, which a warning says.
        #expect(TransitionNames.document(try transition(#"smil:type="random""#)?.name ?? "") == nil)
    }

    @Test func directionsAxesAndTimesAreRead() throws {
        let expected: [(attributes: String, transition: NamedTransition)] = [
            (
                #"smil:type="pushWipe" smil:subtype="fromBottom" presentation:transition-speed="slow""#,
                NamedTransition(name: "pushWipe", duration: Rational(3, 2), direction: .up)
            ),
            (
                #"smil:type="slideWipe" smil:subtype="fromTop" smil:direction="reverse""#,
                NamedTransition(name: "slideWipeOut", direction: .down)
            ),
            (
                #"smil:type="barWipe" smil:subtype="leftToRight" smil:direction="reverse""#,
                NamedTransition(name: "barWipe", direction: .left)
            ),
            (
                #"smil:type="blindsWipe" smil:subtype="horizontal""#,
                NamedTransition(name: "blindsWipe", axis: .vertical)
            ),
            (
                ##"smil:type="fade" smil:subtype="fadeOverColor" smil:fadeColor="#FFFFFF" presentation:transition-speed="fast""##,
                NamedTransition(name: "fadeThroughWhite", duration: Rational(3, 10))
            ),
            (
                #"presentation:transition-style="uncover-to-upperleft""#,
                NamedTransition(name: "odf-uncover-to", direction: .left)
            ),
            (
                #"presentation:transition-style="move-from-left" presentation:transition-speed="medium""#,
                NamedTransition(name: "odf-move-from", duration: Rational(4, 5), direction: .right)
            ),
            (#"presentation:transition-style="open-vertical""#, NamedTransition(name: "odf-open", axis: .horizontal)),
        ]
        for (attributes, meant) in expected {
            let found = try transition(attributes)
            #expect(found == meant, "\(attributes): \(String(describing: found))")
        }
        // What the slide itself says is exact.
        let exact = try transition(
            #"smil:type="fade" presentation:transition-speed="fast""#,
            filter: #"smil:type="pushWipe" smil:subtype="fromLeft" smil:dur="0.75s""#)
        #expect(exact == NamedTransition(name: "pushWipe", duration: Rational(3, 4), direction: .right))
    }

    /// The children of p:transition (ECMA-376 19.3.1.50, [MS-PPTX] 2.2), the presets of p15:prstTrans, and the values of
    /// PDF's /S (ISO 32000-1, table 162).
    @Test func everyNameOfOtherDocumentsHasARow() {
        let names = """
            blinds checker circle comb cover cut diamond dissolve fade newsflash plus pull push randomBar split strips wedge wheel \
            wipe zoom conveyor doors ferris flash flip flythrough gallery glitter honeycomb pan prism reveal ripple shred switch \
            vortex warp wheelReverse window fallOver drape curtains wind prestige fracture crush peelOff pageCurlDouble \
            pageCurlSingle airplane origami morph Split Blinds Box Wipe Dissolve Glitter R Fly Push Cover Uncover Fade
            """.split(separator: " ")
        for name in names { #expect(TransitionNames.document(String(name)) != nil, "\(name)") }
    }
}

import FlipBase
import FlipDeck
import FlipGeometry
import Testing

@Suite struct TransitionNamesTests {
    @Test func everyNameOfTheTableIsDrawn() throws {
        var seen: Set<String> = []
        for row in TransitionNames.documents {
            for name in row.names {
                #expect(seen.insert(name).inserted, "\(name) is there twice")
                for direction: SlideDirection? in [nil, .left, .right, .up, .down] {
                    let transition = NamedTransition(name: name, duration: Rational(2), direction: direction)
                    let spec = try #require(
                        TransitionNames.spec(transition, duration: .standard, overlap: .play), "\(name)")
                    #expect((spec.look == nil) == (row.kind == .cut))
                    guard let look = spec.look, let direction, row.isDirected else { continue }
                    #expect(look.look.orientation == ([.left, .right].contains(direction) ? .horizontal : .vertical))
                    #expect(spec.duration == .seconds(Rational(2)))
                }
            }
        }
        let blinds = NamedTransition(name: "blinds", axis: .vertical)
        let slats = TransitionNames.spec(blinds, duration: .standard, overlap: .play)
        #expect(slats?.look?.look.orientation == .vertical && slats?.duration == .standard)
        #expect(
            TransitionNames.spec(NamedTransition(name: "random"), duration: .standard, overlap: .play) == nil,
            "what is not in the table is the look asked for")
    }
}

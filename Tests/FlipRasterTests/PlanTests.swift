import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Frame plans as text, compared with results computed by hand; no pixel is drawn.
@Suite struct PlanTests {
    private func plan(_ style: String, _ progress: Double, width: Int, _ change: (inout Look) -> Void) throws
        -> [String]
    {
        let look = try StyledLook.named(style) {
            $0.shadow = .none
            $0.orientation = .horizontal
            $0.perspective = 0
            change(&$0)
        }
        let plan = FramePlan(format: PictureFormat(components: .gray), width: width, height: 60)
        plan.plan(look, progress: progress)
        return plan.description.split(separator: "\n").map(String.init)
    }

    /// At p = 1/2 the page stands on its edge: two flat halves remain, which are copied.
    @Test func aPageOnItsEdgeIsNotDrawn() throws {
        #expect(
            try plan("flip", 0.5, width: 100) { _ in } == [
                "0.0...50.0: A flat", "50.0...100.0: B flat", "planes 0..<1", "0..<50: copied", "50..<100: copied",
            ])
    }

    /// A card at 45 degrees, seen without perspective, is 100 cos 45 = 70.711 wide. A column that contains one of its
    /// edges has two slices.
    @Test func aTurnedCardLeavesBackground() throws {
        #expect(
            try plan("card", 0.25, width: 100) { $0.pullBack = 1 } == [
                "0.0...14.645: background", "14.645...85.355: A turned", "85.355...100.0: background", "planes 0..<1",
                "0..<14: one slice each", "14..<15: 2 slices", "15..<85: one slice each", "85..<86: 2 slices",
                "86..<100: one slice each",
            ])
    }

    /// With perspective, a steep page shifts across the motion within a footprint by more than one slice allows, so
    /// footprints are cut into slices. The nearer edge looks larger.
    @Test func steepPagesAreCutIntoSlices() throws {
        let lines = try plan("card", 0.49, width: 100) {
            $0.pullBack = 1
            $0.perspective = 1
        }
        #expect(lines[0].hasSuffix(": background") && lines[1].hasSuffix(": A turned over background"))
        let slices = lines.compactMap { $0.firstMatch(of: #/: (\d+) slices$/#).flatMap { Int($0.1) } }
        #expect(slices.max() ?? 0 > 10, "\(lines)")
    }

    /// The two halves of a fold lie between its two sleeves: at 60 degrees, a sheet of length 60 is 30 wide.
    @Test func aFoldStandsBetweenItsSleeves() throws {
        #expect(
            try plan("fold", 2.0 / 3, width: 120) { _ in }.prefix(4) == [
                "0.0...30.0: B turned", "30.0...60.0: A turned", "60.0...90.0: A turned", "90.0...120.0: B turned",
            ])
    }

    /// Halfway, the edge of a wipe lies in the middle, and a ramp of a quarter of the frame about it.
    @Test func aWipeHasARamp() throws {
        let plan = FramePlan(format: PictureFormat(components: .gray), width: 100, height: 60)
        let wipe = try StyledLook.named("wipe") { $0.softness = 0.25 }
        plan.plan(wipe, progress: 0.5)
        #expect(plan.description == "fade from outgoing to incoming, rising over 37.5...62.5")
        plan.plan(try StyledLook.named("wipe") { ($0.softness, $0.direction) = (0, .backward) }, progress: 0.25)
        #expect(plan.description == "fade from outgoing to incoming, falling over 25.0...25.0")
    }

    @Test func dissolvesHaveNoPanels() throws {
        let plan = FramePlan(format: PictureFormat(components: .gray), width: 100, height: 60)
        plan.plan(try StyledLook.named("dissolve"), progress: 0.25)
        #expect(plan.description == "fade from outgoing to incoming, part 0.25")
        plan.plan(try StyledLook.named("dip"), progress: 0.875)
        #expect(plan.description.hasSuffix(" to incoming, part 0.75"))
    }
}

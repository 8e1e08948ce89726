import FlipGeometry
import FlipGesture
import Testing

/// Cases worked out by hand for each rule. The frame is shown at 960x540, and a turn takes 600 ms.
@Suite struct GestureModelTests {
    /// A model of the transition that `style` and `options` describe, at `progress`.
    private static func model(
        _ style: String, look: String? = nil, _ options: [(option: LookOption, value: String)] = [],
        at progress: Double = 0
    ) throws -> GestureModel {
        let styled = try StyledLook(style: style, look: look, options: options)
        return GestureModel(GestureSetting(styled, width: 960, aspect: 960.0 / 540, duration: 600), at: progress)
    }

    /// Adds samples of one pointer, given in pixels.
    private static func add(
        _ model: inout GestureModel, _ samples: [(Double, GestureSample.Action, Double, Double)], pointer: Int = 1
    ) {
        for (time, action, x, y) in samples {
            model.add(GestureSample(time: time, pointer: pointer, action, x: x / 960, y: y / 540))
        }
    }

    private static func isNear(_ a: Double, _ b: Double) -> Bool { abs(a - b) < 1e-9 }

    // MARK: Pages

    @Test func aPageFollowsTheComponentAlongTheMotion() throws {
        var model = try Self.model("flip")
        // 384 pixels from the spine: as many again are half the turn.
        Self.add(&model, [(0, .down, 864, 100), (1000, .move, 672, 400)])
        #expect(Self.isNear(model.position(at: 1000).progress, 0.25))
        Self.add(&model, [(3000, .move, 480, 10)])
        #expect(Self.isNear(model.position(at: 5000).progress, 0.5))
        Self.add(&model, [(6000, .move, 288, 10)])
        #expect(Self.isNear(model.position(at: 6000).progress, 0.75))
        Self.add(&model, [(9000, .move, -500, 10)])
        #expect(model.position(at: 9000).progress == 1)
    }

    /// The free edge of a page that bends by 0.5 is above the spine when the edge has turned over and the spine is about to
    /// begin: at p = 1/2. At p = 1/4 its direction is 90 degrees and that at the spine 0, so that it stands at 2 / pi of the
    /// page's length.
    @Test func theHandHoldsTheFreeEdgeOfAPageThatBends() throws {
        var model = try Self.model("flip", [(.bend, "0.5")])
        Self.add(&model, [(0, .down, 864, 100), (1000, .move, 480 + 384 * 2 / .pi, 400)])
        #expect(abs(model.position(at: 1000).progress - 0.25) < 1e-6)
        Self.add(&model, [(3000, .move, 480, 10)])
        #expect(abs(model.position(at: 3000).progress - 0.5) < 1e-6)
        Self.add(&model, [(6000, .move, 480 - 384 * 2 / .pi, 10)])
        #expect(abs(model.position(at: 6000).progress - 0.75) < 1e-6)
        Self.add(&model, [(9000, .move, -500, 10)])
        #expect(model.position(at: 9000).progress == 1)
    }

    @Test func axisAndSignFollowTheLook() throws {
        var backward = try Self.model("flip", [(.direction, "backward"), (.spine, "0.25")])
        // Mirrored, the pointer begins at 860, 620 pixels from the spine at 240.
        Self.add(&backward, [(0, .down, 100, 100), (2000, .move, 410, 100)])
        #expect(Self.isNear(backward.position(at: 2000).progress, 0.25))
        var vertical = try Self.model("flip", [(.orientation, "vertical")])
        Self.add(&vertical, [(0, .down, 100, 470), (2000, .move, 700, 370)])
        #expect(Self.isNear(vertical.position(at: 2000).progress, 0.25))
    }

    @Test func aPageFallsToTheHalfThatItIsIn() throws {
        var model = try Self.model("flip")
        Self.add(&model, [(0, .down, 864, 100), (1000, .move, 672, 100), (2000, .up, 672, 100)])
        // Half a stage takes 150 ms, eased out: cubic-bezier(0, 0, 0.58, 1) at 0.5 is 0.6846...
        #expect(Self.isNear(model.position(at: 2075).progress, 0.25 * (1 - 0.6846431874274606)))
        #expect(model.position(at: 2149).progress > 0)
        #expect(model.position(at: 2150).progress == 0)

        var over = try Self.model("flip")
        Self.add(&over, [(0, .down, 864, 100), (1000, .move, 384, 100), (2000, .up, 384, 100)])
        #expect(Self.isNear(over.position(at: 2000).progress, 0.625))
        #expect(over.position(at: 2224).progress < 1)
        #expect(over.position(at: 2225).progress == 1)
    }

    @Test func aFastReleaseDecidesUnlessTheCrossAxisIsFaster() throws {
        // 20 pixels in 100 ms are 200 a second.
        var model = try Self.model("flip")
        Self.add(&model, [(0, .down, 864, 100), (1000, .move, 844, 100), (1100, .up, 824, 100)])
        let begin = 40.0 / 768
        #expect(Self.isNear(model.position(at: 1100).progress, begin))
        // The rest of the first stage goes on evenly: 300 ms for 0.5 of the progress.
        #expect(Self.isNear(model.position(at: 1160).progress, begin + 0.1))
        #expect(model.position(at: 1100 + 600 * (1 - begin) - 0.01).progress < 1)
        #expect(model.position(at: 1100 + 600 * (1 - begin) + 0.01).progress == 1)

        var crossing = try Self.model("flip")
        Self.add(&crossing, [(0, .down, 864, 100), (1000, .move, 844, 100), (1100, .up, 824, 150)])
        #expect(crossing.position(at: 2000).progress == 0)
    }

    @Test func aPageLeavesAFastHandAtOnce() throws {
        var model = try Self.model("flip")
        // 80 pixels in 100 ms are 800 a second.
        Self.add(
            &model,
            [
                (0, .down, 864, 100), (900, .move, 860, 100), (960, .move, 830, 100), (980, .move, 820, 100),
                (1000, .move, 780, 100),
            ])
        #expect(!model.isHeld)
        #expect(model.isMoving(at: 1000))
        // What the pointer does then is of no account.
        Self.add(&model, [(1010, .move, 900, 100), (1020, .up, 900, 100)])
        #expect(model.position(at: 1700).progress == 1)
        var back = try Self.model("flip", at: 0.6)
        Self.add(
            &back,
            [
                (0, .down, 500, 100), (900, .move, 500, 100), (960, .move, 520, 100), (980, .move, 530, 100),
                (1000, .move, 580, 100),
            ])
        #expect(!back.isHeld)
        #expect(back.position(at: 1700).progress == 0)
    }

    /// A single event may carry any distance; the page stays in the hand until the speed is known from several of them.
    @Test func oneJumpOfThePointerIsNotASpeed() throws {
        var model = try Self.model("flip")
        // 14 pixels within 16 ms of the press would be 875 a second.
        Self.add(&model, [(0, .down, 864, 100), (16, .move, 850, 100)])
        #expect(model.isHeld)
        #expect(Self.isNear(model.position(at: 16).progress, 14.0 / 768))
        // Many events within 16 ms are as little.
        Self.add(&model, [(18, .move, 848, 100), (20, .move, 846, 100), (22, .move, 844, 100)])
        #expect(model.isHeld)
        // The hand can go back.
        Self.add(&model, [(300, .move, 864, 100), (500, .up, 864, 100)])
        #expect(model.position(at: 2000).progress == 0)
    }

    @Test func aPageThatLeftTheHandCanBeCaught() throws {
        var model = try Self.model("flip")
        Self.add(&model, [(0, .down, 864, 100), (20, .move, 844, 100), (40, .move, 824, 100), (60, .move, 804, 100)])
        #expect(!model.isHeld)
        Self.add(&model, [(160, .up, 804, 100), (200, .down, 700, 100)])
        #expect(model.isHeld && !model.isMoving(at: 200))
        #expect(model.position(at: 500).progress == model.position(at: 200).progress)
    }

    @Test func aTapAtAnEdgeTurns() throws {
        var model = try Self.model("flip")
        Self.add(&model, [(0, .down, 920, 100), (80, .up, 922, 100)])
        // Eased in and out: half of the first stage's time is 150 ms.
        #expect(Self.isNear(model.position(at: 80 + 150).progress, 0.5 * 0.3153568125725393))
        #expect(Self.isNear(model.position(at: 80 + 300).progress, 0.5))
        #expect(model.position(at: 680).progress == 1)
        Self.add(&model, [(1000, .down, 40, 100), (1050, .up, 40, 100)])
        #expect(model.position(at: 1700).progress == 0)
        // 45 pixels from the edge are too many.
        Self.add(&model, [(2000, .down, 915, 100), (2050, .up, 915, 100)])
        #expect(model.position(at: 2300).progress == 0)
    }

    @Test func theFirstAndTheLastPageHaveARubberBand() throws {
        var model = try Self.model("flip")
        // half = 240, half' = 240 + max(480, 240 + 480) = 960, u = 100^1.6667 / 2880.
        Self.add(&model, [(0, .down, 240, 100), (1000, .move, 340, 100)])
        let band = model.position(at: 1000)
        #expect(band.progress == 0)
        #expect(Self.isNear(band.bump, -0.14273043730393742))
        Self.add(&model, [(3000, .up, 340, 100)])
        #expect(model.position(at: 3010).bump > band.bump)
        #expect(model.position(at: 3000 + 600 * -band.bump + 0.01) == GesturePosition(progress: 0))

        var last = try Self.model("flip", at: 1)
        Self.add(&last, [(0, .down, 720, 100), (1000, .move, 620, 100)])
        #expect(Self.isNear(last.position(at: 1000).bump, 0.14273043730393742))
        #expect(last.position(at: 1000).progress == 1)
        // A tap lifts the page by a third of a stage, in as much of a stage's 300 ms.
        var tapped = try Self.model("flip")
        Self.add(&tapped, [(0, .down, 20, 100), (0, .up, 20, 100)])
        #expect(Self.isNear(tapped.position(at: 100).bump, -1.0 / 6))
        #expect(tapped.position(at: 200).bump == 0)
    }

    @Test func aPageInMotionCanBeGrabbed() throws {
        var model = try Self.model("flip")
        Self.add(&model, [(0, .down, 940, 100), (0, .up, 940, 100), (300, .down, 600, 100)])
        #expect(Self.isNear(model.position(at: 900).progress, 0.5))
        // 120 pixels from the spine.
        Self.add(&model, [(1000, .move, 540, 100)])
        #expect(Self.isNear(model.position(at: 1000).progress, 0.75))
        Self.add(&model, [(2000, .cancel, 540, 100)])
        #expect(model.position(at: 4000).progress == 1)
    }

    // MARK: Peel

    @Test func aSheetsCornerFollowsThePointer() throws {
        var model = try Self.model("curl", [(.angle, "0")])
        // R = 115.2, and the contact line has come (960 + 2.2 R) / 2 = 606.72 at half: the corner is at 108.47.
        let corner = 960 + Double.pi * 115.2 - 2 * 606.72
        Self.add(&model, [(0, .down, 900, 300), (2000, .move, corner, 20)])
        #expect(Self.isNear(model.position(at: 2000).progress, 0.5))
        // As far as the sheet bends, the corner is at 960 + R sin(s/R) - s; s = R.
        Self.add(&model, [(4000, .move, 960 + 115.2 * 0.8414709848078965 - 115.2, 20)])
        #expect(Self.isNear(model.position(at: 4000).progress, 115.2 / 1213.44))
        Self.add(&model, [(6000, .move, 980, 20)])
        #expect(model.position(at: 6000).progress == 0)
    }

    @Test func aTiltedSheetIsFollowedAlongItsNormal() throws {
        var model = try Self.model("curl", [(.angle, "30")])
        let (c, s) = (0.75.squareRoot(), 0.5)
        let radius = 115.2
        let (high, low) = (960 * c + 540 * s, -2.2 * radius)
        let place = high + Double.pi * radius - 2 * 0.6 * (high - low)
        // Any point of that line: here at y = 200.
        Self.add(&model, [(0, .down, 900, 300), (2000, .move, (place - 200 * s) / c, 200)])
        #expect(Self.isNear(model.position(at: 2000).progress, 0.6))
    }

    // MARK: Cards, swipes

    @Test func aCardMovesAsThePointerAndKeepsItsSpeed() throws {
        var model = try Self.model("card")
        Self.add(&model, [(0, .down, 900, 100), (1000, .move, 652, 100), (1100, .up, 612, 100)])
        // 0.3 of the width; 400 pixels a second are 0.25 turns in 600 ms, less than the least speed of 1.
        #expect(Self.isNear(model.position(at: 1100).progress, 0.3))
        let step = 1000.0 / 60
        // 1/36 of a turn at speed 1 in each step; the speed approaches 1 by a twelfth of the difference.
        #expect(Self.isNear(model.position(at: 1100 + step).progress, 0.3 + 0.25 / 36))
        #expect(Self.isNear(model.position(at: 1100 + 2 * step).progress, 0.3 + (0.25 + 0.3125) / 36))
        #expect(Self.isNear(model.position(at: 1100 + 1.5 * step).progress, 0.3 + (0.25 + 0.15625) / 36))
        #expect(model.position(at: 2500).progress == 1)
        // Faster than four turns in 600 ms counts as four.
        var fast = try Self.model("card")
        Self.add(&fast, [(0, .down, 900, 100), (50, .move, 560, 100), (50, .up, 560, 100)])
        #expect(Self.isNear(fast.position(at: 50 + step).progress, 340.0 / 960 + 4.0 / 36))
    }

    @Test(arguments: ["cube", "box", "swing", "doors", "blinds", "push", "slide", "wipe", "dissolve", "dip"])
    func otherStylesMoveAsCards(style: String) throws {
        var model = try Self.model(style)
        Self.add(&model, [(0, .down, 900, 100), (1000, .move, 420, 500)])
        #expect(Self.isNear(model.position(at: 1000).progress, 0.5))
        Self.add(&model, [(1200, .move, 424, 500), (1250, .up, 428, 500)])
        #expect(model.position(at: 3000).progress == 0)
    }

    /// Up or down the frame, if the panels turn about a level axis.
    @Test(arguments: ["cube", "box", "swing", "doors", "blinds", "push", "slide", "wipe"])
    func panelsFollowTheirAxis(style: String) throws {
        var model = try Self.model(style, [(.orientation, "vertical"), (.direction, "backward")])
        let (start, end) = (100.0, 370.0)
        Self.add(&model, [(0, .down, 900, start), (1000, .move, 100, end)])
        #expect(Self.isNear(model.position(at: 1000).progress, 0.5))
        // 2700 pixels a second are 3 turns in 600 ms.
        Self.add(&model, [(1100, .move, 100, end), (1150, .move, 100, end + (end - start) / 2)])
        Self.add(&model, [(1150, .up, 100, end + (end - start) / 2)])
        #expect(Self.isNear(model.position(at: 1150).progress, 0.75))
        #expect(model.position(at: 3000).progress == 1)
    }

    @Test func aSwipeHasItsOwnLength() throws {
        var model = try Self.model("flip", look: "vctransitions")
        Self.add(&model, [(0, .down, 900, 100), (1000, .move, 780, 100)])
        #expect(Self.isNear(model.position(at: 1000).progress, 0.6))
        Self.add(&model, [(2000, .up, 780, 100)])
        // At the speed 0.4, the other 0.4 take the whole duration.
        #expect(Self.isNear(model.position(at: 2300).progress, 0.8))
        #expect(model.position(at: 2600).progress == 1)
        var short = try Self.model("flip", look: "vctransitions")
        Self.add(&short, [(0, .down, 900, 100), (1000, .move, 820, 100), (2000, .up, 820, 100)])
        // 0.4 back at the speed 0.6 take 400 ms.
        #expect(Self.isNear(short.position(at: 2200).progress, 0.2))
        #expect(short.position(at: 2400.01).progress == 0)
        var long = try Self.model("flip", look: "vctransitions")
        Self.add(&long, [(0, .down, 900, 100), (1000, .move, 400, 100)])
        #expect(Self.isNear(long.position(at: 1000).progress, 0.99))
    }

    // MARK: Pinches

    @Test func twoFingersFold() throws {
        var fold = try Self.model("fold")
        Self.add(&fold, [(0, .down, 480, 70)], pointer: 1)
        Self.add(&fold, [(100, .down, 480, 470)], pointer: 2)
        Self.add(&fold, [(1000, .move, 480, 170)], pointer: 1)
        #expect(Self.isNear(fold.position(at: 1000).progress, 0.25))
        Self.add(&fold, [(2000, .move, 480, 330)], pointer: 2)
        #expect(Self.isNear(fold.position(at: 2000).progress, 0.6))
        Self.add(&fold, [(3000, .up, 480, 330)], pointer: 2)
        // The other 0.4 take 240 ms, eased out.
        #expect(Self.isNear(fold.position(at: 3120).progress, 0.6 + 0.4 * 0.6846431874274606))
        #expect(fold.position(at: 3240.01).progress == 1)

        var unfold = try Self.model("unfold")
        Self.add(&unfold, [(0, .down, 480, 220)], pointer: 1)
        Self.add(&unfold, [(100, .down, 480, 320)], pointer: 2)
        Self.add(&unfold, [(1000, .move, 480, 345)], pointer: 2)
        #expect(Self.isNear(unfold.position(at: 1000).progress, 0.25))
    }

    @Test func aFastPinchDecides() throws {
        var model = try Self.model("fold")
        Self.add(&model, [(0, .down, 480, 70)], pointer: 1)
        Self.add(&model, [(0, .down, 480, 470)], pointer: 2)
        Self.add(&model, [(950, .move, 480, 470)], pointer: 2)
        // From 400 to 340 pixels in 100 ms: 1.5 a second.
        Self.add(&model, [(1000, .move, 480, 410), (1050, .up, 480, 410)], pointer: 2)
        #expect(Self.isNear(model.position(at: 1050).progress, 0.15))
        #expect(model.position(at: 2000).progress == 1)
    }

    @Test func theWheelPinchesWithControl() throws {
        var model = try Self.model("fold")
        // Chromium sends 100 ln 2 for a pinch to half the distance.
        for step in 1...4 {
            model.add(GestureSample(time: Double(step) * 150, .wheel, x: 0.5, y: 0.5, wheel: 25 * 0.6931471805599453))
        }
        #expect(Self.isNear(model.position(at: 600).progress, 0.5))
        // It ends after a pause of 200 ms; half of the way completes.
        #expect(Self.isNear(model.position(at: 799).progress, 0.5))
        #expect(model.position(at: 1101).progress == 1)
    }

    @Test func aDragFoldsAndTapsCloseTheBook() throws {
        var fold = try Self.model("fold", [(.orientation, "vertical")])
        Self.add(&fold, [(0, .down, 480, 500), (1000, .move, 100, 365)])
        #expect(Self.isNear(fold.position(at: 1000).progress, 0.25))
        var book = try Self.model("spine-fold")
        for tap in 0..<3 {
            let time = Double(tap) * 500
            Self.add(&book, [(time, .down, 700, 100), (time + 50, .up, 700, 100)])
        }
        // Three times 7.5 of 180 degrees.
        #expect(Self.isNear(book.position(at: 1500).progress, 0.125))
        Self.add(&book, [(2000, .down, 200, 100), (2050, .up, 200, 100)])
        #expect(Self.isNear(book.position(at: 2500).progress, 15.0 / 180))
    }
}

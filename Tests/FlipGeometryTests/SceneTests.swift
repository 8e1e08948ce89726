import FlipGeometry
import TestSupport
import Testing

/// Scenes, compared with the formulas of EFFECTS 3 to 6 as the reference renderer implements them.
@Suite struct SceneTests {
    private func scene(_ test: RandomCase) throws -> Scene {
        Scene(
            style: try Styles.named(test.style), look: test.look,
            stage: Stage(width: Double(test.width), height: Double(test.height)), progress: test.progress)
    }

    /// Random cases in which the camera stays where it is.
    private func cases(_ style: String, count: Int, seed: UInt64) throws -> [RandomCase] {
        let style = try Styles.named(style)
        return RandomCase.cases(style: style, count: count, seed: seed).map { test in
            var test = test
            if !style.pullsBackItself { test.look.pullBack = 1 }
            return test
        }
    }

    /// EFFECTS 9: seen from a camera that has stepped back, every point is nearer to the frame's center by one factor.
    @Test func theCameraStepsBackFromTheFinishedScene() throws {
        for style in Styles.all where style.options.contains(.pullBack) && !style.pullsBackItself {
            for var test in RandomCase.cases(style: style, count: 50, seed: 6500) where style.name != "curl" {
                test.look.pullBack = 1
                let near = try scene(test)
                test.look.pullBack = 0.6
                let far = try scene(test)
                let wave = sin(Double.pi * test.progress)
                let scale = 1 - 0.4 * wave * wave
                let seen = { (scene: Scene, sheet: Sheet, s: Double) in
                    let lean = 1 - sheet.height(s) / scene.camera.height
                    return scene.camera.along + (sheet.position(s) - scene.camera.along) / lean
                }
                for (sheet, moved) in zip(near.rigidSheets, far.rigidSheets)
                where sheet.height(sheet.cut.upperBound) < 0.9 * near.camera.height {
                    for s in [sheet.cut.lowerBound, sheet.cut.upperBound] {
                        let center = near.length / 2
                        let expected = center + scale * (seen(near, sheet, s) - center)
                        #expect(abs(seen(far, moved, s) - expected) < 1e-6 * max(1, abs(expected)), "\(test)")
                    }
                }
            }
        }
    }

    @Test(arguments: Styles.all.map(\.name)) func sheetsStandWhereTheDefinitionPutsThem(style: String) throws {
        for test in try cases(style, count: 400, seed: 1000) {
            let scene = try scene(test)
            // The pieces beneath a bent sheet lie flat and cover less than the pictures; CurlTests judge its frames.
            if scene.bentSheet != nil { continue }
            for step in 0..<37 {
                // Never exactly at the end of a cut, which two sheets share.
                let s = (Double(step) + 0.4137) / 37 * scene.length
                var expected = Reference.points(
                    style: style, look: test.look, progress: test.progress, length: scene.length,
                    breadth: scene.breadth, texture: s)
                for sheet in scene.rigidSheets where sheet.cut.contains(s) {
                    let close = { (left: Double, right: Double) in abs(left - right) < 1e-9 * max(scene.length, 1) }
                    let match = expected.firstIndex { point in
                        point.isOutgoing == (sheet.picture == .outgoing) && close(point.along, sheet.position(s))
                            && close(point.height, sheet.height(s)) && close(point.acrossScale, sheet.acrossScale)
                            && close(point.shade, sheet.shade(s)) && point.isOnTop == (sheet.rank > 0)
                    }
                    #expect(match != nil, "\(test): sheet \(sheet) at \(s)")
                    if let match { expected.remove(at: match) }
                }
                #expect(expected.isEmpty, "\(test): missing at \(s): \(expected)")
            }
        }
    }

    @Test(arguments: Styles.all.map(\.name)) func cameraStandsAboveTheViewpoint(style: String) throws {
        for test in try cases(style, count: 100, seed: 2000) {
            let scene = try scene(test)
            let isHorizontal = test.look.orientation == .horizontal
            let (width, height) = (Double(test.width), Double(test.height))
            #expect(scene.orientation == test.look.orientation)
            #expect(scene.length == (isHorizontal ? width : height) && scene.breadth == (isHorizontal ? height : width))
            let (x, y) = (test.look.viewpoint.x * width, test.look.viewpoint.y * height)
            #expect(abs(scene.camera.along - (isHorizontal ? x : y)) < 1e-9)
            #expect(abs(scene.camera.across - (isHorizontal ? y : x)) < 1e-9)
            let page = Reference.pageLength(style: style, look: test.look, length: scene.length, breadth: scene.breadth)
            if test.look.perspective == 0 {
                #expect(scene.camera.height == .infinity)
            } else {
                #expect(abs(scene.camera.height - test.look.perspective * page) < 1e-9)
            }
        }
    }

    /// At both ends, flat sheets in their own place cover the whole frame, whatever the look; or a fade shows only the
    /// one picture.
    @Test(arguments: Styles.all.map(\.name)) func pagesLieFlatAtBothEnds(style: String) throws {
        for var test in try cases(style, count: 100, seed: 3000) {
            for (progress, picture) in [(0.0, Picture.outgoing), (1, .incoming)] {
                test.progress = progress
                let scene = try scene(test)
                // The flat pieces of a curl and of a page that bends lie beneath its sheet.
                if style == "curl" || scene.bentSheet != nil { continue }
                if let fade = scene.fade {
                    let weight = fade.ramp?.mean(0, scene.length) ?? fade.part
                    #expect(abs(weight - weight.rounded()) < 1e-9)
                    let shown = [0: fade.from, 1: fade.to][weight.rounded()]
                    #expect(shown == (picture == .outgoing ? .outgoing : .incoming), "\(test) at \(progress)")
                    continue
                }
                let flat = scene.rigidSheets.filter { $0.picture == picture && liesFlat($0) }
                let covered = flat.map(\.cut).sorted { $0.lowerBound < $1.lowerBound }
                var reach = 0.0
                for cut in covered where cut.lowerBound <= reach + 1e-9 { reach = max(reach, cut.upperBound) }
                #expect(abs(reach - scene.length) < 1e-9, "\(test) at \(progress): flat cuts \(covered)")
            }
        }
    }

    /// Whether a sheet lies in its picture's own place, except for rounding, and shows no shade.
    private func liesFlat(_ sheet: Sheet) -> Bool {
        [sheet.cut.lowerBound, (sheet.cut.lowerBound + sheet.cut.upperBound) / 2, sheet.cut.upperBound].allSatisfy {
            abs(sheet.position($0) - $0) < 1e-9 && abs(sheet.height($0)) < 1e-9 && sheet.shade($0) < 1e-12
        } && sheet.acrossScale == 1
    }

    /// Two sheets of one picture whose cuts adjoin also meet in space. This does not hold for a pair of sleeves.
    @Test(arguments: ["fold", "unfold", "spine-fold", "card", "flip", "swing"])
    func hingesHoldTogether(style: String) throws {
        for test in try cases(style, count: 200, seed: 4000) {
            let scene = try scene(test)
            for left in scene.rigidSheets {
                for right in scene.rigidSheets where left.cut.upperBound == right.cut.lowerBound {
                    let s = left.cut.upperBound
                    let isHinge = left.picture == right.picture && !isPairOfSleeves(left, right, style)
                    guard isHinge else { continue }
                    #expect(abs(left.position(s) - right.position(s)) < 1e-9, "\(test)")
                    #expect(abs(left.height(s) - right.height(s)) < 1e-9, "\(test)")
                }
            }
        }
    }

    private func isPairOfSleeves(_ left: Sheet, _ right: Sheet, _ style: String) -> Bool {
        (style == "fold" && left.picture == .incoming) || (style == "unfold" && left.picture == .outgoing)
    }

    @Test func bookShadowIsTheBoxOfTheDefinition() throws {
        for test in try cases("spine-fold", count: 200, seed: 5000) {
            let scene = try scene(test)
            guard test.look.shadow == .gradient else {
                #expect(scene.softShadow == nil)
                continue
            }
            let shadow = try #require(scene.softShadow)
            // The box is the area that the pages cover without perspective.
            let ends = scene.rigidSheets.flatMap { [$0.position($0.cut.lowerBound), $0.position($0.cut.upperBound)] }
            #expect(
                abs(shadow.along.lowerBound - ends.min()!) < 1e-9 && abs(shadow.along.upperBound - ends.max()!) < 1e-9)
            let half = scene.rigidSheets[0].acrossScale * scene.breadth / 2
            #expect(abs(shadow.across.lowerBound - (scene.breadth / 2 - half)) < 1e-9)
            #expect(abs(shadow.across.upperBound - (scene.breadth / 2 + half)) < 1e-9)
            #expect(abs(shadow.deviation - 0.02 * scene.breadth) < 1e-12)
            #expect(abs(shadow.opacity - 0.5 * test.look.shadowStrength) < 1e-12)
        }
    }

    @Test func onlyOuterCornersAreRounded() throws {
        var look = try Styles.named("spine-fold").defaults
        look.cornerRadius = 9
        let stage = Stage(width: 60, height: 40)
        let book = Scene(style: try Styles.named("spine-fold"), look: look, stage: stage, progress: 0.3)
        #expect(book.rigidSheets.map { [$0.cornerRadius.lower, $0.cornerRadius.upper] } == [[9, 0], [0, 9]])
        let card = Scene(style: try Styles.named("card"), look: look, stage: stage, progress: 0.3)
        #expect(card.rigidSheets.map { [$0.cornerRadius.lower, $0.cornerRadius.upper] } == [[9, 9]])
    }

    @Test(arguments: Styles.all.map(\.name)) func everyOptionChangesTheSceneOrItsColors(style: String) throws {
        let style = try Styles.named(style)
        let stage = Stage(width: 64, height: 36)
        // A shutter changes how long scenes are seen.
        for option in style.options where option != .shutter {
            let changes = try (0..<50).contains { seed in
                var random = SplitMix64(seed: UInt64(seed))
                let value = RandomCase.randomValue(of: option, style: style, &random)
                // Only a book has a spine.
                let others: [(option: LookOption, value: String)] =
                    style.name == "curl" && option == .spine ? [(.mode, "book")] : []
                let styled = try StyledLook(style: style, options: others + [(option, value)])
                let plain = try StyledLook(style: style)
                if option == .shadowColor { return styled.look.shadowColor != plain.look.shadowColor }
                return scene(styled, stage) != scene(plain, stage)
            }
            #expect(changes, "\(option.rawValue) of \(style.name) never changes the scene")
        }
    }

    private func scene(_ look: StyledLook, _ stage: Stage) -> Scene {
        Scene(style: look.style, look: look.look, stage: stage, progress: look.look.easing(0.3))
    }
}

extension Scene {
    /// The sheets that lie in planes.
    fileprivate var rigidSheets: [Sheet] { sheets.filter { $0.plane != nil } }
}

extension Sheet {
    // The properties of a rigid sheet's plane.
    fileprivate var position: Line { plane!.position }
    fileprivate var height: Line { plane!.height }
    fileprivate var acrossScale: Double { plane!.acrossScale }
}

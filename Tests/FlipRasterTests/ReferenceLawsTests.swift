import FlipGeometry
import FlipRaster
import TestSupport
import Testing

/// Properties that hold for every style, tested over seeded random cases.
@Suite struct ReferenceLawsTests {
    private func cases(_ style: String, count: Int, seed: UInt64) throws -> [RandomCase] {
        // They concern the reference alone, which changes rarely.
        Places.some(RandomCase.cases(style: try Styles.named(style), count: count, seed: seed), every: 4)
    }

    /// EFFECTS 1: the backward direction mirrors the geometry, but neither the pictures nor the viewpoint.
    @Test(arguments: Styles.all.map(\.name)) func backwardIsTheMirroredPicturesMirrored(style: String) throws {
        for var test in try cases(style, count: 12, seed: 100) {
            test.format = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2, chromaLocation: .center)
            (test.width, test.height) = (36, 28)
            test.pattern = .smooth
            let mirror = { (picture: TestPicture) in
                test.look.orientation == .horizontal ? picture.mirroredLeftRight : picture.mirroredTopBottom
            }
            let (from, to) = test.pictures
            var forward = test.look
            forward.direction = .forward
            var backward = test.look
            backward.direction = .backward
            if test.look.orientation == .horizontal {
                forward.viewpoint.x = 1 - forward.viewpoint.x
            } else {
                forward.viewpoint.y = 1 - forward.viewpoint.y
            }
            let direct = Reference.render(
                style: style, look: backward, background: test.background, progress: test.progress, from: from, to: to)
            let mirrored = Reference.render(
                style: style, look: forward, background: test.background, progress: test.progress, from: mirror(from),
                to: mirror(to))
            // The grid of rays is not mirrored, so slanted edges may differ by a few of 256 rays.
            #expect(PictureDifference(direct, mirror(mirrored)).worst <= 12, "\(test)")
        }
    }

    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4))
    func verticalIsHorizontalTransposed(style: String) throws {
        for var test in try cases(style, count: 12, seed: 200) {
            test.format.chromaLocation = .topLeft
            let (from, to) = test.pictures
            var turned = test.look
            turned.orientation = test.look.orientation == .horizontal ? .vertical : .horizontal
            turned.viewpoint = Viewpoint(x: test.look.viewpoint.y, y: test.look.viewpoint.x)
            let transposed = Reference.render(
                style: style, look: turned, background: test.background, progress: test.progress, from: from.transposed,
                to: to.transposed)
            #expect(test.reference() == transposed.transposed, "\(test)")
        }
    }

    /// More rays change little: the reference shows the mean over the area, not an artifact of its grid of rays.
    @Test(arguments: Places.some(Styles.all.map(\.name), every: 4)) func moreRaysAgree(style: String) throws {
        for var test in try cases(style, count: 10, seed: 300) {
            if test.pattern == .noise { test.pattern = .slide }
            (test.width, test.height) = (min(test.width, 60), min(test.height, 40))
            let difference = PictureDifference(test.reference(), test.reference(samplesPerAxis: 41))
            #expect(difference.psnr > 46, "\(test): \(difference)")
        }
    }

    /// If the pictures, the background, the shadow and what a dip goes through have the same color, no other color appears.
    @Test(arguments: Styles.all.map(\.name)) func oneColorStaysOneColor(style: String) throws {
        for var test in try cases(style, count: 20, seed: 400) {
            test.format = PictureFormat(components: .gbr, isFullRange: true)
            (test.look.shadowColor, test.look.through, test.look.paper) = (.white, .white, .white)
            let white = TestPicture(format: test.format, width: 21, height: 17, filledWith: [255, 255, 255])
            let frame = Reference.render(
                style: style, look: test.look, background: test.look.shadowColor, progress: test.progress, from: white,
                to: white)
            #expect(frame == white, "\(test)")
        }
    }

    @Test(arguments: Styles.all.map(\.name)) func everyOptionChangesThePicture(style: String) throws {
        let style = try Styles.named(style)
        // Neither of these two is seen in a single moment.
        for option in style.options where option != .easing && option != .shutter {
            // Doors are their own mirror image.
            let isMirrored = style.name == "doors" && option == .direction
            let changes = try (0..<(isMirrored ? 6 : 60)).contains { seed in
                var test = RandomCase(style: style, seed: 500 + UInt64(seed))
                test.format = PictureFormat(components: .yuv)
                (test.width, test.height) = (24, 20)
                test.progress = 0.3
                test.look.shadow = style.defaults.shadow
                var changed = test
                var random = SplitMix64(seed: UInt64(seed))
                try option.set(&changed.look, to: RandomCase.randomValue(of: option, style: style, &random))
                if changed.look.mode == .cubic { changed.look.creases = 1 }
                return changed.look != test.look
                    && changed.reference(samplesPerAxis: 4) != test.reference(samplesPerAxis: 4)
            }
            #expect(
                changes != isMirrored,
                "\(option.rawValue) of \(style.name): \(changes ? "changes" : "never changes") it")
        }
    }

    @Test func memoryIsLentWithGuards() throws {
        for format in PictureFormat.testFormats {
            var picture = Pattern.noise.picture(format, width: 9, height: 7, seed: 1)
            let before = picture
            try picture.withMutableView { _ in }
            #expect(picture == before)
            let last = format.planeCount - 1
            #expect(throws: GuardError.self) {
                try picture.withMutableView { view in
                    let plane = view[last]
                    let end = plane.base + plane.stride * (plane.height - 1) + plane.width * format.bytesPerSample
                    end.storeBytes(of: end.load(as: UInt8.self) &+ 1, as: UInt8.self)
                }
            }
            #expect(throws: GuardError.self) {
                try picture.withMutableView { view in
                    let place = view[0].base - 1
                    place.storeBytes(of: place.load(as: UInt8.self) &+ 1, as: UInt8.self)
                }
            }
            #expect(throws: GuardError.self) {
                try picture.withView { $0[0].base.storeBytes(of: $0[0].base.load(as: UInt8.self) ^ 1, as: UInt8.self) }
            }
        }
    }
}

import FlipGeometry
import OpenFXHost
import Testing

/// Frames of bytes and shorts are those of the library.
@Suite struct OpenFXDrawingTests {
    private static let whole: [HostImage.Depth] = [.byte, .short]

    @Test(arguments: whole, [3, 4]) func theFramesAreTheLibrarys(depth: HostImage.Depth, channels: Int) throws {
        for (index, style) in Styles.all.enumerated() {
            let progress = 0.15 + 0.7 * Double(index) / Double(Styles.all.count)
            let images = [1, 2].map { seed in
                let image = HostImage(depth, channels: channels, width: 61, height: 43, isUpsideDown: seed == 2)
                image.fill(seed: UInt64(seed + index))
                return image
            }
            let target = HostImage(depth, channels: channels, width: 61, height: 43, isUpsideDown: index % 2 == 0)
            let joined = try Joined(style: style.name, progress: progress)
            #expect(joined.draw(images[0], images[1], into: target) == 0)
            let expected = try drawnByLibrary(
                style, [.easing("linear")], progress: progress, images[0], images[1])
            #expect(worst(target.samples, expected) <= 1, "\(style.name)")
            #expect(target.isIntact && images.allSatisfy(\.isIntact))
        }
    }

    /// Straight alpha is drawn as the library draws it, over a background that is partly transparent.
    @Test(arguments: whole) func straightAlphaIsTheLibrarys(depth: HostImage.Depth) throws {
        let images = [1, 2].map { seed in
            let image = HostImage(depth, width: 48, height: 36)
            image.fill(seed: UInt64(seed), .partial)
            return image
        }
        let target = HostImage(depth, width: 48, height: 36)
        let joined = try Joined(style: "card", progress: 0.3)
        joined.effect.parameters.set("background", to: 0.25, 0.5, 1)
        joined.effect.parameters.set("background_opacity", to: 0.5)
        #expect(joined.draw(images[0], images[1], into: target) == 0)
        let expected = try drawnByLibrary(
            Styles.card, progress: 0.3, images[0], images[1],
            background: Color(red: 0.25, green: 0.5, blue: 1, alpha: 0.5))
        #expect(worst(target.samples, expected) <= 1)
    }

    @Test(arguments: HostImage.Depth.allCases, [Joined.transition, Joined.general])
    func theEndsAreThePictures(depth: HostImage.Depth, context: String) throws {
        for state in ["OfxImageAlphaPremultiplied", "OfxImageAlphaUnPremultiplied"] {
            let images = [1, 2].map { seed in
                let image = HostImage(depth, width: 37, height: 21, isUpsideDown: seed == 1, state: state)
                image.fill(seed: UInt64(seed), .partial)
                return image
            }
            for (progress, expected) in [(0.0, images[0]), (1.0, images[1])] {
                let target = HostImage(depth, width: 37, height: 21, state: state)
                let joined = try Joined(context: context, style: "fold", progress: progress)
                #expect(joined.draw(images[0], images[1], into: target) == 0)
                #expect(target.samples == expected.samples)
            }
        }
    }

    /// The lowest row of the interface is the picture's last one.
    @Test func picturesAreNotUpsideDown() throws {
        let from = HostImage(.byte, width: 16, height: 12)
        let to = HostImage(.byte, width: 16, height: 12)
        from.fill(seed: 1)
        to.fill(seed: 2)
        let joined = try Joined(style: "wipe", progress: 0.5)
        joined.effect.parameters.choose("orientation", "vertical")
        joined.effect.parameters.set("softness", to: 0)
        let target = HostImage(.byte, width: 16, height: 12)
        #expect(joined.draw(from, to, into: target) == 0)
        let row = 16 * 4
        // EFFECTS 11: the second picture is beyond the edge, which here comes from below.
        #expect(Array(target.samples[..<(6 * row)]) == Array(from.samples[..<(6 * row)]))
        #expect(Array(target.samples[(6 * row)...]) == Array(to.samples[(6 * row)...]))
    }

    /// What is multiplied by alpha stays so: a frame of floats, divided, is the one of straight pictures.
    @Test(arguments: HostImage.Depth.allCases) func alphaMayBeMultiplied(depth: HostImage.Depth) throws {
        for style in ["flip", "card", "spine-fold", "dissolve", "curl"] {
            let straight = [1, 2].map { seed in
                let image = HostImage(.float, width: 40, height: 30)
                image.fill(seed: UInt64(seed), .partial)
                for y in 0..<30 { for x in 0..<40 { for c in 0..<3 { image[x, y, c] = abs(image[x, y, c]) / 2 } } }
                return image
            }
            let multiplied = straight.map { straight in
                let image = HostImage(depth, width: 40, height: 30, state: "OfxImageAlphaPremultiplied")
                for y in 0..<30 {
                    for x in 0..<40 {
                        for c in 0..<4 {
                            let value = straight[x, y, c] * (c == 3 ? 1 : straight[x, y, 3])
                            image[x, y, c] = depth == .float ? value : (value * depth.peak).rounded()
                        }
                    }
                }
                return image
            }
            let exact = HostImage(.float, width: 40, height: 30)
            let target = HostImage(depth, width: 40, height: 30, state: "OfxImageAlphaPremultiplied")
            for (images, target) in [(straight, exact), (multiplied, target)] {
                let joined = try Joined(style: style, progress: 0.4)
                joined.effect.parameters.set("background_opacity", to: 0.5)
                #expect(joined.draw(images[0], images[1], into: target) == 0)
            }
            var difference = 0.0
            for y in 0..<30 {
                for x in 0..<40 {
                    for c in 0..<4 {
                        let value = exact[x, y, c] * (c == 3 ? 1 : exact[x, y, 3])
                        difference = max(difference, abs(target[x, y, c] / depth.peak - value))
                    }
                }
            }
            // The pictures are rounded, and so is the frame.
            #expect(difference <= (depth == .float ? 1e-6 : 1.01 / depth.peak), "\(style): \(difference)")
        }
    }
}

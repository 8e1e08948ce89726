import FlipGeometry
import OpenFXHost
import Testing

/// What hosts do beside asking for a whole frame of two whole pictures.
@Suite struct OpenFXHostileTests {
    private func pictures(_ depth: HostImage.Depth = .byte, width: Int = 48, height: Int = 32) -> [HostImage] {
        [1, 2].map { seed in
            let image = HostImage(depth, width: width, height: height)
            image.fill(seed: UInt64(seed))
            return image
        }
    }

    @Test(arguments: HostImage.Depth.allCases) func aMissingPictureIsTransparentBlack(depth: HostImage.Depth) throws {
        let images = pictures(depth)
        let target = HostImage(depth, width: 48, height: 32)
        let joined = try Joined(style: "dissolve", progress: 0.25)
        #expect(joined.draw(nil, images[1], into: target) == 0)
        // In place of alpha 1, there is a quarter of it.
        #expect(abs(target[20, 10, 3] / depth.peak - 0.25) <= 0.5 / depth.peak + 1e-6)
        #expect(abs(target[20, 10, 0] - images[1][20, 10, 0]) <= 4 + 1e-6)
        #expect(joined.draw(nil, nil, into: target) == 0)
        #expect(target.samples.allSatisfy { $0 == 0 } && target.isIntact)
        #expect(try Joined(progress: 0).draw(nil, images[1], into: target) == 0)
        #expect(target.samples.allSatisfy { $0 == 0 })
    }

    @Test(arguments: HostImage.Depth.allCases) func aWindowIsAPartOfTheFrame(depth: HostImage.Depth) throws {
        let images = pictures(depth)
        let (whole, part) = (HostImage(depth, width: 48, height: 32), HostImage(depth, width: 48, height: 32))
        let joined = try Joined(progress: 0.4)
        #expect(joined.draw(images[0], images[1], into: whole) == 0)
        part.fill(seed: 9)
        let before = part.samples
        #expect(joined.draw(images[0], images[1], into: part, window: [5, 7, 31, 20]) == 0)
        for y in 0..<32 {
            for x in 0..<48 {
                // The window counts rows from below.
                let isInside = (5..<31).contains(x) && (7..<20).contains(31 - y)
                for c in 0..<4 {
                    let place = (y * 48 + x) * 4 + c
                    #expect(part[x, y, c] == (isInside ? whole.samples[place] : before[place]))
                }
                if !isInside && x > 40 { break }
            }
        }
        #expect(part.isIntact)
    }

    /// Pictures at different places make a frame around both; the output may be a part of it, or more.
    @Test func picturesMayLieAnywhere() throws {
        let from = HostImage(.byte, width: 20, height: 10, origin: (-4, 3))
        let to = HostImage(.byte, width: 12, height: 16, origin: (6, -2))
        from.fill(seed: 1)
        to.fill(seed: 2)
        let target = HostImage(.byte, width: 40, height: 30, origin: (-10, -8))
        #expect(try Joined(progress: 0).draw(from, to, into: target) == 0)
        for y in 0..<30 {
            for x in 0..<40 {
                // In the interface's coordinates.
                let (column, row) = (x - 10, 29 - y - 8)
                let isInside = (-4..<16).contains(column) && (3..<13).contains(row)
                let expected = isInside ? from[column + 4, 12 - row, 1] : 0
                #expect(target[x, y, 1] == expected)
            }
        }
        #expect(target.isIntact)
    }

    @Test(arguments: [1, 2, 3, 17]) func oddSizesAreDrawn(side: Int) throws {
        for depth in HostImage.Depth.allCases {
            for style in Styles.all {
                let images = pictures(depth, width: side, height: 2 * side - 1)
                let target = HostImage(depth, width: side, height: 2 * side - 1)
                #expect(try Joined(style: style.name, progress: 0.6).draw(images[0], images[1], into: target) == 0)
                #expect(target.isIntact)
            }
        }
    }

    @Test func wrongPropertiesAreErrors() throws {
        let joined = try Joined(progress: 0.5)
        let target = HostImage(.byte, width: 16, height: 16)
        let wrong: [(String, [PropertyBag.Value])] = [
            ("OfxImageEffectPropPixelDepth", [.string("OfxBitDepthHalf")]),
            ("OfxImageEffectPropPixelDepth", [.int(8)]),
            ("OfxImageEffectPropComponents", [.string("OfxImageComponentAlpha")]),
            ("OfxImagePropData", [.pointer(0)]), ("OfxImagePropData", [.int(1)]), ("OfxImagePropRowBytes", [.int(8)]),
            ("OfxImagePropRowBytes", [.double(64)]), ("OfxImagePropBounds", [.int(0), .int(0), .int(16)]),
            ("OfxImagePropBounds", [.int(0), .int(0), .int(0), .int(0)]),
        ]
        for (name, values) in wrong {
            let image = HostImage(.byte, width: 16, height: 16)
            image.properties[name] = values
            let other = HostImage(.byte, width: 16, height: 16)
            // 7 is the interface's number for a format that isn't supported.
            #expect(joined.draw(image, other, into: target) == 7, "\(name)")
            #expect(joined.draw(other, other, into: image) == 7, "\(name)")
            // Whatever was got is given back.
            #expect([image, other, target].allSatisfy { $0.lent.load(ordering: .relaxed) == 0 })
        }
        let deep = HostImage(.short, width: 16, height: 16)
        #expect(joined.draw(target, deep, into: HostImage(.byte, width: 16, height: 16)) == 7)
    }

    @Test func fieldsAreRefusedAndAbortsAreHeeded() throws {
        let (joined, images) = (try Joined(progress: 0.5), pictures())
        let target = HostImage(.byte, width: 48, height: 32)
        target.fill(seed: 5)
        let before = target.samples
        (joined.effect.clips["SourceFrom"]!.image, joined.effect.clips["SourceTo"]!.image) = (images[0], images[1])
        joined.effect.clips["Output"]!.image = target
        #expect(joined.host.render(joined.effect, field: "OfxFieldLower") == 5)
        joined.effect.isAborted = true
        #expect(joined.host.render(joined.effect) == 0 && target.samples == before)
        joined.effect.isAborted = false
        #expect(joined.host.render(joined.effect, field: "OfxFieldBoth") == 0 && target.samples != before)
    }

    @Test func identityNamesTheClip() throws {
        let images = pictures()
        for (progress, swap, expected) in [
            (0.0, 0.0, "SourceFrom"), (1, 0, "SourceTo"), (0, 1, "SourceTo"), (1, 1, "SourceFrom"), (0.5, 0, nil),
        ] {
            let joined = try Joined(progress: progress)
            joined.effect.parameters.set("swap", to: swap)
            (joined.effect.clips["SourceFrom"]!.image, joined.effect.clips["SourceTo"]!.image) = (images[0], images[1])
            let result = PropertyBag()
            let status = joined.host.perform(
                "OfxImageEffectActionIsIdentity", joined.effect, OpenFXHost.arguments(joined.effect), result)
            // 14 is the interface's number for the default.
            #expect(status == (expected == nil ? 14 : 0))
            #expect(result.strings("OfxPropName").first == expected)
        }
    }

    @Test func regionsAreThoseOfBothPictures() throws {
        let joined = try Joined(progress: 0.5)
        joined.effect.clips["SourceFrom"]!.image = HostImage(.byte, width: 20, height: 10, origin: (-4, 3))
        joined.effect.clips["SourceTo"]!.image = HostImage(.byte, width: 12, height: 16, origin: (6, -2))
        let arguments = PropertyBag(["OfxPropTime": [.double(0)]])
        let result = PropertyBag()
        #expect(
            joined.host.perform(
                "OfxImageEffectActionGetRegionOfDefinition", joined.effect, arguments, result) == 0)
        #expect(result.numbers("OfxImageEffectPropRegionOfDefinition") == [-4, -2, 18, 14])
        #expect(
            joined.host.perform(
                "OfxImageEffectActionGetRegionsOfInterest", joined.effect, arguments, result) == 0)
        #expect(result.numbers("OfxImageClipPropRoI_SourceFrom") == [-4, 3, 16, 13])
        #expect(result.numbers("OfxImageClipPropRoI_SourceTo") == [6, -2, 18, 14])
    }

    /// Hosts draw several frames of one instance at once.
    @Test(arguments: HostImage.Depth.allCases) func manyThreadsDrawTheSame(depth: HostImage.Depth) async throws {
        let (joined, images) = (try Joined(style: "fold", progress: 0.45), pictures(depth, width: 160, height: 90))
        let expected = HostImage(depth, width: 160, height: 90)
        #expect(joined.draw(images[0], images[1], into: expected) == 0)
        let samples = expected.samples
        // Each thread has an effect with its own output, but the same instance of the plugin.
        let instance = joined.effect.properties["OfxPropInstanceData"]
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    guard let other = try? Joined(style: "fold", progress: 0.45) else { return false }
                    let target = HostImage(depth, width: 160, height: 90)
                    for _ in 0..<4 where other.draw(images[0], images[1], into: target) != 0 { return false }
                    return target.samples == samples
                }
                group.addTask {
                    let arguments = OpenFXHost.arguments(joined.effect)
                    for _ in 0..<4 {
                        let status = joined.host.perform(
                            "OfxImageEffectActionRender", joined.effect, arguments, PropertyBag())
                        if status != 0 { return false }
                    }
                    return true
                }
            }
            for await isEqual in group { #expect(isEqual) }
        }
        #expect(expected.samples == samples)
        #expect(joined.effect.properties["OfxPropInstanceData"] == instance)
    }
}

import FlipGeometry
import FlipRaster
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Pictures with alpha: the reference draws their colors multiplied by alpha, and alpha itself, as pictures without
/// alpha.
@Suite struct AlphaTests {
    private static let transparent = Color(red: 0, green: 0, blue: 0, alpha: 0)

    private func rendered(
        _ look: StyledLook, _ progress: Double, _ from: TestPicture, _ to: TestPicture,
        background: Color = transparent, threads: Int = 1
    ) throws -> TestPicture {
        try drawn(look, progress: progress, from: from, to: to, background: background, threads: threads)
    }

    /// A picture whose alpha plane is a slide: hard edges, thin lines and levels in between.
    private func picture(_ format: PictureFormat, _ pattern: Pattern, seed: UInt64) -> TestPicture {
        var picture = pattern.picture(format, width: 61, height: 43, seed: seed)
        let gray = PictureFormat(components: .gray, depth: format.depth, isFullRange: true)
        let cover = Pattern.slide.picture(gray, width: 61, height: 43, seed: seed + 100)
        picture.planes[format.planeCount - 1] = cover.planes[0]
        return picture
    }

    /// A 16-bit gray picture of the same size as `picture`, with `value` (0...1) of each sample index.
    private func gray(like picture: TestPicture, _ value: (Int) -> Double) -> TestPicture {
        let format = PictureFormat(components: .gray, depth: 16, isFullRange: true)
        var gray = TestPicture(format: format, width: picture.width, height: picture.height)
        gray.planes[0] = gray.planes[0].indices.map { UInt16((value($0) * 65535).rounded()) }
        return gray
    }

    private func alpha(_ picture: TestPicture) -> TestPicture {
        let cover = picture.planes[picture.format.planeCount - 1]
        return gray(like: picture) { Double(cover[$0]) / Double(picture.peak) }
    }

    /// Color plane `index` multiplied by alpha. The plane must be as large as the alpha plane.
    private func multiplied(_ picture: TestPicture, plane index: Int) -> TestPicture {
        let (color, cover) = (picture.planes[index], picture.planes[picture.format.planeCount - 1])
        let peak = Double(picture.peak)
        return gray(like: picture) { Double(color[$0]) / peak * Double(cover[$0]) / peak }
    }

    /// Colors are averaged multiplied by alpha, and a shadow or white gloss covers what alpha covers.
    @Test(arguments: [8, 10, 12, 16], Places.some(Styles.all.map(\.name), every: 8))
    func agreesWithTheReference(depth: Int, style: String) throws {
        let style = try Styles.named(style)
        let format = PictureFormat(components: .gbr, depth: depth, isFullRange: true, hasAlpha: true)
        let (from, to) = (picture(format, .noise, seed: 1), picture(format, .natural, seed: 2))
        for (progress, shadow) in [(0.3, Color.black), (0.7, Color(red: 1, green: 0.25, blue: 0.5))] {
            var look = style.defaults
            // As a gray picture, opaque alpha is white.
            look.through = .white
            look.paper = .white
            // The soft shadow has its own alpha, which `softShadowsFallOnNothing` tests.
            if style.name == "spine-fold" { look.shadow = .none }
            func reference(_ shadow: Shadow, _ a: TestPicture, _ b: TestPicture, gloss: Color? = .black) -> [Double] {
                var plain = look
                (plain.shadow, plain.shadowColor) = (shadow, .black)
                let drawn = Reference.render(
                    style: style.name, look: plain, progress: progress, from: a, to: b, gloss: gloss)
                return drawn.planes[0].map { Double($0) / 65535 }
            }
            // What shades leave of alpha, and what shades and gloss leave of it.
            let cover = reference(.none, alpha(from), alpha(to))
            let unshaded = reference(look.shadow, alpha(from), alpha(to), gloss: nil)
            let dull = reference(look.shadow, alpha(from), alpha(to))
            var shaded = look
            shaded.shadowColor = shadow
            let result = try rendered(try StyledLook(style: style, look: shaded), progress, from, to)
            #expect(psnr(alpha(result), gray(like: from) { cover[$0] }) >= 40, "\(style.name) alpha")
            for (index, component) in [shadow.green, shadow.blue, shadow.red].enumerated() {
                let color = reference(look.shadow, multiplied(from, plane: index), multiplied(to, plane: index))
                let expected = gray(like: from) {
                    color[$0] + (unshaded[$0] - dull[$0]) + component * (cover[$0] - unshaded[$0])
                }
                #expect(psnr(multiplied(result, plane: index), expected) >= 40, "\(style.name) plane \(index)")
            }
        }
    }

    /// An opaque black area within transparent white stays black up to its edge, in every layout of planes.
    @Test(arguments: Styles.all.map(\.name)) func nothingTransparentLendsItsColor(style: String) throws {
        let style = try Styles.named(style)
        let formats = [(1, 1), (2, 2), (2, 1)].flatMap { step in
            [PictureFormat.ChromaLocation.left, .center, .topLeft].map {
                PictureFormat(
                    components: .yuv, chromaStepX: step.0, chromaStepY: step.1, chromaLocation: $0, hasAlpha: true)
            }
        }
        for format in formats {
            var page = TestPicture(format: format, width: 64, height: 48)
            for y in 0..<48 {
                for x in 0..<64 {
                    let isInside = (10..<40).contains(x) && (12..<30).contains(y)
                    page[plane: 0, x: x, y: y] = isInside ? 16 : 235
                    page[plane: 3, x: x, y: y] = isInside ? 255 : 0
                }
            }
            // The chroma is far from gray wherever it does not touch the opaque area.
            for plane in 1...2 {
                let size = page.planeSize(plane)
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        let (left, top) = (x * format.chromaStepX, y * format.chromaStepY)
                        let isNear = (7..<43).contains(left) && (9..<33).contains(top)
                        page[plane: plane, x: x, y: y] = isNear ? 128 : 240
                    }
                }
            }
            for progress in [0.2, 0.4, 0.6, 0.8] {
                // Paper and its gloss have colors of their own.
                var options = style.defaults
                options.paperOpacity = 0
                if style.shadows.first == .paper { options.shadow = .none }
                let look = try StyledLook(style: style, look: options)
                let result = try rendered(look, progress, page, page)
                for (index, cover) in result.planes[3].enumerated() where cover >= 32 {
                    #expect(abs(Int(result.planes[0][index]) - 16) <= 4, "\(style.name) \(progress) \(index)")
                }
            }
        }
    }

    /// Fully opaque alpha changes nothing except for rounding.
    @Test(arguments: Styles.all.map(\.name)) func opaquePicturesLookAsWithoutAlpha(style: String) throws {
        let style = try Styles.named(style)
        let look = try StyledLook(style: style, look: style.defaults)
        let background = Color(red: 0.9, green: 0.4, blue: 0.1)
        for step in [1, 2] {
            let plain = PictureFormat(components: .yuv, chromaStepX: step, chromaStepY: step)
            var format = plain
            format.hasAlpha = true
            func covered(_ picture: TestPicture) -> TestPicture {
                var result = TestPicture(format: format, width: 61, height: 43)
                result.planes = picture.planes + [[UInt16](repeating: 255, count: 61 * 43)]
                return result
            }
            let from = Pattern.natural.picture(plain, width: 61, height: 43, seed: 3)
            let to = Pattern.slide.picture(plain, width: 61, height: 43, seed: 4)
            for progress in [0.25, 0.75] {
                let expected = try rendered(look, progress, from, to, background: background)
                let result = try rendered(look, progress, covered(from), covered(to), background: background)
                #expect(result.planes[3].allSatisfy { $0 == 255 })
                for plane in 0..<3 {
                    let differences = zip(result.planes[plane], expected.planes[plane]).map { abs(Int($0) - Int($1)) }
                    #expect((differences.max() ?? 0) <= 1, "\(style.name) \(progress) plane \(plane)")
                }
            }
        }
    }

    /// Pages that lie flat are not averaged at all, whatever their alpha.
    @Test func flatPagesAreUntouched() throws {
        let format = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2, hasAlpha: true)
        let (from, to) = (picture(format, .noise, seed: 5), picture(format, .noise, seed: 6))
        let look = try StyledLook(style: Flip(), options: [(.shadow, "none")])
        let result = try rendered(look, 0.3, from, to)
        for plane in 0..<4 {
            let size = from.planeSize(plane)
            let isChroma = format.isChroma(plane: plane)
            for y in 0..<size.height {
                // The facing page ends at the spine, x = 30.5.
                for x in 0..<(isChroma ? 15 : 30) {
                    #expect(result[plane: plane, x: x, y: y] == from[plane: plane, x: x, y: y])
                }
            }
        }
    }

    /// Outside the pages, the frame is transparent, or shows the background with its own alpha.
    @Test func backgroundHasAlpha() throws {
        let format = PictureFormat(components: .gbr, isFullRange: true, hasAlpha: true)
        var page = TestPicture(format: format, width: 64, height: 48)
        page.planes[3] = [UInt16](repeating: 255, count: 64 * 48)
        let card = try StyledLook(style: Card(), look: Card().defaults)
        #expect(try rendered(card, 0.4, page, page)[plane: 3, x: 1, y: 1] == 0)
        let half = Color(red: 0, green: 1, blue: 0, alpha: 0.5)
        let behind = try rendered(card, 0.4, page, page, background: half)
        #expect(abs(Int(behind[plane: 3, x: 1, y: 1]) - 128) <= 1)
        #expect(behind[plane: 0, x: 1, y: 1] == 255)
    }

    /// Without perspective, the book's shadow lies right behind its pages and is blurred beyond them (EFFECTS 6).
    @Test func softShadowsFallOnNothing() throws {
        let format = PictureFormat(components: .gbr, isFullRange: true, hasAlpha: true)
        var page = TestPicture(format: format, width: 320, height: 240)
        page.planes[3] = [UInt16](repeating: 255, count: 320 * 240)
        let book = try StyledLook(style: SpineFold(), options: [(.perspective, "0")])
        let result = try rendered(book, 0.25, page, page)
        // With th = 45 degrees and k = 0.95^6, the pages' outer edge is 160 k cos th from the spine.
        let edge = 160 - 160 * pow(0.95, 6) * 0.5.squareRoot()
        for x in 40..<Int(edge - 1) {
            let distance = edge - (Double(x) + 0.5)
            let expected = 255 * 0.25 * erfc(distance / (0.02 * 240 * 2.0.squareRoot()))
            #expect(abs(Double(result[plane: 3, x: x, y: 120]) - expected) <= 1.5, "column \(x)")
        }
    }

    /// Samples that exceed their depth, as in damaged files or with shifted samples, count as the largest value, with
    /// or without alpha.
    @Test(arguments: [9, 10, 12], Orientation.allCases) func samplesBeyondTheirDepthAreTheLargest(
        depth: Int, orientation: Orientation
    ) throws {
        let plain = PictureFormat(components: .gbr, depth: depth, isFullRange: true)
        var format = plain
        format.hasAlpha = true
        let peak = UInt16(1 << depth - 1)
        func beyond(_ picture: TestPicture, _ bound: Bool) -> TestPicture {
            var result = picture
            for plane in picture.planes.indices {
                for index in picture.planes[plane].indices where index % 7 == 3 {
                    result.planes[plane][index] = bound ? peak : [peak + 1, 2 * peak, 65535][index % 3]
                }
            }
            return result
        }
        for style in Styles.all {
            let look = try StyledLook.named(style.name) { $0.orientation = orientation }
            for format in [plain, format] {
                let from = Pattern.natural.picture(format, width: 61, height: 43, seed: 1)
                let to = Pattern.natural.picture(format, width: 61, height: 43, seed: 2)
                for progress in [0.2, 0.6] {
                    let expected = try rendered(look, progress, beyond(from, true), beyond(to, true))
                    var result = try rendered(look, progress, beyond(from, false), beyond(to, false))
                    // Flat pages without a shade are copied unchanged, including such samples.
                    for plane in result.planes.indices {
                        result.planes[plane] = result.planes[plane].map { min($0, peak) }
                    }
                    #expect(result == expected, "\(look) alpha \(format.hasAlpha) p=\(progress)")
                }
            }
        }
    }

    @Test func threadsMakeNoDifference() throws {
        let format = PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2, hasAlpha: true)
        let (from, to) = (picture(format, .noise, seed: 7), picture(format, .slide, seed: 8))
        for style in Styles.all {
            let look = try StyledLook(style: style, look: style.defaults)
            let alone = try rendered(look, 0.4, from, to)
            #expect(try rendered(look, 0.4, from, to, threads: 3) == alone)
        }
    }
}

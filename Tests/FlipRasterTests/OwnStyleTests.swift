import FlipGeometry
import FlipRaster
import RealModule
import TestSupport
import Testing

/// Styles that are not in the catalog are drawn safely, whatever they put on the stage.
@Suite struct OwnStyleTests {
    /// A style that puts random sheets and shadows on the stage, with ordinary, extreme and invalid numbers.
    private struct Nonsense: TransitionStyle {
        let seed: UInt64
        let name = "nonsense"
        let summary = "anything"
        let origin = "chance"
        let options = LookOption.allCases
        let shadows = Shadow.allCases
        var defaults: Look { Look() }

        private static let extremes = [
            Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e300, -1e300, 1e12,
            1e7, -1e7, 1e-300, 0, -0.0, 1, -1,
        ]

        func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
            var random = SplitMix64(seed: seed)
            func number(_ range: ClosedRange<Double>) -> Double {
                random.oneIn(8) ? random.pick(Self.extremes) : random.number(in: range)
            }
            func range(_ span: ClosedRange<Double>) -> ClosedRange<Double> {
                let (a, b) = (number(span), number(span))
                return a <= b ? a...b : b <= a ? b...a : span
            }
            func line() -> Line { Line(constant: number(-length...length), slope: number(-2...2)) }
            func knot() -> Shade.Knot { (number(0...length), number(-1...2)) }
            for _ in 0..<random.integer(in: 0...6) {
                set.sheets.append(
                    Sheet(
                        random.pick([.outgoing, .incoming]), cut: range(-length...2 * length), position: line(),
                        height: line(), acrossScale: number(0.1...2),
                        shade: Shade(knot(), knot(), knot(), knot(), strength: number(0...3)),
                        rank: random.integer(in: -1...1), cornerRadius: (number(0...9), number(0...9))))
            }
            if random.oneIn(2) {
                let angle = number(-1...1)
                let bend = Bend(
                    normal: random.pick([SIMD2(1, 0), SIMD2(-1, 0), SIMD2(Double.cos(angle), Double.sin(angle))]),
                    contact: number(-length...2 * length), radius: number(0.01...length), lift: number(0...1),
                    strength: number(0...3))
                let back: Sheet.Back =
                    random.oneIn(2)
                    ? .paper(.white, opacity: number(0...1)) : .picture(.incoming, spine: number(-length...2 * length))
                set.sheets.append(
                    Sheet(
                        random.pick([.outgoing, .incoming]), back: back, cut: range(-length...2 * length), bent: bend))
            }
            set.pageLength = number(0.1...length)
            if random.oneIn(2) {
                set.softShadow = SoftShadow(
                    along: range(0...length), across: range(0...breadth), deviation: number(0...9),
                    opacity: number(0...1.5))
            }
            if random.oneIn(16) { set.crossFade = number(-1...2) }
            if random.oneIn(16) {
                let ramp = Fade.Ramp(range(-length...2 * length), isRising: random.oneIn(2))
                set.fade = Fade(from: .outgoing, to: .incoming, ramp: ramp)
            }
        }
    }

    /// A style that puts on the stage what a closure does at a progress and on a page length.
    private struct Staged: TransitionStyle {
        let name = "staged"
        let summary = "what a test puts on the stage"
        let origin = "a test"
        let options: [LookOption] = [.orientation]
        let shadows: [Shadow] = [.none]
        let stage: @Sendable (_ set: inout SceneSet, _ progress: Double, _ length: Double) -> Void
        var defaults: Look {
            var look = Look()
            look.shadow = .none
            return look
        }

        func place(on set: inout SceneSet, at progress: Double, look: Look, length: Double, breadth: Double) {
            stage(&set, progress, length)
        }
    }

    /// A scene of nonsense never crashes the renderer or makes it write outside the picture.
    @Test(arguments: 0..<8) func nonsenseStaysInThePicture(part: Int) throws {
        let formats = [
            PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
            PictureFormat(components: .gbr, depth: 16, isFullRange: true, hasAlpha: true),
        ]
        var random = SplitMix64(seed: UInt64(part))
        for index in 0..<150 {
            var look = Look()
            look.orientation = random.pick(Orientation.allCases)
            look.direction = random.pick(Direction.allCases)
            look.shadow = random.pick(Shadow.allCases)
            look.perspective = random.pick([0, 0.1, 3, 1000])
            look.viewpoint = Viewpoint(x: random.number(in: -4...5), y: random.number(in: -4...5))
            let format = formats[index % 2]
            let (width, height) = (random.integer(in: 1...40), random.integer(in: 1...40))
            let from = Pattern.noise.picture(format, width: width, height: height, seed: 1)
            let to = Pattern.noise.picture(format, width: width, height: height, seed: 2)
            let style = try StyledLook(style: Nonsense(seed: UInt64(part * 1000 + index)), look: look)
            _ = try drawn(style, progress: random.number(in: 0.01...0.99), from: from, to: to, background: .white)
        }
    }

    /// A style in which one picture pushes the other out by whole pixels draws only samples of the two pictures.
    @Test(arguments: Orientation.allCases, [8, 16]) func aSlideMovesPicturesByWholePixels(
        orientation: Orientation, depth: Int
    ) throws {
        let slide = Staged { set, progress, length in
            let at = { (position: Double) in Line(constant: position, slope: 1) }
            set.sheets = [
                Sheet(.outgoing, cut: 0...length, position: at(-progress * length)),
                Sheet(.incoming, cut: 0...length, position: at((1 - progress) * length)),
            ]
        }
        let format = PictureFormat(components: .gbr, depth: depth, isFullRange: true)
        let (width, height) = (48, 48)
        let from = Pattern.noise.picture(format, width: width, height: height, seed: 1)
        let to = Pattern.noise.picture(format, width: width, height: height, seed: 2)
        let look = try StyledLook(style: slide, options: [(.orientation, orientation.rawValue)])
        let frame = try drawn(look, progress: 0.25, from: from, to: to)
        let isHorizontal = orientation == .horizontal
        let expected = TestPicture(format: format, width: width, height: height) { plane, x, y in
            let position = (isHorizontal ? x : y) + 12
            let picture = position < 48 ? from : to
            return picture[plane: plane, x: isHorizontal ? position % 48 : x, y: isHorizontal ? y : position % 48]
        }
        // Only 15 of 16 bits are kept.
        #expect(PictureDifference(frame, expected).worst <= (depth == 16 ? 1 : 0))
    }

    /// A flat sheet at rest with rounded corners shows the background outside the corners' circles.
    @Test(arguments: Orientation.allCases) func flatPanelsHaveRoundedCorners(orientation: Orientation) throws {
        let rounded = Staged { set, _, length in
            set.sheets = [
                Sheet(.incoming, cut: 0...length, position: Line(constant: 0, slope: 1), cornerRadius: (40, 40))
            ]
        }
        let format = PictureFormat(components: .gray, depth: 8, isFullRange: true)
        let (width, height, radius) = (160, 120, 40.0)
        let black = TestPicture(format: format, width: width, height: height)
        let look = try StyledLook(style: rounded, options: [(.orientation, orientation.rawValue)])
        let frame = try drawn(look, progress: 0.5, from: black, to: black, background: .white)
        var worst = 0
        for y in 0..<height {
            for x in 0..<width {
                // The background shows outside the circle around the nearest corner's center: the expected level is the
                // fraction of 1024 points that lie outside it.
                var outside = 0
                for part in 0..<1024 {
                    let u = Double(x) + (Double(part % 32) + 0.5) / 32
                    let v = Double(y) + (Double(part / 32) + 0.5) / 32
                    let across = max(radius - min(u, Double(width) - u), 0)
                    let down = max(radius - min(v, Double(height) - v), 0)
                    outside += across > 0 && down > 0 && across * across + down * down > radius * radius ? 1 : 0
                }
                let expected = Int((Double(outside) * 255 / 1024).rounded())
                worst = max(worst, abs(Int(frame[plane: 0, x: x, y: y]) - expected))
            }
        }
        // A corner's inset is computed in the middle of each slice, whose length along the motion causes an error of a
        // few levels.
        #expect(worst <= 12, "\(worst)")
        #expect(frame[plane: 0, x: 0, y: 0] == 255 && frame[plane: 0, x: width - 1, y: height - 1] == 255)
        #expect(frame[plane: 0, x: width / 2, y: height / 2] == 0)
    }

    /// Sheets that extend beyond the picture are clipped, sheets that can't be drawn are omitted, and all others stay
    /// unchanged.
    @Test func whatCantBeDrawnIsLeftOut() {
        let three = Staged { set, _, length in
            set.sheets = [
                .flat(.outgoing, cut: -5...(length + 5)), .flat(.incoming, cut: 2...2),
                Sheet(.incoming, cut: 0...1, position: Line(constant: .nan, slope: 1)),
                .flat(.incoming, cut: 1...3),
            ]
        }
        let scene = Scene(style: three, look: Look(), stage: Stage(width: 10, height: 8), progress: 0.5)
        #expect(scene.sheets == [.flat(.outgoing, cut: 0...10), .flat(.incoming, cut: 1...3)])
        #expect(scene.fade == nil && scene.camera.height == .infinity)
    }

    /// Of several bent sheets the first one is drawn, and none that has no radius or no direction.
    @Test func oneSheetBends() {
        let bend = { (normal: SIMD2<Double>, radius: Double) in
            Bend(normal: normal, contact: 4, radius: radius, lift: 1, strength: 1)
        }
        let bends = [bend(SIMD2(0.5, 0.5), 1), bend(SIMD2(1, 0), 0), bend(SIMD2(0.6, 0.8), 2), bend(SIMD2(1, 0), 3)]
        let style = Staged { set, _, length in
            set.sheets = bends.map { Sheet(.outgoing, back: .paper(.white, opacity: 1), cut: 0...length, bent: $0) }
        }
        let scene = Scene(style: style, look: Look(), stage: Stage(width: 10, height: 8), progress: 0.5)
        #expect(scene.sheets.compactMap(\.bend) == [bends[2]])
    }

    /// A scene has sheets or is a fade, whichever was set last; a fade's part is limited to 0...1.
    @Test func sheetsAndFadesExcludeEachOther() {
        let scene = { (set: @escaping @Sendable (inout SceneSet) -> Void) in
            Scene(
                style: Staged { stage, _, _ in set(&stage) }, look: Look(), stage: Stage(width: 10, height: 8),
                progress: 0.5)
        }
        let sheets = [Sheet.flat(.outgoing, cut: 0...10)]
        let fading = scene { (set: inout SceneSet) in (set.sheets, set.crossFade) = (sheets, 7) }
        #expect(fading.sheets.isEmpty && fading.fade?.part == 1)
        let placed = scene { (set: inout SceneSet) in (set.crossFade, set.sheets) = (0.5, sheets) }
        #expect(placed.sheets == sheets && placed.fade == nil)
        let ramp = Fade(from: .outgoing, to: .incoming, ramp: Fade.Ramp(2...1e9))
        let endless = scene { (set: inout SceneSet) in (set.sheets, set.fade) = (sheets, ramp) }
        #expect(endless.sheets.isEmpty && endless.fade == nil)
        let nothing = scene { (set: inout SceneSet) in set.crossFade = .nan }
        #expect(nothing.sheets.isEmpty && nothing.fade == nil)
    }
}

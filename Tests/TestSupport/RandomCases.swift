import FlipGeometry
import FlipRaster

/// A transition frame to draw, chosen at random from a seed.
package struct RandomCase: Sendable, CustomStringConvertible {
    package var seed: UInt64
    package var style: String
    package var look: Look
    package var background: Color
    package var progress: Double
    package var format: PictureFormat
    package var width: Int
    package var height: Int
    package var pattern: Pattern

    /// The outgoing and the incoming picture.
    package var pictures: (from: TestPicture, to: TestPicture) {
        (
            pattern.picture(format, width: width, height: height, seed: seed &* 2),
            pattern.picture(format, width: width, height: height, seed: seed &* 2 &+ 1)
        )
    }

    /// The frame as the reference renderer draws it.
    package func reference(samplesPerAxis: Int = 16) -> TestPicture {
        let (from, to) = pictures
        return Reference.render(
            style: style, look: look, background: background, progress: progress, from: from, to: to,
            samplesPerAxis: samplesPerAxis)
    }

    package var description: String {
        let values = LookOption.allCases.map { "\($0.rawValue)=\($0.value(in: look))" }
        return "seed \(seed): \(style) p=\(progress) \(width)x\(height) \(format.components) \(format.depth) bit "
            + "chroma 1/\(format.chromaStepX)x1/\(format.chromaStepY) \(format.chromaLocation) "
            + "\(format.isFullRange ? "full" : "limited") \(pattern) background \(background) "
            + values.joined(separator: ":")
    }
}

extension RandomCase {
    /// `count` cases of `style`, which are the same for the same seed. Every option of the style varies within its
    /// range.
    package static func cases(style: any TransitionStyle, count: Int, seed: UInt64) -> [RandomCase] {
        (0..<count).map { RandomCase(style: style, seed: seed &+ UInt64($0)) }
    }

    package init(style: any TransitionStyle, seed: UInt64) {
        var random = SplitMix64(seed: seed)
        self.seed = seed
        self.style = style.name
        look = style.defaults
        // The camera steps back in a quarter of the cases, except that a curl is drawn with all its options alike.
        let stepsBack = style.options.contains(.pullBack) && !style.pullsBackItself && style.name != "curl"
        // The cases are moments, which a shutter doesn't change.
        for option in style.options
        where option != .shutter && !(stepsBack && option == .pullBack) && !random.oneIn(3) {
            option.randomize(&look, style, &random)
        }
        var own = SplitMix64(seed: seed ^ 0x5ca1e)
        if stepsBack && own.oneIn(4) { look.pullBack = own.number(in: 0.5...1) }
        if look.mode == .cubic { look.creases = 1 }
        if look.bend > 0 && look.shadow != .none { look.shadow = .paper }
        if style.name == "flip" && (look.bend > 0 || look.shadow == .paper) { look.reverse = false }
        // A camera lower than this would look into the sheet, or from beyond the wall of the box.
        if ["curl", "box"].contains(style.name) && look.perspective > 0 {
            look.perspective = max(look.perspective, 1.2)
        }
        background = random.oneIn(2) ? .black : .random(&random)
        progress =
            random.oneIn(4)
            ? random.pick([
                0.001, 0.01, 0.25, 0.499, Double(0.5).nextDown, 0.5, Double(0.5).nextUp, 0.501, 0.75, 0.99, 0.999,
            ])
            : random.number(in: 0.001...0.999)
        format = random.pick(PictureFormat.testFormats)
        // At progress 1/2, the two upright pages of a book coincide: seen from the side, either one could show.
        if style.name == "spine-fold" && abs(progress - 0.5) < 1e-9 { look.viewpoint = Viewpoint(x: 0.5, y: 0.5) }
        let isTiny = random.oneIn(3)
        width = isTiny ? random.integer(in: 2...20) : random.integer(in: 21...200)
        height = isTiny ? random.integer(in: 2...14) : random.integer(in: 15...120)
        pattern = random.pick(Pattern.allCases)
        format.matrix = random.pick([.bt601, .bt709, .bt2020])
        if format.depth >= 10 && own.oneIn(3) { format.light = .pq }
    }
}

extension RandomCase {
    /// A random value of `option` for `style`, as users write it.
    package static func randomValue(
        of option: LookOption, style: any TransitionStyle, _ random: inout SplitMix64
    ) -> String {
        var look = style.defaults
        option.randomize(&look, style, &random)
        return option.value(in: look)
    }
}

extension PictureFormat {
    /// The formats to test with: every kind of components, subsampling, siting, depth and range.
    package static let testFormats: [PictureFormat] = {
        let plain: [PictureFormat] = [
            PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
            PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 1),
            PictureFormat(components: .yuv),
            PictureFormat(components: .yuv, chromaStepX: 4, chromaStepY: 1),
            PictureFormat(components: .yuv, chromaStepX: 1, chromaStepY: 2),
            PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2, isFullRange: true),
            PictureFormat(components: .gray),
            PictureFormat(components: .gbr, isFullRange: true),
        ]
        let deep = [9, 10, 12, 16].flatMap { depth in
            [
                PictureFormat(components: .yuv, depth: depth, chromaStepX: 2, chromaStepY: 2),
                PictureFormat(components: .gbr, depth: depth, isFullRange: true),
            ]
        }
        let sited = [ChromaLocation.center, .topLeft, .top, .bottomLeft, .bottom].map {
            PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2, chromaLocation: $0)
        }
        return plain + deep + sited + [
            PictureFormat(components: .yuv, depth: 10, chromaStepX: 2, chromaStepY: 1),
            PictureFormat(components: .yuv, depth: 14, isFullRange: true),
            PictureFormat(components: .yuv, chromaStepX: 4, chromaStepY: 1, chromaLocation: .center),
            PictureFormat(components: .gray, depth: 10, isFullRange: true),
        ]
    }()
}

extension Color {
    /// A random opaque color with whole 8-bit levels.
    package static func random(_ random: inout SplitMix64) -> Color {
        let part = { (random: inout SplitMix64) in Double(random.integer(in: 0...255)) / 255 }
        return Color(red: part(&random), green: part(&random), blue: part(&random))
    }
}

extension LookOption {
    /// Sets this option to a random value within its range: usually a common one, sometimes an extreme.
    func randomize(_ look: inout Look, _ style: any TransitionStyle, _ random: inout SplitMix64) {
        let rarely = random.oneIn(8)
        switch self {
        case .direction: look.direction = random.pick(Direction.allCases)
        case .orientation: look.orientation = random.pick(Orientation.allCases)
        case .reverse: look.reverse = random.oneIn(2)
        case .mode: look.mode = random.pick(style.modes)
        case .creases: look.creases = random.integer(in: rarely ? 1...16 : 1...5)
        case .easing: look.easing = random.pick(Easing.named).easing
        case .shutter: look.shutter = rarely ? random.pick([0, 360]) : random.number(in: 1...360)
        case .perspective:
            look.perspective = rarely ? random.pick([0, 0, 0.1, 0.5, 1, 100, 1000]) : random.number(in: 1.5...10)
        case .viewpoint:
            let range = rarely ? -0.5...1.5 : 0.0...1.0
            look.viewpoint = Viewpoint(x: random.number(in: range), y: random.number(in: range))
        case .spine: look.spine = rarely ? random.pick([0.05, 0.95]) : random.number(in: 0.05...0.95)
        case .bend:
            look.bend = rarely ? random.pick([0.001, 0.5, 0.8]) : random.oneIn(2) ? 0 : random.number(in: 0...0.8)
        case .shadow: look.shadow = random.pick(style.shadows)
        case .shadowStrength: look.shadowStrength = rarely ? random.pick([0, 3]) : random.number(in: 0.2...2)
        case .shadowColor: look.shadowColor = .random(&random)
        case .cornerRadius: look.cornerRadius = rarely ? random.pick([0, 8192]) : random.number(in: 0...30)
        case .through: look.through = .random(&random)
        case .pullBack:
            look.pullBack = rarely ? random.pick([style.pullsBackItself ? 0.05 : 0.5, 1]) : random.number(in: 0.5...1)
        case .radius: look.radius = rarely ? random.pick([0.01, 0.02, 0.5]) : random.number(in: 0.02...0.4)
        case .angle: look.angle = rarely ? random.pick([0, -60, 60]) : random.number(in: -60...60)
        case .paper: look.paper = .random(&random)
        case .strips: look.strips = rarely ? random.pick([2, 64]) : random.integer(in: 2...24)
        case .stagger: look.stagger = rarely ? random.pick([0, 4]) : random.number(in: 0...4)
        case .softness: look.softness = rarely ? random.pick([0, 1]) : random.number(in: 0...1)
        case .paperOpacity: look.paperOpacity = rarely ? random.pick([0, 1]) : random.number(in: 0...1)
        }
    }
}

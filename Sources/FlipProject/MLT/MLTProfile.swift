import FlipBase
import FlipMedia

/// What the frames of a project are like.
struct MLTProfile: Sendable {
    let width: Int
    let height: Int
    let rate: Rational
    /// The width of a pixel over its height.
    let sampleAspectRatio: Rational
    let isProgressive: Bool
    private let colorspace: Int

    /// - Parameter node: the element `profile`.
    init(_ node: MLTNode) throws(MediaError) {
        let number = { (name: String, least: Int) throws(MediaError) -> Int in
            guard let text = node.attributes[name], let value = Int(text), (least...1_000_000).contains(value) else {
                throw node.error("the profile has no usable \(name)")
            }
            return value
        }
        (width, height) = (try number("width", 2), try number("height", 2))
        try Limits.check(width: width, height: height)
        rate = Rational(try number("frame_rate_num", 1), try number("frame_rate_den", 1))
        guard rate >= Rational(1), rate <= Rational(1000) else {
            throw node.error("the profile has no usable frame rate")
        }
        let hasAspect = node.attributes["sample_aspect_num"] != nil
        sampleAspectRatio =
            hasAspect ? Rational(try number("sample_aspect_num", 1), try number("sample_aspect_den", 1)) : Rational(1)
        guard sampleAspectRatio >= Rational(1, 10), sampleAspectRatio <= Rational(10) else {
            throw node.error("the profile has no usable sample aspect ratio")
        }
        isProgressive = node.attributes["progressive"].flatMap { Int($0) } ?? 1 != 0
        colorspace = node.attributes["colorspace"].flatMap { Int($0) } ?? 0
    }

    var hasSquarePixels: Bool { sampleAspectRatio == Rational(1) }

    /// The size as shown, in square pixels.
    var shown: (width: Int, height: Int) {
        hasSquarePixels ? (width, height) : ((Rational(width) * sampleAspectRatio).rounded(), height)
    }

    /// The color of the frames that melt renders.
    var color: ColorDescription {
        switch colorspace {
        case 709: ColorDescription(primaries: "bt709", transfer: "bt709", matrix: "bt709", isFullRange: false)
        case 601, 170:
            ColorDescription(
                primaries: height == 576 ? "bt470bg" : "smpte170m", transfer: "smpte170m", matrix: "smpte170m",
                isFullRange: false)
        case 2020, 2021:
            ColorDescription(primaries: "bt2020", transfer: "bt709", matrix: "bt2020nc", isFullRange: false)
        default: ColorDescription(isFullRange: false)
        }
    }
}

import COpenFX
import FlipFrame
import FlipOpenFX
import OpenFXHost
import TestSupport

/// An effect of the plugin between two pictures of a host.
struct Joined {
    static let transition = "OfxImageEffectContextTransition"
    static let general = "OfxImageEffectContextGeneral"

    let host: OpenFXHost
    let effect: HostEffect

    /// An instance whose progress is linear.
    init(context: String = transition, style: String = "flip", progress: Double) throws {
        host = try OpenFXHost(OpenFXPlugin.pointer)
        effect = try host.create(try host.describe(in: context), context: context)
        effect.parameters.choose("style", style)
        effect.parameters.choose("easing", "linear")
        effect.parameters.set(context == Joined.transition ? "Transition" : "progress", to: progress)
    }

    /// Draws between two pictures, either of which may be missing; returns what the plugin returns.
    func draw(_ from: HostImage?, _ to: HostImage?, into target: HostImage, window: [Int]? = nil) -> Int32 {
        effect.clips["SourceFrom"]?.image = from
        effect.clips["SourceTo"]?.image = to
        effect.clips["Output"]?.image = target
        return host.render(effect, window: window)
    }
}

extension HostImage {
    /// How a test picture's alpha is.
    enum Alpha { case opaque, partial }

    /// Fills the picture with noise. Floats are in -0.5...1.5; colors that are multiplied by alpha are at most alpha.
    func fill(seed: UInt64, _ alpha: Alpha = .opaque) {
        var random = SplitMix64(seed: seed)
        let isPremultiplied =
            properties.strings("OfxImageEffectPropPreMultiplication") == ["OfxImageAlphaPremultiplied"]
        for y in 0..<height {
            for x in 0..<width {
                // A third of the pixels of each kind.
                let cover = alpha == .opaque || random.next() % 3 == 0 ? 1 : random.next() % 2 == 0 ? 0 : part(&random)
                for channel in 0..<channels {
                    var value = part(&random)
                    if depth == .float { value = value * 2 - 0.5 }
                    if isPremultiplied { value *= cover }
                    if channel == 3 { value = cover }
                    self[x, y, channel] = depth == .float ? Double(Float(value)) : (value * depth.peak).rounded()
                }
            }
        }
    }

    private func part(_ random: inout SplitMix64) -> Double { Double(random.next() % 65537) / 65536 }

    /// The samples in the memory of the library: rows from the top, without padding.
    func bytes() -> [UInt8] {
        var result: [UInt8] = []
        for sample in samples {
            if depth == .byte {
                result.append(UInt8(sample))
            } else {
                withUnsafeBytes(of: UInt16(sample)) { result.append(contentsOf: $0) }
            }
        }
        return result
    }
}

/// What the library draws between two pictures of bytes or shorts, as samples from the top.
func drawnByLibrary(
    _ style: any TransitionStyle, _ settings: [LookSetting] = [], progress: Double, _ from: HostImage, _ to: HostImage,
    background: Color = .black
) throws -> [Double] {
    let name = (from.depth == .byte ? ["rgb24", "rgba"] : ["rgb48", "rgba64"])[from.channels - 3]
    let format = try FrameFormat(name, width: from.width, height: from.height)
    let renderer = try FrameRenderer(format, background: background)
    let (a, b) = (from.bytes(), to.bytes())
    // Samples of 16 bits have to be aligned.
    let result = UnsafeMutableRawBufferPointer.allocate(byteCount: 3 * a.count, alignment: 64)
    defer { result.deallocate() }
    let parts = (0..<3).map { UnsafeMutableRawBufferPointer(rebasing: result[($0 * a.count)..<(($0 + 1) * a.count)]) }
    parts[0].copyBytes(from: a)
    parts[1].copyBytes(from: b)
    let pictures = try parts.map { try FramePicture($0, format) }
    try renderer.draw(
        try FrameTransition(style, settings: settings), progress: progress, from: pictures[0], to: pictures[1],
        into: pictures[2])
    if from.depth == .byte { return parts[2].map(Double.init) }
    return stride(from: 0, to: a.count, by: 2).map { Double(parts[2].load(fromByteOffset: $0, as: UInt16.self)) }
}

/// The largest difference between two lists of samples.
func worst(_ left: [Double], _ right: [Double]) -> Double {
    left.count == right.count ? zip(left, right).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
}

import BenchSupport
import FlipGeometry
import Foundation
import OpenFXHost

/// Two clips of packed floats in an OpenFX host, and the plugin that joins them.
struct FloatClips {
    private let host: OpenFXHost
    private let from: [HostImage]
    private let to: [HostImage]
    private let target: [HostImage]

    private static let context = "OfxImageEffectContextTransition"

    /// Loads the plugin from the bundle in `folder`.
    private static func load(_ folder: String) throws -> OpenFXHost {
        try OpenFXHost(path: "\(folder)/FlipTransition.ofx.bundle/Contents/Linux-x86-64/FlipTransition.ofx")
    }

    init(_ folder: String) throws {
        host = try FloatClips.load(folder)
        func clip(_ seed: Int) -> [HostImage] {
            // Two frames of each clip are more than a cache holds.
            (0..<2).map { frame in
                let image = HostImage(
                    .float, width: MixerReport.width, height: MixerReport.height,
                    state: "OfxImageAlphaPremultiplied")
                for y in 0..<image.height {
                    for x in 0..<image.width {
                        for channel in 0..<3 {
                            let value = (x &* 31 &+ y &* 7 &+ channel &* 50 &+ frame &* 3 &+ seed) & 255
                            image[x, y, channel] = Double(value) / 255
                        }
                        image[x, y, 3] = 1
                    }
                }
                return image
            }
        }
        (from, to, target) = (clip(0), clip(77), clip(155))
    }

    private static func instance(_ host: OpenFXHost, _ style: String) throws -> HostEffect {
        let effect = try host.create(try host.describe(in: context), context: context)
        effect.parameters.choose("style", style)
        return effect
    }

    /// The processor time of a whole default transition, in milliseconds per frame.
    func cost(_ style: any TransitionStyle, runs: Int) throws -> Double {
        let effect = try FloatClips.instance(host, style.name)
        var (next, failures) = (0, 0)
        let cost = Cost.median(runs: runs, frames: MixerReport.frames) { index in
            let turn = next % from.count
            next += 1
            effect.parameters.set("Transition", to: Double(index + 1) / Double(MixerReport.frames + 1))
            effect.clips["SourceFrom"]?.image = from[turn]
            effect.clips["SourceTo"]?.image = to[turn]
            effect.clips["Output"]?.image = target[turn]
            failures += host.render(effect) == 0 ? 0 : 1
        }
        try host.destroy(effect)
        if failures > 0 { throw Program.Failure(description: "the OpenFX plugin does not draw \(style.name)") }
        return cost.processor
    }

    /// Loads the plugin, and creates, uses and destroys `count` instances with changing styles, sizes and kinds of samples.
    static func cycle(_ folder: String, _ count: Int) throws {
        for index in 0..<count {
            let host = try load(folder)
            let effect = try instance(host, Styles.all[index % Styles.all.count].name)
            let depth = HostImage.Depth.allCases[index % HostImage.Depth.allCases.count]
            let images = (0..<3).map { _ in HostImage(depth, width: 24 + index % 16, height: 48) }
            for (name, image) in zip(["SourceFrom", "SourceTo", "Output"], images) { effect.clips[name]?.image = image }
            for progress in [0, 0.3, 0.7, 1] {
                effect.parameters.set("Transition", to: progress)
                if host.render(effect) != 0 { throw Program.Failure(description: "a frame isn't drawn") }
            }
            try host.destroy(effect)
        }
    }
}

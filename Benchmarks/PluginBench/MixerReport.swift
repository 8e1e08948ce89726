import BenchSupport
import FlipGeometry
import FlipHost
import FlipRaster
import Foundation

/// The cost of a transition frame in the mixer and in other renderers, measured in one run.
struct MixerReport: Codable {
    struct Row: Codable {
        var style: String
        /// The processor time, in milliseconds per frame.
        var mixer: Double
        var planarRGB: Double
        var planarYUV420: Double
    }

    static let width = 1920
    static let height = 1080
    static let frames = 18

    var machine: String
    var cores: Int
    var rows: [Row]
    /// The costs in melt; nil without melt or ffmpeg.
    var melt: MeltCosts?
    /// The costs in GStreamer; nil without it.
    var gstreamer: GStreamerCosts?

    /// - Parameter gstreamer: the folder of GStreamer's plugin; nil to leave it out.
    static func measured(
        _ plugin: Plugin, folder: String, gstreamer: String?, styles: [any TransitionStyle], isQuick: Bool
    ) throws -> MixerReport {
        var report = MixerReport(
            machine: Machine.name, cores: ProcessInfo.processInfo.activeProcessorCount, rows: [])
        let runs = isQuick ? 3 : 7
        let mixer = try MixerClips(plugin)
        let planes = [
            PictureFormat(components: .gbr, isFullRange: true),
            PictureFormat(components: .yuv, chromaStepX: 2, chromaStepY: 2),
        ]
        .map { PlanarClips($0) }
        for style in styles {
            let rgb = try planes[0].cost(style, runs: runs)
            let yuv = try planes[1].cost(style, runs: runs)
            report.rows.append(
                Row(
                    style: style.name, mixer: try mixer.cost(style, runs: runs), planarRGB: rgb, planarYUV420: yuv))
        }
        let copy = try mixer.copyCost(runs: runs)
        report.melt = try MeltCosts.measured(plugins: folder, copy: copy, rounds: isQuick ? 1 : 3)
        report.gstreamer = try gstreamer.flatMap { try GStreamerCosts.measured(plugin: $0, rounds: isQuick ? 3 : 7) }
        return report
    }

    /// The report as a Markdown table.
    var text: String {
        let number = { (value: Double) in Output.text(value, 2) }
        var lines = rows.map { row in
            [
                row.style, number(row.mixer), number(row.planarRGB), number(row.planarYUV420),
                number(row.mixer / row.planarRGB), number(row.mixer / row.planarYUV420),
                melt.map { number(row.mixer / $0.affine) } ?? "",
            ]
        }
        let head = [
            "1920x1080, CPU ms a frame", "mixer, RGBA", "planar gbrp", "planar yuv420p", "x gbrp", "x yuv420p",
            "of affine",
        ]
        if let melt {
            lines.append(["melt, affine turning about y", number(melt.affine), "", "", "", "", "1.00"])
            lines.append([
                "melt, the mixer's flip", number(melt.flip), "", "", "", "", number(melt.flip / melt.affine),
            ])
        }
        if let gstreamer {
            let planar = rows.first { $0.style == "flip" }?.planarYUV420
            let of = { (value: Double) in planar.map { number(value / $0) } ?? "" }
            lines += [
                ("GStreamer, the element's flip in I420", gstreamer.flip),
                ("GStreamer, compositor", gstreamer.compositor),
            ]
            .map { [$0, number($1), "", "", "", of($1), ""] }
        }
        return Output.table(head, lines)
    }
}

/// Two clips of packed pixels with more frames than a cache holds, and the mixer that joins them.
private struct MixerClips {
    private let plugin: Plugin
    private let from: [UnsafeMutableRawPointer]
    private let to: [UnsafeMutableRawPointer]
    private let target: [UnsafeMutableRawPointer]

    init(_ plugin: Plugin) throws {
        self.plugin = plugin
        let bytes = 4 * MixerReport.width * MixerReport.height
        let count = max(2, Machine.cacheBytes / (2 * bytes) + 1)
        func clip(_ seed: Int) -> [UnsafeMutableRawPointer] {
            (0..<count).map { frame in
                let picture = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 64)
                for pixel in 0..<bytes / 4 {
                    let value = UInt32(
                        truncatingIfNeeded: (pixel &* 31 &+ pixel / MixerReport.width &+ frame * 3 &+ seed) &* 66051)
                    picture.storeBytes(of: value | 0xFF00_0000, toByteOffset: 4 * pixel, as: UInt32.self)
                }
                return picture
            }
        }
        (from, to, target) = (clip(0), clip(77), clip(155))
    }

    /// The processor time of a whole default transition, in milliseconds per frame.
    func cost(_ style: any TransitionStyle, runs: Int) throws -> Double {
        let instance = try plugin.construct(width: MixerReport.width, height: MixerReport.height)
        defer { plugin.destruct(instance) }
        try plugin.set(instance, "style", .text(style.name))
        return try cost(instance, runs: runs) { Double($0 + 1) / Double(MixerReport.frames + 1) }
    }

    /// The processor time of a frame at progress 0, which is a copy, in milliseconds.
    func copyCost(runs: Int) throws -> Double {
        let instance = try plugin.construct(width: MixerReport.width, height: MixerReport.height)
        defer { plugin.destruct(instance) }
        return try cost(instance, runs: runs) { _ in 0 }
    }

    private func cost(_ instance: Plugin.Instance, runs: Int, _ progress: (Int) -> Double) throws -> Double {
        var next = 0
        var failure: (any Error)?
        let cost = Cost.median(runs: runs, frames: MixerReport.frames) { index in
            do { try plugin.set(instance, "progress", .number(progress(index))) } catch { failure = error }
            let turn = next % from.count
            next += 1
            plugin.draw(instance, from[turn], to[turn], into: target[turn])
        }
        if let failure { throw failure }
        return cost.processor
    }
}

/// Two planar clips.
private struct PlanarClips {
    private let format: PictureFormat
    private let views: [PictureView]
    private let count: Int

    init(_ format: PictureFormat) {
        self.format = format
        let bytes = (0..<format.planeCount).reduce(0) { sum, plane in
            let size = format.planeSize(plane, width: MixerReport.width, height: MixerReport.height)
            return sum + size.width * size.height
        }
        count = max(2, Machine.cacheBytes / (2 * bytes) + 1)
        views = (0..<3 * count).map { frame in
            let planes = (0..<format.planeCount).map { plane in
                let size = format.planeSize(plane, width: MixerReport.width, height: MixerReport.height)
                let base = UnsafeMutableRawPointer.allocate(byteCount: size.width * size.height, alignment: 64)
                for place in 0..<size.width * size.height {
                    base.storeBytes(
                        of: UInt8(truncatingIfNeeded: place &* 31 &+ place / size.width &+ frame * 7),
                        toByteOffset: place, as: UInt8.self)
                }
                return PlaneView(base: base, stride: size.width, width: size.width, height: size.height)
            }
            return PictureView(planes[0], planes[1], planes[2])
        }
    }

    /// The processor time of a whole default transition, in milliseconds per frame.
    func cost(_ style: any TransitionStyle, runs: Int) throws -> Double {
        let look = try StyledLook(style: style)
        let renderer = TransitionRenderer(
            format: format, width: MixerReport.width, height: MixerReport.height, background: .black, threads: 1)
        var next = 0
        return Cost.median(runs: runs, frames: MixerReport.frames) { index in
            let turn = next % count
            next += 1
            renderer.render(
                look, progress: look.look.easing(Double(index + 1) / Double(MixerReport.frames + 1)), from: views[turn],
                to: views[count + turn], into: views[2 * count + turn])
        }.processor
    }
}

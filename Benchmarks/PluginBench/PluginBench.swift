import ArgumentParser
import BenchSupport
import FlipGeometry
import FlipHost
import Foundation

@main
struct PluginBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the plugins, and uses them as hosts do.", subcommands: [Report.self, Cycles.self])
}

/// Compares the mixer with the planar renderer and MLT's affine.
struct Report: ParsableCommand {
    @Argument(help: "The folder of the plugins.") var folder: String
    @Option(help: "The folder of GStreamer's plugin, to measure its element, too.") var gstreamer: String?
    @Option(help: "Measure this style alone.") var style: String?
    @Flag(help: "Measure less.") var quick = false
    @Option(help: "Also write a report to this file.") var json: String?

    func run() throws {
        let report = try MixerReport.measured(
            try Plugin(folder + "/fliptransition.so"), folder: folder, gstreamer: gstreamer,
            styles: try style.map { [try Styles.named($0)] } ?? Styles.all, isQuick: quick)
        print("\(report.machine), \(report.cores) cores\n\n\(report.text)")
        try Output.write(report, to: json)
    }
}

/// Creates, uses and destroys instances of the plugins, for valgrind, and prints how much memory that took at most.
struct Cycles: ParsableCommand {
    @Argument(help: "The folder of the plugins.") var folder: String
    @Argument var count: Int

    func run() throws {
        for name in ["fliptransition", "fliptransition_stack"] { try cycle("\(folder)/\(name).so", count) }
        print("peak memory: \(Machine.memory("VmHWM")) KB")
    }

    /// Loads a plugin, and creates, uses and destroys `count` instances with changing styles and sizes.
    private func cycle(_ path: String, _ count: Int) throws {
        var picture = [UInt32](repeating: 0xFF80_4020, count: 40 * 48)
        // A few transparent pixels make the plugin take its path for alpha.
        for place in stride(from: 0, to: picture.count, by: 7) { picture[place] = 0x4080_4020 }
        var result = picture
        for index in 0..<count {
            let plugin = try Plugin(path)
            let (width, height) = (24 + index % 16, 48)
            let instance = try plugin.construct(width: width, height: height)
            let style = Styles.all[index % Styles.all.count].name
            for parameter in HostParameter.all { try plugin.set(instance, parameter.name, parameter.initial) }
            try plugin.set(instance, "style", .text(style))
            try plugin.set(instance, "easing", .text("cubic-bezier(0.1,0.2,0.3,\(Double(index % 9) / 10))"))
            for progress in [0, 0.3, 0.7, 1] {
                try plugin.set(instance, "progress", .number(progress))
                picture.withUnsafeBytes { picture in
                    result.withUnsafeMutableBytes { result in
                        if plugin.isMixer {
                            plugin.draw(
                                instance, picture.baseAddress!, picture.baseAddress!, into: result.baseAddress!)
                        } else {
                            plugin.draw(instance, picture.baseAddress!, into: result.baseAddress!)
                        }
                    }
                }
            }
            plugin.readAll(instance)
            plugin.destruct(instance)
        }
    }
}

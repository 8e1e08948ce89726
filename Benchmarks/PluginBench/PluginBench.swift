import BenchSupport
import FlipGeometry
import FlipHost
import Foundation

/// Measures the frei0r plugins, and uses them as hosts do.
///
///     plugin-bench report FOLDER [--quick] [--json FILE]   the mixer, beside the planar renderer and MLT's affine
///     plugin-bench cycles FOLDER COUNT                     instances created, used and destroyed, for valgrind
///
/// FOLDER contains the plugins.
@main
enum PluginBench {
    static func main() throws {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 2 else { throw Program.Failure(description: "report or cycles, and FOLDER") }
        let folder = arguments[1]
        switch arguments[0] {
        case "report":
            let json = arguments.firstIndex(of: "--json").flatMap { arguments.dropFirst($0 + 1).first }
            let report = try MixerReport.measured(
                try Plugin(folder + "/fliptransition.so"), folder: folder, isQuick: arguments.contains("--quick"))
            print("\(report.machine), \(report.cores) cores\n\n\(report.text)")
            try Output.write(report, to: json)
        case "cycles":
            guard arguments.count == 3, let count = Int(arguments[2]), count > 0 else {
                throw Program.Failure(description: "cycles FOLDER COUNT")
            }
            for name in ["fliptransition", "fliptransition_stack"] { try cycle("\(folder)/\(name).so", count) }
        default: throw Program.Failure(description: "unknown command \(arguments[0]) (expected report or cycles)")
        }
    }

    /// Loads a plugin, and creates, uses and destroys `count` instances with changing styles and sizes.
    private static func cycle(_ path: String, _ count: Int) throws {
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

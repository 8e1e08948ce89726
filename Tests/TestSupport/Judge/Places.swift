import Foundation

/// The paths of the package, the built program and the test media.
package enum Places {
    /// The path of the package's root folder.
    package static let package: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()

    /// The folder of real clips: FLIPTRANSITION_MEDIA, or else `../shared/media`; nil if this machine has none.
    package static let media: String? = {
        let path =
            ProcessInfo.processInfo.environment["FLIPTRANSITION_MEDIA"]
            ?? URL(fileURLWithPath: package).deletingLastPathComponent().path + "/shared/media"
        return FileManager.default.fileExists(atPath: path + "/MEDIA.md") ? path : nil
    }()

    /// Why tests of real clips are skipped.
    package static let mediaIsMissing = "needs the clips of ../shared/media (or FLIPTRANSITION_MEDIA)"

    /// The path of a real clip, where there are any.
    package static func medium(_ name: String) -> String { "\(media ?? "")/\(name)" }

    /// Whether tests that take minutes run.
    package static let runsSlowTests = ProcessInfo.processInfo.environment["FLIPTRANSITION_SLOW"] == "1"

    /// The turn of this run, a number that FLIPTRANSITION_TURN gives: CI counts on with each commit.
    private static let turn = ProcessInfo.processInfo.environment["FLIPTRANSITION_TURN"].flatMap(Int.init) ?? 0

    /// A selection of the cases of a test that has many slow ones: all if slow tests are on, otherwise every `step`-th. At
    /// least one is among them, and after `step` turns all have been.
    package static func some<Case>(_ cases: [Case], every step: Int) -> [Case] {
        let step = min(step, cases.count)
        return runsSlowTests || step < 2 ? cases : cases.indices.filter { $0 % step == turn % step }.map { cases[$0] }
    }

    /// A selection of the pairs of `first` and `second`, as above.
    package static func some<First, Second>(
        _ first: [First], _ second: [Second], every step: Int
    ) -> [(First, Second)] {
        some(first.flatMap { one in second.map { (one, $0) } }, every: step)
    }

    /// Whether a slow test without cases to choose from runs: in turn `first` and every `step`-th after it, and always if slow
    /// tests are on. Otherwise it is skipped because of `anotherTurn`.
    package static func isTurn(_ first: Int, of step: Int) -> Bool { runsSlowTests || turn % step == first }

    package static let anotherTurn = "slow: FLIPTRANSITION_SLOW=1 or another FLIPTRANSITION_TURN runs it"

    /// Whether a program called `name` is installed.
    package static func has(_ name: String) -> Bool { (try? Tool.run("sh", ["-c", "command -v \(name)"]).status) == 0 }

    /// The folder of the built frei0r plugins: FLIPTRANSITION_FREI0R, or else `.build/frei0r`; nil if they are not
    /// there.
    package static let plugins: String? = {
        let path = ProcessInfo.processInfo.environment["FLIPTRANSITION_FREI0R"] ?? Places.package + "/.build/frei0r"
        let names = ["fliptransition.so", "fliptransition_stack.so"]
        return names.allSatisfy { FileManager.default.fileExists(atPath: path + "/" + $0) } ? path : nil
    }()

    /// The folder of GStreamer's plugin, `.build/gstreamer`; nil if it is not there.
    package static let gstreamer: String? = {
        let path = Places.package + "/.build/gstreamer"
        return FileManager.default.fileExists(atPath: path + "/libgstfliptransition.so") ? path : nil
    }()

    /// Why tests of GStreamer's plugin are skipped.
    package static let gstreamerIsMissing = "needs the plugin (scripts/install-plugins --gstreamer .build/gstreamer)"

    /// Why tests of the plugins are skipped.
    package static let pluginsAreMissing = "needs the plugins (scripts/install-plugins --folder .build/frei0r)"

    /// The path of the program: FLIPTRANSITION_PROGRAM, or else the one built beside the test bundle.
    package static func program() throws -> String {
        try ProcessInfo.processInfo.environment["FLIPTRANSITION_PROGRAM"] ?? built("fliptransition")
    }

    /// Whether the program uses the system's FFmpeg, which judges its outputs; a portable program (scripts/portable) has its own.
    package static let usesSystemLibraries = (try? Tool.run("ldd", [program()]).text.contains("libavformat")) ?? false

    /// The path of the build product `name` beside the test bundle; throws if there is none.
    package static func built(_ name: String) throws -> String {
        var folders = [Bundle.main.bundlePath, Bundle.main.executablePath ?? "", CommandLine.arguments[0]]
            .map { URL(fileURLWithPath: $0) }
        folders += folders.map { $0.deletingLastPathComponent() }
        for folder in folders {
            let path = folder.appendingPathComponent(name).path
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), !isFolder.boolValue { return path }
        }
        throw ToolError("\(name) is not built beside \(folders.map(\.path))")
    }
}

import Foundation

/// Where the package, the built program and the test media are.
package enum Places {
    /// The package's root folder.
    package static let package: String = {
        var url = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { url.deleteLastPathComponent() }
        return url.path
    }()

    /// The folder of real clips, or nil where this machine has none: FLIPTRANSITION_MEDIA, else `../shared/media`.
    package static let media: String? = {
        let path =
            ProcessInfo.processInfo.environment["FLIPTRANSITION_MEDIA"]
            ?? URL(fileURLWithPath: package).deletingLastPathComponent().path + "/shared/media"
        return FileManager.default.fileExists(atPath: path + "/MEDIA.md") ? path : nil
    }()

    /// Why a test of real clips does not run.
    package static let mediaIsMissing = "needs the clips of ../shared/media (or FLIPTRANSITION_MEDIA)"

    /// Whether the tests that take minutes run.
    package static let runsSlowTests = ProcessInfo.processInfo.environment["FLIPTRANSITION_SLOW"] == "1"

    /// The cases of a test that has many which take long: all where slow tests run, else every `step`th.
    package static func some<Case>(_ cases: [Case], every step: Int) -> [Case] {
        runsSlowTests ? cases : cases.indices.filter { $0 % step == 0 }.map { cases[$0] }
    }

    /// Whether a program called `name` is installed.
    package static func has(_ name: String) -> Bool {
        (try? Tool.run("sh", ["-c", "command -v \(name)"]).status) == 0
    }

    /// The folder of the built frei0r plugins, or nil where there are none: FLIPTRANSITION_FREI0R, else `.build/frei0r`.
    package static let plugins: String? = {
        let path =
            ProcessInfo.processInfo.environment["FLIPTRANSITION_FREI0R"] ?? Places.package + "/.build/frei0r"
        let names = ["fliptransition.so", "fliptransition_stack.so"]
        return names.allSatisfy { FileManager.default.fileExists(atPath: path + "/" + $0) } ? path : nil
    }()

    /// Why a test of the plugins does not run.
    package static let pluginsAreMissing = "needs the plugins (scripts/install-plugins --folder .build/frei0r)"

    /// The built program beside the test bundle, or FLIPTRANSITION_PROGRAM.
    package static func program() throws -> String {
        try ProcessInfo.processInfo.environment["FLIPTRANSITION_PROGRAM"] ?? built("fliptransition")
    }

    /// What was built as `name` beside the test bundle.
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

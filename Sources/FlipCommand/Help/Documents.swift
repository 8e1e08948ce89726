import FlipBatch
import Foundation

/// The documentation that is installed with the program.
enum Documents {
    /// The folder of the documentation below an installation's prefix.
    private static let installed = "share/doc/fliptransition"

    /// The folder of the documentation: that of the installation or the checkout which the program belongs to. Without
    /// either it is the folder's place below a prefix, as it is for man pages, which are made before the program is
    /// installed.
    private static let folder: String = {
        if CommandLine.arguments.contains("--experimental-dump-help") { return installed }
        var place = URL(fileURLWithPath: JobPlan.Program.path).resolvingSymlinksInPath().deletingLastPathComponent()
        let prefix = place.deletingLastPathComponent()
        var candidates = [prefix.appendingPathComponent(installed)]
        // A build's programs lie in .build/PLATFORM/CONFIGURATION.
        while place.path != "/" {
            if place.lastPathComponent == ".build" {
                candidates.append(place.deletingLastPathComponent().appendingPathComponent("docs"))
            }
            place.deleteLastPathComponent()
        }
        let found = candidates.first {
            FileManager.default.fileExists(atPath: $0.appendingPathComponent("OPTIONS.md").path)
        }
        return found?.path ?? installed
    }()

    /// The path of the page called `name`.
    static func path(_ name: String) -> String { "\(folder)/\(name)" }
}

import Foundation
import TestSupport
import Testing

extension CommandTests {
    /// The shell scripts of the checkout.
    @Suite struct ScriptTests {
        /// Compiled modules that name another path, as in a copied .build, make the build fail, so scripts/setup
        /// removes them.
        @Test func modulesOfAnotherPlaceAreMadeAnew() throws {
            let folder = try TemporaryFolder()
            let files = FileManager.default
            try files.createDirectory(atPath: folder / "scripts", withIntermediateDirectories: false)
            try files.copyItem(atPath: Places.package + "/scripts/setup", toPath: folder / "scripts/setup")
            let caches = ["own", "copied", "installed/copied", "empty"].map {
                folder / ".build/\($0)/release/ModuleCache"
            }
            for (index, cache) in caches.enumerated() {
                try files.createDirectory(atPath: cache + "/1AB", withIntermediateDirectories: true)
                let place = index == 0 ? cache : "/nowhere/checkout/.build/x/release/ModuleCache"
                let content = index == 3 ? Data() : Data([0, 255, 10]) + Data("\(place)/1AB/Shims.pcm\u{0}".utf8)
                try content.write(to: URL(fileURLWithPath: cache + "/1AB/Shims.pcm"))
            }
            try Tool.succeed("sh", [folder / "scripts/setup"], timeout: 300)
            #expect(caches.map { files.fileExists(atPath: $0) } == [true, false, false, true])
        }
    }
}

import Foundation

/// The folder of the files that are written for each input, which goes away when the process ends.
package final class ScratchFolder: Sendable {
    package static let shared = ScratchFolder()

    private let folder: URL

    private init() {
        // In memory if possible, because files are written for each input.
        let root = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : NSTemporaryDirectory()
        let folder = URL(fileURLWithPath: root).appendingPathComponent("fliptransition-fuzz-\(getpid())")
        self.folder = folder
        Self.must { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }
        atexit { try? FileManager.default.removeItem(at: ScratchFolder.shared.folder) }
    }

    /// The path of the file called `name`.
    package func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// Writes the file called `name`, and returns its path.
    package func write(_ bytes: some Sequence<UInt8>, to name: String) -> String {
        Self.must { try Data(bytes).write(to: URL(fileURLWithPath: path(name))) }
        return path(name)
    }

    /// Stops the run if there are other files than those called `names`.
    package func check(holdsOnly names: [String]) {
        let left = Self.must { try FileManager.default.contentsOfDirectory(atPath: folder.path) }
        precondition(Set(left).isSubset(of: names), "left behind: \(left)")
    }

    /// Returns the result of `body`, and stops the run if it throws: such an error is the machine's fault, not the
    /// input's.
    private static func must<Result>(_ body: () throws -> Result) -> Result {
        do { return try body() } catch { preconditionFailure("\(error)") }
    }
}

import ArgumentParser
import FlipBase
import FlipBatch

/// Folders that replace those of a plan on this machine.
struct RootOptions: ParsableArguments {
    @Option(help: .detail("Use another folder for a root of the plan; may be repeated.", "name=value"))
    var rootMap: [String] = []

    func map() throws(MediaError) -> [String: String] { try RootMap.parse(rootMap) }

    /// The options as arguments for another process.
    var arguments: [String] { rootMap.flatMap { ["--root-map", $0] } }
}

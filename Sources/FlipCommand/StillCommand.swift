import ArgumentParser
import FlipGeometry
import FlipRender

/// Writes one frame of a transition.
struct StillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "still", abstract: "Write one frame of a transition as a picture.",
        usage: "fliptransition still <a> <b> <out.png> --at p [options]")

    // --progress would be taken for how progress is reported.
    @Option(
        name: .customLong("at"), parsing: .unconditional,
        help: .option(
            "How far the transition is, after easing; with a gesture, the part of its time.", values: "0...1",
            default: "0.5", "p"))
    var progress: String?
    @OptionGroup var picture: PictureOptions

    func run() throws {
        guard let progress = progress.map({ Double($0) }) ?? 0.5, (0...1).contains(progress) else {
            throw OptionError("invalid --at '\(progress ?? "")' (expected 0...1)")
        }
        try StillRenderer.write(try picture.plan(), progress: progress)
    }
}

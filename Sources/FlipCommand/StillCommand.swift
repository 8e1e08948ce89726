import ArgumentParser
import FlipGeometry
import FlipMedia
import FlipRender

/// Writes one frame of a transition.
struct StillCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "still", abstract: "Write one frame of a transition as a picture.",
        usage: "fliptransition still <a> <b> <out.png> --progress p [options]")

    @Option(
        parsing: .unconditional, help: ArgumentHelp("How far the transition is, 0...1, after easing.", valueName: "p"))
    var progress = "0.5"
    @OptionGroup var picture: PictureOptions

    func run() throws {
        guard let progress = Double(progress), (0...1).contains(progress) else {
            throw OptionError("invalid progress '\(progress)' (expected 0...1)")
        }
        try StillRenderer.write(try picture.plan(), progress: progress)
    }
}

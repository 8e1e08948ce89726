import ArgumentParser
import FlipGeometry
import FlipMedia
import FlipRender

/// How inputs are read.
struct InputOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How long stills show (3 s, or photo.jpg#t=4).", valueName: "time"))
    var stillDuration: String?
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Which audio track, from 1; by default the default track or the first.", valueName: "n"))
    var audioTrack: String?

    @Option(
        help: ArgumentHelp(
            "Deinterlace frames that are flagged as interlaced (auto, default), or leave them (off).",
            valueName: "auto|off"), completion: .list(["auto", "off"]))
    var deinterlace: String?

    @Option(
        help: ArgumentHelp("Refuse files outside this folder in lists, projects and timelines.", valueName: "dir"),
        completion: .directory)
    var root: String?

    /// The settings that were given, over those of `base`.
    func settings(over base: InputSettings = InputSettings()) throws(OptionError) -> InputSettings {
        var settings = base
        if let stillDuration {
            settings.stillDuration = try TransitionDuration(parsing: stillDuration, of: "still-duration")
        }
        if let deinterlace {
            guard ["auto", "off"].contains(deinterlace) else {
                throw OptionError("invalid deinterlace '\(deinterlace)' (expected auto|off)")
            }
            settings.deinterlaces = deinterlace == "auto"
        }
        if let audioTrack {
            guard let number = Int(audioTrack), (1...999).contains(number) else {
                throw OptionError("invalid audio-track '\(audioTrack)' (expected 1...999)")
            }
            settings.audioTrack = number
        }
        return settings
    }
}

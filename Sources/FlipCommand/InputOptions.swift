import ArgumentParser
import FlipGeometry
import FlipRender

/// How clips are read.
struct InputOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: .detail(
            "How long stills are shown, unless they say it themselves (photo.jpg#t=4).", values: "3, 500ms or 75f",
            default: "3", "time"))
    var stillDuration: String?
    @Option(
        parsing: .unconditional,
        help: .detail("The audio track to use.", values: "1...999", default: "the default track, or the first", "n"))
    var audioTrack: String?
    @OptionGroup var opening: OpeningOptions

    /// The settings that were given, over those of `base`.
    func settings(over base: InputSettings = InputSettings()) throws(OptionError) -> InputSettings {
        var settings = try opening.settings(over: base)
        if let stillDuration {
            settings.stillDuration = try TransitionDuration(parsing: stillDuration, of: "still-duration")
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

/// How files are opened and read, for pictures as well as for clips.
struct OpeningOptions: ParsableArguments {
    @Option(
        help: .detail(
            "Deinterlace frames that are flagged as interlaced, or leave them as they are.", values: "auto|off",
            default: "auto", "mode"), completion: .words("auto|off"))
    var deinterlace: String?
    @Option(
        help: .detail("Refuse files outside this folder in lists, projects and timelines.", "dir"),
        completion: .directory)
    var root: String?

    /// The settings that were given, over those of `base`.
    func settings(over base: InputSettings = InputSettings()) throws(OptionError) -> InputSettings {
        var settings = base
        if let deinterlace {
            guard ["auto", "off"].contains(deinterlace) else {
                throw OptionError("invalid deinterlace '\(deinterlace)' (expected auto|off)")
            }
            settings.deinterlaces = deinterlace == "auto"
        }
        return settings
    }
}

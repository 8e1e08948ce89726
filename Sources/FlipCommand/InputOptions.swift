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
    @Option(help: .private)
    var audioTrack: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "The audio tracks to use of each clip. Those of one language become one track of the output.",
            values: "all, or numbers such as 2 or 2,1", default: "all", "tracks"), completion: .words("all"))
    var audioTracks: String?
    @Option(
        parsing: .unconditional,
        help: .detail(
            "The subtitle tracks to use of each clip, which are joined like audio tracks.",
            values: "all, none, or numbers such as 2,1", default: "all", "tracks"), completion: .words("all|none"))
    var subtitleTracks: String?
    @OptionGroup var opening: OpeningOptions

    /// The settings that were given, over those of `base`.
    func settings(over base: InputSettings = InputSettings()) throws(OptionError) -> InputSettings {
        var settings = try opening.settings(over: base)
        if let stillDuration {
            settings.stillDuration = try TransitionDuration(parsing: stillDuration, of: "still-duration")
        }
        if let audioTrack {
            if audioTracks != nil { throw OptionError("--audio-track and --audio-tracks exclude each other") }
            guard let number = Int(audioTrack), (1...999).contains(number) else {
                throw OptionError("invalid audio-track '\(audioTrack)' (expected 1...999)")
            }
            settings.audioTracks = .numbers([number])
        }
        if let subtitleTracks {
            settings.subtitleTracks = try OutputValue.tracks("subtitle-tracks", subtitleTracks, allowsNone: true)
        }
        if let audioTracks { settings.audioTracks = try OutputValue.tracks("audio-tracks", audioTracks) }
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
        if let deinterlace { settings.deinterlaces = try OutputValue.deinterlaces(deinterlace) }
        return settings
    }
}

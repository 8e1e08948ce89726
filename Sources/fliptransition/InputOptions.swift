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
        help: ArgumentHelp("Which audio track, from 1; the default or first one.", valueName: "n"))
    var audioTrack: String?

    @Option(
        help: ArgumentHelp("Make frames that are flagged as interlaced progressive, or not.", valueName: "auto|off"))
    var deinterlace = "auto"

    @Option(help: ArgumentHelp("Folder that no list may name a file outside of.", valueName: "dir"))
    var root: String?

    func settings() throws(OptionError) -> InputSettings {
        var settings = InputSettings()
        if let stillDuration {
            settings.stillDuration = try TransitionDuration(parsing: stillDuration, of: "still-duration")
        }
        guard ["auto", "off"].contains(deinterlace) else {
            throw OptionError("invalid deinterlace '\(deinterlace)' (expected auto|off)")
        }
        settings.deinterlaces = deinterlace == "auto"
        settings.audioTrack = try audioTrack.map { text throws(OptionError) in
            guard let number = Int(text), (1...999).contains(number) else {
                throw OptionError("invalid audio-track '\(text)' (expected 1...999)")
            }
            return number
        }
        return settings
    }
}

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

    func settings() throws(OptionError) -> InputSettings {
        var settings = InputSettings()
        if let stillDuration {
            settings.stillDuration = try TransitionDuration(parsing: stillDuration, of: "still-duration")
        }
        settings.audioTrack = try audioTrack.map { text throws(OptionError) in
            guard let number = Int(text), (1...999).contains(number) else {
                throw OptionError("invalid audio-track '\(text)' (expected 1...999)")
            }
            return number
        }
        return settings
    }
}

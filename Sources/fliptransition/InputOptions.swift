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

    func settings() throws(OptionError) -> InputSettings {
        var settings = InputSettings()
        if let stillDuration {
            settings.stillDuration = try TransitionDuration(parsing: stillDuration, of: "still-duration")
        }
        return settings
    }
}

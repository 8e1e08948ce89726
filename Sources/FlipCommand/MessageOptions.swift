import ArgumentParser
import FlipGeometry
import FlipMedia

/// How much a run says on standard error.
struct MessageOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: .option("Show nothing but errors."))
    var quiet = false
    @Flag(help: .detail("Show what the decoders report, and the plan of a video."))
    var verbose = false

    /// Makes all messages follow these options.
    func apply() throws(OptionError) {
        if quiet, verbose { throw OptionError("--quiet and --verbose exclude each other (give one of them)") }
        MediaLog.isVerbose = verbose
        Message.isQuiet = quiet
    }
}

import ArgumentParser
import FlipGeometry
import FlipMedia

/// How much a run says on standard error.
struct MessageOptions: ParsableArguments {
    @Flag(name: [.short, .long], help: .option("Show nothing but errors."))
    var quiet = false
    @Flag(help: .detail("Show what the decoders report, and the plan of a video."))
    var verbose = false

    @Option(
        help: .detail(
            "Write errors, warnings and notes as sentences, or each as a line of JSON.", values: "text|json",
            default: "text", "form"), completion: .words("text|json"))
    var messages: String?

    /// Makes all messages follow these options. `Message` itself reads the form.
    func apply() throws(OptionError) {
        if let messages, !["text", "json"].contains(messages) {
            throw OptionError("invalid messages '\(messages)' (expected text|json)")
        }
        if quiet, verbose { throw OptionError("--quiet and --verbose exclude each other (give one of them)") }
        MediaLog.isVerbose = verbose
        Message.isQuiet = quiet
    }
}

import ArgumentParser
import FlipBase
import FlipDeck
import FlipFiles
import FlipGeometry
import FlipRender

/// The inputs, the output, and every option that says what is made of them. What the inputs are decides which of the options
/// mean something.
struct MakeOptions: ParsableArguments {
    @Argument(
        help: .option(
            "Clips, pictures, slides, folders, or one project or timeline; then the output. clip.mp4#t=2.5,9 is a part, "
                + "@list.txt and cuts.csv lists, - standard input.",
            "file"), completion: .file())
    var files: [String] = []
    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: .detail("The output, if it isn't the last of the files.", "file"), completion: .file())
    var outputPath: String?
    @OptionGroup(title: "Inputs") var reading: InputOptions
    @OptionGroup(title: "Look") var look: LookOptions
    @OptionGroup(title: "Timing") var timing: TimingOptions
    @OptionGroup(title: "Output") var output: OutputOptions
    @OptionGroup(title: "Slides", visibility: .detail) var deck: DeckOptions
    @OptionGroup(title: "Limits") var limits: LimitOptions
    @Flag(help: .detail("Make warnings errors."))
    var strict = false
    /// A copy of the project or timeline, which is read in its place.
    @Option(help: .private) var sourceCopy: String?

    /// The inputs as they are typed.
    var inputs: [String] { outputPath == nil ? Array(files.dropLast()) : files }

    /// The output's path; empty if there are no files at all.
    var path: String { outputPath ?? files.last ?? "" }

    /// What the inputs are.
    /// - Parameter kind: what they are to be taken for, if that is not for them to say.
    func source(as kind: Source.Kind? = nil) throws -> Source {
        guard outputPath != nil || files.count > 1, !inputs.isEmpty else { throw missingFiles }
        return try Source(
            inputs, as: kind ?? (deck.firstGiven == nil ? nil : .slides), reading: reading, look: look, timing: timing,
            deck: deck, output: { base in try output.settings(path: path, over: base) }, copy: sourceCopy,
            isStrict: strict)
    }

    /// What the inputs become. Also sets the limits that apply when inputs are opened.
    func made(as kind: Source.Kind? = nil) throws -> Made {
        try limits.apply()
        return try source(as: kind).made()
    }

    /// What the inputs become in a run that writes nothing but what it says.
    func composition(as kind: Source.Kind? = nil) throws -> Composition {
        try deck.notes.checkWritesNothing()
        return try made(as: kind).composition
    }

    /// `error`, or what says more where the output is there already and is the second of two files: it may have been meant as
    /// an input.
    func explained(_ error: any Error) -> any Error {
        guard outputPath == nil, files.count == 2, (error as? MediaError)?.message == MediaError.exists(path).message
        else { return error }
        return MediaError(
            .cannotCreate,
            "'\(path)' exists already, and the last file is the output (name another one after it, or give -y to replace it)"
        )
    }

    private var missingFiles: MediaError {
        let example = "(fliptransition in1.mp4 in2.mp4 out.mp4)"
        if files.isEmpty { return MediaError(.usage, "an input and an output are needed \(example)") }
        return MediaError(.usage, "an output is needed besides '\(files[0])', as the last file or with -o \(example)")
    }

    /// The files with the sounds and gestures of transitions, and what is drawn over the frames.
    func furtherFiles() throws(OptionError) -> [String] {
        try timing.transitions(look).flatMap(\.files) + output.overlays.files()
    }
}

import ArgumentParser
import FlipDeck
import FlipGeometry
import FlipRender

/// What becomes of the notes of slides.
struct NotesOptions: ParsableArguments {
    @Option(
        help: .option("Captions: the slides' notes, timed with them and their speech.", values: "notes", "source"),
        completion: .words("notes"))
    var captionsFrom: String?
    @Option(help: .option("Speak each slide's notes with a program, such as 'espeak-ng -w {out} -f {in}'.", "command"))
    var speak: String?
    @Option(
        help: .detail(
            "Where speech is kept for further runs.", default: "fliptransition/speech in the cache folder", "folder"),
        completion: .directory)
    var speechCache: String?
    @Option(
        help: .detail("Write each slide's notes into this folder, as 01.txt and so on.", "dir"), completion: .directory)
    var notesOut: String?

    @Option(
        help: .detail("Write the captions made of notes into this file, too.", values: "FILE.srt, FILE.vtt", "file"),
        completion: .file())
    var captionsOut: String?

    @Option(
        help: .detail("Write a page with each slide's picture, text and notes, and links into the video.", "file.html"),
        completion: .file())
    var transcript: String?

    /// The first option that was given, as the user typed it.
    var firstGiven: String? {
        let given: [(String, Bool)] = [
            ("--captions-from", captionsFrom != nil), ("--speak", speak != nil),
            ("--speech-cache", speechCache != nil), ("--notes-out", notesOut != nil),
            ("--captions-out", captionsOut != nil), ("--transcript", transcript != nil),
        ]
        return given.first(where: \.1)?.0
    }

    /// Files with notes beside the inputs `words`, as far as notes are used.
    func files(beside words: some Sequence<String>) -> [String] {
        captionsFrom ?? speak ?? notesOut ?? transcript == nil ? [] : PDFPCFile.paths(beside: Array(words))
    }

    /// Applies the options that were given to `spec`.
    func apply(to spec: inout DeckSpec) throws(OptionError) {
        try spec.set([.captionsFrom: captionsFrom])
        if let speak { spec.speech = SpeechSpec(command: try SpeechCommand(parsing: speak), cache: speechCache) }
        if speak == nil, speechCache != nil {
            throw OptionError("--speech-cache has no effect by itself (give --speak)")
        }
        spec.writesNotes = notesOut != nil
        spec.hasTranscript = transcript != nil
        if let captionsOut {
            if !spec.captionsFromNotes {
                throw OptionError("--captions-out has no effect by itself (give --captions-from notes)")
            }
            try CaptionsFile.check(captionsOut)
        }
    }

    /// The folder for notes, checked before anything is rendered; nil if none was asked for.
    /// - Parameter outputs: the paths of the run's other outputs besides the video.
    func folder(of deck: Deck, outputs: [String]) throws -> NotesFolder? {
        try notesOut.map { path in
            try NotesFolder(
                path, deck, overwrites: deck.composition.output.overwrites,
                outputs: [deck.composition.output.path] + outputs)
        }
    }

    /// The file for captions, checked before anything is rendered; nil if none was asked for.
    /// - Parameter outputs: the paths of the run's other outputs besides the video.
    func captions(of deck: Deck, outputs: [String]) throws -> CaptionsFile? {
        try captionsOut.map { path in
            try CaptionsFile(
                path, deck, overwrites: deck.composition.output.overwrites,
                outputs: [deck.composition.output.path] + outputs)
        }
    }

    /// The page with the transcript, checked before anything is rendered; nil if none was asked for.
    /// - Parameter outputs: the paths of the run's other outputs besides the video.
    func transcript(of deck: Deck, outputs: [String]) throws -> TranscriptFile? {
        try transcript.map { path in
            try TranscriptFile(
                path, deck, overwrites: deck.composition.output.overwrites,
                outputs: [deck.composition.output.path] + outputs)
        }
    }

    /// Throws if notes are to be written by a run that makes no video.
    func checkWritesNothing() throws(OptionError) {
        let given = [("--notes-out", notesOut), ("--captions-out", captionsOut), ("--transcript", transcript)]
        for (option, path) in given where path != nil {
            throw OptionError("\(option) is for the subcommand deck, which makes the video")
        }
    }
}

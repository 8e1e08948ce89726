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
    @Option(
        help: .option(
            "Notes (01.txt ...) and speech (01.wav ...) in another language, for tracks of their own; give it again for more.",
            values: "de=FOLDER", "lang=dir"))
    var translation: [String] = []
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

    /// Files with notes beside the inputs `words`, as far as notes are used.
    func files(beside words: some Sequence<String>) -> [String] {
        captionsFrom ?? speak ?? notesOut ?? transcript == nil ? [] : PDFPCFile.paths(beside: Array(words))
    }

    /// Applies the options that were given to `spec`.
    func apply(to spec: inout DeckSpec) throws(OptionError) {
        try spec.set(given)
        if !translation.isEmpty {
            spec.translations = try translation.map { text throws(OptionError) in try TranslationSpec(parsing: text) }
        }
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

    /// The files besides the video that were asked for, checked before anything is rendered, to be written after it.
    /// - Parameter outputs: the paths of the run's other outputs besides the video.
    func files(of deck: Deck, outputs: [String]) throws -> [any DeckFile] {
        let output = deck.composition.output
        var taken = outputs + [output.path]
        var files: [any DeckFile] = []
        if let captionsOut {
            let others = deck.translations.map { (CaptionsFile.path(captionsOut, tag: $0.tag), $0.captions) }
            for (path, captions) in [(captionsOut, deck.captions)] + others {
                files.append(try CaptionsFile(path, captions, of: deck, outputs: taken))
                taken.append(path)
            }
        }
        if let transcript {
            files.append(try TranscriptFile(transcript, deck, overwrites: output.overwrites, outputs: taken))
            taken.append(transcript)
        }
        if let notesOut {
            files.append(try NotesFolder(notesOut, deck, overwrites: output.overwrites, outputs: taken))
        }
        return files
    }

    /// Throws if notes are to be written by a run that makes no video.
    func checkWritesNothing() throws(OptionError) {
        let given = [("--notes-out", notesOut), ("--captions-out", captionsOut), ("--transcript", transcript)]
        for (option, path) in given where path != nil {
            throw OptionError("\(option) is for the subcommand deck, which makes the video")
        }
    }
}

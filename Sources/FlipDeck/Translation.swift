import FlipBase
import FlipFiles
import FlipGeometry
import FlipMedia
import FlipRender
import Foundation

/// A folder with notes and recordings of a deck in another language, named by the slides' numbers: `01.txt`, `01.wav`.
package struct TranslationSpec: Sendable, Equatable {
    /// The language's tag as the user wrote it, such as "de" or "pt-BR", and its three-letter code.
    package let tag: String
    let language: String
    package let folder: String

    /// Parses `LANGUAGE=FOLDER`.
    package init(parsing text: String) throws(OptionError) {
        let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw OptionError("invalid translation '\(text)' (expected LANGUAGE=FOLDER, such as de=notes-de)")
        }
        try self.init(tag: parts[0], folder: parts[1])
    }

    package init(tag: String, folder: String) throws(OptionError) {
        (self.tag, self.folder) = (tag, folder)
        language = try OutputValue.language(tag)
        // The tag becomes a part of files' names, and an argument of the program that speaks.
        guard tag.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
            throw OptionError("invalid language '\(tag)' (expected a code such as de, deu or pt-BR)")
        }
    }
}

/// What a deck has in another language.
struct Translation {
    let spec: TranslationSpec
    let notes: DeckNotes
    let narration: Narration
    let speech: Speech?
    /// The paths of the files with notes.
    let files: [String]
    /// Warnings about files that the folder lacks, or has in vain.
    private(set) var warnings: [String] = []

    /// Whether anything is heard in the language.
    var isHeard: Bool {
        if case .slides(let voices) = narration.voices { !voices.isEmpty } else { false }
    }

    /// Reads the folder, and has notes without a recording spoken if the program is told the language.
    /// - Throws: if the folder has nothing that could be used.
    init(
        _ translation: TranslationSpec, _ slides: [Slide], _ numbers: SlideNumbers, _ deck: DeckSpec
    ) throws(MediaError) {
        spec = translation
        let folder = translation.folder
        try Confinement.check(folder)
        guard DeckInputs.isFolder(folder) else {
            throw MediaError(.missingInput, "cannot read the translation '\(folder)': no such folder")
        }
        let sounds = try SlideFiles(in: folder, Narration.endings, numbers, root: deck.root)
        let texts = try SlideFiles(in: folder, ["txt"], numbers, root: deck.root)
        guard !sounds.paths.isEmpty || !texts.paths.isEmpty else {
            throw MediaError(.badInput, "the folder '\(folder)' has no translation (expected 01.txt or 01.wav ...)")
        }
        var translated = slides
        for index in slides.indices {
            let text = try texts.paths[slides[index].number].map(Self.text)
            translated[index].facts.notes = text.flatMap { $0 }
        }
        notes = DeckNotes(translated, numbers)
        files = texts.paths.values.sorted()
        var heard = try Narration(nil, numbers, trimsSilence: deck.trimsSilence, root: nil)
        try heard.add(sounds, numbers, trimsSilence: deck.trimsSilence)
        let isSpoken = deck.speech?.command.usesLanguage == true && !texts.paths.isEmpty
        speech = isSpoken ? try notes.speech(deck, heard, language: translation.tag) : nil
        if let speech { heard.add(speech) }
        narration = heard
        warnings = heard.warnings.map { "\(translation.tag): \($0)" }
        if deck.speech != nil, !isSpoken, sounds.paths.isEmpty {
            warnings.append(
                "\(translation.tag): its notes aren't spoken, because the program of --speak isn't told the language (put "
                    + "{language} in its arguments)")
        } else if !texts.paths.isEmpty, !isSpoken, !deck.captionsFromNotes {
            warnings.append("\(translation.tag): its notes are neither shown nor spoken (give --captions-from notes)")
        }
    }

    /// The notes in the file at `path`, as those of documents; nil if there are none.
    private static func text(_ path: String) throws(MediaError) -> String? {
        try Confinement.check(path)
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: NotesText.longest + 1) ?? Data(),
            data.count <= NotesText.longest, let text = String(data: data, encoding: .utf8)?.trimmingPrefix("\u{feff}")
        else {
            throw MediaError(.badInput, "'\(path)' has no notes: it has to be UTF-8 text of at most 64 KiB")
        }
        return NotesText.cleaned(String(text)).flatMap(ClickMarks.plain)
    }

    /// How long the narration of each slide lasts, with the pause after it, in seconds.
    func times(_ deck: DeckSpec, rate: Rational) -> [Rational] {
        notes.slides.indices.map { index in
            let time = DeckClock.spoken(index, isLast: false, nil, deck, narration.voices, rate)
            if case .length(let length)? = time { return length }
            return .zero
        }
    }

    /// Says which slides are heard in the deck's own language only; nil if there are none.
    /// - Parameter voices: the deck's own narration.
    func silence(_ voices: Narration.Voices) -> String? {
        guard isHeard, case .slides(let own) = voices, case .slides(let heard) = narration.voices else { return nil }
        let silent = own.keys.filter { heard[$0] == nil }.map { notes.slides[$0].number }
        if silent.isEmpty { return nil }
        return "\(spec.tag): nothing is said on \(SlideNumbers.words(Set(silent).sorted())), which the folder "
            + "'\(spec.folder)' has no narration for"
    }
}

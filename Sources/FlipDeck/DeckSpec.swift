import FlipBase
import FlipGeometry
import FlipRender

/// How slides are shown on which clicks bring something.
package enum BuildChoice: Sendable, Equatable {
    /// All that is on them at once.
    case off
    /// Step by step, over the time of the slide.
    case steps
    /// Step by step, each for this time.
    case each(TransitionDuration)
}

/// What is asked of a deck: the documents, pictures and films in order, how long each stays, what is heard, and the
/// output. No file has been opened yet.
package struct DeckSpec: Sendable {
    /// Documents, folders, pictures, films and lists of them.
    package var inputs: [DeckInput]
    /// The folder that files named in lists have to lie in; nil for no restriction.
    package var root: String?
    package var reading = InputSettings()
    /// How long slides stay for which nothing else was asked; nil for the deck's own time, or else `standardHold`.
    package var hold: TransitionDuration?
    /// Whether slides for which nothing else was asked stay at least as long as it takes to read their notes.
    package var holdsForNotes = false
    /// The path of a file with a time for each slide; nil for none.
    package var timings: String?
    /// The password of documents that need one; nil for none.
    package var password: Password?
    /// The path of a folder with an audio file for each slide, or of one file for the whole deck; nil for none.
    package var narration: String?
    /// Notes and narration in other languages, for tracks of their own.
    package var translations: [TranslationSpec] = []
    /// Which films and sounds of documents play.
    package var slideMedia = SlideMediaChoice.all
    /// How the pages are bound into a book; nil if they aren't.
    package var book: BookLayout.Form?
    /// Whether what clicks bring on slides is shown step by step, and how long each step stays.
    package var builds = BuildChoice.steps
    /// Whether slides that a document hides are shown.
    package var showsHidden = false
    /// Whether files of a folder that can't be shown are left out, instead of ending the run.
    package var skipsUnreadable = false
    /// The time from the end of a slide's narration to the next slide; nil for none.
    package var pause: TransitionDuration?
    /// Whether silence before and after each narration is left out.
    package var trimsSilence = false
    /// Whether the deck's own transitions are drawn if they are known.
    package var usesOwnTransitions = false
    /// The transitions: the first leads to the second slide, and so on; the last serves all further slides. Not empty.
    /// An input's own transition takes their place.
    package var transitions: [TransitionSpec]
    /// The path of the background music, which is lowered during speech; nil for none.
    package var music: String?
    /// The gain of `music`, in dB.
    package var musicGain = -12.0
    /// Further sounds. One that starts with a clip counts the deck's inputs.
    package var sounds: [SoundSpec] = []
    /// Paths of further files that the output must not replace, such as the project that the deck was read from.
    package var sources: [String] = []
    /// How slides' notes are spoken, as their narration; nil if they aren't.
    package var speech: SpeechSpec?
    /// Whether slides' notes become captions.
    package var captionsFromNotes = false
    /// Whether slides' notes are written into files.
    package var writesNotes = false
    /// Whether there is a page with the slides' pictures, text and notes.
    package var hasTranscript = false
    package var output: OutputSettings
    /// The least time that the slides on both sides of a transition stay; where one stays for less, there is a cut. Nil
    /// for no such limit.
    package var cutBelow: TransitionDuration?
    package var isStrict = false
    /// Whether pictures without a time of their own are clips of `reading.stillDuration`, as in joins, whose transitions
    /// are part of that time. Otherwise they stay like pages.
    package var hasStillClips = false
    /// Whether the deck itself says how long pictures stay, so that they are slides in any case.
    var holdsPictures: Bool { hold != nil || holdsForNotes || timings != nil }

    /// The time of a slide for which neither the user nor the deck gives one: 4 s.
    package static let standardHold = Rational(4)

    /// The same of one slide: more if it has more than two steps, each of which has 2 s.
    static func standardHold(_ slide: Slide) -> Rational {
        max(standardHold, Rational(2) * Rational(slide.steps.count))
    }

    package init(inputs: [DeckInput], transitions: [TransitionSpec], output: OutputSettings) {
        (self.inputs, self.transitions, self.output) = (inputs, transitions, output)
    }

    /// Whether documents have pages for the steps of slides. Pages that move and those of books show all at once.
    var hasSteps: Bool { builds != .off && book == nil && output.stillMotion == .none }

    /// Whether the slides' notes are used.
    var needsNotes: Bool { speech != nil || captionsFromNotes || writesNotes || hasTranscript || holdsForNotes }

    /// The paths of documents that LibreOffice converts, which takes some seconds for each.
    package var officeDocuments: [String] {
        inputs.compactMap { input in
            switch input.source {
            case .word(let word): DocumentPart(word).path
            case .document(let path, _): path
            case .clips: nil
            }
        }.filter { path in OfficeDeck.endings.contains { path.lowercased().hasSuffix("." + $0) } }
    }

    /// - Parameter words: the inputs as the user names them.
    package init(inputs words: [String], transitions: [TransitionSpec], output: OutputSettings) {
        self.init(inputs: words.map { DeckInput(.word($0)) }, transitions: transitions, output: output)
    }

    /// The transition to the slide at index `slide`, 1 or more, if no input has one of its own.
    func transition(to slide: Int) -> TransitionSpec { transitions[min(slide - 1, transitions.count - 1)] }
}

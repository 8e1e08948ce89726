import FlipMedia
import FlipRender

/// What was asked of a deck: documents, pictures and films one after another, how long each stays, what is heard, and the
/// output. A value; nothing has been opened yet.
package struct DeckSpec: Sendable {
    /// Documents, folders, pictures, films and lists of them, as the user names them.
    package var inputs: [String]
    /// Folder that no list may name a file outside of.
    package var root: String?
    package var reading = InputSettings()
    /// How long slides stay of which nothing else was asked; nil is what the deck says, else `standardHold`.
    package var hold: TransitionDuration?
    /// A file with a time for each slide.
    package var timings: String?
    /// A folder with a file for each slide, or one file for all.
    package var narration: String?
    /// From the end of a slide's narration to the next slide; nil for none.
    package var pause: TransitionDuration?
    /// Whether silence before and after each narration is left out.
    package var trimsSilence = false
    /// Whether the deck's own transitions are drawn where they are known.
    package var usesOwnTransitions = false
    /// The first is for the change to the second slide, and so on; the last serves all further ones. Not empty.
    package var transitions: [TransitionSpec]
    /// Heard whenever a slide turns, in dB.
    package var sound: String?
    package var soundGain = 0.0
    /// Heard all the time, quieter while somebody speaks, in dB.
    package var music: String?
    package var musicGain = -12.0
    package var output: OutputSettings
    package var isStrict = false

    /// Where neither the user nor the deck says how long a slide stays: 4 s.
    package static let standardHold = Rational(4)

    package init(inputs: [String], transitions: [TransitionSpec], output: OutputSettings) {
        self.inputs = inputs
        self.transitions = transitions
        self.output = output
    }

    func transition(to slide: Int) -> TransitionSpec { transitions[min(slide - 1, transitions.count - 1)] }
}

import FlipBase
import FlipMedia

/// A sound besides the clips' own audio, as the user specifies it.
package struct SoundSpec: Sendable, Hashable {
    /// Where the sound begins.
    package enum Start: Sendable, Hashable {
        /// The time in the output, in seconds.
        case time(Rational)
        /// `offset` seconds after the first frame of clip `index`, counted from 0.
        case clip(index: Int, offset: Rational)
    }

    /// How the sound is mixed with others.
    package enum Role: String, Sendable, Codable {
        case plain
        /// Like `plain`, but the bed is ducked while it is heard.
        case voice
        /// Ducked under the voices and the clips' own audio.
        case bed
    }

    package var path: String
    package var part: ClipPart
    package var start: Start
    /// The lengths of the fades, in seconds; 0 for none.
    package var fadeIn = Rational.zero
    package var fadeOut = Rational.zero
    /// The gain in dB.
    package var gain = 0.0
    /// The integrated loudness in LUFS to which the sound is brought before `gain`; nil to leave it as it is.
    package var loudness: Double?
    package var role = Role.plain
    /// In which audio tracks the sound is heard: 0 for those of the clips, n for that of translation n of
    /// `OutputSettings.translations`; nil for all.
    package var translation: Int?

    /// What a document stores as the sound; nil for a file of the user's.
    package private(set) var stored: StoredMedia?

    /// What makes the file when it is first read; nil for a file that is there.
    package private(set) var made: MadeMedia?

    /// A sound that another program makes.
    package init(made: MadeMedia, start: Start) {
        self.init(path: made.info.path, start: start)
        self.made = made
    }

    package init(stored: StoredMedia, part: ClipPart = .all, start: Start) {
        self.init(path: stored.info.path, part: part, start: start)
        self.stored = stored
    }

    package init(path: String, part: ClipPart = .all, start: Start) {
        (self.path, self.part, self.start) = (path, part, start)
    }
}

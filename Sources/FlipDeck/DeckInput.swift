import FlipBase
import FlipMedia
import FlipFiles
import FlipRender

/// An entry of a deck: what is shown, and what is asked for its slides alone.
package struct DeckInput: Sendable {
    package enum Source: Sendable {
        /// A document, a folder, a picture, a film or a list, as the user names it.
        case word(String)
        /// Slides of a document: all of them, or those that `pages` names as `#page=` does.
        case document(path: String, pages: String?)
        /// Pictures and films.
        case clips([ClipSpec])
    }

    package var source: Source
    /// The folder that the files of a folder have to lie in; nil for no restriction.
    package var root: RootFolder?
    /// How long each of the slides stays, unless its narration, its films or its sounds take longer; nil for the deck's
    /// rule.
    package var hold: TransitionDuration?
    /// The path of the slide's narration; nil for the deck's.
    package var narration: String?
    /// The title of the slide's chapter; nil for its own.
    package var title: String?
    /// A file with subtitles for the slide; nil for none.
    package var captions: String?
    /// How pages move; nil leaves that to the output's settings.
    package var motion: StillMotion?
    /// The transition after each of the slides; nil for the deck's.
    package var transition: TransitionSpec?

    /// Where a project names the entry; nil for the words of a command line.
    package var location: TextLocation?

    package init(_ source: Source) { self.source = source }

    /// What the entry is called in messages.
    package var name: String {
        switch source {
        case .word(let word): word
        case .document(let path, let pages): path + (pages.map { "#page=\($0)" } ?? "")
        case .clips(let clips): clips.first?.path ?? ""
        }
    }
}

import Foundation

/// The marks `[click]` in speaker notes, which say when a slide's next step comes.
package enum ClickMarks {
    /// What is said before the first mark, and after each; empty where nothing is.
    package static func parts(of notes: String) -> [String] {
        notes.split(separator: mark, omittingEmptySubsequences: false).map { NotesText.cleaned(String($0)) ?? "" }
    }

    /// The notes without marks; nil if nothing is left.
    package static func plain(_ notes: String) -> String? { NotesText.cleaned(notes.replacing(mark, with: "")) }

    private static var mark: Regex<Substring> { /\[click\]/.ignoresCase() }
}

import FlipBase
import FlipFiles

/// A film or sound that a document stores, in a file that exists as long as this object.
package final class StoredMedia: Sendable, Hashable {
    package let info: MediaInfo
    /// The length in seconds: of the video if there is one, else of the audio.
    package let duration: Rational
    /// What the user knows it by, such as "talk.pptx (media1.mp4)".
    package let name: String
    private let file: NamelessFile

    /// - Parameters:
    ///   - info: what was found in `file`.
    ///   - duration: the length in seconds of its video, or else of its audio.
    package init(_ file: NamelessFile, info: MediaInfo, duration: Rational, name: String) {
        (self.file, self.info, self.duration, self.name) = (file, info, duration, name)
    }

    package static func == (left: StoredMedia, right: StoredMedia) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A film that plays in a part of a page while the page is shown.
package struct PlacedFilm: Sendable, Hashable {
    /// A rectangle as fractions of the page's width and height, from its upper left corner. It may reach beyond the page.
    package struct Place: Sendable, Hashable {
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        package init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        /// The largest magnitude of each of these values.
        package static let reach = 2.0

        /// Whether a film can be shown there: some of it is seen, and it isn't much larger than the page.
        package var isUsable: Bool {
            width > 0 && height > 0 && width <= Self.reach && height <= Self.reach && x < 1 && y < 1
                && x + width > 0 && y + height > 0
        }
    }

    package let media: StoredMedia
    /// The part of the film that is shown, in seconds from its first frame.
    package var span: TimeSpan
    package var place: Place
    /// The frame of the page's clip at which the film begins, counted at the output's rate; negative if the film began
    /// before. Before that, the page itself is seen, and after the film's end its last frame.
    package var start: Int

    package init(_ media: StoredMedia, span: TimeSpan, place: Place, start: Int) {
        (self.media, self.span, self.place, self.start) = (media, span, place, start)
    }

    /// The film as a clip.
    package var clip: InputClip { InputClip(.file(media.info), ClipUse(span: span)) }
}

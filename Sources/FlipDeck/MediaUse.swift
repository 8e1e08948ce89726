import FlipBase
import FlipMedia

/// Which films and sounds of documents play.
package enum SlideMediaChoice: String, Sendable, CaseIterable {
    case all
    /// Recorded narration only.
    case narration
    /// Films and sounds, but no recorded narration.
    case films
    case none

    func includes(_ kind: SlideMedia.Kind) -> Bool {
        switch kind {
        case .narration: self == .all || self == .narration
        case .film, .sound: self == .all || self == .films
        case .linkedPicture: false
        }
    }
}

/// How a document uses a film or sound that a slide shows as a picture.
package struct MediaUse: Sendable, Equatable {
    /// The picture's rectangle on the slide, in points from the upper left corner.
    package var frame = Frame()
    /// The seconds that are cut off at the start, and at the end.
    package var head = Rational.zero
    package var tail = Rational.zero
    package var isMuted = false
    /// Whether only a part of the film's picture is to be seen.
    package var isCropped = false
    /// Whether the film is turned or mirrored.
    package var isTurned = false
    /// The number of slides during which a sound is heard.
    package var slides = 1
    /// The ID of the shape that stands for it; empty if it has none.
    package var shape = ""

    package struct Frame: Sendable, Equatable {
        package var x = 0.0
        package var y = 0.0
        package var width = 0.0
        package var height = 0.0

        package init() {}

        package init(x: Double, y: Double, width: Double, height: Double) {
            (self.x, self.y, self.width, self.height) = (x, y, width, height)
        }

        /// The same rectangle of a slide of `size` points, as fractions of that.
        func place(on size: (width: Rational, height: Rational)) -> PlacedFilm.Place {
            let (pageWidth, pageHeight) = (size.width.doubleValue, size.height.doubleValue)
            return PlacedFilm.Place(
                x: x / pageWidth, y: y / pageHeight, width: width / pageWidth, height: height / pageHeight)
        }
    }

    /// The part of something of `duration` seconds that is left after cutting; nil if nothing is.
    func span(of duration: Rational) -> TimeSpan? {
        let length = duration - head - tail
        return length > .zero ? TimeSpan(start: head, duration: length) : nil
    }
}

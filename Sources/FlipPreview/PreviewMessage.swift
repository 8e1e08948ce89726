import FlipGesture
import FlipRender
import Foundation

/// What the page asks for, in one message.
struct PreviewRequest: Decodable {
    enum Kind: String, Decodable {
        /// A picture of now, after what pointers did meanwhile.
        case frame
        /// The texts and the curve of a look.
        case describe
        /// The join as a film.
        case film
        /// The curve of a recorded gesture, which is checked as `--gesture` checks it.
        case trace
        /// Writes the gesture to the file that the command line names.
        case save
    }

    /// The page that asks, by a name that it has given itself.
    let page: String
    let kind: Kind
    let seam: Int
    let look: LookChoice
    /// The width of a picture, in pixels.
    var width: Int?
    /// The width at which it is shown, in CSS pixels.
    var shown: Double?
    /// The page's clock, in milliseconds.
    var now: Double?
    /// Whether a picture without loss is wanted.
    var exact: Bool?
    /// The progress that the page shows, from which a session goes on that knows of none, 0...1.
    var shownProgress: Double?
    /// The progress to go to before anything else, 0...1.
    var progress: Double?
    /// The part of the time to go to, 0...1, which the easing makes progress of.
    var time: Double?
    /// complete or cancel, as Enter and Escape do.
    var command: String?
    /// Resets the model, so that the next gesture starts from rest.
    var restart: Bool?
    /// Whether a picture of a further look is asked for, which leaves the hand's model alone.
    var aside: Bool?
    /// How long the transition lasts and whether the clips run meanwhile, as options say it; nil for what the command line or
    /// the project says.
    var duration: String?
    var overlap: String?
    /// Whether the gesture that was saved last takes the place of the easing.
    var gesture: Bool?
    var samples: [Sample]?

    /// A sample as files of gestures have it.
    struct Sample: Decodable {
        let sample: GestureSample

        init(from decoder: any Decoder) throws {
            var row = try decoder.unkeyedContainer()
            let (time, pointer) = (try row.decode(Double.self), try row.decode(Int.self))
            let word = try row.decode(String.self)
            let (x, y) = (try row.decode(Double.self), try row.decode(Double.self))
            var values: [Any] = [time, Double(pointer), word, x, y]
            if !row.isAtEnd { values.append(try row.decode(Double.self)) }
            guard row.isAtEnd, let sample = GestureFile.sample(values) else {
                throw DecodingError.dataCorruptedError(in: row, debugDescription: "no sample")
            }
            self.sample = sample
        }
    }
}

/// What comes before a picture's or a film's bytes in an answer.
struct PreviewHeader: Encodable {
    var progress: Double?
    var bump: Double?
    /// Whether the next picture will differ without a further sample.
    var isMoving: Bool?
    /// Whether the picture is the exact one.
    var isExact: Bool?
    var error: String?
    /// For texts.
    var spec: String?
    var command: String?
    var yaml: String?
    /// Progress at even steps of time.
    var curve: [Double]?
    /// How long the transition or a gesture takes, in milliseconds and in frames.
    var milliseconds: Double?
    var frames: Int?
    /// What is wrong with options, by name.
    var faults: [String: String]?
    /// What to know about a gesture that can be used.
    var note: String?
    /// Whether the gesture would complete if it were mirrored.
    var canMirror: Bool?
    var saved: String?
}

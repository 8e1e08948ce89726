import FlipBase
import FlipMedia

/// A part of a source that is to be in the film.
struct CheckUse: Sendable {
    /// The number of the source among the different files.
    let film: Int
    /// The frames of the source that may be there: all those that are shown at times of the part.
    let range: Range<Int>
    /// Those of them that are to be there. Where the part begins or ends beside a frame, programs round differently.
    let needed: Range<Int>
    /// Whether all of them have to be.
    let isWhole: Bool
}

/// What is compared: a film, the files that it was made of, and which parts of them.
struct CheckedJoin {
    let film: JudgedFilm
    let sources: [JudgedFilm]
    let uses: [CheckUse]
    /// The frames of the film that are known to come from none of the sources.
    var made: [Range<Int>] = []

    /// Whether frame `frame` of the film is known to come from none of the sources.
    func isMade(_ frame: Int) -> Bool { made.contains { $0.contains(frame) } }

    /// The seconds from the film's first frame to frame `frame`.
    func time(_ frame: Int) -> Double { film.time(frame) - film.time(0) }

    func name(_ source: Int) -> String { sources[source].info.name }

    func finding(
        _ kind: CheckFinding.Kind, at frame: Int, _ count: Int? = nil, source: Int? = nil, sourceFrame: Int? = nil,
        _ text: String
    ) -> CheckFinding {
        CheckFinding(
            kind: kind, frame: frame, time: time(min(frame, film.frames.count - 1)), count: count,
            source: source.map(name), sourceFrame: sourceFrame,
            message: text + " (at \(time(min(frame, film.frames.count - 1)).thousandths) s)")
    }
}

extension Double {
    /// The number with up to three decimals.
    var thousandths: String { Rational(Int((self * 1000).rounded()), 1000).decimalText }
}

/// "1 frame", "2 frames".
func frameText(_ count: Int) -> String { count == 1 ? "1 frame" : "\(count) frames" }

import FlipBase
import FlipClip
import FlipMedia

/// What cut lists leave for the planner to do.
extension Planner {
    /// Passes the lists' notes on, and turns parts that they state in frames into times, now that the clips' rates are known.
    mutating func settleParts() throws(MediaError) {
        for note in composition.inputs.flatMap(\.notes) {
            try warn(note)
            composition.notes.append(note)
        }
        for index in composition.inputs.indices {
            composition.inputs[index].notes = []
            guard let frames = composition.inputs[index].listedFrames else { continue }
            composition.inputs[index].listedFrames = nil
            guard let rate = sources[index].video?.frameRate else { continue }
            composition.inputs[index].part = ClipPart(
                start: Rational(frames.lowerBound) / rate, end: Rational(frames.upperBound) / rate)
        }
    }
}

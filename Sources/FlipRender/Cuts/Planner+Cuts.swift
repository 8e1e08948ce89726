import FlipBase
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
            if let rate = sources[index].video?.frameRate { composition.inputs[index].settle(at: rate) }
        }
    }
}

extension ClipSpec {
    /// Turns the part that a list states in frames into times.
    /// - Parameter rate: the clip's frames per second.
    package mutating func settle(at rate: Rational) {
        guard let frames = listedFrames else { return }
        part = ClipPart(start: Rational(frames.lowerBound) / rate, end: Rational(frames.upperBound) / rate)
        listedFrames = nil
    }
}

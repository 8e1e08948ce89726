import FlipBase

/// Compares the distances between copied frames with those in their sources.
struct TimeCheck {
    private(set) var findings: [CheckFinding] = []

    init(_ join: CheckedJoin, _ parts: [MatchedPart]) {
        let film = join.film
        for (index, part) in parts.enumerated() {
            if part.origin == nil { checkEncoded(join, part.frames) }
            guard let origin = part.origin, !part.isMisplaced else { continue }
            let source = join.sources[origin.film]
            // Each of both times is rounded to a tick.
            let tolerance = 1.01 * max(film.tick, source.tick) + 1e-6
            var uneven: [Int] = []
            var worst = 0.0
            for offset in 0..<max(0, part.frames.count - 1) {
                let (number, frame) = (part.frames.lowerBound + offset, origin.frame + offset)
                let shown = film.time(number + 1) - film.time(number)
                let off = shown - (source.time(frame + 1) - source.time(frame))
                if abs(off) <= tolerance { continue }
                // Times that waver within a constant rate may be made even.
                if !source.video.isVariableFrameRate, abs(shown - source.step) <= tolerance { continue }
                uneven.append(number + 1)
                if abs(off) > abs(worst) { worst = off }
            }
            if let first = uneven.first {
                findings.append(
                    join.finding(
                        .times, at: first, uneven.count, source: origin.film,
                        sourceFrame: origin.frame + first - part.frames.lowerBound,
                        "\(frameText(uneven.count)) of \(join.name(origin.film)) \(uneven.count == 1 ? "is" : "are") shown "
                            + "earlier or later after the one before than in the source, by up to \((1000 * worst).thousandths) ms"
                    ))
            }
            checkSeam(join, parts, index)
        }
    }

    /// Checks the distances between frames that were encoded from sources which all have the film's rate.
    private mutating func checkEncoded(_ join: CheckedJoin, _ frames: Range<Int>) {
        let film = join.film
        let steps = zip(film.frames.dropFirst(), film.frames).map { Double($0.ticks - $1.ticks) * film.tick }
        let usual = steps.isEmpty ? film.step : steps.sorted()[steps.count / 2]
        let tolerance = max(0.01 * usual, film.tick)
        guard join.sources.allSatisfy({ !$0.video.isVariableFrameRate && abs($0.step - usual) <= tolerance }) else {
            return
        }
        let step = join.sources[0].step
        var uneven: [Int] = []
        for number in frames.dropFirst() {
            let count = (steps[number - 1] / step).rounded()
            if abs(steps[number - 1] - max(1, count) * step) > 2.02 * film.tick + 1e-6 {
                uneven.append(number)
            } else if count >= 2 {
                findings.append(
                    join.finding(
                        .lost, at: number, Int(count) - 1,
                        "\(frameText(Int(count) - 1)) \(count == 2 ? "is" : "are") missing before frame \(number)"))
            }
        }
        if let first = uneven.first {
            findings.append(
                join.finding(
                    .times, at: first, uneven.count,
                    "\(frameText(uneven.count)) that \(uneven.count == 1 ? "was" : "were") encoded anew "
                        + "\(uneven.count == 1 ? "is" : "are") shown at uneven times"))
        }
    }

    /// Checks the distance from the frame before a part.
    private mutating func checkSeam(_ join: CheckedJoin, _ parts: [MatchedPart], _ index: Int) {
        guard index > 0 else { return }
        let (film, first) = (join.film, parts[index].frames.lowerBound)
        let distance = film.time(first) - film.time(first - 1)
        let sources = [parts[index - 1], parts[index]].compactMap { $0.origin.map { join.sources[$0.film] } }
        let longest = (sources.map(\.longestStep) + [film.step]).max() ?? film.step
        // While a source lasts that has no frames before or any more, its last frame stands.
        let awaited = tail(join, parts[index - 1]) + head(join, parts[index])
        if distance > max(2 * longest, awaited + longest / 2) + film.tick || distance < 0.1 * film.step {
            findings.append(
                join.finding(
                    .times, at: first, 1,
                    "frame \(first) follows \((1000 * distance).thousandths) ms after the one before, at a seam"))
        }
    }

    /// The seconds from the last frame of a part to the end of its source; 0 if the source has more frames.
    private func tail(_ join: CheckedJoin, _ part: MatchedPart) -> Double {
        guard let origin = part.origin, part.own.upperBound == join.sources[origin.film].frames.count else { return 0 }
        return join.sources[origin.film].span.upperBound - join.sources[origin.film].time(part.own.upperBound - 1)
    }

    /// The seconds from the start of the source to the first frame of a part; 0 if there are frames before it.
    private func head(_ join: CheckedJoin, _ part: MatchedPart) -> Double {
        guard let origin = part.origin, origin.frame == 0 else { return 0 }
        return join.sources[origin.film].time(0) - join.sources[origin.film].span.lowerBound
    }
}

extension JudgedFilm {
    /// The longest usual time for which a frame is shown, in seconds: that of all but one in a hundred.
    var longestStep: Double {
        let steps = zip(frames.dropFirst(), frames).map { $0.ticks - $1.ticks }.sorted()
        guard !steps.isEmpty else { return step }
        return max(step, Double(steps[min(steps.count - 1, steps.count * 99 / 100)]) * tick)
    }
}

import FlipBase

/// A time of the film during which the pictures of a source are shown, and by how much they were moved. All in seconds.
struct SoundPlace {
    /// The number of the input.
    let use: Int
    let film: Int
    /// The times of the first and the last frame, of the film.
    var span: ClosedRange<Double>
    /// What is added to times of the source to get those of the film.
    let shift: Double
    /// By how much `shift` may be wrong.
    var slack = 0.0

    func distance(to time: Double) -> Double { max(0, span.lowerBound - time, time - span.upperBound) }

    /// The least offset from its picture that is reported for sound, besides 0.6 of a packet.
    static let minOffset = 0.03

    /// Where the pictures of the inputs are shown.
    static func all(
        _ join: CheckedJoin, _ parts: [MatchedPart], _ alignments: [StretchAlignment]
    ) -> [SoundPlace] {
        let film = join.film
        let copied = parts.compactMap { part -> SoundPlace? in
            guard let origin = part.origin, let use = part.use, !part.isMisplaced else { return nil }
            let (first, last) = (film.time(part.frames.lowerBound), film.time(part.frames.upperBound - 1))
            return SoundPlace(
                use: use, film: origin.film, span: first...last,
                shift: first - join.sources[origin.film].time(origin.frame))
        }
        return copied
            + alignments.compactMap { alignment in
                let use = join.uses[alignment.use]
                let source = join.sources[use.film]
                let first = max(source.time(use.range.lowerBound) - alignment.offset, alignment.span.lowerBound)
                let last = min(source.time(use.range.upperBound - 1) - alignment.offset, alignment.span.upperBound)
                guard first <= last else { return nil }
                return SoundPlace(
                    use: alignment.use, film: use.film, span: first...last, shift: -alignment.offset,
                    slack: alignment.slack + (source.hasRate(of: film) ? 0 : max(source.step, film.step) / 2))
            }
    }

    /// The places with the encoded frames beside them that show the same inputs, without the times at which two inputs may
    /// be heard.
    static func heardAlone(_ join: CheckedJoin, _ parts: [MatchedPart], _ places: [SoundPlace]) -> [SoundPlace] {
        let merged = places.sorted { $0.span.lowerBound < $1.span.lowerBound }.reduce(into: [SoundPlace]()) {
            merged, place in
            if var last = merged.last, last.use == place.use, abs(last.shift - place.shift) < 0.002 {
                last.span = last.span.lowerBound...max(last.span.upperBound, place.span.upperBound)
                last.slack = max(last.slack, place.slack)
                merged[merged.count - 1] = last
            } else {
                merged.append(place)
            }
        }
        let wide = merged.map { $0.widened(join, parts) }
        return wide.indices.compactMap { index in
            var (lower, upper) = (wide[index].span.lowerBound, wide[index].span.upperBound)
            for (number, other) in wide.enumerated() where number != index && other.span.overlaps(lower...upper) {
                if other.span.lowerBound <= lower {
                    lower = other.span.upperBound
                } else {
                    upper = other.span.lowerBound
                }
                if lower >= upper { return nil }
            }
            var place = wide[index]
            place.span = lower...upper
            return place
        }
    }

    /// The place with the encoded parts beside it, as far as the source has frames for them.
    private func widened(_ join: CheckedJoin, _ parts: [MatchedPart]) -> SoundPlace {
        let (film, source, range) = (join.film, join.sources[self.film], join.uses[use].range)
        var (lower, upper) = (span.lowerBound, span.upperBound + film.step)
        let first = film.frame(at: span.lowerBound)
        if let part = parts.first(where: { $0.origin == nil && $0.frames.upperBound == first }) {
            lower = min(lower, max(film.time(part.frames.lowerBound), source.time(range.lowerBound) + shift))
        }
        let last = film.frame(at: span.upperBound)
        if let part = parts.first(where: { $0.origin == nil && $0.frames.lowerBound == last + 1 }) {
            upper = max(
                upper, min(film.end(before: part.frames.upperBound), source.end(before: range.upperBound) + shift))
        }
        var wide = self
        wide.span = lower...max(lower, upper)
        return wide
    }
}

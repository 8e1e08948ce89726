import FlipBase

/// A run of frames of the judged film.
struct MatchedPart: Sendable {
    /// The frames of the judged film.
    var frames: Range<Int>
    /// Where the first of them comes from, if their packets are a source's own.
    var origin: FramePlace?
    /// The number of the input that it belongs to.
    var use: Int?
    /// The source's frame that belongs in the place of the first one, if another one does.
    var belonging: Int?

    /// Whether it lies where other frames belong.
    var isMisplaced: Bool { belonging != nil }

    /// The frames of the source; empty if they were encoded.
    var own: Range<Int> { origin.map { $0.frame..<$0.frame + frames.count } ?? 0..<0 }
}

/// A frame of a source.
struct FramePlace: Sendable, Hashable {
    let film: Int
    let frame: Int
}

/// Finds the packets of the sources in a film.
struct FrameMatching {
    private struct Entry {
        let hash: Int
        let film: Int32
        let frame: Int32
    }

    private let films: [JudgedFilm]
    private let byWhole: [Entry]
    private let byCoded: [Entry]
    private let uses: [CheckUse]

    /// How far a run is followed to tell which of several places it comes from.
    private static let lookahead = 64
    /// How many places of the same hash are looked at.
    private static let maxPlaces = 256
    /// How many times longer a run has to be to come from a place that no input has.
    private static let strangeness = 4
    /// How unlikely it is that an input is passed over, and that one is shown again from an earlier frame on.
    private static let (passing, goingBack) = (100, 150)

    init(_ films: [JudgedFilm], _ uses: [CheckUse]) {
        (self.films, self.uses) = (films, uses)
        (byWhole, byCoded) = (Self.entries(films, \.whole), Self.entries(films, \.coded))
    }

    private static func entries(_ films: [JudgedFilm], _ hash: (JudgedFilm.Frame) -> Int) -> [Entry] {
        films.indices.flatMap { film in
            films[film].frames.enumerated().map { Entry(hash: hash($1), film: Int32(film), frame: Int32($0)) }
        }.sorted { ($0.hash, $0.film, $0.frame) < ($1.hash, $1.film, $1.frame) }
    }

    /// The parts of `film`, one after another.
    func parts(of film: JudgedFilm) -> [MatchedPart] {
        var parts: [MatchedPart] = []
        var expected = uses.first.map { FramePlace(film: $0.film, frame: $0.range.lowerBound) }
        for (number, frame) in film.frames.enumerated() {
            if let last = parts.indices.last, parts[last].origin != nil, let next = expected,
                self.frame(next)?.isSamePacket(as: frame) == true
            {
                parts[last].frames = parts[last].frames.lowerBound..<number + 1
                expected = FramePlace(film: next.film, frame: next.frame + 1)
            } else if mayBegin(number, film.frames),
                let place = place(of: number, in: film.frames, expected, filler(parts))
            {
                parts.append(MatchedPart(frames: number..<number + 1, origin: place))
                expected = FramePlace(film: place.film, frame: place.frame + 1)
            } else if let last = parts.indices.last, parts[last].origin == nil {
                parts[last].frames = parts[last].frames.lowerBound..<number + 1
            } else {
                parts.append(MatchedPart(frames: number..<number + 1))
            }
        }
        return trimmed(parts, film)
    }

    /// The frames since the last that is a source's own.
    private func filler(_ parts: [MatchedPart]) -> Int {
        parts.last.map { $0.origin == nil ? $0.frames.count : 0 } ?? 0
    }

    /// The parts without frames at the ends of runs whose packets tell nothing, beside frames that were encoded.
    private func trimmed(_ parts: [MatchedPart], _ film: JudgedFilm) -> [MatchedPart] {
        var result: [MatchedPart] = []
        for (index, part) in parts.enumerated() {
            var own = part.frames
            if let origin = part.origin {
                let isTelling = { (number: Int) in film.frames[number].isTelling }
                if index + 1 < parts.count, parts[index + 1].origin == nil {
                    own = own.lowerBound..<(own.last(where: isTelling).map { $0 + 1 } ?? own.lowerBound)
                }
                if index > 0, parts[index - 1].origin == nil {
                    own = (own.first(where: isTelling) ?? own.upperBound)..<own.upperBound
                }
                append(part.frames.lowerBound..<own.lowerBound, to: &result)
                if !own.isEmpty {
                    let skipped = own.lowerBound - part.frames.lowerBound
                    result.append(
                        MatchedPart(frames: own, origin: FramePlace(film: origin.film, frame: origin.frame + skipped)))
                }
                append(own.upperBound..<part.frames.upperBound, to: &result)
            } else {
                append(own, to: &result)
            }
        }
        return result
    }

    /// Appends frames that were encoded.
    private func append(_ frames: Range<Int>, to parts: inout [MatchedPart]) {
        if frames.isEmpty { return }
        if let last = parts.indices.last, parts[last].origin == nil {
            parts[last].frames = parts[last].frames.lowerBound..<frames.upperBound
        } else {
            parts.append(MatchedPart(frames: frames))
        }
    }

    private func frame(_ place: FramePlace) -> JudgedFilm.Frame? {
        let frames = films[place.film].frames
        return place.frame < frames.count ? frames[place.frame] : nil
    }

    /// Whether a run may begin with a frame: one of the next packets has to be like no other one.
    private func mayBegin(_ number: Int, _ frames: [JudgedFilm.Frame]) -> Bool {
        frames[number...].prefix(4).contains(where: \.isTelling)
    }

    /// The place that a frame comes from: the one from which most frames follow, and of several such the likeliest.
    private func place(
        of number: Int, in frames: [JudgedFilm.Frame], _ expected: FramePlace?, _ filler: Int
    ) -> FramePlace? {
        let places = places(byWhole, frames[number].whole) + places(byCoded, frames[number].coded)
        var best: (place: FramePlace, length: Int, distance: Int)?
        for place in places {
            var length = length(of: frames[number...].prefix(Self.lookahead), from: place)
            // Short packets, of pictures that rest, are alike in any film.
            guard frames[number...].prefix(length).contains(where: \.isTelling) else { continue }
            if !isWanted(place) { length /= Self.strangeness }
            if length == 0 { continue }
            let distance = distance(to: place, from: expected, filler)
            if let best, (best.length, -best.distance) >= (length, -distance) { continue }
            best = (place, length, distance)
        }
        return best?.place
    }

    /// Whether an input has the frame.
    private func isWanted(_ place: FramePlace) -> Bool {
        uses.contains { $0.film == place.film && $0.range.contains(place.frame) }
    }

    private func places(_ entries: [Entry], _ hash: Int) -> [FramePlace] {
        let first = entries.partitioningIndex { $0.hash >= hash }
        return entries[first...].prefix(Self.maxPlaces).prefix { $0.hash == hash }.map {
            FramePlace(film: Int($0.film), frame: Int($0.frame))
        }
    }

    private func length(of frames: ArraySlice<JudgedFilm.Frame>, from place: FramePlace) -> Int {
        zip(frames, films[place.film].frames[place.frame...]).prefix { $0.isSamePacket(as: $1) }.count
    }

    /// How unlikely it is that the film goes on at `place`, `filler` frames after it left the sources at `expected`.
    private func distance(to place: FramePlace, from expected: FramePlace?, _ filler: Int) -> Int {
        if let expected, place.film == expected.film,
            (0...Self.lookahead + filler).contains(place.frame - expected.frame)
        {
            return abs(place.frame - expected.frame - filler)
        }
        let same = uses.filter { $0.film == place.film }
        let isBehind = expected.map { $0.film == place.film && place.frame < $0.frame } ?? false
        let begun = same.map(\.range.lowerBound).filter { $0 <= place.frame }.map { start in
            abs(place.frame - start - filler) + Self.passing * abs(place.film - (expected?.film ?? 0))
        }
        let nearest = begun.min() ?? 1_000_000 + place.frame
        return Self.lookahead + nearest + (isBehind && same.count == 1 ? Self.goingBack : 0)
    }
}

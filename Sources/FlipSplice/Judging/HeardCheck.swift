import FlipBase
import FlipMedia

/// Compares what is heard with the sources where packets aren't the sources' own.
struct HeardCheck {
    private(set) var findings: [CheckFinding] = []
    private let join: CheckedJoin

    /// The lengths in samples of what is compared at a time, of the least that is, and of the steps between.
    private static let (window, shortest, hop) = (6000, 2000, 3000)
    /// By how many samples sound is looked for before and behind its place, first and where it isn't found there.
    private static let (near, far) = (2400, 40000)
    /// How alike sounds are that count as the same, and by how much they have to be more alike in another place.
    private static let (alike, margin) = (0.5, 0.1)
    /// How alike they are if no other place is looked at.
    private static let same = 0.8
    /// The number of samples whose mean power tells silence.
    private static let block = 200
    /// The number of silent blocks that are reported.
    private static let silentBlocks = 5
    /// The mean magnitude from which on sound can be missed, and the fraction of it below which it is.
    private static let (audible, lost): (Float, Float) = (0.001, 0.01)

    /// A stretch of a track that is compared with a source.
    private struct Region {
        let place: SoundPlace
        let track: Int
        /// The samples of the film.
        let range: Range<Int>
        /// The samples by which sound may lie beside its picture.
        let tolerance: Int
        /// What is added to numbers of the film's samples to get those of the source.
        var offset: Int { -Int((place.shift * Double(SoundTape.rate)).rounded()) }
    }

    /// A place where the sound is `offset` samples later than it should be.
    private struct Vote {
        let start: Int
        let offset: Int
    }

    /// - Parameters:
    ///   - places: where inputs are heard alone.
    ///   - copied: the times of the film at which a track's packets are a source's own, in seconds.
    init(
        _ join: CheckedJoin, _ places: [SoundPlace], copied: (_ track: Int) -> [Range<Double>]
    ) throws(MediaError) {
        self.join = join
        for track in join.film.sounds.indices where join.film.info.audioTracks.indices.contains(track) {
            let tape = SoundTape(join.film.info, track: track)
            let copied = copied(track)
            for place in places where join.sources[place.film].info.audioTracks.indices.contains(track) {
                let source = SoundTape(join.sources[place.film].info, track: track)
                let steps = [join.film, join.sources[place.film]].map { $0.sounds[track].step }.filter { $0 < 0.5 }
                let tolerance = max(SoundPlace.minOffset, 0.6 * (steps.max() ?? 0)) + place.slack
                for range in Self.rest(of: place.span, copied) {
                    try check(
                        Region(
                            place: place, track: track, range: range,
                            tolerance: Int(tolerance * Double(SoundTape.rate))), tape, source)
                }
            }
        }
    }

    /// The samples of `span` that `copied` leaves, as far as there are enough to judge.
    private static func rest(of span: ClosedRange<Double>, _ copied: [Range<Double>]) -> [Range<Int>] {
        var (rest, start) = ([Range<Int>](), span.lowerBound)
        func add(_ end: Double) {
            let first = Int((start * Double(SoundTape.rate)).rounded(.up))
            let range = first..<max(first, Int(end * Double(SoundTape.rate)))
            if range.count >= (silentBlocks + 1) * block { rest.append(range) }
        }
        for known in copied where known.upperBound > start && known.lowerBound < span.upperBound {
            if known.lowerBound > start { add(known.lowerBound) }
            start = max(start, known.upperBound)
        }
        if start < span.upperBound { add(span.upperBound) }
        return rest
    }

    private mutating func check(_ region: Region, _ film: SoundTape, _ source: SoundTape) throws(MediaError) {
        var (votes, judged, unknown) = ([Vote](), 0, [Int]())
        var (silence, expected) = (Silence(), 0)
        var start = region.range.lowerBound
        while start < region.range.upperBound {
            let end = min(start + Self.window, region.range.upperBound)
            let own = try film.read(start..<end)
            let around = start + region.offset - Self.near..<end + region.offset + Self.near
            let meant = try source.read(around)
            let isLast = end == region.range.upperBound
            note(own, meant, start, isLast ? own.count : Self.hop, expected, &silence)
            if own.count >= Self.shortest, Self.isAudible(own), Self.isAudible(meant[Self.near..<Self.near + own.count])
            {
                judged += 1
                let found = Self.offset(SoundPiece(own), SoundPiece(meant), region.tolerance, votes.last?.offset)
                if let found, found.isOff {
                    votes.append(Vote(start: start, offset: found.offset))
                } else if found == nil {
                    unknown.append(start)
                }
                expected = found?.offset ?? expected
            }
            if isLast { break }
            start += Self.hop
        }
        silence.end()
        for range in silence.found { report(silent: range, region) }
        if unknown.count > 2, unknown.count * 2 > judged, let first = unknown.first {
            if let vote = try sought(region, first, film) { return report(vote, region) }
        }
        var run: [Vote] = []
        for vote in votes {
            if let last = run.last, abs(last.offset - vote.offset) < SoundTape.rate / 100 {
                run.append(vote)
            } else {
                run = [vote]
            }
            if run.count == min(3, max(1, judged)) { report(run[run.count / 2], region, from: run[0].start) }
        }
    }

    private static func isAudible(_ samples: some Collection<Float>) -> Bool {
        samples.reduce(0) { $0 + abs($1) } > audible * Float(samples.count)
    }

    /// By how many samples `own` is later than in `around`, which begins `near` samples earlier and ends as many later; nil if
    /// it isn't there.
    private static func offset(
        _ own: SoundPiece, _ around: SoundPiece, _ tolerance: Int, _ last: Int?
    ) -> (offset: Int, isOff: Bool)? {
        let right = around.best(own, at: near - tolerance..<near + tolerance + 1)
        if right.likeness >= same { return (near - right.place, false) }
        var best = (place: 0, likeness: 0.0)
        if let last { best = around.best(own, at: near - last - 20..<near - last + 21) }
        if best.likeness < same { best = around.best(own, at: 0..<2 * near + 1) }
        if best.likeness >= alike, best.likeness >= right.likeness + margin, abs(near - best.place) > tolerance {
            return (near - best.place, true)
        }
        return right.likeness >= alike ? (near - right.place, false) : nil
    }

    // MARK: Sound that is far from its picture

    /// Looks for the sound from sample `start` on in the seconds around its place, first by how loud it is.
    private func sought(_ region: Region, _ start: Int, _ film: SoundTape) throws(MediaError) -> Vote? {
        let end = min(start + 8 * SoundTape.rate, region.range.upperBound)
        // What was read there is gone.
        let own = try SoundTape(join.film.info, track: region.track).read(start..<end)
        let source = SoundTape(join.sources[region.place.film].info, track: region.track)
        let meant = try source.read(start + region.offset - Self.far..<end + region.offset + Self.far)
        let (loudness, around) = (Self.loudness(own), Self.loudness(meant))
        guard loudness.count > 10 else { return nil }
        let piece = SoundPiece(Array(own.prefix(2 * Self.window)))
        let whole = SoundPiece(meant)
        let likely = (0...around.count - loudness.count).map { place in
            (place: place, likeness: Self.correlation(loudness, around[place..<place + loudness.count]))
        }.sorted { $0.likeness > $1.likeness }.prefix(6)
        let best = likely.map {
            whole.best(piece, at: $0.place * Self.step - Self.step..<($0.place + 1) * Self.step + 1)
        }
        .max { $0.likeness < $1.likeness }
        guard let best, best.likeness >= Self.alike, abs(Self.far - best.place) > region.tolerance else { return nil }
        return Vote(start: start, offset: Self.far - best.place)
    }

    /// The samples of a value of loudness.
    private static let step = 80

    private static func loudness(_ samples: [Float]) -> [Float] {
        (0..<samples.count / step).map { index in
            samples[index * step..<(index + 1) * step].reduce(0) { $0 + abs($1) }
        }
    }

    private static func correlation(_ one: [Float], _ other: ArraySlice<Float>) -> Float {
        let means = (one.reduce(0, +) / Float(one.count), other.reduce(0, +) / Float(other.count))
        var (product, squares): (Float, (Float, Float)) = (0, (0, 0))
        for (a, b) in zip(one, other) {
            product += (a - means.0) * (b - means.1)
            squares.0 += (a - means.0) * (a - means.0)
            squares.1 += (b - means.1) * (b - means.1)
        }
        return squares.0 > 0 && squares.1 > 0 ? product / (squares.0 * squares.1).squareRoot() : 0
    }

    // MARK: Sound that isn't there

    /// Runs of samples that are silent though the source isn't.
    private struct Silence {
        private(set) var found: [Range<Int>] = []
        private var current: Range<Int>?

        mutating func note(_ range: Range<Int>, isLost: Bool) {
            if isLost {
                current = (current?.lowerBound ?? range.lowerBound)..<range.upperBound
            } else {
                end()
            }
        }

        mutating func end() {
            if let current, current.count >= HeardCheck.silentBlocks * HeardCheck.block { found.append(current) }
            current = nil
        }
    }

    /// Notes which of the first `count` samples of `own` are silent though the source isn't.
    private func note(
        _ own: [Float], _ meant: [Float], _ start: Int, _ count: Int, _ offset: Int, _ silence: inout Silence
    ) {
        func mean(_ samples: [Float], _ place: Int) -> Float {
            guard place >= 0, place + Self.block <= samples.count else { return 0 }
            return samples[place..<place + Self.block].reduce(0) { $0 + abs($1) } / Float(Self.block)
        }
        for place in stride(from: 0, through: min(count, own.count) - Self.block, by: Self.block) {
            let center = place + Self.near - offset
            let least = [center - Self.block, center, center + Self.block].map { mean(meant, $0) }.min() ?? 0
            let isLost = least >= Self.audible && mean(own, place) < Self.lost * least
            silence.note(start + place..<start + place + Self.block, isLost: isLost)
        }
    }

    // MARK: Findings

    private func subject(_ region: Region) -> String {
        "the sound of \(join.name(region.place.film))\(region.track > 0 ? " in track \(region.track + 1)" : "")"
    }

    private func frame(_ sample: Int) -> Int { max(0, join.film.frame(at: Double(sample) / Double(SoundTape.rate))) }

    private mutating func report(silent range: Range<Int>, _ region: Region) {
        findings.append(
            join.finding(
                .sound, at: frame(range.lowerBound), source: region.place.film,
                "\(subject(region)) is missing for \((Double(range.count) / Double(SoundTape.rate)).thousandths) s"))
    }

    private mutating func report(_ vote: Vote, _ region: Region, from start: Int? = nil) {
        let seconds = Double(vote.offset) / Double(SoundTape.rate)
        findings.append(
            join.finding(
                .sound, at: frame(start ?? vote.start), source: region.place.film,
                SoundCheck.text(subject(region), offset: seconds)))
    }
}

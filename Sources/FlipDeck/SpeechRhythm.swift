import FlipBase
import FlipMedia

/// When somebody speaks in a recording, and the pauses in it, by which captions are placed.
package struct SpeechRhythm: Sendable {
    /// The span from the first sound to the last, in seconds from the recording's start.
    package let audible: TimeSpan
    /// The pauses within it, in order.
    package let pauses: [TimeSpan]

    /// The shortest pause at which a sentence may end: longer than the silence within consonants.
    package static let shortest = Rational(3, 25)

    package init(audible: TimeSpan, pauses: [TimeSpan]) { (self.audible, self.pauses) = (audible, pauses) }

    /// The seconds at which sentences end: where the pauses between them end, as far as these can be told from pauses
    /// within sentences, and else in proportion to the lengths, to the millisecond. The last one ends with the speech.
    /// - Parameter paragraphs: the length of each sentence as it is spoken (`SpokenLength`), paragraph by paragraph.
    package func ends(of paragraphs: [[Int]]) -> [Rational] {
        let lengths = paragraphs.flatMap(\.self)
        let shares = Self.shares(of: lengths)
        let chosen = boundaries(of: paragraphs)
        var ends: [Rational] = []
        var last = (share: 0.0, time: audible.start.doubleValue)
        var open: [Double] = []
        for (index, share) in shares.enumerated() {
            open.append(share)
            let pause = index < chosen.count ? chosen[index].map { pauses[$0].end } : audible.end
            guard let time = pause?.doubleValue else { continue }
            // Boundaries without a pause of their own lie in proportion between those that have one.
            for place in open {
                let share = (place - last.share) / (share - last.share)
                ends.append(Rational(Int(((last.time + (time - last.time) * share) * 1000).rounded()), 1000))
            }
            last = (share, time)
            open = []
        }
        return ends
    }

    /// The places at which parts of the given lengths end, as shares of the whole.
    private static func shares(of lengths: [Int]) -> [Double] {
        let total = Double(max(1, lengths.reduce(0, +)))
        var sum = 0
        return lengths.map { length -> Double in
            sum += length
            return Double(sum) / total
        }
    }

    // MARK: Pauses that stand out

    /// How many times as long as all others the pauses at boundaries have to be. espeak-ng makes pauses of 0.69 s after
    /// paragraphs, 0.40 s after sentences, 0.33 s after colons and 0.25 s after commas.
    private static let distinction = 1.2
    /// By which factor the speed of a sentence may differ from that of the whole text. `SpokenLength` is off by less.
    private static let tempo = 2.5
    /// The same where pauses that stand out are less than `clear` times as long as the others.
    private static let carefulTempo = 1.4
    private static let clear = 1.3

    /// For each boundary between sentences, the index of the pause at it; nil for none.
    ///
    /// If as many pauses as there are boundaries are longer than all others, they are these boundaries, in order. This is
    /// tried with the paragraphs first, and then with the sentences of each.
    private func boundaries(of paragraphs: [[Int]]) -> [Int?] {
        let lengths = paragraphs.flatMap(\.self)
        if paragraphs.count > 1, let ends = longest(between: paragraphs.map { $0.reduce(0, +) }) {
            var chosen: [Int?] = []
            for (index, paragraph) in paragraphs.enumerated() {
                let first = index == 0 ? 0 : ends[index - 1] + 1
                let next = index < ends.count ? ends[index] : pauses.count
                let start = index == 0 ? audible.start : pauses[first - 1].end
                let end = index < ends.count ? pauses[next].start : audible.end
                let part = SpeechRhythm(
                    audible: TimeSpan(start: start, duration: end - start), pauses: Array(pauses[first..<next]))
                chosen += part.boundaries(of: [paragraph]).map { $0.map { $0 + first } }
                if index < ends.count { chosen.append(ends[index]) }
            }
            return chosen
        }
        // Where a paragraph ends, every voice makes a pause.
        var ends: Set<Int> = []
        for paragraph in paragraphs { ends.insert((ends.max() ?? -1) + paragraph.count) }
        let skips = lengths.indices.dropLast().map { ends.contains($0) ? Self.skippedParagraph : Self.skipped }
        return longest(between: lengths) ?? matches(Self.shares(of: lengths).dropLast(), skips)
    }

    /// The indices, in order, of the longest pauses, one for each boundary between parts of the given lengths. Nil if they
    /// don't stand out, or if a part would be spoken much faster or slower than the others.
    private func longest(between lengths: [Int]) -> [Int]? {
        let count = lengths.count - 1
        guard count <= pauses.count else { return nil }
        let ranks = pauses.indices.sorted { pauses[$0].duration > pauses[$1].duration }
        var tempo = Self.tempo
        if count > 0, count < pauses.count {
            let (least, next) = (pauses[ranks[count - 1]].duration, pauses[ranks[count]].duration)
            guard least.doubleValue >= Self.distinction * next.doubleValue else { return nil }
            if least.doubleValue < Self.clear * next.doubleValue { tempo = Self.carefulTempo }
        }
        let chosen = ranks.prefix(count).sorted()
        // The seconds of each part without the pauses in it.
        var parts = [Double](repeating: 0, count: lengths.count)
        var (part, time) = (0, audible.start)
        for (index, pause) in pauses.enumerated() {
            parts[part] += (pause.start - time).doubleValue
            time = pause.end
            if part < chosen.count, chosen[part] == index { part += 1 }
        }
        parts[part] += (audible.end - time).doubleValue
        let speed = Double(lengths.reduce(0, +)) / max(parts.reduce(0, +), 1e-3)
        let isEven = zip(lengths, parts).allSatisfy { length, seconds in
            let ratio = Double(length) / max(seconds, 1e-3) / speed
            return (1 / tempo...tempo).contains(ratio)
        }
        return isEven ? chosen : nil
    }

    // MARK: Matching by lengths

    /// What it costs to leave a boundary without a pause, in seconds by which two boundaries with pauses may be farther
    /// apart, or closer, than their text says. A voice speaks some sentences a fifth faster than others, and long ones
    /// last about 7 s.
    private static let skipped = 1.5
    /// The same of a boundary between paragraphs.
    private static let skippedParagraph = 4.5
    /// The number of boundaries in a row that may be without a pause.
    private static let maximumSkips = 4
    /// What a pause costs for each second by which it is shorter than those that are as many as the boundaries and longer
    /// than all others: pauses after sentences are longer than those after commas. espeak-ng's last 0.3 s and 0.15 s.
    private static let shortness = 6.0
    /// The most that a pause costs because it is short.
    private static let shortestCost = 1.2
    /// The largest number of boundaries, and of pauses, that are compared with each other.
    private static let most = 200

    /// The best way to reach a boundary at a pause.
    private struct Step {
        var cost: Double
        /// The boundary and the pause before it that were matched; nil at the start.
        var before: (boundary: Int, pause: Int)?
    }

    /// For each boundary, at these shares of the text, the index of its pause; nil for none.
    ///
    /// Of all ways to give boundaries increasing pauses, it is the one with the least cost: for neighboring matches, by how
    /// much their distance differs from what the text says; for each pause, how short it is; and for each boundary
    /// that is skipped, what `skips` says.
    private func matches(_ shares: ArraySlice<Double>, _ skips: [Double]) -> [Int?] {
        var chosen = [Int?](repeating: nil, count: shares.count)
        guard !shares.isEmpty, !pauses.isEmpty, shares.count <= Self.most, pauses.count <= Self.most else {
            return chosen
        }
        // Time is counted without pauses, since the text says nothing of their number.
        var silent = 0.0
        let spans = pauses.map { pause -> (time: Double, length: Double) in
            defer { silent += pause.duration.doubleValue }
            return ((pause.start - audible.start).doubleValue - silent, pause.duration.doubleValue)
        }
        let end = audible.duration.doubleValue - silent
        let typical = spans.map(\.length).sorted(by: >).prefix(shares.count).last ?? 0
        var table: [[Step]] = []
        for (boundary, share) in shares.enumerated() {
            table.append(
                spans.indices.map { pause in
                    let own = min(Self.shortestCost, Self.shortness * max(0, typical - spans[pause].length))
                    let step = { (time: Double, place: Double) in abs(spans[pause].time - time - (share - place) * end)
                    }
                    var best = Step(cost: .infinity)
                    if boundary <= Self.maximumSkips {
                        best = Step(cost: step(0, 0) + own + skips[..<boundary].reduce(0, +))
                    }
                    for earlier in max(0, boundary - 1 - Self.maximumSkips)..<max(boundary, 0) where pause > 0 {
                        for other in 0..<pause {
                            let cost =
                                table[earlier][other].cost + step(spans[other].time, shares[earlier]) + own
                                + skips[(earlier + 1)..<boundary].reduce(0, +)
                            if cost < best.cost { best = Step(cost: cost, before: (earlier, other)) }
                        }
                    }
                    return best
                })
        }
        // The way that ends best, with what is left of the speech after the last match.
        var last: (boundary: Int, pause: Int)?
        var least = skips.reduce(0, +)
        for boundary in max(0, shares.count - 1 - Self.maximumSkips)..<shares.count {
            for pause in spans.indices {
                let rest = abs(end - spans[pause].time - (1 - shares[boundary]) * end)
                let cost = table[boundary][pause].cost + rest + skips[(boundary + 1)...].reduce(0, +)
                if cost < least { (least, last) = (cost, (boundary, pause)) }
            }
        }
        while let match = last {
            chosen[match.boundary] = match.pause
            last = table[match.boundary][match.pause].before
        }
        return chosen
    }
}

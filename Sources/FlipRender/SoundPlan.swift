import FlipMedia

extension TimeSpan {
    /// In samples of the output.
    func samples(_ rate: Int) -> Range<Int> {
        (start * Rational(rate)).rounded()..<(end * Rational(rate)).rounded()
    }
}

extension [PlacedSound] {
    /// The output's samples, of `total`, over which sound `index` is all there is, as loud as it is. What is before the
    /// output's start or after its end is heard by nobody, and may be anybody's.
    fileprivate func alone(_ index: Int, rate: Int, total: Int) -> Range<Int>? {
        if self[index].gain != 1 { return nil }
        let place = self[index].span.samples(rate)
        var lower = Swift.max(place.lowerBound, self[index].fadeIn?.samples(rate).upperBound ?? 0)
        var upper = Swift.min(place.upperBound, self[index].fadeOut?.samples(rate).lowerBound ?? total)
        for other in indices where other != index {
            let taken = self[other].span.samples(rate)
            if taken.lowerBound <= lower { lower = Swift.max(lower, taken.upperBound) }
            if taken.lowerBound > lower { upper = Swift.min(upper, taken.lowerBound) }
        }
        if lower >= upper { return nil }
        return (lower > 0 ? lower : .min / 4)..<(upper < total ? upper : .max / 4)
    }
}

/// Which packets of the sounds' AAC are taken over, and which are encoded between them. All packets are 1024 samples long
/// and follow each other without gaps, as decoders take for granted.
package struct SoundPlan: Sendable {
    enum Stretch: Sendable {
        /// Packets of sound `sound`, the first of them being its packet `first`.
        case copied(sound: Int, packets: Range<Int>, first: Int)
        case encoded(SoundStretch)
    }

    /// In order; packet numbers follow each other.
    let stretches: [Stretch]
    /// The output's sample at which packet 0 begins.
    let grid: Int
    /// The sounds of which something is copied.
    let sounds: Set<Int>

    /// Fewer packets are not worth two seams.
    private static let shortest = 32
    /// Parts of a second by which a sound may be shifted to lie on another's grid: half of what is allowed.
    private static let shiftsPerSecond = 2000
    private static let step = CodedSound.packetSamples

    /// The plan that copies most; nil where nothing can be copied.
    /// - Parameters:
    ///   - starts: for each sound whose packets fit, the output's sample at which its first one would begin.
    ///   - rate: samples a second.
    ///   - total: samples of the output.
    ///   - grids: whether packet 0 may begin at this sample of the output, which is 0 or one before.
    init?(_ all: [PlacedSound], starts: [Int?], rate: Int, total: Int, allowing grids: (Int) -> Bool) {
        var best: (copies: [Copy], grid: Int, count: Int)?
        for start in Set(starts.compactMap(\.self)).sorted() {
            let grid = -SoundPlan.remainder(-start)
            guard grids(grid) else { continue }
            let copies = all.indices.compactMap { index -> Copy? in
                guard let start = starts[index], let alone = all.alone(index, rate: rate, total: total),
                    let coded = all[index].info.audio?.coded
                else { return nil }
                let tolerance = rate / SoundPlan.shiftsPerSecond
                return Copy(index, alone, start, coded.count, grid, tolerance, total)
            }.sorted { $0.packets.lowerBound < $1.packets.lowerBound }
            let count = copies.reduce(0) { $0 + $1.packets.count }
            if count > best?.count ?? 0 { best = (copies, grid, count) }
        }
        guard let best else { return nil }
        grid = best.grid
        sounds = Set(best.copies.map(\.sound))
        var stretches: [Stretch] = []
        var next = -1
        for copy in best.copies {
            if next < copy.packets.lowerBound {
                stretches.append(.encoded(SoundStretch(packets: next..<copy.packets.lowerBound, grid: best.grid)))
            }
            stretches.append(.copied(sound: copy.sound, packets: copy.packets, first: copy.first))
            next = copy.packets.upperBound
        }
        let end = SoundPlan.end(total, best.grid)
        if next < end { stretches.append(.encoded(SoundStretch(packets: next..<end, grid: best.grid))) }
        self.stretches = stretches
    }

    /// 0..<1024.
    private static func remainder(_ sample: Int) -> Int { ((sample % step) + step) % step }

    /// The first packet that is not written: less than half of it would be heard.
    private static func end(_ total: Int, _ grid: Int) -> Int { max(0, (total - grid - step / 2) / step + 1) }

    /// What of a sound is copied.
    private struct Copy {
        let sound: Int
        let packets: Range<Int>
        let first: Int

        /// Nil where the sound, whose first of `count` packets begins at the output's sample `start`, does not lie on `grid`
        /// or is alone for too short.
        init?(
            _ sound: Int, _ alone: Range<Int>, _ start: Int, _ count: Int, _ grid: Int, _ tolerance: Int, _ total: Int
        ) {
            let shift = (Rational(start - grid, step)).rounded()
            guard abs(start - grid - shift * step) <= tolerance else { return nil }
            // A packet reaches over the next one, too. The first one of all may lack what it overlaps with.
            let first = alone.lowerBound > 0 ? shift + 1 : shift
            let lower = max(-1, first, ceiling(alone.lowerBound - grid))
            let upper = min(end(total, grid), shift + count, (alone.upperBound - grid) / step - 1)
            guard upper - lower >= shortest else { return nil }
            self.sound = sound
            packets = lower..<upper
            self.first = lower - shift
        }
    }

    private static func ceiling(_ samples: Int) -> Int { (samples + step - 1) / step }

    /// The output's sample at which a packet begins.
    func start(of packet: Int) -> Int { grid + packet * SoundPlan.step }

    /// Packets that are copied and encoded.
    package var counts: (copied: Int, encoded: Int) {
        stretches.reduce((0, 0)) { counts, stretch in
            switch stretch {
            case .copied(_, let packets, _): (counts.0 + packets.count, counts.1)
            case .encoded(let stretch): (counts.0, counts.1 + stretch.packets.count)
            }
        }
    }
}

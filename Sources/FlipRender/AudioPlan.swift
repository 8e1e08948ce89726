import FlipBase
import FlipMedia
import FlipFiles
import FlipSplice

extension TimeSpan {
    /// The span in output samples, `rate` of them per second.
    func samples(_ rate: Int) -> Range<Int> { (start * Rational(rate)).rounded()..<(end * Rational(rate)).rounded() }
}

/// The ranges of output samples in which sounds are heard alone, at their own volume, while the film doesn't fade.
///
/// A sound is compared only with those that overlap with it, so in a timeline, where only neighbors do, the work grows
/// with the number of sounds times its logarithm.
struct SoloRanges {
    private let sounds: [PlacedSound]
    private let rate: Int
    private let total: Int
    private let steady: Range<Int>
    private let spans: [Range<Int>]
    /// The indices of the sounds in the order in which they begin, and for each the latest end of it and those before it.
    private let order: [Int]
    private let latestEnds: [Int]

    /// - Parameters:
    ///   - rate: samples per second.
    ///   - total: the output's length in samples.
    ///   - steady: the output samples at which the film fades neither in nor out.
    init(_ sounds: [PlacedSound], rate: Int, total: Int, steady: Range<Int>) {
        (self.sounds, self.rate, self.total, self.steady) = (sounds, rate, total, steady)
        let spans = sounds.map { $0.span.samples(rate) }
        let order = spans.indices.sorted { spans[$0].lowerBound < spans[$1].lowerBound }
        var latest = Int.min
        latestEnds = order.map { index in
            latest = max(latest, spans[index].upperBound)
            return latest
        }
        (self.spans, self.order) = (spans, order)
    }

    /// The range in which only sound `index` is heard; nil if there is none. A range that reaches the output's start or
    /// end extends far beyond it, since nothing is heard there.
    func range(of index: Int) -> Range<Int>? {
        let sound = sounds[index]
        if sound.gain != 1 { return nil }
        var lower = max(spans[index].lowerBound, sound.fadeIn?.samples(rate).upperBound ?? 0, steady.lowerBound)
        var upper = min(spans[index].upperBound, sound.fadeOut?.samples(rate).lowerBound ?? total, steady.upperBound)
        if lower >= upper { return nil }
        // What is left if several sounds overlap with this one depends on the order in which they are subtracted.
        for other in others(during: lower..<upper, but: index).sorted() {
            let taken = spans[other]
            if taken.lowerBound <= lower { lower = max(lower, taken.upperBound) }
            if taken.lowerBound > lower { upper = min(upper, taken.lowerBound) }
        }
        if lower >= upper { return nil }
        return (lower > 0 ? lower : .min / 4)..<(upper < total ? upper : .max / 4)
    }

    /// The sounds that are heard in `range`, without sound `index`, in no particular order.
    private func others(during range: Range<Int>, but index: Int) -> [Int] {
        var found: [Int] = []
        var place = order.partitioningIndex { spans[$0].lowerBound >= range.upperBound }
        while place > 0, latestEnds[place - 1] > range.lowerBound {
            place -= 1
            let other = order[place]
            guard other != index, spans[other].upperBound > range.lowerBound else { continue }
            found.append(other)
            if spans[other].lowerBound <= range.lowerBound, spans[other].upperBound >= range.upperBound { break }
        }
        return found
    }
}

/// Which AAC packets of the sounds are copied, and which are encoded between them. All packets are 1024 samples long
/// and follow each other without gaps, as decoders assume.
package struct AudioPlan: Sendable {
    package enum Stretch: Sendable {
        /// Output packets `packets`, copied from sound `sound`; the first of them is packet `first` of that sound.
        case copied(sound: Int, packets: Range<Int>, first: Int)
        case encoded(AudioStretch)
    }

    /// The stretches in order, with consecutive packet numbers.
    package let stretches: [Stretch]
    /// The output sample at which packet 0 begins, -1023...0.
    package let grid: Int
    /// The indices of the sounds from which packets are copied.
    let sounds: Set<Int>
    /// By how many samples sounds are heard later than asked for, or earlier if negative, by the sounds' indices: as a
    /// whole, so that their packets lie on the grid. Sounds that stay in their places are left out.
    package let moves: [Int: Int]

    /// The minimum number of packets to copy; fewer are not worth two seams.
    private static let shortest = 32
    /// Copied packets may lie up to 1 / `offsetsPerSecond` seconds beside a sound that isn't moved: half of the 1 ms that
    /// sounds may be off.
    private static let offsetsPerSecond = 2000
    private static let step = CodedAudio.packetSamples

    /// The plan that moves sounds least, or, if they must not be moved, the one that copies most; of several such plans
    /// that on the first sound's grid. Nil if nothing can be copied.
    /// - Parameters:
    ///   - starts: for each sound, the output sample at which its first packet would begin; nil if it can't be copied.
    ///   - rate: samples per second.
    ///   - total: the output's length in samples.
    ///   - steady: the output samples at which the film fades neither in nor out.
    ///   - mode: whether sounds may be moved.
    ///   - grids: whether packet 0 may begin at the given output sample, -1023...0.
    package init?(
        _ all: [PlacedSound], starts: [Int?], rate: Int, total: Int, steady: Range<Int>, _ mode: AudioCopy,
        allowing grids: (Int) -> Bool
    ) {
        var best: (copies: [Copy], grid: Int, count: Int, moves: Int)?
        let solo = SoloRanges(all, rate: rate, total: total, steady: steady)
        let sources = all.indices.compactMap { index -> Source? in
            guard let start = starts[index], let alone = solo.range(of: index), let coded = all[index].info.audio?.coded
            else { return nil }
            return Source(sound: index, alone: alone, start: start, count: coded.count)
        }
        let candidates = starts.compactMap { $0.map { -AudioPlan.remainder(-$0) } } + (mode == .near ? [0] : [])
        let tolerance = mode == .near ? AudioPlan.step / 2 : rate / AudioPlan.offsetsPerSecond
        var tried = Set<Int>()
        for grid in candidates where tried.insert(grid).inserted && grids(grid) {
            let copies = sources.compactMap { Copy($0, grid, tolerance, total) }
            let count = copies.reduce(0) { $0 + $1.packets.count }
            let moves = copies.reduce(0) { $0 + abs($1.move) }
            let isBetter = best.map { mode == .near ? moves < $0.moves : count > $0.count } ?? true
            if count > 0 && isBetter { best = (copies, grid, count, moves) }
        }
        guard var best else { return nil }
        best.copies.sort { $0.packets.lowerBound < $1.packets.lowerBound }
        grid = best.grid
        sounds = Set(best.copies.map(\.sound))
        moves =
            mode == .near
            ? Dictionary(uniqueKeysWithValues: best.copies.filter { $0.move != 0 }.map { ($0.sound, $0.move) }) : [:]
        var stretches: [Stretch] = []
        var next = -1
        for copy in best.copies {
            if next < copy.packets.lowerBound {
                stretches.append(.encoded(AudioStretch(packets: next..<copy.packets.lowerBound, grid: best.grid)))
            }
            stretches.append(.copied(sound: copy.sound, packets: copy.packets, first: copy.first))
            next = copy.packets.upperBound
        }
        let end = AudioPlan.end(total, best.grid)
        if next < end { stretches.append(.encoded(AudioStretch(packets: next..<end, grid: best.grid))) }
        self.stretches = stretches
    }

    /// The position of `sample` within a packet of a grid that begins at 0: 0..<1024.
    private static func remainder(_ sample: Int) -> Int { ((sample % step) + step) % step }

    /// The number of packets that is closest to `samples`; of two, the one farther from 0.
    private static func nearestPacket(_ samples: Int) -> Int { (samples + (samples < 0 ? -step / 2 : step / 2)) / step }

    /// The number of the first packet that is not written, since less than half of it would be heard.
    private static func end(_ total: Int, _ grid: Int) -> Int { max(0, (total - grid - step / 2) / step + 1) }

    /// A sound whose packets may be copied where it is heard alone. The first of its `count` packets would begin at
    /// output sample `start`.
    private struct Source {
        let sound: Int
        let alone: Range<Int>
        let start: Int
        let count: Int
    }

    /// The packets of one sound that are copied.
    private struct Copy {
        let sound: Int
        let packets: Range<Int>
        let first: Int
        /// By how many samples the sound's packets would begin later than the sound itself.
        let move: Int

        /// Returns nil if the sound does not lie on `grid`, or is heard alone for too short a time.
        init?(_ source: Source, _ grid: Int, _ tolerance: Int, _ total: Int) {
            let alone = source.alone
            let shift = nearestPacket(source.start - grid)
            move = grid + shift * step - source.start
            guard abs(move) <= tolerance else { return nil }
            // Each packet overlaps with the next one. The sound's first packet may lack its predecessor, so it is
            // copied only at the output's start.
            let first = alone.lowerBound > 0 ? shift + 1 : shift
            let lower = max(-1, first, ceiling(alone.lowerBound - grid))
            let upper = min(end(total, grid), shift + source.count, (alone.upperBound - grid) / step - 1)
            guard upper - lower >= shortest else { return nil }
            sound = source.sound
            packets = lower..<upper
            self.first = lower - shift
        }
    }

    private static func ceiling(_ samples: Int) -> Int { (samples + step - 1) / step }

    /// The output sample at which packet `packet` begins.
    func start(of packet: Int) -> Int { grid + packet * AudioPlan.step }

    /// The numbers of packets that are copied and that are encoded.
    package var counts: (copied: Int, encoded: Int) {
        stretches.reduce((0, 0)) { counts, stretch in
            switch stretch {
            case .copied(_, let packets, _): (counts.0 + packets.count, counts.1)
            case .encoded(let stretch): (counts.0, counts.1 + stretch.packets.count)
            }
        }
    }
}

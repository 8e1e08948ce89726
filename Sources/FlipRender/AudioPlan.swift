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

/// Which packets of the sounds are copied, and which are encoded between them. All packets are of the same length and
/// follow each other without gaps, as decoders assume.
package struct AudioPlan: Sendable {
    package enum Stretch: Sendable {
        /// Output packets `packets`, copied from sound `sound`; the first of them is packet `first` of that sound.
        case copied(sound: Int, packets: Range<Int>, first: Int)
        case encoded(AudioStretch)
    }

    /// Packets of a sound that follow each other without gaps.
    package struct Run: Sendable {
        /// The number of the first packet, and the number of packets.
        package let first: Int
        package let count: Int
        /// The output sample at which the first packet would begin.
        package let start: Int

        package init(first: Int = 0, count: Int, start: Int) {
            (self.first, self.count, self.start) = (first, count, start)
        }
    }

    /// The stretches in order, with consecutive packet numbers.
    package let stretches: [Stretch]
    /// The output sample at which packet 0 begins: 1 - the length of a packet...0.
    package let grid: Int
    /// The indices of the sounds from which packets are copied.
    let sounds: Set<Int>
    /// By how many samples the runs of these sounds are heard later than asked for, or earlier if negative, by the sounds'
    /// indices: each as a whole, so that its packets lie on the grid.
    package let moves: [Int: [Int]]
    private let step: Int

    /// The minimum number of packets to copy; fewer are not worth two seams.
    fileprivate static let shortest = 32
    /// Copied packets may lie up to 1 / `offsetsPerSecond` seconds beside a sound that isn't moved: half of the 1 ms that
    /// sounds may be off.
    private static let offsetsPerSecond = 2000

    /// The plan that moves sounds least, or, if they must not be moved, the one that copies most; of several such plans
    /// that on the first sound's grid. Nil if nothing can be copied.
    /// - Parameters:
    ///   - runs: for each sound, its packets in order of time; none if it can't be copied.
    ///   - rate: samples per second.
    ///   - total: the output's length in samples.
    ///   - steady: the output samples at which the film fades neither in nor out.
    ///   - mode: whether sounds may be moved.
    ///   - natural: the output sample at which packet 0 begins if no clip decides that.
    ///   - isFree: whether packet 0 may also begin at any other sample.
    package init?(
        _ all: [PlacedSound], runs: [[Run]], _ seams: AudioSeams, rate: Int, total: Int, steady: Range<Int>,
        _ mode: AudioCopy, natural: Int, isFree: Bool
    ) {
        var best: (copies: [Copy], grid: Int, count: Int, moves: Int)?
        let solo = SoloRanges(all, rate: rate, total: total, steady: steady)
        let sources = all.indices.flatMap { index in Source.all(of: index, runs[index], alone: solo.range(of: index)) }
        let step = seams.form.samples
        let candidates =
            runs.compactMap { $0.first.map { -AudioPlan.remainder(-$0.start, step) } }
            + (mode == .near ? [natural] : [])
        let tolerance = mode == .near ? step / 2 : rate / AudioPlan.offsetsPerSecond
        var tried = Set<Int>()
        for start in candidates where tried.insert(start).inserted && (isFree || start == natural) {
            let grid = AudioGrid(form: seams.form, start: start, total: total, mode)
            let copies = sources.compactMap { Copy($0, grid, tolerance) }
            let count = copies.reduce(0) { $0 + $1.packets.count }
            let moves = copies.reduce(0) { $0 + abs($1.move) }
            let isBetter = best.map { mode == .near ? moves < $0.moves : count > $0.count } ?? true
            if count > 0 && isBetter { best = (copies, start, count, moves) }
        }
        guard var best else { return nil }
        best.copies.sort { $0.packets.lowerBound < $1.packets.lowerBound }
        let grid = AudioGrid(form: seams.form, start: best.grid, total: total, mode)
        (self.grid, self.step) = (grid.start, step)
        let sounds = Set(best.copies.map(\.sound))
        moves = Dictionary(uniqueKeysWithValues: sounds.map { index in (index, runs[index].map(grid.move)) })
        self.sounds = sounds
        var stretches: [Stretch] = []
        var next = grid.first
        for copy in best.copies {
            if next < copy.packets.lowerBound {
                stretches.append(
                    .encoded(AudioStretch(packets: next..<copy.packets.lowerBound, grid: best.grid, seams)))
            }
            stretches.append(.copied(sound: copy.sound, packets: copy.packets, first: copy.first))
            next = copy.packets.upperBound
        }
        if next < grid.end {
            stretches.append(.encoded(AudioStretch(packets: next..<grid.end, grid: best.grid, seams)))
        }
        self.stretches = stretches
    }

    /// The position of `sample` within a packet of `step` samples, of a grid that begins at 0.
    private static func remainder(_ sample: Int, _ step: Int) -> Int { ((sample % step) + step) % step }

    /// The output sample at which packet `packet` begins.
    func start(of packet: Int) -> Int { grid + packet * step }

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

/// The packets of an output, numbered from the first that begins at or before its first sample.
private struct AudioGrid {
    /// The number of samples of a packet, and of those at its start that are decoded with the packet before it, too.
    let step: Int
    let overlap: Int
    /// The output sample at which packet 0 begins.
    let start: Int
    /// The output's length in samples.
    let total: Int
    private let isMoving: Bool

    init(form: AudioForm, start: Int, total: Int, _ mode: AudioCopy) {
        (step, overlap) = (form.samples, form.overlap)
        (self.start, self.total, isMoving) = (start, total, mode == .near)
    }

    /// The number of the first packet that is written: without the one before, the output's first samples would be
    /// decoded wrong.
    var first: Int { start <= -overlap ? 0 : -1 }

    /// The number of the first packet that is not written, since less than half of it would be heard.
    var end: Int { max(0, (total - start - step / 2) / step + 1) }

    /// The number of the packet at which one that would begin at output sample `sample` lies; of two that are equally
    /// close, the one farther from 0.
    func packet(nearest sample: Int) -> Int {
        let offset = sample - start
        return (offset + (offset < 0 ? -step / 2 : step / 2)) / step
    }

    /// By how many samples a run is moved to lie on the grid, where runs are moved.
    func move(_ run: AudioPlan.Run) -> Int {
        isMoving ? start + packet(nearest: run.start) * step - run.start : 0
    }

    /// The number of the first packet that begins at or after output sample `sample`.
    func packet(from sample: Int) -> Int { (sample - start + step - 1) / step }

    /// The number of packets up to which what they are decoded with ends at or before output sample `sample`.
    func packets(until sample: Int) -> Int {
        let offset = sample - start - overlap
        return offset / step - (offset % step < 0 ? 1 : 0)
    }
}

/// A run of packets that may be copied where its sound is heard alone.
private struct Source {
    let sound: Int
    let run: AudioPlan.Run
    /// Whether it is the sound's first run.
    let isFirst: Bool
    /// The sound's next run; nil if there is none.
    let next: AudioPlan.Run?
    let alone: Range<Int>

    /// One for each run of sound `sound`, which is heard alone in `alone`; none if it never is.
    static func all(of sound: Int, _ runs: [AudioPlan.Run], alone: Range<Int>?) -> [Source] {
        guard let alone else { return [] }
        return runs.indices.map { index in
            Source(
                sound: sound, run: runs[index], isFirst: index == 0,
                next: index + 1 < runs.count ? runs[index + 1] : nil, alone: alone)
        }
    }
}

/// The packets of one run that are copied.
private struct Copy {
    let sound: Int
    let packets: Range<Int>
    let first: Int
    /// By how many samples the sound's packets would begin later than the sound itself.
    let move: Int

    /// Returns nil if the run does not lie on `grid`, or is heard alone for too short a time.
    init?(_ source: Source, _ grid: AudioGrid, _ tolerance: Int) {
        let run = source.run
        let shift = grid.packet(nearest: run.start)
        move = grid.start + shift * grid.step - run.start
        guard abs(move) <= tolerance else { return nil }
        var (start, end) = (source.alone.lowerBound, source.alone.upperBound)
        if !source.isFirst { start = max(start, run.start + grid.move(run)) }
        if let next = source.next { end = min(end, next.start + grid.move(next)) }
        // Each packet overlaps with the next one. The sound's first packet may lack its predecessor, so it is copied
        // only at the output's start, and what overlaps with the last packet before a gap is not known.
        let first = start > 0 ? shift + 1 : shift
        let count = source.next != nil && grid.overlap > 0 ? run.count - 1 : run.count
        let lower = max(grid.first, first, grid.packet(from: start))
        let upper = min(grid.end, shift + count, grid.packets(until: end))
        guard upper - lower >= AudioPlan.shortest else { return nil }
        sound = source.sound
        packets = lower..<upper
        self.first = run.first + lower - shift
    }
}

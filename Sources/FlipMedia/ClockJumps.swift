/// Where the clock of a file begins anew or jumps, and by how much the times from there on are moved to follow on those before.
///
/// A transport stream's clock starts again where recordings are put one behind the other, where the encoder was restarted,
/// and after 2^33 ticks (ISO/IEC 13818-1 2.4.3.7). An epoch is what lies between two jumps.
package struct ClockJumps: Sendable, Hashable {
    /// Streams whose packets are watched; the same ones have to be watched whenever the file is read.
    let streams: [Int]
    /// Seconds that are added to the times of each epoch, 0 for the first.
    package let offsets: [Rational]

    /// How often the clock jumps.
    package var count: Int { offsets.count - 1 }
}

/// Finds the jumps of a file's clock as its packets go by, in the order in which they lie in the file.
///
/// A packet begins an epoch where it is decoded more than `longestGap` after, or more than `longestStep` before, what the
/// packet before it in its stream leads to expect: ffmpeg's own rule (its `-dts_delta_threshold`, 10 s). All streams are moved by
/// the same amount, so that they stay together. Unlike ffmpeg, it lets the last packets of an epoch come after another stream's first
/// one of the next, as interleaving has it, and it leaves a stream alone that pauses while others go on.
package struct ClockWatch: Sendable {
    /// Seconds.
    package static let longestGap = Rational(10)
    package static let longestStep = Rational(1, 10)
    /// Seconds after which clocks of 33 bits and 90 kHz begin anew (ISO/IEC 13818-1 2.4.3.7).
    private static let wrap = Rational(1 << 33, 90000)
    /// A file of which the clock jumps more often than that is left as it is from there on.
    private static let mostEpochs = 1 << 16

    /// One packet's times, in ticks of its stream's time base.
    package struct Times {
        package var decoding: Int?
        package var presentation: Int?
        package var duration: Int?

        package init(decoding: Int?, presentation: Int?, duration: Int?) {
            self.decoding = decoding
            self.presentation = presentation
            self.duration = duration
        }
    }

    private struct Track {
        let stream: Int
        let timeBase: Rational
        let gap: Int
        let step: Int
        var epoch = 0
        /// When the packet before was decoded, and when the next one should be.
        var last: Int?
        var next = 0
        var duration: Int?
        /// When a packet that does not say so is taken to be shown: after the one before it in the file.
        var shown: (time: Int, epoch: Int)?
        /// Ticks added in each epoch: while the jumps are looked for, and in the end.
        var shifts = [0]
        /// From the first time at which something is shown to the last, as the file says them; nil where there is nothing.
        var spans: [(start: Int, end: Int)?] = [nil]

        init(_ stream: Int, _ timeBase: Rational) {
            self.stream = stream
            self.timeBase = timeBase
            gap = (ClockWatch.longestGap / timeBase).rounded()
            step = (ClockWatch.longestStep / timeBase).rounded()
        }

        func seconds(_ ticks: Int) -> Rational { timeBase.scaled(count: ticks) }
    }

    private var tracks: [Track]
    /// Seconds added in each epoch while the jumps are looked for.
    private var offsets: [Rational] = [.zero]
    /// What is added in the end, where that is known already.
    private let known: ClockJumps?

    /// - Parameters:
    ///   - streams: with the seconds of a tick of each.
    ///   - known: the jumps that were found when the file was read before.
    package init(_ streams: [(index: Int, timeBase: Rational)], known: ClockJumps? = nil) {
        tracks = streams.map { Track($0.index, $0.timeBase) }
        self.known = known
    }

    /// How often the clock has jumped so far.
    package var count: Int { offsets.count - 1 }

    /// Takes the next packet of the file in.
    /// - Returns: its epoch, and the ticks by which its times are to be moved.
    package mutating func place(_ times: Times, of stream: Int) -> (epoch: Int, shift: Int) {
        guard let index = tracks.firstIndex(where: { $0.stream == stream }) else { return (0, 0) }
        if let decoding = times.decoding { follow(decoding, times.duration, index) }
        let epoch = tracks[index].epoch
        note(times, epoch, index)
        return (epoch, shift(index, epoch))
    }

    private func shift(_ index: Int, _ epoch: Int) -> Int {
        guard let known, epoch < known.offsets.count else { return tracks[index].shifts[epoch] }
        return (known.offsets[epoch] / tracks[index].timeBase).rounded()
    }

    /// Finds the epoch of a packet that is decoded at `time` by the file's clock.
    private mutating func follow(_ time: Int, _ duration: Int?, _ index: Int) {
        let track = tracks[index]
        let newest = offsets.count - 1
        var epoch = newest
        if let last = track.last {
            epoch = nearest(time, last, track) ?? (goesOn(time, index) ? track.epoch : newest + 1)
        }
        if epoch > newest {
            guard epoch < Self.mostEpochs else { return }
            begin(with: track.seconds(track.next.minus(time)))
        }
        let placed = time.plus(tracks[index].shifts[epoch])
        let step = duration ?? track.last.map { placed.minus($0) }.flatMap { (0...track.gap).contains($0) ? $0 : nil }
        tracks[index].epoch = epoch
        tracks[index].last = placed
        tracks[index].duration = step ?? track.duration
        tracks[index].next = placed.plus(step ?? 0)
    }

    /// The epoch in which a packet follows on the one before it most closely; nil where it does in none.
    private func nearest(_ time: Int, _ last: Int, _ track: Track) -> Int? {
        var best: (epoch: Int, distance: Int)?
        for epoch in (max(0, track.epoch - 1)..<track.shifts.count).reversed() {
            let placed = time.plus(track.shifts[epoch])
            let distance = placed.minus(track.next)
            let fits =
                if epoch == track.epoch {
                    distance <= track.gap && placed.plus(track.step) >= last
                } else {
                    // Where another stream was first to jump, this one may have been behind or ahead of it. A wrap comes for frames
                    // that are shown later before it comes for those that are decoded next.
                    distance.magnitude <= (epoch > track.epoch ? track.gap : track.step).magnitude
                }
            if fits, best.map({ distance.magnitude < $0.distance.magnitude }) ?? true { best = (epoch, distance) }
        }
        return best?.epoch
    }

    /// Whether a packet that comes late by the clock does so because its stream paused, while others went on.
    private func goesOn(_ time: Int, _ index: Int) -> Bool {
        let track = tracks[index]
        let placed = time.plus(track.shifts[track.epoch])
        guard placed > track.next else { return false }
        return tracks.contains { other in
            guard other.stream != track.stream, other.epoch == track.epoch, let last = other.last else { return false }
            return (track.seconds(placed) - other.seconds(last)).magnitude <= Self.longestGap
        }
    }

    /// Ticks by which times of `stream` that were moved as `place` said are to be moved on, for its epoch to lie as `jumps` say.
    func shift(of stream: Int, in epoch: Int, as jumps: ClockJumps) -> Int {
        guard let track = tracks.first(where: { $0.stream == stream }), epoch < jumps.offsets.count else { return 0 }
        return (jumps.offsets[epoch] / track.timeBase).rounded().minus(track.shifts[epoch])
    }

    private mutating func begin(with offset: Rational) {
        offsets.append(offset)
        for index in tracks.indices {
            tracks[index].shifts.append((offset / tracks[index].timeBase).rounded())
            tracks[index].spans.append(nil)
        }
    }

    private mutating func note(_ times: Times, _ epoch: Int, _ index: Int) {
        let guess = tracks[index].shown.flatMap { $0.epoch == epoch ? $0.time : nil }
        guard let start = times.presentation ?? guess ?? times.decoding else { return }
        let end = start.plus(times.duration ?? tracks[index].duration ?? 0)
        tracks[index].shown = (end, epoch)
        let span = tracks[index].spans[epoch]
        tracks[index].spans[epoch] = (min(start, span?.start ?? start), max(end, span?.end ?? end))
    }

    /// The jumps that were found, each closed so that the frames of stream `leading` follow on each other evenly; nil where there
    /// are none. To be asked after the last packet.
    package func jumps(leading: Int) -> ClockJumps? {
        guard count > 0 else { return nil }
        var found: [Rational] = []
        /// How far each stream reaches so far.
        var ends: [Rational?] = tracks.map { _ in nil }
        for epoch in offsets.indices {
            let usual = epoch == 0 ? .zero : found[epoch - 1] + offsets[epoch] - offsets[epoch - 1]
            let offset = epoch == 0 ? .zero : wrapped(epoch, found) ?? closed(epoch, ends, leading) ?? usual
            found.append(offset)
            for (index, track) in tracks.enumerated() {
                guard let span = track.spans[epoch] else { continue }
                let end = track.seconds(span.end) + offset
                ends[index] = max(end, ends[index] ?? end)
            }
        }
        return ClockJumps(streams: tracks.map(\.stream), offsets: found)
    }

    /// The offset of `epoch` where it begins because the clock's 2^33 ticks were over, which is exact: frames that are shown later may
    /// have been decoded before that. Nil where it begins for another reason.
    private func wrapped(_ epoch: Int, _ found: [Rational]) -> Rational? {
        let change = offsets[epoch] - offsets[epoch - 1]
        guard (change.magnitude - Self.wrap).magnitude <= Self.longestStep else { return nil }
        return change > .zero ? found[epoch - 1] + Self.wrap : found[epoch - 1] - Self.wrap
    }

    /// The offset with which `epoch` follows on what ends at `ends`; nil where the leading stream has nothing on one side.
    private func closed(_ epoch: Int, _ ends: [Rational?], _ leading: Int) -> Rational? {
        guard let index = tracks.firstIndex(where: { $0.stream == leading }), let end = ends[index],
            let span = tracks[index].spans[epoch]
        else { return nil }
        let lead = tracks[index]
        let offset = end - lead.seconds(span.start)
        // What another stream has beyond the last frame is not cut off: the frame is held for so long.
        let beyond = zip(tracks, ends).compactMap { track, end -> Rational? in
            guard track.stream != leading, let next = track.spans[epoch], let end else { return nil }
            return end - (track.seconds(next.start) + offset)
        }.max()
        guard let beyond, beyond > Self.longestStep else { return offset }
        let step = lead.seconds(max(lead.duration ?? 1, 1))
        return offset + Rational((beyond / step).roundedUp) * step
    }
}

extension Int {
    /// The sum, or the nearest number that there is: files may say any time.
    func plus(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest number that there is.
    func minus(_ other: Int) -> Int {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}

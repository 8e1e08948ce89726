/// The offsets that make a file's time stamps continuous where its clock restarts or jumps.
///
/// The clock of a transport stream restarts where recordings are concatenated, where the encoder was restarted, and
/// after 2^33 ticks (ISO/IEC 13818-1 2.4.3.7). An epoch is the part of a file between two jumps.
package struct ClockJumps: Sendable, Hashable {
    /// The indices of the streams whose packets are watched. The same ones have to be watched whenever the file is
    /// read.
    package let streams: [Int]
    /// The seconds that are added to the time stamps of each epoch; 0 for the first.
    package let offsets: [Rational]

    /// - Parameter offsets: not empty.
    package init(streams: [Int], offsets: [Rational]) {
        precondition(!offsets.isEmpty)
        (self.streams, self.offsets) = (streams, offsets)
    }

    /// How many times the clock jumps.
    package var count: Int { offsets.count - 1 }

    /// The seconds that are added to the time stamps of `epoch`. If the file has grown since it was read, it may have
    /// more epochs than are known; those are treated like the last known one.
    package func offset(of epoch: Int) -> Rational { offsets[min(epoch, offsets.count - 1)] }
}

/// Finds the jumps of a file's clock from its packets, in file order.
///
/// A packet begins an epoch where its DTS is more than `longestGap` after the one that the packet before it in its
/// stream leads to expect, or more than `longestStep` before that packet's. ffmpeg has such a rule, too (its
/// `-dts_delta_threshold`, 10 s). All streams are moved by the same amount, so that they stay in sync. Unlike ffmpeg,
/// this lets the last packets of an epoch come after another stream's first packet of the next epoch, as they do in
/// interleaved files, and it doesn't move a stream that pauses while others go on.
package struct ClockWatch: Sendable {
    /// The longest gap in a stream's DTS within an epoch, in seconds.
    package static let longestGap = Rational(10)
    /// The longest step back of a stream's DTS within an epoch, in seconds.
    package static let longestStep = Rational(1, 10)
    /// How many seconds it takes a 33-bit clock of 90 kHz to wrap (ISO/IEC 13818-1 2.4.3.7).
    private static let wrap = Rational(1 << 33, 90000)
    /// The maximum number of epochs. If a file's clock jumps more often, the rest of its times stay as they are.
    private static let maxEpochs = 1 << 16

    /// One packet's DTS, PTS and duration, in ticks of its stream's time base; nil where unknown.
    package struct Times {
        package var decoding: Int?
        package var presentation: Int?
        package var duration: Int?

        package init(decoding: Int?, presentation: Int?, duration: Int?) {
            (self.decoding, self.presentation, self.duration) = (decoding, presentation, duration)
        }
    }

    private struct Track {
        let stream: Int
        let timeBase: Rational
        /// `longestGap` and `longestStep` in ticks.
        let gap: Int
        let step: Int
        /// The epoch of the last packet.
        var epoch = 0
        /// The last packet's DTS and the one expected of the next packet, in ticks, both moved by `shifts`.
        var last: Int?
        var next = 0
        /// The last known duration of a packet, in ticks.
        var duration: Int?
        /// The PTS assumed of a packet without one, in ticks: the end of the packet before it in the file. Valid only
        /// in `epoch`.
        var shown: (time: Int, epoch: Int)?
        /// The ticks that are added in each epoch while the jumps are still being found.
        var shifts = [0]
        /// The span of presentation times in each epoch, in the file's ticks; nil where the stream has no packets in
        /// it.
        var spans: [(start: Int, end: Int)?] = [nil]

        init(_ stream: Int, _ timeBase: Rational) {
            (self.stream, self.timeBase) = (stream, timeBase)
            gap = (ClockWatch.longestGap / timeBase).rounded()
            step = (ClockWatch.longestStep / timeBase).rounded()
        }

        func seconds(_ ticks: Int) -> Rational { timeBase.scaled(count: ticks) }
    }

    private var tracks: [Track]
    /// The seconds that are added in each epoch while the jumps are still being found.
    private var offsets: [Rational] = [.zero]
    /// The final offsets, where they are known already.
    private let known: ClockJumps?

    /// - Parameters:
    ///   - streams: the streams to watch, each with the seconds of one tick.
    ///   - known: the jumps that were found when the file was read before.
    package init(_ streams: [(index: Int, timeBase: Rational)], known: ClockJumps? = nil) {
        tracks = streams.map { Track($0.index, $0.timeBase) }
        self.known = known
    }

    /// How many times the clock has jumped so far.
    package var count: Int { offsets.count - 1 }

    /// Takes in the next packet of the file.
    /// - Returns: its epoch, and the ticks by which its time stamps are to be moved.
    package mutating func place(_ times: Times, of stream: Int) -> (epoch: Int, shift: Int) {
        guard let index = tracks.firstIndex(where: { $0.stream == stream }) else { return (0, 0) }
        if let decoding = times.decoding { follow(decoding, times.duration, index) }
        let epoch = tracks[index].epoch
        note(times, epoch, index)
        return (epoch, shift(index, epoch))
    }

    /// The ticks to add to the time stamps of track `index` in `epoch`.
    private func shift(_ index: Int, _ epoch: Int) -> Int {
        guard let known, epoch < known.offsets.count else { return tracks[index].shifts[epoch] }
        return (known.offsets[epoch] / tracks[index].timeBase).rounded()
    }

    /// Finds the epoch of a packet whose DTS is `time` by the file's clock, and makes it the last packet of its track.
    private mutating func follow(_ time: Int, _ duration: Int?, _ index: Int) {
        let track = tracks[index]
        let newest = offsets.count - 1
        var epoch = newest
        if let last = track.last {
            epoch = nearest(time, last, track) ?? (continues(time, index) ? track.epoch : newest + 1)
        }
        if epoch > newest {
            guard epoch < Self.maxEpochs else { return }
            begin(with: track.seconds(track.next.minus(time)))
        }
        let placed = time.plus(tracks[index].shifts[epoch])
        let step = duration ?? track.last.map { placed.minus($0) }.flatMap { (0...track.gap).contains($0) ? $0 : nil }
        tracks[index].epoch = epoch
        tracks[index].last = placed
        tracks[index].duration = step ?? track.duration
        tracks[index].next = placed.plus(step ?? 0)
    }

    /// The epoch in which a packet follows most closely on the one before it in its stream; nil where it does so in
    /// none.
    private func nearest(_ time: Int, _ last: Int, _ track: Track) -> Int? {
        var best: (epoch: Int, distance: Int)?
        for epoch in (max(0, track.epoch - 1)..<track.shifts.count).reversed() {
            let placed = time.plus(track.shifts[epoch])
            let distance = placed.minus(track.next)
            let fits =
                if epoch == track.epoch {
                    distance <= track.gap && placed.plus(track.step) >= last
                } else {
                    // Where another stream jumped first, this one may have been behind or ahead of it. At a wrap,
                    // frames that are shown later wrap before the frames that are decoded after them.
                    distance.magnitude <= (epoch > track.epoch ? track.gap : track.step).magnitude
                }
            if fits, best.map({ distance.magnitude < $0.distance.magnitude }) ?? true { best = (epoch, distance) }
        }
        return best?.epoch
    }

    /// Whether a packet's DTS is late only because its stream paused while others went on.
    private func continues(_ time: Int, _ index: Int) -> Bool {
        let track = tracks[index]
        let placed = time.plus(track.shifts[track.epoch])
        guard placed > track.next else { return false }
        return tracks.contains { other in
            guard other.stream != track.stream, other.epoch == track.epoch, let last = other.last else { return false }
            return (track.seconds(placed) - other.seconds(last)).magnitude <= Self.longestGap
        }
    }

    /// The ticks to add to time stamps of `stream` that were moved as `place` said, so that `epoch` lies where `jumps`
    /// says.
    package func shift(of stream: Int, in epoch: Int, as jumps: ClockJumps) -> Int {
        guard let track = tracks.first(where: { $0.stream == stream }), epoch < jumps.offsets.count else { return 0 }
        return (jumps.offsets[epoch] / track.timeBase).rounded().minus(track.shifts[epoch])
    }

    /// Begins a new epoch, to whose time stamps `offset` seconds are added.
    private mutating func begin(with offset: Rational) {
        offsets.append(offset)
        for index in tracks.indices {
            tracks[index].shifts.append((offset / tracks[index].timeBase).rounded())
            tracks[index].spans.append(nil)
        }
    }

    /// Extends the epoch's span of presentation times by a packet.
    private mutating func note(_ times: Times, _ epoch: Int, _ index: Int) {
        let guess = tracks[index].shown.flatMap { $0.epoch == epoch ? $0.time : nil }
        guard let start = times.presentation ?? guess ?? times.decoding else { return }
        let end = start.plus(times.duration ?? tracks[index].duration ?? 0)
        tracks[index].shown = (end, epoch)
        let span = tracks[index].spans[epoch]
        tracks[index].spans[epoch] = (min(start, span?.start ?? start), max(end, span?.end ?? end))
    }

    /// The jumps that were found, with offsets by which the frames of stream `leading` follow on each other evenly; nil
    /// where there are none. To be called after the last packet.
    package func jumps(leading: Int) -> ClockJumps? {
        guard count > 0 else { return nil }
        var found: [Rational] = []
        /// Where each stream ends so far, in seconds.
        var ends: [Rational?] = tracks.map { _ in nil }
        for epoch in offsets.indices {
            let measured = epoch == 0 ? .zero : found[epoch - 1] + offsets[epoch] - offsets[epoch - 1]
            let offset = epoch == 0 ? .zero : wrapped(epoch, found) ?? closed(epoch, ends, leading) ?? measured
            found.append(offset)
            for (index, track) in tracks.enumerated() {
                guard let span = track.spans[epoch] else { continue }
                let end = track.seconds(span.end) + offset
                ends[index] = max(end, ends[index] ?? end)
            }
        }
        return ClockJumps(streams: tracks.map(\.stream), offsets: found)
    }

    /// The offset of `epoch` where it begins because the clock wrapped after 2^33 ticks; nil where it begins for
    /// another reason. It is exact, unlike one measured between the frames on both sides, since frames that are shown
    /// after the wrap may be decoded before it.
    private func wrapped(_ epoch: Int, _ found: [Rational]) -> Rational? {
        let change = offsets[epoch] - offsets[epoch - 1]
        guard (change.magnitude - Self.wrap).magnitude <= Self.longestStep else { return nil }
        return change > .zero ? found[epoch - 1] + Self.wrap : found[epoch - 1] - Self.wrap
    }

    /// The offset with which `epoch` follows on the epochs before it, which end at `ends`; nil where the leading stream
    /// has no packets before or in it.
    private func closed(_ epoch: Int, _ ends: [Rational?], _ leading: Int) -> Rational? {
        guard let index = tracks.firstIndex(where: { $0.stream == leading }), let end = ends[index],
            let span = tracks[index].spans[epoch]
        else { return nil }
        let lead = tracks[index]
        let offset = end - lead.seconds(span.start)
        // What another stream has after the last frame is not cut off: the frame is held for that long.
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
    /// The sum, clamped to the range of Int, since files may state any time.
    package func plus(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped to the range of Int.
    package func minus(_ other: Int) -> Int {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : difference
    }
}

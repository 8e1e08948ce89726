import FlipBase

/// What the packets tell of the frames that are shown.
extension PacketIndex {
    /// The packets whose frames are shown.
    package var shown: LazyFilterSequence<[Entry]> { entries.lazy.filter(\.isShown) }

    /// The keyframes in order of time; empty if the file leaves out a packet's PTS: times then don't tell which frame is which.
    package var seekPoints: [SeekPoint] {
        let packets = shown
        guard restored.isEmpty, packets.allSatisfy({ $0.presentation != nil }) else { return [] }
        return packets.compactMap { packet in
            guard packet.isKey, let time = packet.presentation else { return nil }
            return SeekPoint(time: time, position: min(packet.decoding ?? time, time))
        }.sorted { $0.time < $1.time }
    }

    /// Gives packets without a PTS theirs, for codecs that show a reference frame when the next one is decoded: MPEG-1, MPEG-2 and
    /// MPEG-4 part 2. libav leaves it out where only later packets tell, as in program streams and AVI files. It is the first DTS
    /// after the packet's own that is no other frame's PTS.
    package mutating func restoreTimes() {
        let decoding = entries.compactMap(\.decoding)
        guard decoding.count == entries.count, zip(decoding.dropFirst(), decoding).allSatisfy(>),
            entries.contains(where: { $0.presentation == nil }), entries.contains(where: { $0.presentation != nil })
        else { return }
        var taken = Set(entries.compactMap(\.presentation))
        var free = 0
        for (number, entry) in entries.enumerated() where entry.presentation == nil {
            free = decoding[max(free, number + 1)...].firstIndex { !taken.contains($0) } ?? decoding.count
            // Nothing is decoded when the last frame is shown.
            let time =
                free < decoding.count ? decoding[free] : (taken.max() ?? decoding[free - 1]).plus(entry.duration ?? 1)
            taken.insert(time)
            restored[number] = time
            entries[number].restore(time)
        }
    }

    /// The duration in ticks of the frame that is shown last; nil if it is unknown.
    package var lastDuration: Int? { shown.max { ($0.presentation ?? .min) < ($1.presentation ?? .min) }?.duration }

    /// The PTS of the frames that are shown, in ticks, ascending and distinct, and the number of frames that are not
    /// shown because others have the same PTS.
    /// - Parameters:
    ///   - firstTime: the PTS of the first frame that decodes; nil if unknown.
    ///   - step: the ticks from one frame to the next where packets don't tell, at least 1.
    ///   - isInterlaced: whether a packet may hold a single field.
    ///   - timeBase: the seconds of a tick.
    package func shownTimes(
        from firstTime: Int?, step: Int, isInterlaced: Bool, timeBase: Rational
    ) -> (shown: [Int], hidden: Int) {
        let packets = self.shown
        let usesPresentation = packets.contains { $0.presentation != nil }
        var times: [Int] = []
        var next = firstTime ?? 0
        for packet in packets {
            let time = (usesPresentation ? packet.presentation : packet.decoding) ?? next
            times.append(time)
            next = time.plus(packet.duration ?? step)
        }
        times.sort()
        if !usesPresentation, let first = times.first, let shown = firstTime, shown > first {
            // Only DTS are known; with B-frames, frames are shown a few frames after their DTS.
            times = times.map { $0.plus(shown.minus(first)) }
        }
        // Frames before the first one that decodes are never shown.
        let first = usesPresentation ? firstTime ?? .min : .min
        var shown: [Int] = []
        var hidden = 0
        for time in times where time >= first {
            if time == shown.last { hidden += 1 } else { shown.append(time) }
        }
        // The two fields of a frame may have the same PTS, so frames of interlaced video don't count as hidden.
        if !isInterlaced { return (shown, hidden) }
        return (holdsFields(shown, timeBase) ? everyOther(shown) : shown, 0)
    }

    /// Whether the packets of interlaced video must be single fields, since there are more than 40 per second.
    private func holdsFields(_ times: [Int], _ timeBase: Rational) -> Bool {
        guard times.count > 1, let first = times.first, let last = times.last else { return false }
        return Rational(times.count - 1) / timeBase.scaled(count: last.minus(first)) > Rational(40)
    }

    private func everyOther(_ times: [Int]) -> [Int] { stride(from: 0, to: times.count, by: 2).map { times[$0] } }
}

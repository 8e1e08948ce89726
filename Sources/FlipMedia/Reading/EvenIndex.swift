import CLibav
import FlipBase

/// What the index of an mp4 or mov file says of the packets in the middle of a long clip whose frames follow evenly. A
/// preview needs only both ends, and reading gigabytes between them takes most of the time.
struct EvenIndex {
    /// The packets in decoding order that needn't be read. Keyframes are at both ends, so that no frame of one part is
    /// shown among those of another.
    let middle: Range<Int>
    private let count: Int
    private let step: Int
    private let first: Int
    private let keys: Set<Int>

    /// The least number of packets that are read at each end.
    private static let end = 300
    /// The least number of packets that are worth skipping.
    private static let leastSkip = 2000
    /// The furthest from 0, in ticks, that the first packet may lie, and the others from it: `decoding` can't overflow.
    private static let latest = 1 << 61

    /// Nil if frames are uneven, or too few.
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        let count = Int(avformat_index_get_entries_count(stream))
        guard count > 2 * Self.end + Self.leastSkip, let first = avformat_index_get_entry(stream, 0),
            let second = avformat_index_get_entry(stream, 1)
        else { return nil }
        let start = Int(first.pointee.timestamp)
        let step = Int(second.pointee.timestamp).minus(start)
        guard start.magnitude <= Self.latest, step > 0, step <= Self.latest / count else { return nil }
        var keys: Set<Int> = []
        for index in 0..<count {
            guard let entry = avformat_index_get_entry(stream, Int32(clamping: index)),
                Int(entry.pointee.timestamp) == start + index * step,
                entry.pointee.flags & AVINDEX_DISCARD_FRAME == 0
            else { return nil }
            if entry.pointee.flags & AVINDEX_KEYFRAME != 0 { keys.insert(index) }
        }
        guard let lower = keys.filter({ $0 >= Self.end }).min(),
            let upper = keys.filter({ $0 <= count - Self.end }).max(), upper - lower >= Self.leastSkip
        else { return nil }
        middle = lower..<upper
        (self.count, self.step, self.first) = (count, step, start)
        self.keys = keys.filter { lower..<upper ~= $0 }
    }

    private func decoding(_ index: Int) -> Int { first + index * step }

    /// How much later than it is decoded the first frame is shown; nil if its time is unknown.
    private func delay(_ head: [PacketIndex.Entry]) -> Int? {
        head.prefix(Self.end).compactMap(\.presentation).min().map { $0.minus(first) }
    }

    /// Whether the packets that have been read are as the index has them, and their frames are shown at even times.
    func agrees(withHead entries: [PacketIndex.Entry]) -> Bool {
        guard let delay = delay(entries), delay >= 0 else { return false }
        return agrees(entries[...], delay)
    }

    /// Whether that is true of the end as well.
    func agrees(with entries: [PacketIndex.Entry]) -> Bool {
        guard entries.count == count, let delay = delay(entries) else { return false }
        return agrees(entries[middle.upperBound...], delay)
    }

    private func agrees(_ entries: ArraySlice<PacketIndex.Entry>, _ delay: Int) -> Bool {
        let shown = entries.compactMap(\.presentation).sorted()
        return shown.count == entries.count && entries.indices.allSatisfy { entries[$0].decoding == decoding($0) }
            && shown.enumerated().allSatisfy { $1 == decoding(entries.startIndex + $0).plus(delay) }
            && entries.allSatisfy { $0.isShown && !$0.isCorrupt }
    }

    /// The packets of the middle, as if they had been read, and the time to seek to for those after it.
    func entries(after head: [PacketIndex.Entry]) -> ([PacketIndex.Entry], place: Int) {
        let delay = delay(head) ?? 0
        let entries = middle.map { index in
            PacketIndex.Entry(
                presentation: decoding(index).plus(delay), decoding: decoding(index), duration: step, position: nil,
                isKey: keys.contains(index), isHidden: false, isDiscarded: false, isCorrupt: false, changesHeader: false
            )
        }
        return (entries, decoding(middle.upperBound).plus(delay))
    }
}

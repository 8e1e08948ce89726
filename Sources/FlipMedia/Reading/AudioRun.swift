/// A run of samples without a gap.
package struct AudioRun {
    /// The index of the first sample that was not taken yet, counted from the origin.
    package private(set) var start: Int
    private var channels: [[Float]]
    /// The number of samples at the front of `channels` that were taken already.
    private var consumed = 0

    package init(start: Int, channelCount: Int) {
        self.start = start
        channels = Array(repeating: [], count: channelCount)
    }

    /// The index after the last sample.
    package var end: Int { start + channels[0].count - consumed }

    /// Appends `count` samples of each channel.
    /// - Parameter samples: returns the address of a channel's samples; a channel without is left as it is.
    package mutating func append(count: Int, from samples: (_ channel: Int) -> UnsafePointer<Float>?) {
        for index in channels.indices {
            guard let start = samples(index) else { continue }
            channels[index].append(contentsOf: UnsafeBufferPointer(start: start, count: count))
        }
    }

    /// The number of samples per channel that take memory.
    package var held: Int { channels[0].count }

    /// Drops the samples before index `position`.
    package mutating func drop(before position: Int) { _ = take(from: position, atMost: 0, into: []) }

    /// Moves up to `limit` samples from index `position` on into `targets`, and drops those before. Returns how many
    /// were moved: 0 where `position` is before `start`.
    package mutating func take(from position: Int, atMost limit: Int, into targets: [UnsafeMutablePointer<Float>])
        -> Int
    {
        guard position >= start else { return 0 }
        let skipped = min(position - start, channels[0].count - consumed)
        let first = consumed + skipped
        let count = min(limit, channels[0].count - first)
        for (channel, target) in zip(channels, targets) {
            channel.withUnsafeBufferPointer { samples in
                if count > 0, let base = samples.baseAddress { target.update(from: base + first, count: count) }
            }
        }
        consumed = first + count
        start += skipped + count
        // This happens rarely enough for the cost of moving the rest to the front not to matter.
        if consumed > 65536 || consumed == channels[0].count {
            for index in channels.indices { channels[index].removeFirst(consumed) }
            consumed = 0
        }
        return count
    }
}

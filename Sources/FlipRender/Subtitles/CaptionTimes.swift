import FlipBase

/// When captions are shown, in milliseconds. Looking up a time takes as many steps as the number of captions has bits.
package struct CaptionTimes: Sendable {
    /// The times at which captions begin or end, ascending.
    private let changes: [Int]
    /// Whether captions are shown from each of these times on.
    private let isShown: [Bool]

    /// - Parameter shown: the times between which each caption is shown.
    package init(_ shown: [Range<Int>]) {
        // At each time, so many more captions are shown.
        var steps: [Int: Int] = [:]
        for range in shown where !range.isEmpty {
            steps[range.lowerBound, default: 0] += 1
            steps[range.upperBound, default: 0] -= 1
        }
        let changes = steps.keys.sorted()
        var count = 0
        isShown = changes.map { time in
            count += steps[time] ?? 0
            return count > 0
        }
        self.changes = changes
    }

    /// Whether captions are shown at `time`, and when one begins or ends next; nil if none does.
    package func state(at time: Int) -> (isShown: Bool, next: Int?) {
        let next = changes.partitioningIndex { $0 > time }
        return (next > 0 && isShown[next - 1], next < changes.count ? changes[next] : nil)
    }
}

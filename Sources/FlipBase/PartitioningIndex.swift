extension RandomAccessCollection where Index == Int {
    /// The first index whose element satisfies `condition`, or `endIndex`; all elements after it must satisfy it, too. It is
    /// found by bisection.
    @inlinable package func partitioningIndex(where condition: (Element) -> Bool) -> Int {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = (low + high) / 2
            if condition(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

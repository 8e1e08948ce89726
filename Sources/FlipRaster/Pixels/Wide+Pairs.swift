/// Pairs: two wide samples in one UInt32, the first in the lower half. Fetching neighbours together halves the loads of
/// anything that has to gather, and the arithmetic on them is done in 16-bit lanes all the same.
extension Wide {
    /// `line = pairs.first * first + pairs.second * second`, or adds that to `line`. Overwrites `pairs`.
    @inline(__always)
    static func weigh(
        _ pairs: UnsafeMutablePointer<UInt32>, by weights: UnsafePointer<UInt32>, count: Int, adds: Bool,
        into line: UnsafeMutablePointer<UInt16>
    ) {
        UnsafeMutableRawPointer(pairs).withMemoryRebound(to: UInt16.self, capacity: 2 * count) { lanes in
            UnsafeRawPointer(weights).withMemoryRebound(to: UInt16.self, capacity: 2 * count) { weights in
                for lane in 0..<(2 &* count) { lanes[lane] = scale(lanes[lane], weights[lane]) }
            }
        }
        if adds {
            for x in 0..<count { line[x] &+= sum(pairs[x]) }
        } else {
            for x in 0..<count { line[x] = sum(pairs[x]) }
        }
    }

    /// Two weights or samples in one.
    @inline(__always)
    static func pair(_ first: UInt16, _ second: UInt16) -> UInt32 { UInt32(first) | UInt32(second) &<< 16 }

    /// The sum of the two halves of `pair`.
    @inline(__always)
    static func sum(_ pair: UInt32) -> UInt16 { UInt16(truncatingIfNeeded: pair &+ (pair &>> 16)) }

    /// The sum of the four quarters of `four`.
    @inline(__always)
    static func sum(_ four: UInt64) -> UInt16 {
        UInt16(truncatingIfNeeded: four &+ (four &>> 16) &+ (four &>> 32) &+ (four &>> 48))
    }

    /// `pairs[x]` = `first[x]` and `second[x]`.
    static func interleave(
        _ first: UnsafePointer<UInt16>, _ second: UnsafePointer<UInt16>, count: Int,
        into pairs: UnsafeMutablePointer<UInt32>
    ) {
        for x in 0..<count { pairs[x] = pair(first[x], second[x]) }
    }
}

/// The pseudorandom generator SplitMix64 by Steele, Lea and Flood, which gives the same numbers for the same seed on
/// every machine.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }

    /// A uniformly distributed number in `range`.
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / Double(1 << 53)
    }

    /// An integer in `range`.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// Returns true with a probability of 1/`n`.
    package mutating func oneIn(_ n: Int) -> Bool { next() % UInt64(n) == 0 }

    /// Returns one of `choices`, which must not be empty.
    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[integer(in: 0...choices.count - 1)] }
}

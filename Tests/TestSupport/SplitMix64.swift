/// Steele, Lea and Flood's SplitMix64: the same numbers for the same seed, on every machine.
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

    /// A number in `range`, evenly distributed.
    package mutating func number(in range: ClosedRange<Double>) -> Double {
        range.lowerBound + (range.upperBound - range.lowerBound) * Double(next() >> 11) / Double(1 << 53)
    }

    /// A whole number in `range`.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() % UInt64(range.count))
    }

    /// True once in `n` draws.
    package mutating func oneIn(_ n: Int) -> Bool { next() % UInt64(n) == 0 }

    /// One of `choices`, which is not empty.
    package mutating func pick<Choice>(_ choices: [Choice]) -> Choice { choices[integer(in: 0...choices.count - 1)] }
}

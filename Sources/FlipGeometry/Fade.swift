/// Two sources that are mixed in place, in their encoded values: `from` (1 - w) + `to` w. The weight w is the same
/// everywhere, or it rises along the motion.
public struct Fade: Sendable, Equatable {
    /// What is mixed.
    public enum Source: Sendable, Equatable {
        /// A, the picture that leaves.
        case outgoing
        /// B, the picture that arrives.
        case incoming
        /// The same color everywhere.
        case color(Color)
    }

    /// What is seen alone at weight 0.
    public var from: Source
    /// What is seen alone at weight 1.
    public var to: Source
    /// The weight of `to`, 0...1, where there is no ramp.
    public var part: Double
    /// How the weight of `to` depends on the position along the motion; nil if it is `part` everywhere.
    public var ramp: Ramp?

    /// A mix of two sources, the same everywhere.
    public init(from: Source, to: Source, part: Double) { (self.from, self.to, self.part) = (from, to, part) }

    /// A mix of two sources, with a weight that rises along the motion.
    public init(from: Source, to: Source, ramp: Ramp) {
        self.init(from: from, to: to, part: 0)
        self.ramp = ramp
    }

    /// A weight that changes evenly between two positions along the motion, and is 0 on one side of them and 1 on the
    /// other.
    public struct Ramp: Sendable, Equatable {
        /// Where the ramp begins and ends, in luma pixels; the weight jumps if both are the same.
        public var extent: ClosedRange<Double>
        /// Whether the weight is 1 at higher positions; otherwise it is 1 at lower ones.
        public var isRising: Bool

        /// A ramp over `extent`.
        public init(_ extent: ClosedRange<Double>, isRising: Bool = true) {
            (self.extent, self.isRising) = (extent, isRising)
        }

        /// The mean of the weight from `lower` to `upper`, which is higher.
        public func mean(_ lower: Double, _ upper: Double) -> Double {
            let rising = min(max((area(upper) - area(lower)) / (upper - lower), 0), 1)
            return isRising ? rising : 1 - rising
        }

        /// The integral of the rising weight up to `x`.
        private func area(_ x: Double) -> Double {
            let passed = x - extent.lowerBound
            if passed <= 0 { return 0 }
            if x >= extent.upperBound { return x - (extent.lowerBound + extent.upperBound) / 2 }
            return passed * passed / (2 * (extent.upperBound - extent.lowerBound))
        }

        /// The ramp mirrored within 0...length.
        func mirrored(length: Double) -> Ramp {
            Ramp((length - extent.upperBound)...(length - extent.lowerBound), isRising: !isRising)
        }
    }
}

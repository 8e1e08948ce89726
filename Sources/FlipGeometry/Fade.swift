/// Two sources that are mixed in place, in their encoded values: `from` (1 - part) + `to` part.
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

    /// What is seen alone at part 0.
    public var from: Source
    /// What is seen alone at part 1.
    public var to: Source
    /// The weight of `to`, 0...1.
    public var part: Double

    /// A mix of two sources.
    public init(from: Source, to: Source, part: Double) {
        self.from = from
        self.to = to
        self.part = part
    }
}

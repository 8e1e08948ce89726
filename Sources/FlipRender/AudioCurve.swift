#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How the audio of two clips changes over during a transition.
package enum AudioCurve: String, CaseIterable, Sendable, Codable {
    /// Quarter waves: the sum of the two powers stays the same.
    case equalPower = "equal-power"
    /// Straight lines: the sum of the two amplitudes stays the same.
    case linear
    /// A hard cut in the middle of the transition.
    case none

    /// The incoming clip's gain at `x`, 0...1 through the transition. The outgoing one's is that of 1 - x.
    func gain(_ x: Double) -> Float {
        switch self {
        case .equalPower: Float(sin(x * .pi / 2))
        case .linear: Float(x)
        case .none: x < 0.5 ? 0 : 1
        }
    }
}

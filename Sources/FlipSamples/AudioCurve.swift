#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// How the audio changes over from one clip to the next during a transition.
package enum AudioCurve: String, CaseIterable, Sendable, Codable {
    /// Quarter sine waves: the sum of the two powers stays constant.
    case equalPower = "equal-power"
    /// Straight lines: the sum of the two amplitudes stays constant.
    case linear
    /// A hard cut in the middle of the transition.
    case none

    /// The incoming clip's gain at progress `x`, 0...1, of the transition.
    package func gain(_ x: Double) -> Float {
        switch self {
        case .equalPower: Float(sin(x * .pi / 2))
        case .linear: Float(x)
        case .none: x < 0.5 ? 0 : 1
        }
    }

    /// The outgoing clip's gain at progress `x`. A sample in the very middle of a hard cut is the incoming clip's alone.
    package func outgoingGain(_ x: Double) -> Float { self == .none ? 1 - gain(x) : gain(1 - x) }
}

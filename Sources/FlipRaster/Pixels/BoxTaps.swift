/// The mean over a moving interval of samples: `width` samples wide, from a start that may lie anywhere, in fixed point.
///
/// Tap t of an interval that starts at `start` weighs the overlap of [t, t + 1] with [fraction, fraction + width], both
/// counted from the sample that holds the start. With a width of at most 1 there are two taps, of which the first
/// weighs 1 until the interval crosses the boundary between them.
struct BoxTaps {
    /// The interval's width in 1/65536 of a sample.
    let width: Int32
    /// 65536 / width in 1/32768.
    let inverse: UInt32
    /// The number of samples that an interval can touch.
    let count: Int

    /// An interval of `width` samples, greater than 0; below 1/1024 it is taken as 1/1024.
    init(width: Double) {
        let fixed = Int32(min(max(width, 1.0 / 1024), 16384) * 65536)
        self.width = fixed
        inverse = UInt32(min((Double(1 << 31) / Double(fixed)).rounded(.down), Double(UInt32.max)))
        count = Int((Double(fixed) / 65536).rounded(.up)) + 1
    }

    /// The weight of tap `tap` for an interval that starts at `fraction`, 0..<65536.
    @inline(__always)
    static func weight(tap: Int32, fraction: Int32, width: Int32, inverse: UInt32) -> UInt16 {
        let lower = max(tap &<< 16, fraction)
        let upper = min((tap &+ 1) &<< 16, fraction &+ width)
        let overlap = UInt32(truncatingIfNeeded: max(upper &- lower, 0))
        return UInt16(truncatingIfNeeded: min((overlap &* inverse) &>> 15, 65535))
    }
}

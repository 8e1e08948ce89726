/// The mean over a moving interval of samples: `width` samples wide, from a start that may lie anywhere, in fixed point.
///
/// An interval that starts `fraction` into a sample overlaps that sample by min(1 - fraction, width), the samples after
/// it wholly, and the last one by what is left. With a width of at most 1 there are two taps, of which the first weighs 1
/// until the interval crosses the boundary between them.
///
/// Everything is in 1/65536 and in 16 bits, which is what vector units multiply fastest.
struct BoxTaps {
    /// The most of its first sample that an interval overlaps: the width, at most 1.
    let head: UInt16
    /// What a sample weighs that is overlapped wholly.
    let whole: UInt16
    /// 1 / width, as (inverse + rest) << shift.
    let inverse: UInt16
    let rest: UInt16
    let shift: UInt16

    /// Intervals are taken to be no narrower and no wider, in samples.
    private static let widths = (1.0 / 4096)...4096.0

    /// An interval of `width` samples, greater than 0. `shift` is one for all intervals that are averaged together: that
    /// of `BoxTaps.shift` for the narrowest of them.
    init(width: Double, shift: Int) {
        let width = min(max(width, BoxTaps.widths.lowerBound), BoxTaps.widths.upperBound)
        head = UInt16(min(width, 1) * 65535)
        whole = UInt16(min(65536 / width, 65535))
        let inverse = min(65536 / width / Double(1 << shift), 131_070)
        self.inverse = UInt16(min(inverse, 65535))
        rest = UInt16(min(inverse - Double(self.inverse), 65535))
        self.shift = UInt16(shift)
    }

    /// The number of samples that an interval of `width` samples can touch, at least 2.
    static func count(width: Double) -> Int { max(Int(min(width, widths.upperBound).rounded(.up)) + 1, 2) }

    /// Bits by which the inverse of `width` has to be shifted down to fit.
    static func shift(width: Double) -> Int {
        var shift = 0
        while shift < 12 && width * Double(1 << shift) < 0.5 { shift += 1 }
        return shift
    }

    /// The weight of the first tap of an interval that starts at `fraction`.
    @inline(__always)
    static func first(
        _ fraction: UInt16, head: UInt16, inverse: UInt16, rest: UInt16, shift: UInt16
    ) -> UInt16 {
        let overlap = min(65535 &- fraction, head)
        return (Wide.scale(overlap, inverse) &+ Wide.scale(overlap, rest)) &<< shift
    }

    /// The weight of a tap that is neither the first nor the last, where `remaining` is left for it and those after it.
    @inline(__always)
    static func middle(_ remaining: UInt16, whole: UInt16) -> UInt16 { min(remaining, whole) }
}

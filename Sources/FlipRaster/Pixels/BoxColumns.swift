/// The intervals that a run of output samples average across the motion, one `BoxTaps` a sample, and their weights.
final class BoxColumns {
    /// Taps of every sample: those of the widest interval.
    private(set) var taps = 2
    /// The footprints' height for which this was planned, in luma pixels.
    private(set) var height = 0.0
    private var shift: UInt16 = 0
    private let heads = Scratch<UInt16>()
    private let inverses = Scratch<UInt16>()
    private let rests = Scratch<UInt16>()
    private let wholes = Scratch<UInt16>()
    private let remaining = Scratch<UInt16>()
    private let current = Scratch<UInt32>()

    /// Plans for samples in which a footprint of `height` luma pixels sees `slopes` times as much of the texture.
    func plan(_ slopes: UnsafePointer<Double>, count: Int, height: Double, pitch: Double) {
        self.height = height
        var narrowest = Double.infinity
        var widest = 0.0
        for index in 0..<count {
            narrowest = min(narrowest, slopes[index] * height / pitch)
            widest = max(widest, slopes[index] * height / pitch)
        }
        reserve(count, narrowest: narrowest, widest: widest)
        for index in 0..<count {
            let box = BoxTaps(width: slopes[index] * height / pitch, shift: Int(shift))
            heads.start[index] = box.head
            inverses.start[index] = box.inverse
            rests.start[index] = box.rest
            wholes.start[index] = box.whole
        }
    }

    private func reserve(_ count: Int, narrowest: Double, widest: Double) {
        shift = UInt16(BoxTaps.shift(width: narrowest))
        taps = BoxTaps.count(width: widest)
        for scratch in [heads, inverses, rests, wholes, remaining] { scratch.reserve(count) }
        current.reserve(count)
    }

    /// What `BoxWeights` needs, for the `count` samples that were planned.
    var weights: BoxWeights {
        BoxWeights(
            taps: taps, shift: shift, heads: heads.start, inverses: inverses.start,
            rests: rests.start, wholes: wholes.start, remaining: remaining.start, weights: current.start)
    }
}

/// Weighs the taps of a run of intervals; lent by `BoxColumns` for a job, so that rows need no look-ups.
struct BoxWeights {
    /// Taps of every sample, 2 or more. They are weighed in pairs; the second of a pair beyond the last weighs nothing.
    let taps: Int
    fileprivate let shift: UInt16
    fileprivate let heads: UnsafeMutablePointer<UInt16>
    fileprivate let inverses: UnsafeMutablePointer<UInt16>
    fileprivate let rests: UnsafeMutablePointer<UInt16>
    fileprivate let wholes: UnsafeMutablePointer<UInt16>
    fileprivate let remaining: UnsafeMutablePointer<UInt16>
    /// The weights of the last two taps weighed, in pairs.
    let weights: UnsafeMutablePointer<UInt32>

    /// Weighs taps `tap` and `tap + 1` of intervals that start at `fractions`. Call with 0, 2, 4 ... in turn.
    @inline(__always)
    func weigh(_ tap: Int, fractions: UnsafePointer<UInt16>, count: Int) {
        if tap > 0 {
            for x in 0..<count {
                let first = BoxTaps.middle(remaining[x], whole: wholes[x])
                let second = BoxTaps.middle(remaining[x] &- first, whole: wholes[x])
                weights[x] = Wide.pair(first, second)
                remaining[x] = remaining[x] &- first &- second
            }
        } else if taps > 2 {
            for x in 0..<count {
                let first = BoxTaps.first(
                    fractions[x], head: heads[x], inverse: inverses[x], rest: rests[x], shift: shift)
                let second = BoxTaps.middle(Wide.one &- first, whole: wholes[x])
                weights[x] = Wide.pair(first, second)
                remaining[x] = Wide.one &- first &- second
            }
        } else {
            for x in 0..<count {
                let first = BoxTaps.first(
                    fractions[x], head: heads[x], inverse: inverses[x], rest: rests[x], shift: shift)
                weights[x] = Wide.pair(first, Wide.one &- first)
            }
        }
    }
}

import FlipBase
import Synchronization

/// Limits on what opening and reading a file may cost, whatever the file claims.
package enum InputLimits {
    /// The range that `maxPixels` may be set to; the upper bound is what libav can address.
    package static let pixelRange = 256...(1 << 28)
    private static let pixels = Atomic(Limits.sides.upperBound * Limits.sides.upperBound / 2)

    /// The maximum number of pixels that a decoded frame or a frame of the output may have, for the whole process.
    package static var maxPixels: Int {
        get { pixels.load(ordering: .relaxed) }
        set { pixels.store(newValue, ordering: .relaxed) }
    }

    /// The maximum number of streams of a file: a recording of a whole transponder has about a hundred.
    package static let streams = 256
    /// The maximum number of packets of a video: three days at 60 per second.
    package static let packets = 1 << 24
    /// The longest time from a video's first frame to the end of its last one, in seconds: 30 days.
    package static let duration = Rational(30 * 86400)

    /// The error for `stream`, as the beginning of a sentence, which is longer than `duration` allows.
    /// - Parameter length: in seconds, as the file states it.
    package static func tooLong(_ stream: String, _ length: Rational) -> MediaError {
        let days = { (seconds: Rational) in (seconds / Rational(86400)).rounded() }
        return MediaError(
            .badInput, "\(stream) claims to last \(days(length)) days (at most \(days(duration)) are allowed)")
    }

    /// The furthest from 0, in seconds, that a clip's audio may start. Genuine time stamps wrap at 2^33 ticks or are
    /// dates in seconds; anything beyond is false.
    package static let latestTime = Rational(1 << 33)
    /// The longest time from one frame of a live clip to the next, in seconds. For a file, the plan shows a longer
    /// pause before anything is rendered; for a live clip, one frame would be repeated endlessly.
    package static let maxLivePause = Rational(600)
    /// The maximum number of bytes that libav may allocate at once, such as for the index that a header promises.
    package static let allocation = 1 << 30
    /// The maximum number of bytes read before a file's streams are known. Long recordings have indexes of tens of
    /// megabytes.
    package static let probeBytes: Int64 = 128 << 20
    /// The maximum number of bytes read between two packets of a file with one stream, where no other packets can lie
    /// in between.
    package static let packetBytes: Int64 = 512 << 20
}

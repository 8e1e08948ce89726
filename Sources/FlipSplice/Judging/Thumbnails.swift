import FlipBase
import FlipMedia

/// Tiny pictures of frames, some five hundred bytes each.
struct Thumbnails {
    /// When each frame is shown, in seconds of stream time.
    private(set) var times: [Double] = []
    /// The last time of the film at which the last frame is surely shown, in seconds of stream time.
    let last: Double
    /// The number of the first frame.
    let first: Int
    /// Whether some of them may be damaged.
    private(set) var isDamaged = false
    private var bytes: [UInt8] = []
    private let size: Int

    /// The width of a thumbnail.
    static let width = 32

    var count: Int { times.count }

    /// Decodes frames `range` of a film as they look in `conform`. Those that can't be decoded look as the one before.
    init(
        of film: JudgedFilm, _ range: Range<Int>, _ conform: VideoConform, threads: Int
    ) throws(MediaError) {
        first = range.lowerBound
        last = film.end(before: range.upperBound) - film.step
        size = conform.width * conform.height
        let cursor = try FrameCursor(film, threads: threads)
        for number in range {
            times.append(film.time(number))
            if let decoded = try cursor.frame(number) {
                isDamaged = isDamaged || cursor.isDamaged
                append(try cursor.converted(decoded, to: conform))
            } else {
                bytes += bytes.isEmpty ? [UInt8](repeating: 0, count: size) : Array(bytes.suffix(size))
            }
        }
    }

    private mutating func append(_ picture: VideoFrame) {
        let (base, stride) = picture.plane(0)
        for y in 0..<picture.height {
            bytes += UnsafeRawBufferPointer(start: base + y * stride, count: picture.width)
        }
    }

    /// The last frame at `time` or just after it; nil if there is none then.
    func index(at time: Double, step: Double) -> Int? {
        guard time < last + step else { return nil }
        let index = times.partitioningIndex { $0 > time + step / 4 } - 1
        return index >= 0 ? index : nil
    }

    /// The mean difference of two thumbnails, 0...255, but at most `limit`.
    func difference(_ own: Int, _ other: Thumbnails, _ index: Int, limit: Double) -> Double {
        let sum = bytes.withUnsafeBufferPointer { mine in
            other.bytes.withUnsafeBufferPointer { others in
                var sum: Int32 = 0
                let (a, b) = (own * size, index * size)
                for place in 0..<size { sum &+= abs(Int32(mine[a + place]) &- Int32(others[b + place])) }
                return sum
            }
        }
        return min(limit, Double(sum) / Double(size))
    }
}

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

    /// The width of a thumbnail that is shown in 16:9; others have as many pixels.
    private static let width = 32
    /// How many times wider the pictures are of which thumbnails are made, so that bars end within their pixels.
    private static let scale = 4

    var count: Int { times.count }

    /// Decodes frames `range` of `film` as they look in `shape`. Those that can't be decoded look as the one before.
    init(
        of film: JudgedFilm, _ range: Range<Int>, as shape: VideoInfo, threads: Int
    ) throws(MediaError) {
        let conform = PictureCheck.small(shape, width: Self.scale * Self.width)
        first = range.lowerBound
        last = film.end(before: range.upperBound) - film.step
        size = conform.width / Self.scale * (conform.height / Self.scale)
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
        let ((base, stride), scale) = (picture.plane(0), Self.scale)
        let samples = UnsafeRawPointer(base).assumingMemoryBound(to: UInt8.self)
        for y in 0..<picture.height / scale {
            for x in 0..<picture.width / scale {
                var sum = 0
                for row in 0..<scale {
                    let first = (y * scale + row) * stride + x * scale
                    for place in first..<first + scale { sum += Int(samples[place]) }
                }
                bytes.append(UInt8(sum / (scale * scale)))
            }
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

import FlipBase
import FlipMedia

/// The sound of a track as few samples as tell what is heard, read from front to back a piece at a time.
final class SoundTape {
    /// Samples per second.
    static let rate = 4000
    /// A piece that begins by more seconds later is sought.
    private static let worthSeeking = 8

    private let info: MediaInfo
    private var reader: AudioReader?
    /// The number of the sample that `samples` begins with, counted from the stream time 0.
    private var first = 0
    private var samples: [Float] = []

    /// - Parameter track: the number of an audio track of `info`.
    init(_ info: MediaInfo, track: Int) { self.info = info.hearing(track) }

    /// The samples of `range`, silence where there are none. Only the latest seconds are kept, so pieces have to begin about
    /// where the one before did, or later.
    func read(_ range: Range<Int>) throws(MediaError) -> [Float] {
        if reader == nil || range.lowerBound < first
            || range.lowerBound > first + samples.count + Self.worthSeeking * Self.rate
        {
            reader = try AudioReader(
                info: info, conform: AudioConform(sampleRate: Self.rate, layout: "mono"),
                origin: Rational(range.lowerBound, Self.rate))
            (first, samples) = (range.lowerBound, [])
        }
        if range.lowerBound > first + samples.count { try append(range.lowerBound - first - samples.count) }
        let passed = range.lowerBound - first
        if passed > 8 * Self.rate {
            samples.removeFirst(passed)
            first = range.lowerBound
        }
        if range.upperBound > first + samples.count { try append(range.upperBound - first - samples.count) }
        return Array(samples[range.lowerBound - first..<range.upperBound - first])
    }

    private func append(_ count: Int) throws(MediaError) {
        guard let reader else { return }
        let place = samples.count
        samples += [Float](repeating: 0, count: count)
        let fresh = UnsafeMutablePointer<Float>.allocate(capacity: count)
        defer { fresh.deallocate() }
        try reader.read(count, into: [fresh])
        for index in 0..<count { samples[place + index] = fresh[index] }
    }
}

/// A piece of sound in which that of another one is looked for.
struct SoundPiece {
    /// What is left if what can be foretold from the sample before is taken away, so that low notes don't hide the others.
    private let samples: [Float]
    private let energy: [Double]

    init(_ plain: [Float]) {
        samples = plain.indices.map { plain[$0] - ($0 > 0 ? 0.9 * plain[$0 - 1] : 0) }
        energy = samples.reduce(into: [0]) { $0.append($0[$0.count - 1] + Double($1 * $1)) }
    }

    var count: Int { samples.count }

    /// How alike `other` and the samples of this piece from each of `places` on are: 1 if they are the same at any level.
    /// - Returns: the likeliest place, and how alike they are there.
    func best(_ other: SoundPiece, at places: Range<Int>) -> (place: Int, likeness: Double) {
        let places = places.clamped(to: 0..<max(0, count - other.count + 1))
        var best = (place: places.lowerBound, likeness: 0.0)
        let own = other.energy[other.count]
        for place in places {
            let energy = energy[place + other.count] - self.energy[place]
            guard own > 0, energy > 0 else { continue }
            let likeness = abs(Double(product(other, at: place))) / (own * energy).squareRoot()
            if likeness > best.likeness { best = (place, likeness) }
        }
        return best
    }

    private func product(_ other: SoundPiece, at place: Int) -> Float {
        samples.withUnsafeBytes { mine in
            other.samples.withUnsafeBytes { others in
                var sums = (SIMD16<Float>(), SIMD16<Float>())
                let (start, size) = (place * 4, 64)
                var index = 0
                while index + 32 <= other.count {
                    sums.0 +=
                        mine.loadUnaligned(fromByteOffset: start + index * 4, as: SIMD16<Float>.self)
                        * others.loadUnaligned(fromByteOffset: index * 4, as: SIMD16<Float>.self)
                    sums.1 +=
                        mine.loadUnaligned(fromByteOffset: start + index * 4 + size, as: SIMD16<Float>.self)
                        * others.loadUnaligned(fromByteOffset: index * 4 + size, as: SIMD16<Float>.self)
                    index += 32
                }
                return (sums.0 + sums.1).sum()
            }
        }
    }
}

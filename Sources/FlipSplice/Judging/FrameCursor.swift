import FlipBase
import FlipMedia

/// Decodes frames of a film by their numbers, mostly one after another.
final class FrameCursor {
    private let film: JudgedFilm
    private let frames: FilmFrames
    /// The number of the frame decoded last; nil if it isn't known where decoding stands.
    private var latest: Int?
    private var hasEnded = false
    /// Whether decoding began at the film's start or has come across a keyframe.
    private var isClean = true
    /// Whether what the file marks as keyframes isn't.
    private var isMarkedWrongly = false
    /// The frames decoded last, by their numbers.
    private var recent: [Int: FilmFrames.Decoded] = [:]

    /// Whether what was decoded since the last keyframe may have suffered from damage.
    private(set) var isDamaged = false
    private var errorCount = 0

    private static let kept = 6
    private static let maxDisorder = 8

    init(_ film: JudgedFilm, threads: Int) throws(MediaError) {
        self.film = film
        frames = try FilmFrames(film.info, threads: threads)
    }

    /// Frame `number`; nil if decoding doesn't give it.
    func frame(_ number: Int) throws(MediaError) -> FilmFrames.Decoded? {
        if isClean, let known = recent[number] { return known }
        let ticks = film.frames[number].ticks
        if !isAhead(number, ticks) { try seek(before: ticks) }
        while let decoded = try next() {
            if latest == number {
                if isClean { return decoded }
                isMarkedWrongly = true
                return try self.frame(number)
            }
            // Where times are wrong, frames may come in another order.
            if let latest, latest > number + Self.maxDisorder { return nil }
        }
        return nil
    }

    /// Whether going on is the shortest way to a frame.
    private func isAhead(_ number: Int, _ ticks: Int) -> Bool {
        guard let latest, latest < number, !hasEnded, isClean || !isMarkedWrongly else { return false }
        return isMarkedWrongly || frames.start(before: ticks).map { $0.time <= film.frames[latest].ticks } ?? true
    }

    /// Goes to where decoding has to begin for the frame shown at `ticks`.
    func seek(before ticks: Int) throws(MediaError) {
        isClean = isMarkedWrongly
        if isMarkedWrongly { try frames.restart() } else if try frames.seek(before: ticks) { isClean = true }
        (recent, errorCount) = ([:], frames.errorCount)
        (latest, hasEnded) = (nil, false)
    }

    /// Decodes the next frame that has a number.
    private func next() throws(MediaError) -> FilmFrames.Decoded? {
        while let decoded = try frames.next() {
            guard let ticks = decoded.ticks, let number = film.frame(shownAt: ticks) else { continue }
            latest = number
            isClean = isClean || decoded.isKey
            if film.frames[number].isKey { isDamaged = false }
            if decoded.isDamaged || frames.errorCount != errorCount { isDamaged = true }
            errorCount = frames.errorCount
            recent[number] = decoded
            if recent.count > Self.kept, let oldest = recent.keys.min() { recent[oldest] = nil }
            return decoded
        }
        hasEnded = true
        return nil
    }

    func converted(_ decoded: FilmFrames.Decoded, to conform: VideoConform) throws(MediaError) -> VideoFrame {
        try frames.converted(decoded, to: conform)
    }
}

extension VideoFrame {
    /// The PSNR of the first plane against that of a picture of the same size and depth, in dB, at most 100; nil if the
    /// pictures differ in size or depth.
    /// - Parameter rows: every how manieth row is compared.
    func lumaPSNR(against other: VideoFrame, rows: Int = 1) -> Double? {
        guard (width, height, depth) == (other.width, other.height, other.depth), depth <= 16 else { return nil }
        let (mine, others) = (plane(0), other.plane(0))
        var sum = 0
        for y in stride(from: 0, to: height, by: rows) {
            let (a, b) = (mine.base + y * mine.stride, others.base + y * others.stride)
            sum +=
                depth > 8
                ? Self.squares(a.assumingMemoryBound(to: UInt16.self), b.assumingMemoryBound(to: UInt16.self), width)
                : Self.squares(a.assumingMemoryBound(to: UInt8.self), b.assumingMemoryBound(to: UInt8.self), width)
        }
        let peak = Double(1 << depth - 1)
        let error = Double(sum) / Double(max(1, width * ((height + rows - 1) / rows)))
        return error == 0 ? 100 : min(100, 10 * (peak * peak / error).commonLogarithm)
    }

    private static func squares<Sample: FixedWidthInteger>(
        _ one: UnsafePointer<Sample>, _ other: UnsafePointer<Sample>, _ count: Int
    ) -> Int {
        var sum = 0
        for index in 0..<count {
            let difference = Int32(truncatingIfNeeded: one[index]) &- Int32(truncatingIfNeeded: other[index])
            sum &+= Int(truncatingIfNeeded: difference &* difference)
        }
        return sum
    }
}

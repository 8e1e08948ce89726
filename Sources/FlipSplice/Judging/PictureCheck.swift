import FlipBase
import FlipFiles
import FlipMedia

/// Decodes the film where it was encoded anew or put together, and compares it with its sources.
final class PictureCheck {
    private let join: CheckedJoin
    private let parts: [MatchedPart]
    private let threads: Int
    private let alignments: [Int: [StretchAlignment]]
    private let small: VideoConform
    private let film: FrameCursor
    /// Cursors of the inputs, since transitions show two places of the same source at once.
    private var cursors: [Int: FrameCursor] = [:]
    /// What was found of each part that was encoded.
    private(set) var stretches: [Int: Stretch] = [:]
    /// The copied frames that decode differently.
    private(set) var broken: [Int] = []
    /// The frames that decoding doesn't give.
    private(set) var missing: [Int] = []

    /// The frames of a part that was encoded, as far as they were compared.
    struct Stretch {
        struct Compared {
            let frame: Int
            /// The places in the sources that it may show, with the PSNR against each.
            let places: [(place: FramePlace, psnr: Double)]
            let isDamaged: Bool
            /// Whether it is a source's frame, bit for bit.
            let isExact: Bool
            /// Whether no source has a frame then.
            let isKnownToNone: Bool
            /// 1 if it looks more like the source's next frame, -1 if more like the one before, 0 if neither; nil if these
            /// hardly differ, or it isn't known.
            var lag: Int?

            var best: (place: FramePlace, psnr: Double)? { places.max { $0.psnr < $1.psnr } }
        }

        var compared: [Compared] = []
        /// Whether all frames are a source's, bit for bit.
        var isExact: Bool { compared.allSatisfy(\.isExact) }
    }

    /// How many copied frames are decoded before and behind a seam.
    private static let (before, behind) = (4, 16)
    /// The PSNR in dB from which frames are taken for the same.
    private static let similar = 30.0
    /// The PSNR in dB by which a frame is nearer to one than to another.
    private static let nearer = 0.7
    /// The same for pictures that were scaled, perhaps by another part of a line than in the film.
    private static let nearerScaled = 5.0
    /// The width of pictures by which frames of different forms are compared.
    private static let smallWidth = 160

    init(
        _ join: CheckedJoin, _ parts: [MatchedPart], _ alignments: [Int: [StretchAlignment]], threads: Int
    ) throws(MediaError) {
        (self.join, self.parts, self.threads, self.alignments) = (join, parts, threads, alignments)
        small = Self.small(join.film.video, width: Self.smallWidth)
        // With several threads, libavcodec doesn't always know in time that it concealed something.
        film = try FrameCursor(join.film, threads: 1)
    }

    /// Small pictures that show what the film shows.
    /// - Parameter width: their width in pixels if the film is shown in 16:9; others have as many pixels.
    static func small(_ video: VideoInfo, width: Int) -> VideoConform {
        let shape = Double(video.displayWidth) / Double(max(1, video.displayHeight))
        let area = Double(width * width) * 9 / 16
        let side = { (exact: Double) in max(2, Int((exact.squareRoot() / 2).rounded()) * 2) }
        var conform = VideoConform(
            width: side(area * shape), height: side(area / shape), frameRate: video.frameRate,
            pixelFormat: PixelFormat(name: "yuv444p") ?? video.pixelFormat, color: video.color)
        // The film fills them, so that the bars beside pictures of other shapes are as wide as in the film.
        conform.form = CodedForm(
            sampleAspectRatio: Rational(video.displayWidth * conform.height, video.displayHeight * conform.width))
        conform.color.isFullRange = false
        return conform
    }

    func run() throws(MediaError) {
        for window in windows {
            for number in window { try compare(number) }
        }
    }

    /// The ranges of frames that are decoded, ascending and apart from each other.
    private var windows: [Range<Int>] {
        let all = 0..<join.film.frames.count
        var windows: [Range<Int>] = []
        for (index, part) in parts.enumerated() {
            var window = part.frames
            if part.origin != nil {
                if index == 0 { continue }
                window = part.frames.lowerBound..<part.frames.lowerBound + 1
            }
            let wide = (window.lowerBound - Self.before..<window.upperBound + Self.behind).clamped(to: all)
            if let last = windows.last, last.upperBound >= wide.lowerBound {
                windows[windows.count - 1] = last.lowerBound..<max(last.upperBound, wide.upperBound)
            } else {
                windows.append(wide)
            }
        }
        return windows
    }

    private func cursor(_ use: Int) throws(MediaError) -> FrameCursor {
        if let cursor = cursors[use] { return cursor }
        if cursors.count >= 4, let first = cursors.keys.min() { cursors[first] = nil }
        let cursor = try FrameCursor(join.sources[join.uses[use].film], threads: threads)
        cursors[use] = cursor
        return cursor
    }

    private func compare(_ number: Int) throws(MediaError) {
        let index = parts.partitioningIndex { $0.frames.upperBound > number }
        let part = parts[index]
        guard let shown = try film.frame(number) else {
            missing.append(number)
            return
        }
        if let origin = part.origin {
            // What is misplaced may come from any source.
            let use = part.isMisplaced ? join.uses.firstIndex { $0.film == origin.film } : part.use
            let cursor = try cursor(use ?? 0)
            guard let source = try cursor.frame(origin.frame + number - part.frames.lowerBound), !cursor.isDamaged
            else { return }
            if !shown.picture.hasSameSamples(as: source.picture) { broken.append(number) }
            return
        }
        var (isExact, places) = (false, [(place: FramePlace, psnr: Double)]())
        let candidates = candidates(for: number, part: index).sorted { $0.key < $1.key }
        for (use, frame) in candidates {
            let place = FramePlace(film: join.uses[use].film, frame: frame)
            let cursor = try cursor(use)
            guard let source = try cursor.frame(place.frame), !cursor.isDamaged else { continue }
            let film = join.sources[place.film]
            var psnr = try psnr(shown, source, cursor, film.video)
            if psnr == 100, shown.picture.hasSameSamples(as: source.picture) { isExact = true }
            if psnr < Self.similar, !film.hasRate(of: join.film) {
                // Which of two frames is shown when depends on how times were rounded.
                for near in [place.frame - 1, place.frame + 1] where film.frames.indices.contains(near) {
                    guard let other = try cursor.frame(near) else { continue }
                    psnr = max(psnr, try self.psnr(shown, other, cursor, film.video))
                }
            }
            places.append((place, psnr))
        }
        var compared = Stretch.Compared(
            frame: number, places: places, isDamaged: shown.isDamaged, isExact: isExact,
            isKnownToNone: candidates.isEmpty)
        if places.count == 1, candidates.count == 1, let (use, frame) = candidates.first, !shown.isDamaged {
            compared.lag = try lag(of: shown, use, frame)
        }
        stretches[index, default: Stretch()].compared.append(compared)
    }

    /// Which of the source's frames beside `frame` a frame of the film looks like.
    private func lag(of shown: FilmFrames.Decoded, _ use: Int, _ frame: Int) throws(MediaError) -> Int? {
        let film = join.sources[join.uses[use].film]
        // At another rate, frames may have been left out or repeated, and what was made progressive shows one field of two.
        guard abs(film.step / join.film.step - 1) < 0.1, film.video.isInterlaced == join.film.video.isInterlaced,
            frame > 0, frame + 1 < film.frames.count
        else { return nil }
        let nearer = film.video.hasForm(of: join.film.video) ? Self.nearer : Self.nearerScaled
        let cursor = try cursor(use)
        var values: [Double] = []
        for near in frame - 1...frame + 1 {
            guard let source = try cursor.frame(near) else { return nil }
            values.append(try psnr(shown, source, cursor, film.video, rows: 4))
        }
        if values[0] > values[1] + nearer, values[0] > values[2] { return -1 }
        if values[2] > values[1] + nearer { return 1 }
        return values[1] > max(values[0], values[2]) + nearer ? 0 : nil
    }

    /// - Parameter rows: one row of this many is compared where the pictures are as large as each other.
    private func psnr(
        _ shown: FilmFrames.Decoded, _ source: FilmFrames.Decoded, _ cursor: FrameCursor, _ video: VideoInfo,
        rows: Int = 1
    ) throws(MediaError) -> Double {
        if video.hasForm(of: join.film.video), let psnr = shown.picture.lumaPSNR(against: source.picture, rows: rows) {
            return psnr
        }
        let pictures = (try film.converted(shown, to: small), try cursor.converted(source, to: small))
        return pictures.0.lumaPSNR(against: pictures.1) ?? 0
    }

    // MARK: Which frames of the sources an encoded frame may show

    /// The frames of the inputs that frame `number` of an encoded part may show, by the inputs.
    func candidates(for number: Int, part index: Int) -> [Int: Int] {
        let time = join.film.time(number)
        var frames: [Int: Int] = [:]
        for alignment in alignments[index] ?? [] {
            if let frame = alignment.frame(at: time, join) { frames[alignment.use] = frame }
        }
        let isKnown = { (part: MatchedPart) in part.origin != nil && !part.isMisplaced }
        if let before = parts[..<index].last(where: isKnown), let origin = before.origin, let use = before.use {
            let source = join.sources[origin.film]
            let last = before.own.upperBound - 1
            let place = source.time(last) + time - join.film.time(before.frames.upperBound - 1)
            let frame = source.frame(at: place)
            let end = join.uses[use].range.upperBound
            let isLater = frame > last || frame == last && source.video.isVariableFrameRate
            if isLater, frame < end, place < source.end(before: end) + source.step / 4 {
                frames[use] = frame
            }
        }
        if let behind = parts[(index + 1)...].first(where: isKnown), let origin = behind.origin, let use = behind.use {
            let source = join.sources[origin.film]
            let frame = source.frame(at: source.time(origin.frame) - join.film.time(behind.frames.lowerBound) + time)
            if join.uses[use].range.contains(frame), frame < origin.frame { frames[use] = frames[use] ?? frame }
        }
        return frames
    }
}

extension VideoInfo {
    /// Whether both have the same size, turn, fields and kind of pixels, so that pictures needn't be converted to be compared.
    func hasForm(of other: VideoInfo) -> Bool {
        (width, height) == (other.width, other.height) && transform == other.transform
            && isInterlaced == other.isInterlaced && pixelFormat.components == other.pixelFormat.components
    }
}

extension Double {
    var commonLogarithm: Double { log10(self) }
}

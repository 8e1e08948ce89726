import FlipBase
import FlipFiles
import FlipMedia

/// Draws the frames of a page on which films play. Each film is converted to the size that it has in the frame, and its
/// samples take the place of the page's.
final class PlayingPage {
    private let page: VideoFrame
    private let clocks: ReadingClocks
    /// Copies samples into frames.
    private let painter: Background
    private let pool: FramePool
    private let films: [Film]
    /// The frame that was drawn last, which is used again when no film has changed.
    private var latest: VideoFrame

    /// Nil for a clip without films.
    /// - Parameters:
    ///   - page: the page as it is seen in the frame.
    ///   - frames: the frames of the clip that will be asked for, in order.
    init?(
        _ page: VideoFrame, _ clip: RenderPlan.Clip, _ frames: Range<Int>, threads: Int, clocks: ReadingClocks
    ) throws(MediaError) {
        guard !clip.films.isEmpty, let video = clip.video else { return nil }
        (self.page, self.clocks) = (page, clocks)
        let conform = clip.conform
        painter = Background(conform)
        latest = page
        pool = try FramePool(
            width: conform.width, height: conform.height, pixelFormat: conform.pixelFormat, color: conform.color)
        films = clip.films.map { film in
            let place = Self.pixels(of: film.place, on: (video.displayWidth, video.displayHeight), conform)
            return Film(film, conform, pixels: place, frames, threads, clocks)
        }
    }

    /// Frame `index` of the clip.
    func frame(_ index: Int) throws(MediaError) -> VideoFrame {
        var hasChanged = false
        for film in films where try film.advance(to: index) { hasChanged = true }
        guard hasChanged else { return latest }
        let target = try pool.make()
        clocks.conforming.measure {
            painter.place(page.memory, at: (0, 0), in: target.memory)
            for film in films {
                guard let picture = film.current else { continue }
                painter.place(film.visible(of: picture), at: film.corner, in: target.memory)
            }
        }
        latest = target
        return target
    }

    /// The damaged packets and frames of the films so far.
    var decodeErrors: Int { films.reduce(0) { $0 + $1.decodeErrors } }

    /// Whether one of the films turned out to be damaged or to end earlier than it should.
    var isCutOff: Bool { films.contains(where: \.isCutOff) }

    /// Throws if a film is damaged.
    func checkIntact() throws(MediaError) {
        for film in films { try film.checkIntact() }
    }

    /// The rectangle of the frame that a place on a page of `size` pixels has, with whole chroma samples.
    private static func pixels(
        of place: PlacedFilm.Place, on size: (width: Int, height: Int), _ conform: VideoConform
    ) -> (x: Int, y: Int, width: Int, height: Int) {
        let shape = PictureShape(
            width: size.width, height: size.height, sampleAspectRatio: Rational(1), pixelFormat: .rgb24,
            color: ColorDescription())
        let layout = PictureLayout(shape, transform: .identity, conform: conform)
        let kept = layout.crop ?? (x: 0, y: 0, width: size.width, height: size.height)
        // Maps a part of the page, in its pixels, to the frame.
        let edges = { (start: Double, end: Double, kept: Range<Int>, inner: Int, offset: Int, step: Int) in
            let scale = Double(inner) / Double(kept.count)
            let whole = { (value: Double) in
                Int(((value - Double(kept.lowerBound)) * scale / Double(step)).rounded()) * step + offset
            }
            return (first: whole(start), length: max(step, whole(end) - whole(start)))
        }
        let (pageWidth, pageHeight) = (Double(size.width), Double(size.height))
        let across = edges(
            place.x * pageWidth, (place.x + place.width) * pageWidth, kept.x..<kept.x + kept.width,
            layout.inner.width, layout.offset.x, conform.pixelFormat.chromaStepX)
        let down = edges(
            place.y * pageHeight, (place.y + place.height) * pageHeight, kept.y..<kept.y + kept.height,
            layout.inner.height, layout.offset.y, conform.pixelFormat.chromaStepY)
        return (across.first, down.first, across.length, down.length)
    }
}

/// A film on a page, in the frame's format.
private final class Film {
    private let film: PlacedFilm
    private let conform: VideoConform
    private let format: PixelFormat
    /// The rectangle of the frame that the film fills, and the part of it within the frame.
    private let pixels: (x: Int, y: Int, width: Int, height: Int)
    private let seen: (left: Int, top: Int, right: Int, bottom: Int)
    private let first: Int
    private let threads: Int
    private let clocks: ReadingClocks
    private var reader: VideoReader?
    /// The film's frame to be read next, counted at the output's rate.
    private var next = 0
    private let count: Int
    private(set) var current: VideoFrame?

    init(
        _ film: PlacedFilm, _ conform: VideoConform, pixels: (x: Int, y: Int, width: Int, height: Int),
        _ frames: Range<Int>, _ threads: Int, _ clocks: ReadingClocks
    ) {
        (self.film, self.pixels, self.threads, self.clocks) = (film, pixels, threads, clocks)
        format = conform.pixelFormat
        seen = (
            max(pixels.x, 0), max(pixels.y, 0), min(pixels.x + pixels.width, conform.width),
            min(pixels.y + pixels.height, conform.height)
        )
        var own = conform
        (own.width, own.height, own.fit) = (pixels.width, pixels.height, .stretch)
        self.conform = own
        count = own.frameCount(of: film.clip.use)
        // What was shown before the first frame that is wanted is not read; of a film that has ended, the last frame is.
        first = min(max(frames.lowerBound - film.start, 0), count - 1)
        next = first
    }

    var decodeErrors: Int { reader?.decodeErrors ?? 0 }
    var isCutOff: Bool { reader?.isCutOff ?? false }

    func checkIntact() throws(MediaError) { try reader?.checkIntact(film.media.name) }

    /// The upper left corner of what is seen of the film.
    var corner: (x: Int, y: Int) { (seen.left, seen.top) }

    /// Reads up to the film's frame that is shown in frame `index` of the clip.
    /// - Returns: whether it is another one than before.
    func advance(to index: Int) throws(MediaError) -> Bool {
        let wanted = min(index - film.start, count - 1)
        guard wanted >= next, seen.left < seen.right, seen.top < seen.bottom else { return false }
        let reader: VideoReader
        if let open = self.reader {
            reader = open
        } else {
            let clip = first == 0 ? film.clip : film.clip.using(frames: first..<count, at: conform.frameRate)
            reader = try VideoReader(clip, conform: conform, threads: threads, clocks: clocks)
            self.reader = reader
        }
        while next <= wanted {
            guard let frame = try reader.next() else { break }
            current = frame
            next += 1
        }
        return true
    }

    /// The part of a frame of the film that lies within the frame.
    func visible(of picture: VideoFrame) -> PictureMemory {
        let memory = picture.memory
        let (left, top) = (seen.left - pixels.x, seen.top - pixels.y)
        let planes = memory.planes.enumerated().map { index, plane in
            let isChroma = format.components == .yuv && (1...2).contains(index)
            let (x, y) = isChroma ? (left / format.chromaStepX, top / format.chromaStepY) : (left, top)
            return (base: plane.base + y * plane.stride + x * format.bytesPerSample, stride: plane.stride)
        }
        return PictureMemory(width: seen.right - seen.left, height: seen.bottom - seen.top, planes: planes)
    }
}

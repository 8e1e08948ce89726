import FlipBase
import FlipMedia

/// What decides an output that consists of slides: documents and photos outrank films, and films outrank animated
/// pictures such as GIFs. The rest of the rule is `OutputRule`.
package struct SlideRule: Sendable {
    /// What the rule knows of a slide.
    package enum Slide: Sendable {
        /// A page of a document, by its aspect ratio.
        case page(Rational)
        case picture(VideoInfo)
        case film(VideoInfo)
    }

    /// The size in pixels, with even sides; nil for that of the first film, or of the first picture.
    package let size: (width: Int, height: Int)?
    /// Frames per second.
    package let frameRate: Rational
    /// The video that decides the size; nil for a page.
    private let leader: VideoInfo?
    /// The film that the output was asked to be like; nil for none.
    private let like: Int?
    /// Whether pages and photos decide.
    private let prefersStills: Bool
    package let sizeDecider: Decider
    package let rateDecider: Decider

    /// The rate of slides among which no film decides it.
    private static let standardRate = Rational(25)
    /// The rates of films that also suit the transitions between slides.
    private static let suitableRates = Rational(20)...Rational(60)
    /// The size within which pages and photos are shown: 1080p.
    private static let screen = (width: 1920, height: 1080)

    /// - Parameters:
    ///   - slides: not empty.
    ///   - hasStillClips: whether pictures are clips as in joins, where films outrank them.
    ///   - like: the index of the film that the output is to be like; nil for the rule's own choice.
    ///   - settings: what the user asked for.
    package init(_ slides: [Slide], hasStillClips: Bool, like: Int? = nil, _ settings: OutputSettings) {
        var films: [(index: Int, video: VideoInfo)] = []
        var pictures: [(index: Int, video: VideoInfo)] = []
        var pages: [(index: Int, shape: Rational)] = []
        for (index, slide) in slides.enumerated() {
            switch slide {
            case .page(let shape): pages.append((index, shape))
            case .picture(let video): pictures.append((index, video))
            case .film(let video): films.append((index, video))
            }
        }
        if let like {
            films = films.filter { $0.index == like }
            (pages, pictures) = ([], [])
        }
        self.like = like
        let moving = films.filter { !$0.video.isAnimatedPicture }
        let shown = pictures.first.map { ($0.index, $0.video.shape) }
        let lead: (index: Int, shape: Rational)? =
            hasStillClips
            ? pages.first.flatMap { page in films.isEmpty && pictures.first?.index == 0 ? nil : page }
            : [pages.first, shown].compactMap { $0 }.min { $0.index < $1.index }
        let film = moving.first ?? films.first
        let suitable = moving.first { like != nil || Self.suitableRates.contains($0.video.frameRate) }
        let decider = lead == nil ? film : suitable
        size = settings.size ?? lead.map { Self.size(of: $0.shape) }
        frameRate = settings.frameRate ?? decider?.video.frameRate ?? Self.standardRate
        leader = film?.video ?? pictures.first?.video
        prefersStills = lead != nil
        sizeDecider = settings.size != nil ? .option : .input(lead?.index ?? film?.index ?? 0)
        rateDecider = settings.frameRate != nil ? .option : decider.map { .input($0.index) } ?? .standard
    }

    /// The largest size of this aspect ratio that fits 1920x1080, or 1080x1920 for what is higher than wide, with an even
    /// width and height for subsampled chroma.
    private static func size(of shape: Rational) -> (width: Int, height: Int) {
        if shape < Rational(1) {
            let turned = size(of: Rational(1) / shape)
            return (turned.height, turned.width)
        }
        let even = { (size: Rational) in max(2, (size / Rational(2)).rounded() * 2) }
        return shape > Rational(screen.width, screen.height)
            ? (screen.width, min(screen.height, even(Rational(screen.width) / shape)))
            : (min(screen.width, even(Rational(screen.height) * shape)), screen.height)
    }

    /// The frame in which pages are drawn: the output's, with even sides.
    package var frame: (width: Int, height: Int) {
        size ?? leader.map { (max(2, $0.displayWidth / 2 * 2), max(2, $0.displayHeight / 2 * 2)) } ?? Self.screen
    }

    /// The input, of those that show anything, whose pixel format and color the output has.
    func model(of shown: [(index: Int, video: VideoInfo)]) -> (index: Int, video: VideoInfo)? {
        if let like { return shown.first { $0.index == like } }
        return prefersStills
            ? shown.first { $0.video.isStill } : shown.first { !$0.video.isStill && !$0.video.isAnimatedPicture }
    }
}

extension VideoInfo {
    fileprivate var shape: Rational { Rational(displayWidth, displayHeight) }

    /// Whether it is an animation in a format of pictures, such as a GIF.
    package var isAnimatedPicture: Bool { !isStill && ["gif", "apng", "webp"].contains(codec) }
}
